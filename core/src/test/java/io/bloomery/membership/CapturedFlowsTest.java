package io.bloomery.membership;

import static io.bloomery.membership.WordFilterChecks.filled;
import static io.bloomery.membership.WordFilterChecks.hits;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.HashedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.plan.Shape;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;
import java.util.function.BiFunction;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Part G of the catalogue, C1 to C3: Qiao, Li and Chen's filters on the flows of real captures,
 * many of which differ in one port only. Every other flow is a member, the rest are asked for.
 *
 * <p>Measured here, of C1–C3 (flows of real captures): 5,306 flows, load .1, 60 hash functions: the
 * rates of random keys within 5 σ.
 */
final class CapturedFlowsTest {

  private static final int HASHERS = 60;

  private static List<String> flows;

  @BeforeAll
  static void read() throws IOException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(
                    CapturedFlowsTest.class.getResourceAsStream("/traces/flows.txt.gz")),
                UTF_8))) {
      flows = lines.lines().toList();
    }
    assertThat(flows).hasSize(5_306).doesNotHaveDuplicates();
  }

  private static long[] hashes(Hasher hasher, int first) {
    long[] hashes = new long[flows.size() / 2];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = hasher.hash(flows.get(2 * i + first));
    }
    return hashes;
  }

  private static void assertRate(Shape shape, BiFunction<Hasher, long[], HashedFilter> maker) {
    double[] rates = new double[HASHERS];
    for (int i = 0; i < HASHERS; i++) {
      Hasher hasher = Hasher.xxh3(Seeds.of(i));
      long[] members = hashes(hasher, 0);
      HashedFilter filter = maker.apply(hasher, members);
      assertThat(hits(filter, members)).isEqualTo(members.length);
      long[] others = hashes(hasher, 1);
      rates[i] = (double) hits(filter, others) / others.length;
    }
    Rates.assertMean(rates, shape.falsePositiveRate(flows.size() / 2), 5, 0);
  }

  /** Load .1: B(k = 3). */
  @Test
  void theStandardFilter() {
    BloomShape shape = BloomShape.of(26_560, 3);
    assertRate(shape, (hasher, members) -> filled(BloomFilter.create(shape, hasher), members));
  }

  /** B1(k = 3), B1(k = 6), B2(k = 5) and B3(k = 5) at the same load. */
  @Test
  void filtersOfWords() {
    for (int[] form : new int[][] {{1, 3}, {1, 6}, {2, 5}, {3, 5}}) {
      WordShape shape = new WordShape(415, 64, form[0], form[1]);
      assertRate(shape, (hasher, members) -> filled(BloomGFilter.create(shape, hasher), members));
    }
  }

  /** B.5(k = 3): half of the members in two words. */
  @Test
  void filtersOfFractionsOfWords() {
    AlphaShape shape = new AlphaShape(415, 64, 3, .5);
    assertRate(shape, (hasher, members) -> BloomAlphaFilter.ofHashes(members, shape, hasher));
  }
}
