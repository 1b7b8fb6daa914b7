package io.bloomery.cli.dedup;

import io.bloomery.FrameHeader.Description;
import io.bloomery.cli.file.FilterFile;
import io.bloomery.cli.file.KeyFileOption;
import io.bloomery.cli.option.RecordOptions;
import io.bloomery.cli.option.TypeOption;
import io.bloomery.hash.Hasher;
import io.bloomery.tools.file.FilterLock;
import io.bloomery.tools.file.Saving;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import java.io.FileDescriptor;
import java.io.SyncFailedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The lines of earlier runs: a growing filter, in a file that also records what its keys are. One
 * process holds it at a time, from before it is read until after it is saved.
 *
 * <p>It is saved as a whole, each time after the lines in it were written. So a run that ends
 * early, for whatever reason, leaves the state of its last save: the next run prints the lines
 * since then again, and none is lost.
 */
final class SeenState implements AutoCloseable {

  /**
   * The field of the description that records the format of lines; only files of this command have
   * it.
   */
  private static final String RECORDS = "dedup records";

  private final Path file;
  private final FilterLock lock;
  private final Description description;
  private final Hasher hasher;
  private final @Nullable FilterSeen earlier;
  private @Nullable FilterSeen seen;
  private long saved; // of the new lines

  private SeenState(
      Path file,
      FilterLock lock,
      Description description,
      Hasher hasher,
      @Nullable FilterSeen earlier) {
    this.file = file;
    this.lock = lock;
    this.description = description;
    this.hasher = hasher;
    this.earlier = earlier;
    this.seen = earlier;
  }

  /**
   * Opens a file whose lock is held, or starts a new one; fails if the file was made with other
   * options.
   */
  static SeenState open(
      FilterLock lock,
      Path file,
      RecordOptions records,
      TypeOption typing,
      @Nullable Double rate,
      KeyFileOption key) {
    Description wanted = description(records, typing);
    if (!Files.exists(file)) {
      Hasher hasher = key.isGiven() ? key.newHasher() : Hasher.xxh3(new SecureRandom().nextLong());
      return new SeenState(file, lock, wanted, hasher, null);
    }
    FilterFile stored = FilterFile.read(file, false);
    Description present = stored.header().description();
    if (!present.facts().containsKey(RECORDS)) {
      throw new Problem(
          Octets.name(file)
              + ": is not a state of bloom dedup; name another file, which is then created");
    }
    requireSame(file, "--type", Description.KEY_TYPE, present, wanted);
    requireSame(file, "--trim", TypeOption.BLANKS, present, wanted);
    requireSame(file, "--ignore-case", TypeOption.CASE, present, wanted);
    requireSame(file, "--column", Description.COLUMN, present, wanted);
    requireSame(file, "records", RECORDS, present, wanted);
    FilterSeen seen = FilterSeen.of(stored, key);
    if (rate != null && rate != seen.rate()) {
      throw new Problem(
          "%s: made with --rate %s, which holds for all runs; leave out --rate"
              .formatted(Octets.name(file), seen.rate()));
    }
    return new SeenState(file, lock, present, seen.hasher(), seen);
  }

  private static Description description(RecordOptions records, TypeOption typing) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put(Description.KEY_TYPE, typing.name());
    if (!records.columns().isEmpty()) {
      facts.put(Description.COLUMN, String.join(",", records.columns()));
    }
    facts.put(RECORDS, records.form());
    try {
      return typing.stamp(new Description(facts));
    } catch (IllegalArgumentException e) {
      throw new Problem("--state cannot store the names of --column: " + e.getMessage());
    }
  }

  private static void requireSame(
      Path file, String option, String fact, Description present, Description wanted) {
    Object there = present.facts().getOrDefault(fact, "none");
    Object here = wanted.facts().getOrDefault(fact, "none");
    if (!there.equals(here)) {
      throw new Problem(
          "%s: made with %s %s, not %s; give the same options or another file"
              .formatted(Octets.name(file), option, there, here));
    }
  }

  /** The hasher of earlier runs, or that of a new file. */
  Hasher hasher() {
    return hasher;
  }

  /** The lines of earlier runs, or a new filter for an expected number at a rate. */
  FilterSeen seen(long expected, double rate) {
    if (seen == null) {
      seen = new FilterSeen(FilterSeen.growing(expected, rate, hasher));
    }
    return seen;
  }

  /** The rate of earlier runs, or the given one. */
  double rate(double otherwise) {
    return earlier == null ? otherwise : earlier.rate();
  }

  /**
   * Saves the lines seen, after all lines were written. If standard output is a file it is first
   * forced to disk, so that a power cut cannot lose lines; a pipe needs no such step.
   */
  void save() {
    FilterSeen present = seen;
    if (present == null || present.fresh() == saved) {
      return;
    }
    try {
      FileDescriptor.out.sync();
    } catch (SyncFailedException e) {
      // standard output is not a file
    }
    Saving.save(target -> present.write(description, target), file);
    saved = present.fresh();
  }

  /** Runs {@code work} if the process is ended, while no other process can have the file. */
  void atShutdown(Runnable work) {
    lock.atShutdown(work);
  }

  /** The number of distinct lines that earlier runs have seen. */
  long earlierLines() {
    return earlier == null ? 0 : earlier.before();
  }

  /** The file and the number of lines that were in it, for the summary. */
  String text() {
    return "%s, %s of earlier runs"
        .formatted(Octets.name(file), Text.count(earlierLines(), "line"));
  }

  @Override
  public void close() {
    lock.close();
  }
}
