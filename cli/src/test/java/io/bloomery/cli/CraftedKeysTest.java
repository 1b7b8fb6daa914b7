package io.bloomery.cli;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Json;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys crafted for the public hash function do not collide in the memory of commands. */
class CraftedKeysTest {

  @TempDir private Path directory;

  @Test
  void theHashFunctionIsInverted() {
    SplittableRandom random = Seeds.random(1);
    for (int i = 0; i < 1000; i++) {
      long hash = random.nextLong();
      assertThat(Hasher.xxh3().hash(CraftedKeys.of(hash))).isEqualTo(hash);
    }
  }

  /** A crafted key and a text with the same hash, both plain. */
  private static List<byte[]> collidingPair() {
    for (int i = 0; ; i++) {
      byte[] text = ("the line that must not be lost, number " + i).getBytes(UTF_8);
      byte[] crafted = CraftedKeys.of(Hasher.xxh3().hash(text));
      if (CraftedKeys.isPlain(crafted)) {
        return List.of(crafted, text);
      }
    }
  }

  private static byte[] lines(List<byte[]> keys) {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (byte[] key : keys) {
      lines.writeBytes(key);
      lines.write('\n');
    }
    return lines.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dedup -q",
        "dedup -q --exact",
        "dedup -q --last 100",
        "dedup -q --within 1h -n 100",
      })
  void aCollidingLineIsNotDropped(String command) {
    byte[] lines = lines(collidingPair());
    assertThat(bloomWith(lines, (Object[]) command.split(" ")).bytes()).isEqualTo(lines);
  }

  @Test
  void topAndCountDistinguishCollidingKeys() {
    List<byte[]> pair = collidingPair();
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      all.add(pair.get(1));
      all.add(pair.get(0));
      all.add(pair.get(1));
    }
    String crafted = new String(pair.get(0), ISO_8859_1);
    String text = new String(pair.get(1), ISO_8859_1);
    byte[] lines = lines(all);
    for (String how : List.of("--no-progress", "--exact")) {
      assertThat(bloomWith(lines, "top", "-q", how).latin1())
          .isEqualTo("10\t0\t" + text + "\n5\t0\t" + crafted + "\n");
    }
    assertThat(bloomWith(lines, "count", "--key", text, "-q").out())
        .isEqualTo("at most 10\t" + text + "\n");
  }

  /** Under the public hash all keys would fall into one block and one slot of the table. */
  @Test
  void dedupExactLooksUpFewNewLines() {
    byte[] lines = lines(CraftedKeys.plain(5000, i -> 0x1234_5678_0000_0000L | i));
    var json = Json.object(bloomWith(lines, "dedup", "--exact", "-c", "--json").out());
    assertThat(json.get("newLines")).isEqualTo(5000.0);
    assertThat((double) json.get("rescuedLines")).isLessThan(200);
  }

  /** Rows whose keys differ from the other file's but have the same public hashes. */
  @Test
  void joinFiltersOutRowsWithoutAMatch() throws Exception {
    List<byte[]> texts = new ArrayList<>(List.of("key".getBytes(UTF_8)));
    List<byte[]> crafted = new ArrayList<>(texts);
    for (int i = 0; crafted.size() < 2000; i++) {
      byte[] text = ("a key of the other file " + i).getBytes(UTF_8);
      byte[] key = CraftedKeys.of(Hasher.xxh3().hash(text));
      if (CraftedKeys.isPlain(key)) {
        texts.add(text);
        crafted.add(key);
      }
    }
    Path left = Files.write(directory.resolve("left"), lines(crafted));
    Path right = Files.write(directory.resolve("right"), lines(texts.subList(0, 1000)));
    var json = Json.object(bloom("join", left, right, "--on", "key", "-c", "--json").out());
    assertThat(json.get("rows")).isEqualTo(0.0);
    assertThat((double) json.get("passedFilter")).isLessThan(100);
  }
}
