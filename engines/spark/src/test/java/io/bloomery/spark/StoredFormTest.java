package io.bloomery.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.Filters;
import io.bloomery.cli.Main;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.StandardOutput;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys whose stored form is not that of the column would be missed without a sign. */
final class StoredFormTest {

  private static final SparkSession SPARK = LocalSpark.session();

  @TempDir private Path directory;

  @BeforeAll
  static void install() {
    BloomeryCatalog.install(SPARK);
  }

  /** The file of one key that the command built. */
  private Path built(String key, String... options) {
    Path file = directory.resolve("built.bloom");
    StringWriter errors = new StringWriter();
    Console console =
        new Console(
            new ByteArrayInputStream((key + "\n").getBytes(StandardCharsets.UTF_8)),
            new StandardOutput(new ByteArrayOutputStream()),
            new PrintWriter(errors),
            () -> false,
            () -> false);
    String[] arguments =
        Stream.concat(
                Stream.of("build", "-q", "-n", "10", "--force", "-o", file.toString()),
                Stream.of(options))
            .toArray(String[]::new);
    assertThat(Main.run(console, arguments)).as(errors.toString()).isZero();
    return file;
  }

  private static String literal(Path file) throws IOException {
    return "X'" + HexFormat.of().formatHex(Files.readAllBytes(file)) + "'";
  }

  private static Row contains(String filter, String key) {
    return SPARK.sql("select bloomery.contains(%s, %s)".formatted(filter, key)).head();
  }

  private void refused(Path file, String key, String message) throws IOException {
    String bytes = literal(file);
    assertThatThrownBy(() -> contains(bytes, key)).hasStackTraceContaining(message);
    String uri = file.toUri().toString();
    BloomeryFilters.register(SPARK, "form", BloomeryFilters.read(SPARK, uri));
    assertThatThrownBy(() -> contains("'form'", key)).hasStackTraceContaining(message);
    String varying = "(select filter from values (%s) as t(filter))".formatted(bytes);
    assertThatThrownBy(() -> contains(varying, key)).hasStackTraceContaining(message);
  }

  @Test
  void foldedAndTrimmedKeysAreRefused() throws IOException {
    refused(built("Key", "--ignore-case"), "'Key'", "the filter's keys are folded");
    refused(built(" Key ", "--trim"), "' Key '", "the filter's keys are trimmed");
    refused(
        built(" Key ", "--trim", "--ignore-case"),
        "encode('key', 'UTF-8')",
        "the filter's keys are folded");
  }

  @Test
  void valuesHaveNoBlanksOfTheirOwn() throws IOException {
    assertThat(contains(literal(built(" 42 ", "--trim", "--type", "int64")), "42L").get(0))
        .isEqualTo(true);
    assertThat(contains(literal(built(" 00ff ", "--trim", "--type", "hex")), "X'00ff'").get(0))
        .isEqualTo(true);
  }

  /** The way of those who bring keys in their stored form: core does not carry the description. */
  @Test
  void keysInTheirStoredFormAreFound() throws IOException {
    BloomeryFilters.register(SPARK, "asis", Filters.open(built(" Key ", "--trim", "-i")));
    assertThat(contains("'asis'", "'key'").get(0)).isEqualTo(true);
    assertThat(contains("'asis'", "'Key'").get(0)).isEqualTo(false);
  }
}
