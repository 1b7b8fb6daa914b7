package io.bloomery.similarity;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.Mergeable;
import io.bloomery.Storable;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.frame.WordAccess;
import io.bloomery.internal.probe.Mix;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Need;
import io.bloomery.theory.BloomMath;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Is x close to some member? Items within a given distance of a member are probably found, items
 * far from all members probably not; members are always found. Both errors occur, at the rates of
 * {@link DistanceShape}.
 *
 * <p>Each of k locality-sensitive hash functions has its own array. An item sets one bit in each; a
 * query counts how many of its k bits are set, its {@linkplain #score(byte[]) score}, and reports
 * the item if that reaches {@link DistanceShape#threshold}. A member scores k, a close item less,
 * and a far one only as much as the fill of the arrays yields by chance.
 *
 * <p>As a {@link Filter} it takes items as byte strings: for {@link DistanceShape.Distance#HAMMING}
 * the bit vector ({@link LocalityHash#bitSampling} defines the bit order); for {@link
 * DistanceShape.Distance#JACCARD} the hashes of the set's elements, for {@link
 * DistanceShape.Distance#CUSTOM} the k values of the caller's functions, 8 bytes little-endian
 * each. A key of another length is absent. Since a hash of the whole item would lose distances,
 * this is not a {@link io.bloomery.HashedFilter}, and its files hold a seed instead of a hasher; a
 * secret key would not hide distances either.
 *
 * <p>Threads: lock-free. Any number of threads may add and query; once {@code add} has returned,
 * every query that happens after it scores the item k.
 *
 * <p>Kirsch and Mitzenmacher 2006, "Distance-Sensitive Bloom Filters". Tarkoma, Rothenberg and
 * Lagerspetz 2012, sec. III-S, print d(u, x) ≥ d for the far items; it must be ≥ δ.
 */
public final class DistanceSensitiveFilter
    implements Filter, Mergeable<DistanceSensitiveFilter>, Storable {

  public static final FilterKind<DistanceSensitiveFilter> KIND =
      Kind.of(63, "distance-sensitive", DistanceSensitiveFilter.class)
          .question("is x close to an item of the set?")
          .codec(DistanceSensitiveFilter::encode, DistanceSensitiveFilter::decode)
          .meets(Need.PARTIAL_MATCH)
          .unplanned("needs vectors or sets and two distances instead of keys and a rate");

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final DistanceShape shape;
  private final long seed;
  private final Words words;
  private final @Nullable BitSampling sampling;
  private final @Nullable MinHash minHash;

  private DistanceSensitiveFilter(DistanceShape shape, long seed, Words words) {
    this.shape = shape;
    this.seed = seed;
    this.words = words;
    boolean vectors = shape.distance() == DistanceShape.Distance.HAMMING;
    this.sampling = vectors ? new BitSampling(shape.dimension(), shape.samples(), seed) : null;
    this.minHash = vectors ? null : new MinHash(shape.samples(), seed);
  }

  /**
   * A filter of a given shape, with seed 0.
   *
   * @param shape distance, arrays and threshold
   * @return an empty filter
   */
  public static DistanceSensitiveFilter create(DistanceShape shape) {
    return create(shape, 0);
  }

  /**
   * A filter of a given shape.
   *
   * @param shape distance, arrays and threshold
   * @param seed the seed of the hash functions; filters of different seeds cannot be merged
   * @return an empty filter
   */
  public static DistanceSensitiveFilter create(DistanceShape shape, long seed) {
    Objects.requireNonNull(shape, "shape");
    return new DistanceSensitiveFilter(shape, seed, Words.forBits(shape.sizeInBits(), true));
  }

  private Frame encode() {
    return Frame.of(null).put(shape).put("seed", seed).section(words);
  }

  private static DistanceSensitiveFilter decode(Frame frame) throws IOException {
    DistanceShape shape = frame.shape(DistanceShape.class);
    long seed = frame.number("seed", Long.MIN_VALUE, Long.MAX_VALUE);
    return new DistanceSensitiveFilter(shape, seed, frame.bits(0, shape.sizeInBits()));
  }

  @Override
  public FilterKind<DistanceSensitiveFilter> kind() {
    return KIND;
  }

  /**
   * The parameters of this filter, with its error rates.
   *
   * @return the shape
   */
  public DistanceShape shape() {
    return shape;
  }

  /**
   * The seed of the hash functions.
   *
   * @return the seed
   */
  public long seed() {
    return seed;
  }

  /**
   * Adds an item given as a byte string.
   *
   * @param item its bytes, as the class comment says
   * @return true: it was certainly absent; false: its bits were all set, so it scored k before
   * @throws IllegalArgumentException if the length is not that of an item
   * @throws IllegalStateException if the filter is a read-only view of a mapped file
   */
  public boolean add(byte[] item) {
    Objects.requireNonNull(item, "item");
    requireLength(item);
    boolean added = false;
    long[] set = elements(item, 0, item.length);
    for (int j = 0; j < shape.arrays(); j++) {
      added |= words.setBit(bit(value(item, 0, set, j), j));
    }
    return added;
  }

  /**
   * Adds a set to a filter of {@link DistanceShape.Distance#JACCARD}.
   *
   * @param hashes the hashes of the set's elements, in any order
   * @return true: it was certainly absent; false: its bits were all set, so it scored k before
   * @throws IllegalStateException if the filter has another distance, or is a read-only view of a
   *     mapped file
   */
  public boolean addSet(long... hashes) {
    requireDistance(DistanceShape.Distance.JACCARD);
    return add(hashes, Objects.requireNonNull(minHash));
  }

  /**
   * Adds an item by locality-sensitive hash functions of the caller, to a filter of {@link
   * DistanceShape.Distance#CUSTOM} or of the same functions.
   *
   * @param item the item
   * @param functions the same functions for every item of this filter
   * @param <T> the item's type
   * @return true: it was certainly absent; false: its bits were all set, so it scored k before
   * @throws IllegalStateException if the filter is a read-only view of a mapped file
   */
  public <T> boolean add(T item, LocalityHash<? super T> functions) {
    Objects.requireNonNull(item, "item");
    Objects.requireNonNull(functions, "functions");
    boolean added = false;
    for (int j = 0; j < shape.arrays(); j++) {
      added |= words.setBit(bit(functions.hash(item, j), j));
    }
    return added;
  }

  /**
   * How many of an item's bits are set.
   *
   * @param item its bytes, as the class comment says
   * @return 0 … k; k for members
   * @throws IllegalArgumentException if the length is not that of an item
   */
  public int score(byte[] item) {
    Objects.requireNonNull(item, "item");
    requireLength(item);
    return score(item, 0, item.length);
  }

  /**
   * How many of a set's bits are set in a filter of {@link DistanceShape.Distance#JACCARD}.
   *
   * @param hashes the hashes of the set's elements, in any order
   * @return 0 … k; k for members
   * @throws IllegalStateException if the filter has another distance
   */
  public int scoreSet(long... hashes) {
    requireDistance(DistanceShape.Distance.JACCARD);
    return score(hashes, Objects.requireNonNull(minHash));
  }

  /**
   * How many of an item's bits are set by locality-sensitive hash functions of the caller.
   *
   * @param item the item
   * @param functions the functions with which items were added
   * @param <T> the item's type
   * @return 0 … k; k for members
   */
  public <T> int score(T item, LocalityHash<? super T> functions) {
    Objects.requireNonNull(item, "item");
    Objects.requireNonNull(functions, "functions");
    int score = 0;
    for (int j = 0; j < shape.arrays(); j++) {
      score += words.getBit(bit(functions.hash(item, j), j)) ? 1 : 0;
    }
    return score;
  }

  /** The score of a part of an array that has the length of an item. */
  private int score(byte[] bytes, int offset, int length) {
    int score = 0;
    long[] set = elements(bytes, offset, length);
    for (int j = 0; j < shape.arrays(); j++) {
      score += words.getBit(bit(value(bytes, offset, set, j), j)) ? 1 : 0;
    }
    return score;
  }

  @SuppressWarnings("NullAway") // the distance determines the functions
  private long value(byte[] bytes, int offset, long[] set, int function) {
    return switch (shape.distance()) {
      case HAMMING -> sampling.hash(bytes, offset, function);
      case JACCARD -> minHash.hash(set, function);
      case CUSTOM -> set[function];
    };
  }

  private long bit(long value, int function) {
    return function * shape.arrayBits()
        + Mix.reduce(Mix.stream(value, function), shape.arrayBits());
  }

  /** The numbers of 8 bytes each; none for a vector. */
  private long[] elements(byte[] bytes, int offset, int length) {
    if (shape.distance() == DistanceShape.Distance.HAMMING) {
      return new long[0];
    }
    long[] numbers = new long[length / Long.BYTES];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = (long) LONG.get(bytes, offset + i * Long.BYTES);
    }
    return numbers;
  }

  @SuppressWarnings("NullAway") // the distance determines the functions
  private boolean isItem(int length) {
    return switch (shape.distance()) {
      case HAMMING -> length == sampling.vectorBytes();
      case JACCARD -> length % Long.BYTES == 0;
      case CUSTOM -> length == shape.arrays() * Long.BYTES;
    };
  }

  @SuppressWarnings("NullAway") // the distance determines the functions
  private void requireLength(byte[] item) {
    if (shape.distance() == DistanceShape.Distance.JACCARD) {
      Arguments.multipleOf("item.length", item.length, Long.BYTES);
    } else if (!isItem(item.length)) {
      int length =
          shape.distance() == DistanceShape.Distance.HAMMING
              ? sampling.vectorBytes()
              : shape.arrays() * Long.BYTES;
      Arguments.inRange("item.length", item.length, length, length);
    }
  }

  private void requireDistance(DistanceShape.Distance distance) {
    if (shape.distance() != distance) {
      throw new IllegalStateException("a filter of " + shape.distance() + ", not of " + distance);
    }
  }

  /**
   * {@inheritDoc} Here: whether the item scores at least the threshold. {@code false} only means
   * that it is not a member and probably not close to one.
   */
  @Override
  public boolean mightContain(byte[] key) {
    return mightContain(Objects.requireNonNull(key, "key"), 0, key.length);
  }

  /** {@inheritDoc} Here: as for a whole array. */
  @Override
  public boolean mightContain(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    return isItem(length) && score(bytes, offset, length) >= shape.threshold();
  }

  /** {@inheritDoc} Here: as for its UTF-8 bytes. */
  @Override
  public boolean mightContain(CharSequence key) {
    return mightContain(Objects.requireNonNull(key, "key").toString().getBytes(UTF_8));
  }

  /** {@inheritDoc} Here: a vector of 64 bits, a set of one element, or one value. */
  @Override
  public boolean mightContain(long key) {
    byte[] bytes = new byte[Long.BYTES];
    LONG.set(bytes, 0, key);
    return mightContain(bytes);
  }

  /** {@inheritDoc} Here: as for the bytes of its fields. */
  @Override
  public <T> boolean mightContain(T key, Funnel<? super T> funnel) {
    return mightContain(Funnel.Fields.bytesOf(key, funnel));
  }

  /**
   * {@inheritDoc} Here: for an item that shares no hash value with a member, so that each of its
   * bits is set with the probability given by the fill of its array.
   */
  @Override
  public double falsePositiveRate() {
    double[] atLeast = new double[shape.threshold()]; // exactly i set, i below the threshold
    atLeast[0] = 1;
    double reached = 0;
    for (int j = 0; j < shape.arrays(); j++) {
      double fill = fill(j);
      reached += atLeast[shape.threshold() - 1] * fill;
      for (int i = shape.threshold() - 1; i >= 0; i--) {
        atLeast[i] = atLeast[i] * (1 - fill) + (i > 0 ? atLeast[i - 1] * fill : 0);
      }
    }
    return Math.min(1, reached);
  }

  /**
   * The share of set bits of one array.
   *
   * @param array 0 … k - 1
   * @return 0 … 1
   */
  public double fill(int array) {
    Objects.checkIndex(array, shape.arrays());
    long from = array * shape.arrayBits();
    return (double) words.bitCountOfBits(from, from + shape.arrayBits()) / shape.arrayBits();
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  @Override
  public boolean isCompatible(DistanceSensitiveFilter other) {
    Objects.requireNonNull(other, "other");
    return seed == other.seed && shape.equals(other.shape);
  }

  /** {@inheritDoc} The result is bit for bit the filter of the items of both. */
  @Override
  public void merge(DistanceSensitiveFilter other) {
    if (!isCompatible(other)) {
      throw new IncompatibleFiltersException(
          seed != other.seed
              ? "seed " + seed + " != " + other.seed
              : "shape " + shape + " != " + other.shape);
    }
    words.orAll(other.words);
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same items, writable even if this one is mapped
   */
  public DistanceSensitiveFilter copy() {
    return new DistanceSensitiveFilter(shape, seed, words.copy());
  }

  @Override
  public String toString() {
    return "DistanceSensitiveFilter[" + shape + ", seed " + seed + "]";
  }

  /**
   * Is any set of a collection close to this one? The sets are given as Bloom filters of one shape,
   * which are bit vectors: two sets that share most of their keys differ in few bits. One {@link
   * DistanceSensitiveFilter} of these vectors answers for the whole collection, whose filters need
   * not be kept.
   *
   * <p>This is not a kind of filter: store {@link #filter()}.
   *
   * <p>As thread-safe as {@link DistanceSensitiveFilter}.
   *
   * <p>Kirsch and Mitzenmacher 2006, as Tarkoma, Rothenberg and Lagerspetz 2012, sec. III-S, report
   * it ("Are there any sets in the collection very close to this query set?").
   */
  public static final class CloseSets {

    private final BloomShape sets;
    private final Hasher hasher;
    private final DistanceSensitiveFilter filter;

    private CloseSets(BloomShape sets, Hasher hasher, DistanceSensitiveFilter filter) {
      this.sets = sets;
      this.hasher = hasher;
      this.filter = filter;
    }

    /**
     * A collection over a filter of vectors.
     *
     * @param sets the shape of the Bloom filters of the sets
     * @param hasher their hasher
     * @param filter an empty filter, or that of an earlier collection; of {@link
     *     DistanceShape.Distance#HAMMING} and with as many dimensions as the sets have bits
     * @return the collection
     * @throws IllegalArgumentException if the filter has another distance or dimension
     */
    public static CloseSets of(BloomShape sets, Hasher hasher, DistanceSensitiveFilter filter) {
      Objects.requireNonNull(sets, "sets");
      Objects.requireNonNull(hasher, "hasher");
      Arguments.inRange("dimension", filter.shape().dimension(), sets.bits(), sets.bits());
      return new CloseSets(sets, hasher, filter);
    }

    /**
     * The expected share of bits in which the Bloom filters of two sets differ.
     *
     * @param sets the shape of the filters
     * @param first the number of keys of one set
     * @param second the number of keys of the other
     * @param common the number of keys that both have
     * @return {@code q^a + q^b - 2·q^(a + b - c)}, where q is the probability that a key leaves a
     *     bit clear
     */
    public static double distance(BloomShape sets, long first, long second, long common) {
      Arguments.inRange("common", common, 0, Math.min(first, second));
      return clear(sets, first) + clear(sets, second) - 2 * clear(sets, first + second - common);
    }

    private static double clear(BloomShape sets, long keys) {
      return BloomMath.zeroBitProbability(sets.bits(), keys, sets.hashesPerKey());
    }

    /**
     * Adds a set.
     *
     * @param set its Bloom filter
     * @return true: no equal filter was there before; false: one probably was
     * @throws IncompatibleFiltersException if it has another shape or hasher
     */
    public boolean add(BloomFilter set) {
      return filter.add(vector(set));
    }

    /**
     * Whether a set is close to one of the collection.
     *
     * @param set its Bloom filter
     * @return true for every set that was added, and with the rates of the filter's shape for
     *     others
     * @throws IncompatibleFiltersException if it has another shape or hasher
     */
    public boolean mightContainCloseTo(BloomFilter set) {
      return filter.score(vector(set)) >= filter.shape().threshold();
    }

    /**
     * How many of the hash functions agree with some set of the collection.
     *
     * @param set its Bloom filter
     * @return the filter's score
     * @throws IncompatibleFiltersException if it has another shape or hasher
     */
    public int score(BloomFilter set) {
      return filter.score(vector(set));
    }

    /**
     * The filter of all sets.
     *
     * @return the filter that this collection was made over
     */
    public DistanceSensitiveFilter filter() {
      return filter;
    }

    private byte[] vector(BloomFilter set) {
      if (!set.hasher().equals(hasher)) {
        throw new IncompatibleFiltersException("hasher " + hasher + " != " + set.hasher());
      }
      if (!set.shape().equals(sets)) {
        throw new IncompatibleFiltersException("shape " + sets + " != " + set.shape());
      }
      Words words = WordAccess.of(set, BloomFilter.KIND);
      byte[] vector = new byte[(int) ((sets.bits() + 7) / 8)];
      for (int i = 0; i < vector.length; i++) {
        vector[i] = (byte) (words.get(i >>> 3) >>> (8 * (i & 7)));
      }
      return vector;
    }
  }
}
