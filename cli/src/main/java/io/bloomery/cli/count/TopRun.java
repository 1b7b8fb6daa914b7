package io.bloomery.cli.count;

import static java.util.Arrays.compareUnsigned;

import io.bloomery.FrequencyFilter;
import io.bloomery.FrequencyFilter.CountError;
import io.bloomery.frequency.HeavyHitters;
import io.bloomery.frequency.HeavyHitters.Counted;
import io.bloomery.hash.Hasher;
import io.bloomery.tools.spill.CountedKeys;
import io.bloomery.tools.spill.KeyTable;
import io.bloomery.tools.spill.Rereading;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The work of {@code bloom top}: finds the most frequent keys, and how certain the result is. An
 * exact run counts the kept keys again; if a key that was not kept may belong in the list, it
 * counts all keys.
 *
 * <p>The following is certain as long as no counter is saturated. Let c be the lowest count kept
 * when all places are taken, otherwise 0, and o the highest count among the kept keys that are not
 * listed. A key that is not listed occurred at most max(c, o) times:
 *
 * <ul>
 *   <li>If it is kept, its count is at most o, and counts are never too low.
 *   <li>If it is not, it was rejected or evicted after its last occurrence, because its count,
 *       again never too low, was at most the lowest one kept at that time. The lowest count kept
 *       never falls, because a key replaces another only with a higher count.
 * </ul>
 *
 * <p>A listed key occurred at least as often as it was added while it was kept, and at most as
 * often as its count says.
 */
final class TopRun {

  private final FrequencyFilter filter;
  private final Hasher hasher;
  private final HeavyHitters<byte[]> heavy;
  private final int wanted;
  private final long least;
  private List<Counted<byte[]>> top = List.of();
  private boolean proven;
  private boolean ambiguous; // another key has the hash of a kept one
  private long completeFrom;

  /** Finds up to {@code wanted} keys that occur {@code least} times or more. */
  TopRun(FrequencyFilter filter, int capacity, int wanted, long least) {
    this.filter = filter;
    this.hasher = filter.hasher();
    this.heavy = HeavyHitters.ofBytes(filter, capacity);
    this.wanted = wanted;
    this.least = least;
  }

  /** Reads all keys two or three times and finds the most frequent by their exact counts. */
  void runExactly(Rereading input, long memory) {
    read(input, true);
    conclude(recounted(heavy.top(Integer.MAX_VALUE), input));
    if (proven) {
      return;
    }
    try (CountedKeys all = new CountedKeys(memory, hasher)) {
      input.again((bytes, offset, length, hash) -> all.add(bytes, offset, length, hash, 1));
      top = mostFrequent(all);
    }
    proven = true;
    completeFrom = isAll() ? least : top.get(top.size() - 1).count() + 1;
  }

  private List<Counted<byte[]>> mostFrequent(CountedKeys all) {
    Comparator<Counted<byte[]>> byCount = Comparator.comparingLong(Counted::count);
    PriorityQueue<Counted<byte[]>> best =
        new PriorityQueue<>(byCount.thenComparing(Counted::key, (a, b) -> compareUnsigned(b, a)));
    all.forEach(
        CountedKeys.Order.KEY,
        (bytes, offset, length, count) -> {
          boolean full = best.size() == wanted;
          if (count >= least && (!full || count > best.peek().count())) {
            if (full) {
              best.remove();
            }
            byte[] key = Arrays.copyOfRange(bytes, offset, offset + length);
            best.add(new Counted<>(key, count, count));
          }
        });
    List<Counted<byte[]>> listed = new ArrayList<>();
    while (!best.isEmpty()) {
      listed.add(best.remove());
    }
    Collections.reverse(listed);
    return listed;
  }

  /** Reads all keys, once. */
  void read(Rereading input) {
    read(input, false);
  }

  private void read(Rereading input, boolean again) {
    input.first(
        (bytes, offset, length, hash) ->
            heavy.addHash(hash, 1, () -> Arrays.copyOfRange(bytes, offset, offset + length)),
        again);
  }

  /** Finds the most frequent of the keys that were read, by upper bounds of their counts. */
  void conclude() {
    conclude(heavy.top(Integer.MAX_VALUE));
  }

  private void conclude(List<Counted<byte[]>> kept) {
    top = kept.stream().filter(each -> each.count() >= least).limit(wanted).toList();
    completeFrom = heavy.completeFrom();
    for (Counted<byte[]> each : kept.subList(top.size(), kept.size())) {
      completeFrom = Math.max(completeFrom, each.count() + 1);
    }
    long certain = top.stream().mapToLong(Counted::least).min().orElse(Long.MAX_VALUE);
    proven =
        !ambiguous
            && !isSaturated()
            && (isAll() ? completeFrom <= least : completeFrom - 1 <= certain);
  }

  private List<Counted<byte[]>> recounted(List<Counted<byte[]>> kept, Rereading input) {
    KeyTable table = new KeyTable();
    for (Counted<byte[]> each : kept) {
      table.add(each.key(), 0, each.key().length, hasher.hash(each.key()));
    }
    input.again(
        (bytes, offset, length, hash) -> {
          int index = table.find(bytes, offset, length, hash);
          if (index >= 0) {
            table.value(index, table.value(index) + 1);
          }
          ambiguous |= index == KeyTable.HASH_TAKEN;
        });
    List<Counted<byte[]>> exact = new ArrayList<>();
    for (int i = 0; i < kept.size(); i++) {
      exact.add(new Counted<>(kept.get(i).key(), table.value(i), table.value(i)));
    }
    exact.sort(Comparator.comparingLong(each -> -each.count()));
    return exact;
  }

  /** The keys, most frequent first. */
  List<Counted<byte[]>> top() {
    return top;
  }

  /** Whether fewer keys were found than wanted, so that none was cut off. */
  boolean isAll() {
    return top.size() < wanted;
  }

  /** Whether certainly no unlisted key occurred more often than a listed one. */
  boolean isProven() {
    return proven;
  }

  /** Whether a counter has reached its limit, so that counts may be too low. */
  boolean isSaturated() {
    return filter.countError().map(CountError::saturatedCounters).orElse(0L) > 0;
  }

  /** The true count from which every key is listed, unless counters are saturated. */
  long completeFrom() {
    return completeFrom;
  }
}
