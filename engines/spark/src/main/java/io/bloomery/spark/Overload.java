package io.bloomery.spark;

import io.bloomery.Filter;
import io.bloomery.FrameHeader.Description;
import java.io.Serializable;
import java.util.Locale;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.AccumulatorV2;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts filters that hold so many keys that they err more than twice as often as promised, over
 * all tasks. The driver logs a warning with the figures of the worst when the count has doubled.
 * The user interface of Spark shows the accumulator by its name.
 */
final class Overload extends AccumulatorV2<Overload.Case, Overload.Total> {

  /** The name of the accumulator. */
  static final String NAME = "bloomery: overloaded filters";

  private static final long serialVersionUID = 1;
  private static final Logger LOG = LoggerFactory.getLogger(Overload.class);

  /** A filter is overloaded above this multiple of its promised rate. */
  private static final double MULTIPLE = 2;

  /** One filter: its rate, the promised one, and how many keys it was made for. */
  record Case(double rate, double promised, long expectedKeys) implements Serializable {

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "the false-positive rate is %.3g instead of %.3g, since it has more than its %,d keys",
          rate,
          promised,
          expectedKeys);
    }
  }

  /** How many there were, and the worst. */
  record Total(long count, @Nullable Case worst) implements Serializable {

    private static final Total NONE = new Total(0, null);

    Total plus(Total other) {
      Case one = worst;
      Case two = other.worst;
      Case worse = one == null || (two != null && two.rate > one.rate) ? two : one;
      return new Total(count + other.count, worse);
    }

    @Override
    public String toString() {
      return count + " overloaded filters" + (worst == null ? "" : "; of the worst, " + worst);
    }
  }

  private final String message;
  private Total total = Total.NONE;

  private Overload(String message) {
    this.message = message;
  }

  /** For the filters of {@code bloom_agg}. */
  static Overload ofAggregates(SparkSession spark) {
    return registered(
        spark, "bloom_agg made {}. Give a larger number of keys; bloom_info tells the rate");
  }

  /** For the buckets of a deduplication. */
  static Overload ofBuckets(SparkSession spark, boolean failsClosed) {
    return registered(
        spark,
        failsClosed
            ? "Deduplication has {}. New rows are dropped at that rate; expect more keys"
            : "Deduplication has {}. Until keys expire, rows are forwarded unchecked; expect more"
                + " keys");
  }

  private static Overload registered(SparkSession spark, String message) {
    Overload overload = new Overload(message);
    spark.sparkContext().register(overload, NAME);
    return overload;
  }

  /** What is wrong with a filter, or null. Costs a pass over the filter. */
  static @Nullable Case of(Filter filter, Description description) {
    Number promised = description.number(Description.PROMISED_RATE).orElse(null);
    Number expected = description.number(Description.EXPECTED_KEYS).orElse(null);
    if (promised == null || expected == null) {
      return null;
    }
    double rate = filter.falsePositiveRate();
    return rate > MULTIPLE * promised.doubleValue()
        ? new Case(rate, promised.doubleValue(), expected.longValue())
        : null;
  }

  @Override
  public boolean isZero() {
    return total.count == 0;
  }

  @Override
  public AccumulatorV2<Case, Total> copy() {
    Overload copy = new Overload(message);
    copy.total = total;
    return copy;
  }

  @Override
  public void reset() {
    total = Total.NONE;
  }

  @Override
  public void add(Case found) {
    total = total.plus(new Total(1, found));
  }

  @Override
  public void merge(AccumulatorV2<Case, Total> other) {
    long before = total.count;
    total = total.plus(other.value());
    // On the driver, when a task has ended.
    if (Long.numberOfLeadingZeros(before) > Long.numberOfLeadingZeros(total.count)) {
      LOG.warn(message, total);
    }
  }

  @Override
  public Total value() {
    return total;
  }
}
