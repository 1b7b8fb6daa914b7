package io.bloomery.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.SparkSession;

/** A driver in a process of its own with two executors, each a process too. */
final class LocalCluster {

  private LocalCluster() {}

  /** The session, in the driver's process; files are below the directory. */
  static SparkSession session(String directory) {
    return SparkSession.builder()
        .master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.executor.extraClassPath", System.getProperty("java.class.path"))
        .config("spark.executor.extraJavaOptions", "-XX:TieredStopAtLevel=1")
        .config("spark.local.dir", directory)
        .config("spark.sql.shuffle.partitions", "4")
        .getOrCreate();
  }

  /** Runs a class whose first argument is the directory; returns what it printed. */
  static String run(Class<?> driver, Path home, String... arguments)
      throws IOException, InterruptedException {
    Files.createDirectories(home.resolve("jars"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(org.apache.spark.launcher.JavaModuleOptions.defaultModuleOptionArray()));
    command.addAll(
        List.of(
            "-Xmx512m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            driver.getName(),
            home.toString()));
    command.addAll(List.of(arguments));
    Path output = home.resolve("output.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().put("SPARK_HOME", home.toString());
    builder.environment().put("SPARK_SCALA_VERSION", "2.13"); // else it looks for a build of Spark
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    Process process = builder.start();
    try {
      assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return Files.readString(output);
  }
}
