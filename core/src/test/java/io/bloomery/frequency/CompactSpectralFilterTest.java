package io.bloomery.frequency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.FrequencyFilter;
import io.bloomery.RemovableFilter;
import io.bloomery.frequency.SpectralShape.Method;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.EliasCounters;
import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Catalogue F1: a compact store of counters, and what it costs beside a Bloom filter.
 *
 * <p>Measured here, of F1 (counters of variable length (Elias)): 21.7 bits/key at 1 %, 2.27 × the
 * Bloom filter; 32-bit counters take 307; 10,000 keys added once; added ten times each on average
 * (Zipf 1) 30.7; the same answers as counters of 32 bits, key by key.
 */
final class CompactSpectralFilterTest {

  private static final int KEYS = 10_000;

  /** Any history beside an array, with values of all lengths, in groups that are not full. */
  @ParameterizedTest
  @ValueSource(ints = {1, 63, 128, 1024, 1025, 3000})
  void countersAreAnArray(int count) {
    EliasCounters counters = new EliasCounters(count);
    long[] model = new long[count];
    SplittableRandom random = Seeds.random(count);
    for (int step = 0; step < 20_000; step++) {
      int i = random.nextInt(count);
      model[i] = random.nextLong(1L << random.nextInt(32)) % (EliasCounters.MAX + 1);
      counters.set(i, model[i]);
      int j = random.nextInt(count);
      if (counters.get(i) != model[i] || counters.get(j) != model[j]) {
        throw new AssertionError("step " + step);
      }
    }
    counters.set(count - 1, EliasCounters.MAX);
    model[count - 1] = EliasCounters.MAX;
    long bits = 0;
    int at = 0;
    for (int group = 0; group < counters.groups(); group++) {
      for (long value : counters.values(group)) {
        assertThat(value).isEqualTo(model[at++]);
        bits += 2 * (63 - Long.numberOfLeadingZeros(value + 1)) + 1;
      }
    }
    assertThat(at).isEqualTo(count).isEqualTo((int) counters.count());
    // Positions take 128 bits per group, and the last word is not full.
    long more = counters.sizeInBits() - bits;
    assertThat(more).isBetween(128L * counters.groups(), 192L * counters.groups());
    for (int i = 0; i < count; i++) {
      counters.set(i, 0);
    }
    assertThat(counters.sizeInBits()).isEqualTo(new EliasCounters(count).sizeInBits());
  }

  /** The same answers as counters of 32 bits, key by key, added singly and many at once. */
  @ParameterizedTest
  @EnumSource(names = {"MINIMUM_SELECTION", "MINIMAL_INCREASE"})
  void answersAreThoseOfTheSpectralFilter(Method method) {
    SpectralShape shape = SpectralShape.forKeys(3_000, 0.02, method);
    Hasher hasher = Hasher.xxh3(Seeds.of(5));
    CompactSpectralFilter compact = CompactSpectralFilter.create(shape, hasher);
    SpectralFilter plain = SpectralFilter.create(shape, hasher);
    int[] stream = Zipf.stream(3_000, 1, 20_000, 11);
    SplittableRandom random = Seeds.random(12);
    for (int key : stream) {
      long hash = Keys.hash(key);
      long times = random.nextInt(10) == 0 ? random.nextInt(1_000) : 1;
      if (compact.addHash(hash, times) != plain.addHash(hash, times)) {
        throw new AssertionError("key " + key);
      }
    }
    assertThat(counts(compact)).isEqualTo(counts(plain));
    assertThat(compact.falsePositiveRate()).isCloseTo(plain.falsePositiveRate(), within(1e-12));
    SpectralFilter saved = compact.toSpectralFilter();
    CompactSpectralFilter again = CompactSpectralFilter.of(plain);
    assertThat(again.sizeInBits()).isEqualTo(compact.sizeInBits());
    assertThat(counts(saved)).isEqualTo(counts(plain));
    assertThat(counts(again)).isEqualTo(counts(plain));
    assertThat(compact.removable().isPresent()).isEqualTo(method == Method.MINIMUM_SELECTION);
  }

  private static long[] counts(FrequencyFilter filter) {
    return LongStream.range(0, 6_000).map(i -> filter.countHash(Keys.hash(i))).toArray();
  }

  /**
   * "The space usage is similar to that of a Bloom filter for a set of the same size": 10,000 keys
   * at 1 % that are added once take 21.7 bits each, where the Bloom filter has 9.59 and counters of
   * 32 bits 307; added ten times each on average, in proportion to 1/rank, 30.7.
   */
  @Test
  void theClaimOfSimilarSpace() {
    SpectralShape shape = SpectralShape.forKeys(KEYS, 0.01, Method.MINIMUM_SELECTION);
    CompactSpectralFilter once = CompactSpectralFilter.create(shape);
    for (long hash : Keys.members(KEYS)) {
      once.addHash(hash);
    }
    double bits = once.sizeInBits() / (double) KEYS;
    assertThat(bits).isCloseTo(predictedBits(shape) / KEYS, within(0.01 * bits));
    assertThat(bits).isCloseTo(21.73, within(0.2));
    double bloom = BloomShape.forKeys(KEYS, 0.01).sizeInBits() / (double) KEYS;
    assertThat(bits / bloom).isCloseTo(2.27, within(0.02));
    assertThat(shape.sizeInBits() / (double) KEYS / bits).isGreaterThan(14);
    Rates.assertRate(
        LongStream.of(Keys.outsiders(100_000)).filter(once::mightContainHash).count(),
        100_000,
        once.falsePositiveRate(),
        5);
    CompactSpectralFilter tenTimes = CompactSpectralFilter.create(shape);
    long[] counts = Zipf.counts(KEYS, Zipf.stream(KEYS, 1, 10 * KEYS, 3));
    for (int key = 0; key < KEYS; key++) {
      tenTimes.addHash(Keys.hash(key), counts[key]);
    }
    assertThat(tenTimes.sizeInBits() / (double) KEYS).isCloseTo(30.7, within(0.5));
  }

  /** Codes of binomial counters, positions, and half a word at the end of each group. */
  private static double predictedBits(SpectralShape shape) {
    double mean = 0;
    double probability = Math.pow(1 - 1.0 / shape.width(), KEYS);
    for (int c = 0; c < 60; c++) {
      mean += probability * (2 * (31 - Integer.numberOfLeadingZeros(c + 1)) + 1);
      probability *= (KEYS - c) / (c + 1.0) / (shape.width() - 1);
    }
    double counters = (double) shape.rows() * shape.width();
    return counters * mean + Math.ceil(counters / 1024) * (128 + 32);
  }

  /** Keys are removed as they were added. */
  @Test
  void keysCanBeRemoved() {
    SpectralShape shape = SpectralShape.forKeys(1_000, 0.02, Method.MINIMUM_SELECTION);
    CompactSpectralFilter filter = CompactSpectralFilter.create(shape);
    long empty = filter.sizeInBits();
    RemovableFilter view = filter.removable().orElseThrow();
    assertThat(view.removeHash(1)).isFalse();
    for (long hash : Keys.members(1_000)) {
      view.addHash(hash);
    }
    assertThat(filter.sizeInBits()).isGreaterThan(empty);
    assertThat(view.sizeInBits()).isEqualTo(filter.sizeInBits());
    assertThat(view.falsePositiveRate()).isEqualTo(filter.falsePositiveRate());
    assertThat(view.hasher()).isEqualTo(filter.hasher());
    for (long hash : Keys.members(1_000)) {
      assertThat(view.mightContainHash(hash) && view.removeHash(hash)).isTrue();
    }
    assertThat(filter.sizeInBits()).isEqualTo(empty);
    assertThat(filter.falsePositiveRate()).isZero();
  }

  @Test
  void limits() {
    SpectralShape shape = new SpectralShape(3, 100, 8, Method.MINIMAL_INCREASE);
    CompactSpectralFilter filter = CompactSpectralFilter.create(shape);
    assertThat(filter.addHash(1, 0)).isFalse();
    filter.add("x", 300);
    assertThat(filter.count("x")).isEqualTo(300);
    assertThatThrownBy(filter::toSpectralFilter)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("300 does not fit into 8 bits");
    filter.add("x", Long.MAX_VALUE);
    assertThat(filter.count("x")).isEqualTo(filter.maxCount()).isEqualTo((1L << 31) - 2);
    assertThatThrownBy(() -> filter.addHash(1, -1)).hasMessageStartingWith("times = -1 ");
    assertThatThrownBy(
            () ->
                CompactSpectralFilter.create(
                    new SpectralShape(3, 100, 32, Method.RECURRING_MINIMUM)))
        .hasMessageStartingWith("method = RECURRING_MINIMUM ");
    SpectralFilter wide = SpectralFilter.create(new SpectralShape(2, 10, 64, shape.method()));
    wide.addHash(7, 1L << 40);
    assertThatThrownBy(() -> CompactSpectralFilter.of(wide)).hasMessageStartingWith("counter = ");
    assertThat(filter.shape()).isEqualTo(shape);
    assertThat(filter.toString()).startsWith("CompactSpectralFilter[");
    assertThat(CompactSpectralFilter.create(10, 0.1).countHash(3)).isZero();
  }
}
