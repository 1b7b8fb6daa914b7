package io.bloomery.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.FilterFormatException;
import io.bloomery.hash.Hasher;
import io.bloomery.window.RecentFilter;
import io.bloomery.window.RecentShape;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The filter of a task on the heap, and its pages in a store.
 *
 * <p>Design. Each add puts its page into the store, whose cache holds it until the commit; so a
 * page is written to the changelog once for all adds between two commits. Kafka Streams offers
 * custom stores no hook before the commit, and writing changes when a store is flushed would be too
 * late: that is done after the offsets were committed.
 *
 * <p>A page is stored with the offset of the record that last changed it, for each source topic.
 * After a crash without transactions the changelog may be ahead of the committed offsets. A record
 * that comes again, and whose page was saved after it, would be dropped as its own duplicate. The
 * offset detects this.
 *
 * <p>Layout, all numbers big-endian. Key -1: the settings as text. Key -2: the turn of the layers
 * and {@link Turns#schedule}, 8 bytes each, stored with the first add after each turn. Key p ≥ 0:
 * page p, that is stream time and how many ids the newest layer has (8 bytes each), the number of
 * topics (2 bytes), for each the hash of its name and an offset (8 bytes each), and the bytes of
 * {@link RecentFilter.Pages#save}.
 */
final class RecentStore {

  private static final Logger LOG = LoggerFactory.getLogger(RecentStore.class);
  private static final int SETTINGS = -1;
  private static final int SCHEDULE = -2;
  private static final int LINES_PER_PAGE = 4;

  private final KeyValueStore<Integer, byte[]> store;
  private final RecentFilter filter;
  private final RecentFilter.Pages pages;
  private final byte[] settings;
  private final Turns turns;

  /** For each topic the offset of the record that last changed each page, or -1. */
  private final Map<Long, long[]> offsets = new LinkedHashMap<>();

  /** For each topic the last offset whose effect was restored. */
  private final Map<Long, Long> restoredOffsets = new HashMap<>();

  private final long restoredTime;
  private boolean settingsStored;
  private long turnStored = -1;

  /**
   * Restores the filter from the store.
   *
   * @param impossible which stream times are not to be restored
   */
  RecentStore(
      KeyValueStore<Integer, byte[]> store, Deduplication settings, LongPredicate impossible) {
    RecentShape shape = settings.shape();
    Hasher hasher = settings.hasher();
    this.store = store;
    this.turns = new Turns(settings);
    this.filter = RecentFilter.create(Turns.shape(shape), hasher, turns);
    this.pages = new RecentFilter.Pages(filter, LINES_PER_PAGE);
    this.settings = settings(shape, hasher).getBytes(UTF_8);
    restore(impossible);
    this.restoredTime = turns.streamTime();
    offsets.forEach(
        (topic, each) -> restoredOffsets.put(topic, Arrays.stream(each).max().orElseThrow()));
  }

  private static String settings(RecentShape shape, Hasher hasher) {
    return "deduplication 2, %s, %d lines per page, hash %d of seed or key check %016x"
        .formatted(shape, LINES_PER_PAGE, hasher.wireId(), hasher.seedOrKeyCheck());
  }

  private void restore(LongPredicate impossible) {
    byte[] found = store.get(SETTINGS);
    if (found != null && !Arrays.equals(found, settings)) {
      throw failure(
          "it was made with other settings (%s) than the present ones (%s); name another store, or"
                  .formatted(new String(found, UTF_8), new String(settings, UTF_8))
              + " reset the application",
          null);
    }
    settingsStored = found != null;
    Map<Integer, byte[]> saved = new HashMap<>();
    Progress progress = new Progress();
    int refused = 0;
    try (KeyValueIterator<Integer, byte[]> all = store.all()) {
      while (all.hasNext()) {
        KeyValue<Integer, byte[]> entry = all.next();
        if (entry.key >= 0 && !restorePage(entry.key, entry.value, impossible, saved, progress)) {
          refused++;
        }
      }
    }
    if (refused > 0) {
      LOG.warn(
          "store {}: {} pages are from the future by this machine's clock, and are left out: their"
              + " ids are forwarded once more",
          store.name(),
          refused);
    }
    if (saved.isEmpty()) {
      return;
    }
    if (!settingsStored) {
      throw failure("it has no record of its settings", null);
    }
    try {
      pages.load(saved);
    } catch (FilterFormatException e) {
      throw failure(String.valueOf(e.getMessage()), e);
    }
    restoreSchedule(progress);
  }

  /**
   * Without transactions, pages may be ahead of the schedule after a crash; their layers then count
   * as closed just now, so that nothing is forgotten early.
   */
  private void restoreSchedule(Progress progress) {
    byte[] stored = store.get(SCHEDULE);
    long[] schedule = new long[Turns.LAYERS];
    if (stored == null || stored.length != (1 + Turns.LAYERS) * Long.BYTES) {
      throw failure("it has no schedule of its layers", null);
    }
    ByteBuffer read = ByteBuffer.wrap(stored);
    long turn = read.getLong();
    read.asLongBuffer().get(schedule);
    if (turn < progress.turn) {
      Arrays.fill(schedule, progress.streamTime);
    } else {
      turnStored = turn;
    }
    long added = turn > progress.turn ? 0 : progress.added;
    turns.restore(progress.streamTime, Math.max(turn, progress.turn), added, schedule);
  }

  /** Returns false for a page of an impossible time, which is left out. */
  private boolean restorePage(
      int page,
      byte[] stored,
      LongPredicate impossible,
      Map<Integer, byte[]> saved,
      Progress progress) {
    ByteBuffer read = ByteBuffer.wrap(stored);
    try {
      long streamTime = read.getLong();
      long added = read.getLong();
      for (int topics = Short.toUnsignedInt(read.getShort()); topics > 0; topics--) {
        offsetsOf(read.getLong())[page] = read.getLong();
      }
      if (impossible.test(streamTime)) {
        return false;
      }
      byte[] rest = Arrays.copyOfRange(stored, read.position(), stored.length);
      long turn = Turns.turnOf(ByteBuffer.wrap(rest).order(ByteOrder.LITTLE_ENDIAN).getLong());
      progress.include(streamTime, turn, added);
      saved.put(page, rest);
      return true;
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      throw failure("page " + page + " is damaged", e);
    }
  }

  /** How far the latest page had come. */
  private static final class Progress {

    private long streamTime = Turns.NEVER;
    private long turn;
    private long added;

    void include(long pageTime, long pageTurn, long pageAdded) {
      streamTime = Math.max(streamTime, pageTime);
      if (pageTurn > turn) {
        turn = pageTurn;
        added = 0;
      }
      if (pageTurn == turn) {
        added = Math.max(added, pageAdded);
      }
    }
  }

  private ProcessorStateException failure(String problem, @Nullable Exception cause) {
    return new ProcessorStateException("store " + store.name() + ": " + problem, cause);
  }

  private long[] offsetsOf(long topic) {
    return offsets.computeIfAbsent(
        topic,
        absent -> {
          long[] none = new long[pages.count()];
          Arrays.fill(none, -1);
          return none;
        });
  }

  /** Advances stream time; it never goes back. */
  void advanceTo(long timestamp) {
    turns.advanceTo(timestamp);
  }

  /** The greatest timestamp so far, or {@link Turns#NEVER}. */
  long streamTime() {
    return turns.streamTime();
  }

  /** How many times the layers have turned. */
  long turn() {
    return turns.turn();
  }

  /** How many ids are expected in a layer. */
  long addsPerLayer() {
    return turns.addsPerLayer();
  }

  /** How far a timestamp is behind stream time. */
  long lateness(long timestamp) {
    return turns.streamTime() - timestamp;
  }

  /**
   * Whether a record was processed before the state was saved from which this store was restored. A
   * record that is newer than anything in that state was not, regardless of its offset: its topic
   * was recreated.
   */
  boolean isProcessedAgain(Source source, long timestamp) {
    Long last = restoredOffsets.get(source.topic());
    return last != null && source.offset() <= last && timestamp <= restoredTime;
  }

  /** Whether the page of a hash was saved when this record, or a later one, had changed it. */
  boolean wasSavedAfter(Source source, long hash) {
    return offsetsOf(source.topic())[pages.pageOf(hash)] >= source.offset();
  }

  /** Whether an id was probably forwarded within the window. */
  boolean mightContain(long hash) {
    return filter.mightContainHash(hash);
  }

  /**
   * Remembers an id that is forwarded.
   *
   * @return whether others were forgotten before their time, because there are too many
   */
  boolean add(long hash, Source source) {
    boolean early = turns.makeRoom();
    filter.addHash(hash);
    int page = pages.pageOf(hash);
    if (source.offset() >= 0) {
      long[] last = offsetsOf(source.topic());
      last[page] = Math.max(last[page], source.offset());
    }
    if (!settingsStored) {
      store.put(SETTINGS, settings);
      settingsStored = true;
    }
    if (turnStored != turns.turn()) {
      turnStored = turns.turn();
      ByteBuffer schedule = ByteBuffer.allocate((1 + Turns.LAYERS) * Long.BYTES);
      schedule.putLong(turnStored).asLongBuffer().put(turns.schedule());
      store.put(SCHEDULE, schedule.array());
    }
    store.put(page, stored(page));
    return early;
  }

  private byte[] stored(int page) {
    byte[] saved = pages.save(page);
    ByteBuffer value =
        ByteBuffer.allocate(
            2 * Long.BYTES + Short.BYTES + offsets.size() * 2 * Long.BYTES + saved.length);
    value.putLong(turns.streamTime()).putLong(turns.added()).putShort((short) offsets.size());
    offsets.forEach((topic, each) -> value.putLong(topic).putLong(each[page]));
    return value.put(saved).array();
  }

  double falsePositiveRate() {
    return filter.falsePositiveRate();
  }
}
