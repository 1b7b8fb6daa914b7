package io.bloomery;

import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.KeyHashes;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * How a filter of one kind is made of nothing but keys, or why it cannot be: its size from a number
 * of keys and a rate or a budget, and then the filter from the keys' hashes.
 *
 * <p>Each kind states its recipe where it is defined, so that a program can offer every kind
 * without knowing any. Immutable.
 *
 * @param <S> the kind's shape
 */
public final class FilterRecipe<S extends Shape> {

  /** The fewest bits of information a key that a search for a budget tries. */
  private static final double LEAST_BITS = 0.01;

  private static final double HASH_BITS = 57;
  private static final int STEPS = 24;

  /**
   * Sizes a kind for a rate.
   *
   * @param <S> the kind's shape
   */
  @FunctionalInterface
  public interface ForRate<S> {
    /**
     * The smallest shape for a rate.
     *
     * @param keys distinct keys
     * @param rate the highest rate at that number of keys
     * @return the shape
     */
    S shape(long keys, double rate);
  }

  /**
   * Sizes a kind for a budget.
   *
   * @param <S> the kind's shape
   */
  @FunctionalInterface
  public interface ForBudget<S> {
    /**
     * The best shape within a budget.
     *
     * @param keys distinct keys
     * @param bits the most bits
     * @return the shape
     */
    S shape(long keys, long bits);
  }

  /**
   * What a filter is made for.
   *
   * @param shape its parameters
   * @param keys how many distinct keys are expected
   * @param rate the promised rate, 1 if nothing is promised
   * @param hasher turns keys into hashes
   * @param threads how many threads may build it
   * @param <S> the kind's shape
   */
  public record Order<S extends Shape>(
      S shape, long keys, double rate, Hasher hasher, int threads) {

    /**
     * Checks the fields.
     *
     * @param shape its parameters
     * @param keys how many distinct keys are expected
     * @param rate the promised rate
     * @param hasher turns keys into hashes
     * @param threads how many threads may build it
     */
    public Order {
      Objects.requireNonNull(shape, "shape");
      Objects.requireNonNull(hasher, "hasher");
    }
  }

  /**
   * A filter of some kind that can be asked and saved.
   *
   * @param filter to ask
   * @param storable the same, to save
   */
  public record Made(HashedFilter filter, Storable storable) {
    /**
     * Both views of a filter.
     *
     * @param filter the filter
     * @param <F> its class
     * @return both
     */
    public static <F extends HashedFilter & Storable> Made of(F filter) {
      return new Made(filter, filter);
    }
  }

  /** A filter that is being made: it takes hashes, then there is the filter. */
  public interface Making {
    /**
     * Adds keys by their hashes. Kinds that are {@link #isLockFree()} may be told by any number of
     * threads at the same time.
     *
     * @param hashes keys' hashes by the order's hasher; copied
     * @param from the first to add
     * @param to one past the last to add
     */
    void addHashes(long[] hashes, int from, int to);

    /**
     * The filter of all keys. Called once, after the last add.
     *
     * @return the filter
     * @throws IOException if a temporary file of hashes cannot be read
     */
    Made finish() throws IOException;
  }

  private final Class<S> shapeType;
  private final ForRate<S> forRate;
  private final ForBudget<S> forBudget;
  private final Function<Order<S>, Making> start;
  private final boolean needsAllFirst;
  private final boolean lockFree;
  private final String refusal;

  private FilterRecipe(
      Class<S> shapeType,
      ForRate<S> forRate,
      ForBudget<S> forBudget,
      Function<Order<S>, Making> start,
      boolean needsAllFirst,
      boolean lockFree,
      String refusal) {
    this.shapeType = shapeType;
    this.forRate = forRate;
    this.forBudget = forBudget;
    this.start = start;
    this.needsAllFirst = needsAllFirst;
    this.lockFree = lockFree;
    this.refusal = refusal;
  }

  /**
   * A kind that any number of threads may add to at the same time.
   *
   * @param shape the class of its shapes
   * @param forRate sizes it for a rate
   * @param forBudget sizes it for a budget; {@link #byRate} if it has no formula for that
   * @param maker makes an empty filter
   * @param <S> the kind's shape
   * @param <F> the filter
   * @return the recipe
   */
  public static <S extends Shape, F extends AddableFilter & Storable> FilterRecipe<S> lockFree(
      Class<S> shape, ForRate<S> forRate, ForBudget<S> forBudget, Function<Order<S>, F> maker) {
    return new FilterRecipe<>(
        shape, forRate, forBudget, order -> adding(maker.apply(order)), false, true, null);
  }

  /**
   * A kind that one thread adds to at a time.
   *
   * @param shape the class of its shapes
   * @param forRate sizes it for a rate
   * @param forBudget sizes it for a budget; {@link #byRate} if it has no formula for that
   * @param maker makes an empty filter
   * @param <S> the kind's shape
   * @param <F> the filter
   * @return the recipe
   */
  public static <S extends Shape, F extends AddableFilter & Storable> FilterRecipe<S> locked(
      Class<S> shape, ForRate<S> forRate, ForBudget<S> forBudget, Function<Order<S>, F> maker) {
    return new FilterRecipe<>(
        shape, forRate, forBudget, order -> adding(maker.apply(order)), false, false, null);
  }

  /**
   * A kind whose builder takes all keys before the filter is made.
   *
   * @param shape the class of its shapes
   * @param forRate sizes it for a rate
   * @param forBudget sizes it for a budget; {@link #byRate} if it has no formula for that
   * @param start gives a new builder
   * @param <S> the kind's shape
   * @return the recipe
   */
  public static <S extends Shape> FilterRecipe<S> building(
      Class<S> shape,
      ForRate<S> forRate,
      ForBudget<S> forBudget,
      Function<Order<S>, Making> start) {
    return new FilterRecipe<>(shape, forRate, forBudget, start, true, false, null);
  }

  /**
   * A kind that is made of an array of all hashes.
   *
   * @param shape the class of its shapes
   * @param forRate sizes it for a rate
   * @param forBudget sizes it for a budget; {@link #byRate} if it has no formula for that
   * @param maker makes the filter of hashes in any order
   * @param <S> the kind's shape
   * @param <F> the filter
   * @return the recipe
   */
  public static <S extends Shape, F extends HashedFilter & Storable> FilterRecipe<S> ofArray(
      Class<S> shape,
      ForRate<S> forRate,
      ForBudget<S> forBudget,
      BiFunction<Order<S>, long[], F> maker) {
    return building(shape, forRate, forBudget, order -> collecting(order, maker));
  }

  /**
   * A kind that needs more than keys.
   *
   * @param reason what it needs, as the end of a sentence that begins with its name, such as "needs
   *     a value for each key"
   * @return the recipe
   */
  public static FilterRecipe<Shape> none(String reason) {
    return new FilterRecipe<>(
        Shape.class, null, null, null, false, false, Objects.requireNonNull(reason, "reason"));
  }

  /**
   * Sizes a kind for a budget by a search for the lowest rate that it allows.
   *
   * @param forRate sizes the kind for a rate
   * @param <S> the kind's shape
   * @return sizes it for a budget
   */
  public static <S extends Shape> ForBudget<S> byRate(ForRate<S> forRate) {
    return (keys, bits) -> {
      double low = LEAST_BITS;
      S best = within(forRate, keys, low, bits);
      if (best == null) {
        throw new IllegalArgumentException(
            "bits = " + bits + " is too few for " + keys + " keys in this kind of filter");
      }
      double high = HASH_BITS - Math.log((double) keys) / Math.log(2);
      for (int i = 0; i < STEPS; i++) {
        double middle = (low + high) / 2;
        S shape = within(forRate, keys, middle, bits);
        if (shape == null) {
          high = middle;
        } else {
          best = shape;
          low = middle;
        }
      }
      return best;
    };
  }

  /** The shape for a rate of 2^-information, null if it is larger than the budget. */
  private static <S extends Shape> S within(
      ForRate<S> forRate, long keys, double information, long bits) {
    try {
      S shape = forRate.shape(keys, Math.pow(2, -information));
      return shape.sizeInBits() <= bits ? shape : null;
    } catch (IllegalArgumentException tooLarge) {
      return null;
    }
  }

  private static <F extends AddableFilter & Storable> Making adding(F filter) {
    return new Making() {
      @Override
      public void addHashes(long[] hashes, int from, int to) {
        filter.addHashes(hashes, from, to);
      }

      @Override
      public Made finish() {
        return Made.of(filter);
      }
    };
  }

  private static <S extends Shape, F extends HashedFilter & Storable> Making collecting(
      Order<S> order, BiFunction<Order<S>, long[], F> maker) {
    KeyHashes keys = KeyHashes.empty();
    return new Making() {
      @Override
      public void addHashes(long[] hashes, int from, int to) {
        Objects.checkFromToIndex(from, to, hashes.length);
        for (int i = from; i < to; i++) {
          keys.add(hashes[i]);
        }
      }

      @Override
      public Made finish() {
        return Made.of(maker.apply(order, keys.drain()));
      }
    };
  }

  /**
   * Why no filter of this kind can be made of keys alone.
   *
   * @return the end of a sentence that begins with the kind's name; empty if it can be made
   */
  public Optional<String> refusal() {
    return Optional.ofNullable(refusal);
  }

  /**
   * Whether the filter is made when all keys are known, so that it takes none later on, or none as
   * well as those.
   *
   * @return true for frozen kinds
   */
  public boolean needsAllFirst() {
    return needsAllFirst;
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
   * The class of the kind's shapes.
   *
   * @return the class
   */
  public Class<S> shapeType() {
    return shapeType;
  }

  /**
   * The shape for a number of keys and a rate or a budget. Needs beyond these are not looked at.
   *
   * @param needs keys, and a rate or a budget
   * @return the smallest shape for the rate, or the best within the budget
   * @throws IllegalArgumentException if there is none
   * @throws IllegalStateException if there is a {@link #refusal()}
   */
  public S shape(Needs needs) {
    requireMakeable();
    return needs.rate().isPresent()
        ? forRate.shape(needs.keys(), needs.rate().getAsDouble())
        : forBudget.shape(needs.keys(), needs.budget().orElseThrow());
  }

  /**
   * Begins to make a filter.
   *
   * @param shape one of {@link #shape} or of a plan for this kind's class
   * @param needs what it was sized for
   * @param hasher turns keys into hashes
   * @param threads how many threads may build it, 1 or more
   * @return takes the keys' hashes
   * @throws IllegalArgumentException if the shape is of another kind
   * @throws IllegalStateException if there is a {@link #refusal()}
   */
  public Making start(Shape shape, Needs needs, Hasher hasher, int threads) {
    requireMakeable();
    if (!shapeType.isInstance(shape)) {
      throw new IllegalArgumentException("shape " + shape + " is no " + shapeType.getSimpleName());
    }
    return start.apply(
        new Order<>(shapeType.cast(shape), needs.keys(), needs.rate().orElse(1), hasher, threads));
  }

  private void requireMakeable() {
    if (refusal != null) {
      throw new IllegalStateException("this kind of filter " + refusal);
    }
  }
}
