package io.bloomery.net.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The tables against a map, with rates from both sides. */
class StateTableTest {

  private static final int FLOWS = 100_000;
  private static final long BITS = 24L * FLOWS;
  private static final int QUERIES = 400_000;

  /** Flows with states that are the same to each other in number. */
  private static Map<Long, Integer> fill(StateTable table, SplittableRandom random) {
    Map<Long, Integer> exact = new HashMap<>();
    for (int i = 0; i < FLOWS; i++) {
      long flow = random.nextLong();
      int state = 1 + i % StateTable.STATES;
      table.put(flow, StateTable.ABSENT, state);
      exact.put(flow, state);
    }
    return exact;
  }

  private static double[] absent(StateTable table, SplittableRandom random) {
    double[] answers = new double[StateTable.UNKNOWN + 1];
    for (int i = 0; i < QUERIES; i++) {
      answers[table.get(random.nextLong())]++;
    }
    return answers;
  }

  private static void assertRate(double hits, double trials, double rate, String what) {
    double deviation = Math.sqrt(trials * rate * (1 - rate));
    assertThat(hits)
        .as(what)
        .isBetween(trials * rate - 5 * deviation, trials * rate + 5 * deviation);
  }

  @Test
  void fingerprintsOfAbsentFlows() {
    SplittableRandom random = Seeds.random(51);
    FingerprintTable table = new FingerprintTable(FLOWS, BITS);
    assertThat(table.bits()).isBetween(BITS * 95 / 100, BITS);
    fill(table, random);
    assertThat(table.lost()).isZero();
    assertThat(table.falsePositiveRate()).isBetween(.0028, .0030); // 24 / 2^13
    double[] answers = absent(table, random);
    assertRate(QUERIES - answers[0], QUERIES, table.falsePositiveRate(), "taken for another");
    assertThat(answers[StateTable.UNKNOWN]).isZero();
  }

  /** Given the cells, the probability of each answer for an absent flow is exact. */
  @Test
  void statefulCellsOfAbsentFlows() {
    SplittableRandom random = Seeds.random(52);
    StatefulTable table = new StatefulTable(FLOWS, BITS);
    fill(table, random);
    double[] answers = absent(table, random);
    double unknown = table.share(StateTable.UNKNOWN);
    assertRate(answers[StateTable.UNKNOWN], QUERIES, Math.pow(unknown, table.hashes()), "unknown");
    for (int state = 1; state <= StateTable.STATES; state++) {
      double rate =
          Math.pow(table.share(state) + unknown, table.hashes())
              - Math.pow(unknown, table.hashes());
      assertRate(answers[state], QUERIES, rate, "state " + state);
    }
  }

  /** An absent flow has each state with the probability that all its cells are taken. */
  @Test
  void pairsOfAbsentFlows() {
    SplittableRandom random = Seeds.random(53);
    DirectTable table = new DirectTable(FLOWS, BITS);
    fill(table, random);
    double rate = Math.pow(table.fill(), table.hashes());
    double none = Math.pow(1 - rate, StateTable.STATES);
    double one = StateTable.STATES * rate * Math.pow(1 - rate, StateTable.STATES - 1);
    double[] answers = absent(table, random);
    assertRate(answers[0], QUERIES, none, "absent");
    assertRate(answers[StateTable.UNKNOWN], QUERIES, 1 - none - one, "unknown");
  }

  /** No flow that was put is absent while nothing was removed. */
  @Test
  void whatWasPutIsThere() {
    SplittableRandom random = Seeds.random(54);
    for (StateTable table :
        List.of(
            new FingerprintTable(FLOWS, BITS),
            new StatefulTable(FLOWS, BITS),
            new DirectTable(FLOWS, BITS),
            new ExactTable())) {
      Map<Long, Integer> exact = fill(table, random);
      exact.forEach(
          (flow, state) -> {
            if (table.get(flow) == StateTable.ABSENT) {
              throw new AssertionError(table.getClass() + " lost a flow");
            }
          });
      table.age();
      table.age();
      exact.forEach(
          (flow, state) -> {
            if (table.get(flow) != StateTable.ABSENT) {
              throw new AssertionError(table.getClass() + " kept a flow");
            }
          });
    }
  }

  /** The share of wrong answers after changes of state, removals and new flows. */
  private static double error(StateTable table, long seed) {
    SplittableRandom random = Seeds.random(seed);
    Map<Long, Integer> exact = fill(table, random);
    List<Long> flows = new ArrayList<>(exact.keySet());
    for (int i = 0; i < Effort.of(1_000_000); i++) {
      int at = random.nextInt(flows.size());
      long flow = flows.get(at);
      int known = table.get(flow);
      if (random.nextInt(4) > 0) {
        int state = 1 + random.nextInt(StateTable.STATES);
        table.put(flow, known, state);
        exact.put(flow, state);
      } else {
        table.remove(flow, known);
        exact.remove(flow);
        long other = random.nextLong();
        int state = 1 + random.nextInt(StateTable.STATES);
        table.put(other, table.get(other), state);
        exact.put(other, state);
        flows.set(at, other);
      }
    }
    long wrong = 0;
    for (int i = 0; i < FLOWS; i++) {
      wrong += table.get(flows.get(i)) == exact.get(flows.get(i)) ? 0 : 1;
      wrong += table.get(random.nextLong()) == StateTable.ABSENT ? 0 : 1;
    }
    return wrong / (2. * FLOWS);
  }

  /** The order of the paper, at 24 bits per flow, 100,000 flows and eight states. */
  @Test
  void fingerprintsErrLeastAndPairsMost() {
    double fingerprints = error(new FingerprintTable(FLOWS, BITS), 55);
    double stateful = error(new StatefulTable(FLOWS, BITS), 55);
    double direct = error(new DirectTable(FLOWS, BITS), 55);
    assertThat(error(new ExactTable(), 55)).isZero();
    assertThat(fingerprints).isLessThanOrEqualTo(.005);
    assertThat(fingerprints).isLessThan(stateful);
    assertThat(stateful).isLessThan(direct);
    assertThat(stateful).isBetween(.15, .30);
  }

  @Test
  void cellsOfAnyWidth() {
    SplittableRandom random = Seeds.random(56);
    for (int width = 1; width <= 32; width++) {
      Cells cells = new Cells(500, width);
      int[] exact = new int[500];
      for (int i = 0; i < 5000; i++) {
        int at = random.nextInt(500);
        exact[at] = (int) (random.nextLong() & (1L << width) - 1);
        cells.set(at, exact[at]);
        int other = random.nextInt(500);
        if (cells.get(other) != exact[other]) {
          throw new AssertionError("width " + width);
        }
      }
    }
  }
}
