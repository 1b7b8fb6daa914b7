package io.bloomery.plan;

import io.bloomery.Filter;
import io.bloomery.FilterBuilder;
import io.bloomery.FilterKind;
import io.bloomery.RangeFilterBuilder;
import io.bloomery.Variant;
import io.bloomery.hash.Hasher;
import java.util.Objects;

/**
 * One recommendation: the kind, its size, error rate and speed, the reason, and the filter itself.
 *
 * @param kind the kind of filter
 * @param variant which of its variants
 * @param shape the parameters; of each shard, if there are several
 * @param shards how many filters of that shape hold the keys, each a range of hashes: 1 unless the
 *     set is too large for one, which {@link #builder} then makes a {@link
 *     io.bloomery.frozen.ShardedFilter}
 * @param bitsPerKey size in bits divided by the number of keys
 * @param predictedRate the expected false-positive rate at the planned keys
 * @param cacheLines the most cache lines of 64 bytes that one query touches
 * @param words 64-bit words that a query reads at most; fewer are faster
 * @param presentNanos predicted nanoseconds of a query for a key that is there, without hashing it
 * @param absentNanos predicted nanoseconds of a query for a key that is not there
 * @param queryNanos predicted nanoseconds of a query, with as many present keys as {@link
 *     Needs#presentShare} says
 * @param addNanos predicted nanoseconds to add a key, or to build a static filter, per key
 * @param cost what plans are ranked by, as {@link Planner} states it; less is better
 * @param keyed whether the filter needs a keyed hasher because input is hostile or the set private
 * @param why one sentence that says when this is the right choice, with the figures that decided
 */
public record Plan(
    FilterKind<?> kind,
    Variant variant,
    Shape shape,
    int shards,
    double bitsPerKey,
    double predictedRate,
    int cacheLines,
    int words,
    double presentNanos,
    double absentNanos,
    double queryNanos,
    double addNanos,
    double cost,
    boolean keyed,
    String why) {

  /** Requires kind, variant, shape and reason. */
  public Plan {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(variant, "variant");
    Objects.requireNonNull(shape, "shape");
    Objects.requireNonNull(why, "why");
  }

  /** The same plan with another reason. */
  Plan because(String reason) {
    return new Plan(
        kind,
        variant,
        shape,
        shards,
        bitsPerKey,
        predictedRate,
        cacheLines,
        words,
        presentNanos,
        absentNanos,
        queryNanos,
        addNanos,
        cost,
        keyed,
        reason);
  }

  /**
   * The name of the variant, for messages.
   *
   * @return for example "blocked-128"
   */
  public String name() {
    return variant.name();
  }

  /**
   * The memory of the filter, of all its shards.
   *
   * @return the size in bits
   */
  public long sizeInBits() {
    return shards * shape.sizeInBits();
  }

  /**
   * The filter as planned, empty, with the default hasher.
   *
   * @return a filter of the kind's class
   * @throws IllegalStateException if the kind holds a static set, which {@link #builder} builds, or
   *     if the filter must be {@link #keyed}
   */
  public Filter create() {
    return create(Hasher.xxh3());
  }

  /**
   * The filter as planned, empty.
   *
   * @param hasher turns keys into hashes
   * @return a filter of the kind's class
   * @throws IllegalStateException if the kind holds a static set, which {@link #builder} builds, or
   *     if the filter must be {@link #keyed} and the hasher is not
   */
  public Filter create(Hasher hasher) {
    return variant.create(shape, checked(hasher));
  }

  /**
   * The filter as planned, empty, with the default hasher, as what the needs have asked for: {@code
   * plan.create(RemovableFilter.class)} for {@link Need#DELETES}.
   *
   * @param capability an interface of filters, such as {@link io.bloomery.AddableFilter}, or the
   *     kind's own class
   * @param <F> the capability
   * @return the filter
   * @throws IllegalStateException as {@link #create()}, or if the kind does not have the capability
   */
  public <F> F create(Class<F> capability) {
    return create(capability, Hasher.xxh3());
  }

  /**
   * The filter as planned, empty, as what the needs have asked for.
   *
   * @param capability an interface of filters, such as {@link io.bloomery.AddableFilter}, or the
   *     kind's own class
   * @param hasher turns keys into hashes
   * @param <F> the capability
   * @return the filter
   * @throws IllegalStateException as {@link #create(Hasher)}, or if the kind does not have the
   *     capability
   */
  public <F> F create(Class<F> capability, Hasher hasher) {
    Filter filter = create(hasher);
    if (!capability.isInstance(filter)) {
      throw new IllegalStateException(
          "the planned filter, %s, is no %s: plan with the need for it"
              .formatted(name(), capability.getSimpleName()));
    }
    return capability.cast(filter);
  }

  /**
   * Starts building the planned filter from the hashes of keys, whether the kind takes keys one at
   * a time or all at once.
   *
   * @param hasher turns keys into hashes
   * @param threads how many threads may build it, 1 or more
   * @return takes the keys' hashes
   * @throws IllegalStateException if keys alone do not fill it, as {@link Variant#refusal()} says,
   *     or if the filter must be {@link #keyed} and the hasher is not
   */
  public FilterBuilder builder(Hasher hasher, int threads) {
    return variant.builder(shape, checked(hasher), threads);
  }

  /**
   * Starts building the planned filter of ordered keys.
   *
   * @param hasher turns parts of keys into hashes
   * @return takes the keys
   * @throws IllegalStateException unless the kind meets {@link Need#RANGES}, or if the filter must
   *     be {@link #keyed} and the hasher is not
   */
  public RangeFilterBuilder rangeBuilder(Hasher hasher) {
    return variant.rangeBuilder(shape, checked(hasher));
  }

  private Hasher checked(Hasher hasher) {
    Objects.requireNonNull(hasher, "hasher");
    if (keyed && !hasher.isKeyed()) {
      throw new IllegalStateException(
          "the filter needs a secret: give a hasher of KeyedFilters.of(secret), or one made by"
              + " Hasher.keyed, with a secret key");
    }
    return hasher;
  }
}
