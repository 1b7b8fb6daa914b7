package io.bloomery.cli.remove;

import io.bloomery.Filter;
import io.bloomery.FrequencyFilter;
import io.bloomery.RemovableFilter;
import io.bloomery.Storable;
import io.bloomery.cli.file.OpenFilter;
import io.bloomery.cli.option.Alternatives;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.BlockSink;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.spill.HashStore;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * The work of {@code bloom remove}. All keys are read before the first is removed. Each distinct
 * key is removed once, as it was added; a kind that counts removes each repetition.
 */
final class RemoveRun implements BlockSink, AutoCloseable {

  private final RemovableFilter filter;
  private final Storable storable;
  private final Reading reading;
  private final HashStore hashes;
  private long keys;
  private long skipped;
  private long removed;
  private long absent;
  private long refused;
  private long stillPresent;
  private boolean refrained;

  private RemoveRun(RemovableFilter filter, Storable storable, Reading reading) {
    this.filter = filter;
    this.storable = storable;
    this.reading = reading;
    this.hashes = HashStore.temporary(filter instanceof FrequencyFilter);
  }

  /** Removes keys from a filter; fails if it has no deletes. */
  static RemoveRun from(Path file, OpenFilter opened, Function<OpenFilter, Reading> reading) {
    Filter filter = opened.filter();
    Filter deletes =
        filter instanceof FrequencyFilter counts ? counts.removable().orElse(null) : filter;
    if (deletes instanceof RemovableFilter removable && filter instanceof Storable storable) {
      return new RemoveRun(removable, storable, reading.apply(opened));
    }
    String able = Alternatives.to(filter, RemovableFilter.class);
    String what =
        filter instanceof ForeignFilter foreign
            ? "a filter of format " + foreign.format().name()
            : "kind " + ((Storable) filter).kind().name();
    throw new Problem(
        "%s: %s has no deletes; build one that has with bloom build --deletes, or of kind %s"
            .formatted(Octets.name(file), what, able));
  }

  RemovableFilter filter() {
    return filter;
  }

  /** The name of the filter's kind. */
  String kind() {
    return storable.kind().name();
  }

  /** Takes a key given on the command line. */
  void key(String text) {
    byte[] typed = Octets.bytes(text);
    byte[] bytes = reading.form().of(typed, 0, typed.length);
    keys++;
    long[] hash = {reading.keys().hash(filter.hasher(), bytes, 0, bytes.length)};
    hashes.add(hash, 0, 1);
  }

  /** Takes all keys of an input. */
  void read(KeyInput input, Progress progress) {
    input.read(reading, this, progress);
  }

  @Override
  public boolean take(Block block) {
    hashes.add(block.hashes(), 0, block.count());
    keys += block.count();
    skipped += block.skipped();
    return true;
  }

  /** Removes all keys, or with {@code checkFirst} none if one of them is certainly absent. */
  void finish(boolean checkFirst) {
    if (checkFirst) {
      hashes.forEach(this::countAbsent);
      refrained = absent > 0;
    }
    if (!refrained) {
      hashes.forEach(this::remove);
      hashes.forEach(this::countPresent);
    }
  }

  private void countAbsent(long[] some, int from, int to) {
    for (int i = from; i < to; i++) {
      absent += filter.mightContainHash(some[i]) ? 0 : 1;
    }
  }

  private void remove(long[] some, int from, int to) {
    for (int i = from; i < to; i++) {
      if (filter.removeHash(some[i])) {
        removed++;
      } else if (filter.mightContainHash(some[i])) {
        refused++;
      } else {
        absent++;
      }
    }
  }

  private void countPresent(long[] sorted, int from, int to) {
    for (int i = from; i < to; i++) {
      boolean first = i == from || sorted[i] != sorted[i - 1];
      stillPresent += first && filter.mightContainHash(sorted[i]) ? 1 : 0;
    }
  }

  /** The number of keys read. */
  long keys() {
    return keys;
  }

  /** The number of rows that could not be read. */
  long badRows() {
    return reading.badRows().count();
  }

  /** The number of empty keys skipped. */
  long skipped() {
    return skipped;
  }

  /** The number of keys removed, as far as the filter can tell. */
  long removed() {
    return removed;
  }

  /** The number of keys that were certainly not in the filter. */
  long absent() {
    return absent;
  }

  /** The number of keys that the filter holds and cannot remove. */
  long refused() {
    return refused;
  }

  /** The number of distinct keys that the filter still reports present. */
  long stillPresent() {
    return stillPresent;
  }

  /** Whether nothing was removed because a key was certainly absent. */
  boolean hasRefrained() {
    return refrained;
  }

  @Override
  public void close() {
    hashes.close();
  }
}
