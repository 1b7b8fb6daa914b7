package io.bloomery.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.growing.ScalableBloomFilter;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/**
 * Recommendations to one user by the recipe of docs/apps/security.md: 76,118 real requests for
 * 20,484 product pages of a shop, which nobody here wrote.
 */
final class ShownTest {

  private static List<Integer> requests() throws IOException {
    List<Integer> all = new ArrayList<>();
    try (InputStream in = ShownTest.class.getResourceAsStream("/traces/cache2k-web07.int32be.gz");
        DataInputStream data = new DataInputStream(new GZIPInputStream(in))) {
      while (true) {
        all.add(data.readInt());
      }
    } catch (EOFException e) {
      return all;
    }
  }

  /**
   * Nothing is shown twice, and each new page is withheld with the rate that the filter has at that
   * moment. A withheld page is not added, so that it is withheld again each time; the draws are
   * those of each page's first time.
   */
  @Test
  void nothingIsShownTwice() throws IOException {
    ScalableBloomFilter shown = ScalableBloomFilter.create(100, 0.01);
    Set<Integer> met = new HashSet<>();
    Set<Integer> exact = new HashSet<>();
    int withheld = 0;
    double expected = 0;
    double variance = 0;
    for (int page : requests()) {
      double rate = met.add(page) ? shown.falsePositiveRate() : -1;
      boolean isShown = shown.add(Integer.toString(page));
      if (isShown) {
        assertThat(exact.add(page)).as("page %d is shown twice", page).isTrue();
      }
      if (rate >= 0) {
        expected += rate;
        variance += rate * (1 - rate);
        withheld += isShown ? 0 : 1;
      }
    }
    assertThat(met).hasSize(20_484);
    assertThat((withheld - expected) / Math.sqrt(variance))
        .as("%d withheld, %.1f expected", withheld, expected)
        .isBetween(-5.0, 5.0);
    assertThat(withheld).isPositive().isLessThan(met.size() / 100);
  }
}
