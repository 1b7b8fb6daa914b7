package io.bloomery.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.udf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.membership.BlockedBloomFilter;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BloomJoinTest {

  private static final SparkSession SPARK = LocalSpark.session();
  private static final String BROADCAST = "spark.sql.autoBroadcastJoinThreshold";

  /** Keys 0…3,999 twice, and some NULLs. */
  private static final Dataset<Row> BIG =
      SPARK
          .range(0, 8_000, 1, 2)
          .select(
              expr("if(id % 100 = 7, null, id % 4000)").as("k"),
              expr("concat('key ', id % 4000)").as("text"),
              expr("id").as("payload"));

  /** Keys 0…199, three of them twice, two that the other side lacks, and a NULL. */
  private static final Dataset<Row> SMALL =
      SPARK
          .range(0, 206, 1, 2)
          .select(
              expr("case when id < 200 then id when id < 203 then id - 200 when id < 205 then -id end")
                  .as("k"),
              expr("concat('key ', id)").as("text"),
              expr("id * 10").as("extra"));

  @BeforeAll
  static void shuffleInsteadOfBroadcast() {
    SPARK.conf().set(BROADCAST, "-1");
  }

  @AfterAll
  static void asBefore() {
    SPARK.conf().unset(BROADCAST);
  }

  @ParameterizedTest
  @ValueSource(strings = {"inner", "left_anti"})
  void theRowsAreThoseOfThePlainJoin(String type) {
    check(type);
  }

  /** An application that joins all day does not collect filters: a filter goes with its plan. */
  @Test
  void noFilterIsLeftBehind() {
    Set<String> before = NamedFilters.snapshot(SPARK).keySet();
    BloomJoin join = BloomJoin.plan(BIG.drop("text"), SMALL.drop("text"), "inner", "k");
    assertThat(join.isFiltered()).isTrue();
    assertThat(NamedFilters.snapshot(SPARK).keySet()).isEqualTo(before);
    assertThat(BloomJoin.prefilter(BIG, SMALL, "k").count()).isBetween(396L, 420L);
    assertThat(NamedFilters.snapshot(SPARK).keySet()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"left_outer", "right", "leftsemi", "full"})
  @Tag("long")
  void theRowsAreThoseOfThePlainJoinInTheOtherTypesToo(String type) {
    check(type);
  }

  private static void check(String type) {
    Dataset<Row> big = BIG.drop("text");
    Dataset<Row> small = SMALL.drop("text");
    BloomJoin join = BloomJoin.plan(big, small, type, "k");
    same(join.rows(), big.join(small, new String[] {"k"}, type));
    assertThat(join.isFiltered()).isEqualTo(Set.of("inner", "right", "leftsemi").contains(type));
    BloomJoin mirrored = BloomJoin.plan(small, big, type, "k");
    same(mirrored.rows(), small.join(big, new String[] {"k"}, type));
    assertThat(mirrored.isFiltered()).isEqualTo(!Set.of("right", "full").contains(type));
    if (type.equals("full")) {
      assertThat(mirrored.reason())
          .isEqualTo(
              "no filter: a join of type full keeps all rows of the larger side, the right one");
    }
  }

  @Test
  @Tag("long")
  void keysOfSeveralColumnsAndOtherTypes() {
    for (String[] keys : new String[][] {{"text"}, {"k", "date"}, {"number"}, {"part"}}) {
      Dataset<Row> big = typed(BIG.drop("extra"));
      Dataset<Row> small = typed(SMALL.drop("payload"));
      BloomJoin join =
          BloomJoin.plan(big.select("payload", keys), small.select("extra", keys), "inner", keys);
      assertThat(join.isFiltered()).as(join.reason()).isTrue();
      same(
          join.rows(),
          big.select("payload", keys).join(small.select("extra", keys), keys, "inner"));
    }
  }

  private static Dataset<Row> typed(Dataset<Row> rows) {
    return rows.withColumn("date", expr("date_add(date'2020-01-01', cast(k as int))"))
        .withColumn("number", expr("cast(k as decimal(12, 3)) / 8"))
        .withColumn("part", expr("struct(k % 1000 as a, text as b)"));
  }

  @Test
  void wholeNumbersOfDifferentTypesAreCompared() {
    Dataset<Row> small = SMALL.select(col("k").cast("int").as("k"));
    BloomJoin join = BloomJoin.plan(BIG, small, "left_semi", "k");
    assertThat(join.isFiltered()).isTrue();
    same(join.rows(), BIG.join(small, new String[] {"k"}, "left_semi"));
  }

  /** What cannot be compared by hashes is joined without a filter. */
  @Test
  void otherTypesAreJoinedWithoutAFilter() {
    Dataset<Row> decimal = SMALL.select(col("k").cast("decimal(10, 2)").as("k"));
    BloomJoin join = BloomJoin.plan(BIG, decimal, "inner", "k");
    assertThat(join.reason())
        .isEqualTo(
            "no filter: the column k has the type bigint on one side and decimal(10,2) on the other");
    same(join.rows(), BIG.join(decimal, new String[] {"k"}, "inner"));
    assertThatThrownBy(() -> BloomJoin.prefilter(BIG, decimal, "k"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("decimal(10,2)");
    assertThatThrownBy(() -> BloomJoin.prefilter(BIG, SMALL, "nothing"))
        .hasMessageContaining("there is no column nothing");
    assertThatThrownBy(() -> BloomJoin.join(BIG, SMALL, "inner"))
        .hasMessageContaining("keys is empty");
  }

  /** 980,000 rows without a partner: 5 standard deviations, and those of the filter's own rate. */
  @Test
  void aPrefilterKeepsRowsWithAPartnerAndOneInAThousandOfTheOthers() {
    Dataset<Row> million = SPARK.range(0, 1_000_000, 1, 2).select(expr("id * 7").as("k"));
    Dataset<Row> keys = SPARK.range(0, 20_000, 1, 2).select(expr("id * 7").as("k"));
    Dataset<Row> kept = BloomJoin.prefilter(million, keys, "k");
    double expected =
        980_000 * BlockedBloomFilter.create(20_000, 0.001).shape().falsePositiveRate(20_000);
    assertThat(expected).isBetween(900.0, 980.0);
    // The rates of 4,000 such filters have a standard deviation of 2.5 %.
    assertThat(kept.count() - 20_000.0)
        .isCloseTo(expected, within(5 * Math.hypot(Math.sqrt(expected), 0.025 * expected)));
    assertThat(kept.where("k < 140000").count()).isEqualTo(20_000);
    assertThat(BloomJoin.prefilter(BIG, SMALL, "k").where("k is null").count()).isZero();
  }

  @Test
  void aFilterThatCannotPayIsLeftOut() {
    BloomJoin all = BloomJoin.plan(BIG, BIG.select("k").distinct(), "inner", "k");
    assertThat(all.reason())
        .matches("no filter: \\d+ % of a sample of rows have a partner; the right side .*");
    SPARK.conf().set(BROADCAST, "10000000");
    try {
      assertThat(BloomJoin.plan(BIG, SMALL, "inner", "k").reason())
          .matches("no filter: Spark broadcasts a side of \\d+ bytes and shuffles nothing");
    } finally {
      SPARK.conf().set(BROADCAST, "-1");
    }
    // A side that must be computed first is not sampled.
    BloomJoin computed = BloomJoin.plan(BIG.distinct(), SMALL, "inner", "k");
    assertThat(computed.reason())
        .isEqualTo(
            "the left side is filtered by 202 keys of the other; the right side is computed twice, as"
                + " its rows cannot change");
  }

  /** Each row of the smaller side is computed once, however the join ends. */
  @Test
  void aSideThatMayHaveOtherRowsIsComputedOnce() {
    LongAccumulator computed = SPARK.sparkContext().longAccumulator();
    UDF1<Long, Long> counting =
        extra -> {
          computed.add(1);
          return extra;
        };
    Dataset<Row> small =
        SMALL.withColumn(
            "extra", udf(counting, DataTypes.LongType).asNondeterministic().apply(col("extra")));
    try (BloomJoin join = BloomJoin.plan(BIG, small, "inner", "k")) {
      assertThat(join.isFiltered()).isTrue();
      assertThat(join.reason())
          .endsWith(
              "; the right side was computed once and kept on the executors, in memory and on disk");
      same(join.rows(), BIG.join(SMALL, new String[] {"k"}, "inner"));
    }
    assertThat(computed.value()).isEqualTo(206);
    Dataset<Row> random = SMALL.withColumn("draw", expr("rand()")).where("draw < 0.5");
    for (BloomJoin join :
        List.of(
            BloomJoin.plan(BIG, random, "inner", "k"), BloomJoin.plan(random, BIG, "inner", "k"))) {
      assertThat(join.isFiltered()).as(join.reason()).isTrue();
      join.close();
    }
    assertThat(BloomJoin.plan(BIG.where("rand() < 2"), SMALL, "inner", "k").isFiltered()).isTrue();
  }

  /** What is kept is freed, and the rows are gone rather than others. */
  @Test
  void closingFreesWhatWasKept() {
    int before = SPARK.sparkContext().getPersistentRDDs().size();
    BloomJoin join = BloomJoin.plan(BIG, SMALL.limit(50), "inner", "k");
    assertThat(SPARK.sparkContext().getPersistentRDDs().size()).isEqualTo(before + 1);
    join.close();
    assertThat(SPARK.sparkContext().getPersistentRDDs().size()).isEqualTo(before);
    assertThatThrownBy(() -> join.rows().count())
        .hasStackTraceContaining("CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND");
  }

  /** The caller computes the side once more, so a plan that may have other rows is refused. */
  @Test
  void aPrefilterTakesOnlySidesThatAreTheSameTwice(@TempDir Path directory) {
    String file = directory.resolve("side").toString();
    SMALL.write().parquet(file);
    Dataset<Row> read = SPARK.read().parquet(file);
    for (Dataset<Row> side :
        List.of(
            read.where("extra > 5").distinct(),
            read.groupBy("k")
                .agg(
                    expr("count(*)"),
                    expr("max(extra)"),
                    expr("sum(extra)"),
                    expr("avg(cast(extra as decimal(28, 2)))")),
            read.union(read).orderBy("k").repartition(3),
            read.limit(50).localCheckpoint())) {
      assertThat(BloomJoin.prefilter(BIG, side, "k").count()).isGreaterThanOrEqualTo(10);
    }
    for (Dataset<Row> side :
        List.of(
            read.limit(50),
            read.dropDuplicates("extra"),
            read.withColumn("n", expr("row_number() over (order by 1)")),
            read.where("rand() < 0.5"),
            read.where("current_timestamp() > timestamp'2020-01-01'"),
            read.groupBy("extra").agg(expr("first(k) as k")),
            read.groupBy("k").agg(expr("sum(extra * 0.5D)")),
            read.groupBy("k").agg(expr("avg(extra)")), // a sum of doubles
            read.groupBy("k").agg(expr("sum(cast(extra as decimal(38, 2)))")),
            read.selectExpr("text collate UTF8_LCASE as t", "k").distinct(),
            read.groupBy("k").agg(expr("min(text collate UTF8_LCASE)")),
            read.sample(0.5))) {
      assertThatThrownBy(() -> BloomJoin.prefilter(BIG, side, "k"))
          .hasMessageContaining("may have other rows when it is computed again, because of ")
          .hasMessageContaining("localCheckpoint");
    }
  }

  @Test
  void streamsAreJoinedWithoutAFilter() {
    Dataset<Row> stream =
        SPARK.readStream().format("rate").load().select(expr("value as k"), expr("timestamp"));
    assertThat(BloomJoin.plan(stream, SMALL, "inner", "k").reason())
        .isEqualTo("no filter: a side is a stream, whose rows are still to come");
  }

  /** As in a join without a filter: regardless of case, unless Spark is told otherwise. */
  @Test
  void columnsAreFoundAsSparkFindsThem() {
    Dataset<Row> big = BIG.select(col("k").as("Key"), col("payload"));
    Dataset<Row> small = SMALL.select(col("k").as("kEY"), col("extra").as("dotted.name"));
    BloomJoin join = BloomJoin.plan(big, small, "inner", "key");
    assertThat(join.isFiltered()).as(join.reason()).isTrue();
    same(join.rows(), big.join(small, new String[] {"key"}, "inner"));
    Dataset<Row> dotted = BIG.select(col("k").multiply(10).as("dotted.name"), col("payload"));
    BloomJoin byDotted = BloomJoin.plan(dotted, small, "inner", "dotted.name");
    assertThat(byDotted.isFiltered()).as(byDotted.reason()).isTrue();
    same(byDotted.rows(), dotted.join(small, new String[] {"dotted.name"}, "inner"));
    SPARK.conf().set("spark.sql.caseSensitive", "true");
    try {
      assertThatThrownBy(() -> BloomJoin.prefilter(big, small, "key"))
          .hasMessage("there is no column key among [Key, payload]");
      assertThatThrownBy(() -> BloomJoin.plan(big, small, "inner", "key"))
          .isInstanceOf(org.apache.spark.sql.AnalysisException.class);
    } finally {
      SPARK.conf().unset("spark.sql.caseSensitive");
    }
  }

  @Test
  void anEmptySide() {
    Dataset<Row> none = SMALL.where("extra < 0");
    assertThat(BloomJoin.join(BIG, none, "inner", "k").count()).isZero();
    assertThat(BloomJoin.join(BIG, none, "left_anti", "k").count()).isEqualTo(8_000);
    assertThat(BloomJoin.join(none, BIG, "inner", "k").count()).isZero();
  }

  /**
   * Rows of 80 bytes are shuffled without a filter; with one, those of the smaller side and few
   * more.
   */
  @Test
  void littleIsShuffled() throws TimeoutException {
    Dataset<Row> wide =
        BIG.drop("text").withColumn("body", expr("sha2(cast(payload as string), 256)"));
    Dataset<Row> small = SMALL.drop("text");
    long plain =
        ShuffledBytes.of(
            SPARK, () -> wide.join(small, new String[] {"k"}, "inner").collectAsList());
    long filtered =
        ShuffledBytes.of(SPARK, () -> BloomJoin.join(wide, small, "inner", "k").collectAsList());
    assertThat(plain).isGreaterThan(400_000);
    assertThat(filtered).isBetween(1L, plain / 8);
  }

  private static void same(Dataset<Row> found, Dataset<Row> expected) {
    assertThat(found.columns()).isEqualTo(expected.columns());
    assertThat(found.collectAsList())
        .hasSizeGreaterThan(0)
        .containsExactlyInAnyOrderElementsOf(expected.collectAsList());
  }
}
