package io.bloomery;

import io.bloomery.format.FilterKind;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.membership.BankedBloomFilter;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomAlphaFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomGFilter;
import io.bloomery.membership.SplitBlockBloomFilter;
import io.bloomery.membership.TwoChoiceBloomFilter;
import io.bloomery.plan.BankedShape;
import io.bloomery.plan.BlockShape;
import io.bloomery.plan.TwoChoiceShape;
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

  // Shapes are written out, so that a better sizing rule does not change the golden files.
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
                .build(keys().stream().mapToLong(hasher::hash).toArray()));
    MAKERS.put(
        "two-choice",
        hasher -> filled(TwoChoiceBloomFilter.of(new TwoChoiceShape(250, 5), hasher)));
    MAKERS.put("banked", hasher -> filled(BankedBloomFilter.of(new BankedShape(5, 50, 4), hasher)));
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
