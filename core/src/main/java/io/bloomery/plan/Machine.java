package io.bloomery.plan;

import io.bloomery.internal.check.Arguments;
import java.util.List;
import java.util.Objects;

/**
 * How fast a machine answers a query, as far as the planner needs to know:
 *
 * <pre>
 * nanoseconds = call + word · words + line(size) · (1 + overlap · (cache lines − 1))
 * </pre>
 *
 * <p>{@code line(size)} is the time of the first cache line of a query in a table of that size. It
 * is interpolated between the {@linkplain #tables() tables} that were measured, linearly over the
 * logarithm of their size, and constant outside them. Immutable.
 *
 * @param callNanos what every query takes, without hashing of the key
 * @param wordNanos what each 64-bit word takes that is computed and tested
 * @param overlap what each further cache line takes, as a share of the first: lines are fetched at
 *     the same time; 0 … 1
 * @param tables the measured tables, the smallest first, each with slower lines than the one before
 */
public record Machine(double callNanos, double wordNanos, double overlap, List<Table> tables) {

  /**
   * A table that was measured.
   *
   * @param bytes its size, 1 or more
   * @param lineNanos what the first cache line of a query takes, 0 or more
   */
  public record Table(long bytes, double lineNanos) {
    public Table {
      Arguments.inRange("bytes", bytes, 1, Shape.MAX_BITS / Byte.SIZE);
      requireNanos("lineNanos", lineNanos);
    }
  }

  /**
   * The figures of docs/benchmarks.md: an AMD EPYC with caches of 32 KiB, 512 KiB and 32 MiB, of
   * which the last is shared.
   */
  public static final Machine BUILT_IN =
      new Machine(
          2,
          2,
          0.4,
          List.of(
              new Table(32L << 10, 0.5),
              new Table(512L << 10, 1.5),
              new Table(32L << 20, 24),
              new Table(256L << 20, 64)));

  public Machine {
    requireNanos("callNanos", callNanos);
    requireNanos("wordNanos", wordNanos);
    if (callNanos + wordNanos <= 0) {
      throw new IllegalArgumentException("callNanos and wordNanos are 0: a query takes time");
    }
    if (!(overlap >= 0 && overlap <= 1)) {
      throw new IllegalArgumentException("overlap = " + overlap + " is not in 0 … 1");
    }
    tables = List.copyOf(tables);
    if (tables.isEmpty()) {
      throw new IllegalArgumentException("tables are empty");
    }
    for (int i = 1; i < tables.size(); i++) {
      Table smaller = tables.get(i - 1);
      Table larger = tables.get(i);
      if (larger.bytes <= smaller.bytes || larger.lineNanos < smaller.lineNanos) {
        throw new IllegalArgumentException(
            "tables do not rise in size and time: " + smaller + ", " + larger);
      }
    }
  }

  private static void requireNanos(String name, double nanos) {
    if (!(nanos >= 0 && nanos <= 1e6)) {
      throw new IllegalArgumentException(name + " = " + nanos + " is not in 0 … 1000000");
    }
  }

  /**
   * How long a query takes.
   *
   * @param bits the size of the table
   * @param cacheLines lines that it touches, 1 or more
   * @param words 64-bit words that it reads
   * @return nanoseconds
   */
  public double queryNanos(long bits, int cacheLines, int words) {
    return callNanos + wordNanos * words + lineNanos(bits) * (1 + overlap * (cacheLines - 1));
  }

  /**
   * How long the first cache line of a query takes.
   *
   * @param bits the size of the table
   * @return nanoseconds
   */
  public double lineNanos(long bits) {
    double bytes = (double) bits / Byte.SIZE;
    Table below = tables.get(0);
    for (Table above : tables) {
      if (bytes <= above.bytes) {
        if (above.equals(below)) {
          return above.lineNanos;
        }
        double share = Math.log(bytes / below.bytes) / Math.log((double) above.bytes / below.bytes);
        return below.lineNanos + share * (above.lineNanos - below.lineNanos);
      }
      below = above;
    }
    return below.lineNanos;
  }

  /**
   * The same figures with others of its tables.
   *
   * @param tables the measured tables, the smallest first
   * @return a changed copy
   */
  public Machine withTables(List<Table> tables) {
    return new Machine(callNanos, wordNanos, overlap, Objects.requireNonNull(tables, "tables"));
  }
}
