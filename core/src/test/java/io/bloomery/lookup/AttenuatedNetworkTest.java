package io.bloomery.lookup;

import static io.bloomery.lookup.FilterBankTest.assertIllegal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class AttenuatedNetworkTest {

  private static final int NODES = 200;
  private static final int LEVELS = 4;
  private static final int OBJECTS = 5;

  /** A ring with chords, so that it is connected: 200 nodes, 350 links. */
  private static AttenuatedNetwork random(BankShape shape, long seed) {
    AttenuatedNetwork network = new AttenuatedNetwork(NODES, shape, Hasher.xxh3());
    SplittableRandom random = Seeds.random(seed);
    for (int i = 0; i < NODES; i++) {
      network.link(i, (i + 1) % NODES);
    }
    for (int links = NODES; links < 350; ) {
      int one = random.nextInt(NODES);
      int other = random.nextInt(NODES);
      links += one != other && network.link(one, other) ? 1 : 0;
    }
    for (int node = 0; node < NODES; node++) {
      for (int i = 0; i < OBJECTS; i++) {
        network.store(node, object(node, i));
      }
    }
    return network;
  }

  private static long object(int node, int i) {
    return Keys.hash(node * (long) OBJECTS + i);
  }

  /** The nodes at the end of a walk of some hops over a link, which never turns back. */
  private static Set<Integer> walked(AttenuatedNetwork network, int from, int over, int hops) {
    if (hops == 1) {
      return Set.of(over);
    }
    Set<Integer> ends = new TreeSet<>();
    for (int next : network.neighbors(over)) {
      if (next != from) {
        ends.addAll(walked(network, over, next, hops - 1));
      }
    }
    return ends;
  }

  /** The shape whose fullest last level, of all links of the network, keeps a rate. */
  private static BankShape shape(long seed, double rate) {
    AttenuatedNetwork graph = random(new BankShape(LEVELS, 1, 2, 1), seed);
    int most = 0;
    for (int node = 0; node < NODES; node++) {
      for (int over : graph.neighbors(node)) {
        most = Math.max(most, walked(graph, node, over, LEVELS).size());
      }
    }
    return BankShape.forSets(LEVELS, (long) most * OBJECTS, rate);
  }

  /**
   * Every node searches an object of every node: 40 000 searches, of which at 1 % hardly one fails.
   */
  @Test
  void whatIsWithinReachIsFoundByAShortestPath() {
    assertThat(messagesPerHop(0.01, 1, 1)).isBetween(1.0, 1.001);
  }

  /** At 30 % too, 2 000 searches in each of 20 networks; only messages are wasted. */
  @Test
  void falsePositivesCostMessagesOnly() {
    double[] samples = new double[20];
    for (int i = 0; i < samples.length; i++) {
      samples[i] = messagesPerHop(0.3, 20, 3 + i);
    }
    // A rounded mean of 20 itself.
    double error = Math.sqrt(2) * Rates.standardError(samples);
    assertThat(Rates.mean(samples)).isCloseTo(1.08, within(5 * error + 0.005));
  }

  private static double messagesPerHop(double rate, int step, long seed) {
    AttenuatedNetwork network = random(shape(seed, rate), seed);
    assertThat(network.refreshAll()).isEqualTo(LEVELS + 1);
    int beyond = 0;
    double hops = 0;
    double messages = 0;
    for (int from = 0; from < NODES; from += step) {
      for (int node = 0; node < NODES; node++) {
        long hash = object(node, from % OBJECTS);
        int distance = network.distance(from, hash);
        AttenuatedNetwork.Route route = network.route(from, hash);
        assertThat(route.found()).as("%d asks for %d", from, node).isEqualTo(distance <= LEVELS);
        if (route.found()) {
          assertThat(route.path().get(0)).isEqualTo(from);
          assertThat(route.path().get(route.hops())).isEqualTo(node);
          assertThat(route.hops()).isEqualTo(distance);
          hops += distance;
          messages += route.messages();
        } else {
          beyond++;
        }
      }
    }
    assertThat(beyond).isPositive();
    return messages / hops;
  }

  /** Every filter of every link has level by level what the walks over it reach. */
  @Test
  void levelsAreWalksThatDoNotTurnBack() {
    BankShape shape = shape(2, 0.01);
    AttenuatedNetwork network = random(shape, 2);
    network.refreshAll();
    for (int node = 0; node < NODES; node++) {
      for (int over : network.neighbors(node)) {
        AttenuatedBloomFilter expected = AttenuatedBloomFilter.create(shape, Hasher.xxh3());
        for (int hops = 1; hops <= LEVELS; hops++) {
          for (int end : walked(network, node, over, hops)) {
            for (int i = 0; i < OBJECTS; i++) {
              expected.addHash(object(end, i), hops - 1);
            }
          }
        }
        assertThat(network.table(node).filter(over).orElseThrow().sameContent(expected)).isTrue();
      }
    }
  }

  @Test
  void newKeysAndLinksSpreadOneHopARound() {
    AttenuatedNetwork network =
        new AttenuatedNetwork(6, new BankShape(3, 1, 2_000, 7), Hasher.xxh3());
    for (int i = 0; i < 4; i++) {
      network.link(i, i + 1);
    }
    network.store(4, 42);
    List<Boolean> found = new ArrayList<>();
    for (int round = 0; round < 4; round++) {
      found.add(network.route(1, 42).found());
      network.refresh();
    }
    assertThat(found).containsExactly(false, false, false, true);
    assertThat(network.route(1, 42).path()).containsExactly(1, 2, 3, 4);
    assertThat(network.route(1, 42).messages()).isEqualTo(3);
    assertThat(network.route(0, 42).found()).as("four hops, three levels").isFalse();
    assertThat(network.distance(0, 42)).isEqualTo(4);
    assertThat(network.route(1, 42, 2).found()).as("too few messages").isFalse();
    assertThat(network.route(4, 42).path()).containsExactly(4);

    assertThat(network.unlink(2, 3)).isTrue();
    assertThat(network.unlink(2, 3)).isFalse();
    network.refreshAll();
    assertThat(network.route(1, 42).found()).isFalse();
    assertThat(network.table(1).hopsOfHash(42)).isEmpty();
    assertThat(network.distance(1, 42)).isEqualTo(-1);
    assertThat(network.link(1, 5) && network.link(5, 4)).isTrue();
    network.refreshAll();
    assertThat(network.route(1, 42).path()).containsExactly(1, 5, 4);
    assertThat(network.route(0, 42).path()).containsExactly(0, 1, 5, 4);
    assertThat(network.table(1).links()).containsExactly(0, 2, 5);
  }

  /** Of equal numbers of hops the lower link; a second distance raises the potential. */
  @Test
  void linksAreRanked() {
    AttenuatedNetwork network =
        new AttenuatedNetwork(6, new BankShape(4, 1, 4_000, 9), Hasher.xxh3());
    network.link(0, 2);
    network.link(0, 1);
    network.link(1, 3);
    network.link(2, 4);
    network.link(4, 5);
    network.store(1, 7);
    network.store(2, 7);
    network.store(5, 7);
    network.refreshAll();
    assertThat(network.table(0).nextOfHash(7)).contains(1);
    assertThat(network.table(0).hopsOfHash(7))
        .containsExactly(
            new AttenuatedBloomFilter.LinkTable.Hop<>(1, 1),
            new AttenuatedBloomFilter.LinkTable.Hop<>(2, 1),
            new AttenuatedBloomFilter.LinkTable.Hop<>(2, 3));
    assertThat(network.table(0).byPotentialOfHash(7)).containsExactly(2, 1);
    assertThat(network.table(0).filter(2).orElseThrow().potentialHash(7)).isEqualTo(1.25);
    assertThat(network.table(0).byPotentialOfHash(8)).isEmpty();
    assertThat(network.table(0).nextOfHash(8)).isEmpty();
    assertThat(network.has(5, 7)).isTrue();
    assertThat(network.has(0, 7)).isFalse();
  }

  @Test
  void argumentsAreChecked() {
    AttenuatedNetwork network =
        new AttenuatedNetwork(3, new BankShape(2, 1, 100, 3), Hasher.xxh3());
    assertThat(network.nodes()).isEqualTo(3);
    assertIllegal(() -> network.link(0, 3), "node = 3 ");
    assertIllegal(() -> network.link(1, 1), "node 1 cannot");
    assertIllegal(() -> network.store(-1, 1), "node = -1 ");
    assertIllegal(() -> network.route(3, 1), "node = 3 ");
    assertIllegal(() -> network.route(0, 1, -1), "maxMessages = -1 ");
    assertIllegal(() -> network.distance(3, 1), "node = 3 ");
    assertIllegal(
        () -> new AttenuatedNetwork(0, new BankShape(2, 1, 100, 3), Hasher.xxh3()), "nodes = 0 ");
    AttenuatedBloomFilter other = AttenuatedBloomFilter.create(BankShape.forSets(3, 10, 0.1));
    assertIllegal(() -> network.table(0).receive(1, other), "advertisement = ");
    assertThat(network.table(0).remove(1)).isFalse();
    assertThat(network.toString()).contains("3 nodes", "2 levels");
    assertThat(network.table(0).toString()).contains("0 links");
  }
}
