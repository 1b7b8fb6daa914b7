package io.bloomery.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.Filters;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.LookupFilter;
import io.bloomery.Storable;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.frame.Frame;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import io.bloomery.testkit.Race;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import io.bloomery.theory.Estimates;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Catalogue F9.
 *
 * <p>Measured here, of F9 (compact approximator): with one bit the Bloom filter, byte for byte;
 * 50,000 numbers of 16 bits at 10, 1 and 0.1 %: none too low, at most that share too high; text
 * search over any alphabet finds what {@code indexOf} finds.
 */
final class CompactApproximatorTest {

  private static CompactApproximator of(long cells, int probes, int bits, boolean sets) {
    return CompactApproximator.create(new ApproximatorShape(cells, probes, bits, sets));
  }

  private static byte[] bytes(Storable filter) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      filter.writeTo(out);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toByteArray();
  }

  /** 10 000 keys in 95 907 bits: every payload byte is that of the Bloom filter. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oneBitIsTheBloomFilter(boolean sets) {
    CompactApproximator values = of(95_907, 7, 1, sets);
    BloomFilter bloom = BloomFilter.create(BloomShape.of(95_907, 7, IndexScheme.INDEPENDENT));
    for (long hash : Keys.members(10_000)) {
      assertThat(values.putHash(hash, 1)).isEqualTo(bloom.addHash(hash));
    }
    byte[] ours = bytes(values);
    byte[] theirs = bytes(bloom);
    assertThat(Arrays.copyOfRange(ours, 4096, ours.length))
        .isEqualTo(Arrays.copyOfRange(theirs, 4096, theirs.length));
    for (long hash : Keys.outsiders(100_000)) {
      assertThat(values.mightContainHash(hash)).isEqualTo(bloom.mightContainHash(hash));
    }
    assertThat(values.falsePositiveRate()).isCloseTo(bloom.falsePositiveRate(), within(1e-12));
  }

  /** 50 000 keys with values of 16 bits: none too low, and exact but for the rate. */
  @ParameterizedTest
  @CsvSource({"0.1", "0.01", "0.001"})
  void numbersAreNeverTooLowAndExactButForTheRate(double rate) {
    long[] hashes = Keys.members(50_000);
    CompactApproximator map =
        CompactApproximator.create(ApproximatorShape.forKeys(hashes.length, rate, 16));
    SplittableRandom random = Seeds.random(54);
    long[] values = random.longs(hashes.length, 1, 1 << 16).toArray();
    for (int i = 0; i < hashes.length; i++) {
      map.putHash(hashes[i], values[i]);
    }
    int exact = 0;
    for (int i = 0; i < hashes.length; i++) {
      long value = map.getHash(hashes[i]);
      assertThat(value).isGreaterThanOrEqualTo(values[i]);
      exact += value == values[i] ? 1 : 0;
    }
    // A key errs if all its cells have larger values of others: at the rate of a filter that holds
    // only the keys with larger values, any number of which is as likely with random values.
    int wrong = hashes.length - exact;
    double expected = 0;
    for (int i = 0; i < 1_000; i++) {
      expected += map.shape().falsePositiveRate((long) ((i + 0.5) / 1_000 * hashes.length)) / 1_000;
    }
    if (rate < 0.01) {
      Rates.assertRateAtMost(wrong, hashes.length, expected, 5);
    } else {
      Rates.assertRate(wrong, hashes.length, expected, 5);
    }
    long found = Arrays.stream(Keys.outsiders(1_000_000)).filter(map::mightContainHash).count();
    Rates.assertRate(found, 1_000_000, map.falsePositiveRate(), 5);
    assertThat(map.shape().falsePositiveRate(hashes.length)).isBetween(0.99 * rate, rate);
    double deviation =
        Rates.rateDeviation(
            (double) map.shape().cells(), hashes.length, map.shape().hashesPerKey());
    assertThat(map.falsePositiveRate()).isCloseTo(rate, within((5 * deviation + 0.01) * rate));
  }

  /** If all other values are larger the share that errs is the rate itself. */
  @Test
  void theLowestValuesErrAtTheRate() {
    CompactApproximator map =
        CompactApproximator.create(ApproximatorShape.forKeys(20_000, 0.02, 2));
    long[] low = Keys.members(10_000, 1);
    for (long hash : low) {
      map.putHash(hash, 1);
    }
    for (long hash : Keys.members(20_000, 2)) {
      map.putHash(hash, 3);
    }
    long wrong = Arrays.stream(low).filter(hash -> map.getHash(hash) == 3).count();
    Rates.assertRate(wrong, low.length, map.shape().falsePositiveRate(20_000), 5);
  }

  /** Sets of up to 8 of 40 elements: every answer holds the set, elements are too many at times. */
  @Test
  void setsHoldAllThatWasGiven() {
    SplittableRandom random = Seeds.random(55);
    CompactApproximator map =
        CompactApproximator.create(ApproximatorShape.forKeys(5_000, 0.01, 40).withSets());
    long[] hashes = Keys.members(5_000);
    long[] given = new long[hashes.length];
    for (int round = 0; round < 4; round++) {
      for (int i = 0; i < hashes.length; i++) {
        long set = 1L << random.nextInt(40);
        set |= 1L << random.nextInt(40);
        map.putHash(hashes[i], set);
        given[i] |= set;
      }
    }
    int exact = 0;
    for (int i = 0; i < hashes.length; i++) {
      long answer = map.getHash(hashes[i]);
      assertThat(answer & given[i]).isEqualTo(given[i]);
      exact += answer == given[i] ? 1 : 0;
    }
    // Each of at most 39 other elements, which 8 of 40 draws give to at most a fifth of the keys.
    double rate = 39 * map.shape().falsePositiveRate(hashes.length / 5);
    Rates.assertRateAtMost(hashes.length - exact, hashes.length, rate, 5);
    long found = Arrays.stream(Keys.outsiders(200_000)).filter(map::mightContainHash).count();
    Rates.assertRateAtMost(found, 200_000, map.falsePositiveRate(), 5);
  }

  /** With few elements the rate of sets is exact: 1 000 000 outsiders of a nearly full map. */
  @Test
  void theRateOfFewElements() {
    CompactApproximator map = of(2_000, 3, 4, true);
    long[] hashes = Keys.members(900);
    for (int i = 0; i < hashes.length; i++) {
      map.putHash(hashes[i], 1L << (i * i % 4) | 1L << (i % 3));
    }
    long found = Arrays.stream(Keys.outsiders(1_000_000)).filter(map::mightContainHash).count();
    Rates.assertRate(found, 1_000_000, map.falsePositiveRate(), 5);
  }

  /** Incomparable values: the meet of {1, 2} and {2, 3} is {2}, that of 3 and 6 is 3. */
  @Test
  void joinsAndMeets() {
    CompactApproximator sets = of(64, 1, 4, true);
    CompactApproximator numbers = of(64, 1, 4, false);
    for (CompactApproximator map : List.of(sets, numbers)) {
      assertThat(map.putHash(5, 0)).isFalse();
      assertThat(map.getHash(5)).isEqualTo(LookupFilter.ABSENT);
      assertThat(map.putHash(5, 3)).isTrue();
      assertThat(map.putHash(5, 3)).isFalse();
      assertThat(map.putHash(5, 6)).isTrue();
    }
    assertThat(sets.getHash(5)).isEqualTo(7);
    assertThat(numbers.getHash(5)).isEqualTo(6);
    assertThat(numbers.putHash(5, 2)).isFalse();
    assertThat(sets.putHash(5, 2)).isFalse();
  }

  @Test
  void meetOfIncomparableCells() {
    Property.check(
        54,
        300,
        draw -> {
          CompactApproximator sets = of(draw.between(3, 40), draw.between(1, 3), 6, true);
          long[] given = new long[8];
          for (int step = 0; step < 12; step++) {
            int key = draw.between(0, 7);
            long set = draw.between(0L, 63L);
            given[key] |= set;
            sets.put(key, set);
            for (int i = 0; i < 8; i++) {
              long answer = Math.max(0, sets.get((long) i));
              assertThat(answer & given[i]).isEqualTo(given[i]);
            }
          }
        });
  }

  /**
   * Text search by Boyer, Moore and Horspool for any alphabet: of each character of the pattern its
   * last place, answered never too low, says how far the pattern may move, never too far.
   */
  @Test
  void unicodeTextSearch() {
    SplittableRandom random = Seeds.random(56);
    int[] alphabet = {'a', 'ß', 'Ж', 0x4E2D, 0x1F600, 0x10FFFF, 'z', 0x300};
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      text.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
    }
    String all = text.toString();
    for (int length : new int[] {1, 2, 3, 5, 9}) {
      for (int round = 0; round < 20; round++) {
        int at = random.nextInt(all.length() - length);
        String pattern =
            round % 2 == 0 ? all.substring(at, at + length) : "a".repeat(length - 1) + "中";
        assertThat(occurrences(all, pattern)).isEqualTo(expected(all, pattern));
      }
    }
  }

  private static List<Integer> expected(String text, String pattern) {
    List<Integer> found = new ArrayList<>();
    for (int at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) {
      found.add(at);
    }
    return found;
  }

  private static List<Integer> occurrences(String text, String pattern) {
    int last = pattern.length() - 1;
    CompactApproximator places =
        CompactApproximator.create(ApproximatorShape.forKeys(pattern.length(), 0.1, 8));
    for (int i = 0; i < last; i++) {
      places.put((long) pattern.charAt(i), i + 1);
    }
    List<Integer> found = new ArrayList<>();
    for (int at = 0; at + last < text.length(); ) {
      if (text.startsWith(pattern, at)) {
        found.add(at);
      }
      long place = Math.max(0, places.get((long) text.charAt(at + last)));
      at += (int) Math.max(1, last + 1 - place);
    }
    return found;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void mergeIsAllPuts(boolean sets) {
    CompactApproximator one = of(3_000, 4, 7, sets);
    CompactApproximator two = of(3_000, 4, 7, sets);
    CompactApproximator both = of(3_000, 4, 7, sets);
    long[] hashes = Keys.members(300);
    for (int i = 0; i < 300; i++) {
      (i % 2 == 0 ? one : two).putHash(hashes[i], i % 128);
      both.putHash(hashes[i], i % 128);
    }
    CompactApproximator copy = one.copy();
    one.merge(two);
    one.merge(one);
    assertThat(bytes(one)).isEqualTo(bytes(both));
    assertThat(bytes(copy)).isNotEqualTo(bytes(both));
    assertThat(one.isCompatible(two)).isTrue();
    assertThatThrownBy(() -> one.merge(of(3_001, 4, 7, sets)))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("3001");
    assertThat(one.isCompatible(of(3_000, 4, 7, !sets))).isFalse();
  }

  /** Two threads that put to the same cells: what both gave is there, whatever the order. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void twoThreadsLoseNothing(boolean sets) {
    for (int round = 0; round < 20; round++) {
      CompactApproximator shared = of(200, 3, 8, sets);
      CompactApproximator alone = of(200, 3, 8, sets);
      long[] hashes = Keys.members(5_000, round);
      for (int i = 0; i < hashes.length; i++) {
        alone.putHash(hashes[i], hashes[i] >>> 56);
      }
      Race.run(
          2,
          thread -> {
            for (int i = thread; i < hashes.length; i += 2) {
              shared.putHash(hashes[i], hashes[i] >>> 56);
            }
          });
      assertThat(bytes(shared)).isEqualTo(bytes(alone));
    }
  }

  @Test
  void storedAndMapped(@TempDir Path directory) throws IOException {
    CompactApproximator map = CompactApproximator.create(ApproximatorShape.forKeys(100, 0.01, 63));
    map.put("top", map.maxValue());
    map.put(new byte[] {1}, 5);
    map.put("object", (String text, Funnel.Fields into) -> into.put(text), 9);
    Path file = directory.resolve("map.bloom");
    map.writeTo(file);
    CompactApproximator mapped = (CompactApproximator) Filters.map(file);
    assertThat(mapped.get("top")).isEqualTo(Long.MAX_VALUE);
    assertThat(mapped.get(new byte[] {1})).isEqualTo(5);
    assertThat(mapped.get("object", (String text, Funnel.Fields into) -> into.put(text)))
        .isEqualTo(9);
    assertThatThrownBy(() -> mapped.put("a", 0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> mapped.merge(map)).isInstanceOf(IllegalStateException.class);
    assertThat(mapped.shape().sets()).isFalse();
  }

  @Test
  void cellsInUseTellHowManyKeysThereAre() {
    CompactApproximator map =
        CompactApproximator.create(ApproximatorShape.forKeys(10_000, 0.01, 9));
    assertThat(map.cardinality()).isZero();
    assertThat(map.fillRatio()).isZero();
    for (long hash : Keys.members(10_000)) {
      map.putHash(hash, 1 + (hash & 0xFF));
      map.putHash(hash, 0);
    }
    long cells = map.shape().cells();
    int probes = map.shape().hashesPerKey();
    double deviation = Estimates.cardinalityStandardDeviation(cells, probes, 10_000);
    assertThat(map.cardinality()).isCloseTo(10_000, within(5 * deviation));
    assertThat(map.fillRatio())
        .isCloseTo(-Math.expm1(-map.cardinality() * probes / cells), within(1e-12));
  }

  @Test
  void arguments() {
    CompactApproximator map = of(10, 2, 3, false);
    assertThatThrownBy(() -> map.put("a", 8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("value = 8", "0 … 7");
    assertThatThrownBy(() -> map.put("a", -1)).hasMessageContaining("value = -1");
    assertThatThrownBy(() -> map.put((String) null, 1)).hasMessage("key");
    assertThatThrownBy(() -> ApproximatorShape.forKeys(10, 0.1, 64))
        .hasMessageContaining("cellBits = 64");
    assertThatThrownBy(() -> ApproximatorShape.forKeys(0, 0.1, 8))
        .hasMessageContaining("expectedKeys = 0");
    assertThatThrownBy(() -> new ApproximatorShape(1, 1, 8, false))
        .hasMessageContaining("cells = 1");
    assertThatThrownBy(() -> new ApproximatorShape(3, 4, 8, false))
        .hasMessageContaining("hashesPerKey = 4");
    assertThatThrownBy(() -> new ApproximatorShape(3, 2, 64, false))
        .hasMessageContaining("cellBits = 64");
    assertThat(map.toString())
        .isEqualTo(
            "CompactApproximator[ApproximatorShape[cells=10, hashesPerKey=2, cellBits=3,"
                + " sets=false], "
                + Hasher.xxh3()
                + "]");
  }

  /** Files name the lattice by a number: 1 for numbers, 2 for sets. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void filesSayWhatValuesAre(boolean sets) throws IOException {
    CompactApproximator map = of(40, 2, 5, sets);
    assertThat(Frame.encode(map).number("lattice", 0, 9)).isEqualTo(sets ? 2 : 1);
    Object again = Filters.read(new ByteArrayInputStream(bytes(map)));
    assertThat(((CompactApproximator) again).shape()).isEqualTo(map.shape());
  }
}
