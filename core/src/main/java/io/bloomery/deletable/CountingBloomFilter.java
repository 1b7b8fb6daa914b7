package io.bloomery.deletable;

import io.bloomery.FilterKind;
import io.bloomery.FrequencyFilter;
import io.bloomery.Halvable;
import io.bloomery.QueryCost;
import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.frame.WordAccess;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.CounterProbes;
import io.bloomery.internal.probe.Probes;
import io.bloomery.internal.variant.EarlyExit;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.membership.BloomFilter;
import io.bloomery.plan.Need;
import io.bloomery.theory.Estimates;
import io.bloomery.theory.HashBits;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter with a counter for every bit, with deletes and approximate counts. It never
 * reports a stored key absent, as long as only stored keys are removed and saturated counters are
 * {@link CountingShape.Overflow#STICKY}, which is the default; its false-positive rate is that of
 * the {@link BloomFilter} with as many bits as it has counters.
 *
 * <p>Removing a key that is certainly absent changes nothing and returns false. Removing a key that
 * was never added but is reported present lowers {@code k} counters that other keys need, so that
 * each of these is one too low. For each counter that falls to 0, at once or when other keys of
 * that counter are removed, one other key is lost; never more than {@code k} at a time.
 *
 * <p>{@link #countHash} is the lowest counter of a key: it is never below the number of its
 * additions minus removals, unless that exceeds {@link #maxCount}, where counters saturate; it is
 * too high if all its counters are shared. {@link #mightContainHashAtLeast} tests it against a
 * threshold.
 *
 * <p>Threads: lock-free. Any number may add, remove and query. Each counter changes by atomic
 * replacements, so none loses an addition or a removal. Once {@code add} has returned, every query
 * that happens after it finds the key until its removal begins, whatever other threads add and
 * remove. While another thread adds or removes a key, either answer is possible. A removal looks
 * the key up and then lowers its counters, which is not atomic: it must follow the key's addition.
 * Two threads that both remove a key that was added once may both succeed, and the second then acts
 * like the removal of a false positive. A copy or a save holds every key whose addition had
 * returned before and whose removal begins after it. {@link #clear} requires that no other thread
 * writes.
 *
 * <p>Fan, Cao, Almeida and Broder 2000, "Summary Cache"; the threshold query is that of Kim et al.,
 * "Bloom filter with a false positive rate decreasing by count threshold". Deviation: a key whose
 * indexes repeat raises a counter once for each occurrence and lowers it as often.
 */
public final class CountingBloomFilter extends CounterFilter<CountingShape, CountingBloomFilter>
    implements FrequencyFilter, Halvable<CountingBloomFilter>, QueryCost {

  public static final FilterKind<CountingBloomFilter> KIND =
      Kind.of(14, "counting", CountingBloomFilter.class)
          .question("is x in the set, with deletes? k counters anywhere")
          .codec(CountingBloomFilter::encode, CountingBloomFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("counting", CountingShape.class)
                          .meets(Need.DELETES)
                          .onlyFor(Need.DELETES)
                          .forKeys(CountingShape::forKeys)
                          .forBudget(CountingShape::forBudget)
                          .reads(CountingShape::hashesPerKey)
                          .works(shape -> 0.6 * shape.hashesPerKey())
                          .absentByThree(
                              shape -> shape.hashesPerKey(),
                              shape -> 1 + 0.55 * EarlyExit.byThree(shape.hashesPerKey()))
                          .falseDeletion("loses at most k other keys")
                          .why(
                              "Counters of 4 bits instead of bits: lock-free deletes, and a plain"
                                  + " Bloom filter of the current keys to send")
                          .mergesExactly()
                          .storesDuplicates()
                          .createsFor(CountingBloomFilter::create),
                      VariantBuilder.of("counting-16", CountingShape.class)
                          .meets(Need.DELETES)
                          .meetsPartly(Need.COUNTS, "counts stop at 65535")
                          .onlyFor(Need.DELETES, Need.COUNTS)
                          .forKeys(
                              (n, p) -> CountingShape.forKeys(n, p, CountingShape.MAX_COUNTER_BITS))
                          .forBudget(
                              (n, m) ->
                                  CountingShape.forBudget(n, m, CountingShape.MAX_COUNTER_BITS))
                          .reads(CountingShape::hashesPerKey)
                          .works(shape -> 0.6 * shape.hashesPerKey())
                          .absentByThree(
                              shape -> shape.hashesPerKey(),
                              shape -> 1 + 0.55 * EarlyExit.byThree(shape.hashesPerKey()))
                          .falseDeletion("loses at most k other keys")
                          .why(
                              "Counters of 16 bits, which count a key's additions less its removals"
                                  + " up to 65535")
                          .mergesExactly()
                          .storesDuplicates()
                          .createsFor(CountingBloomFilter::create)));

  private final Probes probes;
  private final CounterProbes counterProbes;

  /** The counters if they have 4 bits and positions are products, otherwise null. */
  private final long @Nullable [] nibbles;

  /** The same if one thread adds, otherwise null. */
  private final long @Nullable [] unsharedNibbles;

  private CountingBloomFilter(CountingShape shape, Hasher hasher, Counters counters) {
    super(shape, hasher, counters);
    this.probes = new Probes(shape.scheme(), shape.counters(), shape.hashesPerKey());
    this.counterProbes = new CounterProbes(probes, shape.counterBits());
    this.nibbles = counterProbes.nibbles(counters);
    this.unsharedNibbles = counters.words().isShared() ? null : nibbles;
  }

  /**
   * The smallest filter of 4-bit counters for a number of keys and a rate.
   *
   * @param expectedKeys how many distinct keys it will hold at a time, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static CountingBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return create(CountingShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape number, width and overflow of counters, hashes per key and index scheme
   * @return an empty filter
   */
  public static CountingBloomFilter create(CountingShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape number, width and overflow of counters, hashes per key and index scheme
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static CountingBloomFilter create(CountingShape shape, Hasher hasher) {
    return create(shape, hasher, Writers.MANY);
  }

  /**
   * A filter of a given shape and hasher, for one writer or many.
   *
   * @param shape number, width and overflow of counters, hashes per key and index scheme
   * @param hasher turns keys into hashes
   * @param writers how many threads may add and remove at the same time
   * @return an empty filter
   */
  public static CountingBloomFilter create(CountingShape shape, Hasher hasher, Writers writers) {
    Objects.requireNonNull(shape, "shape");
    return new CountingBloomFilter(
        shape,
        hasher,
        Counters.allocate(
            shape.counters(), shape.counterBits(), sticky(shape), writers == Writers.MANY));
  }

  private static boolean sticky(CountingShape shape) {
    return shape.overflow() == CountingShape.Overflow.STICKY;
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).section(counters.words());
  }

  private static CountingBloomFilter decode(Frame frame) throws IOException {
    CountingShape shape = frame.shape(CountingShape.class);
    Counters counters = frame.counters(0, shape.counters(), shape.counterBits(), sticky(shape));
    return new CountingBloomFilter(shape, frame.hasher(), counters);
  }

  @Override
  public FilterKind<CountingBloomFilter> kind() {
    return KIND;
  }

  /**
   * {@inheritDoc}
   *
   * @return 2 to the power of the counters' width, minus 1
   */
  @Override
  public long maxCount() {
    return counters.max();
  }

  @Override
  public boolean mightContainHash(long hash) {
    long[] heap = nibbles;
    return heap != null
        ? counterProbes.allNibbles(hash, heap)
        : counterProbes.allAtLeast(hash, 1, counters);
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hash(key));
  }

  /**
   * Whether a key's additions minus removals reach a threshold.
   *
   * @param hash the key's hash, computed by {@link #hasher()}
   * @param threshold how often, 1…{@link #maxCount}
   * @return {@code false}: certainly less often; {@code true}: probably that often; wrong for a key
   *     that was never added with probability {@link #thresholdRate}
   */
  public boolean mightContainHashAtLeast(long hash, int threshold) {
    checkThreshold(threshold);
    return counterProbes.allAtLeast(hash, threshold, counters);
  }

  /** {@inheritDoc} Here: at most {@link #maxCount}, which means that many or more. */
  @Override
  public long countHash(long hash) {
    return counterProbes.lowest(hash, counters);
  }

  @Override
  public boolean addHash(long hash) {
    long[] heap = unsharedNibbles;
    return heap != null ? counterProbes.raiseNibbles(hash, heap) : addHash(hash, 1);
  }

  @Override
  public boolean add(long key) {
    return addHash(hash(key));
  }

  @Override
  public boolean addHash(long hash, long times) {
    counters.words().writable();
    Arguments.inRange("times", times, 0, Long.MAX_VALUE);
    return times > 0 && counterProbes.add(hash, times, counters);
  }

  /** {@inheritDoc} Here {@code false} means certainly absent. */
  @Override
  public boolean removeHash(long hash) {
    counters.words().writable();
    if (!mightContainHash(hash)) {
      return false;
    }
    counterProbes.subtract(hash, 1, counters);
    return true;
  }

  /** {@inheritDoc} Here: that of {@link #toBloomFilter}. Reads every counter. */
  @Override
  public double falsePositiveRate() {
    return toBloomFilter().falsePositiveRate();
  }

  /**
   * The probability that a key that was never added has a count of a threshold or more, given the
   * current counters. Reads every counter.
   *
   * @param threshold 1…{@link #maxCount}
   * @return the k-th power of the share of counters that high, slice by slice if partitioned
   */
  public double thresholdRate(int threshold) {
    checkThreshold(threshold);
    int slices = probes.scheme() == IndexScheme.PARTITIONED ? probes.count() : 1;
    long size = counters.count() / slices;
    double rate = 1;
    for (int slice = 0; slice < slices; slice++) {
      long high = 0;
      for (long i = slice * size; i < (slice + 1) * size; i++) {
        high += counters.get(i) >= threshold ? 1 : 0;
      }
      rate *= Math.pow((double) high / size, (double) probes.count() / slices);
    }
    return rate;
  }

  private void checkThreshold(int threshold) {
    Arguments.inRange("threshold", threshold, 1, maxCount());
  }

  /** {@inheritDoc} Here: k·log2 m; of a slice if partitioned. */
  @Override
  public int hashBits() {
    long each = shape().counters() / (shape().cells().partitioned() ? probes.count() : 1);
    return HashBits.bloom(each, probes.count());
  }

  /** {@inheritDoc} Here: k. */
  @Override
  public int memoryAccesses() {
    return probes.count();
  }

  /** {@inheritDoc} Here: that of {@link #toBloomFilter}. Reads every counter. */
  @Override
  public double cardinality() {
    return toBloomFilter().cardinality();
  }

  /**
   * The number of keys that only one of two filters has, estimated from the differences D of their
   * counters: (ΣD² − (ΣD)²/m) / k. Keys in both filters cancel exactly, so the error depends only
   * on the difference: its relative standard deviation is √(2/m) ({@link
   * Estimates#counterDifferenceDeviation}). This requires that no counter is or was saturated.
   *
   * <p>The idea of Agarwal and Trachtenberg 2006, "Approximating the Number of Differences Between
   * Remote Sets". Deviation: squares instead of absolute values, whose sum ({@link
   * #counterDistance}) is too low where differences of both sides meet in a counter.
   *
   * @param other a filter of the same shape and hasher
   * @return the estimate, 0 for equal counters
   * @throws io.bloomery.IncompatibleFiltersException if they differ in more than their keys
   */
  public double symmetricDifferenceCardinality(CountingBloomFilter other) {
    requireFits(other);
    double sum = 0;
    double squares = 0;
    for (long i = 0; i < counters.count(); i++) {
      double difference = (double) (counters.get(i) - other.counters.get(i));
      sum += difference;
      squares += difference * difference;
    }
    return Math.max(0, squares - sum * sum / counters.count()) / probes.count();
  }

  /**
   * The sum of the absolute differences of the counters of two filters: at most k times the number
   * of keys that only one of them has, and about that where differences are sparse.
   *
   * @param other a filter of the same shape and hasher
   * @return 0 for equal counters
   * @throws io.bloomery.IncompatibleFiltersException if they differ in more than their keys
   */
  public long counterDistance(CountingBloomFilter other) {
    requireFits(other);
    long sum = 0;
    for (long i = 0; i < counters.count(); i++) {
      sum += Math.abs(counters.get(i) - other.counters.get(i));
    }
    return sum;
  }

  /**
   * The counter at a position, which is that of its bit in {@link #toBloomFilter}.
   *
   * @param index 0 … {@code shape().counters()} - 1
   * @return how many of the keys in this filter use it, at most {@link #maxCount}
   */
  public long counter(long index) {
    Arguments.inRange("index", index, 0, counters.count() - 1);
    return counters.get(index);
  }

  /**
   * The Bloom filter of the keys that are in this filter now, which takes a fraction of the memory:
   * bit for bit the filter that adding these keys would produce, unless counters are or were
   * saturated.
   *
   * @return a new filter that shares nothing with this one
   */
  public BloomFilter toBloomFilter() {
    Words bits = Words.forBits(counters.count(), true);
    for (long i = 0; i < counters.count(); i++) {
      if (counters.get(i) != 0) {
        bits.setBit(i);
      }
    }
    return WordAccess.over(BloomFilter.KIND, shape().cells(), hasher(), bits);
  }

  @Override
  public boolean canHalve() {
    int unit = probes.scheme() == IndexScheme.DOUBLE ? 4 : 2;
    return sliceCounters() >= 4
        && sliceCounters() % unit == 0
        && probes.scheme() != IndexScheme.SLICES
        && counters.count() / 2 >= probes.count();
  }

  /** The counters among which one hash of a key chooses. */
  private long sliceCounters() {
    boolean partitioned = probes.scheme() == IndexScheme.PARTITIONED;
    return partitioned ? counters.count() / probes.count() : counters.count();
  }

  /**
   * A filter of half the size with the same keys: counter i is the sum of counters 2i and 2i + 1
   * where indexes are products ({@link IndexScheme#POWERS}), of counters i and i + m/2 where they
   * are remainders, for a partitioned filter within each slice. It is counter for counter the
   * filter that would have been built with half the counters, unless some are or were saturated,
   * and its {@link #toBloomFilter} is this filter's, {@linkplain BloomFilter#halve halved}.
   *
   * <p>Yu, Fabrikant and Rexford 2009, "BUFFALO": one large counting filter in slow memory, from
   * which a Bloom filter of m, m/2, m/4 … bits for the fast memory is derived as the number of keys
   * changes.
   *
   * @return a new filter
   * @throws IllegalStateException if the size (the slice size) is odd or below 4 counters, or for
   *     {@link IndexScheme#DOUBLE} not a multiple of 4, whose steps depend on the parity of the
   *     size, or for {@link IndexScheme#SLICES}, whose skipped fields depend on the size
   */
  @Override
  public CountingBloomFilter halve() {
    if (!canHalve()) {
      boolean partitioned = probes.scheme() == IndexScheme.PARTITIONED;
      throw new IllegalStateException(
          sliceCounters()
              + (partitioned ? " counters per slice" : " counters")
              + " cannot be halved");
    }
    CountingShape halved =
        new CountingShape(
            counters.count() / 2,
            probes.count(),
            probes.scheme(),
            counters.width(),
            shape().overflow());
    Writers writers = counters.words().isShared() ? Writers.MANY : Writers.ONE;
    CountingBloomFilter filter = create(halved, hasher(), writers);
    for (long i = 0; i < counters.count(); i++) {
      filter.counters.add(probes.folded(i), counters.get(i));
    }
    return filter;
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public CountingBloomFilter copy() {
    return new CountingBloomFilter(shape(), hasher(), counters.copy());
  }
}
