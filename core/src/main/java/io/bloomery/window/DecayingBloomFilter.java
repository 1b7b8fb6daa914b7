package io.bloomery.window;

import io.bloomery.AddableFilter;
import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.Modulus;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;

/**
 * Was x added within the last W adds, or the last hour? Cells hold the time of their latest key and
 * count as zero once it has left the window. A key inside the window ({@link WindowBuilder}) is
 * always found, and with {@code granularity(1)} one that has left it only by a false positive.
 *
 * <p>The price is a cell of 8 bits or more where others take one: {@link RecentFilter} answers the
 * same question in a third of the memory and one cache line, if keys may linger for a while after
 * they left the window.
 *
 * <p>Threads: lock-free. Any number of threads may add and query; a key whose {@code add} returned
 * is found, while it is inside the window, by every later query of a thread that can see that
 * return. Only the first add after a silence of an eighth of a window or more takes a lock, to look
 * through all cells. {@link #copy} and saving hold every key added before the call began.
 *
 * <p>Shen and Zhang 2008, "Improved approximate detection of duplicates for data streams over
 * sliding windows": the decaying Bloom filter, and with a granularity T above 1 its blocked form,
 * in which one of T blocks of cells ages at each tick. Deviations: ages are computed from the time
 * that a cell holds, modulo a power of two less one, instead of counted down, and each add clears
 * the few cells whose turn it is, long before their time could be mistaken for a later one; and the
 * window does not count the key that is being asked for, so that the paper's W is ours plus one.
 */
public final class DecayingBloomFilter implements AddableFilter, Storable {

  /** How files name this kind. */
  public static final FilterKind<DecayingBloomFilter> KIND =
      new FilterKind<>(
          34,
          "decaying",
          "was x seen within the window? exact edges, a small clock in each cell",
          DecayingBloomFilter.class,
          DecayingBloomFilter::encode,
          DecayingBloomFilter::decode,
          () ->
              FilterRecipe.lockFree(
                  DecayingShape.class,
                  DecayingBloomFilter::shapeFor,
                  FilterRecipe.byRate(DecayingBloomFilter::shapeFor),
                  DecayingBloomFilter::made));

  private final Hasher hasher;
  private final DecayingShape shape;
  private final Ticks ticks;
  private final Counters cells;
  private final Words words;
  private final Modulus modulus;
  private final int perWord;
  private final long granularity;
  private final long lives;
  private final long spread;
  private final long epochs;
  private final long longestLeap;
  private final Sweep sweep;

  private DecayingBloomFilter(Hasher hasher, DecayingShape shape, Ticks ticks, Counters cells) {
    this.hasher = hasher;
    this.shape = shape;
    this.ticks = ticks;
    this.cells = cells;
    this.words = cells.words();
    this.modulus = new Modulus(shape.cells());
    this.perWord = Long.SIZE / cells.width();
    this.granularity = shape.granularity();
    this.lives = shape.lives();
    this.spread = Long.divideUnsigned(-1L, shape.cells());
    this.epochs = cells.max();
    // A dead cell is cleared within half of the epochs that are left, or half as many more after a
    // pause. The rest is slack for a thread that rests while it clears.
    long lap = (epochs - lives) / 2;
    this.longestLeap = lap / 2 * granularity;
    this.sweep = new Sweep(words.length(), lap * granularity, ticks.latest());
  }

  /**
   * The smallest filter that finds the last adds, with cells of about 8 bits.
   *
   * @param window how many adds are remembered
   * @param falsePositiveRate the highest acceptable rate, above 0, below 1
   * @return an empty filter
   */
  public static DecayingBloomFilter create(long window, double falsePositiveRate) {
    return builder().window(window).falsePositiveRate(falsePositiveRate).build();
  }

  /**
   * The smallest filter that finds the keys of the last hour, day or other time.
   *
   * @param window how long keys are remembered
   * @param expectedKeys how many different keys come within one window
   * @param falsePositiveRate the highest acceptable rate, above 0, below 1
   * @return an empty filter
   */
  public static DecayingBloomFilter create(
      Duration window, long expectedKeys, double falsePositiveRate) {
    return builder()
        .window(window)
        .expectedKeys(expectedKeys)
        .falsePositiveRate(falsePositiveRate)
        .build();
  }

  /**
   * All options.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  private static DecayingShape shapeFor(long keys, double rate) {
    return DecayingShape.forKeys(keys, rate, keys, DecayingShape.defaultGranularity(keys));
  }

  private static DecayingBloomFilter made(FilterRecipe.Order<DecayingShape> order) {
    DecayingShape shape = order.shape();
    return builder()
        .window(shape.window())
        .granularity(shape.granularity())
        .cells(shape.cells(), shape.probes())
        .hasher(order.hasher())
        .build();
  }

  private Frame encode() {
    DecayingBloomFilter still = words.isReadOnly() ? this : copy();
    return Frame.of(hasher)
        .put("cells", shape.cells())
        .put("probes", shape.probes())
        .put("window", shape.window())
        .put("granularity", shape.granularity())
        .put("timed", ticks.timed() ? 1 : 0)
        .put("latest", still.ticks.latest())
        .section(still.words);
  }

  private static DecayingBloomFilter decode(Frame frame) throws IOException {
    DecayingShape shape;
    try {
      shape =
          new DecayingShape(
              frame.number("cells", 2, Long.MAX_VALUE),
              (int) frame.number("probes", 1, 255),
              frame.number("window", 1, DecayingShape.MAX_WINDOW),
              frame.number("granularity", 1, DecayingShape.MAX_WINDOW));
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    boolean timed = frame.number("timed", 0, 1) == 1;
    long latest = frame.number("latest", 0, Ticks.MAX);
    Counters cells = CellSections.read(frame, shape.cells(), shape.cellBits());
    Ticks ticks = new Ticks(timed ? InstantSource.system() : null, latest);
    return new DecayingBloomFilter(frame.hasher(), shape, ticks, cells);
  }

  @Override
  public FilterKind<DecayingBloomFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The fixed parameters.
   *
   * @return the shape, with its rate formula
   */
  public DecayingShape shape() {
    return shape;
  }

  /**
   * Whether the window is one of time, and not of adds.
   *
   * @return true if ticks are milliseconds
   */
  public boolean isTimed() {
    return ticks.timed();
  }

  @Override
  public boolean mightContainHash(long hash) {
    return allAlive(hash, ticks.now());
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
    boolean absent = !allAlive(hash, now);
    if (now - ticks.latest() > longestLeap) {
      leap(now);
    }
    long tick = ticks.next(now);
    for (int i = 0; i < shape.probes(); i++) {
      stamp(Draws.index(hash, i, modulus), tick);
    }
    if (sweep.isDue(tick)) {
      long due = sweep.due();
      clear(sweep.from(due), sweep.claim(due, tick), tick);
    }
    return absent;
  }

  /**
   * Whether all cells were alive at tick {@code now}, or were set since. The latest tick is read
   * after each cell, so that no cell is ahead of it.
   */
  private boolean allAlive(long hash, long now) {
    for (int i = 0; i < shape.probes(); i++) {
      long cell = Draws.index(hash, i, modulus);
      long stored = cells.get(cell);
      VarHandle.loadLoadFence();
      if (stored == 0 || !isAlive(cell, stored, now, ticks.latest())) {
        return false;
      }
    }
    return true;
  }

  /** Whether a cell that held {@code stored} no later than at {@code latest} is alive at a tick. */
  private boolean isAlive(long cell, long stored, long tick, long latest) {
    long phase = phase(cell);
    long last = epoch(latest, phase);
    return age(last, stored) + epoch(tick, phase) - last < lives;
  }

  /** How often a cell has aged since it was set, seen from an epoch that is not before that. */
  private long age(long epoch, long stored) {
    long age = epoch % epochs - (stored - 1);
    return age < 0 ? age + epochs : age;
  }

  /** How often a block has aged. */
  private long epoch(long tick, long phase) {
    return (tick + phase) / granularity;
  }

  /** The block of a cell, 0…granularity-1. */
  private long phase(long cell) {
    return Mix.reduce(cell * spread, granularity);
  }

  /** Sets a cell to a tick, unless it holds a later one or the tick has left the window. */
  private void stamp(long cell, long tick) {
    long phase = phase(cell);
    long epoch = epoch(tick, phase);
    long mine = epoch % epochs + 1;
    long word = cell / perWord;
    int shift = (int) (cell % perWord) * cells.width();
    while (true) {
      long old = words.get(word);
      long stored = old >>> shift & epochs;
      VarHandle.loadLoadFence();
      long last = epoch(ticks.latest(), phase);
      long age = last - epoch;
      if (age >= lives || (stored != 0 && age(last, stored) <= age)) {
        return;
      }
      if (words.replace(word, old, old ^ (stored ^ mine) << shift)) {
        return;
      }
    }
  }

  /** Clears all that is dead at a tick so late that it would be mistaken for alive soon after. */
  private synchronized void leap(long tick) {
    if (tick - ticks.latest() > longestLeap) {
      clear(0, words.length(), tick);
      ticks.publish(tick);
    }
  }

  /** Zeros the cells of {@code count} words that are dead at a tick. */
  private void clear(long from, long count, long tick) {
    long word = from;
    for (long left = count; left > 0; left--) {
      if (word >= words.length()) {
        word = 0;
      }
      clearWord(word++, tick);
    }
  }

  private void clearWord(long word, long tick) {
    while (true) {
      long old = words.get(word);
      if (old == 0) {
        return;
      }
      VarHandle.loadLoadFence();
      long latest = ticks.latest();
      long next = old;
      for (int i = 0; i < perWord; i++) {
        long stored = old >>> (i * cells.width()) & epochs;
        if (stored != 0 && !isAlive(word * perWord + i, stored, tick, latest)) {
          next &= ~(epochs << (i * cells.width()));
        }
      }
      if (next == old || words.replace(word, old, next)) {
        return;
      }
    }
  }

  /** {@inheritDoc} Here: the share of cells that are alive now, to the power of the probes. */
  @Override
  public double falsePositiveRate() {
    return Math.pow((double) aliveCells() / shape.cells(), shape.probes());
  }

  private long aliveCells() {
    long now = ticks.now();
    long alive = 0;
    for (long i = 0; i < shape.cells(); i++) {
      long stored = cells.get(i);
      VarHandle.loadLoadFence();
      alive += stored != 0 && isAlive(i, stored, now, ticks.latest()) ? 1 : 0;
    }
    return alive;
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
  public DecayingBloomFilter copy() {
    Counters copied = cells.copy();
    VarHandle.fullFence();
    return new DecayingBloomFilter(hasher, shape, ticks.copy(), copied);
  }

  /**
   * A copy whose time is told by another clock, for a filter that was opened from a file.
   *
   * @param clock tells the time from now on
   * @return a filter with the same keys
   * @throws IllegalStateException if the window is not one of time
   */
  public DecayingBloomFilter copy(InstantSource clock) {
    Objects.requireNonNull(clock, "clock");
    if (!ticks.timed()) {
      throw new IllegalStateException("a window of adds has no clock");
    }
    DecayingBloomFilter copy = copy();
    return new DecayingBloomFilter(hasher, shape, copy.ticks.withClock(clock), copy.cells);
  }

  @Override
  public String toString() {
    return "DecayingBloomFilter["
        + shape
        + (ticks.timed() ? " milliseconds, " : " adds, ")
        + hasher
        + "]";
  }

  /** Options of a filter: a window with a rate, or a window with cells and probes. */
  public static final class Builder extends WindowBuilder<Builder> {
    private long granularity;
    private long cells;
    private int probes;
    private long latest;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * How many adds or milliseconds pass between two steps of a cell's age; keys may be found for
     * twice as many after they left the window. 1 is exact and needs the widest cells.
     *
     * @param granularity 1 or more, at most the window; a 128th of the window if never called
     * @return this
     */
    public Builder granularity(long granularity) {
      if (granularity < 1) {
        throw new IllegalArgumentException("granularity = " + granularity + " is below 1");
      }
      this.granularity = granularity;
      return this;
    }

    /**
     * The cells, instead of a rate.
     *
     * @param cells m, 2 or more
     * @param probes k, cells of a key, 1…255
     * @return this
     */
    public Builder cells(long cells, int probes) {
      if (cells < 2 || probes < 1) {
        throw new IllegalArgumentException(
            "cells = " + cells + " is below 2 or probes = " + probes + " is below 1");
      }
      this.cells = cells;
      this.probes = probes;
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
    public DecayingBloomFilter build() {
      requireWindow();
      long step = granularity == 0 ? DecayingShape.defaultGranularity(window) : granularity;
      if ((cells == 0) == (falsePositiveRate == 0)) {
        throw new IllegalArgumentException(
            "exactly one of cells and falsePositiveRate must be given");
      }
      DecayingShape shape =
          cells == 0
              ? DecayingShape.forKeys(keysPerWindow(), falsePositiveRate, window, step)
              : new DecayingShape(cells, probes, window, step);
      Ticks ticks = ticks();
      ticks.publish(latest);
      return new DecayingBloomFilter(
          hasher, shape, ticks, Counters.allocate(shape.cells(), shape.cellBits(), false, true));
    }
  }
}
