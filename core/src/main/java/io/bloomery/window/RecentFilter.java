package io.bloomery.window;

import io.bloomery.AddableFilter;
import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;

/**
 * Was x seen within the last hour, or the last million adds? The everyday filter of a window: a key
 * inside it ({@link WindowBuilder}) is always found, at the cost of one cache line.
 *
 * <pre>{@code
 * var recent = RecentFilter.remember(Duration.ofHours(1), 1_000_000, 0.01);
 * if (recent.add(requestId)) { … } // true: certainly not seen within the last hour
 * }</pre>
 *
 * <p>A key may be found for up to a third of a window after it left it (with four generations; a
 * whole window with two, a seventh with eight). Where that matters, {@link DecayingBloomFilter}
 * keeps exact edges for four times the memory. At 1 % a key of the window costs 22.1 bits.
 *
 * <p>The promised rate is that of keys which come evenly, a third of a window's at most in a third
 * of the window. If all keys of a window come at once, they share one generation: 15 % instead of 1
 * %. Where bursts are to be expected, give three times the number of keys. A window counted in adds
 * has no bursts.
 *
 * <p>Threads: lock-free. Any number of threads may add and query; a key whose {@code add} returned
 * is found, while it is inside the window, by every later query of a thread that can see that
 * return. Only the first add after a silence of more than a window takes a lock, to clear what has
 * expired. {@link #copy} and saving hold every key added before the call began.
 *
 * <p>Generations of {@link io.bloomery.membership.BlockedBloomFilter}s in the sense of double
 * buffering (Chang, Feng and Li 2004, "Approximate Caches for Packet Classification"), interleaved
 * so that a cache line holds the bits of a key for all of them, and stamped so that the oldest is
 * dropped without clearing it; decision 010 compares them with other ways.
 */
public final class RecentFilter implements AddableFilter, Storable {

  /** How files name this kind. */
  public static final FilterKind<RecentFilter> KIND =
      new FilterKind<>(
          39,
          "recent",
          "was x seen within the window? one cache line: the fastest",
          RecentFilter.class,
          RecentFilter::encode,
          RecentFilter::decode,
          () ->
              FilterRecipe.lockFree(
                  RecentShape.class,
                  RecentShape::forKeys,
                  (keys, bits) -> RecentShape.forBudget(keys, bits, 4),
                  order ->
                      builder()
                          .window(order.keys())
                          .shape(order.shape())
                          .hasher(order.hasher())
                          .build()));

  private final Hasher hasher;
  private final RecentShape shape;
  private final long window;
  private final Ticks ticks;
  private final Words words;
  private final Generations generations;
  private final long sliceTicks;
  private final Sweep sweep;
  private volatile Generations.Live live;

  private RecentFilter(Hasher hasher, RecentShape shape, long window, Ticks ticks, Words words) {
    this.hasher = hasher;
    this.shape = shape;
    this.window = window;
    this.ticks = ticks;
    this.words = words;
    this.sliceTicks = sliceTicks(window, shape.generations());
    this.generations =
        new Generations(shape.lines(), shape.generations(), shape.bitsPerWord(), sliceTicks);
    this.live = liveAt(ticks.latest() / sliceTicks);
    this.sweep = new Sweep(words.length(), sliceTicks * shape.generations(), ticks.latest());
  }

  /** A key of the first tick of a slice and of the last is found as long as it is inside. */
  private static long sliceTicks(long window, int generations) {
    return Math.max(1, (window + generations - 3) / (generations - 1));
  }

  private Generations.Live liveAt(long slice) {
    return new Generations.Live(slice, sliceTicks, shape.generations());
  }

  /**
   * The best filter that remembers keys for a time: four generations in one cache line, or two
   * where a low rate makes them smaller.
   *
   * @param window how long keys are remembered at least, a millisecond or more
   * @param expectedPerWindow how many different keys come within one window, evenly
   * @param falsePositiveRate the highest acceptable rate, above 0, below 1
   * @return an empty filter
   */
  public static RecentFilter remember(
      Duration window, long expectedPerWindow, double falsePositiveRate) {
    return builder()
        .window(window)
        .expectedKeys(expectedPerWindow)
        .falsePositiveRate(falsePositiveRate)
        .build();
  }

  /**
   * The best filter that remembers the last adds.
   *
   * @param adds how many adds are remembered at least
   * @param falsePositiveRate the highest acceptable rate, above 0, below 1
   * @return an empty filter
   */
  public static RecentFilter remember(long adds, double falsePositiveRate) {
    return builder().window(adds).falsePositiveRate(falsePositiveRate).build();
  }

  /**
   * All options.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  private Frame encode() {
    RecentFilter still = words.isReadOnly() ? this : copy();
    return Frame.of(hasher)
        .put("lines", shape.lines())
        .put("generations", shape.generations())
        .put("bits per word", shape.bitsPerWord())
        .put("window", window)
        .put("timed", ticks.timed() ? 1 : 0)
        .put("latest", still.ticks.latest())
        .section(still.words);
  }

  private static RecentFilter decode(Frame frame) throws IOException {
    RecentShape shape;
    try {
      shape =
          new RecentShape(
              frame.number("lines", 1, Long.MAX_VALUE),
              (int) frame.number("generations", 2, 8),
              (int) frame.number("bits per word", 1, 16));
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    long window = frame.number("window", 1, WindowBuilder.MAX_WINDOW);
    boolean timed = frame.number("timed", 0, 1) == 1;
    long latest = frame.number("latest", 0, Ticks.MAX);
    Words words = frame.section(0, shape.lines() * Generations.LINE_WORDS);
    Ticks ticks = new Ticks(timed ? InstantSource.system() : null, latest);
    return new RecentFilter(frame.hasher(), shape, window, ticks, words);
  }

  @Override
  public FilterKind<RecentFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * Lines, generations and bits of a key.
   *
   * @return the shape, with its rate formula
   */
  public RecentShape shape() {
    return shape;
  }

  /**
   * The length of the window.
   *
   * @return adds, or milliseconds if {@link #isTimed()}
   */
  public long window() {
    return window;
  }

  /**
   * Whether the window is one of time, and not of adds.
   *
   * @return true if the window is in milliseconds
   */
  public boolean isTimed() {
    return ticks.timed();
  }

  /**
   * {@inheritDoc} The clock is read only if there is a key to find at the time of the latest add:
   * since then keys have only left.
   */
  @Override
  public boolean mightContainHash(long hash) {
    return contains(hash, ticks.latest()) && (!ticks.timed() || contains(hash, ticks.now()));
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hasher.hash(key));
  }

  /**
   * {@inheritDoc}
   *
   * @return {@code true}: certainly not within the window before; {@code false}: probably within it
   */
  @Override
  public boolean addHash(long hash) {
    words.writable();
    long now = ticks.now();
    boolean absent = !contains(hash, now);
    if (ticks.latest() < live(now).oldest) {
      leap(now);
    }
    long tick = ticks.next(now);
    Generations.Live at = live(tick);
    ticks.publish(at.newest);
    generations.set(hash, at, words, ticks);
    if (sweep.isDue(tick)) {
      long due = sweep.due();
      clear(sweep.from(due), sweep.claim(due, tick));
    }
    return absent;
  }

  @Override
  public boolean add(long key) {
    return addHash(hasher.hash(key));
  }

  /**
   * The answer at a tick. If an add opens a new slice meanwhile, the words of the oldest may be
   * taken over while they are read; then a no is asked again.
   */
  private boolean contains(long hash, long now) {
    Generations.Live at = live(now);
    if (ticks.latest() < at.oldest) {
      return false;
    }
    while (!generations.any(hash, at, words)) {
      VarHandle.loadLoadFence();
      long latest = ticks.latest();
      if (latest < at.end) {
        return false;
      }
      at = live(latest);
    }
    return true;
  }

  /** The slices of the window at a tick, or at a later one that some thread has seen. */
  private Generations.Live live(long tick) {
    Generations.Live present = live;
    if (tick < present.end) {
      return present;
    }
    Generations.Live next = liveAt(tick / sliceTicks);
    live = next;
    return next;
  }

  /** Clears everything after a silence in which it has expired, before an add is seen again. */
  private synchronized void leap(long tick) {
    if (ticks.latest() < live(tick).oldest) {
      words.clear();
      ticks.publish(tick);
    }
  }

  /** Empties those of {@code count} words that have expired. */
  private void clear(long from, long count) {
    long word = from;
    for (long left = count; left > 0; left--) {
      if (word >= words.length()) {
        word = 0;
      }
      generations.clearIfOld(word++, words, ticks);
    }
  }

  /** {@inheritDoc} Here: the mean over all lines of the share of masks that a slot covers. */
  @Override
  public double falsePositiveRate() {
    Generations.Live at = live(ticks.now());
    return ticks.latest() < at.oldest ? 0 : generations.coveredShare(at, words);
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  /**
   * An independent heap copy.
   *
   * @return a filter with the same keys
   */
  public RecentFilter copy() {
    Words copied = words.copy();
    VarHandle.fullFence();
    return new RecentFilter(hasher, shape, window, ticks.copy(), copied);
  }

  /**
   * A copy whose time is told by another clock, for a filter that was opened from a file.
   *
   * @param clock tells the time from now on
   * @return a filter with the same keys
   * @throws IllegalStateException if the window is not one of time
   */
  public RecentFilter copy(InstantSource clock) {
    Objects.requireNonNull(clock, "clock");
    if (!ticks.timed()) {
      throw new IllegalStateException("a window of adds has no clock");
    }
    RecentFilter copy = copy();
    return new RecentFilter(hasher, shape, window, copy.ticks.withClock(clock), copy.words);
  }

  @Override
  public String toString() {
    return "RecentFilter["
        + window
        + (ticks.timed() ? " milliseconds, " : " adds, ")
        + shape
        + ", "
        + hasher
        + "]";
  }

  /** Options of a filter: a window with a rate or a shape. */
  public static final class Builder extends WindowBuilder<Builder> {
    private int generations;
    private RecentShape shape;
    private long latest;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * How many generations share a cache line: keys may be found for one part of {@code generations
     * - 1} of the window after they left it.
     *
     * @param generations 2, 4 or 8
     * @return this
     */
    public Builder generations(int generations) {
      this.generations = generations;
      return this;
    }

    /**
     * The whole shape, instead of keys, rate and generations.
     *
     * @param shape the shape
     * @return this
     */
    public Builder shape(RecentShape shape) {
      this.shape = Objects.requireNonNull(shape, "shape");
      return this;
    }

    /** Where the count of adds begins, to test what happens after very many. */
    Builder latest(long latest) {
      this.latest = latest;
      return this;
    }

    /**
     * Makes the filter.
     *
     * @return an empty filter
     */
    public RecentFilter build() {
      requireWindow();
      if ((shape == null) == (falsePositiveRate == 0) || (shape != null && generations != 0)) {
        throw new IllegalArgumentException(
            "either a shape or a falsePositiveRate must be given, and generations with a rate");
      }
      RecentShape chosen = shape == null ? sized() : shape;
      Ticks ticks = ticks();
      ticks.publish(latest);
      Words words = Words.allocate(chosen.lines() * Generations.LINE_WORDS, true);
      return new RecentFilter(hasher, chosen, window, ticks, words);
    }

    private RecentShape sized() {
      long keys = keysPerWindow();
      return generations == 0
          ? RecentShape.forKeys(keys, falsePositiveRate)
          : RecentShape.forKeys(keys, falsePositiveRate, generations);
    }
  }
}
