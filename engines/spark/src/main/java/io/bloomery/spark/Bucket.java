package io.bloomery.spark;

import io.bloomery.Filters;
import io.bloomery.hash.Hasher;
import io.bloomery.window.RecentFilter;
import io.bloomery.window.RecentShape;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of a bucket of keys are kept. The bucket has a filter, whose time is the greatest
 * event time of a key in the bucket so far. Rows of a batch come in any order; taken in that of
 * their times, none is later than the stream made it.
 *
 * <p>While the filter errs more than twice as often as promised, a bucket that fails open keeps all
 * rows and adds no keys. A row that is too far ahead of the wall clock would stop the time of the
 * bucket, so its key is not added either.
 */
final class Bucket implements Serializable {

  private static final long serialVersionUID = 1;

  /** A bucket is overloaded above this multiple of the promised rate. */
  private static final double MULTIPLE = 2;

  /** The rate is measured at the first row of a batch, and this often while the bucket fills. */
  private static final int MEASUREMENTS = 16;

  private static final int LEAST_STEP = 16;

  private final long lines;
  private final int layers;
  private final int bitsPerWord;
  private final long window;
  private final long maxJump;
  private final long keys;
  private final double promised;
  private final boolean failsClosed;
  private final int timeAt;
  private final int hashAt;
  private final DeduplicationCounts counts;

  /**
   * A bucket for a number of keys at a promised rate. Rows have their time and the hash of their
   * key in these columns; NULL if they have none.
   *
   * @param maxJump how many milliseconds a row may be ahead of the wall clock
   */
  Bucket(
      RecentShape shape,
      long maxJump,
      long keys,
      double promised,
      boolean failsClosed,
      int timeAt,
      int hashAt,
      DeduplicationCounts counts) {
    this.lines = shape.lines();
    this.layers = shape.layers();
    this.bitsPerWord = shape.bitsPerWord();
    this.window = shape.window();
    this.maxJump = maxJump;
    this.keys = keys;
    this.promised = promised;
    this.failsClosed = failsClosed;
    this.timeAt = timeAt;
    this.hashAt = hashAt;
    this.counts = counts;
  }

  /** The bucket of a hash, from bits that are independent of its place in a filter. */
  static int number(long hash, int buckets) {
    return (int) Math.multiplyHigh((hash * 0x9E3779B97F4A7C15L) >>> 1, 2L * buckets);
  }

  /** What is kept of a batch, and what the bucket remembers then. */
  record Kept(List<Row> rows, @Nullable RecentFilter filter) {}

  /**
   * A dataset that is not a stream: all come in one batch, so that a row that is ahead comes last,
   * and nothing is stored.
   */
  Iterator<Row> once(Iterator<Row> rows) {
    return keep(rows, null, Long.MAX_VALUE).rows().iterator();
  }

  /**
   * The rows that are kept.
   *
   * @param rows a batch
   * @param stored the bytes of the filter, or null for an empty one
   * @return with a filter if it has new keys
   */
  Kept keep(Iterator<Row> rows, byte @Nullable [] stored) {
    return keep(rows, stored, System.currentTimeMillis() + maxJump);
  }

  private Kept keep(Iterator<Row> rows, byte @Nullable [] stored, long latestBelieved) {
    EventTime time = new EventTime();
    RecentFilter filter =
        stored == null ? RecentFilter.create(shape(), Hasher.xxh3(), time) : restored(stored, time);
    List<Row> inOrder = new ArrayList<>();
    rows.forEachRemaining(inOrder::add);
    inOrder.sort(Comparator.comparingLong(this::millis));
    List<Row> kept = new ArrayList<>();
    Load load = new Load(filter);
    boolean changed = false;
    for (Row row : inOrder) {
      if (row.isNullAt(hashAt) || row.isNullAt(timeAt)) {
        kept.add(row);
        continue;
      }
      long millis = millis(row);
      if (millis > latestBelieved) {
        counts.ahead().add(1);
        if (!failsClosed) {
          kept.add(row);
        }
        continue;
      }
      time.advanceTo(millis);
      load.next();
      long hash = row.getLong(hashAt);
      boolean absent = !filter.mightContainHash(hash);
      if (load.isOpen()) {
        kept.add(row);
        counts.unchecked().add(1);
      } else if (absent) {
        kept.add(row);
        filter.addHash(hash);
        changed = true;
      } else {
        counts.dropped().add(1);
      }
    }
    load.report();
    return new Kept(kept, changed ? filter : null);
  }

  /** How often the filter errs, measured now and then. */
  private final class Load {

    private final RecentFilter filter;
    private final long step = Math.max(LEAST_STEP, keys / MEASUREMENTS);
    private long rowsLeft;
    private double rate;
    private double worst;

    Load(RecentFilter filter) {
      this.filter = filter;
    }

    void next() {
      if (rowsLeft-- == 0) {
        rate = filter.falsePositiveRate();
        worst = Math.max(worst, rate);
        rowsLeft = step - 1;
      }
    }

    /** Whether rows are kept without a check. */
    boolean isOpen() {
      return !failsClosed && rate > MULTIPLE * promised;
    }

    void report() {
      if (worst > MULTIPLE * promised) {
        counts.overload().add(new Overload.Case(worst, promised, keys));
      }
    }
  }

  /** The event time of a row; those without come first. */
  private long millis(Row row) {
    if (row.isNullAt(timeAt)) {
      return Long.MIN_VALUE;
    }
    Object time = row.get(timeAt);
    if (time instanceof LocalDateTime local) {
      return local.toInstant(ZoneOffset.UTC).toEpochMilli();
    }
    return time instanceof Instant instant
        ? instant.toEpochMilli()
        : ((java.sql.Timestamp) time).getTime();
  }

  private RecentShape shape() {
    return new RecentShape(lines, layers, bitsPerWord, window, true);
  }

  private RecentFilter restored(byte[] bytes, EventTime time) {
    RecentFilter filter;
    try {
      filter = (RecentFilter) Filters.read(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("the state of the query is damaged", e);
    }
    if (!filter.shape().equals(shape())) {
      throw new IllegalStateException(
          "the checkpoint was made with other settings: its filters were %s and are %s. Start from a"
                  .formatted(filter.shape(), shape())
              + " new checkpoint, or with the old settings");
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
