package io.bloomery.similarity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.SampleFilters;
import io.bloomery.frame.NodeReader;
import io.bloomery.hash.Funnel;
import io.bloomery.internal.probe.Mix;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measured here, of L5 (fly novelty filter): mean novelty of copies with 5, 10, 20, 50 % noise:
 * .061, .120, .226, .469; 0 for an odour that was just learnt, .95 for an unrelated one (100
 * odours); back to 1 after 1/ε steps; published .064, .133, .233, .475 ± .05.
 */
final class NoveltyFilterTest {

  private static final int INPUTS = 50;

  @TempDir Path directory;

  /** Firing rates are exponentially distributed. */
  private static double[] odour(SplittableRandom random) {
    return random.doubles(INPUTS).map(x -> -Math.log(1 - x)).toArray();
  }

  /** Every firing rate is off by a normal share of itself. */
  private static double[] noisy(SplittableRandom random, double[] odour, double share) {
    return Arrays.stream(odour).map(x -> x * (1 + share * random.nextGaussian())).toArray();
  }

  /**
   * After one exposure with decay 0: 0 for the odour itself, graded for noisy copies, near 1 for
   * unrelated ones. 100 odours, each learnt by a filter of its own. Published: .064 .133 .233 .475
   * for 5, 10, 20, 50 % of noise, ± .05.
   */
  @Test
  void noveltyIsGradedBySimilarity() {
    double[] noise = {0.05, 0.1, 0.2, 0.5};
    double[] published = {0.064, 0.133, 0.233, 0.475};
    double[] measured = {0.061, 0.120, 0.226, 0.469};
    double[][] novelty = new double[noise.length][100];
    double[] unrelated = new double[100];
    for (int i = 0; i < 100; i++) {
      SplittableRandom random = Seeds.random(i);
      NoveltyFilter filter = NoveltyFilter.create(NoveltyShape.fly(0, 0.01), random.nextLong());
      double[] learnt = odour(random);
      assertThat(filter.novelty(learnt)).isEqualTo(1);
      assertThat(filter.learn(learnt)).isEqualTo(1);
      assertThat(filter.novelty(learnt)).isZero();
      for (int j = 0; j < noise.length; j++) {
        novelty[j][i] = filter.novelty(noisy(random, learnt, noise[j]));
      }
      unrelated[i] = filter.novelty(odour(random));
    }
    for (int j = 0; j < published.length; j++) {
      assertThat(Rates.mean(novelty[j])).isCloseTo(published[j], offset(0.05));
      // The figures of docs/variants.md are means of 100 themselves.
      double error = Math.sqrt(2) * Rates.standardError(novelty[j]);
      assertThat(Rates.mean(novelty[j])).isCloseTo(measured[j], offset(5 * error + 0.0005));
    }
    double error = Math.sqrt(2) * Rates.standardError(unrelated);
    assertThat(Rates.mean(unrelated)).isCloseTo(0.95, offset(5 * error + 0.005));
  }

  /** After 1/recovery steps of others or of rest, an odour is as new as ever. */
  @Test
  void noveltyReturnsWithTime() {
    SplittableRandom random = Seeds.random(201);
    NoveltyFilter filter = NoveltyFilter.create(NoveltyShape.fly(0, 1.0 / 64), Seeds.of(1));
    double[] learnt = odour(random);
    filter.learn(learnt);
    NoveltyFilter resting = filter.copy();
    for (int step = 1; step <= 64; step++) {
      resting.rest(1);
      assertThat(resting.novelty(learnt)).isEqualTo(step / 64.0);
    }
    resting.rest(Long.MAX_VALUE);
    assertThat(resting.novelty(learnt)).isEqualTo(1);
    filter.rest(64);
    assertThat(filter.novelty(learnt)).isEqualTo(1);

    // Other odours let it recover too, but for the tags that they share.
    NoveltyFilter busy = NoveltyFilter.create(NoveltyShape.fly(0, 1.0 / 64), Seeds.of(1));
    busy.learn(learnt);
    double[] other = odour(random);
    for (int step = 0; step < 64; step++) {
      busy.learn(other);
    }
    double shared = shared(busy.tag(learnt), busy.tag(other));
    assertThat(busy.novelty(learnt)).isCloseTo(1 - shared / 100, offset(1e-9));
  }

  private static double shared(int[] one, int[] two) {
    return Arrays.stream(one).filter(tag -> Arrays.binarySearch(two, tag) >= 0).count();
  }

  /** Decay above 0: each exposure takes a share of what novelty is left. */
  @Test
  void everyExposureMakesMoreFamiliar() {
    NoveltyFilter filter = NoveltyFilter.create(NoveltyShape.fly(0.5, 0), Seeds.of(2));
    double[] learnt = odour(Seeds.random(202));
    for (int i = 0; i < 20; i++) {
      assertThat(filter.learn(learnt)).isEqualTo(Math.pow(0.5, i));
    }
    assertThat(filter.weight(filter.tag(learnt)[0])).isEqualTo(Math.pow(0.5, 20));
  }

  /** As many as there are, of the highest sums; scaling an odour changes nothing. */
  @Test
  void tagsAreTheHighestSums() {
    SplittableRandom random = Seeds.random(203);
    NoveltyFilter filter = NoveltyFilter.create(NoveltyShape.fly(0, 0), Seeds.of(3));
    long[] uses = new long[2_000];
    for (int i = 0; i < 400; i++) {
      double[] odour = odour(random);
      int[] tags = filter.tag(odour);
      assertThat(tags).hasSize(100).isSorted().doesNotHaveDuplicates();
      assertThat(filter.tag(Arrays.stream(odour).map(x -> 4 * x).toArray())).isEqualTo(tags);
      Arrays.stream(tags).forEach(tag -> uses[tag]++);
    }
    assertThat(Arrays.stream(uses).filter(count -> count > 0).count()).isGreaterThan(1_900);
    assertThat(filter.tag(new double[INPUTS])).startsWith(0, 1, 2).endsWith(99);
    // A single input that fires activates the cells that it reaches, in their order.
    double[] single = new double[INPUTS];
    single[7] = 1;
    NoveltyFilter all =
        NoveltyFilter.create(new NoveltyShape(INPUTS, 100, INPUTS, 10, 0, 0, 0.5), Seeds.of(3));
    assertThat(all.tag(single)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
  }

  /** Which of 6 inputs are drawn for a tag of 3 is uniform over all 20 subsets. */
  @Test
  void everySubsetOfInputsIsAsLikely() {
    long[] counts = new long[64];
    int[] drawn = new int[3];
    for (int i = 0; i < 20_000; i++) {
      Subsets.draw(Keys.hash(i), 6, drawn);
      counts[1 << drawn[0] | 1 << drawn[1] | 1 << drawn[2]]++;
    }
    long[] subsets = Arrays.stream(counts).filter(count -> count > 0).toArray();
    assertThat(subsets).hasSize(20);
    Rates.assertUniform(subsets, 5);
  }

  /** What is familiar at random, as the filter says it and from other odours. */
  @Test
  void theShareOfFamiliarOdoursIsWhatTheFilterSays() {
    SplittableRandom random = Seeds.random(204);
    NoveltyFilter filter = NoveltyFilter.create(NoveltyShape.fly(0, 0), Seeds.of(4));
    assertThat(filter.falsePositiveRate()).isZero();
    for (int i = 0; i < 14; i++) {
      filter.learn(odour(random));
    }
    double rate = filter.falsePositiveRate();
    int familiar = 0;
    for (int i = 0; i < 1_000; i++) {
      familiar += filter.novelty(odour(random)) < 0.5 ? 1 : 0;
    }
    // Two samples of 1,000 of one probability.
    double pooled = (rate + familiar / 1_000.0) / 2;
    double sd = Math.sqrt(2 * pooled * (1 - pooled) / 1_000);
    assertThat(familiar / 1_000.0).isCloseTo(rate, offset(5 * sd));
    assertThat(rate).isBetween(0.01, 0.99);
  }

  /**
   * The 1,000 odours of the rate, drawn in full; 2,000 inputs, of which 40 tags read 120 at most.
   */
  @Test
  void theRateIsThatOfItsThousandOdours() {
    long seed = Seeds.of(6);
    NoveltyFilter filter = NoveltyFilter.create(new NoveltyShape(2_000, 40, 3, 8, 0, 0, 0.5), seed);
    double[] odour = new double[2_000];
    int familiar = 0;
    for (int learned = 0; learned < 2; learned++) {
      familiar = 0;
      for (int i = 0; i < 1_000; i++) {
        long start = Mix.mix(Mix.stream(~seed, i));
        Arrays.setAll(odour, j -> -StrictMath.log(((Mix.stream(start, j) >>> 11) + 0.5) * 0x1p-53));
        familiar += filter.novelty(odour) < 0.5 ? 1 : 0;
      }
      assertThat(filter.falsePositiveRate()).isEqualTo(familiar / 1_000.0);
      filter.learn(odour);
    }
    assertThat(familiar).isPositive();
  }

  /** Keys of one byte per input, through a file, and as the reader in JavaScript answers. */
  @Test
  void keysOfAFilterAreBytesPerInput() throws Exception {
    SplittableRandom random = Seeds.random(205);
    NoveltyFilter filter =
        NoveltyFilter.create(new NoveltyShape(12, 90, 4, 9, 0.1, 0.01, 0.6), Seeds.of(5));
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      byte[] key = Vectors.random(random, 96);
      keys.add(key);
      if (i < 6) {
        filter.learn(key);
        assertThat(filter.mightContain(key)).isTrue();
      }
    }
    Path file = directory.resolve("odours.bloom");
    filter.writeTo(file);
    for (Filter each : List.of(Filters.open(file), Filters.map(file))) {
      assertThat(keys).allMatch(key -> each.mightContain(key) == filter.mightContain(key));
      assertThat(each.falsePositiveRate()).isEqualTo(filter.falsePositiveRate());
      assertThat(each.sizeInBits()).isEqualTo(5760);
      assertThat(each).hasToString(filter.toString());
    }
    assertThat(keys.stream().filter(filter::mightContain).count()).isBetween(6L, 119L);
    NoveltyFilter mapped = Filters.map(file, ReadOptions.as(NoveltyFilter.class));
    assertThatThrownBy(() -> mapped.learn(keys.get(0))).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> mapped.rest(1)).isInstanceOf(IllegalStateException.class);
    assertThat(mapped.copy().learn(keys.get(0))).isLessThan(0.6);
    NodeReader.assumeInstalled();
    NodeReader reader = new NodeReader(directory).keys(keys).file(SampleFilters.bytes(filter));
    assertThat(reader.run()).containsExactly(NodeReader.expected(filter, keys));
  }

  @Test
  void formsOfAKey() {
    NoveltyFilter filter =
        NoveltyFilter.create(new NoveltyShape(8, 60, 2, 5, 0, 0, 0.5), Seeds.of(6));
    Funnel<Integer> funnel = (number, into) -> into.put(new byte[] {1, 2, 3, 4});
    filter.learn(new byte[] {4, 0, 0, 0, 1, 2, 3, 4});
    assertThat(filter.mightContain(5, funnel)).isTrue();
    filter.learn("8 bytes!".getBytes(UTF_8));
    assertThat(filter.mightContain("8 bytes!")).isTrue();
    assertThat(filter.mightContain("8 bytes")).isFalse();
    filter.learn(new byte[] {2, 1, 0, 0, 0, 0, 0, 0});
    assertThat(filter.mightContain(258L)).isTrue();
    byte[] longer = {0, 2, 1, 0, 0, 0, 0, 0, 0};
    assertThat(filter.mightContain(longer, 1, 8)).isTrue();
    assertThatThrownBy(() -> filter.mightContain(longer, 2, 8))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatNullPointerException()
        .isThrownBy(() -> filter.mightContain((byte[]) null))
        .withMessage("key");
    assertThatNullPointerException()
        .isThrownBy(() -> filter.mightContain(null, 0, 0))
        .withMessage("bytes");
  }

  @Test
  void argumentsAreChecked() {
    assertThatThrownBy(() -> new NoveltyShape(0, 1, 1, 1, 0, 0, 0))
        .hasMessage("inputs = 0 is outside the allowed range 1 … 65536");
    assertThatThrownBy(() -> new NoveltyShape(5, 1, 6, 1, 0, 0, 0))
        .hasMessage("inputsPerTag = 6 is outside the allowed range 1 … 5");
    assertThatThrownBy(() -> new NoveltyShape(5, 1 << 25, 5, 1, 0, 0, 0))
        .hasMessageStartingWith("tags = ");
    assertThatThrownBy(() -> new NoveltyShape(5, 4, 5, 5, 0, 0, 0))
        .hasMessage("activeTags = 5 is outside the allowed range 1 … 4");
    assertThatThrownBy(() -> NoveltyShape.fly(1.5, 0)).hasMessageStartingWith("decay = 1.5");
    assertThatThrownBy(() -> NoveltyShape.fly(0, -1)).hasMessageStartingWith("recovery = -1.0");
    assertThatThrownBy(() -> new NoveltyShape(5, 4, 5, 4, 0, 0, Double.NaN))
        .hasMessageStartingWith("threshold = NaN");
    NoveltyFilter filter = NoveltyFilter.create(NoveltyShape.fly(0, 0));
    assertThat(filter.seed()).isZero();
    assertThatThrownBy(() -> filter.novelty(1, 2))
        .hasMessage("odour.length = 2 is outside the allowed range 50 … 50");
    double[] bad = new double[INPUTS];
    bad[3] = Double.POSITIVE_INFINITY;
    assertThatThrownBy(() -> filter.learn(bad)).hasMessageStartingWith("odour = Infinity");
    assertThatThrownBy(() -> filter.learn(new byte[3])).hasMessageStartingWith("odour.length = 3");
    assertThatThrownBy(() -> filter.rest(-1)).hasMessageStartingWith("steps = -1");
  }
}
