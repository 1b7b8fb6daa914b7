package io.bloomery.range;

import io.bloomery.FilterKind;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.Mergeable;
import io.bloomery.RangeFilter;
import io.bloomery.RangeFilterBuilder;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.code.Numbers;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.membership.BloomFilter;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A Bloom filter of the dyadic intervals in which keys lie, which answers for ranges while keys are
 * added: an interval of level j has 2^j keys and begins at a multiple of it. Each key is added with
 * its intervals of levels 0 … λ; a range is cut into at most 2·log2 ℓ intervals, each of which is
 * looked up. It never misses a key. A range without a key is reported to hold one with probability
 * 1 − (1 − f)^pieces, f being the rate of the Bloom filter, for any keys and any ranges, however
 * near to a key.
 *
 * <p>It takes λ + 1 times the memory of a Bloom filter, and queries and adds as many times its
 * work: {@link GrafiteFilter} is several times smaller and faster for ranges of more than a few
 * keys, and the choice where keys are known in advance. A range of more than {@value #MAX_TOPS}
 * intervals of level λ is reported to hold a key.
 *
 * <p>Threads: any number may add and query without a lock, as to a {@link BloomFilter}.
 *
 * <p>Cormode and Muthukrishnan, "An Improved Data Stream Summary: The Count-Min Sketch and its
 * Applications", J. Algorithms 55, 2005, sec. 4.2 (dyadic ranges); as a filter Luo et al.,
 * "Rosetta: A Robust Space-Time Optimized Range Filter for Key-Value Stores", SIGMOD 2020.
 * Deviation: all levels share one Bloom filter, and an interval that is reported is not looked up
 * again by its halves.
 */
public final class DyadicFilter implements RangeFilter, Mergeable<DyadicFilter> {

  public static final FilterKind<DyadicFilter> KIND =
      Kind.of(93, "dyadic", DyadicFilter.class)
          .question("is any key between a and b in the set? a Bloom filter of dyadic intervals")
          .codec(DyadicFilter::encode, DyadicFilter::decode)
          .hashesParts()
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("dyadic", DyadicShape.class)
                          .ordered(DyadicFilter::builder)
                          .onlyFor(Need.RANGES)
                          .sized(DyadicFilter::sized)
                          .reads(DyadicFilter::mostProbes)
                          .absent(shape -> 2.0 * pieces(shape), shape -> 4.0 * pieces(shape))
                          .addsLike(1)
                          .falsePositiveCosts("a range without a key is reported to hold one")
                          .why(
                              "Keys can be added at any time, and its rate for ranges holds for any"
                                  + " keys and any queries; it is several times larger than a"
                                  + " filter of a static set")
                          .mergesExactly()
                          .creates(DyadicFilter::create)));

  /** How many intervals of the highest level a range may have before it is reported present. */
  public static final int MAX_TOPS = 64;

  private final DyadicShape shape;
  private final Hasher hasher;
  private final BloomFilter intervals;

  private DyadicFilter(DyadicShape shape, Hasher hasher, BloomFilter intervals) {
    this.shape = shape;
    this.hasher = hasher;
    this.intervals = intervals;
  }

  private static int mostProbes(DyadicShape shape) {
    return pieces(shape) * shape.bloom().hashesPerKey();
  }

  private static int pieces(DyadicShape shape) {
    return Math.max(1, 2 * shape.levels());
  }

  /**
   * An empty filter.
   *
   * @param shape the parameters
   * @param hasher turns intervals into hashes
   * @return the filter
   */
  public static DyadicFilter create(DyadicShape shape, Hasher hasher) {
    Objects.requireNonNull(shape, "shape");
    return new DyadicFilter(shape, hasher, BloomFilter.create(shape.bloom(), hasher));
  }

  /**
   * An empty filter of numbers with the default hasher.
   *
   * @param expectedKeys different keys
   * @param longestRange how many numbers the longest range has, 1 … 2^62
   * @param falsePositiveRate the rate for ranges of that length, within (0, 1)
   * @return the filter
   */
  public static DyadicFilter create(
      long expectedKeys, long longestRange, double falsePositiveRate) {
    return create(
        DyadicShape.forKeys(expectedKeys, falsePositiveRate, longestRange, RangeKeys.numbers()),
        Hasher.xxh3());
  }

  private static DyadicShape sized(Needs needs) {
    RangeKeys keys = RangeKeys.of(needs);
    return needs.rate().isPresent()
        ? DyadicShape.forKeys(needs.keys(), needs.rate().getAsDouble(), needs.longestRange(), keys)
        : DyadicShape.forBudget(
            needs.keys(), needs.budget().orElseThrow(), needs.longestRange(), keys);
  }

  private static RangeFilterBuilder builder(DyadicShape shape, Hasher hasher) {
    DyadicFilter filter = create(shape, hasher);
    return new RangeFilterBuilder() {
      @Override
      public RangeFilterBuilder add(long key) {
        filter.add(key);
        return this;
      }

      @Override
      public RangeFilterBuilder add(byte[] bytes, int offset, int length) {
        filter.add(bytes, offset, length);
        return this;
      }

      @Override
      public RangeFilter build() {
        return filter;
      }
    };
  }

  private Frame encode() {
    Frame bloom = Frame.encode(intervals);
    return Frame.of(hasher).put(shape).section(bloom.sections().get(0));
  }

  private static DyadicFilter decode(Frame frame) throws IOException {
    DyadicShape shape = frame.shape(DyadicShape.class);
    return new DyadicFilter(
        shape,
        frame.hasher(),
        frame.decodePart(BloomFilter.KIND, shape.bloom(), 0, shape.bloom().bits()));
  }

  @Override
  public FilterKind<DyadicFilter> kind() {
    return KIND;
  }

  /**
   * The parameters of this filter.
   *
   * @return the shape
   */
  public DyadicShape shape() {
    return shape;
  }

  /**
   * The hasher of intervals.
   *
   * @return the hasher this filter was created with
   */
  public Hasher hasher() {
    return hasher;
  }

  /** The hash of the interval of a level that begins at a place of numbers. */
  private long hash(long start, int level) {
    return Mix.stream(hasher.hash(start), level);
  }

  /** The same for byte strings. */
  private long hash(byte[] start, int level) {
    return Mix.stream(hasher.hash(start), level);
  }

  /**
   * Adds a number.
   *
   * @param key the key
   * @return true: certainly new; false: probably added before
   * @throws IllegalArgumentException if the filter holds byte strings
   * @throws IllegalStateException if the filter is a read-only view of a mapped file
   */
  public boolean add(long key) {
    shape.keys().requireNumbers();
    long place = key ^ Long.MIN_VALUE;
    boolean added = false;
    for (int level = 0; level <= shape.levels(); level++) {
      added |= intervals.addHash(hash(place >>> level << level, level));
    }
    return added;
  }

  /**
   * Adds a byte string, or a number as its 8 bytes little-endian.
   *
   * @param bytes the array
   * @param offset the index of the key's first byte
   * @param length the key's length in bytes
   * @return true: certainly new; false: probably added before
   * @throws IllegalArgumentException if the filter holds numbers and the key has not 8 bytes
   * @throws IllegalStateException if the filter is a read-only view of a mapped file
   */
  public boolean add(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (shape.keys().areNumbers()) {
      return add(RangeKeys.number(bytes, offset, length));
    }
    byte[] key = KeyBytes.padded(bytes, offset, length, shape.keys().bytes());
    boolean added = false;
    for (int level = 0; level <= shape.levels(); level++) {
      KeyBytes.clearLow(key, level);
      added |= intervals.addHash(hash(key, level));
    }
    return added;
  }

  /**
   * Adds a byte string, or a number as its 8 bytes little-endian.
   *
   * @param key the key
   * @return true: certainly new; false: probably added before
   * @throws IllegalArgumentException if the filter holds numbers and the key has not 8 bytes
   */
  public boolean add(byte[] key) {
    return add(key, 0, Objects.requireNonNull(key, "key").length);
  }

  /**
   * Adds a text as its UTF-8 bytes.
   *
   * @param key the key
   * @return true: certainly new; false: probably added before
   * @throws IllegalArgumentException if the filter holds numbers and the key has not 8 bytes
   */
  public boolean add(CharSequence key) {
    return add(Objects.requireNonNull(key, "key").toString().getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Adds a character as text.
   *
   * @param key the key
   * @return true: certainly new; false: probably added before
   * @throws IllegalArgumentException if the filter holds numbers
   */
  public boolean add(char key) {
    return add(String.valueOf(key));
  }

  @Override
  public boolean mightContainRange(long from, long to) {
    shape.keys().requireNumbers();
    if (from > to) {
      throw Arguments.refused(
          Arguments.named("from", from), " is above ", Arguments.named("to", to));
    }
    long left = from ^ Long.MIN_VALUE;
    long right = to ^ Long.MIN_VALUE;
    for (int level = 0; level < shape.levels(); level++) {
      if ((left & 1) == 1) {
        if (holds(left, level)) {
          return true;
        } else if (left == right) {
          return false;
        }
        left++;
      }
      if ((right & 1) == 0) {
        if (holds(right, level)) {
          return true;
        } else if (left == right) {
          return false;
        }
        right--;
      }
      left >>>= 1;
      right >>>= 1;
    }
    if (Long.compareUnsigned(right - left, MAX_TOPS) >= 0) {
      return isFilled();
    }
    for (; left != right; left++) {
      if (holds(left, shape.levels())) {
        return true;
      }
    }
    return holds(right, shape.levels());
  }

  private boolean holds(long interval, int level) {
    return intervals.mightContainHash(hash(interval << level, level));
  }

  private boolean isFilled() {
    Words words = Frame.encode(intervals).sections().get(0);
    for (long i = 0; i < words.length(); i++) {
      if (words.get(i) != 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean mightContainRange(byte[] from, byte[] to) {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(to, "to");
    if (shape.keys().areNumbers()) {
      return mightContainRange(
          RangeKeys.number(from, 0, from.length), RangeKeys.number(to, 0, to.length));
    }
    if (Arrays.compareUnsigned(from, to) > 0) {
      throw new IllegalArgumentException("from is above to in the order of their bytes");
    }
    return holdsAny(place(from), place(to));
  }

  private BigInteger place(byte[] key) {
    return new BigInteger(1, KeyBytes.padded(key, 0, key.length, shape.keys().bytes()));
  }

  private boolean holdsAny(BigInteger from, BigInteger to) {
    BigInteger left = from;
    BigInteger right = to;
    for (int level = 0; level < shape.levels(); level++) {
      if (left.testBit(0)) {
        if (holds(left, level)) {
          return true;
        } else if (left.equals(right)) {
          return false;
        }
        left = left.add(BigInteger.ONE);
      }
      if (!right.testBit(0)) {
        if (holds(right, level)) {
          return true;
        } else if (left.equals(right)) {
          return false;
        }
        right = right.subtract(BigInteger.ONE);
      }
      left = left.shiftRight(1);
      right = right.shiftRight(1);
    }
    if (right.subtract(left).compareTo(BigInteger.valueOf(MAX_TOPS)) >= 0) {
      return isFilled();
    }
    for (; !left.equals(right); left = left.add(BigInteger.ONE)) {
      if (holds(left, shape.levels())) {
        return true;
      }
    }
    return holds(right, shape.levels());
  }

  private boolean holds(BigInteger interval, int level) {
    byte[] number = interval.shiftLeft(level).toByteArray();
    byte[] start = new byte[shape.keys().bytes()];
    int count = Math.min(number.length, start.length);
    System.arraycopy(number, number.length - count, start, start.length - count, count);
    return intervals.mightContainHash(hash(start, level));
  }

  @Override
  public boolean mightContain(long key) {
    return shape.keys().areNumbers()
        ? holds(key ^ Long.MIN_VALUE, 0)
        : mightContain(Numbers.bytes(key));
  }

  @Override
  public boolean mightContain(byte[] key) {
    return mightContain(key, 0, Objects.requireNonNull(key, "key").length);
  }

  @Override
  public boolean mightContain(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (shape.keys().areNumbers()) {
      return length == Long.BYTES && mightContain(RangeKeys.number(bytes, offset, length));
    }
    byte[] key = KeyBytes.padded(bytes, offset, length, shape.keys().bytes());
    return intervals.mightContainHash(hash(key, 0));
  }

  @Override
  public boolean mightContain(CharSequence key) {
    return mightContain(
        Objects.requireNonNull(key, "key").toString().getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public <T> boolean mightContain(T key, Funnel<? super T> funnel) {
    return mightContain(Funnel.Fields.bytesOf(key, funnel));
  }

  @Override
  public long longestRange() {
    return shape.longestRange();
  }

  /** {@inheritDoc} For a single key; {@link #falsePositiveRate(long)} is for ranges. */
  @Override
  public double falsePositiveRate() {
    return falsePositiveRate(1);
  }

  /** {@inheritDoc} Here: the mean for ranges that begin anywhere. */
  @Override
  public double falsePositiveRate(long length) {
    Arguments.inRange("length", length, 1, Long.MAX_VALUE);
    double rate = intervals.falsePositiveRate();
    return rate == 0 ? 0 : shape.meanRate(rate, length);
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  @Override
  public boolean isCompatible(DyadicFilter other) {
    Objects.requireNonNull(other, "other");
    return shape.equals(other.shape) && hasher.equals(other.hasher);
  }

  @Override
  public void merge(DyadicFilter other) {
    Objects.requireNonNull(other, "other");
    if (!shape.equals(other.shape)) {
      throw new IncompatibleFiltersException("shape " + shape + " != " + other.shape);
    }
    intervals.merge(other.intervals);
  }

  @Override
  public String toString() {
    return "DyadicFilter[" + shape + ", " + hasher + "]";
  }
}
