package io.bloomery;

import io.bloomery.hash.Hasher;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Shape;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * One way to size and build a filter of a kind. Each kind declares its variants next to its class;
 * the planner, the command line and the contract tests know only what is declared here.
 *
 * <p>Sizing considers keys, rate, budget and universe, never other needs: a variant named
 * explicitly is sized as if every need were set. Immutable.
 *
 * @param <S> the kind's shape
 */
public final class Variant<S extends Shape> {

  private static final int CACHE_LINE_BITS = 512;

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

  private final String name;
  private final Class<S> shapeType;
  private final Set<Need> meets;
  private final Map<Need, String> limits;
  private final List<Set<Need>> onlyFor;
  private final Function<Needs, S> sizer;
  private final ToIntFunction<S> cacheLines;
  private final ToIntFunction<S> words;
  private final ToIntFunction<S> steps;
  private final double queriesPerAdd;
  private final boolean hashed;
  private final boolean lockFree;
  private final String why;
  private final String misses;
  private final String falsePositiveCost;
  private final BiFunction<S, Hasher, ? extends Filter> create;
  private final Start<S> start;
  private final String refusal;

  Variant(VariantBuilder<S> options) {
    this.name = options.name;
    this.shapeType = options.shapeType;
    this.meets = options.met();
    this.limits = Collections.unmodifiableMap(new EnumMap<>(options.limits));
    this.onlyFor = List.copyOf(options.onlyFor);
    this.sizer = Objects.requireNonNull(options.sizer, "sizer");
    this.cacheLines = Objects.requireNonNull(options.cacheLines, "cacheLines");
    this.words = Objects.requireNonNull(options.words, "words");
    this.steps = options.steps;
    this.queriesPerAdd = options.queriesPerAdd;
    this.hashed = options.hashed;
    this.lockFree = options.lockFree;
    this.why = Objects.requireNonNull(options.why, "why");
    this.misses = options.misses;
    this.falsePositiveCost =
        options.falsePositiveCost == null
            ? FalsePositiveCosts.of(meets, options.onlyFor)
            : options.falsePositiveCost;
    this.create = options.create;
    this.start = options.start;
    this.refusal = options.refusal;
  }

  /**
   * Starts the description of a variant.
   *
   * @param name lower case words joined by hyphens, unique among all variants; the kind's name if
   *     it has only one variant
   * @param shapeType the class of its shapes
   * @param <S> the kind's shape
   * @return a builder for the facts; {@code creates}, {@code builds} or {@code hasOwnBuilder}
   *     completes it
   */
  public static <S extends Shape> VariantBuilder<S> of(String name, Class<S> shapeType) {
    return new VariantBuilder<>(name, shapeType);
  }

  /**
   * The name that command lines and plans use.
   *
   * @return for example "blocked-128"
   */
  public String name() {
    return name;
  }

  /**
   * The class of its shapes.
   *
   * @return a record
   */
  public Class<S> shapeType() {
    return shapeType;
  }

  /**
   * The needs that it meets: all required ones, and of the others those that it is made for.
   *
   * @return an unmodifiable set
   */
  public Set<Need> meets() {
    return meets;
  }

  /**
   * Whether the planner offers it: it meets every required need, and the needs that justify its
   * cost are set.
   *
   * @param needs what the user knows
   * @return false if the planner leaves it out
   */
  public boolean isOfferedFor(Needs needs) {
    return needs.all().stream().filter(Need::isRequired).allMatch(meets::contains)
        && onlyFor.stream().allMatch(some -> some.stream().anyMatch(needs::has));
  }

  /**
   * Whether there are needs for which the planner offers it.
   *
   * @return false if others are better for any needs, so that it is built only when named
   *     explicitly
   */
  public boolean isOffered() {
    return onlyFor.stream().noneMatch(Set::isEmpty);
  }

  /**
   * The parameters for a number of keys and a rate or a budget.
   *
   * @param needs what the user knows
   * @return the smallest shape for the rate, or the one with the lowest rate within the budget
   * @throws IllegalArgumentException if there is none; the message says why
   */
  public S shape(Needs needs) {
    return sizer.apply(needs);
  }

  /**
   * The most cache lines of 64 bytes that a query touches.
   *
   * @param shape one of this variant's shapes
   * @return 1 or more
   */
  public int cacheLines(Shape shape) {
    long lines = Math.max(1, (shape.sizeInBits() + CACHE_LINE_BITS - 1) / CACHE_LINE_BITS);
    return (int) Math.min(lines, cacheLines.applyAsInt(shapeType.cast(shape)));
  }

  /**
   * The most 64-bit words that a query reads.
   *
   * @param shape one of this variant's shapes
   * @return 1 or more
   */
  public int words(Shape shape) {
    return words.applyAsInt(shapeType.cast(shape));
  }

  /**
   * What a query computes beyond reading its words.
   *
   * @param shape one of this variant's shapes
   * @return the work as a number of words that could be read in the same time
   */
  public int steps(Shape shape) {
    return steps.applyAsInt(shapeType.cast(shape));
  }

  /**
   * What it costs to add a key, or to build a static filter, per key.
   *
   * @return the work as a number of queries
   */
  public double queriesPerAdd() {
    return queriesPerAdd;
  }

  /**
   * The limits within which it meets the needs.
   *
   * @param needs what the user knows
   * @return a limit for each need that is not met in full, and which keys it loses unless that is
   *     tolerable; empty if there is none
   */
  public List<String> limits(Needs needs) {
    Stream<String> unmet =
        limits.entrySet().stream()
            .filter(limit -> needs.has(limit.getKey()))
            .map(Map.Entry::getValue);
    boolean tolerable = needs.has(Need.FALSE_NEGATIVES);
    return Stream.concat(unmet, tolerable ? Stream.empty() : misses().stream()).toList();
  }

  /**
   * Which keys that were added it may report absent.
   *
   * @return the end of a sentence that begins with "but", such as "it also forgets some keys of the
   *     window"; empty if it has no false negatives
   */
  public Optional<String> misses() {
    return Optional.ofNullable(misses);
  }

  /**
   * What a false positive costs. Broder and Mitzenmacher's Bloom filter principle: "When using a
   * Bloom filter, consider the potential effects of false positives."
   *
   * @return a sentence without its full stop, such as "an absent key is reported present"
   */
  public String falsePositiveCost() {
    return falsePositiveCost;
  }

  /**
   * Whether keys are hashed, so that a keyed hash protects the filter from hostile input.
   *
   * @return false for kinds that store numbers directly
   */
  public boolean isHashed() {
    return hashed;
  }

  /**
   * Whether any number of threads may add at the same time.
   *
   * @return false if one thread adds at a time
   */
  public boolean isLockFree() {
    return lockFree;
  }

  /**
   * Whether all keys must be known before the filter is built.
   *
   * @return true for static kinds
   */
  public boolean isStatic() {
    return create == null;
  }

  /**
   * When to choose this variant.
   *
   * @return a sentence without its full stop
   */
  public String why() {
    return why;
  }

  /**
   * Why a filter cannot be filled with keys alone.
   *
   * @return the end of a sentence that begins with the name, such as "needs a value for each key";
   *     empty if keys suffice
   */
  public Optional<String> refusal() {
    return Optional.ofNullable(refusal);
  }

  /**
   * An empty filter that accepts keys one at a time.
   *
   * @param shape one of this variant's shapes
   * @param hasher turns keys into hashes; unused by kinds that store numbers directly
   * @return the filter, of the kind's class
   * @throws IllegalStateException if the variant {@link #isStatic()}
   */
  public Filter create(Shape shape, Hasher hasher) {
    Objects.requireNonNull(hasher, "hasher");
    if (create == null) {
      throw new IllegalStateException(
          name + " holds a static set: it is built from all keys at once, not created empty");
    }
    return create.apply(shapeType.cast(shape), hasher);
  }

  /**
   * Starts building a filter from keys.
   *
   * @param shape one of this variant's shapes
   * @param hasher turns keys into hashes
   * @param threads how many threads may build it, 1 or more
   * @return a builder that takes the keys' hashes
   * @throws IllegalStateException if there is a {@link #refusal()}
   */
  public FilterBuilder builder(Shape shape, Hasher hasher, int threads) {
    if (refusal != null) {
      throw new IllegalStateException(name + " " + refusal);
    }
    Objects.requireNonNull(hasher, "hasher");
    if (start != null) {
      return start.builder(shapeType.cast(shape), hasher, threads);
    }
    AddableFilter filter = (AddableFilter) create(shape, hasher);
    return new FilterBuilder() {
      @Override
      public void addHashes(long[] hashes, int from, int to) {
        filter.addHashes(hashes, from, to);
      }

      @Override
      public HashedFilter build() {
        return filter;
      }
    };
  }

  @Override
  public String toString() {
    return name;
  }
}
