package io.bloomery.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.KafkaStreams;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a real broker: restarts, kills and rebalances lose no record. */
final class BrokerTest {

  private static final long T = 1_700_000_000_000L;
  private static final String AT_LEAST_ONCE = "at_least_once";
  private static final String EXACTLY_ONCE = "exactly_once_v2";

  @TempDir Path directory;

  /** Each id twice: the second time 50 records after the first. */
  private static List<String> eachTwice(String prefix, int ids) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < ids + 50; i++) {
      if (i < ids) {
        values.add(prefix + i + ":first");
      }
      if (i >= 50) {
        values.add(prefix + (i - 50) + ":second");
      }
    }
    return values;
  }

  private static List<String> ids(List<ConsumerRecord<String, String>> records) {
    return records.stream().map(each -> Pipeline.id(each.value())).toList();
  }

  private static Set<String> expectedIds(String prefix, int ids) {
    return IntStream.range(0, ids).mapToObj(i -> prefix + i).collect(Collectors.toSet());
  }

  private static boolean hasLast(List<ConsumerRecord<String, String>> records) {
    return records.stream().filter(each -> each.value().startsWith("last")).count() >= 2;
  }

  /** One id for each partition, so that whoever reads them knows that all before them were read. */
  private static List<String> last() {
    Map<Integer, String> one = new HashMap<>();
    for (int i = 0; one.size() < Broker.PARTITIONS; i++) {
      String id = "last" + i;
      one.put(Broker.partitionOf(id), id);
    }
    return List.copyOf(one.values());
  }

  /** The state directory is lost, so the second run restores the filter from the changelog. */
  @Test
  void aRestartOnAnotherMachineKnowsTheIds() throws Exception {
    try (Broker broker = Broker.start(directory.resolve("broker"))) {
      broker.send(eachTwice("a", 500), T);
      try (KafkaStreams streams =
          OnceApplication.start(broker.address(), directory.resolve("one"), AT_LEAST_ONCE)) {
        assertThat(ids(broker.read("out", records -> records.size() >= 500)))
            .containsExactlyInAnyOrderElementsOf(expectedIds("a", 500));
        assertThat(streams.state()).isEqualTo(KafkaStreams.State.RUNNING);
      }
      broker.send(eachTwice("a", 500), T + 1_000);
      broker.send(last(), T + 1_000);
      try (KafkaStreams streams =
          OnceApplication.start(broker.address(), directory.resolve("two"), AT_LEAST_ONCE)) {
        assertThat(broker.read("out", BrokerTest::hasLast)).hasSize(500 + Broker.PARTITIONS);
        assertThat(streams.state()).isEqualTo(KafkaStreams.State.RUNNING);
      }
    }
  }

  /**
   * Killed in the middle, at least once: no id is lost. What comes out twice was processed again,
   * that is, it lies behind the offsets that were committed when the process was killed. Duplicates
   * that arrive after that are dropped.
   */
  @Test
  @Tag("long")
  void killedWithoutTransactions() throws Exception {
    int count = 20_000;
    try (Broker broker = Broker.start(directory.resolve("broker"))) {
      broker.send(eachTwice("a", count), T);
      List<Map<Integer, Long>> committed = new ArrayList<>();
      for (int kill = 1; kill <= 3; kill++) {
        Process process =
            OnceApplication.startProcess(
                broker.address(), directory.resolve("state"), AT_LEAST_ONCE);
        try {
          int some = kill * 4_000;
          broker.read("out", records -> records.size() >= some);
        } finally {
          process.destroyForcibly().waitFor();
        }
        committed.add(broker.committed(OnceApplication.NAME));
      }
      Process process =
          OnceApplication.startProcess(
              broker.address(), directory.resolve("elsewhere"), AT_LEAST_ONCE);
      try {
        Set<String> seen = new HashSet<>();
        broker.read("out", records -> seenAll(records, seen, count));
        broker.send(eachTwice("a", count), T + 1_000);
        broker.send(last(), T + 1_000);
        List<ConsumerRecord<String, String>> out = broker.read("out", BrokerTest::hasLast);
        assertThat(new HashSet<>(ids(out))).containsAll(expectedIds("a", count));
        assertExtrasWereProcessedAgain(broker, out, committed, 4 * count + Broker.PARTITIONS);
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
  }

  private static boolean seenAll(
      List<ConsumerRecord<String, String>> records, Set<String> seen, int count) {
    seen.addAll(ids(records));
    return seen.size() >= count;
  }

  private static void assertExtrasWereProcessedAgain(
      Broker broker,
      List<ConsumerRecord<String, String>> out,
      List<Map<Integer, Long>> committed,
      int records) {
    Map<String, ConsumerRecord<String, String>> inputs = new HashMap<>();
    broker
        .read("in", all -> all.size() >= records)
        .forEach(input -> inputs.putIfAbsent(input.value(), input));
    Set<String> forwarded = new HashSet<>();
    for (ConsumerRecord<String, String> output : out) {
      if (!forwarded.add(Pipeline.id(output.value()))) {
        ConsumerRecord<String, String> input = inputs.get(output.value());
        assertThat(output.timestamp()).as("not one of those that came later").isEqualTo(T);
        assertThat(input.offset())
            .as(output.value())
            .isGreaterThanOrEqualTo(committed.get(0).getOrDefault(input.partition(), 0L));
      }
    }
  }

  /**
   * Exactly once, with two instances: the second joins in the middle and takes a partition, is
   * killed, and the first takes it back. Each id comes out once.
   */
  @Test
  @Tag("long")
  void aRebalanceWithTransactions() throws Exception {
    int count = 20_000;
    try (Broker broker = Broker.start(directory.resolve("broker"))) {
      broker.send(eachTwice("a", count), T);
      Process first =
          OnceApplication.startProcess(broker.address(), directory.resolve("one"), EXACTLY_ONCE);
      Process second = null;
      try {
        broker.read("out", records -> records.size() >= 2_000);
        second =
            OnceApplication.startProcess(broker.address(), directory.resolve("two"), EXACTLY_ONCE);
        broker.read("out", records -> new HashSet<>(ids(records)).size() >= count);
        broker.awaitMembers(OnceApplication.NAME, 2);
        broker.send(eachTwice("b", count), T + 1_000);
        broker.read("out", records -> records.size() >= count + count / 4);
        second.destroyForcibly().waitFor();
        broker.send(eachTwice("a", count), T + 2_000);
        broker.send(eachTwice("b", count), T + 2_000);
        broker.send(last(), T + 2_000);
        List<String> out = new ArrayList<>(ids(broker.read("out", BrokerTest::hasLast)));
        Set<String> expected = expectedIds("a", count);
        expected.addAll(expectedIds("b", count));
        expected.addAll(last());
        assertThat(out.size()).isEqualTo(expected.size());
        assertThat(new HashSet<>(out)).isEqualTo(expected);
      } finally {
        first.destroyForcibly().waitFor();
        if (second != null) {
          second.destroyForcibly().waitFor();
        }
      }
    }
  }
}
