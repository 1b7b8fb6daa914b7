package io.bloomery;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.hash.Hasher;
import io.bloomery.secure.SecureIndex;
import io.bloomery.secure.SecureIndexSamples;
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
 * kind that hashes nothing, or the trapdoors of the texts for a secure index. A kind that has no
 * line here fails those tests.
 */
public final class SampleFilters {

  static final int KEYS = 20;
  private static final int OTHER_KEYS = 1000;

  private static final Map<String, Function<Hasher, Filter>> MAKERS = new TreeMap<>();

  // Shapes are written out, so that a better sizing rule does not change the golden files.
  static {
    MAKERS.putAll(MembershipSamples.all());
    MAKERS.putAll(DeletableSamples.all());
    MAKERS.putAll(GrowingSamples.all());
    MAKERS.putAll(FrequencySamples.all());
    MAKERS.putAll(WindowSamples.all());
    MAKERS.putAll(FrozenSamples.all());
    MAKERS.putAll(LookupSamples.all());
    MAKERS.putAll(WeightedSamples.all());
    MAKERS.putAll(SimilaritySamples.all());
    MAKERS.putAll(SyncSamples.all());
    MAKERS.put(SecureIndex.KIND.name(), hasher -> SecureIndexSamples.golden());
    MAKERS.putAll(PrivateSamples.all());
    MAKERS.putAll(RangeSamples.all());
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

  /** Samples of files of a layout that the sample of their kind does not have, by their names. */
  public static Map<String, Filter> otherLayouts() {
    Map<String, Filter> samples = new TreeMap<>();
    MembershipSamples.otherLayouts()
        .forEach((name, maker) -> samples.put(name, maker.apply(Hasher.xxh3())));
    DeletableSamples.otherLayouts()
        .forEach((name, maker) -> samples.put(name, maker.apply(Hasher.xxh3())));
    FrozenSamples.otherLayouts()
        .forEach((name, maker) -> samples.put(name, maker.apply(Hasher.xxh3())));
    GrowingSamples.otherLayouts()
        .forEach((name, maker) -> samples.put(name, maker.apply(Hasher.xxh3())));
    LookupSamples.otherLayouts()
        .forEach((name, maker) -> samples.put(name, maker.apply(Hasher.xxh3())));
    SimilaritySamples.otherLayouts()
        .forEach((name, maker) -> samples.put(name, maker.apply(Hasher.xxh3())));
    WeightedSamples.otherLayouts()
        .forEach((name, maker) -> samples.put(name, maker.apply(Hasher.xxh3())));
    PrivateSamples.otherLayouts()
        .forEach((name, maker) -> samples.put(name, maker.apply(Hasher.xxh3())));
    SyncSamples.otherLayouts()
        .forEach((name, maker) -> samples.put(name, maker.apply(Hasher.xxh3())));
    return samples;
  }

  /** Key 0…19 of those that samples of this kind hold. */
  public static byte[] key(FilterKind<?> kind, int i) {
    if (kind == SecureIndex.KIND) {
      return SecureIndexSamples.key("key-" + i);
    }
    return kind.isHashed() ? ("key-" + i).getBytes(UTF_8) : number(7L * i);
  }

  /** Key 0…999 of those that samples of this kind were not given. */
  public static byte[] otherKey(FilterKind<?> kind, int i) {
    if (kind == SecureIndex.KIND) {
      return SecureIndexSamples.key("other-" + i);
    }
    return kind.isHashed() ? ("other-" + i).getBytes(UTF_8) : number(7L * i + 1);
  }

  /** Whether a filter has all keys of the samples of its kind. */
  public static boolean hasAllKeys(Filter filter) {
    return heldKeys(filter).size() == KEYS;
  }

  /**
   * The keys of its kind's samples that a filter reports present: all, except for a kind that may
   * lose keys by design with a hasher other than the default.
   */
  public static List<Integer> heldKeys(Filter filter) {
    FilterKind<?> kind = ((Storable) filter).kind();
    return IntStream.range(0, KEYS).filter(i -> filter.mightContain(key(kind, i))).boxed().toList();
  }

  /** Which of the other keys a filter reports present. */
  public static List<Integer> hits(Filter filter) {
    FilterKind<?> kind = ((Storable) filter).kind();
    return IntStream.range(0, OTHER_KEYS)
        .filter(i -> filter.mightContain(otherKey(kind, i)))
        .boxed()
        .toList();
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

  private static byte[] number(long value) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }
}
