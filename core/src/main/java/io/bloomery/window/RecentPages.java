package io.bloomery.window;

import io.bloomery.FilterFormatException;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;

/**
 * A {@link RecentFilter} in pages of a few cache lines, for stores that save what has changed and
 * not the whole filter: an add changes one page. Save {@link #pageOf} of every hash that was added
 * since the last time, and {@link #load} makes another filter of all pages that were ever saved.
 *
 * <p>A page that was not saved after its last add lacks the keys of that add, and no others. An old
 * page is safe to load: what has expired is left out, however long ago that was.
 *
 * <p>A page is stored as the tick of the filter's latest add and the page's words, each 8 bytes
 * little-endian ({@code docs/format/window.md}). It has no checksum, shape or hasher: whoever
 * stores pages takes care of them.
 *
 * <p>Threads: {@link #save} is safe while others add, and holds every key added to the page before
 * the call began. {@link #load} is not.
 */
public final class RecentPages {

  private final RecentFilter filter;
  private final Words words;
  private final int linesPerPage;

  /**
   * Pages of a filter.
   *
   * @param filter the filter; not a mapped one if pages are to be loaded
   * @param linesPerPage cache lines of 64 bytes of a page, 1 … 2^20; the last page may have fewer
   */
  public RecentPages(RecentFilter filter, int linesPerPage) {
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
   * Makes the filter that of saved pages, instead of what it held. It knows every key of the window
   * that was in its page when that was last saved; its time goes on from the latest page's, or from
   * its own if that is later.
   *
   * @param pages by number, as {@link #save} gave them, from a filter of the same shape, hasher and
   *     lines per page; pages that are missing are empty
   * @return the tick of the filter's latest add from now on
   * @throws FilterFormatException if a page has the wrong number or length, or an impossible tick;
   *     then the filter is as before
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

  /** Takes over the words whose slice was alive at the page's tick and is at the latest. */
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
