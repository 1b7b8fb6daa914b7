package io.bloomery.net.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Against a search that compares every string at every place. */
class ByteStringsTest {

  private static byte[] random(SplittableRandom random, int length, int letters) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) ('a' + random.nextInt(letters));
    }
    return bytes;
  }

  private static ByteTable table(ContentHash hash, List<byte[]> strings) {
    ByteTable table = new ByteTable();
    for (byte[] string : strings) {
      table.add(string, hash.of(string, 0, string.length));
    }
    return table;
  }

  private static List<String> expected(ByteTable table, byte[] content, int least) {
    List<String> hits = new ArrayList<>();
    for (int at = 0; at < content.length; at++) {
      for (int i = 0; i < table.size(); i++) {
        int end = at + table.length(i);
        if (end > least
            && end <= content.length
            && Arrays.equals(content, at, end, table.get(i), 0, table.length(i))) {
          hits.add(at + " " + i);
        }
      }
    }
    return hits.stream().sorted().toList();
  }

  private static List<String> found(ByteStrings strings) {
    List<String> hits = new ArrayList<>();
    for (int i = 0; i < strings.found(); i++) {
      hits.add(strings.place(i) + " " + strings.number(i));
    }
    return hits.stream().sorted().toList();
  }

  /** Strings of few letters, so that they begin, end and lie in each other. */
  @Test
  void allOccurrencesAreFound() {
    SplittableRandom random = Seeds.random(11);
    for (int round = 0; round < Effort.of(200); round++) {
      ContentHash hash = new ContentHash();
      List<byte[]> list = new ArrayList<>();
      int least = 2 + random.nextInt(8);
      for (int i = 0; i < 1 + random.nextInt(60); i++) {
        int length = random.nextInt(6) == 0 ? random.nextInt(10, 80) : least + random.nextInt(4);
        list.add(random(random, length, 2));
      }
      byte[] content = random(random, random.nextInt(400), 2);
      for (int i = 0; i < 3; i++) { // long ones hardly occur otherwise
        byte[] planted = list.get(random.nextInt(list.size()));
        if (planted.length < content.length) {
          int at = random.nextInt(content.length - planted.length);
          System.arraycopy(planted, 0, content, at, planted.length);
        }
      }
      ByteTable table = table(hash, list);
      ByteStrings strings = new ByteStrings(table, hash);
      int old = random.nextInt(content.length + 1);
      strings.scan(content, 0, content.length, content.length, old);
      assertThat(found(strings)).isEqualTo(expected(table, content, old));
    }
  }

  /** The end of the content that is to be kept has the beginning of each string that goes on. */
  @Test
  void whatGoesOnIsKept() {
    SplittableRandom random = Seeds.random(12);
    for (int round = 0; round < Effort.of(400); round++) {
      ContentHash hash = new ContentHash();
      byte[] string = random(random, random.nextInt(2, 300), 26);
      ByteStrings strings = new ByteStrings(table(hash, List.of(string)), hash);
      int kept = random.nextInt(1, string.length);
      byte[] content = random(random, 20 + kept, 26);
      System.arraycopy(string, 0, content, 20, kept);
      int open = strings.scan(content, 0, content.length, content.length, 0);
      assertThat(open).isBetween(kept, content.length);
      byte[] other = random(random, 500, 26);
      assertThat(strings.scan(other, 0, 500, 500, 0))
          .as("of other content hardly anything")
          .isLessThan(40);
    }
  }

  @Test
  void tablesHaveEachStringOnce() {
    ContentHash hash = new ContentHash();
    ByteTable table = new ByteTable();
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 10_000; i++) {
        byte[] key = Integer.toString(i).getBytes(StandardCharsets.US_ASCII);
        assertThat(table.add(key, hash.of(key, 0, key.length))).isEqualTo(i);
      }
    }
    assertThat(table.size()).isEqualTo(10_000);
    byte[] absent = {'x'};
    assertThat(table.find(absent, 0, 1, hash.of(absent, 0, 1))).isEqualTo(-1);
    assertThat(table.get(77)).isEqualTo(new byte[] {'7', '7'});
  }
}
