package io.bloomery.cli.index;

import io.bloomery.secure.IndexKeys;
import io.bloomery.secure.Secret;
import io.bloomery.secure.SecureIndex;
import io.bloomery.secure.SecureIndexShape;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Builds a secure index of files, several at a time, of which only the words are in memory. */
final class SecureIndexBuild {

  /** The most different words of a file that is read to find out how many there are. */
  private static final int MOST_WORDS = 1 << 22;

  /** The share of the heap that an index may take: while it grows or is saved it is there twice. */
  private static final int HEAP_PART = 3;

  /**
   * What is to be built.
   *
   * @param rate the rate for one document
   * @param maxWords the most words of a document; null for those of the largest
   * @param binaryToo whether files that look binary are documents
   */
  record Settings(double rate, Integer maxWords, boolean binaryToo) {}

  /** What came of a file: a problem, or its words; neither if it looks binary. */
  private record Outcome(FoundFile file, int words, boolean binary, Problem problem) {}

  /** What is done with the words of a file. */
  @FunctionalInterface
  private interface Work {
    void take(String name, Set<String> words);
  }

  private final Console console;
  private final Settings settings;
  private final ExecutorService workers;
  private final int ahead;
  private final LongConsumer progress;
  private final Consumer<Problem> problems;
  private final Map<String, FoundFile> documents;
  private int binary;
  private int leftOut;
  private int largest;
  private SecureIndex index;

  /** Builds an index of documents, given by their names; {@code workers} has some threads. */
  SecureIndexBuild(
      Console console,
      Settings settings,
      Map<String, FoundFile> documents,
      ExecutorService workers,
      LongConsumer progress,
      Consumer<Problem> problems) {
    this.console = console;
    this.settings = settings;
    this.documents = new LinkedHashMap<>(documents);
    this.workers = workers;
    this.ahead = 2 * Workers.THREADS;
    this.progress = progress;
    this.problems = problems;
  }

  /** How often each file is read. */
  static int passes(Settings settings) {
    return settings.maxWords == null ? 2 : 1;
  }

  /** Reads all files and makes the index. */
  SecureIndex run(Secret secret) {
    if (settings.maxWords == null) {
      readAll(MOST_WORDS, (name, words) -> {});
    }
    SecureIndexShape shape =
        SecureIndexShape.forWords(
            settings.maxWords == null ? roundedUp(largest) : settings.maxWords, settings.rate);
    checkMemory(shape);
    index = SecureIndex.create(shape, secret);
    try (IndexKeys keys = index.keys(secret)) {
      readAll(shape.maxWords(), (name, words) -> index.replace(keys, name, words));
    }
    return index;
  }

  /** The next power of two, which tells less about the largest document. */
  private static int roundedUp(int words) {
    return words <= 1 ? 1 : Integer.highestOneBit(words - 1) << 1;
  }

  private void checkMemory(SecureIndexShape shape) {
    long bytes = shape.bits() / Byte.SIZE * documents.size();
    long heap = Runtime.getRuntime().maxMemory();
    if (bytes > heap / HEAP_PART) {
      throw new Problem(
          "%s of up to %s words take an index of %s, and there are %d MiB of heap; a lower --max-words leaves out large documents, BLOOM_JAVA_OPTS=-Xmx%dm gives enough"
              .formatted(
                  Text.count(documents.size(), "document"),
                  Text.count(shape.maxWords()),
                  Text.size(bytes),
                  heap >> 20,
                  ((HEAP_PART * bytes) >> 20) + 64));
    }
  }

  /** Reads all documents that are left; those that cannot be read, or look binary, leave. */
  private void readAll(int most, Work work) {
    Queue<Future<Outcome>> running = new ArrayDeque<>();
    for (Map.Entry<String, FoundFile> document : new LinkedHashMap<>(documents).entrySet()) {
      running.add(workers.submit(() -> read(document.getKey(), document.getValue(), most, work)));
      if (running.size() > ahead) {
        finish(Workers.get(running.remove()));
      }
    }
    while (!running.isEmpty()) {
      finish(Workers.get(running.remove()));
    }
  }

  private Outcome read(String name, FoundFile file, int most, Work work) {
    try {
      Optional<Set<String>> words =
          DocumentWords.of(console, file.path(), settings.binaryToo, most);
      words.ifPresent(found -> work.take(name, found));
      return new Outcome(file, words.map(Set::size).orElse(0), words.isEmpty(), null);
    } catch (IOException e) {
      return new Outcome(file, 0, false, Problem.with(Path.of(name), e));
    }
  }

  private void finish(Outcome outcome) {
    progress.accept(outcome.file.size());
    largest = Math.max(largest, outcome.words);
    if (outcome.binary || outcome.problem != null) {
      documents.values().remove(outcome.file);
    }
    if (outcome.binary) {
      binary++;
    }
    if (outcome.problem != null) {
      leftOut++;
      problems.accept(outcome.problem);
    }
  }

  /** The facts about the index in its file. */
  Report report(Path target) {
    SecureIndexShape shape = index.shape();
    Report report =
        new Report()
            .row("documents", Text.count(index.documents().size()))
            .row("words", "up to %s per document".formatted(Text.count(shape.maxWords())))
            .row("index", Text.bytes(index.storedBytes()))
            .row(
                "per document",
                "%s bits, %d hashes per word"
                    .formatted(Text.count(shape.bits()), shape.hashesPerWord()))
            .row("rate", Text.rate(shape.falsePositiveRate()) + " for a word and a document");
    if (binary > 0) {
      report.row(
          "left out",
          Text.count(binary, "file")
              + (binary == 1 ? " that looks" : " that look")
              + " binary (--text takes them)");
    }
    return report
        .value("file", target.toString())
        .value("documents", index.documents().size())
        .value("documentsLeftOut", binary + leftOut)
        .value("maxWords", shape.maxWords())
        .value("bitsPerDocument", shape.bits())
        .value("hashesPerWord", shape.hashesPerWord())
        .value("indexBytes", index.storedBytes())
        .value("expectedRate", shape.falsePositiveRate());
  }
}
