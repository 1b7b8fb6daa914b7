package io.bloomery.deletable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.FilterFullException;
import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.internal.bits.PackedLanes;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.probe.CuckooProbes;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import io.bloomery.theory.Estimates;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fingerprints of every width: in bytes and in words, on the heap and mapped. */
final class CuckooWidthsTest {

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 7, 12, 16, 17, 20, 32})
  void everyWidthKeepsItsKeysAndItsRate(int bits) {
    int n = 30_000;
    CuckooFilter filter = CuckooFilter.create(CuckooShape.forFingerprints(n, bits));
    assertThat(filter.shape().fingerprintBits()).isEqualTo(bits);
    long[] members = Keys.members(n);
    filter.addHashes(members, 0, n);
    assertThat(Arrays.stream(members).allMatch(filter::mightContainHash)).isTrue();
    double rate = filter.falsePositiveRate();
    // The deviation of the number of different entries, and one for those that hardly ever agree.
    long entries = CuckooFilterTest.entries(filter.shape());
    double deviation =
        Estimates.cardinalityStandardDeviation(entries, 1, n) * Math.exp(-(double) n / entries);
    assertThat(rate)
        .isCloseTo(filter.shape().falsePositiveRate(n), within((5 * deviation + 1) / entries));
    int queries = 1_000_000;
    int hits =
        filter.mightContainHashes(Keys.outsiders(queries), 0, queries, new long[queries / 64 + 1]);
    if (rate * queries > 500) {
      Rates.assertRate(hits, queries, rate, 5);
    } else {
      Rates.assertRateAtMost(hits, queries, rate, 5);
    }
  }

  /**
   * Tables of 2, 6 and 34 buckets filled until one key is refused: the heap's bytes, the words of
   * the heap and of a mapped file have the same bits and give the same answers for every bucket and
   * the last one, key by key and in batches.
   */
  @ParameterizedTest
  @MethodSource("widths")
  void bytesAndWordsAnswerAlike(int bits) throws IOException {
    for (long buckets : new long[] {2, 6, 34}) {
      CuckooFilter filter = CuckooFilter.create(CuckooShape.of(buckets, bits));
      long[] members = Keys.members(300);
      assertThatThrownBy(() -> filter.addHashes(members, 0, 300))
          .isInstanceOf(FilterFullException.class);
      long[] added = Arrays.copyOf(members, (int) filter.keyCount());
      Path file = directory.resolve(bits + "-" + buckets);
      filter.writeTo(file);
      CuckooFilter mapped = Filters.map(file, ReadOptions.as(CuckooFilter.class));
      CuckooFilter opened = Filters.open(file, ReadOptions.as(CuckooFilter.class));
      PackedLanes words =
          PackedLanes.of(Words.copyOf(CuckooFilterTest.payload(filter), false), false);
      CuckooProbes probes = new CuckooProbes(buckets, bits, false);
      long[] outsiders = Keys.outsiders(1_000);
      for (long hash : outsiders) {
        boolean answer = filter.mightContainHash(hash);
        if (mapped.mightContainHash(hash) != answer || probes.contains(hash, words) != answer) {
          throw new AssertionError("bits " + bits + ", buckets " + buckets + ", hash " + hash);
        }
      }
      for (CuckooFilter each : List.of(filter, mapped, opened, mapped.copy(), filter.copy())) {
        assertThat(each.sameContent(filter) && filter.sameContent(each)).isTrue();
        assertThat(each.keyCount()).isEqualTo(added.length);
        assertThat(each.falsePositiveRate()).isEqualTo(filter.falsePositiveRate());
        assertThat(Arrays.stream(added).allMatch(each::mightContainHash)).isTrue();
        assertThat(batch(each, added)).isEqualTo(batch(filter, added));
        assertThat(batch(each, outsiders)).isEqualTo(batch(filter, outsiders));
      }
      assertThat(Arrays.stream(added).allMatch(opened::removeHash)).isTrue();
      assertThat(opened.sameContent(CuckooFilter.create(filter.shape()))).isTrue();
    }
  }

  private static IntStream widths() {
    return IntStream.rangeClosed(4, 32);
  }

  private static long[] batch(CuckooFilter filter, long[] hashes) {
    long[] hits = new long[hashes.length / 64 + 1];
    filter.mightContainHashes(hashes, 0, hashes.length, hits);
    return hits;
  }
}
