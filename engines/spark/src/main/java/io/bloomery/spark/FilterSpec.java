package io.bloomery.spark;

import io.bloomery.FilterBuilder;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.FrequencyFilter;
import io.bloomery.Storable;
import io.bloomery.Variant;
import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Planner;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.io.Serializable;
import java.util.Iterator;
import java.util.stream.LongStream;

/**
 * A serializable description of the filter to build: every executor creates the same empty filter
 * from it.
 *
 * @param variant the exact name of a variant
 * @param keys expected keys
 * @param rate the false-positive rate
 * @param seed of the hasher
 */
record FilterSpec(String variant, long keys, double rate, long seed) implements Serializable {

  /** Room for header, padding and checksums beside a filter's own bits. */
  private static final long FRAME_BYTES = 16 << 10;

  /** Checks everything that can be wrong, and finds the best variant if a kind is named. */
  static FilterSpec of(String name, long keys, double rate, Hasher hasher) {
    var plan = Planner.standard().named(name, Needs.forKeys(keys, rate));
    plan.variant()
        .refusal()
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException(name + " " + reason);
            });
    return new FilterSpec(plan.variant().name(), keys, rate, SparkKeys.seed(hasher));
  }

  Hasher hasher() {
    return Hasher.xxh3(seed);
  }

  private FilterKind<?> kind() {
    return Filters.kinds().stream()
        .filter(kind -> kind.variants().stream().anyMatch(this::isNamed))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no variant is named " + variant));
  }

  private Variant found() {
    return kind().variants().stream().filter(this::isNamed).findFirst().orElseThrow();
  }

  private boolean isNamed(Variant known) {
    return known.name().equals(variant);
  }

  private Shape shape() {
    return found().shape(Needs.forKeys(keys, rate));
  }

  /** The filter of all hashes, each added once where repetitions would be stored. */
  Storable build(Iterator<long[]> batches) throws IOException {
    FilterBuilder builder = found().builder(shape(), hasher(), 1);
    if (isOfDistinctKeys()) {
      long[] distinct = LongStream.of(flat(batches)).sorted().distinct().toArray();
      builder.addHashes(distinct, 0, distinct.length);
    } else {
      batches.forEachRemaining(hashes -> builder.addHashes(hashes, 0, hashes.length));
    }
    return (Storable) builder.build();
  }

  private boolean isOfDistinctKeys() {
    return found().wantsDistinctKeys() && !FrequencyFilter.class.isAssignableFrom(kind().type());
  }

  private static long[] flat(Iterator<long[]> batches) {
    LongStream.Builder all = LongStream.builder();
    batches.forEachRemaining(
        batch -> {
          for (long hash : batch) {
            all.add(hash);
          }
        });
    return all.build().toArray();
  }

  /** Whether the order of the keys does not matter; distinct keys are sorted. */
  boolean isOrderFree() {
    return !found().orderMatters() || isOfDistinctKeys();
  }

  /** An empty filter that takes keys one at a time. */
  Storable create() {
    return (Storable) found().create(shape(), hasher());
  }

  /** The same for one thread, which adds faster where that makes a difference. */
  Storable createForTask() {
    return (Storable) found().create(shape(), hasher(), Writers.ONE);
  }

  /**
   * Whether filters of parts of the keys are merged. A filter that may be full is not, because a
   * key of several parts would take room in each.
   */
  boolean isMerged() {
    return found().mergesExactly() && shape().maxKeys() == Shape.MAX_LOAD;
  }

  /** About how many bytes the filter has when it is stored. */
  long storedBytes() {
    return shape().sizeInBits() / Byte.SIZE + FRAME_BYTES;
  }
}
