package io.bloomery.window;

import io.bloomery.AddableFilter;
import io.bloomery.CardinalityFilter;
import io.bloomery.FilterKind;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.Modulus;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import io.bloomery.theory.Estimates;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * Was x added within the last W adds, or the last hour? Cells hold the time of their latest key and
 * count as zero once it has expired. A key inside the window ({@link io.bloomery.window}) is always
 * found, and with a granularity of 1 an expired key only by a false positive.
 *
 * <p>The price is a cell of 8 bits or more where other filters take one bit: {@link RecentFilter}
 * answers the same question in a third of the memory and one cache line, if keys may still be found
 * for a while after they expire.
 *
 * <p>Threads: lock-free. Any number of threads may add and query; a key whose {@code add} returned
 * is found, while it is inside the window, by every query that happens after that return. Only the
 * first add after a pause of an eighth of a window or more takes a lock, to scan all cells. {@link
 * #copy} and saving hold every key added before the call began.
 *
 * <p>Shen and Zhang 2008, "Improved approximate detection of duplicates for data streams over
 * sliding windows": the decaying Bloom filter, and with a granularity T above 1 its blocked form,
 * in which one of T blocks of cells ages at each tick. Deviations: ages are computed from the time
 * that a cell holds, modulo a power of two minus one, instead of counted down; each add clears the
 * few cells whose turn it is, long before their time could be mistaken for a later one; and the
 * window does not count the key of the query, so the paper's W is ours plus one.
 */
public final class DecayingBloomFilter extends ShapedFilter<DecayingShape>
    implements AddableFilter, CardinalityFilter, QueryCost {

  public static final FilterKind<DecayingBloomFilter> KIND =
      Kind.of(34, "decaying", DecayingBloomFilter.class)
          .question("was x seen within the window? exact edges, a small clock in each cell")
          .codec(DecayingBloomFilter::encode, DecayingBloomFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("decaying", DecayingShape.class)
                          .meets(Need.WINDOW)
                          .onlyFor(Need.WINDOW)
                          .forKeys(DecayingShape::forKeys)
                          .searchBudget()
                          .reads(DecayingShape::hashesPerKey)
                          .works(shape -> 4.3 * shape.hashesPerKey())
                          .absentByThree(shape -> shape.hashesPerKey(), shape -> 12.5)
                          .why(
                              "Finds every key of the window and forgets it right after, with cells"
                                  + " of 8 bits or more instead of bits")
                          .orderMatters()
                          .creates(DecayingBloomFilter::create)));

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

  private DecayingBloomFilter(DecayingShape shape, Hasher hasher, Ticks ticks, Counters cells) {
    super(shape, hasher);
    this.ticks = ticks;
    this.cells = cells;
    this.words = cells.words();
    this.modulus = new Modulus(shape.cells());
    this.perWord = Long.SIZE / cells.width();
    this.granularity = shape.granularity();
    this.lives = shape.lives();
    this.spread = Long.divideUnsigned(-1L, shape.cells());
    this.epochs = cells.max();
    // A dead cell is cleared within half of the remaining epochs, or half as many more after a
    // pause. The rest is slack for a thread that is suspended while it clears.
    long lap = (epochs - lives) / 2;
    this.longestLeap = lap / 2 * granularity;
    this.sweep = new Sweep(words.length(), lap * granularity, ticks.latest());
  }

  /**
   * The smallest filter for a window of adds, with cells of about 8 bits.
   *
   * @param expectedKeys how many adds are remembered
   * @param falsePositiveRate the highest acceptable rate, above 0, below 1
   * @return an empty filter
   */
  public static DecayingBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return create(DecayingShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * The smallest filter for a window of time, with cells of about 8 bits.
   *
   * @param window how long keys are remembered
   * @param expectedKeys how many distinct keys arrive within one window
   * @param falsePositiveRate the highest acceptable rate, above 0, below 1
   * @return an empty filter
   */
  public static DecayingBloomFilter create(
      Duration window, long expectedKeys, double falsePositiveRate) {
    return create(DecayingShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate, window));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape cells, hashes per key, window and granularity
   * @return an empty filter
   */
  public static DecayingBloomFilter create(DecayingShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape cells, hashes per key, window and granularity
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static DecayingBloomFilter create(DecayingShape shape, Hasher hasher) {
    return create(shape, hasher, Ticks.start(shape.timed()));
  }

  /**
   * A filter with a window of time by a given clock.
   *
   * @param shape cells, hashes per key, window and granularity
   * @param hasher turns keys into hashes
   * @param clock provides the time; if it goes back, it is treated as stopped
   * @return an empty filter
   * @throws IllegalArgumentException if the window is one of adds
   */
  public static DecayingBloomFilter create(
      DecayingShape shape, Hasher hasher, InstantSource clock) {
    return create(shape, hasher, Ticks.start(shape.timed(), clock));
  }

  static DecayingBloomFilter create(DecayingShape shape, Hasher hasher, Ticks ticks) {
    Counters cells = Counters.allocate(shape.cells(), shape.cellBits(), false, true);
    return new DecayingBloomFilter(shape, hasher, ticks, cells);
  }

  private Frame encode() {
    DecayingBloomFilter still = words.isReadOnly() ? this : copy();
    return Frame.of(hasher()).put(shape()).put("latest", still.ticks.latest()).section(still.words);
  }

  private static DecayingBloomFilter decode(Frame frame) throws IOException {
    DecayingShape shape = frame.shape(DecayingShape.class);
    Ticks ticks = Ticks.decode(shape.timed(), frame);
    Counters cells = frame.counters(0, shape.cells(), shape.cellBits(), false);
    return new DecayingBloomFilter(shape, frame.hasher(), ticks, cells);
  }

  @Override
  public FilterKind<DecayingBloomFilter> kind() {
    return KIND;
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
    int hashesPerKey = shape().hashesPerKey();
    for (int i = 0; i < hashesPerKey; i++) {
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
    int hashesPerKey = shape().hashesPerKey();
    for (int i = 0; i < hashesPerKey; i++) {
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

  /** How often a cell has aged since it was set, as of an epoch that is not earlier. */
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

  /** Sets a cell to a tick, unless it holds a later one or the tick has expired. */
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

  /** Clears all dead cells after a pause so long that they would soon be mistaken for live ones. */
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

  /** {@inheritDoc} Here: the fill to the power of the hashes per key. */
  @Override
  public double falsePositiveRate() {
    return Math.pow(fillRatio(), shape().hashesPerKey());
  }

  @Override
  public int hashBits() {
    return shape().hashBits();
  }

  @Override
  public int memoryAccesses() {
    return shape().memoryAccesses();
  }

  /** {@inheritDoc} Here: the share of live cells. */
  @Override
  public double fillRatio() {
    return (double) aliveCells() / shape().cells();
  }

  /** {@inheritDoc} Here: keys of the window, and expired ones that are still found. */
  @Override
  public double cardinality() {
    return Estimates.cardinality(shape().cells(), shape().hashesPerKey(), aliveCells());
  }

  private long aliveCells() {
    long now = ticks.now();
    long alive = 0;
    for (long i = 0; i < shape().cells(); i++) {
      long stored = cells.get(i);
      VarHandle.loadLoadFence();
      alive += stored != 0 && isAlive(i, stored, now, ticks.latest()) ? 1 : 0;
    }
    return alive;
  }

  /**
   * An independent heap copy.
   *
   * @return a filter with the same keys
   */
  public DecayingBloomFilter copy() {
    Counters copied = cells.copy();
    VarHandle.fullFence();
    return new DecayingBloomFilter(shape(), hasher(), ticks.copy(), copied);
  }

  /**
   * A copy with another clock, for a filter that was opened from a file.
   *
   * @param clock provides the time from now on
   * @return a filter with the same keys
   * @throws IllegalStateException if the window is not one of time
   */
  public DecayingBloomFilter copy(InstantSource clock) {
    DecayingBloomFilter copy = copy();
    return new DecayingBloomFilter(shape(), hasher(), copy.ticks.withClock(clock), copy.cells);
  }
}
