package io.bloomery.find;

import io.bloomery.find.walk.FileWalk;
import io.bloomery.find.walk.FoundFile;
import io.bloomery.secure.IndexKeys;
import io.bloomery.secure.Secret;
import io.bloomery.secure.SecureIndex;
import io.bloomery.secure.SecureIndexShape;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.problem.UnreadFormatException;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Builds an index of the words of documents that reveals neither words nor queries, {@link
 * SecureIndex}. Reads several files at a time; only their words are in memory.
 */
public final class DocumentIndex {

  /** The most distinct words of a file that is read to count them. */
  private static final int MOST_WORDS = 1 << 22;

  /** The share of the heap that an index may take: it is held twice while it grows or is saved. */
  private static final int HEAP_PART = 3;

  private static final int AHEAD = 2 * Workers.THREADS;

  /** The outcome for a file. */
  private enum Fate {
    INDEXED,
    BINARY,
    UNREAD,
    FAILED
  }

  /** The outcome for a file: its words if it is indexed, a problem if it failed. */
  private record Outcome(FoundFile file, Fate fate, int words, @Nullable Problem problem) {}

  /** Handles the words of a file. */
  @FunctionalInterface
  private interface Work {
    void take(String name, Set<String> words);
  }

  private final DocumentOptions options;
  private final Consumer<String> problems;
  private final Map<String, FoundFile> documents;
  private final LeftOut leftOut = new LeftOut();
  private int failed;
  private int largest;
  private @Nullable SecureIndex index; // null before it is built

  /**
   * Finds the documents: files, or all files below directories. Their names begin as the paths are
   * given.
   *
   * @param target the file of the index, which is not a document
   * @param leftOut selects other files to skip
   * @param problems receives files that cannot be read; the index is built without them
   */
  public DocumentIndex(
      List<Path> paths,
      Path target,
      Predicate<Path> leftOut,
      DocumentOptions options,
      Consumer<String> problems) {
    this.options = options;
    this.problems = problems;
    this.documents = documents(paths, target, leftOut);
  }

  private Map<String, FoundFile> documents(List<Path> paths, Path target, Predicate<Path> leftOut) {
    Map<String, FoundFile> found = new TreeMap<>();
    for (Path path : paths) {
      if (!Files.exists(path)) {
        throw new Problem(path, "no such file or directory");
      }
      Path root = Octets.absolute(path).normalize();
      for (FoundFile file : FileWalk.files(List.of(root), target, problems)) {
        if (!leftOut.test(file.path())) {
          Path name = file.path().startsWith(root) ? root.relativize(file.path()) : file.path();
          String document = Octets.name(path.resolve(name)).replaceFirst("/$", "");
          if (Octets.isText(document)) {
            found.put(document, file);
          } else {
            problems.accept(document + ": its name is not UTF-8, which this index cannot keep");
          }
        }
      }
    }
    return found;
  }

  /** A word as documents have it; fails unless it is one. */
  public static String word(String text) {
    return DocumentWords.only(text);
  }

  /**
   * Reads all documents and builds the index.
   *
   * @param progress receives the total size and the amount read
   */
  public SecureIndex build(Secret secret, ReadProgress progress) {
    int passes = options.maxWords() == null ? 2 : 1;
    long total = documents.values().stream().mapToLong(FoundFile::size).sum();
    ExecutorService workers = Workers.start(Workers.THREADS);
    try {
      progress.begin(total * passes);
      return build(secret, workers, progress::read);
    } finally {
      workers.shutdownNow();
    }
  }

  private SecureIndex build(Secret secret, ExecutorService workers, LongConsumer progress) {
    if (options.maxWords() == null) {
      readAll(workers, progress, MOST_WORDS, (name, words) -> {});
    }
    SecureIndexShape shape =
        SecureIndexShape.forWords(
            options.maxWords() == null ? roundedUp(largest) : options.maxWords(), options.rate());
    checkMemory(shape);
    SecureIndex made = SecureIndex.create(shape, secret);
    try (IndexKeys keys = made.keys(secret)) {
      readAll(
          workers, progress, shape.maxWords(), (name, words) -> made.replace(keys, name, words));
    }
    index = made;
    return made;
  }

  /** The next power of two, which reveals less about the largest document. */
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

  /** Reads all remaining documents and drops those that cannot be read or look binary. */
  private void readAll(ExecutorService workers, LongConsumer progress, int most, Work work) {
    Queue<Future<Outcome>> running = new ArrayDeque<>();
    for (Map.Entry<String, FoundFile> document : new LinkedHashMap<>(documents).entrySet()) {
      running.add(workers.submit(() -> read(document.getKey(), document.getValue(), most, work)));
      if (running.size() > AHEAD) {
        finish(Workers.get(running.remove()), progress);
      }
    }
    while (!running.isEmpty()) {
      finish(Workers.get(running.remove()), progress);
    }
  }

  private Outcome read(String name, FoundFile file, int most, Work work) {
    try {
      Optional<Set<String>> words = DocumentWords.of(file.path(), options.text(), most);
      words.ifPresent(found -> work.take(name, found));
      Fate fate = words.isEmpty() ? Fate.BINARY : Fate.INDEXED;
      return new Outcome(file, fate, words.map(Set::size).orElse(0), null);
    } catch (UnreadFormatException e) {
      return new Outcome(file, Fate.UNREAD, 0, null);
    } catch (IOException e) {
      return new Outcome(file, Fate.FAILED, 0, Problem.with(Octets.path(name), e));
    }
  }

  private void finish(Outcome outcome, LongConsumer progress) {
    progress.accept(outcome.file.size());
    largest = Math.max(largest, outcome.words);
    if (outcome.fate != Fate.INDEXED) {
      documents.values().remove(outcome.file);
    }
    if (outcome.fate == Fate.BINARY) {
      leftOut.addBinary(Octets.name(outcome.file.path()));
    } else if (outcome.fate == Fate.UNREAD) {
      leftOut.addUnread(Octets.name(outcome.file.path()));
    }
    if (outcome.problem != null) {
      failed++;
      problems.accept(outcome.problem.getMessage());
    }
  }

  /** What was built, for the file in which it is saved. */
  public IndexReport report(Path target) {
    SecureIndex built = Objects.requireNonNull(index, "what was built");
    SecureIndexShape shape = built.shape();
    Report report =
        new Report()
            .row("documents", Text.count(built.documents().size()))
            .row("words", "up to %s per document".formatted(Text.count(shape.maxWords())))
            .row("index", Text.bytes(built.storedBytes()))
            .row(
                "per document",
                "%s, %s per word"
                    .formatted(
                        Text.count(shape.bits(), "bit"),
                        shape.hashesPerWord() == 1 ? "1 hash" : shape.hashesPerWord() + " hashes"))
            .row("rate", Text.rate(shape.falsePositiveRate()) + " for a word and a document");
    leftOut.addRows(report);
    report
        .value("file", Octets.name(target))
        .value("documents", built.documents().size())
        .value("documentsLeftOut", leftOut.count() + failed)
        .value("maxWords", shape.maxWords())
        .value("bitsPerDocument", shape.bits())
        .value("hashesPerWord", shape.hashesPerWord())
        .value("indexBytes", built.storedBytes())
        .value("expectedRate", shape.falsePositiveRate())
        .value("leftOut", leftOut.values());
    return new IndexReport(target, report);
  }
}
