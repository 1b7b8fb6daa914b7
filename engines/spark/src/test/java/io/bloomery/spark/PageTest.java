package io.bloomery.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines of docs/spark.md run as they stand. */
final class PageTest {

  private static final String PACKAGES =
      ".config(\"spark.jars.packages\", \"io.bloomery:bloomery-spark:0.1.0-SNAPSHOT\")";
  private static final String FILE = "hdfs:///filters/customers.bloom";
  private static final String SHARDS = "s3a://bucket/users";

  private static String block(String language) throws IOException {
    return blocks(language).get(0);
  }

  private static List<String> blocks(String language) throws IOException {
    return Pattern.compile("(?s)```" + language + "\n(.*?)```")
        .matcher(Files.readString(Path.of("../../docs/spark.md")))
        .results()
        .map(result -> result.group(1))
        .toList();
  }

  @Test
  void theSqlRuns() throws IOException {
    SparkSession spark = LocalSpark.session().newSession();
    BloomeryCatalog.install(spark);
    spark.range(100).toDF("customer").createOrReplaceTempView("customers");
    spark.range(100_000).selectExpr("id % 1000 as customer").createOrReplaceTempView("orders");
    List<List<Row>> results = new ArrayList<>();
    for (String statement : String.join("", blocks("sql")).split(";\\s*", -1)) {
      if (!statement.isBlank()) {
        results.add(spark.sql(statement).collectAsList());
      }
    }
    assertThat(results).hasSize(5);
    assertThat(results.get(1)).hasSize(10_000);
    assertThat(results.get(3))
        .hasSize(100)
        .allSatisfy(row -> assertThat(row.getLong(1)).isEqualTo(100));
    assertThat(results.get(4).get(0).getDouble(0)).isLessThan(0.01);
  }

  /** All blocks of Java as one class, over small tables, with files instead of a cluster's. */
  @Test
  void theJavaRuns(@TempDir Path directory) throws Exception {
    SparkSession spark = LocalSpark.session().newSession();
    spark.range(1000).selectExpr("id % 100 as customer", "id").createOrReplaceTempView("orders");
    spark.range(100).toDF("customer").createOrReplaceTempView("customers");
    spark.range(100).toDF("customer").createOrReplaceTempView("vips");
    spark
        .range(100)
        .selectExpr(
            "id % 50 as user", "date'2024-01-01' as day", "id", "timestamp_seconds(id) as time")
        .createOrReplaceTempView("events");
    StringBuilder imports = new StringBuilder();
    StringBuilder body = new StringBuilder();
    for (String block : blocks("java")) {
      Map<Boolean, List<String>> lines =
          block.lines().collect(Collectors.partitioningBy(line -> line.startsWith("import ")));
      imports.append(String.join("\n", lines.get(true))).append('\n');
      body.append("{\n").append(String.join("\n", lines.get(false))).append("\n}\n");
    }
    assertThat(body).contains(FILE, SHARDS, "20_000_000_000L", "\"joined\"");
    String source =
        """
        import io.bloomery.spark.*;
        import java.time.Duration;
        import org.apache.spark.sql.*;
        %s
        public final class Page {
          public static void run(SparkSession spark) throws Exception {
            Dataset<Row> orders = spark.table("orders");
            Dataset<Row> customers = spark.table("customers");
            Dataset<Row> vips = spark.table("vips");
            Dataset<Row> events = spark.table("events");
        %s
          }
        }
        """
            .formatted(
                imports,
                body.toString()
                    .replace(FILE, directory.resolve("customers.bloom").toUri().toString())
                    .replace(SHARDS, directory.resolve("users").toUri().toString())
                    .replace("\"joined\"", "\"" + directory.resolve("joined").toUri() + "\"")
                    .replace("20_000_000_000L", "50L"));
    Path file = Files.writeString(directory.resolve("Page.java"), source);
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                messages,
                messages,
                "-proc:none",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                directory.toString(),
                file.toString());
    assertThat(code).as(messages::toString).isZero();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {directory.toUri().toURL()}, getClass().getClassLoader())) {
      loader.loadClass("Page").getMethod("run", SparkSession.class).invoke(null, spark);
    }
    assertThat(directory.resolve("customers.bloom")).isNotEmptyFile();
    assertThat(directory.resolve("users").resolve("shards.properties")).isNotEmptyFile();
    assertThat(spark.read().parquet(directory.resolve("joined").toString()).count())
        .isEqualTo(1000);
  }

  /** Where PySpark is installed. */
  @Test
  void thePythonRuns(@TempDir Path directory) throws IOException, InterruptedException {
    Path output = directory.resolve("output.txt");
    assumeTrue(python(output, "-c", "import pyspark") == 0, "python3 has no pyspark");
    Path filter = directory.resolve("customers.bloom");
    BloomeryFilters.write(
        LocalSpark.session(),
        BloomeryFilters.build(LocalSpark.session().range(100).toDF(), "id", 100, 1e-6),
        filter.toUri().toString());
    String lines = block("python");
    assertThat(lines).contains(PACKAGES, FILE, "kept = ", "filter = ");
    // What has no name on the page: a master, the tables, and the classes that were just compiled.
    String script =
        lines
            .replace(
                PACKAGES,
                ".master(\"local[1]\").config(\"spark.jars\", \"%s\")".formatted(jars(directory)))
            .replace(FILE, filter.toUri().toString())
            .replace(
                "kept = ",
                """
                orders = spark.range(1000).withColumnRenamed("id", "customer")
                customers = spark.range(50).withColumnRenamed("id", "customer")
                kept =\s""");
    Path file = directory.resolve("page.py");
    Files.writeString(file, script + "print('kept', kept.count(), 'bytes', len(filter))\n");
    int code = python(output, file.toString());
    assertThat(Files.readString(output)).contains("kept 100 bytes ");
    assertThat(code).isZero();
  }

  /** This module and the library, packed, and hash4j: what the package brings. */
  private static String jars(Path directory) {
    return Stream.of("spark/target/classes", "core/target/classes", "hash4j[^/]*\\.jar")
        .map(PageTest::onClassPath)
        .map(path -> path.endsWith(".jar") ? path : packed(path, directory))
        .collect(Collectors.joining(","));
  }

  private static String onClassPath(String end) {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(path -> path.matches(".*/" + end))
        .findFirst()
        .orElseThrow();
  }

  private static String packed(String classes, Path directory) {
    Path jar = directory.resolve(Path.of(classes).getParent().getParent().getFileName() + ".jar");
    var tool = java.util.spi.ToolProvider.findFirst("jar").orElseThrow();
    int code = tool.run(System.out, System.err, "--create", "--file=" + jar, "-C", classes, ".");
    assertThat(code).isZero();
    return jar.toString();
  }

  private static int python(Path output, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = Stream.concat(Stream.of("python3"), Stream.of(arguments)).toList();
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
    } catch (IOException e) {
      return 127; // there is no Python at all
    }
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return process.exitValue();
  }
}
