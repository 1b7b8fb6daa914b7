package io.bloomery.window;

import io.bloomery.AddableFilter;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterKind;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/**
 * Was x seen within the last hour, or the last million adds? The default filter for a sliding
 * window: a key inside it ({@link io.bloomery.window}) is always found, and a query reads one cache
 * line.
 *
 * <pre>{@code
 * var recent = RecentFilter.create(Duration.ofHours(1), 1_000_000, 0.01);
 * if (recent.add(requestId)) { … } // true: certainly not seen within the last hour
 * }</pre>
 *
 * <p>A key may still be found for up to a third of a window after it expires (with four layers; a
 * whole window with two, a seventh with eight). Where that matters, {@link DecayingBloomFilter}
 * keeps exact edges for four times the memory. At 1 % a key of the window costs 22.1 bits.
 *
 * <p>The promised rate assumes evenly spread keys: at most a third of a window's keys in a third of
 * the window. If all keys of a window arrive at once, they share one layer, and the rate is 15 %
 * instead of 1 %. If you expect bursts, pass three times the number of keys. A window of adds has
 * bursts only if keys come in the order of their hashes.
 *
 * <p>Threads: lock-free. Any number of threads may add and query; a key whose {@code add} returned
 * is found, while it is inside the window, by every query that happens after that return. Only the
 * first add after a pause of more than a window takes a lock, to clear expired words. {@link #copy}
 * and saving hold every key added before the call began.
 *
 * <p>Layers of {@link io.bloomery.membership.BlockedBloomFilter}s in the sense of double buffering
 * (Chang, Feng and Li 2004, "Approximate Caches for Packet Classification"), interleaved so that a
 * cache line holds the bits of a key for all of them, and stamped so that the oldest is dropped
 * without clearing it; decision 010 compares this design with others.
 */
public final class RecentFilter extends ShapedFilter<RecentShape>
    implements AddableFilter, QueryCost {

  public static final FilterKind<RecentFilter> KIND =
      Kind.of(39, "recent", RecentFilter.class)
          .question("was x seen within the window? one cache line: the fastest")
          .codec(RecentFilter::encode, RecentFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("recent", RecentShape.class)
                          .meets(Need.WINDOW)
                          .onlyFor(Need.WINDOW)
                          .forKeys(RecentShape::forKeys)
                          .forBudget(RecentShape::forBudget)
                          .reads(shape -> 1, shape -> LayeredLines.LINE_WORDS)
                          .works(shape -> 5)
                          .absent(shape -> 1, shape -> 4)
                          .why(
                              "Finds every key of the window with one cache line per query; keys"
                                  + " may still be found for a part of the window after it")
                          .orderMatters()
                          .storesDuplicates()
                          .creates(RecentFilter::create)));

  private final Ticks ticks;
  private final Words words;
  private final LayeredLines lines;
  private final long sliceTicks;
  private final Sweep sweep;
  private volatile LayeredLines.Live live;

  private RecentFilter(RecentShape shape, Hasher hasher, Ticks ticks, Words words) {
    super(shape, hasher);
    this.ticks = ticks;
    this.words = words;
    this.sliceTicks = sliceTicks(shape.window(), shape.layers());
    this.lines = new LayeredLines(shape.lines(), shape.layers(), shape.bitsPerWord(), sliceTicks);
    this.live = liveAt(ticks.latest() / sliceTicks);
    this.sweep = new Sweep(words.length(), sliceTicks * shape.layers(), ticks.latest());
  }

  /**
   * Sized so that a key added at any tick of a slice, first or last, is found while it is inside
   * the window.
   */
  private static long sliceTicks(long window, int layers) {
    return Math.max(1, (window + layers - 3) / (layers - 1));
  }

  private LayeredLines.Live liveAt(long slice) {
    return new LayeredLines.Live(slice, sliceTicks, shape().layers());
  }

  /**
   * The best filter for a window of time.
   *
   * @param window the minimum time that keys are remembered, a millisecond or more
   * @param expectedKeys how many distinct keys arrive within one window, evenly spread
   * @param falsePositiveRate the highest acceptable rate, above 0, below 1
   * @return an empty filter
   */
  public static RecentFilter create(Duration window, long expectedKeys, double falsePositiveRate) {
    return create(
        RecentShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate).withWindow(window));
  }

  /**
   * The best filter for a window of adds.
   *
   * @param expectedKeys the minimum number of adds remembered
   * @param falsePositiveRate the highest acceptable rate, above 0, below 1
   * @return an empty filter
   */
  public static RecentFilter create(long expectedKeys, double falsePositiveRate) {
    return create(RecentShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape lines, layers, bits per word and window
   * @return an empty filter
   */
  public static RecentFilter create(RecentShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape lines, layers, bits per word and window
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static RecentFilter create(RecentShape shape, Hasher hasher) {
    return create(shape, hasher, Ticks.start(shape.timed()));
  }

  /**
   * A filter with a window of time by a given clock.
   *
   * @param shape lines, layers, bits per word and window
   * @param hasher turns keys into hashes
   * @param clock provides the time; if it goes back, it is treated as stopped
   * @return an empty filter
   * @throws IllegalArgumentException if the window is one of adds
   */
  public static RecentFilter create(RecentShape shape, Hasher hasher, InstantSource clock) {
    return create(shape, hasher, Ticks.start(shape.timed(), clock));
  }

  static RecentFilter create(RecentShape shape, Hasher hasher, Ticks ticks) {
    Words words = Words.allocate(shape.lines() * LayeredLines.LINE_WORDS, true);
    return new RecentFilter(shape, hasher, ticks, words);
  }

  private Frame encode() {
    RecentFilter still = words.isReadOnly() ? this : copy();
    return Frame.of(hasher()).put(shape()).put("latest", still.ticks.latest()).section(still.words);
  }

  private static RecentFilter decode(Frame frame) throws IOException {
    RecentShape shape = frame.shape(RecentShape.class);
    Ticks ticks = Ticks.decode(shape.timed(), frame);
    Words words = frame.section(0, shape.lines() * LayeredLines.LINE_WORDS);
    return new RecentFilter(shape, frame.hasher(), ticks, words);
  }

  Words words() {
    return words;
  }

  LayeredLines lines() {
    return lines;
  }

  Ticks ticks() {
    return ticks;
  }

  long sliceTicks() {
    return sliceTicks;
  }

  @Override
  public FilterKind<RecentFilter> kind() {
    return KIND;
  }

  /**
   * {@inheritDoc} The clock is read only if the key is found at the time of the latest add: since
   * then keys have only expired.
   */
  @Override
  public boolean mightContainHash(long hash) {
    return contains(hash, ticks.latest()) && (!ticks.timed() || contains(hash, ticks.now()));
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hash(key));
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
    LayeredLines.Live at = live(tick);
    ticks.publish(at.newest);
    lines.set(hash, at, words, ticks);
    if (sweep.isDue(tick)) {
      long due = sweep.due();
      clear(sweep.from(due), sweep.claim(due, tick));
    }
    return absent;
  }

  @Override
  public boolean add(long key) {
    return addHash(hash(key));
  }

  /**
   * The answer at a tick. If an add opens a new slice during the query, the words of the oldest may
   * be overwritten while they are read; then a negative answer is computed again.
   */
  private boolean contains(long hash, long now) {
    LayeredLines.Live at = live(now);
    if (ticks.latest() < at.oldest) {
      return false;
    }
    while (!lines.any(hash, at, words)) {
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
  private LayeredLines.Live live(long tick) {
    LayeredLines.Live present = live;
    if (tick < present.end) {
      return present;
    }
    LayeredLines.Live next = liveAt(tick / sliceTicks);
    live = next;
    return next;
  }

  /**
   * Clears all words after a pause in which they have expired, before the next add becomes visible.
   */
  private synchronized void leap(long tick) {
    if (ticks.latest() < live(tick).oldest) {
      words.clear();
      ticks.publish(tick);
    }
  }

  /** Clears those of {@code count} words that have expired. */
  private void clear(long from, long count) {
    long word = from;
    for (long left = count; left > 0; left--) {
      if (word >= words.length()) {
        word = 0;
      }
      lines.clearIfOld(word++, words, ticks);
    }
  }

  /** {@inheritDoc} Here: the mean over all lines of the share of masks that a layer covers. */
  @Override
  public double falsePositiveRate() {
    LayeredLines.Live at = live(ticks.now());
    return ticks.latest() < at.oldest ? 0 : lines.coveredShare(at, words);
  }

  @Override
  public int hashBits() {
    return shape().hashBits();
  }

  @Override
  public int memoryAccesses() {
    return shape().memoryAccesses();
  }

  /**
   * An independent heap copy.
   *
   * @return a filter with the same keys
   */
  public RecentFilter copy() {
    Words copied = words.copy();
    VarHandle.fullFence();
    return new RecentFilter(shape(), hasher(), ticks.copy(), copied);
  }

  /**
   * A copy with another clock, for a filter that was opened from a file.
   *
   * @param clock provides the time from now on
   * @return a filter with the same keys
   * @throws IllegalStateException if the window is not one of time
   */
  public RecentFilter copy(InstantSource clock) {
    RecentFilter copy = copy();
    return new RecentFilter(shape(), hasher(), copy.ticks.withClock(clock), copy.words);
  }

  /**
   * A {@link RecentFilter} in pages of a few cache lines, for stores that save only changes instead
   * of the whole filter: an add changes one page. Save {@link #pageOf} of every hash that was added
   * since the last save; {@link #load} restores a filter from all saved pages.
   *
   * <p>A page that was not saved after its last adds lacks only the keys of those adds. Old pages
   * are safe to load: expired keys are left out, regardless of their age.
   *
   * <p>A page is stored as the tick of the filter's latest add and the page's words, each 8 bytes
   * little-endian ({@code docs/format/window.md}). It has no checksum, shape or hasher: the store
   * must keep these.
   *
   * <p>Threads: {@link #save} is safe while others add, and holds every key added to the page
   * before the call began. {@link #load} is not.
   */
  public static final class Pages {

    private final RecentFilter filter;
    private final Words words;
    private final int linesPerPage;

    /**
     * Pages of a filter.
     *
     * @param filter the filter; it must not be mapped if pages will be loaded
     * @param linesPerPage cache lines of 64 bytes of a page, 1 … 2^20; the last page may have fewer
     */
    public Pages(RecentFilter filter, int linesPerPage) {
      this.filter = filter;
      this.words = filter.words();
      this.linesPerPage = Arguments.inRange("linesPerPage", linesPerPage, 1, 1 << 20);
    }

    /**
     * How many pages the filter has.
     *
     * @return 1 or more
     */
    public int count() {
      return (int) ((filter.shape().lines() + linesPerPage - 1) / linesPerPage);
    }

    /**
     * The page that an add of a hash changes, and the only one that a query of it reads.
     *
     * @param hash the hash of a key
     * @return 0 … {@link #count()} - 1
     */
    public int pageOf(long hash) {
      return (int) (filter.lines().lineOf(hash) / linesPerPage);
    }

    /**
     * A page as it is now.
     *
     * @param page 0 … {@link #count()} - 1
     * @return its bytes
     */
    public byte[] save(int page) {
      Arguments.inRange("page", page, 0, count() - 1);
      ByteBuffer saved = ByteBuffer.allocate(bytes(page)).order(ByteOrder.LITTLE_ENDIAN);
      words.copyTo(firstWord(page), saved.position(Long.BYTES).asLongBuffer());
      VarHandle.fullFence(); // no word is ahead of a tick that is read after it
      saved.putLong(0, filter.ticks().latest());
      return saved.array();
    }

    /**
     * Replaces the contents of the filter by saved pages. It then holds every key of the window
     * that was in its page at the last save; its time continues from that of the latest page, or
     * from its own if that is later.
     *
     * @param pages by number, as {@link #save} returned them, from a filter of the same shape,
     *     hasher and lines per page; missing pages are empty
     * @return the tick of the filter's latest add from now on
     * @throws FilterFormatException if a page has the wrong number or length, or an impossible
     *     tick; the filter is then unchanged
     */
    public long load(Map<Integer, byte[]> pages) throws FilterFormatException {
      long latest = filter.ticks().latest();
      for (Map.Entry<Integer, byte[]> page : pages.entrySet()) {
        latest = Math.max(latest, checkedTick(page.getKey(), page.getValue()));
      }
      words.clear();
      filter.ticks().publish(latest);
      for (Map.Entry<Integer, byte[]> page : pages.entrySet()) {
        load(firstWord(page.getKey()), page.getValue(), latest);
      }
      return latest;
    }

    private long checkedTick(int page, byte[] saved) throws FilterFormatException {
      String name = "page " + page;
      if (page < 0 || page >= count()) {
        throw new FilterFormatException(name, 0, "the filter has " + count() + " pages");
      }
      if (saved.length != bytes(page)) {
        throw new FilterFormatException(
            name, saved.length, "%d bytes instead of %d".formatted(saved.length, bytes(page)));
      }
      long tick = littleEndian(saved).getLong(0);
      if (tick < 0 || tick > Ticks.MAX) {
        throw new FilterFormatException(name, 0, Arguments.outside("latest", tick, 0, Ticks.MAX));
      }
      return tick;
    }

    /**
     * Copies the words whose slice was alive at the page's tick and still is at the latest tick.
     */
    private void load(long first, byte[] page, long latest) {
      ByteBuffer saved = littleEndian(page);
      int layers = filter.shape().layers();
      long last = saved.getLong() / filter.sliceTicks();
      long oldest = latest / filter.sliceTicks() - layers + 1;
      for (long at = first; saved.hasRemaining(); at++) {
        long word = saved.getLong();
        long slot = (at & (LayeredLines.LINE_WORDS - 1)) / filter.shape().wordsPerKey();
        long slice = last - Math.floorMod(last - slot, (long) layers);
        if (slice >= oldest
            && word >>> LayeredLines.STAMP_SHIFT == LayeredLines.stamp(slice, layers)) {
          words.or(at, word);
        }
      }
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
      return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private long firstWord(int page) {
      return (long) page * linesPerPage * LayeredLines.LINE_WORDS;
    }

    private int bytes(int page) {
      long wordsOfPage =
          Math.min((long) linesPerPage * LayeredLines.LINE_WORDS, words.length() - firstWord(page));
      return (int) (1 + wordsOfPage) * Long.BYTES;
    }
  }
}
