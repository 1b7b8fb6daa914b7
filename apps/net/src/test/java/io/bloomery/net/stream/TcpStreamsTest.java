package io.bloomery.net.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.hash.Hasher;
import io.bloomery.net.stream.TcpStreams.Counts;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Against streams that were cut into segments here, and against forged segments. */
class TcpStreamsTest {

  private static final Hasher HASHER = Hasher.keyed(new byte[16]);

  /** Keeps everything, and fails if places do not follow each other. */
  private static final class Recorder implements Receiver<ByteArrayOutputStream> {
    private final List<byte[]> streams = new ArrayList<>();
    private final List<String> variants = new ArrayList<>();
    private long missing;
    private int open;

    @Override
    public ByteArrayOutputStream opened(TcpStream<ByteArrayOutputStream> stream) {
      open++;
      return new ByteArrayOutputStream();
    }

    @Override
    public void data(TcpStream<ByteArrayOutputStream> stream, byte[] bytes, int from, int length) {
      if (length <= 0 || stream.state().size() != stream.position()) {
        throw new AssertionError("not in order");
      }
      byte[] all = stream.state().toByteArray();
      int kept = stream.historyLength();
      if (!Arrays.equals(all, all.length - kept, all.length, stream.history(), 0, kept)) {
        throw new AssertionError("another history");
      }
      stream.state().write(bytes, from, length);
    }

    @Override
    public void missing(TcpStream<ByteArrayOutputStream> stream, long count) {
      missing += count;
      stream.state().writeBytes(new byte[(int) count]);
    }

    @Override
    public void variant(
        TcpStream<ByteArrayOutputStream> stream, long position, byte[] bytes, int from, int n) {
      variants.add(position + " " + new String(bytes, from, n, StandardCharsets.US_ASCII));
    }

    @Override
    public void ended(TcpStream<ByteArrayOutputStream> stream) {
      open--;
      streams.add(stream.state().toByteArray());
    }
  }

  /** Counts, and fails if places do not follow each other. */
  private static final class Counter implements Receiver<long[]> {
    private long delivered;
    private int open;

    @Override
    public long[] opened(TcpStream<long[]> stream) {
      open++;
      return new long[1];
    }

    @Override
    public void data(TcpStream<long[]> stream, byte[] bytes, int from, int length) {
      if (length <= 0 || stream.state()[0] != stream.position()) {
        throw new AssertionError("not in order");
      }
      stream.state()[0] += length;
      delivered += length;
    }

    @Override
    public void missing(TcpStream<long[]> stream, long count) {
      stream.state()[0] += count;
    }

    @Override
    public void variant(TcpStream<long[]> stream, long position, byte[] all, int from, int n) {
      if (n <= 0 || from + n > all.length) {
        throw new AssertionError("nothing");
      }
    }

    @Override
    public void ended(TcpStream<long[]> stream) {
      open--;
    }
  }

  private static Segment segment(int ports, int sequence, int flags, String content) {
    byte[] bytes = content.getBytes(StandardCharsets.US_ASCII);
    return segment(ports, sequence, flags, bytes, 0, bytes.length);
  }

  private static Segment segment(
      int ports, int sequence, int flags, byte[] bytes, int from, int length) {
    Segment segment = new Segment();
    segment.version = 4;
    segment.ports = ports;
    segment.sequence = sequence;
    segment.flags = flags;
    segment.bytes = bytes;
    segment.from = from;
    segment.captured = length;
    segment.length = length;
    return segment;
  }

  private static Recorder record(StreamOptions options, Segment... segments) {
    Recorder recorder = new Recorder();
    TcpStreams<ByteArrayOutputStream> streams = new TcpStreams<>(options, HASHER, recorder);
    for (Segment segment : segments) {
      streams.take(segment);
    }
    streams.finish();
    return recorder;
  }

  private static List<String> texts(Recorder recorder) {
    return recorder.streams.stream()
        .map(each -> new String(each, StandardCharsets.US_ASCII))
        .toList();
  }

  /** Cut anywhere, sent twice, in any order within some distance: the stream comes out. */
  @Test
  void segmentsInAnyOrderAreTheStream() {
    SplittableRandom random = Seeds.random(1);
    for (int round = 0; round < Effort.of(400); round++) {
      byte[] content = new byte[1 + random.nextInt(3000)];
      random.nextBytes(content);
      int most = 1 + random.nextInt(round % 3 == 0 ? 3 : 600);
      int first = random.nextInt(); // near 2^32, too
      first = round % 2 == 0 ? -random.nextInt(2000) : first;
      List<Segment> segments = new ArrayList<>();
      for (int at = 0; at < content.length; ) {
        int length = Math.min(content.length - at, 1 + random.nextInt(most));
        int back = Math.min(at, random.nextInt(4) == 0 ? random.nextInt(most) : 0);
        segments.add(segment(7, first + 1 + at - back, 0, content, at - back, length + back));
        if (random.nextInt(5) == 0) {
          segments.add(segment(7, first + 1 + at, 0, content, at, length));
        }
        at += length;
      }
      Seeds.shuffle(segments, random.nextLong());
      segments.add(0, segment(7, first, Segment.SYN, ""));
      segments.add(segment(7, first + 1 + content.length, Segment.FIN, ""));
      Recorder recorder =
          record(new StreamOptions(4, 1 << 20, 1 << 18, 4096), segments.toArray(Segment[]::new));
      assertThat(recorder.streams).hasSize(1);
      assertThat(recorder.streams.get(0)).isEqualTo(content);
      assertThat(recorder.missing).isZero();
      assertThat(recorder.variants).isEmpty();
    }
  }

  @Test
  void whatDiffersIsAVariant() {
    Segment begin = segment(1, 99, Segment.SYN, "");
    Recorder recorder =
        record(
            StreamOptions.DEFAULT,
            begin,
            segment(1, 100, 0, "abcdef"),
            segment(1, 100, 0, "abcdef"),
            segment(1, 102, 0, "XYefgh"),
            segment(1, 112, 0, "mnop"),
            segment(1, 110, 0, "klMN"),
            segment(1, 108, 0, "ij"),
            segment(1, 99, 0, "?a"));
    assertThat(texts(recorder)).containsExactly("abcdefghijklmnop");
    assertThat(recorder.variants).containsExactly("2 XYef", "12 MN", "-1 ?a");
  }

  @Test
  void gapsAreGivenUpAndCounted() {
    Recorder recorder = new Recorder();
    TcpStreams<ByteArrayOutputStream> streams =
        new TcpStreams<>(new StreamOptions(4, 1 << 16, 1000, 64), HASHER, recorder);
    streams.take(segment(1, 0, 0, "abc"));
    for (int i = 1; i <= 10; i++) {
      streams.take(segment(1, 100 * i, 0, "x".repeat(90)));
    }
    assertThat(recorder.missing).isGreaterThan(97);
    assertThat(streams.bytes()).isLessThanOrEqualTo(1000 + 64);
    Segment cut = segment(1, 1090, 0, "y".repeat(5));
    cut.length = 50; // the capture has the first five
    streams.take(cut);
    streams.take(segment(1, 1140, 0, "z"));
    streams.finish();
    Counts counts = streams.counts();
    assertThat(counts.missing()).isEqualTo(97 + 9 * 10 + 45);
    assertThat(counts.gaps()).isEqualTo(11);
    assertThat(recorder.streams.get(0)).hasSize(1141).endsWith((byte) 0, (byte) 'z');
  }

  /** Packets that a receiver may never get do not move the stream. */
  @Test
  void forgedBeginningsAndEndsChangeNothing() {
    Segment begin = segment(1, 99, Segment.SYN, "");
    Recorder recorder =
        record(
            StreamOptions.DEFAULT,
            begin,
            segment(1, 100, 0, "abc"),
            segment(1, 7_000, Segment.SYN, ""),
            segment(1, 103, Segment.RST, ""),
            segment(1, 103, Segment.FIN, ""),
            segment(1, 103, 0, "def"));
    assertThat(texts(recorder)).containsExactly("abcdef");
  }

  @Test
  void portsThatAreUsedAgainAreAnotherStream() {
    Recorder recorder =
        record(
            StreamOptions.DEFAULT,
            segment(1, 99, Segment.SYN, ""),
            segment(1, 100, 0, "abc"),
            segment(1, 103, Segment.FIN, ""),
            segment(1, 50, Segment.SYN, ""),
            segment(1, 51, 0, "de"),
            segment(1, 53, 0, "f"));
    assertThat(texts(recorder)).containsExactly("abc", "def");
  }

  @Test
  void theQuietestStreamsAreDropped() {
    Recorder recorder = new Recorder();
    TcpStreams<ByteArrayOutputStream> streams =
        new TcpStreams<>(new StreamOptions(3, 1 << 16, 1000, 64), HASHER, recorder);
    for (int i = 0; i < 10; i++) {
      streams.take(segment(0, i, 0, "k")); // stays in use
      streams.take(segment(i + 1, 0, 0, "ab"));
      assertThat(streams.size()).isLessThanOrEqualTo(3);
    }
    streams.finish();
    assertThat(streams.counts().opened()).isEqualTo(11);
    assertThat(streams.counts().dropped()).isEqualTo(8);
    assertThat(recorder.open).isZero();
    assertThat(texts(recorder)).contains("kkkkkkkkkk");
  }

  /** Forged segments: bounded memory, no exception, nothing delivered twice. */
  @Test
  void forgedSegments() {
    SplittableRandom random = Seeds.random(2);
    StreamOptions options = new StreamOptions(50, 1 << 17, 1 << 13, 256);
    Counter recorder = new Counter();
    TcpStreams<long[]> streams = new TcpStreams<>(options, HASHER, recorder);
    byte[] content = new byte[2000];
    long sent = 0;
    for (int i = 0; i < Effort.of(60_000); i++) {
      int length = random.nextInt(4) == 0 ? 0 : random.nextInt(1, 2000);
      int sequence =
          switch (random.nextInt(8)) {
            case 0 -> Integer.MIN_VALUE;
            case 1 -> random.nextInt(1 << 14);
            default -> random.nextInt(1 << 12);
          };
      Segment segment =
          segment(random.nextInt(80), sequence, random.nextInt(8), content, 0, length);
      segment.length = random.nextInt(10) == 0 ? length + random.nextInt(3000) : length;
      sent += length;
      streams.take(segment);
      if (streams.bytes() > options.maxBytes() || streams.size() > options.maxStreams()) {
        throw new AssertionError("beyond the limits");
      }
    }
    streams.finish();
    assertThat(recorder.delivered).isLessThanOrEqualTo(sent);
    assertThat(recorder.open).isZero();
  }

  @Test
  void optionsAreChecked() {
    assertThatThrownBy(() -> new StreamOptions(0, 1, 1, 1)).hasMessageContaining("maxStreams = 0");
    assertThatThrownBy(() -> new StreamOptions(1, 10, 8, 8))
        .hasMessage("maxBytes = 10 is below twice maxHeld + history = 16");
    assertThatThrownBy(() -> new TcpStreams<>(StreamOptions.DEFAULT, Hasher.xxh3(), new Recorder()))
        .hasMessageContaining("no key");
    assertThat(StreamOptions.DEFAULT.withMaxBytes(1 << 20).maxHeld()).isEqualTo(1 << 17);
  }
}
