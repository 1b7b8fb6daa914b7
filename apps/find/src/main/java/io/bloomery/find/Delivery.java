package io.bloomery.find;

import io.bloomery.find.Candidates.Candidate;
import io.bloomery.find.context.Extents;
import io.bloomery.find.context.FileLines;
import io.bloomery.find.context.Surroundings;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Delivers what was found in the parts of one file, in their order; lines around matches of an
 * uncompressed file are read here. Used by one thread.
 */
final class Delivery implements Surroundings.Sink, AutoCloseable {

  /**
   * A line that was found.
   *
   * @param match whether it matches; otherwise it is a line around a match
   * @param before the number of lines before it in its part
   * @param start the offset of its first byte in the content
   * @param next the offset after its line end
   * @param line the line without its line end
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Hit(boolean match, long before, long start, long next, byte[] line) {}

  /** What was found in a part, and the number of lines that end in it. */
  record Found(List<Hit> hits, long lines) {}

  private final Candidate file;
  private final Matches matches;
  private final Consumer<String> problems;
  private final LongConsumer progress;
  private final Extents read = new Extents();
  private final AtomicBoolean done; // whether enough of the file was found
  private final @Nullable Surroundings around; // null if no lines around matches are read here
  private @Nullable FileLines content; // null before the first match
  private long lines;

  /** Starts with a file. */
  Delivery(
      Candidate file,
      SearchOptions options,
      Matches matches,
      Consumer<String> problems,
      LongConsumer progress) {
    this.file = file;
    this.matches = matches;
    this.problems = problems;
    this.progress = progress;
    this.done = new AtomicBoolean();
    for (Candidates.Part part : file.parts()) { // which are read in any case
      read.add(part.from(), part.to());
    }
    this.around =
        options.isWithContext() && !file.packed()
            ? new Surroundings(options.before(), options.after(), this)
            : null;
  }

  /** Whether enough of the file was found. */
  AtomicBoolean done() {
    return done;
  }

  /** Delivers what was found in the next part. */
  void take(Candidates.Part part, Found found) {
    lines = part.line() >= 0 ? part.line() : lines;
    for (int i = 0; i < found.hits.size() && !done.get(); i++) {
      Hit hit = found.hits.get(i);
      long number = lines + hit.before + 1;
      if (around == null) {
        take(hit.match, number, hit.line);
      } else {
        takeAround(around, number, hit);
      }
    }
    lines += found.lines;
  }

  private void takeAround(Surroundings surroundings, long number, Hit hit) {
    try {
      FileLines known = content;
      if (known == null) {
        known =
            new FileLines(
                Pieces.open(file.path()), (from, to) -> progress.accept(read.add(from, to)));
        content = known;
      }
      known.check(hit.start, hit.line);
      surroundings.match(known, number, hit.start, hit.next, hit.line);
    } catch (IOException e) {
      problems.accept(Problem.with(file.path(), e).getMessage());
      take(true, number, hit.line);
    }
  }

  @Override
  public void take(boolean match, long number, byte[] line) {
    if (!match) {
      matches.context(file.path(), number, line);
    } else if (!matches.line(file.path(), number, line)) {
      done.set(true);
    }
  }

  /** Ends with the file; returns false to stop the search. */
  boolean end() {
    if (around != null && content != null) {
      try {
        around.advance(content, Long.MAX_VALUE);
      } catch (IOException e) {
        problems.accept(Problem.with(file.path(), e).getMessage());
      }
    }
    return matches.end(file.path());
  }

  @Override
  public void close() {
    if (content != null) {
      try {
        content.close();
      } catch (IOException e) {
        problems.accept(Problem.with(file.path(), e).getMessage());
      }
    }
  }
}
