package io.bloomery.tools.report;

import static io.bloomery.testkit.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TextTest {

  @Test
  void ratesHaveThreeDigits() {
    assertThat(Text.rate(0)).isEqualTo("0 %");
    assertThat(Text.rate(0.01)).isEqualTo("1 % (1 in 100)");
    assertThat(Text.rate(0.0098765)).isEqualTo("0.988 % (1 in 101)");
    assertThat(Text.rate(1e-9)).isEqualTo("0.0000001 % (1 in 1,000,000,000)");
    assertThat(Text.rate(1)).isEqualTo("100 %");
  }

  @Test
  void countsHaveCommas() {
    for (long number = 1; number > 0 && number < Long.MAX_VALUE / 7; number = number * 7 + 3) {
      for (long each : new long[] {number, -number, number % 1000, 1000 - number % 1000}) {
        assertThat(Text.count(each)).isEqualTo(String.format(Locale.ROOT, "%,d", each));
      }
    }
    assertThat(Text.count(Long.MIN_VALUE)).isEqualTo("-9,223,372,036,854,775,808");
  }

  @Test
  void bytesHaveAUnitWhenTheyAreMany() {
    assertThat(Text.bytes(1)).isEqualTo("1 byte");
    assertThat(Text.bytes(9_999)).isEqualTo("9,999 bytes");
    assertThat(Text.bytes(144_956)).isEqualTo("144,956 bytes (145 kB)");
    assertThat(Text.bytes(999_600)).isEqualTo("999,600 bytes (1.0 MB)");
    assertThat(Text.bytes(4_054_040)).isEqualTo("4,054,040 bytes (4.1 MB)");
    assertThat(Text.bytes(12_000_000_000L)).isEqualTo("12,000,000,000 bytes (12 GB)");
  }

  @Test
  void jsonEscapesWhatItMust() {
    String json = Json.of(Map.of("a\"\\\n", List.of(1, 0.5, Double.NaN, true, Map.of()))) + "\n";
    assertThat(json).isEqualTo("{\"a\\\"\\\\\\u000a\":[1,0.5,null,true,{}]}\n");
    assertThat(object(json).keySet().iterator().next()).isEqualTo("a\"\\\n");
  }
}
