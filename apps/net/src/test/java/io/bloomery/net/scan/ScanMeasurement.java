package io.bloomery.net.scan;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomery.net.capture.Capture;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.capture.CaptureOptions;
import io.bloomery.net.capture.Frames;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.ahocorasick.trie.Trie;

/**
 * Compares the search for byte strings with {@code org.ahocorasick}, in one run, by the CPU time of
 * this thread: bench/net-scan. Each figure is the least of all rounds, in which the subjects take
 * turns on the same content; it is divided by the bytes of content.
 */
final class ScanMeasurement {

  private static final Path CAPTURES = Path.of("apps/net/src/test/resources/captures");
  private static final int SIZE = 16 << 20;
  private static final int SEGMENT = 1448;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private ScanMeasurement() {}

  /** The strings of a list like those of intrusion detection: of text, of bytes and of both. */
  private static List<byte[]> strings(int count, int least, int most) {
    SplittableRandom random = Seeds.random(41);
    String[] words = {
      "cmd",
      "exec",
      "admin",
      "login",
      "passwd",
      "select",
      "union",
      "script",
      "shell",
      "upload",
      "config",
      "wp-content",
      "index.php",
      "cgi-bin",
      "../",
      "%00",
      "User-Agent: ",
      "GET /",
      "=1&"
    };
    List<byte[]> strings = new ArrayList<>();
    while (strings.size() < count) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      int length = random.nextInt(least, most + 1);
      while (out.size() < length) {
        if (length < 8 || random.nextInt(3) == 0) {
          byte[] bytes = new byte[random.nextInt(2, 9)];
          random.nextBytes(bytes);
          out.writeBytes(bytes);
        } else {
          String number = Integer.toString(random.nextInt(1000));
          out.writeBytes((words[random.nextInt(words.length)] + number).getBytes(ISO_8859_1));
        }
      }
      strings.add(Arrays.copyOf(out.toByteArray(), length));
    }
    return strings;
  }

  /** What captures of web traffic carry, again and again. */
  private static byte[] web() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    while (out.size() < SIZE) {
      for (String name : List.of("650HttpResponses", "4KHttpRequests")) {
        try (Capture capture =
            Capture.open(CAPTURES.resolve(name + ".pcap.gz"), CaptureOptions.DEFAULT)) {
          for (Packet packet = capture.next(); packet != null; packet = capture.next()) {
            out.write(packet.bytes(), packet.payloadOffset(), packet.payloadLength());
          }
        }
      }
    }
    return Arrays.copyOf(out.toByteArray(), SIZE);
  }

  private static byte[] random() {
    byte[] bytes = new byte[SIZE];
    Seeds.random(42).nextBytes(bytes);
    return bytes;
  }

  /** Content as segments of 64 connections. */
  private static byte[] capture(byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(SIZE + (SIZE >> 4));
    out.writeBytes(Frames.pcap(ByteOrder.BIG_ENDIAN, false, 101));
    for (int at = 0; at < content.length; at += SEGMENT) {
      byte[] part = Arrays.copyOfRange(content, at, Math.min(content.length, at + SEGMENT));
      int connection = at / SEGMENT % 64;
      byte[] segment = Frames.tcp(connection, 80, 0, 0, part);
      ByteBuffer.wrap(segment).putInt(4, at / SEGMENT / 64 * SEGMENT);
      byte[] packet = Frames.ipv4(1, 2, Packet.TCP, 0, 0, segment);
      out.writeBytes(Frames.words(ByteOrder.BIG_ENDIAN, 1, 0, packet.length, packet.length));
      out.writeBytes(packet);
    }
    return out.toByteArray();
  }

  private static long packets(TrafficScanner scanner, byte[] file) {
    try (Capture capture = Capture.open(new ByteArrayInputStream(file), CaptureOptions.DEFAULT)) {
      for (Packet packet = capture.next(); packet != null; packet = capture.next()) {
        scanner.take(packet);
      }
      scanner.finish();
      return scanner.counts().hits();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static TrafficScanner scanner(List<String> lines) {
    TrafficScanner.Builder builder = TrafficScanner.builder(ScanOptions.standard());
    lines.forEach(builder::line);
    return builder.build(hit -> {});
  }

  private static String line(byte[] string) {
    return "|" + HexFormat.of().formatHex(string) + "|";
  }

  /** Rounds of all subjects in turn; prints the least times. */
  private static void run(String content, int rounds, Map<String, LongSupplier> subjects) {
    Map<String, Long> least = new LinkedHashMap<>();
    Map<String, Long> hits = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
      subjects.forEach(
          (name, subject) -> {
            long start = THREADS.getCurrentThreadCpuTime();
            long found = subject.getAsLong();
            least.merge(name, THREADS.getCurrentThreadCpuTime() - start, Math::min);
            hits.put(name, found);
          });
    }
    least.forEach(
        (name, nanos) ->
            System.out.printf(
                "%-8s %-50s %8.1f MB/s %10d hits%n",
                content, name, SIZE * 1e3 / nanos, hits.get(name)));
  }

  private static void measure(String name, byte[] content, int rounds) {
    for (int[] list : new int[][] {{1_000, 8, 32}, {1_000, 4, 26}, {100_000, 8, 32}}) {
      int count = list[0];
      List<byte[]> strings = strings(count, list[1], list[2]);
      SplittableRandom random = Seeds.random(43);
      for (int i = 0; i < 500; i++) {
        byte[] planted = strings.get(random.nextInt(count));
        System.arraycopy(planted, 0, content, random.nextInt(SIZE - 64), planted.length);
      }
      ContentHash hash = new ContentHash();
      ByteTable table = new ByteTable();
      strings.forEach(each -> table.add(each, hash.of(each, 0, each.length)));
      ByteStrings ours = new ByteStrings(table, hash);
      List<String> lines = strings.stream().map(ScanMeasurement::line).toList();
      byte[] file = capture(content);
      Map<String, LongSupplier> subjects = new LinkedHashMap<>();
      String suffix = ", %,d of %d to %d bytes".formatted(count, list[1], list[2]);
      subjects.put(
          "ByteStrings" + suffix,
          () -> {
            ours.scan(content, 0, SIZE, SIZE, 0);
            return ours.found();
          });
      TrafficScanner whole = scanner(lines);
      long[] before = new long[1];
      subjects.put(
          "TrafficScanner" + suffix,
          () -> {
            long sum = packets(whole, file) - before[0];
            before[0] += sum;
            return sum;
          });
      Trie.TrieBuilder builder = Trie.builder();
      strings.forEach(each -> builder.addKeyword(new String(each, ISO_8859_1)));
      Trie trie = builder.build();
      String text = new String(content, ISO_8859_1);
      subjects.put("org.ahocorasick 0.6.3" + suffix, () -> trie.parseText(text).size());
      run(name, rounds, subjects);
    }
  }

  /** Arguments: the number of rounds. */
  public static void main(String... args) throws IOException {
    int rounds = args.length == 0 ? 5 : Integer.parseInt(args[0]);
    measure("web", web(), rounds);
    measure("random", random(), rounds);
    million(rounds);
  }

  /** A million indicators of all kinds. */
  private static void million(int rounds) throws IOException {
    SplittableRandom random = Seeds.random(44);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 1_000_000; i++) {
      String name = Long.toString(random.nextLong() & Long.MAX_VALUE, 36);
      lines.add(
          switch (i % 4) {
            case 0 -> name + ".example";
            case 1 -> "http://" + name.substring(6) + ".example/" + name;
            case 2 -> "%016x%016x".formatted(random.nextLong(), random.nextLong());
            default -> "\"" + name + "\"";
          });
    }
    long start = THREADS.getCurrentThreadCpuTime();
    TrafficScanner scanner = scanner(lines);
    System.out.printf(
        "1,000,000 indicators: %.1f s to read, %d MB%n",
        (THREADS.getCurrentThreadCpuTime() - start) / 1e9, scanner.memory() / 1_000_000);
    byte[] file = capture(web());
    run(
        "web",
        rounds,
        Map.of("TrafficScanner, 1,000,000 indicators", () -> packets(scanner, file)));
  }
}
