package io.bloomery.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.NavigableSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A range filter whose rate no query raises. */
final class GrafiteFilterTest {

  private static final int KEYS = 100_000;
  private static final int QUERIES = 400_000;
  private static final Hasher HASHER = Hasher.xxh3(Seeds.of(33));

  private static GrafiteFilter of(long[] keys, long longest, double rate) {
    GrafiteFilter.Builder builder =
        GrafiteFilter.builder(GrafiteShape.forKeys(keys.length, rate, longest), HASHER);
    Arrays.stream(keys).forEach(builder::add);
    return builder.build();
  }

  private static NavigableSet<Long> tree(long[] keys) {
    NavigableSet<Long> tree = new TreeSet<>();
    Arrays.stream(keys).forEach(tree::add);
    return tree;
  }

  private static boolean isEmpty(NavigableSet<Long> keys, long from, long to) {
    Long next = keys.ceiling(from);
    return next == null || next > to;
  }

  /** Runs of keys one beside the other, as serial numbers have them. */
  private static long[] clustered(int count) {
    SplittableRandom random = Seeds.random(5);
    NavigableSet<Long> keys = new TreeSet<>();
    while (keys.size() < count) {
      long start = random.nextLong();
      for (int i = random.nextInt(500); i >= 0 && keys.size() < count; i--) {
        keys.add(start);
        start += 1 + random.nextInt(3) * random.nextInt(1_000);
      }
    }
    return keys.stream().mapToLong(Long::longValue).toArray();
  }

  /** The queries are independent given the filter, whose own rate is that of a random beginning. */
  @ParameterizedTest
  @CsvSource({"1, 0.01", "64, 0.01", "64, 0.3", "1000, 0.001", "100000, 0.05"})
  void randomRangesHaveTheRateOfTheFilter(long length, double rate) {
    for (long[] keys : new long[][] {Keys.members(KEYS), clustered(KEYS)}) {
      GrafiteFilter filter = of(keys, length, rate);
      SplittableRandom random = Seeds.random(6);
      long hits = 0;
      for (int i = 0; i < QUERIES; i++) {
        long from = random.nextLong(Long.MIN_VALUE, Long.MAX_VALUE - length);
        hits += filter.mightContainRange(from, from + length - 1) ? 1 : 0;
      }
      // A range of random numbers meets a key by chance: with KEYS · length / 2^64, which is 0.
      Rates.assertRate(hits, QUERIES, filter.falsePositiveRate(length), 5);
    }
  }

  /** The probability for keys that are spread at random. */
  private static double rate(long keys, long length, GrafiteShape shape) {
    return -Math.expm1(keys * Math.log1p(-(double) length / shape.codes()));
  }

  /**
   * By the inequality of Efron and Stein: one key more or less changes the share of beginnings by
   * at most length/codes, so its variance is at most KEYS/2 times the square of that.
   */
  @ParameterizedTest
  @CsvSource({"1, 0.01", "64, 0.01", "64, 0.3", "1000, 0.001"})
  void theRateOfTheFilterIsThatOfTheShape(long length, double rate) {
    GrafiteFilter filter = of(Keys.members(KEYS), length, rate);
    GrafiteShape shape = filter.shape();
    assertThat(shape.falsePositiveRate(KEYS)).isBetween(rate * 0.9999, rate);
    for (long other : new long[] {1, length, 3 * length}) {
      double deviation = (double) other / shape.codes() * Math.sqrt(KEYS / 2.0);
      assertThat(filter.falsePositiveRate(other))
          .isBetween(
              rate(KEYS, other, shape) - 5 * deviation, rate(KEYS, other, shape) + 5 * deviation)
          .isLessThanOrEqualTo(shape.falsePositiveRate(KEYS, other));
    }
  }

  /** Keys one beside the other in steps of a range: no filter of its size can do better. */
  @Test
  void theBoundIsReached() {
    long[] steps = LongStream.range(0, KEYS).map(i -> 64 * i).toArray();
    GrafiteFilter filter = of(steps, 64, 0.01);
    assertThat(filter.falsePositiveRate(64)).isBetween(0.00999, 0.01);
    assertThat(filter.falsePositiveRate(64))
        .isLessThanOrEqualTo(filter.shape().falsePositiveRate(KEYS));
  }

  /**
   * A range that begins right after a key is as safe as any other. It is wrong if the next of the
   * other codes is near: the gaps of random codes, of which the numbers of short ones vary less
   * than those of independent trials.
   */
  @ParameterizedTest
  @CsvSource({"1, 0.01", "64, 0.01", "64, 0.3", "1000, 0.001"})
  void rangesBesideAKeyHaveTheSameRate(long length, double rate) {
    long[] keys = Keys.members(KEYS);
    NavigableSet<Long> tree = tree(keys);
    GrafiteFilter filter = of(keys, length, rate);
    for (boolean above : new boolean[] {true, false}) {
      long hits = 0;
      long empty = 0;
      for (long key : keys) {
        long from = above ? key + 1 : key - length;
        long to = from + length - 1;
        if (from <= to && (above ? from > key : to < key) && isEmpty(tree, from, to)) {
          empty++;
          hits += filter.mightContainRange(from, to) ? 1 : 0;
        }
      }
      assertThat(empty).isGreaterThan(KEYS * 99 / 100);
      Rates.assertRate(hits, empty, rate(KEYS - 1, length, filter.shape()), 5);
    }
  }

  /** Between the keys of a cluster, where filters that round keys are always wrong. */
  @Test
  void rangesWithinAClusterAreNotWorse() {
    long[] keys = clustered(KEYS);
    NavigableSet<Long> tree = tree(keys);
    GrafiteFilter filter = of(keys, 16, 0.01);
    long hits = 0;
    long empty = 0;
    for (long key : keys) {
      if (key < Long.MAX_VALUE - 16 && isEmpty(tree, key + 1, key + 16)) {
        empty++;
        hits += filter.mightContainRange(key + 1, key + 16) ? 1 : 0;
      }
    }
    assertThat(empty).isGreaterThan(KEYS / 4);
    // Keys of a cluster share the hash of their block, so that errors come in bunches of up to 500:
    // the variance is at most 500 times that of independent queries.
    Rates.assertRateAtMost(hits / 500, empty / 500, 0.01, 5);
  }

  /** 2 + log2(L/rate) bits, as published: Grafite, theorem 3.4. */
  @ParameterizedTest
  @ValueSource(longs = {16, 100, 1_000, 1L << 20, 1L << 28})
  void theSizeIsWithinAPercentOfTheFormula(long longest) {
    for (double rate : new double[] {0.01, 0.003, 0.001, 1e-5}) {
      GrafiteFilter filter = of(Keys.members(KEYS), longest, rate);
      double formula = KEYS * (2 + Math.log(longest / rate) / Math.log(2));
      assertThat((double) filter.sizeInBits()).isBetween(formula * 0.99, formula * 1.01);
      assertThat((double) filter.shape().sizeInBits())
          .isBetween(filter.sizeInBits() * 0.999, filter.sizeInBits() * 1.001 + 256);
    }
  }

  /** Its answers are those of its definition, computed with numbers of any size. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 7, 8, 9, 24})
  void answersAreThoseOfTheDefinition(int bytes) {
    SplittableRandom random = Seeds.random(7 + bytes);
    RangeKeys keys = bytes == 0 ? RangeKeys.numbers() : RangeKeys.bytes(bytes);
    int width = bytes == 0 ? Long.BYTES : bytes;
    for (int round = 0; round < Effort.of(40); round++) {
      long codes = 1 + random.nextLong(1L << random.nextInt(3, 40));
      GrafiteShape shape = new GrafiteShape(keys, 50, codes, 1);
      GrafiteFilter.Builder builder = GrafiteFilter.builder(shape, HASHER);
      NavigableSet<Long> model = new TreeSet<>();
      byte[][] all = new byte[50][];
      for (int i = 0; i < all.length; i++) {
        all[i] = drawn(random, width);
        builder.add(bytes == 0 ? reversed(all[i]) : all[i]);
        model.add(code(place(all[i], bytes == 0), shape, bytes));
      }
      GrafiteFilter filter = builder.build();
      assertThat(filter.entryCount()).isEqualTo(model.size());
      for (int i = 0; i < 500; i++) {
        byte[] from = i % 2 == 0 ? all[random.nextInt(all.length)].clone() : drawn(random, width);
        BigInteger first = place(from, bytes == 0);
        BigInteger length = BigInteger.valueOf(random.nextLong(1L << random.nextInt(1, 45)));
        BigInteger most = BigInteger.ONE.shiftLeft(8 * width).subtract(BigInteger.ONE);
        BigInteger last = first.add(length).min(most);
        byte[] to = bytesOf(last, width, bytes == 0);
        boolean found =
            bytes == 0
                ? filter.mightContainRange(
                    ByteBuffer.wrap(from).getLong(), ByteBuffer.wrap(to).getLong())
                : filter.mightContainRange(from, to);
        assertThat(found).isEqualTo(contains(model, shape, bytes, first, last));
      }
    }
  }

  /** Bytes of a number, the highest first; half of them zero, so that keys are near each other. */
  private static byte[] drawn(SplittableRandom random, int width) {
    byte[] bytes = new byte[width];
    random.nextBytes(bytes);
    Arrays.fill(bytes, 0, random.nextInt(width), (byte) 0);
    return bytes;
  }

  private static byte[] reversed(byte[] bytes) {
    byte[] reversed = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      reversed[i] = bytes[bytes.length - 1 - i];
    }
    return reversed;
  }

  private static BigInteger place(byte[] bytes, boolean signed) {
    return signed
        ? new BigInteger(bytes).add(BigInteger.ONE.shiftLeft(63))
        : new BigInteger(1, bytes);
  }

  private static byte[] bytesOf(BigInteger place, int width, boolean signed) {
    BigInteger value = signed ? place.subtract(BigInteger.ONE.shiftLeft(63)) : place;
    byte[] found = value.toByteArray();
    byte[] bytes = new byte[width];
    Arrays.fill(bytes, (byte) (value.signum() < 0 ? -1 : 0));
    int count = Math.min(width, found.length);
    System.arraycopy(found, found.length - count, bytes, width - count, count);
    return bytes;
  }

  private static long code(BigInteger place, GrafiteShape shape, int bytes) {
    BigInteger block = BigInteger.ONE.shiftLeft(shape.blockBits());
    BigInteger low = place.mod(block);
    byte[] start = bytesOf(place.subtract(low), bytes == 0 ? Long.BYTES : bytes, false);
    long hash = bytes == 0 ? HASHER.hash(ByteBuffer.wrap(start).getLong()) : HASHER.hash(start);
    BigInteger codes = BigInteger.valueOf(shape.codes());
    return new BigInteger(Long.toUnsignedString(hash))
        .multiply(codes)
        .shiftRight(64)
        .add(low)
        .mod(codes)
        .longValue();
  }

  private static boolean contains(
      NavigableSet<Long> model, GrafiteShape shape, int bytes, BigInteger first, BigInteger last) {
    int bits = shape.blockBits();
    BigInteger size = BigInteger.ONE.shiftLeft(bits);
    if (last.shiftRight(bits).subtract(first.shiftRight(bits)).bitLength() > 6) {
      return true;
    }
    for (BigInteger at = first; at.compareTo(last) <= 0; ) {
      BigInteger end = at.shiftRight(bits).add(BigInteger.ONE).multiply(size);
      BigInteger to = end.subtract(BigInteger.ONE).min(last);
      long start = code(at, shape, bytes);
      long stop = code(to, shape, bytes);
      boolean found =
          start <= stop
              ? !model.subSet(start, true, stop, true).isEmpty()
              : !model.tailSet(start, true).isEmpty() || !model.headSet(stop, true).isEmpty();
      if (found) {
        return true;
      }
      at = end;
    }
    return false;
  }

  @Test
  void aBudgetIsUsedToTheLastBit() {
    for (double bitsPerKey : new double[] {4, 10, 17.3, 40}) {
      long bits = (long) (bitsPerKey * KEYS);
      GrafiteShape shape = GrafiteShape.forBudget(KEYS, bits, 100, RangeKeys.numbers());
      assertThat(shape.sizeInBits()).isBetween(bits - 192, bits);
    }
    assertThatThrownBy(() -> GrafiteShape.forBudget(KEYS, KEYS, 100, RangeKeys.numbers()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void tooManyCodesAreRefused() {
    assertThatThrownBy(() -> GrafiteShape.forKeys(1_000_000, 1e-6, 1L << 40))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2^62");
  }

  /** Ranges across many blocks are searched block by block, and beyond that present. */
  @Test
  void longRanges() {
    GrafiteShape shape = new GrafiteShape(RangeKeys.numbers(), 1, 1024, 1);
    GrafiteFilter filter = GrafiteFilter.builder(shape, HASHER).add(5).build();
    assertThat(filter.mightContainRange(Long.MIN_VALUE, Long.MAX_VALUE)).isTrue();
    GrafiteFilter none = GrafiteFilter.builder(shape, HASHER).build();
    assertThat(none.mightContainRange(Long.MIN_VALUE, Long.MAX_VALUE)).isFalse();
    assertThat(none.falsePositiveRate(Long.MAX_VALUE)).isZero();
    assertThat(filter.falsePositiveRate(Long.MAX_VALUE)).isEqualTo(1);
  }
}
