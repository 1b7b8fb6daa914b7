package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.AddableFilter;
import io.bloomery.HashedFilter;
import io.bloomery.Storable;
import io.bloomery.deletable.OneWordCountingFilter;
import io.bloomery.deletable.OneWordCountingShape;
import io.bloomery.frequency.CountMinFilter;
import io.bloomery.frequency.CountMinShape;
import io.bloomery.frequency.SpectralFilter;
import io.bloomery.frequency.SpectralShape;
import io.bloomery.frozen.FuseFilter;
import io.bloomery.frozen.FuseShape;
import io.bloomery.frozen.PerfectHashFilter;
import io.bloomery.frozen.PerfectHashShape;
import io.bloomery.frozen.RibbonFilter;
import io.bloomery.frozen.RibbonShape;
import io.bloomery.frozen.XorFilter;
import io.bloomery.frozen.XorShape;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.numeric.SolvedCells;
import io.bloomery.internal.numeric.SolvedCells.Peeled.Layout;
import io.bloomery.lookup.BloomierMap;
import io.bloomery.lookup.LookupCells;
import io.bloomery.lookup.MutableBloomierMap;
import io.bloomery.lookup.MutableBloomierShape;
import io.bloomery.membership.AlphaShape;
import io.bloomery.membership.BloomAlphaFilter;
import io.bloomery.membership.BloomGFilter;
import io.bloomery.membership.WordShape;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checksums of the bytes of filters that are too large for golden files: rows wider than 4,096,
 * 100,000 keys, more than 10 probes per group. What small filters cannot tell from a change (rows
 * that share a draw, further outputs of a hash, numbers of several words) changes these. Shapes are
 * written out, so a better sizing rule leaves them as they are; and so must everything else, since
 * files of these kinds are read by their rules.
 */
final class LargeDigestsTest {

  private static final int KEYS = 100_000;

  /** Hashes by an arithmetic of their own, which stays as it is. */
  private static long[] hashes(long from, int count) {
    long[] hashes = new long[count];
    for (int i = 0; i < count; i++) {
      long x = (from + i) * 0x9E3779B97F4A7C15L;
      x = (x ^ x >>> 32) * 0xD6E8FEB86659FD93L;
      hashes[i] = x ^ x >>> 29;
    }
    return hashes;
  }

  private static final Map<String, Supplier<HashedFilter>> MAKERS = new TreeMap<>();

  static {
    countMin("count-min", 5, 10_007, 32, false);
    countMin("count-min conservative", 4, 10_007, 32, true);
    countMin("count-min of 64 bits", 5, 10_007, 64, false);
    countMin("count-min of wide rows", 2, (1 << 24) + 1, 8, true);
    for (SpectralShape.Method method : SpectralShape.Method.values()) {
      MAKERS.put(
          "spectral " + method,
          () -> filled(SpectralFilter.create(new SpectralShape(5, 60_013, 16, method))));
    }
    words("bloom-g of one word", 20_000, 64, 1, 13);
    words("bloom-g of two words", 20_000, 64, 2, 21);
    words("bloom-g of 192 bits", 10_000, 192, 2, 27);
    words("bloom-g of 512 bits", 5_000, 512, 3, 35);
    MAKERS.put(
        "bloom-alpha",
        () -> BloomAlphaFilter.ofHashes(members(), new AlphaShape(20_000, 128, 14, 0.5)));
    MAKERS.put(
        "one-word-counting",
        () -> filled(OneWordCountingFilter.create(new OneWordCountingShape(20_000, 512, 4, 14))));
    MAKERS.put(
        "xor of 13 bits",
        () -> XorFilter.ofHashes(members(), XorShape.forFingerprints(1, 13), Hasher.xxh3()));
    for (int arity = 3; arity <= 4; arity++) {
      FuseShape shape = FuseShape.forFingerprints(1, 11, arity);
      MAKERS.put(
          "fuse of arity " + arity, () -> FuseFilter.ofHashes(members(), shape, Hasher.xxh3()));
    }
    MAKERS.put(
        "ribbon",
        () -> RibbonFilter.ofHashes(members(), RibbonShape.ofColumns(1, 7), Hasher.xxh3()));
    MAKERS.put(
        "perfect-hash",
        () ->
            PerfectHashFilter.ofHashes(
                members(), PerfectHashShape.forFingerprints(1, 7), Hasher.xxh3()));
    bloomier("bloomier of parts", SolvedCells.Peeled.forKeys(KEYS, 3, Layout.PARTS), 64);
    bloomier("bloomier of segments", SolvedCells.Peeled.forKeys(KEYS, 4, Layout.SEGMENTS), 17);
    bloomier("bloomier of a ribbon", new SolvedCells.Ribbon(KEYS), 17);
    MAKERS.put("mutable-bloomier", LargeDigestsTest::mutable);
  }

  private static long[] members() {
    return hashes(1, KEYS);
  }

  private static <F extends AddableFilter> F filled(F filter) {
    filter.addHashes(members(), 0, KEYS);
    filter.addHashes(members(), 0, KEYS / 3);
    return filter;
  }

  private static void countMin(String name, int rows, long width, int bits, boolean conservative) {
    CountMinShape shape = new CountMinShape(rows, width, bits, conservative);
    MAKERS.put(name, () -> filled(CountMinFilter.create(shape)));
  }

  private static void words(String name, long words, int wordBits, int groups, int probes) {
    WordShape shape = new WordShape(words, wordBits, groups, probes);
    MAKERS.put(name, () -> filled(BloomGFilter.create(shape)));
  }

  private static void bloomier(String name, SolvedCells cells, int cellBits) {
    MAKERS.put(
        name,
        () -> {
          BloomierMap.Builder builder =
              BloomierMap.builder().shape(LookupCells.shape(cells, cellBits, 1_000));
          long[] members = members();
          for (int i = 0; i < KEYS; i++) {
            builder.putHash(members[i], i % 1_000);
          }
          return builder.build();
        });
  }

  private static MutableBloomierMap mutable() {
    SolvedCells.Peeled cells = SolvedCells.Peeled.forKeys(KEYS, 3, Layout.SEGMENTS);
    MutableBloomierMap.Builder builder =
        MutableBloomierMap.builder()
            .shape(new MutableBloomierShape(LookupCells.shape(cells, 11, 3), 13));
    long[] members = members();
    for (int i = 0; i < KEYS; i++) {
      builder.putHash(members[i], i & 8_191);
    }
    return builder.build();
  }

  @Test
  void everyFilterHasItsRow() throws NoSuchMethodException {
    CsvSource rows =
        LargeDigestsTest.class
            .getDeclaredMethod("bytesAndAnswersStay", String.class, String.class, int.class)
            .getAnnotation(CsvSource.class);
    assertThat(rows.value()).hasSize(MAKERS.size());
  }

  @ParameterizedTest
  @CsvSource({
    "bloom-alpha, 35c2e1bc, 8",
    "bloom-g of 192 bits, 03d3c833, 173",
    "bloom-g of 512 bits, 7b236e60, 6",
    "bloom-g of one word, 5e64bc10, 2347",
    "bloom-g of two words, c72bad60, 2457",
    "bloomier of a ribbon, aa7bc237, 798",
    "bloomier of parts, 79e49302, 0",
    "bloomier of segments, 40c78cc2, 790",
    "count-min, e654b453, 99992",
    "count-min conservative, 48b024b3, 99992",
    "count-min of 64 bits, c9a04fec, 99992",
    "count-min of wide rows, 2cd4b34b, 3",
    "fuse of arity 3, 264f2697, 39",
    "fuse of arity 4, de057f43, 53",
    "mutable-bloomier, ddcaff5f, 145",
    "one-word-counting, 95202a7d, 40",
    "perfect-hash, 1ca89268, 771",
    "ribbon, f968daf6, 749",
    "spectral MINIMAL_INCREASE, 12b5a7fa, 35044",
    "spectral MINIMUM_SELECTION, a363f56f, 35044",
    "spectral RECURRING_MINIMUM, 86f3f3ea, 35044",
    "xor of 13 bits, 27306678, 13"
  })
  void bytesAndAnswersStay(String name, String checksum, int hits) throws IOException {
    HashedFilter filter = MAKERS.get(name).get();
    CRC32C crc = new CRC32C();
    ((Storable) filter).writeTo(new CheckedOutputStream(OutputStream.nullOutputStream(), crc));
    long[] answers = new long[KEYS / 64 + 1];
    int found = filter.mightContainHashes(hashes(1L << 32, KEYS), 0, KEYS, answers);
    assertThat("%s, %08x, %d".formatted(name, crc.getValue(), found))
        .isEqualTo("%s, %s, %d".formatted(name, checksum, hits));
    assertThat(filter.mightContainHashes(members(), 0, KEYS, answers)).isEqualTo(KEYS);
  }
}
