package io.bloomery.internal.variant;

import io.bloomery.AddableFilter;
import io.bloomery.Filter;
import io.bloomery.FilterBuilder;
import io.bloomery.HashedFilter;
import io.bloomery.RangeFilterBuilder;
import io.bloomery.Variant;
import io.bloomery.Writers;
import io.bloomery.error.ImpossibleSizeException;
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
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The facts of a variant, as stated by a {@link VariantBuilder}. */
final class StatedVariant<S extends Shape> implements Variant {

  private static final int CACHE_LINE_BITS = 512;

  private final String name;
  private final Class<S> shapeType;
  private final Set<Need> meets;
  private final Map<Need, String> limits;
  private final List<Set<Need>> onlyFor;
  private final Function<Needs, S> sizer;
  private final ToIntFunction<S> cacheLines;
  private final ToIntFunction<S> words;
  private final @Nullable ToDoubleFunction<S> usualLines;
  private final ToDoubleFunction<S> work;
  private final @Nullable ToDoubleFunction<S> absentLines;
  private final ToDoubleFunction<S> absentWork;
  private final @Nullable ToDoubleFunction<S> fetches;
  private final @Nullable ToDoubleFunction<S> absentFetches;
  private final double queriesPerAdd;
  private final boolean hashed;
  private final boolean sharded;
  private final boolean mergesExactly;
  private final boolean orderMatters;
  private final boolean storesDuplicates;
  private final Set<Writers> writers;
  private final String why;
  private final @Nullable String misses;
  private final String falsePositiveCost;
  private final VariantBuilder.@Nullable Create<S, ? extends Filter> create;
  private final VariantBuilder.@Nullable Start<S> start;
  private final @Nullable BiFunction<S, Hasher, RangeFilterBuilder> ranges;
  private final @Nullable String refusal;

  StatedVariant(VariantBuilder<S> options) {
    this.name = options.name;
    this.shapeType = options.shapeType;
    this.meets = options.met();
    this.limits = Collections.unmodifiableMap(new EnumMap<>(options.limits));
    this.onlyFor = List.copyOf(options.onlyFor);
    this.sizer = Objects.requireNonNull(options.sizer, "sizer");
    this.cacheLines = Objects.requireNonNull(options.cacheLines, "cacheLines");
    this.words = Objects.requireNonNull(options.words, "words");
    this.usualLines = options.usualLines;
    this.work = options.work == null ? words::applyAsInt : options.work;
    this.absentLines = options.absentLines;
    this.absentWork = options.absentWork == null ? work : options.absentWork;
    this.fetches = options.fetches;
    this.absentFetches = options.absentFetches;
    this.queriesPerAdd = options.queriesPerAdd;
    this.hashed = options.hashed;
    this.sharded = options.sharded;
    this.mergesExactly = options.mergesExactly;
    this.orderMatters = options.orderMatters;
    this.storesDuplicates = options.storesDuplicates;
    this.writers = Set.copyOf(options.writers());
    this.why = Objects.requireNonNull(options.why, "why");
    this.misses = options.misses;
    this.falsePositiveCost =
        options.falsePositiveCost == null
            ? FalsePositiveCosts.of(meets, options.onlyFor)
            : options.falsePositiveCost;
    this.create = options.create;
    this.start = options.start;
    this.ranges = options.ranges;
    this.refusal = options.refusal;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Class<S> shapeType() {
    return shapeType;
  }

  @Override
  public Set<Need> meets() {
    return meets;
  }

  @Override
  public boolean isOfferedFor(Needs needs) {
    return needs.all().stream().filter(Need::isRequired).allMatch(meets::contains)
        && onlyFor.stream().allMatch(some -> some.stream().anyMatch(needs::has));
  }

  @Override
  public boolean isOffered() {
    return onlyFor.stream().noneMatch(Set::isEmpty);
  }

  @Override
  public Shape.Fit fit(Needs needs) {
    try {
      return Shape.Fit.of(sizer.apply(needs));
    } catch (ImpossibleSizeException e) {
      return Shape.Fit.none(e);
    }
  }

  @Override
  public int cacheLines(Shape shape) {
    long lines = Math.max(1, (shape.sizeInBits() + CACHE_LINE_BITS - 1) / CACHE_LINE_BITS);
    return (int) Math.min(lines, cacheLines.applyAsInt(shapeType.cast(shape)));
  }

  @Override
  public int words(Shape shape) {
    return words.applyAsInt(shapeType.cast(shape));
  }

  @Override
  public Work work(Shape shape, boolean present) {
    S own = shapeType.cast(shape);
    double lines = usualLines == null ? cacheLines(shape) : usualLines.applyAsDouble(own);
    if (present) {
      return work(lines, work.applyAsDouble(own), fetches, own);
    }
    double fetched = absentLines == null ? lines : absentLines.applyAsDouble(own);
    return work(Math.min(lines, fetched), absentWork.applyAsDouble(own), absentFetches, own);
  }

  /** Each line is a fetch unless the kind says otherwise. */
  private static <S> Work work(
      double lines, double words, @Nullable ToDoubleFunction<S> fetches, S shape) {
    double stated = fetches == null ? lines : fetches.applyAsDouble(shape);
    return new Work(lines, words, Math.min(lines, stated));
  }

  @Override
  public double queriesPerAdd() {
    return queriesPerAdd;
  }

  @Override
  public List<String> limits(Needs needs) {
    Stream<String> unmet =
        limits.entrySet().stream()
            .filter(limit -> needs.has(limit.getKey()))
            .map(Map.Entry::getValue);
    boolean tolerable = needs.has(Need.FALSE_NEGATIVES);
    return Stream.concat(unmet, tolerable ? Stream.empty() : misses().stream()).toList();
  }

  @Override
  public Optional<String> misses() {
    return Optional.ofNullable(misses);
  }

  @Override
  public String falsePositiveCost() {
    return falsePositiveCost;
  }

  @Override
  public boolean isHashed() {
    return hashed;
  }

  @Override
  public boolean isStatic() {
    return create == null;
  }

  @Override
  public boolean isSharded() {
    return sharded;
  }

  @Override
  public boolean mergesExactly() {
    return mergesExactly;
  }

  @Override
  public boolean orderMatters() {
    return orderMatters;
  }

  @Override
  public boolean storesDuplicates() {
    return storesDuplicates;
  }

  @Override
  public boolean supports(Writers number) {
    return writers.contains(number);
  }

  @Override
  public String why() {
    return why;
  }

  @Override
  public Optional<String> refusal() {
    return Optional.ofNullable(refusal);
  }

  @Override
  public Filter create(Shape shape, Hasher hasher) {
    return create(shape, hasher, supports(Writers.MANY) ? Writers.MANY : Writers.ONE);
  }

  @Override
  public Filter create(Shape shape, Hasher hasher, Writers number) {
    Objects.requireNonNull(hasher, "hasher");
    Objects.requireNonNull(number, "writers");
    if (create == null) {
      throw new IllegalStateException(
          name + " holds a static set: it is built from all keys at once, not created empty");
    }
    if (!supports(number)) {
      throw new IllegalStateException(name + " takes keys from one thread at a time");
    }
    return create.filter(shapeType.cast(shape), hasher, number);
  }

  @Override
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
  public RangeFilterBuilder rangeBuilder(Shape shape, Hasher hasher) {
    Objects.requireNonNull(hasher, "hasher");
    if (ranges == null) {
      throw new IllegalStateException(name + " keeps no order of keys");
    }
    return ranges.apply(shapeType.cast(shape), hasher);
  }

  @Override
  public String toString() {
    return name;
  }
}
