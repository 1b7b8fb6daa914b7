package io.bloomery.internal.variant;

import io.bloomery.AddableFilter;
import io.bloomery.Filter;
import io.bloomery.FilterBuilder;
import io.bloomery.HashedFilter;
import io.bloomery.RangeFilterBuilder;
import io.bloomery.Storable;
import io.bloomery.Variant;
import io.bloomery.Writers;
import io.bloomery.error.ImpossibleSizeException;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.KeyHashes;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * States the facts of a variant, beside the kind's class. {@code creates}, {@code createsFor},
 * {@code builds}, {@code buildsOf} or {@code hasOwnBuilder} completes it.
 *
 * @param <S> the kind's shape
 */
public final class VariantBuilder<S extends Shape> {

  /**
   * Sizes a filter by its rate.
   *
   * @param <S> the kind's shape
   */
  @FunctionalInterface
  public interface ForKeys<S> {
    /**
     * The smallest shape for a rate.
     *
     * @param expectedKeys distinct keys
     * @param falsePositiveRate the highest rate at that number of keys
     * @return the shape
     */
    S shape(long expectedKeys, double falsePositiveRate);
  }

  /**
   * Sizes a filter by its memory.
   *
   * @param <S> the kind's shape
   */
  @FunctionalInterface
  public interface ForBudget<S> {
    /**
     * The shape with the lowest rate within a budget.
     *
     * @param expectedKeys distinct keys
     * @param bits the most bits
     * @return the shape
     */
    S shape(long expectedKeys, long bits);
  }

  /**
   * Starts building a filter whose keys must all be known in advance.
   *
   * @param <S> the kind's shape
   */
  @FunctionalInterface
  public interface Start<S> {
    /**
     * A new builder.
     *
     * @param shape the parameters
     * @param hasher turns keys into hashes
     * @param threads how many threads may build, 1 or more
     * @return a builder that takes the keys' hashes
     */
    FilterBuilder builder(S shape, Hasher hasher, int threads);
  }

  /**
   * Makes an empty filter for a number of writers.
   *
   * @param <S> the kind's shape
   * @param <F> the filter's class
   */
  @FunctionalInterface
  public interface Create<S, F> {
    /**
     * An empty filter.
     *
     * @param shape the parameters
     * @param hasher turns keys into hashes
     * @param writers how many threads add at the same time
     * @return the filter
     */
    F filter(S shape, Hasher hasher, Writers writers);
  }

  /**
   * Builds a filter from all its keys.
   *
   * @param <S> the kind's shape
   */
  @FunctionalInterface
  public interface OfHashes<S> {
    /**
     * Builds the filter of a set.
     *
     * @param shape the parameters
     * @param hasher turns keys into hashes
     * @param hashes the keys' hashes, in the order in which they were added, with duplicates
     * @return the filter
     */
    HashedFilter build(S shape, Hasher hasher, long[] hashes);
  }

  /** The default cost of an add: it reads and writes. */
  private static final double QUERIES_PER_ADD = 2;

  final String name;
  final Class<S> shapeType;
  final Set<Need> meets = EnumSet.noneOf(Need.class);
  final Map<Need, String> limits = new EnumMap<>(Need.class);
  final List<Set<Need>> onlyFor = new ArrayList<>();
  @Nullable ForKeys<S> forKeys;
  @Nullable Function<Needs, S> sizer;
  @Nullable ToIntFunction<S> cacheLines;
  @Nullable ToIntFunction<S> words;
  @Nullable ToDoubleFunction<S> usualLines;
  @Nullable ToDoubleFunction<S> work;
  @Nullable ToDoubleFunction<S> absentLines;
  @Nullable ToDoubleFunction<S> absentWork;
  @Nullable ToDoubleFunction<S> fetches;
  @Nullable ToDoubleFunction<S> absentFetches;
  double queriesPerAdd = QUERIES_PER_ADD;
  boolean hashed = true;
  boolean sharded;
  boolean mergesExactly;
  boolean orderMatters;
  boolean storesDuplicates;
  private boolean oneWriter;
  @Nullable String why;
  @Nullable String misses;
  @Nullable String falsePositiveCost;
  @Nullable Create<S, ? extends Filter> create;
  @Nullable Start<S> start;
  @Nullable BiFunction<S, Hasher, RangeFilterBuilder> ranges;
  @Nullable String refusal;

  private VariantBuilder(String name, Class<S> shapeType) {
    this.name = Objects.requireNonNull(name, "name");
    this.shapeType = Objects.requireNonNull(shapeType, "shapeType");
  }

  /**
   * Starts the description of a variant.
   *
   * @param name lower case words joined by hyphens, unique among all variants; the kind's name if
   *     it has only one variant
   * @param shapeType the class of its shapes
   * @param <S> the kind's shape
   * @return a builder for the facts
   */
  public static <S extends Shape> VariantBuilder<S> of(String name, Class<S> shapeType) {
    return new VariantBuilder<>(name, shapeType);
  }

  /**
   * The required needs that it meets, {@link Need#PRIVATE} aside, which all hashed kinds meet.
   *
   * @param needs what it can do
   * @return this
   */
  public VariantBuilder<S> meets(Need... needs) {
    meets.addAll(List.of(needs));
    return this;
  }

  /**
   * A required need that it meets within a limit: the planner ranks it after those that meet all
   * needs in full.
   *
   * @param need what it can do
   * @param limit what it cannot, as the end of a sentence, such as "counts stop at 65535"
   * @return this
   */
  public VariantBuilder<S> meetsPartly(Need need, String limit) {
    meets.add(need);
    limits.put(need, Objects.requireNonNull(limit, "limit"));
    return this;
  }

  /**
   * It may report keys absent that were added. The planner ranks it after those that do not, unless
   * {@link Need#FALSE_NEGATIVES} is set; {@code onlyFor(Need.FALSE_NEGATIVES)} leaves it out.
   *
   * @param misses which keys, as the end of a sentence that begins with "but"
   * @return this
   */
  public VariantBuilder<S> misses(String misses) {
    this.misses = Objects.requireNonNull(misses, "misses");
    return this;
  }

  /**
   * What a false positive costs, if the needs that it meets do not describe it fully.
   *
   * @param cost a sentence without its full stop
   * @return this
   */
  public VariantBuilder<S> falsePositiveCosts(String cost) {
    this.falsePositiveCost = Objects.requireNonNull(cost, "cost");
    return this;
  }

  /**
   * What it costs to delete a key that was never added but is reported present.
   *
   * @param effect the end of a sentence that begins with "deleting it", such as "loses at most k
   *     other keys"
   * @return this
   */
  public VariantBuilder<S> falseDeletion(String effect) {
    return falsePositiveCosts(FalsePositiveCosts.PLAIN + "; deleting it " + effect);
  }

  /** The needs that it meets; every hashed kind can use a secret key. */
  Set<Need> met() {
    Set<Need> met = EnumSet.copyOf(meets);
    if (hashed && !meets.contains(Need.RANGES)) { // an order of hidden keys tells their distances
      met.add(Need.PRIVATE);
    }
    if (mergesExactly) {
      met.add(Need.MERGES);
    }
    if (create == null || !oneWriter) {
      met.add(Need.MANY_WRITERS);
    }
    return Collections.unmodifiableSet(met);
  }

  /**
   * Offered only if one of these needs is set, because it requires or loses something that others
   * do not. With several calls, one need of each must be set.
   *
   * @param needs the needs
   * @return this
   */
  public VariantBuilder<S> onlyFor(Need... needs) {
    onlyFor.add(Set.of(needs));
    return this;
  }

  /**
   * Never offered, because others are better for any needs; built only when named explicitly.
   *
   * @return this
   */
  public VariantBuilder<S> onlyByName() {
    return onlyFor();
  }

  /**
   * Sizing by rate; {@link #forBudget} or {@link #searchBudget} follows.
   *
   * @param sizer the shape's factory
   * @return this
   */
  public VariantBuilder<S> forKeys(ForKeys<S> sizer) {
    this.forKeys = sizer;
    return this;
  }

  /**
   * Sizing by memory.
   *
   * @param forBudget the shape's factory
   * @return this
   */
  public VariantBuilder<S> forBudget(ForBudget<S> forBudget) {
    ForKeys<S> byRate = Objects.requireNonNull(forKeys, "forKeys");
    return sized(
        needs ->
            needs.rate().isPresent()
                ? byRate.shape(needs.keys(), needs.rate().getAsDouble())
                : forBudget.shape(needs.keys(), needs.budget().orElseThrow()));
  }

  /**
   * Sizing by memory, for kinds without their own formula: searches for the lowest rate whose shape
   * fits.
   *
   * @return this
   */
  public VariantBuilder<S> searchBudget() {
    ForKeys<S> byRate = Objects.requireNonNull(forKeys, "forKeys");
    return forBudget((keys, bits) -> BudgetSearch.shape(name, byRate, keys, bits));
  }

  /**
   * Sizing by all needs, for kinds that need the size of the universe.
   *
   * @param sizer returns the shape or throws an {@link ImpossibleSizeException} that says what is
   *     missing
   * @return this
   */
  public VariantBuilder<S> sized(Function<Needs, S> sizer) {
    this.sizer = sizer;
    return this;
  }

  /**
   * The cost of a query.
   *
   * @param cacheLines the most cache lines that a query of a large filter touches
   * @param words the most 64-bit words that it reads
   * @return this
   */
  public VariantBuilder<S> reads(ToIntFunction<S> cacheLines, ToIntFunction<S> words) {
    this.cacheLines = cacheLines;
    this.words = words;
    return this;
  }

  /**
   * The cost of a query in which each word is in its own cache line.
   *
   * @param words the most 64-bit words that a query reads
   * @return this
   */
  public VariantBuilder<S> reads(ToIntFunction<S> words) {
    return reads(words, words);
  }

  /**
   * More keys than one filter holds are built in shards.
   *
   * @return this
   */
  public VariantBuilder<S> sharded() {
    this.sharded = true;
    return this;
  }

  /**
   * The work of a query apart from fetching cache lines, where that is not its number of words.
   *
   * @param work the time as an equivalent number of words of a blocked filter
   * @return this
   */
  public VariantBuilder<S> works(ToDoubleFunction<S> work) {
    this.work = work;
    return this;
  }

  /**
   * The average query, where it fetches fewer lines than the most, or waits for one before it can
   * fetch the next.
   *
   * @param cacheLines lines that it fetches at the same time; one that waits for another counts as
   *     several
   * @param work the time apart from that, as an equivalent number of words of a blocked filter
   * @return this
   */
  public VariantBuilder<S> works(ToDoubleFunction<S> cacheLines, ToDoubleFunction<S> work) {
    this.usualLines = cacheLines;
    this.work = work;
    return this;
  }

  /**
   * The average query for an absent key, where it ends early.
   *
   * @param cacheLines lines that it fetches
   * @param work the time apart from that, as an equivalent number of words of a blocked filter
   * @return this
   */
  public VariantBuilder<S> absent(ToDoubleFunction<S> cacheLines, ToDoubleFunction<S> work) {
    this.absentLines = cacheLines;
    this.absentWork = work;
    return this;
  }

  /**
   * The average query for an absent key, where three positions are tested before the first branch,
   * and their lines fetched together.
   *
   * @param positions all positions of a key
   * @param work the time apart from lines, as an equivalent number of words of a blocked filter
   * @return this
   */
  public VariantBuilder<S> absentByThree(ToIntFunction<S> positions, ToDoubleFunction<S> work) {
    this.absentFetches = shape -> EarlyExit.fetchesByThree(positions.applyAsInt(shape));
    return absent(shape -> EarlyExit.byThree(positions.applyAsInt(shape)), work);
  }

  /**
   * How often a query fetches lines, where it does not fetch them one by one. Lines fetched
   * together, because they lie side by side or because their places are known at once, count once.
   *
   * @param present the mean for a present key
   * @param absent the mean for an absent key
   * @return this
   */
  public VariantBuilder<S> fetches(ToDoubleFunction<S> present, ToDoubleFunction<S> absent) {
    this.fetches = present;
    this.absentFetches = absent;
    return this;
  }

  /**
   * What it costs to add a key, or to build a static filter, per key, where that is not twice a
   * query.
   *
   * @param queries the time as an equivalent number of queries
   * @return this
   */
  public VariantBuilder<S> addsLike(double queries) {
    this.queriesPerAdd = queries;
    return this;
  }

  /**
   * When to choose this variant.
   *
   * @param why a sentence without its full stop
   * @return this
   */
  public VariantBuilder<S> why(String why) {
    this.why = why;
    return this;
  }

  /**
   * Keys are not hashed, so a keyed hash is not recommended and the set not private.
   *
   * @return this
   */
  public VariantBuilder<S> unhashed() {
    this.hashed = false;
    return this;
  }

  /**
   * One thread adds at a time.
   *
   * @return this
   */
  public VariantBuilder<S> oneWriter() {
    this.oneWriter = true;
    return this;
  }

  /** How many threads may add to a filter at the same time; empty if all keys come at once. */
  Set<Writers> writers() {
    if (create == null) {
      return EnumSet.noneOf(Writers.class);
    }
    return oneWriter ? EnumSet.of(Writers.ONE) : EnumSet.allOf(Writers.class);
  }

  /**
   * Filters of parts of the keys, merged, are the filter of all keys.
   *
   * @return this
   */
  public VariantBuilder<S> mergesExactly() {
    this.mergesExactly = true;
    return this;
  }

  /**
   * The order of adds changes what is stored.
   *
   * @return this
   */
  public VariantBuilder<S> orderMatters() {
    this.orderMatters = true;
    return this;
  }

  /**
   * A key that is added again takes room or a count again.
   *
   * @return this
   */
  public VariantBuilder<S> storesDuplicates() {
    this.storesDuplicates = true;
    return this;
  }

  /**
   * Keys alone are not enough, so no command can build it from a list of keys.
   *
   * @param refusal the end of a sentence that begins with the name, such as "needs a value for each
   *     key"
   * @return this
   */
  public VariantBuilder<S> needsMore(String refusal) {
    this.refusal = refusal;
    return this;
  }

  /**
   * A kind that accepts keys one at a time: an {@link AddableFilter}, unless it {@link #needsMore}.
   * Its filters are the same for any number of writers.
   *
   * @param create makes an empty filter
   * @param <F> the filter's class
   * @return the variant
   */
  public <F extends Storable> Variant creates(BiFunction<S, Hasher, F> create) {
    return createsFor((shape, hasher, writers) -> create.apply(shape, hasher));
  }

  /**
   * The same for a kind whose filters for one writer add faster.
   *
   * @param create makes an empty filter
   * @param <F> the filter's class
   * @return the variant
   */
  public <F extends Storable> Variant createsFor(Create<S, F> create) {
    this.create = create;
    return new StatedVariant<>(this);
  }

  /**
   * A static kind, which needs all keys in advance.
   *
   * @param start creates a new builder
   * @return the variant
   */
  public Variant builds(Start<S> start) {
    this.start = start;
    return new StatedVariant<>(this);
  }

  /**
   * A static kind, built from one array of hashes.
   *
   * @param maker builds the filter
   * @return the variant
   */
  public Variant buildsOf(OfHashes<S> maker) {
    return builds(
        (shape, hasher, threads) -> {
          KeyHashes keys = KeyHashes.empty();
          return new FilterBuilder() {
            @Override
            public void addHashes(long[] hashes, int from, int to) {
              Objects.checkFromToIndex(from, to, hashes.length);
              for (int i = from; i < to; i++) {
                keys.add(hashes[i]);
              }
            }

            @Override
            public HashedFilter build() {
              return maker.build(shape, hasher, keys.drain());
            }
          };
        });
  }

  /**
   * A kind that needs its keys in their order, not their hashes.
   *
   * @param start creates a new builder
   * @return this
   */
  public VariantBuilder<S> ordered(BiFunction<S, Hasher, RangeFilterBuilder> start) {
    this.ranges = start;
    return meets(Need.RANGES).needsMore("needs keys in their order, not their hashes");
  }

  /**
   * A static kind that {@link #needsMore} than keys and is built by its own builder class.
   *
   * @return the variant
   */
  public Variant hasOwnBuilder() {
    Objects.requireNonNull(refusal, "needsMore");
    return new StatedVariant<>(this);
  }
}
