package io.bloomery.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.udf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;

/**
 * Joins on a cluster whose smaller side has other rows each time it is computed, but always 20,000
 * with different keys, each of which has one partner. So the join has 20,000 rows, whichever they
 * are.
 */
final class ClusterJoins {

  static final int ROWS = 20_000;
  private static final int ALL = 10 * ROWS;

  private final SparkSession spark;
  private final Path directory;

  private ClusterJoins(String directory) {
    this.spark = LocalCluster.session(directory);
    this.directory = Path.of(directory);
  }

  public static void main(String[] arguments) throws IOException {
    ClusterJoins joins = new ClusterJoins(arguments[0]);
    joins.spark.conf().set("spark.sql.autoBroadcastJoinThreshold", "-1");
    for (String source : List.of(arguments).subList(1, arguments.length)) {
      joins.join(source);
    }
    joins.spark.stop();
  }

  private void join(String source) throws IOException {
    Dataset<Row> big =
        spark.range(0, ALL, 1, 4).select(expr("id as k"), expr("repeat('x', 100) as body"));
    if (source.equals("checkpoint")) {
      spark.sparkContext().setCheckpointDir(directory.resolve("checkpoints").toString());
    }
    BloomJoin plan = BloomJoin.plan(big, small(source), "inner", "k");
    if (source.equals("changing")) {
      write(ROWS);
    }
    Dataset<Row> joined =
        source.equals("killed")
            ? plan.rows().where(udf(kills(), DataTypes.BooleanType).apply(col("k")))
            : plan.rows();
    System.out.printf(
        "%s: %d rows, filtered %b: %s%n", source, joined.count(), plan.isFiltered(), plan.reason());
  }

  private Dataset<Row> small(String source) throws IOException {
    Dataset<Row> all =
        spark.range(0, ALL, 1, 6).select(expr("id as k"), expr("id % " + ROWS + " as part"));
    return switch (source) {
      case "limit", "killed", "checkpoint" -> all.repartition(6).limit(ROWS);
      case "duplicates" -> all.repartition(6).dropDuplicates("part");
      case "ties" ->
          all.repartition(6)
              .withColumn("n", expr("row_number() over (partition by part order by part)"))
              .where("n = 1");
      case "random" -> all.orderBy(expr("rand()")).limit(ROWS);
      case "changing" -> {
        write(0);
        yield spark.read().schema("k bigint").csv(directory.resolve("changing").toString());
      }
      default -> throw new IllegalArgumentException(source);
    };
  }

  /** The same file with other numbers. */
  private void write(int first) throws IOException {
    Path file = Files.createDirectories(directory.resolve("changing")).resolve("keys.csv");
    Files.deleteIfExists(file.resolveSibling(".keys.csv.crc"));
    Files.write(
        file, LongStream.range(0, ROWS).mapToObj(i -> "%06d".formatted(first + i)).toList());
  }

  /** The first task that runs it ends its executor. */
  private UDF1<Long, Boolean> kills() {
    String marker = directory.resolve("killed").toString();
    return key -> {
      if (created(marker)) {
        Runtime.getRuntime().halt(137); // as by SIGKILL
      }
      return true;
    };
  }

  private static boolean created(String file) {
    try {
      if (Files.exists(Path.of(file))) {
        return false;
      }
      Files.createFile(Path.of(file));
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
