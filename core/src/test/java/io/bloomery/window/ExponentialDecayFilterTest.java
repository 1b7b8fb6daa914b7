package io.bloomery.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.Estimates;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * The exponentially decaying Bloom filter and routing based on it.
 *
 * <p>Measured here, of T7 (exponentially decaying, routing): line, d = 2: what stands out of the
 * noise halves per hop, within 5 standard errors of 500 keys; random graph of 1000 nodes, 500
 * queries: paths more than 10 times shorter than a random walk's.
 */
final class ExponentialDecayFilterTest {

  private static final int NODES = 1000;

  /**
   * A line of nodes, d = 2, 500 keys at its end: what stands out of the noise halves per hop,
   * within 5 standard errors of the mean over the keys; as one bit in 16 belongs to two keys, those
   * are 3 % more than of independent ones.
   */
  @Test
  void theSignalHalvesAtEachHop() {
    ExponentialDecayShape shape = new ExponentialDecayShape(1 << 18, 32);
    List<NeighborTable<Integer>> line = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      line.add(new NeighborTable<>(ExponentialDecayFilter.create(shape), 2, 100 + i));
    }
    long[] keys = Keys.members(500);
    line.get(0).own().addHashes(keys, 0, keys.length);
    double before = 0;
    for (int hops = 1; hops < 7; hops++) {
      ExponentialDecayFilter advertisement = line.get(hops - 1).advertisementFor(hops);
      line.get(hops).receive(hops - 1, advertisement);
      double fill = advertisement.fillRatio();
      double[] found = new double[keys.length];
      for (int i = 0; i < keys.length; i++) {
        found[i] = advertisement.matchesHash(keys[i]);
      }
      double matches = Rates.mean(found);
      double error = 1.03 * Rates.student(5, keys.length) * Rates.standardError(found);
      double signal = matches - 32 * fill;
      if (hops == 1) {
        assertThat(matches).isEqualTo(32);
      } else {
        assertThat(signal).isCloseTo(before / 2, within(error));
        assertThat(matches).isCloseTo(shape.expectedMatches(hops, 2, 0), within(error));
      }
      before = signal;
    }
  }

  /**
   * Two nodes away, beside 3,000 keys of the neighbour, which fill a third of the filter: 500 keys,
   * 5 standard errors.
   */
  @Test
  void keysOfOtherNodesAreNoise() {
    ExponentialDecayShape shape = new ExponentialDecayShape(1 << 18, 32);
    ExponentialDecayFilter heard = ExponentialDecayFilter.create(shape);
    long[] keys = Keys.members(500);
    heard.addHashes(keys, 0, keys.length);
    ExponentialDecayFilter own = ExponentialDecayFilter.create(shape);
    own.addHashes(Keys.outsiders(3_000), 0, 3_000);
    double noise = own.fillRatio();
    assertThat(noise)
        .isCloseTo(
            1 - BloomMath.zeroBitProbability(1 << 18, 3_000, 32),
            within(5 * BloomMath.fillStandardDeviation(1 << 18, 3_000, 32)));
    NeighborTable<String> table = new NeighborTable<>(own, 2, 1);
    table.receive("far", heard);
    ExponentialDecayFilter advertisement = table.advertisementFor("near");
    double[] found = new double[keys.length];
    Arrays.setAll(found, i -> advertisement.matchesHash(keys[i]));
    assertThat(Rates.mean(found))
        .isCloseTo(
            shape.expectedMatches(2, 2, noise),
            within(1.03 * Rates.student(5, keys.length) * Rates.standardError(found)));
  }

  /** Recomputing an advertisement does not change it. */
  @Test
  void refreshingDoesNotDecay() {
    ExponentialDecayShape shape = new ExponentialDecayShape(4096, 32);
    NeighborTable<String> table = new NeighborTable<>(ExponentialDecayFilter.create(shape), 4, 1);
    ExponentialDecayFilter heard = ExponentialDecayFilter.create(shape);
    heard.addHashes(Keys.members(30), 0, 30);
    table.receive("left", heard);
    double fill = table.advertisementFor("right").fillRatio();
    Rates.assertRate(Math.round(4096 * fill), Math.round(4096 * heard.fillRatio()), 0.25, 5);
    for (int i = 0; i < 10; i++) {
      table.receive("left", heard.copy());
      assertThat(table.advertisementFor("right").fillRatio()).isEqualTo(fill);
    }
    assertThat(table.advertisementFor("left").fillRatio()).isZero();
    assertThat(table.remove("left")).isTrue();
    assertThat(table.remove("left")).isFalse();
    assertThat(table.advertisementFor("right").fillRatio()).isZero();
    assertThat(table.next(Keys.hash(0))).isEmpty();
  }

  /** Every node has its own seed; with one for all, what survives a hop survives them all. */
  @Test
  void seedsMustDiffer() {
    ExponentialDecayShape shape = new ExponentialDecayShape(1 << 16, 32);
    ExponentialDecayFilter source = ExponentialDecayFilter.create(shape);
    source.addHashes(Keys.members(300), 0, 300);
    ExponentialDecayFilter once = ExponentialDecayFilter.create(shape);
    once.absorb(source, 0.5, 7);
    ExponentialDecayFilter same = ExponentialDecayFilter.create(shape);
    same.absorb(once, 0.5, 7);
    ExponentialDecayFilter other = ExponentialDecayFilter.create(shape);
    other.absorb(once, 0.5, 8);
    assertThat(same.fillRatio()).isEqualTo(once.fillRatio());
    long bits = Math.round(once.fillRatio() * (1 << 16));
    Rates.assertRate(Math.round(other.fillRatio() * (1 << 16)), bits, 0.5, 5);
  }

  /**
   * 1 000 nodes, each with 4 random links of its own and 2 keys; 500 queries from random nodes, by
   * the tables and by a random walk. The mean path must be shorter by 4 joint standard errors.
   */
  @Test
  void guidedWalksAreShorterThanRandomOnes() {
    SplittableRandom random = Seeds.random(11);
    List<List<Integer>> links = randomGraph(random);
    List<NeighborTable<Integer>> tables = tables(links);
    int queries = 500;
    double[] guided = new double[queries];
    double[] unguided = new double[queries];
    for (int i = 0; i < queries; i++) {
      int target = random.nextInt(NODES);
      int start = random.nextInt(NODES);
      long key = Keys.hash(2L * target + i % 2);
      guided[i] = walk(links, tables, start, target, key, Seeds.random(i));
      unguided[i] = walk(links, null, start, target, key, Seeds.random(i));
    }
    double difference = Rates.mean(unguided) - Rates.mean(guided);
    double error = Math.hypot(Rates.standardError(guided), Rates.standardError(unguided));
    assertThat(difference).isGreaterThan(4 * error);
    double factor = Rates.mean(unguided) / Rates.mean(guided);
    assertThat(factor)
        .as("%.1f hops instead of %.1f", Rates.mean(guided), Rates.mean(unguided))
        .isGreaterThan(10);
  }

  private static List<List<Integer>> randomGraph(SplittableRandom random) {
    List<List<Integer>> links = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      links.add(new ArrayList<>());
    }
    // A ring keeps it in one piece, a random link more for each node makes it small.
    for (int i = 0; i < NODES; i++) {
      link(links, i, (i + 1) % NODES);
      link(links, i, random.nextInt(NODES));
    }
    return links;
  }

  private static void link(List<List<Integer>> links, int a, int b) {
    if (a != b && !links.get(a).contains(b)) {
      links.get(a).add(b);
      links.get(b).add(a);
    }
  }

  /** Four rounds of advertisements. */
  private static List<NeighborTable<Integer>> tables(List<List<Integer>> links) {
    ExponentialDecayShape shape = new ExponentialDecayShape(8192, 32);
    List<NeighborTable<Integer>> tables = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      ExponentialDecayFilter own = ExponentialDecayFilter.create(shape);
      own.addHash(Keys.hash(2L * i));
      own.addHash(Keys.hash(2L * i + 1));
      tables.add(new NeighborTable<>(own, 4, Keys.hash(-1 - i)));
    }
    for (int round = 0; round < 4; round++) {
      List<List<ExponentialDecayFilter>> sent = new ArrayList<>();
      for (int i = 0; i < NODES; i++) {
        NeighborTable<Integer> table = tables.get(i);
        sent.add(links.get(i).stream().map(table::advertisementFor).toList());
      }
      for (int i = 0; i < NODES; i++) {
        for (int j = 0; j < links.get(i).size(); j++) {
          tables.get(links.get(i).get(j)).receive(i, sent.get(i).get(j));
        }
      }
    }
    return tables;
  }

  /** Hops from start to target, at most 20 000; without tables a random walk. */
  private static int walk(
      List<List<Integer>> links,
      List<NeighborTable<Integer>> tables,
      int start,
      int target,
      long key,
      SplittableRandom random) {
    int at = start;
    int hops = 0;
    boolean[] asked = new boolean[NODES];
    while (at != target && hops < 20_000) {
      List<Integer> around = links.get(at);
      int next = around.get(random.nextInt(around.size()));
      // A node that is visited again sends the query elsewhere, or it might go in circles.
      if (tables != null && !asked[at]) {
        next = tables.get(at).next(key).orElse(next);
      }
      asked[at] = true;
      at = next;
      hops++;
    }
    return hops;
  }

  /** One key among 32 bits of 32 hashes is found by another with 6e-7, so any rate allows them. */
  @Test
  void aKeyFitsIntoAsManyBitsAsHashes() {
    assertThat(ExponentialDecayShape.forKeys(1, 0.5)).isEqualTo(new ExponentialDecayShape(32, 32));
  }

  @Test
  void ownKeysKeepAllTheirBits() {
    ExponentialDecayFilter filter = ExponentialDecayFilter.create(1000, 0.01);
    assertThat(filter.shape().hashesPerKey()).isEqualTo(32);
    assertThat(filter.shape().falsePositiveRate(1000)).isBetween(0.0099, 0.01);
    filter.addHashes(Keys.members(1000), 0, 1000);
    for (long key : Keys.members(1000)) {
      assertThat(filter.matchesHash(key)).isEqualTo(32);
    }
    double mean = 0;
    for (long key : Keys.outsiders(10_000)) {
      mean += filter.matchesHash(key) / 10_000.0;
    }
    double fill = filter.fillRatio();
    assertThat(mean).isCloseTo(32 * fill, within(5 * Math.sqrt(32 * fill * (1 - fill) / 10_000)));
    ExponentialDecayShape sparse = ExponentialDecayShape.forFill(1000, 0.05);
    ExponentialDecayFilter thin = ExponentialDecayFilter.create(sparse);
    thin.addHashes(Keys.members(1000), 0, 1000);
    assertThat(thin.fillRatio())
        .isCloseTo(0.05, within(5 * BloomMath.fillStandardDeviation(sparse.bits(), 1000, 32)));
  }

  @Test
  void impossibleArgumentsAreRefused() {
    ExponentialDecayFilter filter = ExponentialDecayFilter.create(10, 0.01);
    assertThatThrownBy(() -> filter.absorb(filter.copy(), 1.5, 1)).hasMessageContaining("keep");
    assertThatThrownBy(() -> filter.absorb(null, 0.5, 1)).hasMessage("other");
    assertThatThrownBy(() -> filter.absorb(ExponentialDecayFilter.create(20, 0.01), 0.5, 1))
        .hasMessageContaining("bits");
    assertThatThrownBy(() -> new NeighborTable<String>(filter, 0.5, 1))
        .hasMessageContaining("decay = 0.5");
    NeighborTable<String> table = new NeighborTable<>(filter, 2, 1);
    assertThatThrownBy(() -> table.receive("a", ExponentialDecayFilter.create(20, 0.01)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("advertisement");
    assertThatThrownBy(() -> new ExponentialDecayShape(10, 11))
        .hasMessageContaining("hashesPerKey");
    assertThatThrownBy(() -> ExponentialDecayFilter.create(-1, 0.1))
        .hasMessageContaining("expectedKeys = -1");
    assertThatThrownBy(() -> ExponentialDecayShape.forFill(0, 0.5))
        .hasMessageContaining("expectedKeys = 0");
  }

  /** It is sized only by name; no need selects it. */
  @Test
  void thePlannerSizesItByName() {
    Needs needs = Needs.forKeys(1000, 0.01);
    Plan plan = Planner.standard().named("exponential-decay", needs);
    assertThat(plan.shape()).isEqualTo(ExponentialDecayFilter.create(1000, 0.01).shape());
    assertThat(plan.variant().isOfferedFor(needs)).isFalse();
    ExponentialDecayFilter filter = (ExponentialDecayFilter) plan.create();
    filter.addHashes(Keys.members(1000), 0, 1000);
    long bits = filter.shape().bits();
    assertThat(filter.cardinality())
        .isCloseTo(1000, within(5 * Estimates.cardinalityStandardDeviation(bits, 32, 1000)));
  }
}
