package io.bloomery.tools.spill;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Seeds;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTableTest {

  /** Counts beside a map; with a hash of few bits most keys collide. */
  @ParameterizedTest
  @ValueSource(longs = {-1, 0xFF, 0xF000_0000_0000_0000L, 0})
  void isAMapOfByteStrings(long mask) {
    SplittableRandom random = Seeds.random(mask);
    Map<String, Long> model = new LinkedHashMap<>();
    KeyTable table = new KeyTable();
    for (int i = 0; i < (mask == -1 ? 200_000 : 3_000); i++) {
      byte[] key = new byte[i == 0 ? 1 : random.nextInt(i % 100 == 0 ? 3_000 : 4) + 1];
      random.nextBytes(key);
      int length = key.length - 1;
      long hash = Hasher.xxh3().hash(key, 1, length) & mask;
      String text = new String(key, 1, length, ISO_8859_1);
      assertThat(table.find(key, 1, length, hash) >= 0).isEqualTo(model.containsKey(text));
      int index = table.add(key, 1, length, hash);
      table.value(index, table.value(index) + 1);
      model.merge(text, 1L, Long::sum);
    }
    assertThat(table.size()).isEqualTo(model.size());
    assertThat(table.bytes()).isGreaterThan(30L * model.size());
    Map<String, Long> found = new LinkedHashMap<>();
    for (int i = 0; i < table.size(); i++) {
      long value = table.value(i);
      table.key(
          i,
          (bytes, offset, length) ->
              found.put(new String(bytes, offset, length, ISO_8859_1), value));
    }
    assertThat(found.entrySet()).containsExactlyElementsOf(model.entrySet());
  }
}
