package io.bloomery.contract;

import io.bloomery.AddableFilter;
import io.bloomery.Filter;
import io.bloomery.FilterBuilder;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.RangeFilter;
import io.bloomery.RangeFilterBuilder;
import io.bloomery.Variant;
import io.bloomery.frozen.ExactZoneFilter;
import io.bloomery.frozen.ExactZoneShape;
import io.bloomery.membership.DirectBitSet;
import io.bloomery.membership.DirectShape;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A variant with its facts, and filters of it that hold given keys.
 *
 * @param name how failures call it
 * @param variant what the kind states
 * @param facts what is to be proven, the variant's own unless a test says otherwise
 * @param keys how many keys its filters are made for
 * @param maker makes a filter of hashes, which are added in their order
 * @param refuses whether its filters refuse keys when they are full
 */
record VariantSubject(
    String name,
    Variant variant,
    Facts facts,
    int keys,
    Function<long[], Filter> maker,
    boolean refuses) {

  private static final int KEYS = 1_000;
  private static final int UNIVERSE = 4_096;

  private static final List<VariantSubject> ALL =
      Filters.kinds().stream()
          .flatMap(kind -> kind.variants().stream().flatMap(variant -> of(kind, variant)))
          .toList();

  /** What a variant states about keys, their order, their repetitions and their parts. */
  record Facts(boolean mergesExactly, boolean orderMatters, boolean storesDuplicates) {
    static Facts of(Variant variant) {
      return new Facts(variant.mergesExactly(), variant.orderMatters(), variant.storesDuplicates());
    }
  }

  /** All variants of all kinds; those that keys do not fill in each variety of their kind. */
  static List<VariantSubject> all() {
    return ALL;
  }

  /** The variant of a name. */
  static VariantSubject named(String name) {
    return ALL.stream()
        .filter(subject -> subject.variant.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Stream<VariantSubject> of(FilterKind<?> kind, Variant variant) {
    Shape shape = variant.shape(Needs.forKeys(KEYS, 0.01).withUniverse(UNIVERSE));
    if (variant.refusal().isEmpty()) {
      return Stream.of(of(variant.name(), variant, shape, hashes -> build(variant, shape, hashes)));
    }
    if (AddableFilter.class.isAssignableFrom(kind.type())) {
      return Stream.of(of(variant.name(), variant, shape, hashes -> fill(variant, shape, hashes)));
    }
    if (kind == DirectBitSet.KIND) {
      return Stream.of(of(variant.name(), variant, shape, VariantSubject::direct));
    }
    if (kind == ExactZoneFilter.KIND) {
      return Stream.of(of(variant.name(), variant, shape, VariantSubject::exactZone));
    }
    if (RangeFilter.class.isAssignableFrom(kind.type())) {
      return Stream.of(
          of(variant.name(), variant, shape, hashes -> ordered(variant, shape, hashes)));
    }
    return Subjects.all().stream()
        .filter(subject -> subject.kind() == kind)
        .map(subject -> of(variant.name() + " as " + subject, variant, shape, subject::of));
  }

  private static VariantSubject of(
      String name, Variant variant, Shape shape, Function<long[], Filter> maker) {
    boolean refuses = shape.maxKeys() < 4 * KEYS;
    return new VariantSubject(name, variant, Facts.of(variant), KEYS, maker, refuses);
  }

  private static Filter fill(Variant variant, Shape shape, long[] hashes) {
    AddableFilter filter = (AddableFilter) variant.create(shape, Subject.HASHER);
    filter.addHashes(hashes, 0, hashes.length);
    return filter;
  }

  private static Filter build(Variant variant, Shape shape, long[] hashes) {
    FilterBuilder builder = variant.builder(shape, Subject.HASHER, 1);
    builder.addHashes(hashes, 0, hashes.length);
    try {
      return builder.build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Filter ordered(Variant variant, Shape shape, long[] numbers) {
    RangeFilterBuilder builder = variant.rangeBuilder(shape, Subject.HASHER);
    LongStream.of(numbers).forEach(builder::add);
    return builder.build();
  }

  private static Filter direct(long[] hashes) {
    DirectBitSet set = DirectBitSet.create(new DirectShape(UNIVERSE));
    LongStream.of(hashes).forEach(hash -> set.add(Math.floorMod(hash, UNIVERSE)));
    return set;
  }

  private static Filter exactZone(long[] hashes) {
    ExactZoneFilter filter = ExactZoneFilter.create(ExactZoneShape.forKeys(KEYS, UNIVERSE));
    LongStream.of(hashes).forEach(hash -> filter.add(Math.floorMod(hash, UNIVERSE)));
    return filter;
  }

  /** The same with another statement. */
  VariantSubject stating(Facts other) {
    return new VariantSubject(name, variant, other, keys, maker, refuses);
  }

  /** A filter of these hashes. */
  Filter make(long... hashes) {
    return maker.apply(hashes);
  }

  @Override
  public String toString() {
    return name;
  }
}
