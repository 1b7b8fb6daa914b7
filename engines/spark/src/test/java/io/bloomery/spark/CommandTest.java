package io.bloomery.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Storable;
import io.bloomery.cli.Main;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.StandardOutput;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command finds what Spark added, for every type of keys that it has a name for. */
final class CommandTest {

  /** A column; its SQL; the type for the command; its key, and one that is not in the filter. */
  private record Column(String name, String sql, String type, String present, String absent) {}

  private static final Column[] COLUMNS = {
    new Column("l", "-42L", "int64", "-42", "42"),
    new Column("i", "-42", "int64", "-42", "42"),
    new Column("s", "-42S", "int64", "-42", "42"),
    new Column("y", "-42Y", "int64", "-42", "42"),
    new Column("t", "'Zürich'", "text", "Zürich", "Zurich"),
    new Column("b", "X'00ff10'", "hex", "00ff10", "00ff"),
    new Column("da", "date'2024-02-29'", "int64", "19782", "19783"),
    new Column("ts", "timestamp'2024-02-29 12:34:56.000007'", "int64", "1709210096000007", "0"),
    new Column("tn", "timestamp_ntz'2024-02-29 12:34:56'", "int64", "1709210096000000", "0"),
    new Column("m", "1.50BD", "text", "1.5", "1.50"),
    new Column("w", "cast(1200 as decimal(38, 2))", "text", "1200", "1200.00"),
    new Column("d", "0.1D", "double", "0.1", "0.2"),
    new Column("f", "0.5F", "double", "0.5", "0.2"),
    new Column("o", "true", "hex", "01", "00")
  };

  @Test
  void bloomCheckFindsKeysOfSpark(@TempDir Path directory) throws IOException {
    BloomeryCatalog.install(LocalSpark.session());
    String filters =
        Arrays.stream(COLUMNS)
            .map(column -> "bloomery.bloom_agg(%s, 10, 1e-9D)".formatted(column.sql()))
            .collect(Collectors.joining(", ", "select ", ""));
    Row built = LocalSpark.session().sql(filters).head();
    for (int i = 0; i < COLUMNS.length; i++) {
      Column column = COLUMNS[i];
      Path file = directory.resolve(column.name() + ".bloom");
      Files.write(file, (byte[]) built.get(i));
      assertThat(check(file, column, column.present())).as(column.name()).isZero();
      assertThat(check(file, column, column.absent())).as(column.name()).isEqualTo(1);
    }
    // Not by SQL.
    Path file = directory.resolve("text.bloom");
    Dataset<Row> rows = LocalSpark.session().sql("select 'Zürich' as t");
    Storable text = BloomeryFilters.build(rows, "t", 10, 1e-9);
    BloomeryFilters.write(LocalSpark.session(), text, file.toUri().toString());
    assertThat(check(file, COLUMNS[4], "Zürich")).isZero();
  }

  /** The exit code: 0 if the key is found, 1 if it is not. */
  private static int check(Path file, Column column, String key) {
    StringWriter errors = new StringWriter();
    Console console =
        new Console(
            new ByteArrayInputStream(new byte[0]),
            new StandardOutput(new ByteArrayOutputStream()),
            new PrintWriter(errors),
            () -> false,
            () -> false);
    int code =
        Main.run(console, "check", "-s", file.toString(), "--type", column.type(), "--key=" + key);
    assertThat(errors.toString()).isEmpty();
    return code;
  }
}
