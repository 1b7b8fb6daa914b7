package io.bloomery.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

/** What a task does that was restored from the changelog. */
final class RestartTest {

  private static final long T = 1_700_000_000_000L;
  private static final Deduplication MINUTE =
      Deduplication.within(Duration.ofMinutes(1), 500, 1e-6).withGrace(Duration.ofSeconds(20));

  private record Input(String value, long timestamp) {}

  private static List<Input> inputs(int count, long seed) {
    SplittableRandom random = Seeds.random(seed);
    long clock = T;
    List<Input> inputs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      clock += random.nextInt(200);
      inputs.add(new Input(random.nextInt(300) + ":" + i, clock - random.nextInt(20_000)));
    }
    return inputs;
  }

  private static List<String> send(Pipeline pipeline, List<Input> inputs) {
    List<String> forwarded = new ArrayList<>();
    inputs.forEach(input -> forwarded.addAll(pipeline.send(input.value(), input.timestamp())));
    return forwarded;
  }

  /** As with exactly-once processing: changelog and offsets agree. Five restarts change nothing. */
  @Test
  void aRestartChangesNothing() {
    List<Input> inputs = inputs(3_000, 1);
    List<String> uninterrupted;
    try (Pipeline pipeline = Pipeline.of(MINUTE)) {
      uninterrupted = send(pipeline, inputs);
    }
    assertThat(uninterrupted.size()).isBetween(600, 2_400);
    List<String> restarted = new ArrayList<>();
    List<TestRecord<Integer, byte[]>> changelog = new ArrayList<>();
    for (int from = 0; from < inputs.size(); from += 500) {
      try (Pipeline pipeline = Pipeline.restored(MINUTE, changelog).at(from)) {
        restarted.addAll(send(pipeline, inputs.subList(from, from + 500)));
        changelog.addAll(pipeline.changelog());
        assertThat(pipeline.metric("forwarded-again-total")).isZero();
      }
    }
    assertThat(restarted).isEqualTo(uninterrupted);
  }

  /**
   * As with at-least-once processing after a crash: records from the last commit on come again,
   * what they gave at first is lost, and the changelog holds any part of what they wrote. Still
   * each id comes out.
   */
  @Test
  void nothingIsLostWhenRecordsAreProcessedAgain() {
    List<Input> inputs =
        IntStream.range(0, 400).mapToObj(i -> new Input("id " + i, T + 100L * i)).toList();
    List<TestRecord<Integer, byte[]>> changelog;
    try (Pipeline pipeline = Pipeline.of(MINUTE.droppingLate())) {
      assertThat(send(pipeline, inputs)).hasSize(400);
      changelog = pipeline.changelog();
    }
    SplittableRandom random = Seeds.random(2);
    for (int crash = 0; crash < 10; crash++) {
      int committed = random.nextInt(399);
      int written = random.nextInt(afterPages(changelog, committed), changelog.size() + 1);
      try (Pipeline pipeline =
          Pipeline.restored(MINUTE.droppingLate(), changelog.subList(0, written)).at(committed)) {
        List<Input> again = inputs.subList(committed, 400);
        assertThat(send(pipeline, again)).isEqualTo(again.stream().map(Input::value).toList());
        // Each offset wrote a page.
        assertThat(pipeline.metric("forwarded-again-total"))
            .isEqualTo((double) (pages(changelog.subList(0, written)) - committed));
      }
    }
  }

  private static long pages(List<TestRecord<Integer, byte[]>> changelog) {
    return changelog.stream().filter(written -> written.key() >= 0).count();
  }

  /** The number of records of a changelog up to the one that completes {@code pages} pages. */
  private static int afterPages(List<TestRecord<Integer, byte[]>> changelog, int pages) {
    int records = 0;
    for (int found = 0; found < pages; records++) {
      found += changelog.get(records).key() >= 0 ? 1 : 0;
    }
    return records;
  }

  /** Only what the restored state knows is let through twice: then duplicates are dropped. */
  @Test
  void duplicatesAreDroppedAgainAfterTheLastOffsetKnown() {
    List<TestRecord<Integer, byte[]>> changelog;
    try (Pipeline pipeline = Pipeline.of(MINUTE)) {
      pipeline.send("a:1", T);
      pipeline.send("b:1", T + 5);
      changelog = pipeline.changelog();
    }
    try (Pipeline pipeline = Pipeline.restored(MINUTE, changelog)) {
      assertThat(pipeline.send("a:1", T)).hasSize(1);
      assertThat(pipeline.send("b:1", T + 5)).hasSize(1);
      assertThat(pipeline.send("a:2", T + 5)).isEmpty();
      assertThat(pipeline.send("b:2", T)).isEmpty();
    }
  }

  /** A topic that was recreated begins at offset 0 again, but its records are newer. */
  @Test
  void smallOffsetsOfNewRecordsMeanNothing() {
    List<TestRecord<Integer, byte[]>> changelog;
    try (Pipeline pipeline = Pipeline.of(MINUTE).at(1_000)) {
      pipeline.send("a:1", T);
      changelog = pipeline.changelog();
    }
    try (Pipeline pipeline = Pipeline.restored(MINUTE, changelog)) {
      assertThat(pipeline.send("a:2", T + 1)).isEmpty();
    }
    try (Pipeline pipeline = Pipeline.restored(MINUTE, changelog)) {
      assertThat(pipeline.send("a:1", T)).hasSize(1);
    }
  }

  /** Each topic has offsets of its own, also on pages that both have changed. */
  @Test
  void twoTopicsAreToldApart() {
    Deduplication tiny = Deduplication.within(Duration.ofMinutes(1), 2, 1e-3);
    assertThat(tiny.shape().lines()).isLessThanOrEqualTo(4); // one page
    List<TestRecord<Integer, byte[]>> changelog;
    try (Pipeline pipeline = Pipeline.of(tiny).at(10)) {
      pipeline.send("a", T);
      pipeline.sendToo("b", T);
      changelog = pipeline.changelog();
    }
    try (Pipeline pipeline = Pipeline.restored(tiny, changelog).at(10)) {
      assertThat(pipeline.send("a", T)).hasSize(1);
      assertThat(pipeline.sendToo("b", T)).hasSize(1);
      assertThat(pipeline.sendToo("a", T)).isEmpty(); // offset 1 was not processed before
    }
  }

  /** A page of long ago is empty, however often its stamps have recurred since. */
  @Test
  void pagesOfLongAgoAreForgotten() {
    Deduplication jumping = MINUTE.withMaxJump(Duration.ofHours(100));
    List<TestRecord<Integer, byte[]>> changelog;
    try (Pipeline pipeline = Pipeline.of(jumping)) {
      for (int hour = 0; hour < 100; hour++) {
        pipeline.send("a" + hour, T + hour * 3_600_000L);
      }
      changelog = pipeline.changelog();
    }
    try (Pipeline pipeline = Pipeline.restored(jumping, changelog).at(100)) {
      Set<String> forwarded = new HashSet<>();
      for (int hour = 0; hour < 100; hour++) {
        forwarded.addAll(pipeline.send("a" + hour, T + 99 * 3_600_000L + 1));
      }
      assertThat(forwarded).hasSize(99).doesNotContain("a99");
    }
  }

  @Test
  void aStoreOfOtherSettingsIsRefused() {
    List<TestRecord<Integer, byte[]>> changelog;
    try (Pipeline pipeline = Pipeline.of(MINUTE)) {
      pipeline.send("a", T);
      changelog = pipeline.changelog();
    }
    refused(MINUTE.withHasher(Hasher.xxh3(1)), changelog, "it was made with other settings");
    refused(MINUTE.withGrace(Duration.ZERO), changelog, "window=80000");
    refused(MINUTE, changelog.subList(2, 3), "it has no record of its settings");
    refused(MINUTE, List.of(changelog.get(0), page(3, new byte[1])), "page 3 is damaged");
    refused(MINUTE, List.of(changelog.get(0), page(3, new byte[9])), "page 3");
    refused(
        MINUTE, List.of(changelog.get(0), page(99_999, changelog.get(2).value())), "page 99999");
    refused(
        MINUTE, List.of(changelog.get(0), changelog.get(2)), "it has no schedule of its layers");
  }

  private static TestRecord<Integer, byte[]> page(int page, byte[] value) {
    return new TestRecord<>(page, value);
  }

  private static void refused(
      Deduplication once, List<TestRecord<Integer, byte[]>> changelog, String message) {
    assertThatThrownBy(() -> Pipeline.restored(once, changelog).close())
        .hasStackTraceContaining("ProcessorStateException: store once: ")
        .hasStackTraceContaining(message);
  }
}
