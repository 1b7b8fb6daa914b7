package io.bloomery.internal.probe;

import static io.bloomery.testkit.Rates.assertMean;
import static io.bloomery.testkit.Rates.assertRate;

import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Seeds;
import io.bloomery.theory.BloomMath;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Powers have the exact rate of independent hash functions, from 64 bits on. */
final class PowersRateTest {

  /** 1 000 filters, each asked 10 000 times, within 5 standard errors of the exact rate. */
  @ParameterizedTest
  @CsvSource({
    "64, 6, 7",
    "64, 3, 14",
    "128, 13, 7",
    "192, 20, 6",
    "256, 26, 7",
    "512, 53, 7",
    "1000, 64, 11",
    "1024, 106, 7",
    "1024, 64, 11",
    "4096, 427, 7"
  })
  void smallFiltersHaveTheExactRate(int bits, int keys, int count) {
    Probes probes = new Probes(IndexScheme.POWERS, bits, count);
    double[] rates = new double[1_000];
    for (int filter = 0; filter < rates.length; filter++) {
      Words words = Words.forBits(bits, false);
      probes.setAll(Keys.members(keys, filter), 0, keys, words);
      long hits = 0;
      for (long hash : Keys.outsiders(10_000, filter)) {
        hits += probes.allSet(hash, words) ? 1 : 0;
      }
      rates[filter] = hits / 1e4;
    }
    assertMean(rates, BloomMath.exactRate(bits, keys, count), 5, 0);
  }

  /** 10 million consecutive numbers in 96 Mbit and 10^8 others, at the actual fill. */
  @Test
  @Tag("long")
  void aHundredMillionAbsentKeys() {
    long bits = 96_000_000;
    int keys = 10_000_000;
    int count = 7;
    Hasher hasher = Hasher.xxh3(Seeds.of(0));
    Probes probes = new Probes(IndexScheme.POWERS, bits, count);
    Words words = Words.forBits(bits, false);
    for (long key = 0; key < keys; key++) {
      probes.setAll(hasher.hash(key), words);
    }
    long absent = 100_000_000;
    long hits = 0;
    long[] hashes = new long[1_000];
    for (long key = keys; key < keys + absent; key += hashes.length) {
      for (int i = 0; i < hashes.length; i++) {
        hashes[i] = hasher.hash(key + i);
      }
      hits += probes.allSet(hashes, 0, hashes.length, new long[16], words);
    }
    double fill = (double) words.bitCount() / bits;
    assertRate(hits, absent, Math.pow(fill, count), 5);
    // The fill itself: a standard deviation is below 1.5e-5 of it.
    assertRate(words.bitCount(), bits, -Math.expm1(-(double) keys * count / bits), 5);
  }
}
