package io.bloomery.lookup;

import static io.bloomery.lookup.FilterBankTest.assertIllegal;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Seeds;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Catalogue P5: keys are removed from nodes, and replicas move.
 *
 * <p>Measured here, of P5 (removal, replicas that move): 300 keys, 400 moves and removals: after 3
 * rounds bit for bit a network that never had them elsewhere; {@code AttenuatedNetwork.remove},
 * {@code move}; until filters are refreshed, searches go to the old place and back.
 */
final class AttenuatedMovesTest {

  private static final int NODES = 60;
  private static final int LEVELS = 3;
  private static final BankShape SHAPE = new BankShape(LEVELS, 1, 2_000, 7);

  /** A ring with chords and no keys. */
  private static AttenuatedNetwork network() {
    AttenuatedNetwork network = new AttenuatedNetwork(NODES, SHAPE, Hasher.xxh3());
    for (int i = 0; i < NODES; i++) {
      network.link(i, (i + 1) % NODES);
      if (i % 4 == 0) {
        network.link(i, (i * 7 + 13) % NODES == i ? (i + 2) % NODES : (i * 7 + 13) % NODES);
      }
    }
    return network;
  }

  private static void assertSameFilters(AttenuatedNetwork one, AttenuatedNetwork other) {
    for (int node = 0; node < NODES; node++) {
      assertThat(one.table(node).own().sameContent(other.table(node).own())).isTrue();
      for (int over : one.neighbors(node)) {
        assertThat(
                one.table(node)
                    .filter(over)
                    .orElseThrow()
                    .sameContent(other.table(node).filter(over).orElseThrow()))
            .isTrue();
      }
    }
  }

  /**
   * 300 replicas, 400 moves and removals: after as many rounds as there are levels every filter of
   * every link is bit for bit that of a network that never had them elsewhere.
   */
  @Test
  void aNetworkForgetsWhereKeysWere() {
    AttenuatedNetwork network = network();
    int[] home = new int[300];
    SplittableRandom random = Seeds.random(5);
    for (int key = 0; key < home.length; key++) {
      home[key] = random.nextInt(NODES);
      network.store(home[key], Keys.hash(key));
    }
    network.refreshAll();
    for (int step = 0; step < 400; step++) {
      int key = random.nextInt(home.length);
      int to = random.nextInt(NODES);
      if (home[key] < 0) {
        assertThat(network.move(to, 0, Keys.hash(key))).isFalse();
      } else if (step % 5 == 0) {
        assertThat(network.remove(home[key], Keys.hash(key))).isTrue();
        assertThat(network.remove(home[key], Keys.hash(key))).isFalse();
        home[key] = -1;
      } else {
        assertThat(network.move(home[key], to, Keys.hash(key))).isTrue();
        home[key] = to;
      }
    }
    assertThat(network.refreshAll()).isLessThanOrEqualTo(LEVELS + 1);
    AttenuatedNetwork fresh = network();
    for (int key = 0; key < home.length; key++) {
      if (home[key] >= 0) {
        fresh.store(home[key], Keys.hash(key));
      }
    }
    fresh.refreshAll();
    assertSameFilters(network, fresh);
    for (int key = 0; key < home.length; key++) {
      for (int from = 0; from < NODES; from += 7) {
        int distance = network.distance(from, Keys.hash(key));
        boolean near = distance >= 0 && distance <= LEVELS;
        assertThat(network.route(from, Keys.hash(key)).found()).isEqualTo(near);
      }
    }
  }

  /**
   * Until the filters are refreshed, searches go to the old place first and then find the new one.
   */
  @Test
  void staleFiltersCostMessages() {
    AttenuatedNetwork line = new AttenuatedNetwork(5, SHAPE, Hasher.xxh3());
    for (int i = 0; i < 4; i++) {
      line.link(i, i + 1);
    }
    long hash = Keys.hash(1);
    line.store(0, hash);
    line.refreshAll();
    assertThat(line.route(2, hash).messages()).isEqualTo(2);
    assertThat(line.move(0, 4, hash)).isTrue();
    AttenuatedNetwork.Route stale = line.route(2, hash);
    assertThat(stale.found()).isFalse();
    assertThat(stale.messages()).isEqualTo(4); // to node 0 and back
    line.refresh();
    line.refresh();
    assertThat(line.route(2, hash).found()).isTrue();
    assertThat(line.route(2, hash).messages()).isEqualTo(2);
    assertThat(line.table(1).filter(0).orElseThrow().levelsOfHash(hash)).isZero();
    assertThat(line.has(0, hash)).isFalse();
    assertThat(line.has(4, hash)).isTrue();
  }

  @Test
  void argumentsAreChecked() {
    AttenuatedNetwork network = network();
    network.store(3, 9);
    assertIllegal(() -> network.remove(NODES, 9), "node = 60 ");
    assertIllegal(() -> network.move(3, -1, 9), "node = -1 ");
    assertThat(network.has(3, 9)).isTrue();
    AttenuatedBloomFilter other =
        AttenuatedBloomFilter.create(new BankShape(LEVELS, 1, 999, 7), Hasher.xxh3());
    assertIllegal(() -> network.table(0).replaceOwn(other), "remaining = ");
  }
}
