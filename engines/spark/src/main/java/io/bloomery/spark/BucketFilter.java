package io.bloomery.spark;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TTLConfig;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.streaming.ValueState;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Keeps the filter of each bucket in the state of a query. One more bucket, {@link #SETTINGS}, has
 * the settings that the state was made with. Every partition of a batch sends it a row, so that no
 * batch ends with other settings: a bucket alone cannot tell, since there may be none where the
 * present settings look for it.
 */
final class BucketFilter extends StatefulProcessor<Integer, Row, Row> {

  /** The number of the bucket with the settings. */
  static final int SETTINGS = -1;

  private static final long serialVersionUID = 3;

  private final Bucket bucket;
  private final String settings;
  private transient @Nullable ValueState<byte[]> state;

  /** Settings are lines of a name, an equals sign and a value. */
  BucketFilter(Bucket bucket, String settings) {
    this.bucket = bucket;
    this.settings = settings;
  }

  @Override
  public void init(OutputMode outputMode, TimeMode timeMode) {
    state = getHandle().getValueState("filter", Encoders.BINARY(), TTLConfig.NONE());
  }

  @Override
  public scala.collection.Iterator<Row> handleInputRows(
      Integer number, scala.collection.Iterator<Row> rows, TimerValues timers) {
    ValueState<byte[]> stored = Objects.requireNonNull(state);
    byte[] bytes = stored.exists() ? stored.get() : null;
    if (number == SETTINGS) {
      if (bytes == null) {
        stored.update(settings.getBytes(UTF_8));
      } else {
        requireSame(new String(bytes, UTF_8));
      }
      return CollectionConverters.asScala(List.<Row>of().iterator());
    }
    Bucket.Kept kept = bucket.keep(CollectionConverters.asJava(rows), bytes);
    if (kept.filter() != null) {
      stored.update(kept.filter().toBytes());
    }
    return CollectionConverters.asScala(kept.rows().iterator());
  }

  private void requireSame(String old) {
    if (old.equals(settings)) {
      return;
    }
    List<String> before = old.lines().toList();
    List<String> differences = new ArrayList<>();
    for (String now : settings.lines().toList()) {
      String name = now.substring(0, now.indexOf('=') + 1);
      String was =
          before.stream()
              .filter(line -> line.startsWith(name))
              .findFirst()
              .map(line -> line.substring(name.length()))
              .orElse("unknown");
      if (!now.equals(name + was)) {
        differences.add(
            "%s was %s and is %s"
                .formatted(name.replace("=", ""), was, now.substring(name.length())));
      }
    }
    throw new IllegalStateException(
        "the checkpoint was made with other settings: %s. Start from a new checkpoint, or with the"
                .formatted(String.join(", ", differences))
            + " old settings");
  }

  /**
   * The rows of a partition, and one more for the bucket with the settings: a copy of the last one.
   * Its bucket is in the last column.
   */
  static Iterator<Row> withSettings(Iterator<Row> rows) {
    return new Iterator<>() {
      private @Nullable Row last;
      private boolean done;

      @Override
      public boolean hasNext() {
        return rows.hasNext() || (last != null && !done);
      }

      @Override
      public Row next() {
        if (rows.hasNext()) {
          Row row = rows.next();
          last = row;
          return row;
        }
        if (last == null || done) {
          throw new NoSuchElementException();
        }
        done = true;
        Object[] values = new Object[last.length()];
        for (int i = 0; i < values.length - 1; i++) {
          values[i] = last.get(i);
        }
        values[values.length - 1] = SETTINGS;
        return RowFactory.create(values);
      }
    };
  }
}
