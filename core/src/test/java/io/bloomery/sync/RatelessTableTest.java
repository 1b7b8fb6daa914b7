package io.bloomery.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.FilterFormatException;
import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import io.bloomery.theory.PeelingMath;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Measured here, of N4 (rateless form): symbols per key for d = 1, 10, 100, 1,000, 10⁴, 10⁵: 1.00,
 * 1.16, 1.24, 1.33, 1.31, 1.31; 1.12, 1.16, 1.16, 1.16, 1.19, 1.19, 1.24, 1.38, 1.33, 1.31, 1.306
 * symbols per key for d = 2, 3, 5, 10, 30, 50, 100, 200 (the most), 1,000, 10⁴, 10⁵; limit 1.308.
 * The paper's mapping alone (α = .5, no products) takes 1.72, 1.46, 1.38, 1.36 for d = 10, 100,
 * 1,000, 10,000; its α = .5 with the products of 64 symbols 1.42 for 200. 17 bytes per symbol of
 * 8-byte keys, 8 more for the first 64: 290, 2,700, 24,000 bytes for d = 10, 100, 1,000. Encoding
 * takes .79 µs per key for 1,500 symbols ({@code bench/run sync}).
 */
final class RatelessTableTest {

  private static final int MAX = 1 << 22;

  private static final String PINNED =
      "087d88d6d276614a0eb17e490000009c1df6bbaf9aec2000026a65fba9b18a040a632d65000000e8"
          + "fa39cb068be70d0e0031de33cde79c7c13070f1700000018b1e3ae2af6d539040000000000000000"
          + "0000000000000000aed5a85c5147c304000000000000000000000000000000000000000000000000"
          + "0000000000000000";

  static RatelessTable of(long... keys) {
    RatelessTable table = RatelessTable.create();
    Arrays.stream(keys).forEach(table::add);
    return table;
  }

  static byte[] symbols(RatelessTable table, int from, int to) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      table.writeSymbols(out, from, to);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static void read(RatelessDecoder decoder, byte[] bytes, int count) throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(bytes);
    decoder.readSymbols(in, count);
    assertThat(in.available()).isZero();
  }

  /** Sends symbols, in pieces of a sixteenth of those sent, until all is decoded. */
  private static RatelessDecoder reconcile(RatelessTable here, RatelessTable there)
      throws IOException {
    RatelessDecoder decoder = here.decoder(MAX);
    int sent = 0;
    while (!decoder.isComplete()) {
      int next = sent + 1 + sent / 16;
      read(decoder, symbols(there, sent, next), next - sent);
      sent = next;
    }
    assertThat(decoder.symbols()).isEqualTo(sent);
    assertThat(decoder.symbolsNeeded()).isBetween(1, sent);
    return decoder;
  }

  private static Set<Long> set(long... keys) {
    return Arrays.stream(keys).boxed().collect(Collectors.toCollection(TreeSet::new));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0", "0, 1", "1, 0", "1, 1", "0, 7", "9, 0", "40, 20", "64, 0", "70, 75", "0, 130"
  })
  void theDifferenceIsExact(int onlyHere, int onlyThere) throws IOException {
    long[] keys = Keys.members(3_000 + onlyHere + onlyThere, onlyHere);
    RatelessTable here = of(Arrays.copyOf(keys, keys.length - onlyThere));
    RatelessTable there = of(Arrays.copyOfRange(keys, onlyHere, keys.length));
    RatelessDecoder decoder = reconcile(here, there);
    Difference difference = decoder.difference();
    assertThat(difference.isComplete()).isTrue();
    assertThat(difference.unresolvedCells()).isZero();
    assertThat(set(difference.longsOnlyHere())).isEqualTo(set(Arrays.copyOf(keys, onlyHere)));
    assertThat(set(difference.longsOnlyThere()))
        .isEqualTo(set(Arrays.copyOfRange(keys, keys.length - onlyThere, keys.length)));
    int before = decoder.symbols();
    read(decoder, symbols(there, before, before + 9), 9);
    assertThat(decoder.difference().keyCount())
        .as("later symbols are ignored")
        .isEqualTo(difference.keyCount());
  }

  private static double symbolsPerKey(int difference, int run) throws IOException {
    RatelessTable here =
        RatelessTable.create(InvertibleShape.KeyFormat.LONGS, Hasher.xxh3(Seeds.of(run)));
    RatelessTable there =
        RatelessTable.create(InvertibleShape.KeyFormat.LONGS, Hasher.xxh3(Seeds.of(run)));
    SplittableRandom random = Seeds.random(run);
    for (int i = 0; i < difference; i++) {
      (random.nextBoolean() ? here : there).add(Keys.hash((long) run << 32 | i));
    }
    RatelessDecoder decoder = reconcile(here, there);
    assertThat(decoder.difference().keyCount()).isEqualTo(difference);
    return (double) decoder.symbolsNeeded() / difference;
  }

  private static void assertSymbols(int difference, int runs, double expected) throws IOException {
    double[] samples = new double[runs];
    for (int run = 0; run < runs; run++) {
      samples[run] = symbolsPerKey(difference, run);
    }
    Rates.assertMean(samples, expected, 5, .01);
    assertThat(Rates.mean(samples) - 5 * Rates.standardError(samples))
        .as("1.4 symbols per key on average")
        .isLessThanOrEqualTo(1.4);
  }

  /** Means of many more runs; those of one key are exact. */
  @ParameterizedTest
  @CsvSource({
    "2, 200, 1.124",
    "10, 80, 1.163",
    "30, 20, 1.187",
    "100, 20, 1.235",
    "200, 20, 1.377",
    "1000, 20, 1.334"
  })
  void symbolsPerKeyAreAsStated(int difference, int runs, double expected) throws IOException {
    assertSymbols(difference, runs, expected);
  }

  @Test
  void oneKeyTakesOneSymbol() throws IOException {
    for (int run = 0; run < 50; run++) {
      assertThat(symbolsPerKey(1, run)).isEqualTo(1);
    }
  }

  /**
   * From both sides of the threshold: one run of 20,000 deviates by .011, a mean of five by .005.
   */
  @Test
  void manyKeysTakeTheSymbolsOfTheTheory() throws IOException {
    double mean = 0;
    for (int run = 0; run < 5; run++) {
      mean += symbolsPerKey(20_000, run) / 5;
    }
    assertThat(mean).isCloseTo(1.311, within(5 * .011 / Math.sqrt(5)));
    assertThat(PeelingMath.symbolsPerKey(.625)).isBetween(1.307, 1.309);
  }

  @Tag("long")
  @ParameterizedTest
  @CsvSource({
    "2, 3000, 1.124", "3, 3000, 1.156", "5, 2000, 1.163", "10, 2000, 1.163", "30, 400, 1.187",
    "50, 300, 1.189", "100, 300, 1.235", "200, 300, 1.377", "1000, 100, 1.334", "10000, 30, 1.311"
  })
  void symbolsPerKeyOfManyRuns(int difference, int runs, double expected) throws IOException {
    assertSymbols(difference, runs, expected);
  }

  @Tag("long")
  @Test
  void symbolsOfAHundredThousandKeys() throws IOException {
    double mean = 0;
    for (int run = 0; run < 3; run++) {
      mean += symbolsPerKey(100_000, run) / 3;
    }
    // Five times as many keys as above, of which one run deviates by .011.
    assertThat(mean).isCloseTo(1.308, within(5 * .011 / Math.sqrt(3 * 5)));
  }

  /** 17 bytes and a few bits per symbol of 8-byte keys, 8 more for the first 64. */
  @Test
  void symbolsAreShort() {
    RatelessTable table = of(Keys.members(50_000));
    int early = symbols(table, 0, 64).length;
    int later = symbols(table, 64, 1_400).length;
    assertThat(early / 64.0).isBetween(25.1, 25.6);
    assertThat(later / 1_336.0).isBetween(17.0, 17.2);
  }

  @Test
  void keysOfAllLengths() throws IOException {
    for (InvertibleShape.KeyFormat format :
        List.of(
            InvertibleShape.KeyFormat.upTo(64),
            InvertibleShape.KeyFormat.fixed(32),
            InvertibleShape.KeyFormat.upTo(7))) {
      for (int keys : new int[] {3, 40, 150}) {
        RatelessTable here = RatelessTable.create(format, Hasher.xxh3(2));
        RatelessTable there = RatelessTable.create(format, Hasher.xxh3(2));
        Set<String> mine = new TreeSet<>();
        Set<String> yours = new TreeSet<>();
        SplittableRandom random = Seeds.random(keys);
        for (int i = 0; i < keys; i++) {
          int length = format.variableLength() ? i % (format.keyBytes() + 1) : format.keyBytes();
          byte[] key = new byte[length];
          random.nextBytes(key);
          String hex = HexFormat.of().formatHex(key);
          if (!mine.contains(hex) && !yours.contains(hex)) {
            (i % 3 == 0 ? mine : yours).add(hex);
            (i % 3 == 0 ? here : there).add(key);
          }
        }
        Difference difference = reconcile(here, there).difference();
        assertThat(hex(difference.onlyHere())).isEqualTo(mine);
        assertThat(hex(difference.onlyThere())).isEqualTo(yours);
        assertThat(difference.valuesOnlyThere()).allMatch(value -> value.length == 0);
      }
    }
  }

  private static Set<String> hex(List<byte[]> keys) {
    return keys.stream()
        .map(HexFormat.of()::formatHex)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Keys inserted before, between and after symbols were made give the same symbols. */
  @Test
  void symbolsFollowInserts() {
    long[] keys = Keys.members(500);
    RatelessTable all = of(keys);
    RatelessTable late = of(Arrays.copyOf(keys, 100));
    late.extendTo(20);
    Arrays.stream(keys, 100, 300).forEach(late::add);
    late.extendTo(300);
    Arrays.stream(keys, 300, 500).forEach(late::add);
    assertThat(symbols(late, 0, 700)).isEqualTo(symbols(all, 0, 700));
    assertThat(late.keyCount()).isEqualTo(500);
    byte[] pieces = new byte[symbols(all, 0, 100).length];
    int at = 0;
    for (int i = 0; i < 100; i++) {
      byte[] one = symbols(all, i, i + 1);
      System.arraycopy(one, 0, pieces, at, one.length);
      at += one.length;
    }
    assertThat(pieces).isEqualTo(symbols(late, 0, 100));
  }

  /** The bytes of a small set, pinned: every later version must write them. */
  @Test
  void symbolsArePinned() {
    RatelessTable table = RatelessTable.create(InvertibleShape.KeyFormat.upTo(6), Hasher.xxh3());
    for (String key : List.of("a", "bc", "def", "")) {
      table.add(key);
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(symbols(table, 0, 3));
    all.writeBytes(symbols(table, 63, 66));
    assertThat(HexFormat.of().formatHex(all.toByteArray())).isEqualTo(PINNED);
  }

  @Test
  void duplicatesCannotBeDecoded() throws IOException {
    RatelessDecoder decoder = of().decoder(MAX);
    read(decoder, symbols(of(5, 5, 6), 0, 500), 500);
    assertThat(decoder.isComplete()).isFalse();
    assertThat(decoder.symbolsNeeded()).isEqualTo(-1);
    Difference partial = decoder.difference();
    assertThat(partial.isComplete()).isFalse();
    assertThat(partial.unresolvedCells()).isPositive();
    assertThat(set(partial.longsOnlyThere())).isSubsetOf(5L, 6L);
  }

  /**
   * With another hasher nothing is decoded, and the reader reports this after its maximum number of
   * symbols.
   */
  @Test
  void symbolsOfAnotherHasherAreNeverDecoded() {
    RatelessTable there = RatelessTable.create(InvertibleShape.KeyFormat.LONGS, Hasher.xxh3(1));
    Arrays.stream(Keys.members(50)).forEach(there::add);
    RatelessDecoder decoder = of(Keys.members(50)).decoder(400);
    assertThatThrownBy(() -> read(decoder, symbols(there, 0, 401), 401))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("no difference after 400 symbols");
    assertThat(decoder.isComplete()).isFalse();
  }

  /** Every cut is an end of the stream, and no flipped bit makes a wrong difference complete. */
  @Test
  void damagedStreamsNeverDecodeToSomethingElse() throws IOException {
    long[] keys = Keys.members(60);
    RatelessTable here = of(Arrays.copyOf(keys, 50));
    RatelessTable there = of(Arrays.copyOfRange(keys, 10, 60));
    byte[] sound = symbols(there, 0, 100);
    for (int length = 0; length < sound.length; length += 7) {
      byte[] part = Arrays.copyOf(sound, length);
      assertThatThrownBy(() -> read(here.decoder(MAX), part, 100)).isInstanceOf(EOFException.class);
    }
    SplittableRandom random = Seeds.random(8);
    for (int i = 0; i < Effort.of(400); i++) {
      byte[] damaged = sound.clone();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      }
      RatelessDecoder decoder = here.decoder(MAX);
      try {
        decoder.readSymbols(new ByteArrayInputStream(damaged), 100);
      } catch (FilterFormatException | EOFException e) {
        assertThat(e).hasMessageMatching("(?s).+");
      }
      if (decoder.isComplete()) {
        assertThat(set(decoder.difference().longsOnlyThere()))
            .isEqualTo(set(Arrays.copyOfRange(keys, 50, 60)));
      }
    }
  }

  /** Random bytes, also such as look like symbols, end with an error or in a partial difference. */
  @Test
  void noiseIsRefusedOrUndecided() throws IOException {
    SplittableRandom random = Seeds.random(9);
    for (int i = 0; i < Effort.of(80); i++) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      int keys = random.nextInt(60);
      for (int symbol = 0; symbol < 150; symbol++) {
        long count = symbol == 0 ? keys : random.nextInt(keys + 1);
        CellStream.writeCount(out, count - RatelessTable.expected(symbol == 0 ? 0 : keys, symbol));
        CellStream.writeBytes(out, random.nextLong() >>> 3, 8);
        CellStream.writeBytes(out, random.nextLong(), 8);
        if (symbol < RatelessTable.EARLY) {
          CellStream.writeBytes(out, 1 + random.nextLong(1L << 60), 8);
        }
      }
      RatelessDecoder decoder = of(Keys.members(30)).decoder(MAX);
      decoder.readSymbols(new ByteArrayInputStream(out.toByteArray()), 150);
      assertThat(decoder.isComplete()).isFalse();
      assertThat(decoder.difference().keyCount()).isZero();
    }
  }

  /** Symbols of single keys that are not in all of their symbols contradict each other. */
  @Test
  void contradictionsAreReported() {
    RatelessTable one = of(7);
    List<byte[]> parts = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      parts.add(i % 2 == 0 ? symbols(one, i, i + 1) : symbols(of(8), i, i + 1));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    parts.forEach(out::writeBytes);
    RatelessDecoder decoder = of(1, 2, 3).decoder(MAX);
    assertThatThrownBy(() -> read(decoder, out.toByteArray(), 40))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("contradict");
  }

  @Test
  void keyedSetsAreReconciled() throws IOException {
    byte[] secret = "sixteen bytes ok".getBytes(UTF_8);
    RatelessTable here =
        RatelessTable.create(InvertibleShape.KeyFormat.LONGS, Hasher.keyed(secret));
    RatelessTable there =
        RatelessTable.create(InvertibleShape.KeyFormat.LONGS, Hasher.keyed(secret));
    here.add(1);
    there.add(2);
    assertThat(reconcile(here, there).difference().longsOnlyThere()).containsExactly(2);
    assertThat(here.toString()).contains("keys=1").doesNotContain("sixteen");
  }
}
