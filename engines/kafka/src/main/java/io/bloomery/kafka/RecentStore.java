package io.bloomery.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.FilterFormatException;
import io.bloomery.hash.Hasher;
import io.bloomery.window.RecentFilter;
import io.bloomery.window.RecentShape;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

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
 * <p>Layout. Key -1: the settings as text. Key p ≥ 0: page p, that is the number of topics (2
 * bytes), for each the hash of its name and an offset (8 bytes each), all big-endian, and the bytes
 * of {@link RecentFilter.Pages#save}.
 */
final class RecentStore {

  private static final int SETTINGS = -1;
  private static final int LINES_PER_PAGE = 4;

  private final KeyValueStore<Integer, byte[]> store;
  private final RecentFilter filter;
  private final RecentFilter.Pages pages;
  private final byte[] settings;
  private final StreamTime time = new StreamTime();

  /** For each topic the offset of the record that last changed each page, or -1. */
  private final Map<Long, long[]> offsets = new LinkedHashMap<>();

  /** For each topic the last offset whose effect was restored. */
  private final Map<Long, Long> restoredOffsets = new HashMap<>();

  private final long restoredTime;
  private boolean settingsStored;

  /** Restores the filter from the store. */
  RecentStore(KeyValueStore<Integer, byte[]> store, RecentShape shape, Hasher hasher) {
    this.store = store;
    this.filter = RecentFilter.create(shape, hasher, time);
    this.pages = new RecentFilter.Pages(filter, LINES_PER_PAGE);
    this.settings = settings(shape, hasher).getBytes(UTF_8);
    restore();
    this.restoredTime = time.millis();
    offsets.forEach(
        (topic, each) -> restoredOffsets.put(topic, Arrays.stream(each).max().orElseThrow()));
  }

  private static String settings(RecentShape shape, Hasher hasher) {
    return "deduplication 1, %s, %d lines per page, hash %d of seed or key check %016x"
        .formatted(shape, LINES_PER_PAGE, hasher.wireId(), hasher.seedOrKeyCheck());
  }

  private void restore() {
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
    try (KeyValueIterator<Integer, byte[]> all = store.all()) {
      while (all.hasNext()) {
        KeyValue<Integer, byte[]> entry = all.next();
        if (entry.key != SETTINGS) {
          saved.put(entry.key, restorePage(entry.key, entry.value));
        }
      }
    }
    if (!saved.isEmpty() && !settingsStored) {
      throw failure("it has no record of its settings", null);
    }
    try {
      time.advanceTo(pages.load(saved));
    } catch (FilterFormatException e) {
      throw failure(String.valueOf(e.getMessage()), e);
    }
  }

  private byte[] restorePage(int page, byte[] stored) {
    ByteBuffer read = ByteBuffer.wrap(stored);
    try {
      for (int topics = Short.toUnsignedInt(read.getShort()); topics > 0; topics--) {
        offsetsOf(read.getLong())[page] = read.getLong();
      }
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      throw failure("page " + page + " is damaged", e);
    }
    return Arrays.copyOfRange(stored, read.position(), stored.length);
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
    time.advanceTo(timestamp);
  }

  /** How far a timestamp is behind stream time. */
  long lateness(long timestamp) {
    return time.millis() - timestamp;
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

  /** Remembers an id that is forwarded. */
  void add(long hash, Source source) {
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
    store.put(page, stored(page));
  }

  private byte[] stored(int page) {
    byte[] saved = pages.save(page);
    ByteBuffer value =
        ByteBuffer.allocate(Short.BYTES + offsets.size() * 2 * Long.BYTES + saved.length);
    value.putShort((short) offsets.size());
    offsets.forEach((topic, each) -> value.putLong(topic).putLong(each[page]));
    return value.put(saved).array();
  }

  double falsePositiveRate() {
    return filter.falsePositiveRate();
  }

  /** The greatest timestamp so far. Read by the threads that report metrics, too. */
  private static final class StreamTime implements InstantSource {

    private volatile long latest;

    void advanceTo(long timestamp) {
      if (timestamp > latest) {
        latest = timestamp;
      }
    }

    @Override
    public long millis() {
      return latest;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(latest);
    }
  }
}
