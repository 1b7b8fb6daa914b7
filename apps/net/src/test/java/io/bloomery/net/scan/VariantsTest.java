package io.bloomery.net.scan;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.net.scan.TrafficScanner.Hit;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Attacks that rest on what a receiver, but not an observer, keeps of several bytes. */
class VariantsTest {

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  @Test
  void laterBytesForThePlaceAreLookedAt() throws IOException {
    Connection connection =
        new Connection()
            .segment(0, bytes("GET /ATT"))
            .segment(8, bytes("xxxx"))
            .segment(8, bytes("ACK "))
            .segment(12, bytes("HTTP/1.1"));
    assertThat(connection.hits("\"/ATTACK \"", "\"/ATTxxxx\"", "\"ATTAxxK\""))
        .extracting(hit -> hit.indicator() + hit.isChoice())
        .containsOnly("\"/ATTACK \"true", "\"/ATTxxxx\"false", "\"/ATTxxxx\"true");
    assertThat(connection.hits("\"ATTAxxK\"", "\"TTACx\"")).extracting(Hit::indicator).hasSize(1);
  }

  /**
   * A thousand attacks in tiny segments of which decoys are sent as well, before or after, in any
   * order: each is found, and no string that no choice of bytes spells.
   */
  @Test
  void decoysHideNothing() throws IOException {
    SplittableRandom random = Seeds.random(31);
    int attacks = Effort.of(1000);
    int found = 0;
    for (int attack = 0; attack < attacks; attack++) {
      byte[] content = new byte[120];
      byte[] decoys = new byte[120];
      for (int i = 0; i < content.length; i++) {
        content[i] = (byte) random.nextInt('a', 'z' + 1);
        decoys[i] = (byte) random.nextInt('a', 'z' + 1);
      }
      int length = random.nextInt(8, 40);
      int from = random.nextInt(content.length - length);
      String planted = "\"" + new String(content, from, length, ISO_8859_1) + "\"";
      byte[] near = Arrays.copyOfRange(content, from, from + length);
      int changed = random.nextInt(length);
      near[changed] = '#'; // what nobody sent
      String absent = "\"" + new String(near, ISO_8859_1) + "\"";
      Connection connection = new Connection().segment(-1, bytes("!"));
      List<int[]> held = new ArrayList<>();
      for (int at = 0; at < content.length; ) {
        int size = Math.min(content.length - at, random.nextInt(1, 9));
        byte[] right = Arrays.copyOfRange(content, at, at + size);
        byte[] wrong = Arrays.copyOfRange(decoys, at, at + size);
        switch (random.nextInt(4)) {
          case 0 -> connection.segment(at, right).segment(at, wrong);
          case 1 -> connection.segment(at, wrong).segment(at, right);
          case 2 -> {
            connection.segment(at, wrong);
            held.add(new int[] {at, size});
          }
          default -> connection.segment(at, right);
        }
        at += size;
      }
      for (int[] each : held) {
        connection.segment(each[0], Arrays.copyOfRange(content, each[0], each[0] + each[1]));
      }
      List<String> hits = connection.hits(planted, absent).stream().map(Hit::indicator).toList();
      found += hits.contains(planted) ? 1 : 0;
      assertThat(hits).doesNotContain(absent);
    }
    assertThat(found).isEqualTo(attacks);
  }

  /** Choices are the bytes that were sent for the very place. */
  @Test
  void anotherChoiceThanThoseIsNone() throws IOException {
    Connection connection =
        new Connection().segment(0, bytes("abcdef")).segment(0, bytes("ghijkl"));
    assertThat(connection.hits("\"ahcjel\"", "\"gbidkf\"", "\"ahcjef\""))
        .extracting(Hit::indicator)
        .containsExactlyInAnyOrder("\"ahcjel\"", "\"gbidkf\"", "\"ahcjef\"");
    assertThat(connection.hits("\"ahcjeh\"", "\"gbidgf\"", "\"ghabcdef\"")).isEmpty();
  }

  @Test
  void tooManyChoicesAreCounted() throws IOException {
    Connection connection = new Connection().segment(0, bytes("abcdef"));
    for (char letter = 'g'; letter < 'p'; letter++) {
      connection.segment(0, bytes(Character.toString(letter).repeat(6)));
    }
    List<Hit> hits = new ArrayList<>();
    TrafficScanner scanner = Connection.scan(connection.file(), hits, "\"oooooo\"");
    assertThat(scanner.counts().unchecked()).isEqualTo(1);
    assertThat(scanner.counts().variants()).isEqualTo(9);
  }
}
