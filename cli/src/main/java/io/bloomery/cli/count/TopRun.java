package io.bloomery.cli.count;

import io.bloomery.FrequencyFilter;
import io.bloomery.cli.spill.KeyTable;
import io.bloomery.cli.spill.Rereading;
import io.bloomery.frequency.HeavyHitters;
import io.bloomery.frequency.HeavyHitters.Counted;
import io.bloomery.hash.Hasher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The work of {@code bloom top}: which keys came most often, and how sure that is. */
final class TopRun {

  private final Hasher hasher;
  private final HeavyHitters<byte[]> heavy;
  private final int wanted;
  private final long least;
  private List<Counted<byte[]>> top = List.of();
  private boolean proven;

  /** Finds up to {@code wanted} keys that came {@code least} times or more. */
  TopRun(FrequencyFilter filter, int capacity, int wanted, long least) {
    this.hasher = filter.hasher();
    this.heavy = HeavyHitters.ofBytes(filter, capacity);
    this.wanted = wanted;
    this.least = least;
  }

  /** Reads all keys, and once more to count exactly those that were kept. */
  void run(Rereading input, boolean exact) {
    input.first(
        (bytes, offset, length, hash) ->
            heavy.addHash(hash, 1, () -> Arrays.copyOfRange(bytes, offset, offset + length)),
        exact);
    List<Counted<byte[]>> kept = heavy.top(Integer.MAX_VALUE);
    kept = exact ? recounted(kept, input) : kept;
    top = kept.stream().filter(each -> each.count() >= least).limit(wanted).toList();
    proven = isProven(kept);
  }

  private List<Counted<byte[]>> recounted(List<Counted<byte[]>> kept, Rereading input) {
    KeyTable table = new KeyTable();
    for (Counted<byte[]> each : kept) {
      table.add(each.key(), 0, each.key().length, hasher.hash(each.key()));
    }
    input.again(new Counts.OfSome(table)::add);
    List<Counted<byte[]>> exact = new ArrayList<>();
    for (int i = 0; i < kept.size(); i++) {
      exact.add(new Counted<>(kept.get(i).key(), table.value(i), table.value(i)));
    }
    exact.sort(Comparator.comparingLong(each -> -each.count()));
    return exact;
  }

  /** Whether no key that is not listed can have come more often than one that is. */
  private boolean isProven(List<Counted<byte[]>> kept) {
    if (top.size() < wanted) { // all of at least so many are listed, if they were kept
      return heavy.completeFrom() <= least;
    }
    long others = heavy.completeFrom() - 1;
    for (Counted<byte[]> each : kept.subList(top.size(), kept.size())) {
      others = Math.max(others, each.count());
    }
    long certain = top.stream().mapToLong(Counted::least).min().orElse(Long.MAX_VALUE);
    return certain >= others;
  }

  /** The keys, the most frequent first. */
  List<Counted<byte[]>> top() {
    return top;
  }

  /** Whether no key that is not listed can belong there. */
  boolean isProven() {
    return proven;
  }

  /** From which count on no key is missing among those that were kept. */
  long completeFrom() {
    return heavy.completeFrom();
  }
}
