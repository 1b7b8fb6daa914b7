package io.bloomery.frozen;

import io.bloomery.internal.bits.Counters;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Finds the numbers of a universe all of whose remainders are in use. Takes primes until their
 * product reaches the universe, starting with those that have the fewest used remainders for their
 * size.
 */
final class Remainders {

  private final long universe;
  private final long members;

  /** The primes taken, the product of those before each, and its inverse. */
  private final int[] primes;

  private final long[] products;
  private final int[] inverses;

  /** For each prime taken, the remainders in use. */
  private final int[][] used;

  private long[] found = new long[16];
  private int count;

  /** Takes the cells of at most {@code members} numbers. */
  Remainders(int[] all, Counters cells, long universe, long members) {
    this.universe = universe;
    this.members = members;
    int[][] remainders = new int[all.length][];
    long base = 0;
    for (int i = 0; i < all.length; i++) {
      long start = base;
      remainders[i] = IntStream.range(0, all[i]).filter(r -> cells.get(start + r) > 0).toArray();
      base += all[i];
      requireAtMost(remainders[i].length);
    }
    int[] order =
        IntStream.range(0, all.length)
            .boxed()
            .sorted(
                (i, j) -> Double.compare(cost(all[i], remainders[i]), cost(all[j], remainders[j])))
            .mapToInt(Integer::intValue)
            .toArray();
    int taken = 0;
    BigInteger product = BigInteger.ONE;
    while (product.compareTo(BigInteger.valueOf(universe)) < 0) {
      product = product.multiply(BigInteger.valueOf(all[order[taken++]]));
    }
    primes = new int[taken];
    products = new long[taken];
    inverses = new int[taken];
    used = new int[taken][];
    product = BigInteger.ONE;
    for (int i = 0; i < taken; i++) {
      primes[i] = all[order[i]];
      used[i] = remainders[order[i]];
      products[i] = product.longValueExact();
      BigInteger prime = BigInteger.valueOf(primes[i]);
      inverses[i] = product.modInverse(prime).intValue();
      product = product.multiply(prime);
    }
  }

  /** Members have at most as many remainders as there are of them. */
  private void requireAtMost(int numbers) {
    if (numbers > members) {
      throw new IllegalStateException(
          "the cells are not those of " + members + " members: the file is forged");
    }
  }

  private static double cost(int prime, int[] remainders) {
    return Math.log(remainders.length) / Math.log(prime);
  }

  /** The numbers that pass a test, in ascending order. */
  long[] numbers(LongPredicate test) {
    double combinations = 1;
    for (int[] remainders : used) {
      combinations *= remainders.length;
    }
    if (universe < combinations) {
      return LongStream.range(0, universe)
          .filter(test)
          .peek(number -> requireAtMost(++count))
          .toArray();
    }
    solve(0, 0, test);
    long[] numbers = Arrays.copyOf(found, count);
    Arrays.sort(numbers);
    return numbers;
  }

  /** All numbers that are {@code number} modulo the product of the primes before {@code level}. */
  private void solve(int level, long number, LongPredicate test) {
    if (level == primes.length) {
      if (test.test(number)) {
        if (count == found.length) {
          found = Arrays.copyOf(found, 2 * count);
        }
        found[count++] = number;
        requireAtMost(count);
      }
      return;
    }
    int prime = primes[level];
    for (int remainder : used[level]) {
      long difference = Math.floorMod(remainder - number % prime, (long) prime);
      long times = difference * inverses[level] % prime;
      if (times <= (universe - 1 - number) / products[level]) {
        solve(level + 1, number + times * products[level], test);
      }
    }
  }
}
