package io.bloomery.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.cli.Bloom;
import io.bloomery.tools.report.Fields;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class ConvertersTest {

  @ParameterizedTest
  @ValueSource(strings = {"0.1d", "0x1p-3", "NaN", " 0.1", "0.1f"})
  void numbersAreDecimal(String text) {
    assertThat(Bloom.bloom("plan", "-n", "1k", "--rate", text).err())
        .contains("'" + text + "' is not a rate such as 0.01 or 1%");
    assertThat(Bloom.bloom("build", "-o", "x", "--bits-per-key", text).err())
        .contains("'" + text + "' is not a number such as 12 or 0.5");
  }

  @Test
  void aCountOfOneIsSingular() {
    assertThat(Fields.line(Map.of("blocks", 1L))).isEqualTo("1 block");
    assertThat(Fields.line(Map.of("hashes per key", 1L))).isEqualTo("1 hash per key");
    assertThat(Fields.line(Map.of("blocks", 2L))).isEqualTo("2 blocks");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1|1
          1e9|1000000000
          2.5e6|2500000
          2.5M|2500000
          4.35k|4350
          2,500,000|2500000
          2_500_000|2500000
          68719476736|68719476736
          """)
  void countsAreExact(String text, long count) {
    assertThat(new Converters.Count().convert(text)).isEqualTo(count);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "0", "1.5", "-1", "many", "1e", "1e400", "1e-3", "2GB", "1e11", "1x", "0x10"})
  void invalidCountsAreRefused(String text) {
    assertThatThrownBy(() -> new Converters.Count().convert(text))
        .isInstanceOf(TypeConversionException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "2G,2000000000",
    "2GB,2000000000",
    "2gb,2000000000",
    "64MiB,67108864",
    "1.5KiB,1536",
    "100,100",
    "100B,100",
    "1e6,1000000",
    "1T,1000000000000",
  })
  void sizesAreDecimalUnlessTheUnitIsBinary(String text, long bytes) {
    assertThat(new Converters.Bytes().convert(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "7", "1.3B", "2X", "2GiBs", "1e30", "-5M"})
  void invalidSizesAreRefused(String text) {
    assertThatThrownBy(() -> new Converters.Bytes().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining(text);
  }
}
