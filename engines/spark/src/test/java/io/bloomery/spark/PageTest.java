package io.bloomery.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines of docs/spark.md run as they stand. */
final class PageTest {

  private static final String PACKAGES =
      ".config(\"spark.jars.packages\", \"io.bloomery:bloomery-spark:0.1.0-SNAPSHOT\")";
  private static final String FILE = "hdfs:///filters/customers.bloom";

  private static String block(String language) throws IOException {
    return Files.readString(Path.of("../../docs/spark.md"))
        .replaceFirst("(?s).*?```" + language + "\n(.*?)```.*", "$1");
  }

  @Test
  void theSqlRuns() throws IOException {
    SparkSession spark = LocalSpark.session().newSession();
    BloomeryCatalog.install(spark);
    spark.range(100).toDF("customer").createOrReplaceTempView("customers");
    spark.range(1000).toDF("customer").createOrReplaceTempView("orders");
    String[] statements = block("sql").split(";", -1);
    spark.sql(statements[0]);
    assertThat(spark.sql(statements[1]).count()).isEqualTo(100);
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
    ToolProvider tool = ToolProvider.findFirst("jar").orElseThrow();
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
