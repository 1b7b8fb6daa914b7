package io.bloomery;

import io.bloomery.format.FilterKind;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.plan.BlockShape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A small filter of every kind, always with the same keys {@code key-0} … {@code key-19}, for the
 * tests that run over {@link Filters#kinds()}. A kind that has no line here fails them.
 */
public final class SampleFilters {

  /** How many keys each sample holds. */
  public static final int KEYS = 20;

  private static final Map<String, Function<Hasher, Filter>> MAKERS = new TreeMap<>();

  static {
    MAKERS.put(
        "bloom",
        hasher ->
            filled(
                BloomFilter.builder()
                    .bits(230)
                    .probes(7)
                    .scheme(IndexScheme.ENHANCED_DOUBLE)
                    .hasher(hasher)
                    .build()));
    MAKERS.put(
        "blocked",
        hasher ->
            filled(
                BlockedBloomFilter.builder()
                    .shape(new BlockShape(2, 128, 2, 5))
                    .hasher(hasher)
                    .build()));
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

  /** The keys that every sample holds. */
  public static List<String> keys() {
    return IntStream.range(0, KEYS).mapToObj(i -> "key-" + i).toList();
  }

  /** Keys that no sample was given. */
  public static List<String> otherKeys() {
    return IntStream.range(0, 1000).mapToObj(i -> "other-" + i).toList();
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

  private static <F extends AddableFilter> F filled(F filter) {
    keys().forEach(filter::add);
    return filter;
  }
}
