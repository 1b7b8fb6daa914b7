package io.bloomery.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

/** Wrong timestamps, and more ids than expected: no new record is dropped because of them. */
final class OverloadTest {

  private static final long T = 1_700_000_000_000L;
  private static final long MINUTE = 60_000;
  private static final Deduplication HOUR = Deduplication.within(Duration.ofHours(1), 1_000, 0.01);

  /** Sends {@code count} new ids, evenly spread over a time; returns how many were forwarded. */
  private static int sendNew(Pipeline pipeline, String prefix, int count, long from, long time) {
    int forwarded = 0;
    for (int i = 0; i < count; i++) {
      forwarded += pipeline.send(prefix + i, from + time * i / count).size();
    }
    return forwarded;
  }

  /** At least 1 - 2 p of n records, minus 5 standard deviations. */
  private static int nearlyAll(int n) {
    return (int) (n * 0.98 - 5 * Math.sqrt(n * 0.02 * 0.98));
  }

  /** Stream time stands for 59 minutes, in which ten windows of ids arrive. */
  @Test
  void aRecordFromTheNearFutureDoesNotStopTheOthers() {
    try (Pipeline pipeline = Pipeline.of(HOUR)) {
      pipeline.send("first", T);
      pipeline.send("early", T + 59 * MINUTE);
      assertThat(sendNew(pipeline, "id ", 10_000, T, 59 * MINUTE)).isGreaterThan(nearlyAll(10_000));
      assertThat(pipeline.metric("forgotten-early-total")).isGreaterThan(10);
      assertThat(pipeline.metric("false-positive-rate")).isLessThan(0.02);
    }
  }

  /** As many ids as expected in one instant are remembered for the whole window. */
  @Test
  void aBurstIsRemembered() {
    try (Pipeline pipeline = Pipeline.of(HOUR)) {
      int forwarded = sendNew(pipeline, "id ", 1_000, T, 0);
      assertThat(forwarded).isGreaterThan(nearlyAll(1_000));
      assertThat(sendNew(pipeline, "id ", 1_000, T + 30 * MINUTE, 30 * MINUTE - 1)).isZero();
      assertThat(pipeline.metric("forgotten-early-total")).isZero();
      assertThat(sendNew(pipeline, "id ", 1_000, T + 120 * MINUTE, 0))
          .isGreaterThan(nearlyAll(1_000));
    }
  }

  /** A burst is divided among layers, so that it does not raise the rate above the promised one. */
  @Test
  void aBurstIsSpreadOverLayers() {
    try (Pipeline pipeline = Pipeline.of(Deduplication.within(Duration.ofHours(1), 5_000, 0.01))) {
      sendNew(pipeline, "id ", 5_000, T, 0);
      assertThat(pipeline.metric("false-positive-rate")).isBetween(0.001, 0.01);
      assertThat(pipeline.metric("forgotten-early-total")).isZero();
    }
  }

  /** Ten times as many ids as expected, of which each second record is a repetition at once. */
  @Test
  void withTooManyIdsTheOldestAreForgotten() {
    try (Pipeline pipeline = Pipeline.of(HOUR)) {
      int forwarded = 0;
      int repeated = 0;
      for (int i = 0; i < 20_000; i++) {
        long timestamp = T + i * 360L;
        forwarded += pipeline.send("id " + i, timestamp).size();
        repeated += pipeline.send("id " + i, timestamp).size();
      }
      assertThat(forwarded).isGreaterThan(nearlyAll(20_000));
      assertThat(repeated).isZero();
      assertThat(pipeline.metric("forgotten-early-total")).isBetween(40.0, 61.0);
    }
  }

  /** Failing closed: no id is forgotten, however many there are, and new ones are dropped. */
  @Test
  void byChoiceNewRecordsAreDroppedRatherThanDuplicatesForwarded() {
    try (Pipeline pipeline = Pipeline.of(HOUR.failClosed())) {
      int forwarded = sendNew(pipeline, "id ", 10_000, T, 59 * MINUTE);
      assertThat(forwarded).isLessThan(9_000);
      assertThat(sendNew(pipeline, "id ", 10_000, T + 59 * MINUTE, 0)).isZero();
      assertThat(pipeline.metric("forgotten-early-total")).isZero();
      assertThat(pipeline.send("far", T + 10_000 * MINUTE)).isEmpty();
      assertThat(pipeline.metric("ahead-dropped-total")).isEqualTo(1);
    }
  }

  @Test
  void aRecordFromTheFarFutureIsForwardedAndNotRemembered() {
    try (Pipeline pipeline = Pipeline.of(HOUR.droppingLate())) {
      assertThat(pipeline.send("a", T)).hasSize(1);
      assertThat(pipeline.send("far", T + 60 * MINUTE + 1)).hasSize(1);
      assertThat(pipeline.send("far", T * 1_000)).hasSize(1); // microseconds
      assertThat(pipeline.send("far", Long.MAX_VALUE)).hasSize(1);
      assertThat(pipeline.metric("ahead-forwarded-total")).isEqualTo(3);
      assertThat(pipeline.send("a", T)).isEmpty();
      assertThat(pipeline.send("far", T)).hasSize(1);
      assertThat(pipeline.send("a", T + 60 * MINUTE - 1)).isEmpty();
      assertThat(pipeline.metric("late-dropped-total")).isZero();
    }
  }

  /** All records of a producer have microseconds: none of them moves the time. */
  @Test
  void aWrongUnitIsNeverBelieved() {
    List<TestRecord<Integer, byte[]>> changelog;
    try (Pipeline pipeline = Pipeline.of(HOUR)) {
      assertThat(sendNew(pipeline, "micro ", 1_000, T * 1_000, MINUTE)).isEqualTo(1_000);
      assertThat(pipeline.send("a", T)).hasSize(1);
      assertThat(sendNew(pipeline, "micro ", 1_000, T * 1_000, MINUTE)).isEqualTo(1_000);
      assertThat(pipeline.send("a", T + 1)).isEmpty();
      changelog = pipeline.changelog();
    }
    try (Pipeline pipeline = Pipeline.restored(HOUR, changelog).at(2_002)) {
      assertThat(pipeline.send("a", T + 2)).isEmpty();
      assertThat(pipeline.send("b", T + 2)).hasSize(1);
    }
  }

  /** In records that are read again there may be gaps: the 16th record after one is believed. */
  @Test
  void aGapIsBelievedAfterSomeRecords() {
    long later = T + 1_000 * MINUTE;
    try (Pipeline pipeline = Pipeline.of(HOUR)) {
      pipeline.send("a", T);
      for (int i = 1; i < Ahead.RUN; i++) {
        assertThat(pipeline.send("b", later)).hasSize(1);
      }
      assertThat(pipeline.send("b", later)).hasSize(1); // from here on it is remembered
      assertThat(pipeline.send("b", later)).isEmpty();
      assertThat(pipeline.send("a", later)).hasSize(1);
      assertThat(pipeline.metric("ahead-forwarded-total")).isEqualTo(Ahead.RUN - 1);
    }
  }

  /** One record in two is wrong: the right ones are deduplicated as ever. */
  @Test
  void aJumpIsNotBelievedWhileOthersContradict() {
    try (Pipeline pipeline = Pipeline.of(HOUR)) {
      for (int i = 0; i < 100; i++) {
        assertThat(pipeline.send("right " + i, T + i)).hasSize(1);
        assertThat(pipeline.send("wrong", T + 1_000 * MINUTE)).hasSize(1);
        assertThat(pipeline.send("right " + i, T + i)).isEmpty();
      }
    }
  }

  /** A topic may be silent for a night: then as much time has passed on the wall clock. */
  @Test
  void timeThatHasPassedIsNoJump() {
    try (Pipeline pipeline = Pipeline.of(HOUR)) {
      pipeline.send("a", T);
      pipeline.pass(Duration.ofHours(8));
      assertThat(pipeline.send("b", T + 9 * 60 * MINUTE)).hasSize(1);
      assertThat(pipeline.send("b", T + 9 * 60 * MINUTE)).isEmpty();
      pipeline.pass(Duration.ofHours(8));
      assertThat(pipeline.send("c", T + 18 * 60 * MINUTE + 1)).hasSize(1);
      assertThat(pipeline.send("c", T + 18 * 60 * MINUTE + 1)).hasSize(1);
    }
  }

  @Test
  void anotherGreatestJump() {
    try (Pipeline pipeline = Pipeline.of(HOUR.withMaxJump(Duration.ofMillis(10)))) {
      pipeline.send("a", T);
      assertThat(pipeline.send("b", T + 11)).hasSize(1);
      assertThat(pipeline.send("b", T + 10)).hasSize(1);
      assertThat(pipeline.send("b", T + 20)).isEmpty();
    }
    try (Pipeline pipeline = Pipeline.of(HOUR.withMaxJump(Duration.ofSeconds(Long.MAX_VALUE)))) {
      pipeline.send("a", T);
      assertThat(pipeline.send("b", T * 1_000)).hasSize(1);
      assertThat(pipeline.send("b", T * 1_000)).isEmpty();
      assertThat(pipeline.send("c", Long.MAX_VALUE)).hasSize(1); // never believed
      assertThat(pipeline.send("c", T * 1_000)).hasSize(1);
      assertThat(pipeline.metric("ahead-forwarded-total")).isEqualTo(1);
    }
    assertThatThrownBy(() -> HOUR.withMaxJump(Duration.ZERO)).hasMessageContaining("jump = PT0S");
  }

  /** A machine whose clock was wrong stored pages of the year 2100: another leaves them out. */
  @Test
  void stateFromTheFutureIsNotRestored() {
    long year2100 = 4_102_444_800_000L;
    Deduplication free = HOUR.withMaxJump(Duration.ofDays(365_000));
    List<TestRecord<Integer, byte[]>> changelog;
    try (Pipeline pipeline = Pipeline.of(free)) {
      pipeline.send("a", year2100);
      changelog = pipeline.changelog();
    }
    try (Pipeline pipeline = Pipeline.restored(HOUR, changelog).at(1)) {
      assertThat(pipeline.send("a", T)).hasSize(1);
      assertThat(pipeline.send("a", T)).isEmpty();
      assertThat(pipeline.send("b", T)).hasSize(1);
    }
  }

  /** Layers, their times and their ids survive restarts: as many ids as without. */
  @Test
  void restartsDoNotOverfillALayer() {
    List<TestRecord<Integer, byte[]>> changelog = new ArrayList<>();
    int forwarded = 0;
    for (int restart = 0; restart < 20; restart++) {
      try (Pipeline pipeline = Pipeline.restored(HOUR, changelog).at(restart * 200L)) {
        forwarded += sendNew(pipeline, restart + " ", 200, T, 0);
        changelog.addAll(pipeline.changelog());
        assertThat(pipeline.metric("false-positive-rate")).isLessThan(0.03);
      }
    }
    assertThat(forwarded).isGreaterThan(nearlyAll(4_000));
  }

  /**
   * Ids whose hashes somebody chose, all in a fifth of the lines: the filter is full there before
   * it has more ids than expected. Then what looks like a duplicate is forwarded.
   */
  @Test
  void idsThatCollideOpenTheFilter() {
    SplittableRandom random = Seeds.random(77);
    Hasher hasher = Hasher.xxh3();
    List<String> chosen = new ArrayList<>();
    while (chosen.size() < 4_000) {
      String id = Long.toHexString(random.nextLong());
      if (Long.compareUnsigned(hasher.hash(id), Long.divideUnsigned(-1, 5)) < 0) {
        chosen.add(id);
      }
    }
    try (Pipeline pipeline = Pipeline.of(HOUR)) {
      int forwarded = 0;
      for (String id : chosen) {
        forwarded += pipeline.send(id, T).size();
      }
      assertThat(pipeline.metric("overload-forwarded-total")).isGreaterThan(100);
      assertThat(forwarded).isGreaterThan(3_600);
      assertThat(sendNew(pipeline, "others ", 1_000, T + 60 * MINUTE, 60 * MINUTE))
          .isGreaterThan(nearlyAll(1_000));
      int repeated = sendNew(pipeline, "others ", 1_000, T + 120 * MINUTE, 0);
      assertThat(repeated).as("it has closed again").isLessThan(500);
    }
    try (Pipeline pipeline = Pipeline.of(HOUR.failClosed())) {
      int forwarded = 0;
      for (String id : chosen) {
        forwarded += pipeline.send(id, T).size();
      }
      assertThat(forwarded).isLessThan(3_600);
      assertThat(pipeline.metric("overload-forwarded-total")).isZero();
    }
  }
}
