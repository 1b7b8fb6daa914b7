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
    refused(built(" Key ", "--trim", "--ignore-case"), "'key'", "the filter's keys are folded");
  }

  @Test
  void valuesHaveNoBlanksOfTheirOwn() throws IOException {
    assertThat(contains(literal(built(" 42 ", "--trim", "--type", "int64")), "42L").get(0))
        .isEqualTo(true);
    assertThat(contains(literal(built(" 00ff ", "--trim", "--type", "hex")), "X'00ff'").get(0))
        .isEqualTo(true);
  }

  /** What {@code bloom} stores of a value is not always what Spark hashes of it: all are missed. */
  @Test
  void otherTypesAreRefused() throws IOException {
    String digits = "00112233-4455-6677-8899-aabbccddeeff";
    String bytes = "X'" + digits.replace("-", "") + "'";
    Path uuid = built(digits, "--type", "uuid");
    refused(uuid, "'" + digits + "'", "the filter's keys are of type uuid, not string");
    assertThat(contains(literal(uuid), bytes).get(0)).isEqualTo(true);
    Path hex = built(digits.replace("-", ""), "--type", "hex");
    refused(hex, "'" + digits.replace("-", "") + "'", "of type hex, not string");
    assertThat(contains(literal(hex), bytes).get(0)).isEqualTo(true);
    Path utf16 = built("key", "--type", "utf16");
    refused(utf16, "'key'", "of type utf16, not string");
    assertThat(contains(literal(utf16), "encode('key', 'UTF-16LE')").get(0)).isEqualTo(true);
    Path number = built("1.50", "--type", "number");
    refused(number, "'1.50'", "of type number, not string");
    for (String decimal : new String[] {"1.5BD", "1.500BD"}) {
      assertThat(contains(literal(number), decimal).get(0)).isEqualTo(true);
    }
    Path text = built("1.5");
    assertThat(contains(literal(text), "1.50BD").get(0)).isEqualTo(true);
    for (String other : new String[] {"true", "struct('1.5')", "encode('1.5', 'UTF-8')", "1.5D"}) {
      refused(text, other, "the filter's keys are of type text, not ");
    }
    Path real = built("0.1", "--type", "float");
    assertThat(contains(literal(real), "0.1F").get(0)).isEqualTo(true);
  }

  /** The way of those who bring keys in their stored form: core does not carry the description. */
  @Test
  void keysInTheirStoredFormAreFound() throws IOException {
    BloomeryFilters.register(SPARK, "asis", Filters.open(built(" Key ", "--trim", "-i")));
    assertThat(contains("'asis'", "'key'").get(0)).isEqualTo(true);
    assertThat(contains("'asis'", "'Key'").get(0)).isEqualTo(false);
  }
}
