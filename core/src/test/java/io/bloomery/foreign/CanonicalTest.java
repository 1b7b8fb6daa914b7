package io.bloomery.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.testkit.Seeds;
import java.math.BigDecimal;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Equal values have one canonical text, different ones have different texts. */
final class CanonicalTest {

  @ParameterizedTest
  @CsvSource({
    "NUMBER, 1, 1",
    "NUMBER, 1.0, 1",
    "NUMBER, 01, 1",
    "NUMBER, +1e0, 1",
    "NUMBER, 10e-1, 1",
    "NUMBER, -0, 0",
    "NUMBER, -0.00e7, 0",
    "NUMBER, 0e999999999, 0",
    "NUMBER, .5, 0.5",
    "NUMBER, 5., 5",
    "NUMBER, -1.50, -1.5",
    "NUMBER, 1e3, 1000",
    "NUMBER, 1e100, 1E+100",
    "NUMBER, 100e98, 1E+100",
    "NUMBER, 1e-100, 1E-100",
    "NUMBER, 12345678901234567890.10," + " 12345678901234567890.1",
    "INT64, 007, 7",
    "INT64, -0, 0",
    "INT64, +5, 5",
    "INT64, 0xff, 255",
    "INT64, -9223372036854775808, -9223372036854775808",
    "INT32, -01, -1",
    "DOUBLE, 0.1, 0.1",
    "DOUBLE, 1e-1, 0.1",
    "DOUBLE, 0.1000000000000000055511, 0.1",
    "DOUBLE, -0.0, 0",
    "DOUBLE, 1, 1",
    "DOUBLE, 1.0, 1",
    "DOUBLE, 4.9e-324, 4.94065645841247E-324",
    "DOUBLE, 1.7976931348623157e308, 1.7976931348623157E+308",
    "DOUBLE, NaN, NaN",
    "DOUBLE, -Infinity, -Infinity",
    "FLOAT, 0.1, 0.1",
    "FLOAT, 16777217, 16777216",
    "HEX, 0x00FF, 00ff",
    "UUID, 123E4567-e89b-12d3-a456-426614174000," + " 123e4567-e89b-12d3-a456-426614174000",
    "TEXT, 007, 007"
  })
  void valuesHaveOneText(TypedKeys.Type type, String text, String canonical) {
    assertThat(type.canonical(text)).isEqualTo(canonical);
    assertThat(type.canonical(canonical)).isEqualTo(canonical);
  }

  @ParameterizedTest
  @CsvSource({
    "NUMBER, 1d",
    "NUMBER, 0x1p3",
    "NUMBER, NaN",
    "NUMBER, ''",
    "NUMBER, ' 1'",
    "NUMBER, 1e10000",
    "NUMBER, 1e-10000",
    "NUMBER, 1e9999999999",
    "NUMBER, '1,5'",
    "NUMBER, --1",
    "NUMBER, .",
    "DOUBLE, 1d",
    "DOUBLE, 1f",
    "DOUBLE, 0x1p3",
    "DOUBLE, ' 1'",
    "DOUBLE, 1e309",
    "DOUBLE, -1e309",
    "DOUBLE, infinity",
    "FLOAT, 1e39",
    "INT64, 9223372036854775808",
    "INT64, 1.0",
    "INT32, 2147483648"
  })
  void whatIsNotAValueIsRefused(TypedKeys.Type type, String text) {
    assertThatThrownBy(() -> type.canonical(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"" + text + "\" is not of type " + type.lowerCase());
  }

  @Test
  void longTextsAreRefusedAtOnce() {
    assertThat(TypedKeys.Type.NUMBER.canonical("1".repeat(1000))).isEqualTo("1".repeat(1000));
    assertThatThrownBy(() -> TypedKeys.Type.NUMBER.canonical("1".repeat(1001)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void randomValuesComeBack(int seed) {
    SplittableRandom random = Seeds.random(seed);
    for (int i = 0; i < 2_000; i++) {
      double real = Double.longBitsToDouble(random.nextLong());
      String text = TypedKeys.Type.DOUBLE.canonical(Double.toString(real));
      if (!Double.isNaN(real) && Double.parseDouble(text) != real) {
        throw new AssertionError(real + " became " + text);
      }
      float small = Float.intBitsToFloat(random.nextInt());
      String shorter = TypedKeys.Type.FLOAT.canonical(Float.toString(small));
      if (!Float.isNaN(small) && Float.parseFloat(shorter) != small) {
        throw new AssertionError(small + " became " + shorter);
      }
      BigDecimal exact = BigDecimal.valueOf(random.nextLong(), random.nextInt(-60, 60));
      String decimal = TypedKeys.Type.NUMBER.canonical(exact.toPlainString());
      if (new BigDecimal(decimal).compareTo(exact) != 0
          || !decimal.equals(TypedKeys.Type.NUMBER.canonical(exact.toString()))) {
        throw new AssertionError(exact + " became " + decimal);
      }
    }
  }
}
