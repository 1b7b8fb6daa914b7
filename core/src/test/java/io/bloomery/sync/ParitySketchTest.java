package io.bloomery.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ParitySketchTest {

  private static final int TRIALS = 200;

  /** The estimate's error is the one that it states, from both sides. */
  @ParameterizedTest
  @CsvSource({"100, 0.028", "300, 0.03", "1000, 0.039", "3000, 0.048", "30000, 0.07"})
  void estimatesAsItSays(int difference, double relative) {
    double[] estimates = new double[TRIALS];
    double stated = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      ParitySketch sketch = new ParitySketch(ParitySketch.levelsFor(2_000_000));
      for (long hash : Keys.members(difference, trial)) {
        sketch.flip(hash);
      }
      FilterExchange.Estimate estimate = sketch.estimate();
      estimates[trial] = estimate.keyCount();
      stated += estimate.deviation() / TRIALS;
    }
    double deviation = Rates.standardError(estimates) * Math.sqrt(TRIALS);
    // A level is read if few of its bits are set, and chosen by its own noise: up to 2 % of bias.
    assertThat(Rates.mean(estimates))
        .isCloseTo(
            difference,
            within(Rates.student(5, TRIALS) * deviation / Math.sqrt(TRIALS) + 0.02 * difference));
    // The deviation of a deviation of 200 samples is 5 %.
    assertThat(deviation).isCloseTo(stated, within(5 * 0.05 * stated));
    assertThat(stated).isLessThan(relative * difference);
  }

  @Test
  void sharedKeysCancel() {
    ParitySketch here = new ParitySketch(14);
    ParitySketch there = new ParitySketch(14);
    for (long hash : Keys.members(100_000)) {
      here.flip(hash);
      there.flip(hash);
    }
    here.flip(Keys.members(1, 1)[0]);
    here.subtract(there);
    assertThat(here.estimate().keyCount()).isCloseTo(1, within(0.01));
    assertThat(here.estimate().deviation()).isLessThan(0.1);
    assertThat(new ParitySketch(3).estimate()).isEqualTo(new FilterExchange.Estimate(0, 0));
  }

  @Test
  void levelsGrowWithTheSets() {
    assertThat(ParitySketch.levelsFor(0)).isEqualTo(1);
    assertThat(ParitySketch.levelsFor(256)).isEqualTo(1);
    assertThat(ParitySketch.levelsFor(1 << 21)).isEqualTo(14);
    assertThat(ParitySketch.levelsFor(1L << 60)).isEqualTo(ParitySketch.MAX_LEVELS);
  }
}
