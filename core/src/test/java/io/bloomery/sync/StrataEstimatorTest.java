package io.bloomery.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.FilterFormatException;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StrataEstimatorTest {

  private static final int COMMON = 500;

  /** Estimates of two sets that share some keys. */
  private static double[] estimates(int difference, int runs, int cells) {
    double[] estimates = new double[runs];
    for (int run = 0; run < runs; run++) {
      Hasher hasher = Hasher.xxh3(Seeds.of(run));
      StrataEstimator here = StrataEstimator.create(hasher, cells);
      StrataEstimator there = StrataEstimator.create(hasher, cells);
      for (int i = 0; i < COMMON + difference; i++) {
        long key = Keys.hash((long) run << 32 | i);
        if (i < COMMON || i % 3 == 0) {
          here.add(key);
        }
        if (i < COMMON || i % 3 != 0) {
          there.add(key);
        }
      }
      estimates[run] = here.difference(there);
      if (there.difference(here) != estimates[run]) {
        throw new AssertionError("not symmetric: " + run);
      }
    }
    return estimates;
  }

  /** Unbiased within 2 %, and never exceeding its bound in more than 1 % of cases. */
  @ParameterizedTest
  @CsvSource({"60, 400", "100, 400", "1000, 300", "5000, 100"})
  void estimatesAreNearTheTruth(int difference, int runs) {
    double[] estimates = estimates(difference, runs, StrataEstimator.CELLS);
    Rates.assertMean(estimates, difference, 5, .02);
    long exceeded =
        Arrays.stream(estimates).filter(e -> StrataEstimator.upperBound(e) < difference).count();
    Rates.assertRateAtMost(exceeded, runs, .01, 5);
  }

  /** The standard deviation is 12 % for many keys; that of N samples is known to 1/√2N of it. */
  @Test
  void theDeviationIsAsStated() {
    double[] estimates = estimates(2_000, 300, StrataEstimator.CELLS);
    double deviation = Rates.standardError(estimates) * Math.sqrt(300) / 2_000;
    assertThat(deviation).isCloseTo(.12, within(5 * .12 / Math.sqrt(2 * 300) + .005));
    double[] finer = estimates(2_000, 100, 240);
    double finerDeviation = Rates.standardError(finer) * 10 / 2_000;
    assertThat(finerDeviation).isCloseTo(.06, within(5 * .06 / Math.sqrt(2 * 100) + .0025));
  }

  @Test
  void fewKeysAreCountedExactly() {
    for (int difference : new int[] {0, 1, 2, 5, 16}) {
      double[] estimates = estimates(difference, 50, StrataEstimator.CELLS);
      assertThat(Arrays.stream(estimates).filter(e -> e == difference).count())
          .isGreaterThanOrEqualTo(48);
    }
    assertThat(StrataEstimator.upperBound(16)).isEqualTo(16);
    assertThat(StrataEstimator.upperBound(0)).isZero();
    assertThat(StrataEstimator.upperBound(100)).isEqualTo(180);
  }

  /**
   * 7 bytes per cell that is in use: a million keys leave few strata of 32 empty. A stratum of n
   * keys has each in one of 15 cells of four rows, and n is as uneven as a Poisson variable.
   */
  @Test
  void theBytesOfAMillionKeys() throws IOException {
    StrataEstimator estimator = StrataEstimator.create(Hasher.xxh3());
    for (int i = 0; i < 1_000_000; i++) {
      estimator.add((long) i);
    }
    byte[] bytes = bytes(estimator);
    int strata = bytes[1];
    double used = 0;
    double variance = 0;
    for (int i = 0; i < strata; i++) {
      double keys = 1_000_000 * Math.scalb(1.0, -i - 1);
      double load = keys / 15;
      double empty = Math.exp(-load);
      used += 60 * (1 - empty);
      variance += 60 * empty * (1 - (1 + load) * empty) + 16 * empty * empty * keys;
    }
    assertThat((double) bytes.length)
        .isCloseTo(
            2 + Math.ceil(strata * 60 / 8.0) + 7 * used, within(5 * 7 * Math.sqrt(variance)));
    ByteArrayInputStream in = new ByteArrayInputStream(Arrays.copyOf(bytes, bytes.length + 1));
    StrataEstimator read = StrataEstimator.read(in, Hasher.xxh3());
    assertThat(in.available()).as("no byte more").isEqualTo(1);
    assertThat(read.sameCells(estimator)).isTrue();
    assertThat(read.isCompatible(estimator)).isTrue();
    read.add("one more");
    assertThat(read.difference(estimator)).isEqualTo(1);
    read.remove("one more");
    read.remove(7L);
    read.remove(KeyCodec.bytesOf(8L));
    assertThat(read.difference(estimator)).isEqualTo(2);
    read.add(KeyCodec.bytesOf(7L));
    read.add(8L);
    assertThat(read.sameCells(estimator)).isTrue();
  }

  private static byte[] bytes(StrataEstimator estimator) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    estimator.writeTo(out);
    return out.toByteArray();
  }

  @Test
  void anEmptyEstimatorHasTwoBytes() throws IOException {
    StrataEstimator empty = StrataEstimator.create(Hasher.xxh3());
    assertThat(bytes(empty)).containsExactly(60, 0);
    assertThat(read(60, 0).sameCells(empty)).isTrue();
  }

  private static StrataEstimator read(int... bytes) throws IOException {
    byte[] all = new byte[bytes.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) bytes[i];
    }
    return StrataEstimator.read(new ByteArrayInputStream(all), Hasher.xxh3());
  }

  @Test
  void malformedBytesAreRefused() throws IOException {
    assertThatThrownBy(() -> read()).isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> read(60, 1)).isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> read(61, 0)).isInstanceOf(FilterFormatException.class);
    assertThatThrownBy(() -> read(0, 0)).isInstanceOf(FilterFormatException.class);
    assertThatThrownBy(() -> read(244, 0)).isInstanceOf(FilterFormatException.class);
    assertThatThrownBy(() -> read(4, 33))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("strata = 33 is outside the allowed range 0 … 32");
    assertThatThrownBy(() -> read(4, 1, 16, 1, 0, 0, 0, 0, 0, 1))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("beyond");
    assertThatThrownBy(() -> read(4, 1, 1, 0, 0, 0, 0, 0, 0, 0))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("empty cell");
    assertThatThrownBy(() -> read(4, 1, 0))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("last stratum is empty");
    assertThatThrownBy(() -> read(4, 1, 1, 1)).isInstanceOf(EOFException.class);
    assertThat(read(4, 1, 1, 1, 0, 0, 0, 0, 0, 1).cells()).isEqualTo(4);
  }

  /** Cells that no set has give some number, in bounded time. */
  @Test
  void noiseGivesANumber() {
    SplittableRandom random = Seeds.random(3);
    for (int i = 0; i < Effort.of(400); i++) {
      byte[] bytes = new byte[2 + 240 + 1920 * 7];
      random.nextBytes(bytes);
      bytes[0] = 60;
      bytes[1] = 32;
      Arrays.fill(bytes, 2, 242, (byte) -1);
      StrataEstimator empty = StrataEstimator.create(Hasher.xxh3());
      try {
        StrataEstimator noise =
            StrataEstimator.read(new ByteArrayInputStream(bytes), Hasher.xxh3());
        assertThat(noise.difference(empty)).isPositive().isFinite();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void argumentsAreChecked() {
    StrataEstimator estimator = StrataEstimator.create(Hasher.xxh3());
    StrataEstimator seeded = StrataEstimator.create(Hasher.xxh3(1));
    StrataEstimator larger = StrataEstimator.create(Hasher.xxh3(), 64);
    assertThat(estimator.isCompatible(seeded)).isFalse();
    assertThat(estimator.isCompatible(larger)).isFalse();
    assertThatThrownBy(() -> estimator.difference(seeded))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("hasher");
    assertThatThrownBy(() -> estimator.difference(larger))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessage("cells 60 != 64");
    assertThatThrownBy(() -> StrataEstimator.create(null)).hasMessage("hasher");
    assertThatThrownBy(() -> StrataEstimator.create(Hasher.xxh3(), 62))
        .hasMessage("cells = 62 is not a multiple of 4");
    assertThatThrownBy(() -> StrataEstimator.create(Hasher.xxh3(), 244))
        .hasMessageContaining("4 … 240");
    assertThatThrownBy(() -> estimator.difference(null)).hasMessage("other");
    assertThatThrownBy(() -> estimator.isCompatible(null)).hasMessage("other");
    assertThatThrownBy(() -> estimator.writeTo(null)).hasMessage("out");
    assertThatThrownBy(() -> StrataEstimator.read(null, Hasher.xxh3())).hasMessage("in");
    assertThatThrownBy(() -> StrataEstimator.upperBound(-1)).hasMessageContaining("estimate");
    assertThat(estimator).hasToString("StrataEstimator[cells=60, XXH3-64, seed 0]");
    assertThat(estimator.hasher()).isEqualTo(Hasher.xxh3());
  }
}
