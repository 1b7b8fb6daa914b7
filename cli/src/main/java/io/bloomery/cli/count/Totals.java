package io.bloomery.cli.count;

import io.bloomery.FrequencyFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.tools.input.KeyPrinter;
import io.bloomery.tools.spill.CountedKeys;
import io.bloomery.tools.spill.Rereading;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The work of {@code bloom count} without keys to look up: prints each distinct key once, preceded
 * by its exact count, in the format of {@code uniq -c}, whatever the order of the input. With a
 * filter that holds counts of earlier inputs it prints the sums, with their certainty.
 */
final class Totals {

  private static final int WIDTH = 7;

  private final CountedKeys.Order order;
  private final long atLeast;
  private final long memory;
  private final Hasher hasher;
  private final @Nullable FrequencyFilter filter;
  private final Counts.@Nullable ByFilter sums;
  private long distinct;
  private long printed;
  private long spilled;

  /**
   * Prints counts of {@code atLeast} or more; uses about {@code memory} bytes.
   *
   * @param hasher hashes the keys of the table; should be unknown to whoever chooses them
   * @param filter counts the same keys, by hashes of its own; null if there is none
   * @param hasEarlier whether the filter holds counts of earlier inputs, which are included in
   *     those printed
   */
  Totals(
      CountedKeys.Order order,
      long atLeast,
      long memory,
      Hasher hasher,
      @Nullable FrequencyFilter filter,
      boolean hasEarlier) {
    this.order = order;
    this.atLeast = atLeast;
    this.memory = memory;
    this.hasher = hasher;
    this.filter = filter;
    this.sums = filter != null && hasEarlier ? new Counts.ByFilter(filter) : null;
  }

  /** Counts all keys and prints them. */
  void print(Rereading input, KeyPrinter printer) {
    list(
        input,
        (bytes, offset, length, count) ->
            printer.print(
                sums == null ? aligned(count) : sums.text(count) + "\t", bytes, offset, length));
  }

  private static String aligned(long count) {
    String number = Long.toString(count);
    return " ".repeat(Math.max(0, WIDTH - number.length())) + number + " ";
  }

  /** Counts all keys and prints each with its total as a JSON object on a line of its own. */
  void printJson(Rereading input, KeyPrinter printer) {
    list(
        input,
        (bytes, offset, length, count) -> {
          Map<String, Object> entry = printer.json(bytes, offset, length);
          entry.put("count", count);
          printer.printJson(entry);
        });
  }

  private void list(Rereading input, CountedKeys.Visitor visitor) {
    try (CountedKeys counted = new CountedKeys(memory, hasher)) {
      input.first(
          (bytes, offset, length, hash) -> count(counted, bytes, offset, length, hash), false);
      counted.forEach(
          order,
          (bytes, offset, length, count) -> {
            distinct++;
            long sum = sums == null ? count : sum(sums, bytes, offset, length);
            if (sum >= atLeast) {
              printed++;
              visitor.visit(bytes, offset, length, sum);
            }
          });
      spilled = counted.spilledBytes();
    }
  }

  private void count(CountedKeys counted, byte[] bytes, int offset, int length, long hash) {
    if (filter == null) {
      counted.add(bytes, offset, length, hash, 1);
    } else {
      filter.addHash(hash, 1);
      counted.add(bytes, offset, length, hasher.hash(bytes, offset, length), 1);
    }
  }

  private static long sum(Counts.ByFilter sums, byte[] bytes, int offset, int length) {
    long hash = sums.filter().hasher().hash(bytes, offset, length);
    return sums.count(bytes, offset, length, hash);
  }

  /** The number of distinct keys. */
  long distinct() {
    return distinct;
  }

  /** The number of keys printed. */
  long printed() {
    return printed;
  }

  /** The number of bytes written to temporary files. */
  long spilledBytes() {
    return spilled;
  }
}
