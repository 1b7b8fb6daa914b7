package io.bloomery.window;

import io.bloomery.SizedBuilder;
import io.bloomery.internal.check.Arguments;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;

/**
 * What the builders of filters with a window add to those of all filters: how long the window is.
 *
 * <p>A key is <em>inside the window</em> as long as its age is below the window's length. In a
 * window of W adds the age of a key is the number of adds after its latest own, so the last W adds
 * are inside. In a window of time it is the number of milliseconds since its latest add. Keys
 * inside the window are always found.
 *
 * @param <B> the builder's own type
 */
public abstract sealed class WindowBuilder<B extends WindowBuilder<B>> extends SizedBuilder<B>
    permits DecayingBloomFilter.Builder, RecentFilter.Builder {

  /** The longest window in ticks. */
  static final long MAX_WINDOW = 1L << 42;

  /** Adds or milliseconds, 0 if not given. */
  long window;

  /** Whether the window is one of time. */
  boolean timed;

  /** What tells the time. */
  InstantSource clock = InstantSource.system();

  WindowBuilder() {}

  /**
   * A window of the last adds. Without {@link #expectedKeys} all of them may be different keys.
   *
   * @param adds how many adds are remembered, 1…2^42
   * @return this builder
   */
  public final B window(long adds) {
    this.window = Arguments.inRange("window", adds, 1, MAX_WINDOW);
    this.timed = false;
    return self();
  }

  /**
   * A window of time. {@link #expectedKeys} says how many different keys come within one.
   *
   * @param window how long keys are remembered, a millisecond to 2^42; a part of one counts whole
   * @return this builder
   */
  public final B window(Duration window) {
    Objects.requireNonNull(window, "window");
    if (window.isNegative() || window.isZero() || window.toSeconds() > MAX_WINDOW / 1000) {
      throw new IllegalArgumentException(
          "window = " + window + " is outside the allowed range 1 … " + MAX_WINDOW + " ms");
    }
    this.window = Math.min(MAX_WINDOW, window.plusNanos(999_999).toMillis());
    this.timed = true;
    return self();
  }

  /**
   * What tells the time of a window of time. A clock that goes back is taken to stand still.
   *
   * @param clock {@link InstantSource#system()} if never called
   * @return this builder
   */
  public final B clock(InstantSource clock) {
    this.clock = Objects.requireNonNull(clock, "clock");
    return self();
  }

  /** Fails without a window. */
  void requireWindow() {
    if (window == 0) {
      throw new IllegalArgumentException("a window is needed, of adds or of time");
    }
  }

  /** The keys of one window. */
  long keysPerWindow() {
    if (expectedKeys == 0 && timed) {
      throw new IllegalArgumentException("a window of time needs expectedKeys");
    }
    return expectedKeys == 0 ? window : expectedKeys;
  }

  /** The time from now on. */
  Ticks ticks() {
    return new Ticks(timed ? clock : null, 0);
  }
}
