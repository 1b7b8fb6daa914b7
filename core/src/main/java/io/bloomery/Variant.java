package io.bloomery;

import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.KeyHashes;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Shape;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * One way to size and make a filter of a kind. Each kind states its variants beside its class; the
 * planner, the command line and the contract tests know about kinds only what is said here.
 *
 * <p>Sizing looks at keys, rate, budget and universe, never at other needs: a variant that is named
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
     * The shape of the lowest rate within a budget.
     *
     * @param expectedKeys distinct keys
     * @param bits the most bits
     * @return the shape
     */
    S shape(long expectedKeys, long bits);
  }

  /**
   * Starts to build a filter whose keys must all be known first.
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
     * @return takes the keys' hashes
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
     * The filter of a set.
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
  private final List<Set<Need>> onlyFor;
  private final Function<Needs, S> sizer;
  private final ToIntFunction<S> cacheLines;
  private final ToIntFunction<S> words;
  private final boolean hashed;
  private final boolean lockFree;
  private final String why;
  private final BiFunction<S, Hasher, ? extends Filter> create;
  private final Start<S> start;
  private final String refusal;

  private Variant(Builder<S> options) {
    this.name = options.name;
    this.shapeType = options.shapeType;
    this.meets = Set.copyOf(options.meets);
    this.onlyFor = List.copyOf(options.onlyFor);
    this.sizer = Objects.requireNonNull(options.sizer, "sizer");
    this.cacheLines = Objects.requireNonNull(options.cacheLines, "cacheLines");
    this.words = Objects.requireNonNull(options.words, "words");
    this.hashed = options.hashed;
    this.lockFree = options.lockFree;
    this.why = Objects.requireNonNull(options.why, "why");
    this.create = options.create;
    this.start = options.start;
    this.refusal = options.refusal;
  }

  /**
   * Begins to describe a variant.
   *
   * @param name lower case words joined by hyphens, unique among all variants; the kind's name if
   *     it has one variant only
   * @param shapeType the class of its shapes
   * @param <S> the kind's shape
   * @return takes the facts; {@code creates}, {@code builds} or {@code hasOwnBuilder} ends it
   */
  public static <S extends Shape> Builder<S> of(String name, Class<S> shapeType) {
    return new Builder<>(name, shapeType);
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
   * The required needs that it meets.
   *
   * @return an unmodifiable set
   */
  public Set<Need> meets() {
    return meets;
  }

  /**
   * Whether the planner offers it: it meets every required need, and those that make it worth its
   * cost are there.
   *
   * @param needs what the user knows
   * @return false if it is left out
   */
  public boolean isOfferedFor(Needs needs) {
    return needs.all().stream().filter(Need::isRequired).allMatch(meets::contains)
        && onlyFor.stream().allMatch(some -> some.stream().anyMatch(needs::has));
  }

  /**
   * Whether there are needs for which the planner offers it.
   *
   * @return false if others do better whatever is needed, so that it is made for those who name it
   */
  public boolean isOffered() {
    return onlyFor.stream().noneMatch(Set::isEmpty);
  }

  /**
   * The parameters for a number of keys and a rate or a budget.
   *
   * @param needs what the user knows
   * @return the smallest shape for the rate, or the one of the lowest rate within the budget
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
   * Whether keys are hashed, so that a keyed hash protects the filter from hostile input.
   *
   * @return false for kinds that hold numbers as they are
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
   * Whether all keys must be known before there is a filter.
   *
   * @return true for static kinds
   */
  public boolean isStatic() {
    return create == null;
  }

  /**
   * When this is the right choice.
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
   * An empty filter that takes keys one by one.
   *
   * @param shape one of this variant's shapes
   * @param hasher turns keys into hashes; kinds that hold numbers as they are do not use it
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
   * Starts to make a filter of keys.
   *
   * @param shape one of this variant's shapes
   * @param hasher turns keys into hashes
   * @param threads how many threads may build it, 1 or more
   * @return takes the keys' hashes
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

  /**
   * Takes what is to be said about a variant.
   *
   * @param <S> the kind's shape
   */
  public static final class Builder<S extends Shape> {

    private final String name;
    private final Class<S> shapeType;
    private final Set<Need> meets = EnumSet.noneOf(Need.class);
    private final List<Set<Need>> onlyFor = new ArrayList<>();
    private ForKeys<S> forKeys;
    private Function<Needs, S> sizer;
    private ToIntFunction<S> cacheLines;
    private ToIntFunction<S> words;
    private boolean hashed = true;
    private boolean lockFree = true;
    private String why;
    private BiFunction<S, Hasher, ? extends Filter> create;
    private Start<S> start;
    private String refusal;

    private Builder(String name, Class<S> shapeType) {
      this.name = Objects.requireNonNull(name, "name");
      this.shapeType = Objects.requireNonNull(shapeType, "shapeType");
    }

    /**
     * The required needs that it meets.
     *
     * @param needs what it can do
     * @return this
     */
    public Builder<S> meets(Need... needs) {
      meets.addAll(List.of(needs));
      return this;
    }

    /**
     * Offered only where one of these needs is set, because it costs more than what does without.
     * Several calls: one of each.
     *
     * @param needs the needs
     * @return this
     */
    public Builder<S> onlyFor(Need... needs) {
      onlyFor.add(Set.of(needs));
      return this;
    }

    /**
     * Never offered, because others do better whatever is needed; made for those who name it.
     *
     * @return this
     */
    public Builder<S> onlyByName() {
      return onlyFor();
    }

    /**
     * Sizing by rate; {@link #forBudget} or {@link #searchBudget} follows.
     *
     * @param sizer the shape's factory
     * @return this
     */
    public Builder<S> forKeys(ForKeys<S> sizer) {
      this.forKeys = sizer;
      return this;
    }

    /**
     * Sizing by memory.
     *
     * @param forBudget the shape's factory
     * @return this
     */
    public Builder<S> forBudget(ForBudget<S> forBudget) {
      ForKeys<S> byRate = Objects.requireNonNull(forKeys, "forKeys");
      return sized(
          needs ->
              needs.rate().isPresent()
                  ? byRate.shape(needs.keys(), needs.rate().getAsDouble())
                  : forBudget.shape(needs.keys(), needs.budget().orElseThrow()));
    }

    /**
     * Sizing by memory, for kinds without a formula of their own: the lowest rate whose shape fits
     * is searched for.
     *
     * @return this
     */
    public Builder<S> searchBudget() {
      ForKeys<S> byRate = Objects.requireNonNull(forKeys, "forKeys");
      return forBudget((keys, bits) -> BudgetSearch.shape(name, byRate, keys, bits));
    }

    /**
     * Sizing by all that is known, for kinds that need the size of the universe.
     *
     * @param sizer gives the shape or an {@link IllegalArgumentException} that says what is missing
     * @return this
     */
    public Builder<S> sized(Function<Needs, S> sizer) {
      this.sizer = sizer;
      return this;
    }

    /**
     * What a query costs.
     *
     * @param cacheLines the most cache lines that a query of a large filter touches
     * @param words the most 64-bit words that it reads
     * @return this
     */
    public Builder<S> reads(ToIntFunction<S> cacheLines, ToIntFunction<S> words) {
      this.cacheLines = cacheLines;
      this.words = words;
      return this;
    }

    /**
     * What a query costs where each word is in a cache line of its own.
     *
     * @param words the most 64-bit words that a query reads
     * @return this
     */
    public Builder<S> reads(ToIntFunction<S> words) {
      return reads(words, words);
    }

    /**
     * When this is the right choice.
     *
     * @param why a sentence without its full stop
     * @return this
     */
    public Builder<S> why(String why) {
      this.why = why;
      return this;
    }

    /**
     * Keys are not hashed: no keyed hash is advised.
     *
     * @return this
     */
    public Builder<S> unhashed() {
      this.hashed = false;
      return this;
    }

    /**
     * One thread adds at a time.
     *
     * @return this
     */
    public Builder<S> oneWriter() {
      this.lockFree = false;
      return this;
    }

    /**
     * Keys alone do not fill it, so that no command can build it from a list of keys.
     *
     * @param refusal the end of a sentence that begins with the name, such as "needs a value for
     *     each key"
     * @return this
     */
    public Builder<S> needsMore(String refusal) {
      this.refusal = refusal;
      return this;
    }

    /**
     * A kind that takes keys one by one: an {@link AddableFilter}, unless it {@link #needsMore}.
     *
     * @param create makes an empty filter
     * @param <F> the filter's class
     * @return the variant
     */
    public <F extends Filter & Storable> Variant<S> creates(BiFunction<S, Hasher, F> create) {
      this.create = create;
      return new Variant<>(this);
    }

    /**
     * A kind that needs all keys first.
     *
     * @param start gives a new builder
     * @return the variant
     */
    public Variant<S> builds(Start<S> start) {
      this.start = start;
      this.lockFree = false;
      return new Variant<>(this);
    }

    /**
     * A kind that needs all keys first, as one array of hashes.
     *
     * @param maker builds the filter
     * @return the variant
     */
    public Variant<S> buildsOf(OfHashes<S> maker) {
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
     * A static kind that {@link #needsMore} than keys and is made by the builder of its class.
     *
     * @return the variant
     */
    public Variant<S> hasOwnBuilder() {
      Objects.requireNonNull(refusal, "needsMore");
      this.lockFree = false;
      return new Variant<>(this);
    }
  }
}
