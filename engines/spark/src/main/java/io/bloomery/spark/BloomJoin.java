package io.bloomery.spark;

import io.bloomery.Filter;
import io.bloomery.HashedFilter;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Joins whose larger side is filtered before it is shuffled, by a filter of the other side's keys,
 * which is built first. The rows of the result are those of the plain join.
 *
 * <pre>{@code
 * Dataset<Row> joined = BloomJoin.join(orders, vipCustomers, "inner", "customer");
 * Dataset<Row> fewer = BloomJoin.prefilter(orders, vipCustomers, "customer"); // for a join of your own
 * }</pre>
 *
 * <p>A filter is built while {@code join} runs, from the keys of one side. That side is computed
 * once, then, and kept for the join, since it may have other rows when it is computed again, as
 * {@code limit} and {@code dropDuplicates} have: in the checkpoint directory if one is set, else in
 * memory and on the disks of the executors, where the rows survive the loss of one executor; if
 * more are lost, the query fails. A side whose rows certainly are the same, such as one that was
 * checkpointed, is not kept. What is kept is freed by {@link #close}, or when the driver collects
 * the plan as garbage (files in the checkpoint directory only if {@code
 * spark.cleaner.referenceTracking.cleanCheckpoints} is set).
 *
 * <p>Nothing need be known in advance: keys are counted first. The filter errs at a rate of 0.1 %,
 * and its errors only cost time.
 *
 * <p>{@code join} omits the filter where it cannot pay off, and {@link #reason} says why: Spark
 * would broadcast a side and shuffle nothing; there are too many keys; most rows of a sample have a
 * partner; the join keeps all rows of the larger side; a side is a stream; or keys cannot be
 * compared by their hashes.
 */
public final class BloomJoin implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BloomJoin.class);

  /** Above this share of rows with a partner, hashing costs more than the shuffle it saves. */
  private static final double MOST_PARTNERS = 0.7;

  /** The most keys: their filter has 100 MB, which can still be sent to every executor. */
  private static final long MOST_KEYS = 50_000_000;

  private static final double RATE = 0.001;

  /** Joins that drop rows of the left side without a partner. */
  private static final Set<String> FREE_LEFT =
      Set.of("inner", "right", "rightouter", "leftsemi", "semi");

  /** Joins in which rows of the right side without a partner make no difference. */
  private static final Set<String> FREE_RIGHT =
      Set.of("inner", "left", "leftouter", "leftsemi", "semi", "leftanti", "anti");

  private final Dataset<Row> rows;
  private final String reason;
  private final boolean filtered;
  private final @Nullable KeptSide kept;

  private BloomJoin(Dataset<Row> rows, boolean filtered, String reason, @Nullable KeptSide kept) {
    this.rows = rows;
    this.filtered = filtered;
    this.reason = reason;
    this.kept = kept;
  }

  /**
   * The rows that may have a partner: all that have one, and one in a thousand of the others. For
   * joins that drop rows without a partner, and for semi-joins. Rows with a NULL in a key have
   * none.
   *
   * <p>Here the side with the keys is computed by a job, and once more by your join, so it must
   * have the same rows both times: a plan that may have others is refused, and files that it reads
   * must not change in between. {@code small.localCheckpoint()} makes such a side of any.
   *
   * @param big the rows to be filtered
   * @param small the rows with the keys
   * @param keys the columns to be compared, of the same names and types on both sides
   * @return some of the rows of {@code big}, in their order
   * @throws IllegalArgumentException if a column is missing, values cannot be compared by their
   *     hashes, or {@code small} may have other rows when it is computed again
   */
  public static Dataset<Row> prefilter(Dataset<Row> big, Dataset<Row> small, String... keys) {
    String problem = KeyTypes.problem(big, small, keys);
    if (problem != null) {
      throw new IllegalArgumentException(problem);
    }
    String change = Repeatable.problemIfFilesStay(small);
    if (change != null) {
      throw new IllegalArgumentException(
          "the side with the keys may have other rows when it is computed again, because of %s; join"
                  .formatted(change)
              + " by BloomJoin.join, or use small.localCheckpoint() here and in your join");
    }
    return filtered(big, SideKeys.of(small, keys).filter(small, RATE, keys), keys);
  }

  /**
   * A join, with a filter where it pays off.
   *
   * @param left the left side
   * @param right the right side
   * @param type the type of join, as {@link Dataset#join} takes it
   * @param keys the columns to be compared, of the same names on both sides; in the result once
   * @return the rows of the plain join
   */
  public static Dataset<Row> join(
      Dataset<Row> left, Dataset<Row> right, String type, String... keys) {
    return plan(left, right, type, keys).rows();
  }

  /**
   * The same join with the decision that was made.
   *
   * @param left the left side
   * @param right the right side
   * @param type the type of join, as {@link Dataset#join} takes it
   * @param keys the columns to be compared, of the same names on both sides; in the result once
   * @return the join and why it has a filter or not
   */
  public static BloomJoin plan(Dataset<Row> left, Dataset<Row> right, String type, String... keys) {
    Objects.requireNonNull(type, "type");
    if (keys.length == 0) {
      throw new IllegalArgumentException("keys is empty; name the columns to be compared");
    }
    BloomJoin plan = new Sides(left, right, type, keys).plan();
    LOG.info("{} join on {}: {}", type, Arrays.toString(keys), plan.reason);
    return plan;
  }

  /**
   * The result of the join.
   *
   * @return the rows of the plain join
   */
  public Dataset<Row> rows() {
    return rows;
  }

  /**
   * Whether a side is filtered.
   *
   * @return false if that cannot pay off
   */
  public boolean isFiltered() {
    return filtered;
  }

  /**
   * Why a side is filtered, or none is, and how the other side was kept.
   *
   * @return a sentence with the numbers that decided
   */
  public String reason() {
    return reason;
  }

  /**
   * Frees the rows of the side that was kept for the join. {@link #rows} cannot be computed any
   * more then.
   */
  @Override
  public void close() {
    if (kept != null) {
      kept.release();
    }
  }

  private static Dataset<Row> filtered(Dataset<Row> rows, Filter filter, String... keys) {
    Column[] columns = KeyTypes.columns(rows, keys);
    Column key = columns.length == 1 ? columns[0] : functions.struct(columns);
    Dataset<Row> known = rows;
    if (columns.length > 1) {
      for (Column column : columns) {
        known = known.where(column.isNotNull());
      }
    }
    SparkSession spark = rows.sparkSession();
    BloomeryCatalog.install(spark);
    String name = NamedFilters.unused();
    NamedFilters.put(spark, name, SharedFilter.of(filter));
    try {
      return known.where(BloomeryFilters.contains(name, key));
    } finally {
      NamedFilters.forget(
          spark, name); // the plan has the filter now, which goes when the plan does
    }
  }

  /** Both sides of a join. */
  private static final class Sides {

    private final Dataset<Row> left;
    private final Dataset<Row> right;
    private final String type;
    private final String[] keys;

    Sides(Dataset<Row> left, Dataset<Row> right, String type, String... keys) {
      this.left = left;
      this.right = right;
      this.type = type;
      this.keys = keys;
    }

    BloomJoin plan() {
      if (left.isStreaming() || right.isStreaming()) {
        return plain("a side is a stream, whose rows are still to come");
      }
      String name = type.replace("_", "").toLowerCase(Locale.ROOT);
      boolean leftFree = FREE_LEFT.contains(name);
      boolean rightFree = FREE_RIGHT.contains(name);
      BigInteger leftBytes = bytes(left);
      BigInteger rightBytes = bytes(right);
      boolean filterLeft = leftBytes.compareTo(rightBytes) >= 0;
      if (!(filterLeft ? leftFree : rightFree)) {
        return plain(
            "a join of type %s keeps all rows of the larger side, the %s one"
                .formatted(type, filterLeft ? "left" : "right"));
      }
      Dataset<Row> big = filterLeft ? left : right;
      Dataset<Row> small = filterLeft ? right : left;
      String problem = KeyTypes.problem(big, small, keys);
      if (problem != null) {
        return plain(problem);
      }
      long broadcast = left.sparkSession().sessionState().conf().autoBroadcastJoinThreshold();
      BigInteger least = leftBytes.min(rightBytes);
      if (least.bitLength() < Long.SIZE && least.longValue() <= broadcast) {
        return plain("Spark broadcasts a side of %s bytes and shuffles nothing".formatted(least));
      }
      KeptSide kept = KeptSide.of(small);
      try {
        return filtered(big, kept, filterLeft);
      } catch (RuntimeException | Error e) {
        kept.release();
        throw e;
      }
    }

    private BloomJoin filtered(Dataset<Row> big, KeptSide kept, boolean filterLeft) {
      SideKeys found = SideKeys.of(kept.rows(), keys);
      if (found.count() > MOST_KEYS) {
        return joined(
            big,
            kept,
            filterLeft,
            false,
            "the smaller side has %,d keys, and a filter at most %,d"
                .formatted(found.count(), MOST_KEYS));
      }
      HashedFilter filter = found.filter(kept.rows(), RATE, keys);
      double partners = Partners.share(big, filter, keys);
      if (partners > MOST_PARTNERS) {
        return joined(
            big,
            kept,
            filterLeft,
            false,
            "%.0f %% of a sample of rows have a partner".formatted(100 * partners));
      }
      String why =
          "the %s side is filtered by %,d keys of the other%s"
              .formatted(
                  filterLeft ? "left" : "right",
                  found.count(),
                  partners < 0
                      ? ""
                      : ", which %.1f %% of a sample of its rows have".formatted(100 * partners));
      return joined(BloomJoin.filtered(big, filter, keys), kept, filterLeft, true, why);
    }

    /** The join of a larger side, filtered or not, with the one that was kept. */
    private BloomJoin joined(
        Dataset<Row> big, KeptSide kept, boolean bigIsLeft, boolean isFiltered, String why) {
      return new BloomJoin(
          bigIsLeft ? big.join(kept.rows(), keys, type) : kept.rows().join(big, keys, type),
          isFiltered,
          "%s%s; the %s side %s"
              .formatted(
                  isFiltered ? "" : "no filter: ", why, bigIsLeft ? "right" : "left", kept.way()),
          kept);
    }

    private BloomJoin plain(String why) {
      return new BloomJoin(left.join(right, keys, type), false, "no filter: " + why, null);
    }

    private static BigInteger bytes(Dataset<Row> side) {
      return side.queryExecution().optimizedPlan().stats().sizeInBytes().bigInteger();
    }
  }
}
