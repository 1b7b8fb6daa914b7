package io.bloomery.net.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.net.index.IndexOptions;
import io.bloomery.net.index.Traffic;
import io.bloomery.net.index.TrafficIndex.Mark;
import io.bloomery.net.trace.Traceback.Graph;
import io.bloomery.net.trace.Traceback.Hop;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TracebackTest {

  private static final int ROUTERS = 500;
  private static final int ATTACKS = 120;
  private static final TraceOptions ALWAYS = new TraceOptions(Duration.ofDays(1), 10_000);

  @TempDir private Path directory;

  private static String name(int router) {
    return "r%03d".formatted(router);
  }

  private static IndexOptions options(long seed) {
    return IndexOptions.of(1 << 30)
        .withPages(1 << 20, Duration.ZERO, 1.0 / 50)
        .withRandom(Seeds.random(seed));
  }

  private static List<List<Integer>> network(SplittableRandom random) {
    List<List<Integer>> links = new ArrayList<>();
    for (int i = 0; i < ROUTERS; i++) {
      links.add(new ArrayList<>());
    }
    for (int i = 1; i < ROUTERS; i++) { // connected, with cycles, of degree 3 on average
      for (int other : new int[] {random.nextInt(i), i % 2 == 0 ? random.nextInt(i) : 0}) {
        if (i % 2 == 0 || other != 0 || random.nextInt(50) == 0) {
          links.get(i).add(other);
          links.get(other).add(i);
        }
      }
    }
    return links;
  }

  /** The routers on the shortest way between two; empty if there is none. */
  private static List<Integer> path(List<List<Integer>> links, int from, int to) {
    Map<Integer, Integer> before = new HashMap<>(Map.of(to, to));
    Deque<Integer> open = new ArrayDeque<>(List.of(to));
    while (!open.isEmpty()) {
      int router = open.remove();
      for (int next : links.get(router)) {
        if (before.putIfAbsent(next, router) == null) {
          open.add(next);
        }
      }
    }
    List<Integer> path = new ArrayList<>();
    for (Integer at = from; before.containsKey(at); at = before.get(at)) {
      path.add(at);
      if (at == to) {
        return path;
      }
    }
    return List.of();
  }

  /**
   * 500 routers, of which each keeps the packets of some paths: the whole path is always found, and
   * as many other routers as are expected. Each router that is asked and was not passed is a draw
   * with the rate of its own filter, independent of what was drawn before.
   */
  @Test
  void thePathIsFoundAndOthersAtTheRate() throws IOException {
    SplittableRandom random = Seeds.random(1);
    List<List<Integer>> links = network(random);
    List<Traffic> traffic = new ArrayList<>();
    for (int i = 0; i < ROUTERS; i++) {
      traffic.add(new Traffic());
      for (int j = 0; j < 150; j++) { // packets of 46 bytes: 7 bits each in a fiftieth
        traffic.get(i).udp(i + 1000, j, new byte[18]);
      }
    }
    List<List<Integer>> paths = new ArrayList<>();
    List<byte[]> attacks = new ArrayList<>();
    while (paths.size() < ATTACKS) {
      List<Integer> path = path(links, random.nextInt(ROUTERS), random.nextInt(ROUTERS));
      if (path.size() > 2) {
        byte[] payload = new byte[18];
        random.nextBytes(payload);
        path.forEach(router -> traffic.get(router).udp(paths.size(), 7, payload));
        attacks.add(new Traffic().udp(paths.size(), 7, payload).capture());
        paths.add(path);
      }
    }
    Traceback network = Traceback.create(ALWAYS);
    for (int i = 0; i < ROUTERS; i++) {
      network.router(name(i), traffic.get(i).index(directory.resolve(name(i)), options(i)));
      for (int other : links.get(i)) {
        network.link(name(i), name(other));
      }
    }
    long wrong = 0;
    double expected = 0;
    for (int i = 0; i < ATTACKS; i++) {
      Mark mark = Traffic.marks(attacks.get(i)).get(0);
      List<Integer> path = paths.get(i);
      Graph graph = network.trace(mark, name(path.get(path.size() - 1)));
      Set<String> found = new HashSet<>(Set.of(name(path.get(path.size() - 1))));
      graph.hops().forEach(hop -> found.add(hop.from()));
      assertThat(graph.isComplete()).isTrue();
      path.forEach(router -> assertThat(found).contains(name(router)));
      wrong += found.size() - path.size();
      expected += graph.expectedFalse() * (graph.asked() - path.size()) / graph.asked();
    }
    // The rates of routers differ little, so the mean one stands for those not on the path.
    double deviation = Math.sqrt(expected);
    assertThat(expected).isGreaterThan(50);
    assertThat((double) wrong)
        .isBetween(expected * .9 - 5 * deviation, expected * 1.1 + 5 * deviation);
  }

  /** A chain of four, one of which keeps nothing, and a packet of another time. */
  @Test
  void whatIsUnknownIsPassedThrough() throws IOException {
    byte[] payload = new byte[200];
    Traceback chain = Traceback.create(ALWAYS);
    for (String router : List.of("a", "c", "d")) {
      Traffic traffic = new Traffic();
      for (int i = 0; i < 50; i++) {
        traffic.udp(router.charAt(0) * 100 + i, 1, payload);
      }
      if (!router.equals("d")) {
        traffic.udp(7, 8, payload);
      }
      chain.router(router, traffic.index(directory.resolve(router), options(router.charAt(0))));
    }
    chain.link("a", "b");
    chain.link("b", "c");
    chain.link("c", "d");
    Mark mark = Traffic.marks(new Traffic().udp(7, 8, payload).capture()).get(0);
    Graph graph = chain.trace(mark, "a");
    assertThat(graph.hops()).contains(new Hop("b", "a"), new Hop("c", "b"));
    assertThat(graph.unknown()).containsExactly("b");
    Traffic others = new Traffic();
    for (int i = 0; i < 100; i++) {
      others.udp(i, 9, payload);
    }
    int none = 0;
    for (Mark other : Traffic.marks(others.capture())) {
      none += chain.trace(other, "d").sources().isEmpty() ? 1 : 0;
    }
    assertThat(none).isGreaterThan(85); // 1 % seem to have passed
    assertThat(chain.routers()).isEqualTo(new TreeSet<>(List.of("a", "b", "c", "d")));
    assertThatThrownBy(() -> chain.trace(mark, "x")).hasMessage("there is no router x");
    assertThatThrownBy(() -> new TraceOptions(Duration.ZERO, 0))
        .hasMessage("mostRouters = 0 is below 1");
  }
}
