package io.bloomery.net.scan;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.hash.Hasher;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.capture.Frames;
import io.bloomery.net.scan.TrafficScanner.Counts;
import io.bloomery.net.scan.TrafficScanner.Hit;
import io.bloomery.net.scan.TrafficScanner.Kind;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrafficScannerTest {

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  private static List<String> indicators(List<Hit> hits) {
    return hits.stream().map(Hit::indicator).toList();
  }

  @Test
  void stringsAreFoundAcrossSegments() throws IOException {
    Connection connection =
        new Connection()
            .segment(0, bytes("some att"))
            .segment(10, bytes("k and an"))
            .segment(8, bytes("ac"))
            .segment(18, bytes("other\0\1end"));
    List<Hit> hits = connection.hits("\"attack\"", "\"another|00 01|\"", "\"absent\"", "\"at\"");
    assertThat(hits)
        .extracting(hit -> hit.indicator() + " " + hit.position())
        .containsExactlyInAnyOrder("\"at\" 5", "\"attack\" 5", "\"another|00 01|\" 16");
    assertThat(hits)
        .allMatch(hit -> hit.kind() == Kind.STRING && hit.flow().equals(Connection.FLOW));
  }

  /**
   * Random streams of two letters, cut anywhere, out of order and sent twice: the hits, with their
   * places, are those of a search that compares everything.
   */
  @Test
  void theHitsAreThoseOfASearchOfTheWholeStream() throws IOException {
    SplittableRandom random = Seeds.random(21);
    for (int round = 0; round < Effort.of(150); round++) {
      byte[] content = new byte[random.nextInt(1, 600)];
      for (int i = 0; i < content.length; i++) {
        content[i] = (byte) ('a' + random.nextInt(2));
      }
      Set<String> strings = new HashSet<>();
      for (int i = 0; i < 30; i++) {
        int length = Math.min(content.length, random.nextInt(2, i % 5 == 0 ? 90 : 12));
        int from = random.nextInt(content.length - length + 1);
        String string = new String(content, from, length, ISO_8859_1);
        if (length >= 2) {
          strings.add(random.nextBoolean() ? string : string.substring(1) + "ab");
        }
      }
      Connection connection = new Connection().segment(-1, bytes("!"));
      int most = 1 + random.nextInt(round % 2 == 0 ? 4 : 200);
      TreeMap<Long, byte[]> later = new TreeMap<>();
      for (int at = 0; at < content.length; ) {
        int length = Math.min(content.length - at, 1 + random.nextInt(most));
        byte[] part = Arrays.copyOfRange(content, at, at + length);
        later.put((long) at * 1000 + random.nextInt(200_000), part);
        int place = at;
        if (random.nextInt(3) == 0) {
          connection.segment(place, part);
        } else if (length > 30) {
          connection.fragments(place, part, 8 * random.nextInt(1, 4));
        }
        later.put((long) random.nextInt(1 << 20) << 20 | place, part);
        at += length;
      }
      later.forEach(
          (order, part) -> {
            if (order >= 1 << 20) {
              connection.segment((int) (order & 0xF_FFFF), part);
            }
          });
      List<String> expected = new ArrayList<>();
      String text = new String(content, ISO_8859_1);
      for (String string : strings) {
        for (int at = text.indexOf(string); at >= 0; at = text.indexOf(string, at + 1)) {
          expected.add("\"" + string + "\" " + (at + 1));
        }
      }
      List<Hit> hits = new ArrayList<>();
      String[] lines = strings.stream().map(each -> "\"" + each + "\"").toArray(String[]::new);
      TrafficScanner scanner = Connection.scan(connection.file(), hits, lines);
      assertThat(scanner.counts().missing()).isZero();
      assertThat(hits)
          .filteredOn(hit -> !hit.isChoice())
          .extracting(hit -> hit.indicator() + " " + hit.position())
          .containsExactlyInAnyOrderElementsOf(expected);
      assertThat(new HashSet<>(indicators(hits)))
          .as("old bytes sent again are not the history's any more, but spell nothing else")
          .isEqualTo(
              new HashSet<>(expected.stream().map(each -> each.replaceAll(" .*", "")).toList()));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "evil.example, true",
    "www.EVIL.example, true",
    "notevil.example, false",
    "evil.example.org, false",
    "see evil.example. Then, true",
    "user@evil.example>, true",
    "evil-example, false",
    "a.b.c.d.evil.example:443, true"
  })
  void domainsAreWholeNames(String content, boolean isFound) throws IOException {
    for (int cut = 1; cut <= content.length(); cut++) {
      Connection connection =
          new Connection()
              .segment(0, bytes(content.substring(0, cut)))
              .segment(cut, bytes(content.substring(cut)));
      assertThat(connection.hits("evil.example")).as(cut + "").hasSize(isFound ? 1 : 0);
    }
    byte[] datagram = Frames.ipv4(1, 2, Packet.UDP, 0, 0, Frames.udp(5, 6, bytes(content)));
    assertThat(new Connection().packet(datagram).hits(".evil.example")).hasSize(isFound ? 1 : 0);
  }

  /** A name of 48 to 57 characters, whose length in front of it is a digit. */
  @Test
  void namesBehindTheirLength() throws IOException {
    for (int length = 45; length < 60; length++) {
      String name = "x".repeat(length - 8) + ".example";
      Connection connection = new Connection().segment(0, bytes("\0\0" + (char) length + name));
      assertThat(connection.hits(name)).hasSize(1);
    }
  }

  @Test
  void namesOfDns() throws IOException {
    byte[] message =
        Frames.join(
            Frames.halves(7, 0x8180, 1, 1, 0, 0),
            bytes("\3www\4evil\7example\0"),
            Frames.halves(1, 1, 0xC00C, 5, 1, 0, 60, 10),
            bytes("\7another\300\25"));
    byte[] packet = Frames.ipv4(1, 2, Packet.UDP, 0, 0, Frames.udp(53, 6000, message));
    assertThat(indicators(new Connection().packet(packet).hits("evil.example", "another.example")))
        .containsExactly("evil.example", "evil.example", "another.example");
    for (int i = 0; i < message.length; i++) { // malformed ones end early
      byte[] cut = Arrays.copyOf(message, i);
      new Connection()
          .packet(Frames.ipv4(1, 2, Packet.UDP, 0, 0, Frames.udp(53, 6000, cut)))
          .hits("evil.example");
    }
  }

  @Test
  void addressesAndPrefixes() throws IOException {
    Connection connection =
        new Connection()
            .packet(Frames.ipv4(1, 2, Packet.UDP, 0, 0, Frames.udp(1, 2, new byte[0])))
            .packet(Frames.ipv6(3, 4, Packet.UDP, Frames.udp(1, 2, new byte[0])));
    assertThat(indicators(connection.hits("10.0.0.2", "2001:db8::/126", "192.0.2.0/24")))
        .containsExactly("10.0.0.2", "2001:db8::/126");
  }

  @Test
  void urlsAndDigestsOfWebMessages() throws Exception {
    String body = "a file of 21 bytes...";
    String chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    String stream =
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n"
            + ("HTTP/1.1 200 OK\r\ncontent-length: 21\r\n\r\n" + body)
            + (chunked + "a\r\n" + body.substring(0, 10) + "\r\nB;x\r\n")
            + (body.substring(10) + "\r\n0\r\nTrailer: x\r\n\r\n")
            + ("HTTP/1.0 200 OK\n\n" + body + "!");
    List<String> expected = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    for (String algorithm : List.of("MD5", "SHA-1", "SHA-256")) {
      MessageDigest digest = MessageDigest.getInstance(algorithm);
      String first = HexFormat.of().formatHex(digest.digest(bytes(body)));
      String second = HexFormat.of().formatHex(digest.digest(bytes(body + "!")));
      lines.addAll(List.of(first.toUpperCase(Locale.ROOT), second));
      expected.addAll(List.of(first, first, second));
    }
    for (int size : new int[] {1, 7, 1000}) {
      Connection connection = new Connection();
      for (int at = 0; at < stream.length(); at += size) {
        connection.segment(at, bytes(stream.substring(at, Math.min(stream.length(), at + size))));
      }
      assertThat(indicators(connection.hits(lines.toArray(String[]::new))))
          .containsExactlyInAnyOrderElementsOf(expected);
    }
    String request =
        "POST /a/b?c HTTP/1.1\r\nContent-Length: 3\r\nHost: Evil.example:80\r\n\r\nxyz"
            + "GET http://other.example/p HTTP/1.1\r\nHost: other.example\r\n\r\n";
    List<Hit> hits =
        new Connection()
            .segment(0, bytes(request))
            .hits(
                "https://evil.EXAMPLE/a/b?c",
                "http://other.example:80/p",
                "http://evil.example/a",
                "http://other.example/p");
    assertThat(indicators(hits))
        .contains("https://evil.EXAMPLE/a/b?c", "http://other.example/p")
        .doesNotContain("http://evil.example/a");
  }

  @Test
  void whatIsNoIndicatorIsRefused() {
    TrafficScanner.Builder builder = TrafficScanner.builder(ScanOptions.standard());
    builder.line("# comment").line("").line("; too");
    for (String line :
        List.of(
            "\"open",
            "\"a\"",
            "\"|4|\"",
            "\"|41\"",
            "\"a\"b\"",
            "|41 42| x",
            "no domain",
            "evil",
            "1.2.3.4/33",
            "300.1.1.1",
            "abc123",
            "\"|zz|\"",
            "10.0.0.1/8")) {
      assertThatThrownBy(() -> builder.line(line))
          .as(line)
          .isInstanceOf(IllegalArgumentException.class);
    }
    TrafficScanner scanner = builder.line("\"\\\"|41|\\|\"").line("|de AD|").build(hit -> {});
    assertThat(scanner.indicators(Kind.STRING)).isEqualTo(2);
    assertThat(scanner.indicators(Kind.ADDRESS)).isZero();
    assertThatThrownBy(
            () -> new ScanOptions(5, 1 << 20, 16, Hasher.xxh3()).withStreamBytes(1 << 21))
        .hasMessageContaining("no key");
    TrafficScanner.Builder small =
        TrafficScanner.builder(new ScanOptions(1, 1 << 20, 16, Hasher.keyed(new byte[16])));
    small.line("a.example").line("a.example");
    assertThatThrownBy(() -> small.line("b.example"))
        .hasMessage("the list has more than 1 indicators");
  }

  /** Anything in packets: no exception, and every hit is there. */
  @Test
  void forgedPackets() throws IOException {
    SplittableRandom random = Seeds.random(22);
    String[] lines = {
      "\"ab\"",
      "\"abcdef\"",
      "\"aaaaaaaaaaaaaaaaaaaa\"",
      "a.example",
      "http://a.example/",
      "d41d8cd98f00b204e9800998ecf8427e",
      "10.0.0.0/30"
    };
    String[] parts = {
      "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n",
      "abcdef",
      "a",
      ".",
      "a.example",
      "\r\n\r\n",
      "HTTP/1.1 200\r\nContent-Length: 99999999999999\r\n\r\n",
      "fffffffffffffff\r\n",
      "HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n",
      "\1a\7example\0",
      "aaaaaaaaaaaaaaaaaaaa"
    };
    for (int round = 0; round < Effort.of(200); round++) {
      Connection connection = new Connection();
      for (int i = 0; i < 60; i++) {
        StringBuilder content = new StringBuilder();
        for (int j = random.nextInt(6); j > 0; j--) {
          content.append(parts[random.nextInt(parts.length)]);
        }
        byte[] payload = bytes(content.toString());
        int place = random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(400);
        switch (random.nextInt(4)) {
          case 0 -> connection.fragments(place, payload, 8 * random.nextInt(1, 9));
          case 1 ->
              connection.packet(
                  Frames.ipv4(
                      1, 2, Packet.UDP, 0, random.nextInt(1 << 14), Frames.udp(53, 53, payload)));
          case 2 ->
              connection.packet(
                  Frames.ipv4(1, 2, 6, 0, 0, Connection.tcp(place, random.nextInt(256), payload)));
          default -> connection.segment(place, payload);
        }
      }
      List<Hit> hits = new ArrayList<>();
      Counts counts = Connection.scan(connection.file(), hits, lines).counts();
      assertThat(counts.hits()).isEqualTo(hits.size());
      assertThat(Arrays.asList(lines)).containsAll(indicators(hits));
    }
  }
}
