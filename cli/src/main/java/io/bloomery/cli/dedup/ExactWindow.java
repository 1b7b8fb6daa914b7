package io.bloomery.cli.dedup;

import io.bloomery.tools.input.Block;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers the keys of a sliding window exactly, in memory. A key is repeated if it occurred less
 * than a window before, whether that occurrence was output or not.
 */
final class ExactWindow implements Seen {

  /** The size of an entry without its key, including its share of a table that is 3/8 full. */
  private static final int ENTRY_BYTES = 128;

  private static final int FIRST_ENTRIES = 1 << 10;
  private static final float FULL = 0.75f;

  /**
   * A key and the time of its last occurrence; a key to look up refers to the block's own bytes.
   */
  private static final class Entry {
    private byte[] bytes = {};
    private int start;
    private int length;
    private long hash; // by a function unknown to whoever chooses the keys
    private long at;

    void set(Block block, int key) {
      bytes = block.bytes();
      start = block.keyStarts()[key];
      length = block.keyEnds()[key] - start;
      hash = block.hashes()[key];
    }

    Entry copy() {
      Entry copy = new Entry();
      copy.bytes = Arrays.copyOfRange(bytes, start, start + length);
      copy.length = length;
      copy.hash = hash;
      return copy;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(hash);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Entry entry
          && hash == entry.hash
          && Arrays.equals(
              bytes, start, start + length, entry.bytes, entry.start, entry.start + entry.length);
    }
  }

  private final long window;
  private final LineClock clock;
  private final long memory;
  private final Map<Entry, Entry> entries = new LinkedHashMap<>(FIRST_ENTRIES, FULL, true);
  private final Entry wanted = new Entry();
  private long held;
  private long mostHeld;

  /**
   * Remembers keys that occurred less than {@code window} before.
   *
   * @param clock the time of each key
   * @param memory the most memory for keys, in bytes
   */
  ExactWindow(long window, LineClock clock, long memory) {
    this.window = window;
    this.clock = clock;
    this.memory = memory;
  }

  @Override
  public void prepare(Block block) {} // whether a key is repeated is known only when it is added

  @Override
  public boolean add(Block block, int key) {
    long now = clock.at(block, key);
    forget(now);
    wanted.set(block, key);
    Entry found = entries.get(wanted); // which also makes it the latest
    if (found != null) {
      found.at = now;
      return false;
    }
    Entry entry = wanted.copy();
    entry.at = now;
    held += ENTRY_BYTES + entry.length;
    mostHeld = Math.max(mostHeld, held);
    if (held > memory) {
      throw new Problem(
          "--exact: %s of the window take more than %s; raise --memory-limit or leave out --exact"
              .formatted(Text.count(entries.size() + 1L, "distinct line"), Text.bytes(memory)));
    }
    entries.put(entry, entry);
    return true;
  }

  private void forget(long now) {
    Iterator<Entry> oldest = entries.keySet().iterator();
    while (oldest.hasNext()) {
      Entry entry = oldest.next();
      if (now - entry.at < window) {
        return;
      }
      held -= ENTRY_BYTES + entry.length;
      oldest.remove();
    }
  }

  @Override
  public void rows(Report report, double promised) {
    clock.rows(report);
    report.row("expected loss", "none: the window is exact");
  }

  @Override
  public void values(Report report) {
    clock.values(report);
    report.value("exact", true).value("expectedLoss", 0.0);
  }

  @Override
  public long memoryBytes() {
    return mostHeld;
  }
}
