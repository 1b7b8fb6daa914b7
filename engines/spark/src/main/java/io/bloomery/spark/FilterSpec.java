package io.bloomery.spark;

import io.bloomery.AddableFilter;
import io.bloomery.Filter;
import io.bloomery.FilterBuilder;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.Mergeable;
import io.bloomery.RemovableFilter;
import io.bloomery.Storable;
import io.bloomery.Variant;
import io.bloomery.Writers;
import io.bloomery.deletable.QuotientFilter;
import io.bloomery.frequency.CountMinFilter;
import io.bloomery.frequency.CountMinShape;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Planner;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;

/**
 * What is built, in a form that travels: every executor makes the same empty filter of it.
 *
 * @param variant the exact name of a variant
 * @param keys expected keys
 * @param rate the false-positive rate
 * @param seed of the hasher
 */
record FilterSpec(String variant, long keys, double rate, long seed) implements Serializable {

  /** Room for header, padding and checksums beside a filter's own bits. */
  private static final long FRAME_BYTES = 16 << 10;

  /** So many that kinds which depend on the order of keys show it. */
  private static final int TRIED_KEYS = 500;

  /** By name of the variant, as it was tried out. */
  private static final Map<String, Boolean> MERGE_TO_THE_WHOLE = new ConcurrentHashMap<>();

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

  private Variant<?> found() {
    return Filters.kinds().stream()
        .map(FilterKind::variants)
        .flatMap(List::stream)
        .filter(known -> known.name().equals(variant))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no variant is named " + variant));
  }

  private Shape shape() {
    return found().shape(Needs.forKeys(keys, rate));
  }

  /**
   * The filter of all hashes. Where a key that is added twice takes two slots, each is added once.
   */
  Storable build(Iterator<long[]> batches) throws IOException {
    Variant<?> found = found();
    FilterBuilder builder = found.builder(shape(), hasher(), 1);
    if (storesCopies(found)) {
      long[] distinct = LongStream.of(flat(batches)).sorted().distinct().toArray();
      builder.addHashes(distinct, 0, distinct.length);
    } else {
      batches.forEachRemaining(hashes -> builder.addHashes(hashes, 0, hashes.length));
    }
    return (Storable) builder.build();
  }

  private boolean storesCopies(Variant<?> found) {
    if (found.isStatic()) {
      return false;
    }
    Filter small = small(found);
    return small instanceof QuotientFilter
        || (small instanceof RemovableFilter && !(small instanceof Mergeable));
  }

  private Filter small(Variant<?> found) {
    return found.create(found.shape(Needs.forKeys(1, rate)), hasher());
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

  /** Whether the order of the keys does not matter. */
  boolean isOrderFree() {
    Variant<?> found = found();
    return found.isStatic() || isMerged() || storesCopies(found);
  }

  /** An empty filter that takes keys one by one. */
  Storable create() {
    return (Storable) found().create(shape(), hasher());
  }

  /** The same for one thread, which adds faster where that makes a difference. */
  Storable createForTask() {
    Shape shape = shape();
    Filter small = small(found());
    if (small instanceof BlockedBloomFilter && shape instanceof BlockShape blocks) {
      return BlockedBloomFilter.create(blocks, hasher(), Writers.ONE);
    }
    if (small instanceof BloomFilter && shape instanceof BloomShape bits) {
      return BloomFilter.create(bits, hasher(), Writers.ONE);
    }
    if (small instanceof CountMinFilter && shape instanceof CountMinShape counts) {
      return CountMinFilter.create(counts, hasher(), Writers.ONE);
    }
    return create();
  }

  /**
   * Whether filters of parts of the keys, merged in any order, are the filter of all keys. Those
   * that grow would grow in each part, and end larger or fuller than one that saw all keys; those
   * that place a key by what is there already would depend on the partitions.
   */
  boolean isMerged() {
    Variant<?> found = found();
    return !found.isStatic()
        && !found.meets().contains(Need.UNKNOWN_GROWTH)
        && !storesCopies(found)
        && small(found) instanceof Mergeable
        && MERGE_TO_THE_WHOLE.computeIfAbsent(variant, name -> mergesToTheWhole(found));
  }

  /** Tries it out: the two halves of some keys, and all of them. */
  private static boolean mergesToTheWhole(Variant<?> found) {
    Shape shape = found.shape(Needs.forKeys(TRIED_KEYS, 0.01));
    Storable[] filters = new Storable[3];
    Arrays.setAll(filters, i -> (Storable) found.create(shape, Hasher.xxh3()));
    for (long key = 0; key < TRIED_KEYS; key++) {
      ((AddableFilter) filters[(int) (key % 2)]).add(key);
      ((AddableFilter) filters[2]).add(key);
    }
    Parcel.merge(filters[0], filters[1]);
    return filters[0].sameContent(filters[2]);
  }

  /** About how many bytes the filter has when it is stored. */
  long storedBytes() {
    return shape().sizeInBits() / Byte.SIZE + FRAME_BYTES;
  }
}
