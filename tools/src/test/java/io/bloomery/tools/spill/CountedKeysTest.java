package io.bloomery.tools.spill;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CountedKeysTest {

  private static final Hasher HASHER = Hasher.xxh3();

  @TempDir private Path directory;

  private static List<String> sorted(Map<String, Long> model, CountedKeys.Order order) {
    List<Map.Entry<String, Long>> entries = new ArrayList<>(model.entrySet());
    Comparator<Map.Entry<String, Long>> byKey = Map.Entry.comparingByKey();
    switch (order) {
      case KEY -> entries.sort(byKey);
      case COUNT ->
          entries.sort(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(byKey));
      case FIRST -> {}
    }
    return entries.stream().map(e -> e.getValue() + " " + e.getKey()).toList();
  }

  private static List<String> given(CountedKeys keys, CountedKeys.Order order) {
    List<String> found = new ArrayList<>();
    keys.forEach(
        order,
        (bytes, offset, length, count) ->
            found.add(count + " " + new String(bytes, offset, length, ISO_8859_1)));
    return found;
  }

  /**
   * Skewed keys with all bytes, of common beginnings, empty and long ones, against a map: in
   * memory, in a few runs, and in enough runs that they are merged on the way.
   */
  @ParameterizedTest
  @CsvSource({"100000000, 20000, 0", "300000, 40000, 100000", "120000, 60000, 1000000"})
  void countsAndOrdersAreThoseOfAMap(long memory, int additions, long leastSpilled) {
    for (CountedKeys.Order order : CountedKeys.Order.values()) {
      SplittableRandom random = Seeds.random(7);
      Map<String, Long> model = new LinkedHashMap<>();
      try (CountedKeys keys = new CountedKeys(memory, HASHER, directory)) {
        for (int i = 0; i < additions; i++) {
          String key = key(random);
          long times = 1L + random.nextInt(3);
          byte[] bytes = key.getBytes(ISO_8859_1);
          keys.add(bytes, 0, bytes.length, HASHER.hash(bytes), times);
          model.merge(key, times, Long::sum);
        }
        assertThat(given(keys, order)).isEqualTo(sorted(model, order));
        assertThat(keys.spilledBytes()).isGreaterThanOrEqualTo(leastSpilled);
        if (leastSpilled == 0) {
          assertThat(keys.spilledBytes()).isZero();
        }
      }
    }
  }

  private static String key(SplittableRandom random) {
    int kind = random.nextInt(10);
    if (kind == 0) { // zeros and the end of a key are different things
      return "\0".repeat(random.nextInt(20));
    }
    if (kind == 1) {
      return "\u00ff".repeat(random.nextInt(12)) + (char) random.nextInt(256);
    }
    if (kind == 2) {
      return "x".repeat(1100) + random.nextInt(50);
    }
    int number = (int) Math.exp(random.nextDouble() * Math.log(20_000));
    return (kind < 6 ? "https://example.org/" : "") + number;
  }

  @Test
  void aKeyThatIsLargerThanTheMemoryIsHeld() {
    try (CountedKeys keys = new CountedKeys(100_000, HASHER, directory)) {
      byte[] large = "y".repeat(3_000_000).getBytes(ISO_8859_1);
      for (int i = 0; i < 3; i++) {
        byte[] small = ("s" + i).getBytes(ISO_8859_1);
        keys.add(large, 0, large.length, HASHER.hash(large), 1);
        keys.add(small, 0, small.length, HASHER.hash(small), 1);
      }
      assertThat(given(keys, CountedKeys.Order.COUNT))
          .containsExactly("3 " + "y".repeat(3_000_000), "1 s0", "1 s1", "1 s2");
    }
  }

  @Test
  void nothingIsNothing() {
    try (CountedKeys keys = new CountedKeys(100_000, HASHER, directory)) {
      for (CountedKeys.Order order : CountedKeys.Order.values()) {
        assertThat(given(keys, order)).isEmpty();
      }
    }
  }
}
