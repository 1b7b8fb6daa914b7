package io.bloomery.spark;

import io.bloomery.Filters;
import io.bloomery.hash.Hasher;
import io.bloomery.window.RecentFilter;
import io.bloomery.window.RecentShape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.ExpiredTimerInfo;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TTLConfig;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.streaming.ValueState;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The filter of a bucket of keys, whose time is the greatest event time of a key in the bucket so
 * far. Rows of a batch come in any order; taken in that of their times, none is later than the
 * stream made it.
 */
final class BucketFilter extends StatefulProcessor<Integer, Row, Row> {

  private static final long serialVersionUID = 1;

  private final long lines;
  private final int layers;
  private final int bitsPerWord;
  private final long window;
  private final int timeAt;
  private final int hashAt;
  private transient @Nullable ValueState<byte[]> state;

  /** Rows have their time and the hash of their key in these columns; NULL if they have no key. */
  BucketFilter(RecentShape shape, int timeAt, int hashAt) {
    this.lines = shape.lines();
    this.layers = shape.layers();
    this.bitsPerWord = shape.bitsPerWord();
    this.window = shape.window();
    this.timeAt = timeAt;
    this.hashAt = hashAt;
  }

  /** The bucket of a hash, from bits that are independent of its place in a filter. */
  static int bucket(long hash, int buckets) {
    return (int) Math.multiplyHigh((hash * 0x9E3779B97F4A7C15L) >>> 1, 2L * buckets);
  }

  @Override
  public void init(OutputMode outputMode, TimeMode timeMode) {
    state = getHandle().getValueState("filter", Encoders.BINARY(), TTLConfig.NONE());
  }

  @Override
  public Iterator<Row> handleInputRows(Integer bucket, Iterator<Row> rows, TimerValues timers) {
    ValueState<byte[]> stored = Objects.requireNonNull(state);
    EventTime time = new EventTime();
    RecentFilter filter = stored.exists() ? restored(stored.get(), time) : empty(time);
    List<Row> kept = new ArrayList<>();
    if (keep(CollectionConverters.asJava(rows), filter, time, kept)) {
      stored.update(filter.toBytes());
      renewTimer(time.millis());
    }
    return CollectionConverters.asScala(kept.iterator());
  }

  /** A dataset that is not a stream: all come in one batch, and nothing is stored. */
  java.util.Iterator<Row> once(java.util.Iterator<Row> rows) {
    EventTime time = new EventTime();
    List<Row> kept = new ArrayList<>();
    keep(rows, empty(time), time, kept);
    return kept.iterator();
  }

  /** Collects the rows that are kept; returns whether the filter has new keys. */
  private boolean keep(
      java.util.Iterator<Row> rows, RecentFilter filter, EventTime time, List<Row> kept) {
    List<Row> inOrder = new ArrayList<>();
    rows.forEachRemaining(inOrder::add);
    inOrder.sort(Comparator.comparingLong(this::millis));
    boolean changed = false;
    for (Row row : inOrder) {
      if (row.isNullAt(hashAt)) {
        kept.add(row);
        continue;
      }
      time.advanceTo(millis(row));
      if (isNew(row.getLong(hashAt), filter)) {
        kept.add(row);
        changed = true;
      }
    }
    return changed;
  }

  /** Whether a hash is not in the filter; then it is added. */
  private static boolean isNew(long hash, RecentFilter filter) {
    boolean absent = !filter.mightContainHash(hash);
    if (absent) {
      filter.addHash(hash);
    }
    return absent;
  }

  /** One timer per bucket: when the watermark is there, all keys have expired. */
  private void renewTimer(long latest) {
    CollectionConverters.asJava(getHandle().listTimers().toList())
        .forEach(old -> getHandle().deleteTimer((long) old));
    getHandle().registerTimer(latest + 2 * window);
  }

  @Override
  public Iterator<Row> handleExpiredTimer(
      Integer bucket, TimerValues timers, ExpiredTimerInfo expired) {
    Objects.requireNonNull(state).clear();
    return CollectionConverters.asScala(List.<Row>of().iterator());
  }

  private long millis(Row row) {
    Object time = row.get(timeAt);
    return time instanceof Instant instant
        ? instant.toEpochMilli()
        : ((java.sql.Timestamp) time).getTime();
  }

  private RecentFilter empty(EventTime time) {
    RecentShape shape = new RecentShape(lines, layers, bitsPerWord, window, true);
    return RecentFilter.create(shape, Hasher.xxh3(), time);
  }

  private RecentFilter restored(byte[] bytes, EventTime time) {
    RecentFilter filter;
    try {
      filter = (RecentFilter) Filters.read(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("the state of the query is damaged", e);
    }
    RecentShape asked = new RecentShape(lines, layers, bitsPerWord, window, true);
    if (!filter.shape().equals(asked)) {
      throw new IllegalStateException(
          "the checkpoint was made with other settings (%s) than the present ones (%s); start from a"
                  .formatted(filter.shape(), asked)
              + " new checkpoint");
    }
    return filter.copy(time);
  }

  /** The greatest event time so far; a restored filter knows its own. */
  private static final class EventTime implements InstantSource {

    private long latest;

    void advanceTo(long millis) {
      latest = Math.max(latest, millis);
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
