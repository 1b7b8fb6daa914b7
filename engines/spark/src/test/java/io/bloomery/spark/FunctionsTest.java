package io.bloomery.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.struct;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.FrameHeader;
import io.bloomery.Storable;
import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.SparkFormat;
import io.bloomery.frequency.CountMinFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.lookup.BankShape;
import io.bloomery.lookup.BloomierMap;
import io.bloomery.lookup.FilterBank;
import io.bloomery.membership.BlockedBloomFilter;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.Utils;
import org.apache.spark.util.sketch.BloomFilter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.jdk.javaapi.CollectionConverters;

/** The functions of the catalog. */
final class FunctionsTest {

  private static final SparkSession SPARK = LocalSpark.session();

  /** Values of every type; row 0 is not in the filters. */
  private static final String ROWS =
      "(select id, cast(id as int) i, cast(id as short) s, cast(id as byte) y, id * 0.5D d,"
          + " cast(id * 0.5D as float) g, id > 0 o, concat('key-', id) t, encode(concat('key-',"
          + " id), 'UTF-8') b, date_add(date'2024-01-01', cast(id as int)) da, timestamp_seconds(id)"
          + " ts, cast(id as decimal(12, 3)) m, cast(id as decimal(30, 3)) w, named_struct('i', id,"
          + " 't', concat('key-', id)) r, cast(null as long) nothing from range(0, 50, 1, 2))";

  @BeforeAll
  static void install() {
    BloomeryCatalog.install(SPARK);
  }

  private static Row only(String sql) {
    return SPARK.sql(sql).head();
  }

  /** Built by SQL, asked by SQL: by name and by bytes, in generated code. */
  @Test
  void everyTypeOfKey() throws IOException {
    Row built = only("select " + each("bloomery.bloom_agg(%s, 1000, 1e-6D)") + from("id > 0"));
    for (int i = 0; i < COLUMNS.size(); i++) {
      Storable filter = Filters.read((byte[]) built.get(i));
      BloomeryFilters.register(SPARK, "typed-" + COLUMNS.get(i), filter);
      if (i % 4 == 0) {
        Dataset<Row> rows = SPARK.sql("select *" + from("id > 0"));
        Storable same = BloomeryFilters.build(rows, COLUMNS.get(i), 1000, 1e-6);
        assertThat(filter.sameContent(same)).as(COLUMNS.get(i)).isTrue();
      }
    }
    Row byName =
        only("select " + each("count_if(bloomery.contains('typed-%1$s', %1$s))") + from("true"));
    Row byBytes =
        only(
            "select "
                + each("count_if(bloomery.contains(f_%1$s, %1$s))")
                + from("true")
                + ", (select "
                + each("bloomery.bloom_agg(%1$s, 1000, 1e-6D) f_%1$s")
                + from("id > 0")
                + ")");
    Row ofNulls =
        only(
            "select "
                + each("count(bloomery.contains('typed-%1$s', nullif(%1$s, %1$s)))")
                + from("true"));
    for (int i = 0; i < COLUMNS.size(); i++) {
      assertThat(byName.getLong(i)).as(COLUMNS.get(i)).isEqualTo(49);
      assertThat(byBytes.getLong(i)).as(COLUMNS.get(i)).isEqualTo(49);
      assertThat(ofNulls.getLong(i)).as(COLUMNS.get(i)).isZero();
    }
  }

  private static final List<String> COLUMNS =
      List.of("id", "i", "s", "y", "d", "g", "o", "t", "b", "da", "ts", "m", "w", "r");

  private static String each(String expression) {
    return COLUMNS.stream().map(expression::formatted).collect(Collectors.joining(", "));
  }

  private static String from(String condition) {
    return " from (select * from " + ROWS + " where " + condition + ")";
  }

  /** The slow path is called ApplyFunctionExpression; the fast one is a call of invoke. */
  @Test
  void everyFunctionIsGeneratedCodeForEveryType() {
    BloomeryFilters.register(SPARK, "plan", BlockedBloomFilter.create(1000, 0.01));
    for (String call :
        List.of(
            "contains('plan', %s)",
            "count('plan', %s)", "lookup('plan', %s)", "which('plan', %s)", "hash(%s, 7L)")) {
      String plan =
          SPARK
              .sql("select " + each("bloomery." + call + " as of_%1$s") + " from " + ROWS)
              .queryExecution()
              .executedPlan()
              .toString();
      assertThat(plan.split("invoke\\(\\w+\\.invoke\\(", -1)).as(call).hasSize(COLUMNS.size() + 1);
      assertThat(plan).doesNotContainIgnoringCase("applyfunction");
    }
  }

  /** What is found by the hashes of the column, except those of row 0. */
  @Test
  void everyTypeHasHashesCountsValuesAndSets() {
    long[] hashes =
        SPARK
            .sql("select " + each("bloomery.hash(%s, 0)") + from("id > 0"))
            .collectAsList()
            .stream()
            .flatMapToLong(row -> IntStream.range(0, row.length()).mapToLong(row::getLong))
            .distinct()
            .toArray();
    CountMinFilter counts = CountMinFilter.create(1000, 1e-6);
    FilterBank bank = FilterBank.create(BankShape.forKeys(70_000, 1e-6, 70, 1));
    for (long hash : hashes) {
      counts.addHash(hash, 3);
      bank.addHash(hash, 65);
    }
    long[] values = LongStream.of(hashes).map(hash -> hash & 0xFFFF).toArray();
    BloomeryFilters.register(SPARK, "all counts", counts);
    BloomeryFilters.register(SPARK, "all sets", bank);
    BloomeryFilters.register(SPARK, "all values", BloomierMap.ofHashes(hashes, values, 1e-6));
    for (String found :
        List.of(
            "bloomery.count('all counts', %1$s) = 3",
            "bloomery.which('all sets', %1$s) = array(65)",
            "bloomery.lookup('all values', %1$s) = bloomery.hash(%1$s, 0) & 65535")) {
      Row present = only("select " + each("count_if(" + found + ")") + from("true"));
      String ofNull = found.replaceFirst(" = .*", "");
      Row nulls =
          only(
              "select "
                  + each("count(" + ofNull.replace("%1$s", "nullif(%1$s, %1$s)") + ")")
                  + from("true"));
      for (int i = 0; i < COLUMNS.size(); i++) {
        assertThat(present.getLong(i)).as(found + " of " + COLUMNS.get(i)).isEqualTo(49);
        assertThat(nulls.getLong(i)).as(found + " of " + COLUMNS.get(i)).isZero();
      }
    }
  }

  /** So that a cached table is found again, and no expression is computed twice. */
  @Test
  void theSameQueryIsTheSamePlan() {
    BloomeryFilters.register(SPARK, "one", BlockedBloomFilter.create(1000, 0.01));
    String query =
        "select bloomery.contains('one', id) c, bloomery.count('one', id) n, bloomery.hash(id, 7) h"
            + " from range(9)";
    Dataset<Row> first = SPARK.sql(query);
    assertThat(first.sameSemantics(SPARK.sql(query))).isTrue();
    assertThat(first.sameSemantics(SPARK.sql(query.replace(".count", ".lookup")))).isFalse();
    BloomeryFilters.register(SPARK, "one", BlockedBloomFilter.create(2000, 0.01));
    assertThat(first.sameSemantics(SPARK.sql(query))).isFalse();
  }

  @Test
  void groups() throws IOException {
    List<Row> rows =
        SPARK
            .sql(
                "select id % 3 g, bloomery.bloom_agg(id, 100, 1e-4D) f from range(0, 99, 1, 5) group"
                    + " by 1 order by 1")
            .collectAsList();
    assertThat(rows).hasSize(3);
    for (Row row : rows) {
      Storable filter = Filters.read((byte[]) row.get(1));
      for (long id = 0; id < 99; id++) {
        if (id % 3 == row.getLong(0)) {
          assertThat(filter.mightContain(id)).isTrue();
        }
      }
    }
    // Filters that vary by row.
    long found =
        only("with f as (select id %% 3 g, bloomery.bloom_agg(id, 100, 1e-6D) f from range(99) group"
                    .replace("%%", "%")
                + " by 1) select count(*) from range(99) r join f on r.id % 3 = f.g where"
                + " bloomery.contains(f.f, r.id)")
            .getLong(0);
    assertThat(found).isEqualTo(99);
  }

  /** Spark's class loader does not know ours if they came by --packages. */
  @Test
  void statesOfTheAggregateTravelAsBytes() throws IOException {
    DataType[] types = {DataTypes.LongType, DataTypes.LongType, DataTypes.DoubleType};
    BloomAggregate aggregate = BloomAggregate.of(types, null);
    Serializable whole = aggregate.newAggregationState();
    for (long key = 0; key < 3; key++) {
      Serializable part =
          aggregate.update(
              aggregate.newAggregationState(),
              new GenericInternalRow(new Object[] {key, 10L, 1e-6}));
      Object arrived = Utils.deserialize(Utils.serialize(part));
      assertThat(arrived).isInstanceOf(byte[].class);
      whole = aggregate.merge(whole, (byte[]) arrived);
      byte[] empty = Utils.deserialize(Utils.serialize(aggregate.newAggregationState()));
      whole = aggregate.merge(whole, empty);
    }
    Storable filter = Filters.read(aggregate.produceResult(whole));
    assertThat(LongStream.range(0, 3).allMatch(filter::mightContain)).isTrue();
    assertThat(filter.mightContain(3L)).isFalse();
  }

  /** So a blocklist without rows blocks nothing. */
  @Test
  void nothingAggregatedIsAnEmptyFilter() throws IOException {
    String none = "select bloomery.bloom_agg(id, 5000, 0.001, 'bloom') f from range(0)";
    Storable empty = Filters.read((byte[]) only(none).get(0));
    assertThat(empty.sameContent(io.bloomery.membership.BloomFilter.create(5000, 0.001))).isTrue();
    Row kept =
        only("select count(*) from range(9) where not bloomery.contains((" + none + "), id)");
    assertThat(kept.getLong(0)).isEqualTo(9);
    // Groups and frames of windows without rows, and a group of NULLs.
    for (String query :
        List.of(
            "select bloomery.bloom_agg(id, 500, 0.01D) filter (where id < 0) f from range(9) group by"
                + " id % 2",
            "select bloomery.bloom_agg(id, 500, 0.01D) over (order by id rows between 3 preceding and"
                + " 2 preceding) f from range(2)",
            "select bloomery.bloom_agg(cast(null as long), 500, 0.01D) f from range(5)",
            "select bloomery.bloom_agg(null, 500, 0.01D) f from range(5)",
            "select bloomery.bloom_agg(distinct id, 500, 0.01D) f from range(0)")) {
      for (Row row : SPARK.sql(query).collectAsList()) {
        assertThat(
                Filters.read((byte[]) row.get(0)).sameContent(BlockedBloomFilter.create(500, 0.01)))
            .as(query)
            .isTrue();
      }
    }
    // A frame that grows.
    List<Row> growing =
        SPARK
            .sql("select id, bloomery.bloom_agg(id, 500, 1e-6D) over (order by id) f from range(9)")
            .collectAsList();
    for (Row row : growing) {
      Storable filter = Filters.read((byte[]) row.get(1));
      for (long id = 0; id < 9; id++) {
        assertThat(filter.mightContain(id)).isEqualTo(id <= row.getLong(0));
      }
    }
    // If the size is not a constant it is not known without rows.
    Row unknown = only("select bloomery.bloom_agg(id, id, 0.01D) from range(0)");
    assertThat(Filters.read((byte[]) unknown.get(0)).mightContain(0L)).isFalse();
  }

  @Test
  void countsOfGroups() throws IOException {
    Row counted =
        only("select bloomery.bloom_agg(id % 5, 10, 0.01, 'counting') from range(0, 50, 1, 3)");
    CountingBloomFilter filter = (CountingBloomFilter) Filters.read((byte[]) counted.get(0));
    assertThat(filter.count(3L)).isGreaterThanOrEqualTo(10);
  }

  /** NULL without a type is a NULL of any type. */
  @Test
  void nullIsTyped() {
    BloomeryFilters.register(SPARK, "typed null", BlockedBloomFilter.create(10, 0.01));
    for (String call :
        List.of(
            "contains(cast(null as binary), 5L)",
            "contains(null, 5L)",
            "contains(null, 'text')",
            "contains('typed null', null)",
            "contains(null, null)",
            "count(null, 5L)",
            "bloom_info(null)",
            "hash(null, 0)")) {
      Dataset<Row> row = SPARK.sql("select bloomery." + call + " from range(1)");
      assertThat(row.head().isNullAt(0)).as(call).isTrue();
    }
    assertThat(SPARK.sql("select bloomery.contains(null, 5L)").schema().fields()[0].dataType())
        .isEqualTo(DataTypes.BooleanType);
  }

  /** Before anything runs. */
  @Test
  void wrongConstantsFailAtAnalysis() {
    for (String arguments :
        List.of(
            "0, 0.01",
            "-5, 0.01",
            "1000, 0D",
            "1000, 1.5",
            "1000, 0.01, 'nonsense'",
            "1000, 0.01, 'cuckoo'",
            "null, 0.01",
            "1000, 0.01, null",
            "10 - 10, 0.01")) {
      String query = "select bloomery.bloom_agg(id, %s) from range(9)".formatted(arguments);
      assertThatThrownBy(() -> SPARK.sql(query))
          .as(arguments)
          .isInstanceOf(AnalysisException.class)
          .hasMessageContaining("bloom_agg(key, number of keys, false-positive rate[, variant]): ");
      assertThatThrownBy(() -> SPARK.sql("select bloomery.contains((" + query + "), 1L)"))
          .as(arguments)
          .isInstanceOf(AnalysisException.class);
    }
    assertThatThrownBy(
            () -> SPARK.sql("select bloomery.bloom_agg(id, 9, 0.1, 'cuckoo') from range(9)"))
        .hasMessageContaining("cannot be merged");
  }

  /** Keys of another type have other hashes: nothing would be found, without a sign. */
  @Test
  void keysOfAnotherTypeAreRefused(@TempDir Path directory) throws IOException {
    Row built =
        only(
            "select bloomery.bloom_agg(id, 100, 1e-6D) whole, bloomery.bloom_agg(cast(id as"
                + " decimal(38, 0)), 100, 1e-6D) decimal, bloomery.bloom_agg(struct(id, 'x'), 100,"
                + " 1e-6D) two from range(50)");
    SPARK
        .createDataFrame(
            List.of(built),
            new StructType()
                .add("whole", DataTypes.BinaryType)
                .add("decimal", DataTypes.BinaryType)
                .add("two", DataTypes.BinaryType))
        .createOrReplaceTempView("typed_filters");
    String count = "select count_if(bloomery.contains(%s, %s)) from typed_filters, range(50)";
    for (String[] fits :
        new String[][] {
          {"whole", "id"},
          {"whole", "cast(id as int)"},
          {"whole", "cast(id as byte)"},
          {"decimal", "cast(id as decimal(12, 3))"},
          {"two", "struct(id, 'x')"},
        }) {
      assertThat(only(count.formatted(fits[0], fits[1])).getLong(0)).isEqualTo(50);
    }
    for (String[] other :
        new String[][] {
          {"whole", "cast(id as decimal(38, 0))"},
          {"whole", "cast(id as string)"},
          {"whole", "cast(id as double)"},
          {"whole", "timestamp_seconds(id)"},
          {"decimal", "id"},
          {"two", "id"},
          {"two", "struct(cast(id as int), 'x')"},
        }) {
      assertThatThrownBy(() -> only(count.formatted(other[0], other[1])))
          .hasMessageContaining("the filter's keys are of type ");
    }
    assertThatThrownBy(() -> only(count.formatted("whole", "cast(id as decimal(38, 0))")))
        .hasMessageContaining("the filter's keys are of type bigint, not decimal, and would be");
    // Filters of the Java API, by name, and after they were written and read.
    Storable java = BloomeryFilters.build(SPARK.range(50).toDF(), "id", 100, 1e-6);
    String file = directory.resolve("whole.bloom").toUri().toString();
    BloomeryFilters.write(SPARK, java, file);
    BloomeryFilters.register(SPARK, "whole", java);
    BloomeryFilters.register(SPARK, "read", BloomeryFilters.read(SPARK, file));
    for (String name : List.of("whole", "read")) {
      String of = "select count_if(bloomery.contains('%s', %s)) from range(50)";
      assertThat(only(of.formatted(name, "id")).getLong(0)).isEqualTo(50);
      assertThatThrownBy(() -> SPARK.sql(of.formatted(name, "cast(id as string)")))
          .isInstanceOf(AnalysisException.class)
          .hasMessageContaining("of type bigint, not string");
      assertThatThrownBy(
              () ->
                  SPARK.sql(
                      "select bloomery.count('%s', id + 0.5D) from range(50)".formatted(name)))
          .isInstanceOf(AnalysisException.class)
          .hasMessageContaining("of type bigint, not double");
    }
    // What bloom says of its keys, without Spark.
    byte[] texts =
        Filters.toBytes(
            BlockedBloomFilter.create(10, 0.01),
            FrameHeader.Description.NONE.with(FrameHeader.Description.KEY_TYPE, "text"));
    Descriptions.requireKeys(
        SharedFilter.ofBytes(texts).description(), SparkKeys.of(DataTypes.StringType));
    assertThatThrownBy(
            () ->
                Descriptions.requireKeys(
                    SharedFilter.ofBytes(texts).description(), SparkKeys.of(DataTypes.LongType)))
        .hasMessageContaining("of type text, not bigint");
  }

  /** 20 times as many keys as were announced. */
  @Test
  void anOverloadedFilterIsSeen() throws TimeoutException {
    List<String> totals = new ArrayList<>();
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onStageCompleted(SparkListenerStageCompleted stage) {
            CollectionConverters.asJava(stage.stageInfo().accumulables().values())
                .forEach(
                    each -> {
                      if (each.name().contains(Overload.NAME)) {
                        totals.add(each.value().get().toString());
                      }
                    });
          }
        };
    SPARK.sparkContext().addSparkListener(listener);
    Row info;
    try {
      info =
          only("select bloomery.bloom_info(f) i, bloomery.bloom_info(g) from (select"
                  + " bloomery.bloom_agg(id, 1000, 0.01) f, bloomery.bloom_agg(id, 20000, 0.01) g from"
                  + " range(20000))")
              .getStruct(0);
      SPARK.sparkContext().listenerBus().waitUntilEmpty();
    } finally {
      SPARK.sparkContext().removeSparkListener(listener);
    }
    assertThat(info.getString(0)).isEqualTo("blocked");
    assertThat(info.getString(1)).isEqualTo("bigint");
    assertThat(info.getLong(2)).isEqualTo(1000);
    assertThat(info.getDouble(3)).isEqualTo(0.01);
    assertThat(info.getDouble(4)).isGreaterThan(0.9);
    assertThat(info.getLong(5)).isEqualTo(BlockedBloomFilter.create(1000, 0.01).sizeInBits());
    assertThat(totals).hasSize(1);
    assertThat(totals.get(0)).startsWith("1 overloaded filters; ").contains("1,000 keys");
  }

  /** Filters that vary by row are not opened for each row. */
  @Test
  void filtersThatVaryByRowStayOpen() {
    FilterArgument argument = FilterArgument.ofBytes(null);
    byte[][] bytes = new byte[70][];
    for (int i = 0; i < bytes.length; i++) {
      BlockedBloomFilter filter = BlockedBloomFilter.create(1000, 0.01);
      filter.add(i);
      bytes[i] = filter.toBytes();
    }
    Filter first = argument.get(bytes[0]);
    Filter second = argument.get(bytes[1]);
    for (int i = 0; i < 60; i++) {
      assertThat(argument.get(bytes[i]).mightContain((long) i)).isTrue();
      assertThat(argument.get(bytes[0].clone())).isSameAs(first);
      assertThat(argument.get(bytes[1].clone())).isSameAs(second);
    }
    OpenFilters open = new OpenFilters();
    for (byte[] each : bytes) {
      open.get(each, any -> first);
    }
    assertThat(open.size()).isEqualTo(64);
    byte[] large = new byte[80 << 20];
    open.get(large, any -> first);
    assertThat(open.size()).isEqualTo(1);
  }

  @Test
  void countLookupAndWhich() {
    CountMinFilter counts = CountMinFilter.create(1000, 1e-4);
    counts.add("a", 7);
    counts.add(5L, 3);
    counts.add(RowLike.KEY, (ignored, into) -> into.put(5L).put("x"));
    BloomeryFilters.register(SPARK, "counts", counts);
    Row row =
        only(
            "select bloomery.count('counts', 'a'), bloomery.count('counts', 5),"
                + " bloomery.count('counts', named_struct('i', 5L, 's', 'x')),"
                + " bloomery.count('counts', cast(null as string)) from range(1)");
    assertThat(row.getLong(0)).isEqualTo(7);
    assertThat(row.getLong(1)).isEqualTo(3);
    assertThat(row.getLong(2)).isEqualTo(1);
    assertThat(row.isNullAt(3)).isTrue();

    BloomeryFilters.register(
        SPARK, "map", BloomierMap.ofKeys(new long[] {1, 2, 3}, new long[] {10, 20, 30}, 1e-6));
    Row values =
        only("select bloomery.lookup('map', 2L), bloomery.lookup('map', 99L) from range(1)");
    assertThat(values.getLong(0)).isEqualTo(20);
    assertThat(values.isNullAt(1)).isTrue();

    FilterBank bank = FilterBank.create(BankShape.forKeys(100, 1e-6, 70, 1));
    bank.addHash(Hasher.xxh3().hash("k"), 3);
    bank.addHash(Hasher.xxh3().hash("k"), 65);
    BloomeryFilters.register(SPARK, "bank", bank);
    Row sets =
        only("select bloomery.which('bank', 'k'), bloomery.which('bank', 'z') from range(1)");
    assertThat(sets.getList(0)).isEqualTo(List.of(3, 65));
    assertThat(sets.getList(1)).isEmpty();
    assertThatThrownBy(() -> only("select bloomery.which('map', id) from range(1)"))
        .hasMessageContaining("many sets");
  }

  private enum RowLike {
    KEY
  }

  @Test
  void theJavaColumn() {
    Dataset<Row> rows = SPARK.sql("select * from " + ROWS);
    Storable filter = BloomeryFilters.build(rows.where("id < 10"), List.of("i", "t"), 100, 1e-6);
    assertThat(
            rows.where(BloomeryFilters.contains(SPARK, filter, struct(col("i"), col("t")))).count())
        .isEqualTo(10);
  }

  @Test
  void sparksOwnFilters() throws IOException {
    BloomFilter theirs = SPARK.range(1000).stat().bloomFilter("id", 1000, 0.01);
    ForeignBloomFilter ours = BloomeryFilters.ofSpark(theirs);
    for (long i = 0; i < 5000; i++) {
      assertThat(ours.mightContain(i)).isEqualTo(theirs.mightContainLong(i));
    }
    BloomFilter again = BloomeryFilters.toSpark(ours);
    assertThat(again).isEqualTo(theirs);
    // An existing filter of either version in SQL, by bytes.
    for (SparkFormat.Version version : SparkFormat.Version.values()) {
      ForeignBloomFilter made = SparkFormat.of(version, 20_000, 7, 0);
      for (long i = 0; i < 1000; i++) {
        made.add(i);
      }
      byte[] bytes = SharedFilter.of(made).bytes();
      Dataset<Row> table =
          SPARK.createDataFrame(
              List.of(org.apache.spark.sql.RowFactory.create((Object) bytes)),
              new StructType().add("f", DataTypes.BinaryType));
      table.createOrReplaceTempView("theirs");
      Row row =
          only(
              "select count_if(bloomery.contains((select first(f) from theirs), id)),"
                  + " count_if(bloomery.contains((select first(f) from theirs), id + 1000)) from"
                  + " range(1000)");
      assertThat(row.getLong(0)).isEqualTo(1000);
      assertThat(row.getLong(1)).isLessThan(50);
      assertThat(BloomeryFilters.toSpark(made).mightContainLong(7)).isTrue();
    }
  }

  @Test
  void filesOnTheFileSystem(@TempDir Path directory) throws IOException {
    String file = directory.resolve("words.bloom").toUri().toString();
    BlockedBloomFilter filter = BlockedBloomFilter.create(10, 1e-6);
    filter.add("bloom");
    BloomeryFilters.write(SPARK, filter, file);
    BloomeryFilters.write(SPARK, filter, file); // replaces it
    assertThat(((Storable) BloomeryFilters.read(SPARK, file)).sameContent(filter)).isTrue();
    // By an option of the catalog, as from Python.
    SparkSession other = SPARK.newSession();
    other.conf().set("spark.sql.catalog.files", BloomeryCatalog.class.getName());
    other.conf().set("spark.sql.catalog.files.filter.Words", file);
    assertThat(other.sql("select files.contains('Words', 'bloom')").head().getBoolean(0)).isTrue();
    ForeignBloomFilter foreign = SparkFormat.create(10, 0.01);
    foreign.add(5L);
    String spark = directory.resolve("spark.bin").toUri().toString();
    BloomeryFilters.write(SPARK, foreign, spark);
    assertThat(BloomeryFilters.read(SPARK, spark, "spark").mightContain(5L)).isTrue();
    assertThat(BloomeryFilters.read(SPARK, spark).mightContain(5L)).isTrue();
  }

  @Test
  void mistakesAreNamed() {
    assertThatThrownBy(() -> SPARK.sql("select bloomery.contains('nobody', id) from range(1)"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("no filter is named \"nobody\"");
    assertThatThrownBy(
            () ->
                SPARK.sql(
                    "select 1 where (select max(bloomery.contains('nobody', id)) from range(1))"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("no filter is named \"nobody\"");
    assertThatThrownBy(() -> only("select bloomery.contains(5, id) from range(1)"))
        .hasMessageContaining("must be binary");
    assertThatThrownBy(() -> only("select bloomery.contains('x', array(1)) from range(1)"))
        .hasMessageContaining("cannot be keys");
    assertThatThrownBy(() -> SPARK.sql("select bloomery.contains(X'0102', id) from range(1)"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("the first argument is not a filter: bytes, byte 0: ")
        .hasMessageNotContaining(System.getProperty("java.io.tmpdir"));
    assertThatThrownBy(() -> only("select bloomery.nonsense(1) from range(1)"))
        .hasMessageContaining("nonsense");
  }
}
