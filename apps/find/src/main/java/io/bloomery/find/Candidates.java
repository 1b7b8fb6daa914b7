package io.bloomery.find;

import io.bloomery.find.IndexedFile.How;
import io.bloomery.find.walk.Boundary;
import io.bloomery.find.walk.FileWalk;
import io.bloomery.find.walk.FoundFile;
import io.bloomery.frozen.RibbonFilter;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.problem.UnreadFormatException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Determines which parts of which files may contain the keys. Unless the index is trusted, whatever
 * is new or has changed since it was written is read completely, so the result does not depend on
 * the age of the index.
 */
final class Candidates {

  /**
   * A file and the parts of it to read.
   *
   * @param path the file
   * @param parts the parts to read, in order; none if the file cannot contain the keys
   * @param packed whether it is compressed or in another encoding, or may be
   */
  record Candidate(Path path, List<Part> parts, boolean packed) {}

  /**
   * A range of lines of a file.
   *
   * @param from where the first line starts, or where the line before it may end
   * @param to one past the end of the last line, or within it
   * @param line the number of the first line, from 0, or -1 if it follows from the previous part
   */
  record Part(long from, long to, long line) {}

  private static final int MAX_PART = 1 << 21; // what one thread reads at a time
  private static final int RUN = 64;

  private final IndexFile index;
  private final List<KeyRule.Wanted> keys;
  private final boolean all;
  private final Consumer<String> problems;
  private final boolean[] answers; // whether each block may contain the keys
  private final AtomicInteger next = new AtomicInteger();
  private final List<Path> stale = new ArrayList<>();

  /** Looks for keys, of which a line must contain one, or all if {@code all}. */
  Candidates(IndexFile index, List<KeyRule.Wanted> keys, boolean all, Consumer<String> problems) {
    this.index = index;
    this.keys = keys;
    this.all = all;
    this.problems = problems;
    this.answers = new boolean[index.table().blocks().size()];
  }

  /**
   * The files that may contain the keys, ordered by name. The {@code workers} list the files and
   * query the filters, which this thread does too.
   */
  List<Candidate> find(SearchOptions options, ExecutorService workers) {
    Boundary boundary = new Boundary(Octets.name(index.path()), index.table().roots());
    if (!options.within().isEmpty()) {
      boundary.checkRoots(options.within());
    }
    return options.trusting()
        ? findIndexed(options.reading(), boundary, workers)
        : findPresent(workers);
  }

  /** Takes the files that the index knows, if they are within its boundary. */
  private List<Candidate> findIndexed(boolean reading, Boundary boundary, ExecutorService workers) {
    answerAll(workers);
    Map<Path, IndexedFile> files = new LinkedHashMap<>();
    for (IndexedFile file : index.table().files()) {
      if (mightHold(file)) {
        Path path = Octets.path(file.path());
        boundary.checkName(path);
        if (files.put(path, file) != null) {
          throw new Problem("%s: lists %s twice".formatted(Octets.name(index.path()), file.path()));
        }
      }
    }
    List<Candidate> candidates = new ArrayList<>();
    files.forEach(
        (path, file) -> {
          try {
            if (reading) {
              add(candidates, path, file, boundary.check(path).size(), false);
            } else {
              candidates.add(new Candidate(path, List.of(), false));
            }
          } catch (IOException e) {
            problems.accept(Problem.with(path, e).getMessage());
          }
        });
    return candidates;
  }

  private boolean mightHold(IndexedFile file) {
    for (int i = file.firstBlock(); i < file.firstBlock() + file.blocks(); i++) {
      if (answers[i]) {
        return true;
      }
    }
    return false;
  }

  /** Takes the files that there are now. */
  private List<Candidate> findPresent(ExecutorService workers) {
    Future<List<FoundFile>> walk =
        workers.submit(new Walk(index.table().roots(), index.path(), problems));
    answerAll(workers);
    List<Candidate> candidates = new ArrayList<>();
    Matching matching = new Matching(index);
    for (FoundFile found : Workers.get(walk)) {
      Matching.Known known = matching.known(found);
      if (known != null) {
        add(candidates, found.path(), known.file(), found.size(), known.grown());
        if (known.grown()) {
          stale.add(found.path());
        }
      } else {
        stale.add(found.path());
        addWhole(candidates, found);
      }
    }
    return candidates;
  }

  /** Lists the files that there are now. */
  private record Walk(List<Path> roots, Path index, Consumer<String> problems)
      implements Callable<List<FoundFile>> {
    @Override
    public List<FoundFile> call() {
      return FileWalk.files(roots, index, problems);
    }
  }

  /** Queries filters on another thread. */
  private final class Answering implements Runnable {
    @Override
    public void run() {
      answer();
    }
  }

  /** Queries all filters, on this thread and another. */
  private void answerAll(ExecutorService workers) {
    Future<?> answering = workers.submit(new Answering());
    answer();
    Workers.get(answering);
  }

  /**
   * Queries filters that no other thread has taken, a run of blocks at a time, until none is left.
   */
  private void answer() {
    List<IndexedBlock> blocks = index.table().blocks();
    for (int from = next.getAndAdd(RUN); from < answers.length; from = next.getAndAdd(RUN)) {
      int to = Math.min(answers.length, from + RUN);
      for (int i = from; i < to; i++) {
        answers[i] = mightHold(blocks.get(i));
      }
    }
  }

  /** Adds a file of {@code size} bytes; what the index says of its length may be untrue. */
  private void add(
      List<Candidate> candidates, Path path, IndexedFile file, long size, boolean grown) {
    List<Part> parts = new ArrayList<>();
    boolean packed = file.how() == How.PACKED;
    int last = file.firstBlock() + file.blocks() - 1;
    for (int i = file.firstBlock(); i <= last; i++) {
      IndexedBlock block = index.table().blocks().get(i);
      long to = file.how() == How.GROUPED ? file.size() : block.from() + block.length();
      if (grown && i == last) {
        addSplit(parts, block.from(), size, block.lines());
      } else if (answers[i] && packed) {
        parts.add(new Part(block.from(), to, block.lines()));
      } else if (answers[i]) {
        addSplit(parts, block.from(), Math.min(to, size), block.lines());
      }
    }
    if (!parts.isEmpty()) {
      candidates.add(new Candidate(path, parts, packed));
    }
  }

  private void addWhole(List<Candidate> candidates, FoundFile found) {
    Records records = new Records(index.table().options().rule(), Octets.name(found.path()));
    try (Pieces pieces = new Pieces(found, records, 1 << 16, bytes -> {})) {
      if (pieces.isPacked()) {
        candidates.add(new Candidate(found.path(), List.of(new Part(0, Long.MAX_VALUE, 0)), true));
        return;
      }
      pieces.next();
      if (!index.table().options().text() && Pieces.isBinary(pieces.bytes(), pieces.length())) {
        return;
      }
      List<Part> parts = new ArrayList<>();
      addSplit(parts, 0, found.size(), 0);
      if (!parts.isEmpty()) {
        candidates.add(new Candidate(found.path(), parts, false));
      }
    } catch (UnreadFormatException e) {
      return; // as the index leaves it out
    } catch (IOException e) {
      problems.accept(Problem.with(found.path(), e).getMessage());
    }
  }

  /** Adds a range, split into parts that several threads can read. */
  private void addSplit(List<Part> parts, long from, long to, long line) {
    if (index.table().options().rule().isOfRows()) {
      if (from < to) {
        parts.add(
            new Part(
                from, to, line)); // rows are known only from a row's start, lines of JSON by number
      }
      return;
    }
    for (long at = from; at < to; at += MAX_PART) {
      parts.add(new Part(at, Math.min(to, at + MAX_PART), at == from ? line : -1));
    }
  }

  private boolean mightHold(IndexedBlock block) {
    return !block.isFiltered() || passes(index.filter(block));
  }

  private boolean passes(RibbonFilter.Embedded filter) {
    for (KeyRule.Wanted key : keys) {
      boolean passes = true;
      for (long hash : key.hashes()) {
        passes = passes && filter.mightContainHash(hash);
      }
      if (passes != all) {
        return passes;
      }
    }
    return all;
  }

  /** The files that differ from their state in the index. */
  List<Path> stale() {
    return stale;
  }
}
