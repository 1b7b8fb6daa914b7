package io.bloomery.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Seeds;
import io.bloomery.window.RecentShape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

final class DeduplicationTest {

  private static final long T = 1_700_000_000_000L;
  private static final Deduplication MINUTE =
      Deduplication.within(Duration.ofMinutes(1), 1_000, 1e-6);

  @Test
  void theFirstRecordOfAnIdIsForwarded() {
    try (Pipeline pipeline = Pipeline.of(MINUTE)) {
      assertThat(pipeline.send("a:1", T)).containsExactly("a:1");
      assertThat(pipeline.send("b:1", T)).containsExactly("b:1");
      assertThat(pipeline.send("a:2", T)).isEmpty();
      assertThat(pipeline.send("a:3", T + 59_999)).isEmpty();
      assertThat(pipeline.send("b:2", T + 80_001)).containsExactly("b:2"); // 4/3 of the window
      assertThat(pipeline.send("a:4", T + 80_001)).containsExactly("a:4");
    }
  }

  /** A record that is dropped does not prolong the window: every second is sent, for an hour. */
  @Test
  void anIdThatGoesOnAndOnIsForwardedOncePerWindow() {
    try (Pipeline pipeline = Pipeline.of(MINUTE)) {
      int forwarded = 0;
      for (int second = 0; second < 3_600; second++) {
        forwarded += pipeline.send("a", T + 1_000L * second).size();
      }
      assertThat(forwarded).isBetween(3_600 / 80, 60);
    }
  }

  /**
   * Against an exact model: records up to 30 s late, some later. No two forwarded ones have the
   * same id and timestamps less than a window apart, and what was dropped was late or had a reason.
   */
  @Test
  void whatIsForwardedAndWhatIsDropped() {
    Deduplication once = MINUTE.withGrace(Duration.ofSeconds(30)).droppingLate();
    SplittableRandom random = Seeds.random(18);
    Map<String, List<Long>> forwarded = new HashMap<>();
    Map<String, Long> forwardedAt = new HashMap<>();
    long clock = T;
    long streamTime = 0;
    int late = 0;
    int duplicates = 0;
    try (Pipeline pipeline = Pipeline.of(once)) {
      for (int i = 0; i < 20_000; i++) {
        clock += random.nextInt(100);
        String id = "id " + random.nextInt(400);
        long behind = random.nextInt(9) == 0 ? 60_000 : 30_000;
        long timestamp = clock - (random.nextInt(3) > 0 ? 0 : random.nextLong(behind));
        streamTime = Math.max(streamTime, timestamp);
        long lateness = streamTime - timestamp;
        if (!pipeline.send(id, timestamp).isEmpty()) {
          assertThat(lateness).isLessThanOrEqualTo(30_000);
          for (long other : forwarded.computeIfAbsent(id, absent -> new ArrayList<>())) {
            assertThat(Math.abs(timestamp - other)).isGreaterThanOrEqualTo(60_000);
          }
          forwarded.get(id).add(timestamp);
          forwardedAt.put(id, streamTime);
        } else if (lateness > 30_000) {
          late++;
        } else {
          duplicates++;
          assertThat(streamTime - forwardedAt.get(id)).isLessThanOrEqualTo(120_000);
        }
      }
      assertThat(late).isGreaterThan(100);
      assertThat(duplicates).isGreaterThan(1_000);
      assertThat(pipeline.metric("late-dropped-total")).isEqualTo(late);
      assertThat(pipeline.metric("duplicate-dropped-total")).isEqualTo(duplicates);
    }
  }

  @Test
  void lateRecordsAreTreatedAsAnyUnlessTheyAreToBeDropped() {
    try (Pipeline pipeline = Pipeline.of(MINUTE)) {
      assertThat(pipeline.send("a", T)).hasSize(1);
      assertThat(pipeline.send("b", T - 1_000_000)).hasSize(1);
      assertThat(pipeline.send("b", T + 59_999)).isEmpty(); // it came when stream time was T
      assertThat(pipeline.send("a", T - 1_000_000)).isEmpty();
    }
    try (Pipeline pipeline = Pipeline.of(MINUTE.droppingLate())) {
      assertThat(pipeline.send("a", T)).hasSize(1);
      assertThat(pipeline.send("b", T - 1)).isEmpty();
      assertThat(pipeline.send("b", T)).hasSize(1);
    }
  }

  @Test
  void recordsWithoutAnIdAreForwarded() {
    try (Pipeline pipeline = Pipeline.of(MINUTE)) {
      assertThat(pipeline.send("?", T)).containsExactly("?");
      assertThat(pipeline.send("?", T)).containsExactly("?");
      assertThat(pipeline.send("key", null, T)).hasSize(1).containsOnlyNulls();
      assertThat(pipeline.send("key", null, T)).hasSize(1).containsOnlyNulls();
      assertThat(pipeline.metric("without-id-total")).isEqualTo(4);
      assertThat(pipeline.changelog()).isEmpty();
    }
  }

  @Test
  void aProcessorOfTheLowLevelApi() {
    try (Pipeline pipeline = Pipeline.byKey(MINUTE)) {
      assertThat(pipeline.send("k", "1", T)).containsExactly("1");
      assertThat(pipeline.send("k", "2", T)).isEmpty();
      assertThat(pipeline.send("l", "3", T)).containsExactly("3");
      assertThat(pipeline.send(null, "4", T)).containsExactly("4");
      assertThat(pipeline.send(null, "5", T)).containsExactly("5");
      assertThat(pipeline.send("k", null, T)).hasSize(1).containsOnlyNulls();
    }
  }

  /**
   * 30 windows of 1,000 new ids at 5 %. Whether an id is mistaken for a duplicate is decided with
   * the probability that the filter has then; the number of those is within 5 standard deviations
   * of the sum of these probabilities. Their mean lies between the shape's rates with all layers
   * full and with the newest one empty, and the first is at most the promised one.
   */
  @Test
  void theRateIsThePromisedOne() {
    Deduplication once = Deduplication.within(Duration.ofMinutes(1), 1_000, 0.05);
    SplittableRandom random = Seeds.random(19);
    double expected = 0;
    double variance = 0;
    int dropped = 0;
    int sample = 0;
    try (Pipeline pipeline = Pipeline.of(once)) {
      for (int i = 0; i < 30_000; i++) {
        double rate = i % 10 == 0 ? pipeline.metric("false-positive-rate") : -1;
        boolean first = !pipeline.send(Long.toHexString(random.nextLong()), T + 60L * i).isEmpty();
        if (rate >= 0 && i >= 2_000) {
          sample++;
          expected += rate;
          variance += rate * (1 - rate);
          dropped += first ? 0 : 1;
        }
      }
    }
    assertThat(sample).isEqualTo(2_800);
    assertThat(Math.abs(dropped - expected)).isLessThanOrEqualTo(5 * Math.sqrt(variance));
    RecentShape shape = once.shape();
    long ids = shape.window() / 60;
    double full = shape.falsePositiveRate(ids);
    assertThat(full).isLessThanOrEqualTo(0.05);
    // What is mistaken for a duplicate is not added.
    double added = shape.falsePositiveRate((long) (ids * (1 - full)));
    double newestEmpty = -Math.expm1(Math.log1p(-added) * (shape.layers() - 1) / shape.layers());
    assertThat(expected / sample).isBetween(newestEmpty, full);
  }

  @Test
  void aGracePeriodIsPaidForWithMemory() {
    Deduplication once = Deduplication.within(Duration.ofHours(1), 1_000_000, 0.01);
    assertThat(once.shape())
        .isEqualTo(RecentShape.forKeys(1_000_000, 0.01, 4).withWindow(Duration.ofHours(1)));
    assertThat(once.withGrace(Duration.ofMinutes(15)).shape())
        .isEqualTo(RecentShape.forKeys(1_250_000, 0.01, 4).withWindow(Duration.ofMinutes(75)));
  }

  /**
   * Each commit writes one page of 298 bytes, the first also the settings and the schedule of the
   * layers; the filter has 2.8 MB.
   */
  @Test
  void aCommitWritesThePagesThatHaveChanged() {
    Deduplication once = Deduplication.within(Duration.ofHours(1), 1_000_000, 0.01);
    assertThat(once.shape().sizeInBits()).isBetween(22_000_000L, 22_200_000L);
    try (Pipeline pipeline = Pipeline.of(once)) {
      pipeline.send("a", T);
      assertThat(pipeline.changelog())
          .extracting(page -> page.key() < 0)
          .containsExactly(true, true, false);
      for (int i = 0; i < 50; i++) {
        pipeline.send("b" + i, T);
        assertThat(pipeline.changelog())
            .singleElement()
            .satisfies(page -> assertThat(page.value()).hasSize(16 + 2 + 16 + 8 + 256));
        pipeline.send("b" + i, T);
        assertThat(pipeline.changelog()).isEmpty();
      }
    }
  }

  @Test
  void otherHashersAndStores() {
    Deduplication keyed = MINUTE.withHasher(Hasher.keyed(new byte[16]));
    try (Pipeline pipeline =
        Pipeline.of(keyed.withStores(name -> Stores.lruMap(name, 1_000_000)))) {
      assertThat(pipeline.send("a:1", T)).containsExactly("a:1");
      assertThat(pipeline.send("a:2", T)).isEmpty();
    }
    assertThat(
            MINUTE
                .withChangelogConfig(Map.of("segment.bytes", "1000000"))
                .processor("s", (Object key, Object value) -> "", Funnel.text())
                .stores())
        .singleElement()
        .satisfies(
            store -> assertThat(store.logConfig()).containsEntry("segment.bytes", "1000000"));
  }

  @Test
  void impossibleSettingsAreRefused() {
    assertThatThrownBy(() -> Deduplication.within(Duration.ZERO, 1, 0.1))
        .hasMessageContaining("window = PT0S");
    assertThatThrownBy(() -> Deduplication.within(Duration.ofMillis(1), 0, 0.1))
        .hasMessageContaining("expectedIds = 0");
    assertThatThrownBy(() -> Deduplication.within(Duration.ofMillis(1), 1, 1))
        .hasMessageContaining("falsePositiveRate");
    assertThatThrownBy(() -> MINUTE.withGrace(Duration.ofMillis(-1)))
        .hasMessageContaining("period = PT-0.001S");
    assertThatThrownBy(() -> MINUTE.processor("s", null, Funnel.text()))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("id");
  }
}
