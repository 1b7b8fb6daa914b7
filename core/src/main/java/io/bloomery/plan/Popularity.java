package io.bloomery.plan;

import io.bloomery.internal.check.Arguments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How queries are distributed over keys: groups of keys that are queried about equally often, the
 * most important group first, and the share of the queries for all other keys. It does not record
 * which keys these are. Immutable.
 *
 * @see Needs#withPopularity
 */
public final class Popularity {

  /**
   * Keys of about the same importance.
   *
   * @param keyCount how many there are, 1 or more
   * @param queries the share of all queries that are for one of them, 0 … 1
   * @param likelihood how likely it is that one of them is in the set, 0 … 1; NaN if all keys are
   *     equally likely
   */
  public record Group(long keyCount, double queries, double likelihood) {
    public Group {
      Arguments.inRange("keyCount", keyCount, 1, Shape.MAX_LOAD);
      Arguments.inRange("queries", queries, 0, 1);
      if (!Double.isNaN(likelihood)) {
        Arguments.inRange("likelihood", likelihood, 0, 1);
      }
    }
  }

  /** The most groups. */
  public static final int MAX_GROUPS = 63;

  private static final double ROUNDING = 1e-9;
  private static final double NEXT_RANK = 1.55;

  /** From here on sums over ranks are integrals, with an error below 1e-9. */
  private static final long SUMMED = 2000;

  private final String name;
  private final List<Group> groups;
  private final double others;

  private Popularity(String name, List<Group> groups) {
    this.name = name;
    this.groups = List.copyOf(groups);
    double known = groups.stream().mapToDouble(Group::queries).sum();
    Arguments.inRange("queries", known, 0, 1 + ROUNDING);
    this.others = Math.max(0, 1 - known);
  }

  /**
   * Zipf's law: the key of rank i is queried in proportion to {@code i^-exponent}. All keys are
   * equally likely to be in the set.
   *
   * @param keys how many keys are queried, 1 … 2^53
   * @param exponent the exponent, 0 … 10; 0 if all keys are equally popular
   * @return the popularity
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static Popularity zipf(long keys, double exponent) {
    Arguments.inRange("keys", keys, 1, Shape.MAX_LOAD);
    Arguments.inRange("exponent", exponent, 0, 10);
    long[] ends = ends(keys);
    double[] sums = new double[ends.length];
    for (int i = 0; i < ends.length; i++) {
      sums[i] = sum(i == 0 ? 1 : ends[i - 1] + 1, ends[i], exponent);
    }
    double all = Arrays.stream(sums).sum();
    List<Group> groups = new ArrayList<>();
    for (int i = 0; i < ends.length; i++) {
      long start = i == 0 ? 0 : ends[i - 1];
      groups.add(new Group(ends[i] - start, sums[i] / all, Double.NaN));
    }
    return new Popularity(
        String.format(Locale.ROOT, "Zipf's law with exponent %s over %,d keys", exponent, keys),
        groups);
  }

  /**
   * Two classes: some keys are hot, all others are equally popular.
   *
   * @param keys how many keys are hot, 1 … 2^53
   * @param queries the share of all queries that are for them, 0 … 1
   * @param likelihood how likely it is that one of them is in the set, 0 … 1
   * @return the popularity
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static Popularity hot(long keys, double queries, double likelihood) {
    return new Popularity(
        String.format(Locale.ROOT, "%.3g of the queries for %,d keys", queries, keys),
        List.of(new Group(keys, queries, likelihood)));
  }

  /**
   * Given groups.
   *
   * @param groups at most 63, the most important first; the remaining queries are for other keys
   * @return the popularity
   * @throws IllegalArgumentException if there are more groups, or if the shares of queries add up
   *     to more than 1
   */
  public static Popularity of(List<Group> groups) {
    Arguments.inRange("groups", groups.size(), 0, MAX_GROUPS);
    long keys = groups.stream().mapToLong(Group::keyCount).sum();
    return new Popularity(String.format(Locale.ROOT, "the weights of %,d keys", keys), groups);
  }

  /**
   * The boundaries of groups of ranked keys, chosen so that the keys of a group differ little in
   * rank and {@link #MAX_GROUPS} suffice: 1, 2, 4, 7, 11, …, and the number of keys itself.
   *
   * @param keys the number of keys, 0 … 2^53
   * @return the last rank of each group, counted from 1
   */
  public static long[] ends(long keys) {
    Arguments.inRange("keys", keys, 0, Shape.MAX_LOAD);
    double factor = Math.max(NEXT_RANK, Math.pow((double) keys, 1.0 / (MAX_GROUPS - 3)));
    List<Long> ends = new ArrayList<>();
    for (long end = 1; end < keys; end = Math.max(end + 1, (long) Math.ceil(end * factor))) {
      ends.add(end);
    }
    if (keys > 0) {
      ends.add(keys);
    }
    return ends.stream().mapToLong(Long::longValue).toArray();
  }

  /** Σ i^-s for i = from … to; beyond the first ranks by the midpoint rule. */
  private static double sum(long from, long to, double s) {
    double sum = 0;
    long exact = Math.min(to, SUMMED);
    for (long i = from; i <= exact; i++) {
      sum += Math.pow((double) i, -s);
    }
    if (to > exact) {
      double a = Math.max(from, exact + 1) - 0.5;
      double b = to + 0.5;
      sum +=
          s == 1
              ? Math.log(b / a)
              : a * Math.pow(a, -s) * Math.expm1((1 - s) * Math.log(b / a)) / (1 - s);
    }
    return sum;
  }

  /**
   * The groups.
   *
   * @return an unmodifiable list, the most important first
   */
  public List<Group> groups() {
    return groups;
  }

  /**
   * The share of the queries for keys that are in no group.
   *
   * @return 0 … 1
   */
  public double others() {
    return others;
  }

  /**
   * The number of keys in all groups.
   *
   * @return 0 or more
   */
  public long keyCount() {
    return groups.stream().mapToLong(Group::keyCount).sum();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Popularity popularity && groups.equals(popularity.groups);
  }

  @Override
  public int hashCode() {
    return groups.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
