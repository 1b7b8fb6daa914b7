package io.bloomery.deletable;

import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.FrequencyFilter;
import io.bloomery.Mergeable;
import io.bloomery.RemovableFilter;
import io.bloomery.SizedBuilder;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Compatibility;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.CounterProbes;
import io.bloomery.internal.probe.Probes;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import java.io.IOException;
import java.util.Objects;

/**
 * A Bloom filter with a counter for every bit, so that keys may leave again and are roughly
 * counted. It never reports a key absent that is in it, as long as only keys that are in it are
 * removed and saturated counters are {@link OverflowPolicy#STICKY}, which is the default; it
 * reports keys present as often as the {@link BloomFilter} of the same size does.
 *
 * <p>Removing a key that is certainly absent changes nothing and says so. Removing a key that was
 * never added but is answered "probably present" lowers {@code k} counters that other keys need, so
 * that each of these stands for one key too few: one other key is lost for each that falls to 0, at
 * once or when others of its keys leave, and never more than {@code k} at a time.
 *
 * <p>{@link #countHash} is the lowest counter of a key: never below the number of its additions
 * less that of its removals, unless that is above {@link #maxCount}, where counters end; too high
 * as often as all its counters are shared. {@link #mightContainHashAtLeast} asks whether it reaches
 * a threshold. Merging adds counters, so a key that both filters hold counts as often as in both
 * together, and is to be removed as often.
 *
 * <p>Threads: lock-free. Any number may add, remove and query. Each counter changes by atomic
 * replacements, so none loses an addition or a removal. A key whose {@code add} returned, and whose
 * removal has not begun, is found by every query of a thread that can see that return, whatever
 * other threads add and remove. While a key is being added or removed by another thread it is
 * answered either way. A removal asks first and then lowers its counters, which is not one step: it
 * must follow an addition of its own. Two threads that both remove a key that was added once may
 * both succeed, and the second then does what removing a false positive does. A copy or a save
 * holds every key whose addition had returned before and whose removal begins after it. {@link
 * #clear} needs that no other thread writes.
 *
 * <p>Fan, Cao, Almeida and Broder 2000, "Summary Cache"; the threshold query is that of Kim et al.,
 * "Bloom filter with a false positive rate decreasing by count threshold". Deviation: a key whose
 * indexes repeat raises a counter once for each occurrence and lowers it as often.
 */
public final class CountingBloomFilter
    implements RemovableFilter, FrequencyFilter, Mergeable<CountingBloomFilter>, Storable {

  /** How files name this kind. */
  public static final FilterKind<CountingBloomFilter> KIND =
      new FilterKind<>(
          14,
          "counting",
          "is x in the set, and may it leave again? k counters anywhere",
          CountingBloomFilter.class,
          CountingBloomFilter::encode,
          CountingBloomFilter::decode,
          () ->
              FilterRecipe.lockFree(
                  CountingShape.class,
                  (keys, rate) ->
                      CountingShape.forKeys(keys, rate, CountingShape.DEFAULT_COUNTER_BITS),
                  (keys, bits) ->
                      CountingShape.forBudget(keys, bits, CountingShape.DEFAULT_COUNTER_BITS),
                  CountingBloomFilter::made));

  private final Hasher hasher;
  private final Probes probes;
  private final CounterProbes counterProbes;
  private final Counters counters;

  private CountingBloomFilter(Hasher hasher, Probes probes, Counters counters) {
    this.hasher = hasher;
    this.probes = probes;
    this.counterProbes = new CounterProbes(probes, counters.width());
    this.counters = counters;
  }

  /**
   * The smallest filter of 4-bit counters for a number of keys and a rate.
   *
   * @param expectedKeys how many different keys will be in it at a time, 1 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static CountingBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return builder().expectedKeys(expectedKeys).falsePositiveRate(falsePositiveRate).build();
  }

  /**
   * A filter of 4-bit counters whose size is given, as papers do.
   *
   * @param counters m, 2 or more
   * @param probes k, 1…255
   * @return an empty filter
   */
  public static CountingBloomFilter ofCounters(long counters, int probes) {
    return builder().counters(counters).probes(probes).build();
  }

  /**
   * All options.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  private static CountingBloomFilter made(FilterRecipe.Order<CountingShape> order) {
    CountingShape shape = order.shape();
    BloomShape cells = shape.cells();
    double expected = shape.falsePositiveRate(order.keys());
    return builder()
        .counters(cells.bits())
        .probes(cells.probes())
        .counterBits(shape.counterBits())
        .scheme(Probes.schemeFor(order.keys(), cells.bits(), expected, order.rate()))
        .hasher(order.hasher())
        .build();
  }

  private Frame encode() {
    return Frame.of(hasher)
        .put("counters", probes.bits())
        .put("probes", probes.count())
        .put("scheme", probes.scheme().wireId())
        .put("counter bits", counters.width())
        .put("overflow", overflow().wireId())
        .section(counters.words());
  }

  private static CountingBloomFilter decode(Frame frame) throws IOException {
    long count = frame.number("counters", 2, Probes.MAX_BITS);
    int probeCount = (int) frame.number("probes", 1, BloomShape.MAX_PROBES);
    IndexScheme scheme = IndexScheme.ofWireId((int) frame.number("scheme", 1, 5));
    int width =
        (int)
            frame.number(
                "counter bits", CountingShape.MIN_COUNTER_BITS, CountingShape.MAX_COUNTER_BITS);
    OverflowPolicy overflow = OverflowPolicy.ofWireId((int) frame.number("overflow", 1, 2));
    Probes probes;
    try {
      probes = new Probes(scheme, count, probeCount);
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    return new CountingBloomFilter(
        frame.hasher(), probes, frame.counters(0, count, width, overflow == OverflowPolicy.STICKY));
  }

  @Override
  public FilterKind<CountingBloomFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * Number and width of the counters and number of probes.
   *
   * @return the shape, with its rate formula
   */
  public CountingShape shape() {
    return new CountingShape(
        new BloomShape(probes.bits(), probes.count(), probes.scheme()), counters.width());
  }

  /**
   * How indexes are computed.
   *
   * @return the scheme
   */
  public IndexScheme scheme() {
    return probes.scheme();
  }

  /**
   * What happens to saturated counters.
   *
   * @return the policy
   */
  public OverflowPolicy overflow() {
    return counters.isSticky() ? OverflowPolicy.STICKY : OverflowPolicy.DECREMENT;
  }

  /**
   * {@inheritDoc}
   *
   * @return 2 to the power of the counters' width, less 1
   */
  @Override
  public long maxCount() {
    return counters.max();
  }

  @Override
  public boolean mightContainHash(long hash) {
    return counterProbes.allAtLeast(hash, 1, counters);
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hasher.hash(key));
  }

  /**
   * Asks whether a key was added a number of times or more and not removed since.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @param threshold how often, 1…{@link #maxCount}
   * @return {@code false}: certainly less often; {@code true}: probably so often, wrong for a key
   *     that was never added with the probability {@link #thresholdRate}
   */
  public boolean mightContainHashAtLeast(long hash, int threshold) {
    checkThreshold(threshold);
    return counterProbes.allAtLeast(hash, threshold, counters);
  }

  /** {@inheritDoc} Here: at most {@link #maxCount}, which stands for that or more. */
  @Override
  public long countHash(long hash) {
    return counterProbes.lowest(hash, counters);
  }

  @Override
  public boolean addHash(long hash) {
    counters.words().writable();
    return counterProbes.add(hash, 1, counters);
  }

  @Override
  public boolean add(long key) {
    return addHash(hasher.hash(key));
  }

  @Override
  public boolean addHash(long hash, long times) {
    counters.words().writable();
    if (times < 0) {
      throw new IllegalArgumentException("times = " + times + " is below 0");
    }
    return times > 0 && counterProbes.add(hash, times, counters);
  }

  /**
   * {@inheritDoc}
   *
   * @return {@code false}: the key was certainly absent and nothing changed; {@code true}: it was
   *     there once less than before, or it was a false positive and other keys may be lost
   */
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
   * The probability that a key that was never added has a count of a threshold or more, from the
   * counters as they are. Reads every counter.
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

  @Override
  public long sizeInBits() {
    return counters.words().length() * Long.SIZE;
  }

  /**
   * How many counters are at their highest value. With {@link OverflowPolicy#STICKY} they never
   * fall again and keep keys that have left; with {@link OverflowPolicy#DECREMENT} they may lose
   * keys.
   *
   * @return the number of saturated counters
   */
  public long overflowedCounters() {
    return counters.saturated();
  }

  /**
   * How many counters hold each value.
   *
   * @return element {@code i} is the number of counters that hold {@code i}, 0…{@link #maxCount}
   */
  public long[] histogram() {
    return counters.histogram((int) maxCount());
  }

  /**
   * An estimate of the number of different keys, as {@link BloomFilter#cardinality}.
   *
   * @return about the number of keys; infinite if no counter is 0
   */
  public double cardinality() {
    return toBloomFilter().cardinality();
  }

  /**
   * The Bloom filter of the keys that are in this filter now, which takes a fraction of the memory:
   * bit for bit the one that they would give if they were added to it, unless counters are or were
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
    Frame frame =
        Frame.of(hasher)
            .put("bits", probes.bits())
            .put("probes", probes.count())
            .put("scheme", probes.scheme().wireId())
            .section(bits);
    try {
      return BloomFilter.KIND.decode(frame);
    } catch (IOException e) {
      throw new AssertionError("a frame in memory is whole", e);
    }
  }

  @Override
  public boolean isCompatible(CountingBloomFilter other) {
    Objects.requireNonNull(other, "other");
    return Compatibility.equal(hasher, other.hasher, layout(), other.layout());
  }

  private Layout layout() {
    return new Layout(probes.bits(), probes.count(), probes.scheme(), counters.width(), overflow());
  }

  private record Layout(
      long counters, int probes, IndexScheme scheme, int counterBits, OverflowPolicy overflow) {}

  /**
   * {@inheritDoc} Every counter is added to the other's; those that exceed the highest stay there.
   */
  @Override
  public void merge(CountingBloomFilter other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher, other.hasher, layout(), other.layout());
    counters.words().writable();
    if (other != this) {
      counters.addAll(other.counters);
    }
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public CountingBloomFilter copy() {
    return new CountingBloomFilter(hasher, probes, counters.copy());
  }

  /** Removes every key and forgets which counters were saturated. */
  public void clear() {
    counters.clear();
  }

  /**
   * Whether two filters have equal shapes, hashers and counters.
   *
   * @param other another filter
   * @return true if they answer alike for ever
   */
  public boolean sameCounters(CountingBloomFilter other) {
    return isCompatible(other) && counters.words().sameBits(other.counters.words());
  }

  @Override
  public String toString() {
    return "CountingBloomFilter[" + layout() + ", " + hasher + "]";
  }

  /** Options of a filter: expected keys and rate, or counters and probes. */
  public static final class Builder extends SizedBuilder<Builder> {
    private long counters;
    private int probes;
    private int counterBits = CountingShape.DEFAULT_COUNTER_BITS;
    private IndexScheme scheme;
    private OverflowPolicy overflow = OverflowPolicy.STICKY;
    private boolean shared = true;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * The number of counters, instead of a rate. Without {@link #probes} the best number for {@link
     * #expectedKeys} is taken.
     *
     * @param counters 2 or more; a partitioned filter rounds up to equal slices
     * @return this
     */
    public Builder counters(long counters) {
      this.counters = Arguments.inRange("counters", counters, 2, Probes.MAX_BITS);
      return this;
    }

    /**
     * Counters per key, together with {@link #counters}.
     *
     * @param probes 1…255
     * @return this
     */
    public Builder probes(int probes) {
      this.probes = Arguments.inRange("probes", probes, 1, BloomShape.MAX_PROBES);
      return this;
    }

    /**
     * The width of a counter. Queries are fastest with 2, 4, 8 and 16.
     *
     * @param counterBits 2…16; 4 if never called
     * @return this
     */
    public Builder counterBits(int counterBits) {
      this.counterBits =
          Arguments.inRange(
              "counterBits",
              counterBits,
              CountingShape.MIN_COUNTER_BITS,
              CountingShape.MAX_COUNTER_BITS);
      return this;
    }

    /**
     * What happens to saturated counters.
     *
     * @param overflow {@link OverflowPolicy#STICKY} if never called
     * @return this
     */
    public Builder overflow(OverflowPolicy overflow) {
      this.overflow = Objects.requireNonNull(overflow, "overflow");
      return this;
    }

    /**
     * How indexes are computed. Without it: enhanced double hashing, or independent indexes where a
     * filter is so small that the promised rate needs them.
     *
     * @param scheme the scheme
     * @return this
     */
    public Builder scheme(IndexScheme scheme) {
      this.scheme = Objects.requireNonNull(scheme, "scheme");
      return this;
    }

    /**
     * Whether several threads may add and remove at the same time, which is the default. Without it
     * both are faster, and the caller sees to it that one thread writes at a time.
     *
     * @param shared false for one writer at a time
     * @return this
     */
    public Builder shared(boolean shared) {
      this.shared = shared;
      return this;
    }

    /**
     * Makes the filter.
     *
     * @return an empty filter
     */
    public CountingBloomFilter build() {
      CountingShape shape = new CountingShape(cells(), counterBits);
      long count = shape.cells().bits();
      Probes indexes = new Probes(scheme(shape), count, shape.cells().probes());
      boolean sticky = overflow == OverflowPolicy.STICKY;
      return new CountingBloomFilter(
          hasher, indexes, Counters.allocate(count, counterBits, sticky, shared));
    }

    private BloomShape cells() {
      boolean partitioned = scheme == IndexScheme.PARTITIONED;
      if (counters == 0) {
        if (probes != 0) {
          throw new IllegalArgumentException("probes " + probes + " need counters as well");
        }
        return partitioned
            ? BloomShape.forKeys(expectedKeys, falsePositiveRate, IndexScheme.PARTITIONED)
            : BloomShape.forKeys(expectedKeys, falsePositiveRate);
      }
      if (falsePositiveRate != 0) {
        throw new IllegalArgumentException(
            "counters "
                + counters
                + " and falsePositiveRate "
                + falsePositiveRate
                + " exclude each other");
      }
      int count = probes == 0 ? BloomShape.forBudget(expectedKeys, counters).probes() : probes;
      return partitioned
          ? BloomShape.of(counters, count, IndexScheme.PARTITIONED)
          : BloomShape.of(counters, count);
    }

    private IndexScheme scheme(CountingShape shape) {
      if (scheme != null || falsePositiveRate == 0) {
        return scheme != null ? scheme : IndexScheme.ENHANCED_DOUBLE;
      }
      double expected = shape.falsePositiveRate(expectedKeys);
      return Probes.schemeFor(expectedKeys, shape.cells().bits(), expected, falsePositiveRate);
    }
  }
}
