package io.bloomery.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.AddableFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.testkit.Keys;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Adds that were suspended while others advanced the time: they must not restore an old time. The
 * delay is injected, so that nothing depends on luck.
 */
final class LateThreadTest {

  private static final long SLICE = 10;
  private static final long EARLY = 1;
  private static final long LATER = 2;

  /** A clock that runs something once, after it has read the time and before it tells it. */
  private static final class DelayingClock implements InstantSource {
    private final AtomicLong now;
    private Runnable meanwhile;

    private DelayingClock(long millis) {
      this.now = new AtomicLong(millis);
    }

    private void delayNext(Runnable action) {
      meanwhile = action;
    }

    @Override
    public Instant instant() {
      long millis = now.get();
      Runnable action = meanwhile;
      meanwhile = null;
      if (action != null) {
        action.run();
      }
      return Instant.ofEpochMilli(millis);
    }
  }

  /** The words of a single line, with a key of a slice. */
  private static Words written(LayeredLines lines, long slice, int layers) {
    Words words = Words.allocate(LayeredLines.LINE_WORDS, true);
    Ticks ticks = new Ticks(null, slice * SLICE);
    lines.set(LATER, new LayeredLines.Live(slice, SLICE, layers), words, ticks);
    return words;
  }

  /** A slot whose next round has begun belongs to that round, even for a late add. */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8})
  void anAddThatIsARoundLateWritesNothing(int layers) {
    LayeredLines lines = new LayeredLines(1, layers, 8, SLICE);
    long slice = 5;
    LayeredLines.Live early = new LayeredLines.Live(slice, SLICE, layers);
    Words words = written(lines, slice + layers, layers);
    Words before = words.copy();
    lines.set(EARLY, early, words, new Ticks(null, (slice + layers) * SLICE));
    assertThat(words.sameBits(before)).isTrue();
  }

  /**
   * One tick less, and its slice is still part of the window: the word of the round before goes.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8})
  void anAddThatIsLessThanARoundLateIsKept(int layers) {
    LayeredLines lines = new LayeredLines(1, layers, 8, SLICE);
    long slice = 5L + layers;
    LayeredLines.Live early = new LayeredLines.Live(slice, SLICE, layers);
    Words words = written(lines, slice - layers, layers);
    lines.set(EARLY, early, words, new Ticks(null, (slice + layers) * SLICE - 1));
    LayeredLines.Live last = new LayeredLines.Live(slice + layers - 1, SLICE, layers);
    assertThat(lines.any(EARLY, last, words)).isTrue();
    assertThat(lines.any(LATER, early, words)).isFalse();
  }

  /** Words that are 1…3 rounds behind are cleared; the others are ahead of a late thread. */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8})
  void onlyOldRoundsAreCleared(int layers) {
    LayeredLines lines = new LayeredLines(1, layers, 8, SLICE);
    long slice = 100;
    for (int behind = -3; behind <= 3; behind++) {
      Words words = written(lines, slice - (long) behind * layers, layers);
      long used = words.bitCount();
      Ticks ticks = new Ticks(null, slice * SLICE);
      for (int at = 0; at < LayeredLines.LINE_WORDS; at++) {
        lines.clearIfOld(at, words, ticks);
      }
      assertThat(words.bitCount()).as("%d rounds behind", behind).isEqualTo(behind > 0 ? 0 : used);
    }
  }

  private static DecayingBloomFilter decaying(InstantSource clock) {
    return DecayingBloomFilter.create(
        new DecayingShape(1_000, 4, 100, 1, true), Hasher.xxh3(), clock);
  }

  /**
   * A key added with a time that has expired in the meantime is not in the window, and never will
   * be. Times are stored modulo 255: after that many milliseconds an old one looks fresh.
   */
  @ParameterizedTest
  @ValueSource(ints = {100, 200, 255, 256, 300, 354, 510, 600})
  void anAddThatHasExpiredStampsNothing(int late) {
    DelayingClock clock = new DelayingClock(1_000);
    DecayingBloomFilter filter = decaying(clock);
    clock.delayNext(
        () -> {
          clock.now.set(1_000 + late);
          filter.addHash(LATER);
        });
    assertThat(filter.addHash(EARLY)).isTrue();
    assertThat(filter.mightContainHash(LATER)).isTrue();
    assertThat(filter.fillRatio()).isEqualTo(0.004);
    for (int millis = 0; millis < 600; millis++) {
      assertThat(filter.mightContainHash(EARLY)).isFalse();
      clock.now.incrementAndGet();
      filter.addHash(LATER);
    }
  }

  /** One millisecond less, and the key is found for the rest of its time. */
  @Test
  void anAddThatIsStillInTheWindowIsKept() {
    DelayingClock clock = new DelayingClock(1_000);
    DecayingBloomFilter filter = decaying(clock);
    clock.delayNext(
        () -> {
          clock.now.set(1_099);
          filter.addHash(LATER);
        });
    filter.addHash(EARLY);
    assertThat(filter.mightContainHash(EARLY)).isTrue();
    clock.now.incrementAndGet();
    assertThat(filter.mightContainHash(EARLY)).isFalse();
  }

  /** A key that was added again in the meantime keeps the later time. */
  @Test
  void anEarlierTimeDoesNotReplaceALaterOne() {
    DelayingClock clock = new DelayingClock(1_000);
    DecayingBloomFilter filter = decaying(clock);
    clock.delayNext(
        () -> {
          clock.now.set(1_050);
          filter.addHash(EARLY);
        });
    filter.addHash(EARLY);
    clock.now.set(1_149);
    assertThat(filter.mightContainHash(EARLY)).isTrue();
    clock.now.set(1_150);
    assertThat(filter.mightContainHash(EARLY)).isFalse();
  }

  /** After a long pause two threads want to clear everything: the second must not. */
  @Test
  void theSecondThreadAfterAPauseClearsNothing() throws InterruptedException {
    AtomicLong now = new AtomicLong(1_000);
    DecayingBloomFilter decaying = decaying(ManualClock.of(now));
    RecentFilter recent =
        RecentFilter.create(
            new RecentShape(10, 4, 8, 100, true), Hasher.xxh3(), ManualClock.of(now));
    for (AddableFilter filter : new AddableFilter[] {decaying, recent}) {
      filter.addHash(Keys.hash(0));
      now.addAndGet(1_000_000_000);
      Thread late = new Thread(() -> filter.addHash(EARLY));
      synchronized (filter) {
        late.start();
        while (late.getState() != Thread.State.BLOCKED) {
          Thread.onSpinWait();
        }
        filter.addHash(LATER);
      }
      late.join();
      assertThat(filter.mightContainHash(LATER)).isTrue();
      assertThat(filter.mightContainHash(EARLY)).isTrue();
      assertThat(filter.mightContainHash(Keys.hash(0))).isFalse();
    }
  }
}
