package io.bloomery.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class ConvertersTest {

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
  void whatIsNoCountIsRefused(String text) {
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
  void sizesAreDecimalUnlessTheySayOtherwise(String text, long bytes) {
    assertThat(new Converters.Bytes().convert(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "7", "1.3B", "2X", "2GiBs", "1e30", "-5M"})
  void whatIsNoSizeIsRefused(String text) {
    assertThatThrownBy(() -> new Converters.Bytes().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining(text);
  }
}
