package io.bloomery.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.sync.AggregateMessage.Outcome;
import io.bloomery.testkit.Seeds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A network of nodes in memory that loses, repeats and delays messages, and an exact record of
 * which node has counted which, next to the nodes' filters.
 */
final class Network {

  private static final int MAX_NODES = 512;
  private static final byte NONE = -1;

  private final AggregateShape shape;
  private final double loss;
  private final double repeats;
  private final SplittableRandom random;
  private final List<DecentralizedAggregate> nodes = new ArrayList<>();
  private final Map<Long, Integer> index = new HashMap<>();
  private final List<Boolean> present = new ArrayList<>();

  /** By aggregator: the state in which each contributor is counted, or {@link #NONE}. */
  private final List<byte[]> truth = new ArrayList<>();

  private final List<AggregateMessage> delayed = new ArrayList<>();
  private long doubleCounts;
  private long falseMoves;

  Network(AggregateShape shape, int seed, double loss, double repeats) {
    this.shape = shape;
    this.random = Seeds.random(seed);
    this.loss = loss;
    this.repeats = repeats;
  }

  void join(int count) {
    for (int i = 0; i < count; i++) {
      String name = "node " + nodes.size() + " of " + Seeds.of(0);
      DecentralizedAggregate node = DecentralizedAggregate.create(name, anyValue(), shape);
      index.put(node.id(), nodes.size());
      nodes.add(node);
      present.add(true);
      byte[] nobody = new byte[MAX_NODES];
      Arrays.fill(nobody, NONE);
      truth.add(nobody);
    }
  }

  /** Values that are skewed, so that averages depend on which nodes are counted. */
  private double anyValue() {
    double uniform = random.nextDouble();
    return shape.low() + (shape.high() - shape.low()) * uniform * uniform;
  }

  DecentralizedAggregate node(int i) {
    return nodes.get(i);
  }

  /** Sets a node back to an earlier state, in which it had counted fewer. */
  void resume(int i, DecentralizedAggregate node) {
    nodes.set(i, node);
    for (int j = 0; j < nodes.size(); j++) {
      if (!node.mightContainHash(nodes.get(j).id())) {
        truth.get(i)[j] = NONE;
      }
    }
  }

  void change(int i) {
    nodes.get(i).setValue(anyValue());
  }

  /** A node says farewell to all others, several times if messages may be lost. */
  void leave(int i) {
    present.set(i, false);
    for (int times = 0; times < (loss == 0 ? 1 : 4); times++) {
      for (int to = 0; to < nodes.size(); to++) {
        if (present.get(to)) {
          deliver(nodes.get(i).farewell(nodes.get(to).id()));
        }
      }
    }
  }

  /** Every node contacts all with whom an exchange is due, in random order, until none is. */
  void gossipUntilQuiet() {
    boolean busy = true;
    for (int round = 0; busy; round++) {
      assertThat(round).isLessThan(100);
      busy = gossip() > 0 || !delayed.isEmpty();
    }
  }

  /** One round; how many exchanges were begun. */
  int gossip() {
    int[] pairs = new int[nodes.size() * nodes.size()];
    int count = 0;
    for (int from = 0; from < nodes.size(); from++) {
      for (int to = 0; to < nodes.size(); to++) {
        if (from != to && present.get(from) && present.get(to)) {
          int other = random.nextInt(count + 1);
          pairs[count++] = pairs[other];
          pairs[other] = from * MAX_NODES + to;
        }
      }
    }
    int begun = 0;
    for (int i = 0; i < count; i++) {
      DecentralizedAggregate node = nodes.get(pairs[i] / MAX_NODES);
      long peer = nodes.get(pairs[i] % MAX_NODES).id();
      if (node.isDue(peer)) {
        deliver(node.offer(peer));
        begun++;
      }
    }
    List<AggregateMessage> late = List.copyOf(delayed);
    delayed.clear();
    late.forEach(this::deliver);
    return begun;
  }

  /** An exchange between any two nodes, due or not. */
  void exchangeAny() {
    int from = random.nextInt(nodes.size());
    int to = random.nextInt(nodes.size());
    if (from != to && present.get(from) && present.get(to)) {
      deliver(nodes.get(from).offer(nodes.get(to).id()));
    }
  }

  private void deliver(AggregateMessage first) {
    Deque<AggregateMessage> queue = new ArrayDeque<>();
    queue.add(first);
    while (!queue.isEmpty()) {
      AggregateMessage message = queue.remove();
      if (random.nextDouble() < loss) {
        continue;
      }
      if (random.nextDouble() < repeats) {
        delayed.add(message);
      }
      int to = index.get(message.to());
      if (present.get(to) || message.type() == AggregateMessage.Type.ANSWER) {
        List<AggregateMessage> answers = nodes.get(to).receive(message);
        answers.forEach(answer -> follow(message, answer));
        queue.addAll(answers);
      }
    }
  }

  /** Keeps the exact record by what a node says that it did. */
  private void follow(AggregateMessage message, AggregateMessage answer) {
    if (answer.type() != AggregateMessage.Type.ANSWER) {
      return;
    }
    byte[] counted = truth.get(index.get(answer.from()));
    int node = index.get(answer.to());
    boolean before = counted[node] != NONE;
    if (answer.outcome() == Outcome.COUNTED) {
      counted[node] = (byte) message.state();
      doubleCounts += before ? 1 : 0;
    } else if (answer.outcome() == Outcome.REPLACED) {
      counted[node] = (byte) message.state();
      falseMoves += before ? 0 : 1;
    } else if (answer.outcome() == Outcome.REMOVED) {
      counted[node] = NONE;
      falseMoves += before ? 0 : 1;
    }
  }

  /**
   * The nodes' counts must be those of the record, if no filter was wrong in a move. Messages that
   * were overtaken may have replaced a value by the wrong one, but not how many there are.
   */
  void requireConsistent() {
    for (int i = 0; i < nodes.size() && falseMoves == 0; i++) {
      long[] expected = new long[shape.states()];
      for (byte state : truth.get(i)) {
        if (state != NONE) {
          expected[state]++;
        }
      }
      if (present.get(i)) {
        expected[shape.state(nodes.get(i).value())]++;
      }
      if (repeats == 0) {
        assertThat(nodes.get(i).histogram()).isEqualTo(expected);
      } else {
        assertThat(nodes.get(i).count()).isEqualTo(Arrays.stream(expected).sum());
      }
    }
  }

  /** How many of the nodes present each present node does not count. */
  double[] missing() {
    return perNode((i, j) -> i != j && present.get(j) && truth.get(i)[j] == NONE);
  }

  /** How many nodes that left each present node still counts. */
  double[] ghosts() {
    return perNode((i, j) -> !present.get(j) && truth.get(i)[j] != NONE);
  }

  /** How many nodes each present node counts with a value that they no longer have. */
  double[] stale() {
    return perNode(
        (i, j) ->
            present.get(j)
                && truth.get(i)[j] != NONE
                && truth.get(i)[j] != shape.state(nodes.get(j).value()));
  }

  private interface Pair {
    boolean is(int aggregator, int contributor);
  }

  private double[] perNode(Pair test) {
    return IntStream.range(0, nodes.size())
        .filter(present::get)
        .mapToDouble(i -> IntStream.range(0, nodes.size()).filter(j -> test.is(i, j)).count())
        .toArray();
  }

  double average() {
    return IntStream.range(0, nodes.size())
        .filter(present::get)
        .mapToDouble(i -> nodes.get(i).value())
        .average()
        .orElseThrow();
  }

  /** The largest relative error of a node's average. */
  double worstError() {
    double average = average();
    return Arrays.stream(averages()).map(x -> Math.abs(x / average - 1)).max().orElseThrow();
  }

  /** The mean relative error of the nodes' averages. */
  double meanError() {
    double average = average();
    return Arrays.stream(averages()).map(x -> Math.abs(x / average - 1)).average().orElseThrow();
  }

  private double[] averages() {
    return IntStream.range(0, nodes.size())
        .filter(present::get)
        .mapToDouble(i -> nodes.get(i).average())
        .toArray();
  }

  long doubleCounts() {
    return doubleCounts;
  }
}
