package io.bloomery;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.hash.Hasher;
import io.bloomery.membership.BankedBloomFilter;
import io.bloomery.membership.BankedShape;
import io.bloomery.membership.BestOfFilter;
import io.bloomery.membership.BestOfShape;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomAlphaFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomGFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.membership.DirectBitSet;
import io.bloomery.membership.HashSelectionFilter;
import io.bloomery.membership.HashSelectionShape;
import io.bloomery.membership.MemoryOptimizedFilter;
import io.bloomery.membership.MemoryOptimizedShape;
import io.bloomery.membership.RemovedPairFilter;
import io.bloomery.membership.RemovedPairShape;
import io.bloomery.membership.SortedHashList;
import io.bloomery.membership.SplitBlockBloomFilter;
import io.bloomery.membership.TwoChoiceBloomFilter;
import io.bloomery.membership.TwoChoiceShape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A small filter of every kind, always with the same keys, for the tests that run over {@link
 * Filters#kinds()}: the texts {@code key-0} … {@code key-19}, or the numbers 0, 7, …, 133 for a
 * kind that hashes nothing. A kind that has no line here fails those tests.
 */
public final class SampleFilters {

  private static final int KEYS = 20;
  private static final int OTHER_KEYS = 1000;

  private static final Map<String, Function<Hasher, Filter>> MAKERS = new TreeMap<>();

  // Shapes are written out, so that a better sizing rule does not change the golden files.
  static {
    MAKERS.put("bloom", hasher -> filled(BloomFilter.create(BloomShape.of(230, 7), hasher)));
    MAKERS.put(
        "blocked",
        hasher -> filled(BlockedBloomFilter.create(new BlockShape(2, 128, 2, 6), hasher)));
    MAKERS.put(
        "split-block",
        hasher -> filled(SplitBlockBloomFilter.builder().blocks(1).hasher(hasher).build()));
    MAKERS.put(
        "bloom-g",
        hasher ->
            filled(
                BloomGFilter.builder()
                    .words(3)
                    .wordBits(128)
                    .groups(2)
                    .probes(5)
                    .hasher(hasher)
                    .build()));
    MAKERS.put(
        "bloom-alpha",
        hasher ->
            BloomAlphaFilter.builder()
                .words(5)
                .wordBits(64)
                .probes(5)
                .alpha(0.5)
                .hasher(hasher)
                .build(hashes(hasher)));
    MAKERS.put(
        "two-choice",
        hasher -> filled(TwoChoiceBloomFilter.of(new TwoChoiceShape(250, 5), hasher)));
    MAKERS.put("banked", hasher -> filled(BankedBloomFilter.of(new BankedShape(5, 50, 4), hasher)));
    MAKERS.put("direct", hasher -> direct());
    MAKERS.put("sorted-hashes", hasher -> SortedHashList.build(hashes(hasher), 12, hasher));
    MAKERS.put(
        "hash-selection",
        hasher ->
            HashSelectionFilter.build(
                hashes(hasher), new HashSelectionShape(200, 5, 6, 16), hasher));
    MAKERS.put(
        "best-of",
        hasher -> BestOfFilter.build(hashes(hasher), new BestOfShape(210, 6, 8), hasher));
    MAKERS.put(
        "removed-pair",
        hasher ->
            filled(
                RemovedPairFilter.of(
                    new RemovedPairShape(BloomShape.of(210, 6), BloomShape.of(130, 5)), hasher)));
    MAKERS.put(
        "memory-optimized",
        hasher ->
            filled(
                MemoryOptimizedFilter.of(
                    new MemoryOptimizedShape(150, 4, MemoryOptimizedShape.Mode.STORING), hasher)));
    MAKERS.putAll(CountingSamples.all());
    MAKERS.putAll(DeletionSamples.all());
    MAKERS.putAll(TableSamples.all());
    MAKERS.putAll(GrowingSamples.all());
    MAKERS.putAll(FrequencySamples.all());
    MAKERS.putAll(WindowSamples.all());
    MAKERS.putAll(FrozenSamples.all());
    MAKERS.putAll(CascadeSamples.all());
    MAKERS.putAll(MapSamples.all());
    MAKERS.putAll(BankSamples.all());
  }

  private SampleFilters() {}

  /** The sample of a kind, with the default hasher. */
  public static Filter of(FilterKind<?> kind) {
    return of(kind, Hasher.xxh3());
  }

  /** The sample of a kind with another hasher. */
  public static Filter of(FilterKind<?> kind, Hasher hasher) {
    Function<Hasher, Filter> maker = MAKERS.get(kind.name());
    if (maker == null) {
      throw new AssertionError("SampleFilters has no sample of kind " + kind);
    }
    return maker.apply(hasher);
  }

  /** Key 0…19 of those that samples of this kind hold. */
  public static byte[] key(FilterKind<?> kind, int i) {
    return isHashed(kind) ? ("key-" + i).getBytes(UTF_8) : number(7L * i);
  }

  /** Key 0…999 of those that samples of this kind were not given. */
  public static byte[] otherKey(FilterKind<?> kind, int i) {
    return isHashed(kind) ? ("other-" + i).getBytes(UTF_8) : number(7L * i + 1);
  }

  /** Whether a filter has all keys of the samples of its kind. */
  public static boolean hasAllKeys(Filter filter) {
    FilterKind<?> kind = ((Storable) filter).kind();
    return IntStream.range(0, KEYS).allMatch(i -> filter.mightContain(key(kind, i)));
  }

  /** Which of the other keys a filter takes for present. */
  public static List<Integer> hits(Filter filter) {
    FilterKind<?> kind = ((Storable) filter).kind();
    return IntStream.range(0, OTHER_KEYS)
        .filter(i -> filter.mightContain(otherKey(kind, i)))
        .boxed()
        .toList();
  }

  /** Whether filters of a kind hash their keys. */
  public static boolean isHashed(FilterKind<?> kind) {
    return HashedFilter.class.isAssignableFrom(kind.type());
  }

  /** The frame of a filter. */
  public static byte[] bytes(Filter filter) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      ((Storable) filter).writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  static <F extends AddableFilter> F filled(F filter) {
    for (int i = 0; i < KEYS; i++) {
      filter.add("key-" + i);
    }
    return filter;
  }

  static long[] hashes(Hasher hasher) {
    return IntStream.range(0, KEYS).mapToLong(i -> hasher.hash("key-" + i)).toArray();
  }

  private static DirectBitSet direct() {
    DirectBitSet set = DirectBitSet.ofUniverse(150);
    for (int i = 0; i < KEYS; i++) {
      set.add(7L * i);
    }
    return set;
  }

  private static byte[] number(long value) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }
}
