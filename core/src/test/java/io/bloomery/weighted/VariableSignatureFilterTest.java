package io.bloomery.weighted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.Filters;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import io.bloomery.theory.BloomMath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Catalogue entry W5.
 *
 * <p>Measured here, of W5 (signatures of variable length): a tenth of 2,000 keys removed: 6.7, 0.8,
 * 0.09 % of the others lost with a slack of 0, 1, 2 bits; half of them removed, sized for 1 % with
 * a slack of 2: 6.7 %; rate P[Bin(k, fill) ≥ q] within 5 σ of a million for six shapes; k = 8:
 * 0.0039, 0.0253, 0.0580 for (q, fill) = (8, .5), (6, .35), (5, .3). Losses by removals and by
 * ageing are those of the formula over 40 filters. 18.95 bits/key at 1 % with a slack of 2.
 */
final class VariableSignatureFilterTest {

  private static VariableSignatureFilter filled(VariableSignatureShape shape, long[] members) {
    VariableSignatureFilter filter = VariableSignatureFilter.create(shape);
    filter.addHashes(members, 0, members.length);
    return filter;
  }

  private static long present(VariableSignatureFilter filter, long[] hashes) {
    return Arrays.stream(hashes).filter(filter::mightContainHash).count();
  }

  /** P[Bin(k, fill) ≥ q] as published. */
  @ParameterizedTest
  @CsvSource({"8, 8, 0.5, 0.0039", "8, 6, 0.35, 0.0253", "8, 5, 0.3, 0.0580"})
  void publishedRates(int k, int q, double fill, double rate) {
    assertThat(VariableSignatureShape.of(1_000, k, k, q).rateAtFill(fill))
        .isCloseTo(rate, within(5e-5));
  }

  /** Rules R1 and R3: a million outsiders, at about the published fills. */
  @ParameterizedTest
  @CsvSource({
    "11542, 8, 8, 8",
    "18571, 8, 8, 6",
    "22430, 8, 8, 5",
    "14000, 8, 5, 5",
    "16000, 10, 7, 6",
    "2000, 3, 1, 1",
  })
  void theRateIsThatOfTheFill(int m, int k, int t, int q) {
    long[] members = Keys.members(1_000);
    VariableSignatureFilter filter = filled(VariableSignatureShape.of(m, k, t, q), members);
    assertThat(present(filter, members)).isEqualTo(1_000);
    int queries = 1_000_000;
    int hits =
        filter.mightContainHashes(Keys.outsiders(queries), 0, queries, new long[queries / 64]);
    Rates.assertRate(hits, queries, filter.falsePositiveRate(), 5);
    double fill = 1 - Math.pow(1 - 1.0 / m, 1_000.0 * t);
    double load = 1_000.0 * t / m;
    double deviation = Math.sqrt((1 - fill) * (1 - (1 + load) * (1 - fill)) / m);
    assertThat(filter.fillRatio()).isCloseTo(fill, within(5 * deviation));
  }

  /** Rule R4: the shape's rate is the mean over filters. */
  @ParameterizedTest
  @CsvSource({"200, 6, 6, 4, 12", "700, 8, 6, 5, 60", "5000, 12, 12, 9, 200"})
  void theExpectedRateIsTheMean(int m, int k, int t, int q, int keys) {
    VariableSignatureShape shape = VariableSignatureShape.of(m, k, t, q);
    double[] rates = new double[400];
    for (int i = 0; i < rates.length; i++) {
      rates[i] = filled(shape, Keys.members(keys, i)).falsePositiveRate();
    }
    Rates.assertMean(rates, shape.falsePositiveRate(keys), 5, 0.005);
  }

  /**
   * A tenth of 2,000 flows of 8 bits is removed from 40 filters: others are lost as predicted from
   * the bits cleared, and the more rarely the larger the slack (R5).
   */
  @Test
  void slackSavesOtherKeysFromRemovals() {
    int filters = 40;
    int flows = 2_000;
    int removed = flows / 10;
    double[][] lost = new double[3][filters];
    for (int slack = 0; slack <= 2; slack++) {
      VariableSignatureShape shape = VariableSignatureShape.of(23_000, 8, 8, 8 - slack);
      double[] errors = new double[filters];
      for (int i = 0; i < filters; i++) {
        long[] members = Keys.members(flows, i);
        VariableSignatureFilter filter = filled(shape, members);
        double before = filter.fillRatio();
        for (int j = 0; j < removed; j++) {
          filter.removeHash(members[j]);
          assertThat(filter.mightContainHash(members[j])).isFalse();
        }
        long[] others = Arrays.copyOfRange(members, removed, flows);
        lost[slack][i] = 1 - (double) present(filter, others) / others.length;
        double cleared = before - filter.fillRatio();
        errors[i] = lost[slack][i] - shape.falseNegativeRate(cleared, filter.fillRatio());
      }
      Rates.assertMean(errors, 0, 5, 0);
    }
    for (int slack = 1; slack <= 2; slack++) {
      double[] more = lost[slack - 1];
      double[] less = lost[slack];
      double[] differences = new double[filters];
      Arrays.setAll(differences, i -> more[i] - less[i]);
      assertThat(Rates.mean(differences)).isGreaterThan(4 * Rates.standardError(differences));
    }
    assertFigure(lost[0], 0.067, 0.0005);
    assertFigure(lost[1], 0.008, 0.0005);
    assertFigure(lost[2], 0.0009, 0.00005);
  }

  /** A figure of the documentation is a rounded mean of as many filters itself. */
  private static void assertFigure(double[] samples, double figure, double rounding) {
    double error = Math.sqrt(2) * Rates.standardError(samples);
    assertThat(Rates.mean(samples)).isCloseTo(figure, within(5 * error + rounding));
  }

  /**
   * Half of 2,000 keys leave 40 filters of 1 % and a slack of 2: 6.7 % of the others go with them.
   */
  @Test
  void whenHalfTheKeysLeaveOthersAreLost() {
    int flows = 2_000;
    VariableSignatureShape shape = VariableSignatureShape.forKeys(flows, 0.01);
    double[] lost = new double[40];
    double[] errors = new double[lost.length];
    for (int i = 0; i < lost.length; i++) {
      long[] members = Keys.members(flows, i);
      VariableSignatureFilter filter = filled(shape, members);
      double before = filter.fillRatio();
      for (int j = 0; j < flows / 2; j++) {
        filter.removeHash(members[j]);
      }
      long[] others = Arrays.copyOfRange(members, flows / 2, flows);
      lost[i] = 1 - (double) present(filter, others) / others.length;
      double cleared = before - filter.fillRatio();
      errors[i] = lost[i] - shape.falseNegativeRate(cleared, filter.fillRatio());
    }
    assertFigure(lost, 0.067, 0.0005);
    Rates.assertMean(errors, 0, 5, 0);
  }

  /** A window of a fifth of all bits: keys with a slack survive it as predicted, 40 filters. */
  @ParameterizedTest
  @CsvSource({"8, 8, 8", "8, 8, 6", "9, 7, 5"})
  void ageingForgetsAsPredicted(int k, int t, int q) {
    VariableSignatureShape shape = VariableSignatureShape.of(10_000, k, t, q);
    double[] errors = new double[40];
    for (int i = 0; i < errors.length; i++) {
      long[] members = Keys.members(500, i);
      VariableSignatureFilter filter = filled(shape, members);
      filter.age(2_000);
      double lost = 1 - present(filter, members) / 500.0;
      errors[i] = lost - shape.falseNegativeRate(0.2, filter.fillRatio());
    }
    Rates.assertMean(errors, 0, 5, 0);
  }

  /**
   * Five windows make a round: everything is forgotten except keys that were added again in
   * between.
   */
  @Test
  void aRoundForgetsWhatIsNotRefreshed(@TempDir Path directory) throws IOException {
    long[] members = Keys.members(300);
    VariableSignatureFilter filter = filled(VariableSignatureShape.of(10_001, 8, 8, 6), members);
    long ones = Math.round(filter.fillRatio() * 10_001);
    long cleared = 0;
    for (int window = 0; window < 4; window++) {
      cleared += filter.age(2_500);
    }
    assertThat(Math.round(filter.fillRatio() * 10_001)).isEqualTo(ones - cleared);
    Path file = directory.resolve("aged.bloom");
    filter.writeTo(file);
    VariableSignatureFilter again = (VariableSignatureFilter) Filters.open(file);
    again.addHash(members[0]);
    again.age(1); // the rest of the round
    assertThat(again.signatureBitsHash(members[0])).isGreaterThanOrEqualTo(6);
    assertThat(present(again, members)).isEqualTo(1);
    // The next window begins with the first position again, and the copy's, too.
    VariableSignatureFilter copy = again.copy();
    assertThat(again.age(10_001)).isLessThanOrEqualTo(8);
    assertThat(again.fillRatio()).isZero();
    assertThat(copy.age(10_000) + copy.age(1)).isBetween(5L, 8L);
    assertThat(copy.fillRatio()).isZero();
  }

  /** In a filter that is empty otherwise, the window moves from bit to bit and wraps. */
  @Test
  void theWindowGoesRound() {
    VariableSignatureFilter filter =
        VariableSignatureFilter.create(VariableSignatureShape.of(10, 10, 10, 1));
    fill(filter);
    assertThat(filter.age(7)).isEqualTo(7);
    assertThat(filter.age(7)).as("3 before the end and 4 that are 0").isEqualTo(3);
    fill(filter);
    assertThat(filter.age(6)).as("from bit 4 to the end").isEqualTo(6);
    assertThat(filter.age(4)).isEqualTo(4);
    assertThat(filter.fillRatio()).isZero();
  }

  private static void fill(VariableSignatureFilter filter) {
    for (long hash = 0; filter.fillRatio() < 1; hash++) {
      filter.addHash(hash);
    }
  }

  /** A flow is present from its fifth packet on, and its length can be read off. */
  @Test
  void signaturesGrowWithFlows() {
    VariableSignatureFilter filter =
        VariableSignatureFilter.create(VariableSignatureShape.of(1 << 20, 20, 5, 5));
    long[] flows = Keys.members(600);
    for (int i = 0; i < flows.length; i++) {
      for (int packet = 0; packet <= i % 20; packet++) {
        int bits = filter.signatureBitsHash(flows[i]);
        assertThat(filter.lengthenHash(flows[i])).isEqualTo(bits < 20);
      }
    }
    int exact = 0;
    for (int i = 0; i < flows.length; i++) {
      int length = i % 20 + 1;
      int bits = filter.signatureBitsHash(flows[i]);
      assertThat(bits).isBetween(length, 20);
      exact += bits == length ? 1 : 0;
      assertThat(filter.mightContainHash(flows[i])).isEqualTo(bits >= 5);
    }
    // 6,300 bits in 2^20: a flow of c has one of 20 - c others with a probability of about 6 %.
    assertThat(exact).isGreaterThan(530);
    while (filter.lengthenHash(flows[0])) {
      assertThat(filter.signatureBitsHash(flows[0])).isLessThanOrEqualTo(20);
    }
    assertThat(filter.signatureBitsHash(flows[0])).isEqualTo(20);
  }

  @Test
  void signaturesOfTheirOwnLength() {
    VariableSignatureShape shape = VariableSignatureShape.of(100_000, 12, 8, 6);
    VariableSignatureFilter filter = VariableSignatureFilter.create(shape);
    long[] keys = Keys.members(13);
    for (int bits = 1; bits <= 12; bits++) {
      assertThat(filter.addHash(keys[bits], bits)).isTrue();
      assertThat(filter.signatureBitsHash(keys[bits])).isBetween(bits, bits + 1);
    }
    assertThat(filter.mightContainHash(keys[4])).isFalse();
    assertThat(filter.mightContainHash(keys[6])).isTrue();
    assertThat(filter.addHash(keys[12], 3)).as("a shorter one takes nothing away").isFalse();
    assertThat(filter.signatureBitsHash(keys[12])).isEqualTo(12);
    assertThat(filter.addHash(keys[4])).isTrue();
    assertThat(filter.mightContainHash(keys[4])).isTrue();
  }

  @Test
  void shortenedUntilGone() {
    VariableSignatureFilter filter =
        VariableSignatureFilter.create(VariableSignatureShape.of(10_000_000, 8, 8, 6));
    long key = Keys.members(1)[0];
    assertThat(filter.shortenHash(key)).isFalse();
    filter.addHash(key);
    for (int bits = 7; bits >= 0; bits--) {
      assertThat(filter.shortenHash(key)).isTrue();
      assertThat(filter.signatureBitsHash(key)).isEqualTo(bits);
      assertThat(filter.mightContainHash(key)).isEqualTo(bits >= 6);
    }
    assertThat(filter.shortenHash(key)).isFalse();
    filter.addHash(key);
    assertThat(filter.removeHash(key)).isTrue();
    assertThat(filter.signatureBitsHash(key)).as("one bit below the threshold").isEqualTo(5);
    assertThat(filter.removeHash(key)).isFalse();
    assertThat(filter.signatureBitsHash(key)).isEqualTo(5);
  }

  /** Removal ends even where positions of a key coincide. */
  @Test
  void removalFromATinyFilter() {
    for (long hash : Keys.members(300)) {
      VariableSignatureFilter filter =
          VariableSignatureFilter.create(VariableSignatureShape.of(6, 6, 4, 2));
      filter.addHash(hash);
      assertThat(filter.mightContainHash(hash)).isTrue();
      assertThat(filter.removeHash(hash)).isTrue();
      assertThat(filter.mightContainHash(hash)).isFalse();
    }
  }

  /** Without slack it is a Bloom filter with independent positions. */
  @Test
  void withoutSlackItIsABloomFilter() {
    VariableSignatureFilter filter =
        filled(VariableSignatureShape.of(9_000, 6, 6, 6), Keys.members(1_000));
    BloomFilter bloom = BloomFilter.create(BloomShape.of(9_000, 6, IndexScheme.INDEPENDENT));
    bloom.addHashes(Keys.members(1_000), 0, 1_000);
    assertThat(filter.fillRatio()).isEqualTo(bloom.fillRatio());
    for (long hash : Keys.outsiders(20_000)) {
      assertThat(filter.mightContainHash(hash)).isEqualTo(bloom.mightContainHash(hash));
    }
    double exact = BloomMath.exactRate(9_000, 1_000, 6);
    assertThat(filter.shape().falsePositiveRate(1_000)).isCloseTo(exact, within(1e-7 * exact));
  }

  /** The smallest with its slack: a word less breaks the rate for every number of positions. */
  @ParameterizedTest
  @CsvSource({
    "1, 0.1, 2",
    "100, 0.01, 2",
    "10000, 0.01, 0",
    "10000, 0.01, 2",
    "1000000, 0.0001, 4"
  })
  void sizes(long keys, double rate, int slack) {
    VariableSignatureShape shape = VariableSignatureShape.forKeys(keys, rate, slack);
    assertThat(shape.slack()).isEqualTo(slack);
    assertThat(shape.signatureBits()).isEqualTo(shape.hashesPerKey());
    assertThat(shape.falsePositiveRate(keys)).isLessThanOrEqualTo(rate);
    for (int k = slack + 1; k <= 40 && shape.bits() > 64; k++) {
      VariableSignatureShape less = VariableSignatureShape.of(shape.bits() - 64, k, k, k - slack);
      assertThat(less.falsePositiveRate(keys)).isGreaterThan(rate);
    }
    if (slack == VariableSignatureShape.DEFAULT_SLACK) {
      assertThat(VariableSignatureShape.forBudget(keys, shape.bits())).isEqualTo(shape);
    }
  }

  @Test
  void bitsPerKey() {
    double bits = VariableSignatureShape.forKeys(1_000_000, 0.01).bits() / 1e6;
    assertThat(bits).isCloseTo(18.95, within(0.005));
  }

  @Test
  void impossibleArgumentsAreNamed() {
    assertThatThrownBy(() -> VariableSignatureShape.of(100, 8, 5, 6))
        .hasMessageContaining("signatureBits = 5 is outside the allowed range 6 … 8");
    assertThatThrownBy(() -> VariableSignatureShape.of(100, 8, 9, 6))
        .hasMessageContaining("signatureBits = 9");
    assertThatThrownBy(() -> VariableSignatureShape.of(100, 8, 8, 9))
        .hasMessageContaining("threshold = 9 is outside the allowed range 1 … 8");
    assertThatThrownBy(() -> VariableSignatureShape.forKeys(10, 0.1, 65))
        .hasMessageContaining("slack = 65");
    VariableSignatureShape shape = VariableSignatureShape.of(100, 8, 7, 6);
    assertThatThrownBy(() -> shape.rateAtFill(1.1)).hasMessageContaining("fill = 1.1");
    assertThatThrownBy(() -> shape.falseNegativeRate(-0.1, 0)).hasMessageContaining("cleared");
    VariableSignatureFilter filter = VariableSignatureFilter.create(shape, Hasher.xxh3(1));
    assertThatThrownBy(() -> filter.addHash(1, 9))
        .hasMessageContaining("signatureBits = 9 is outside the allowed range 1 … 8");
    for (long bits : new long[] {0, 101}) {
      assertThatThrownBy(() -> filter.age(bits))
          .hasMessage("bits = " + bits + " is outside the allowed range 1 … 100");
    }
  }
}
