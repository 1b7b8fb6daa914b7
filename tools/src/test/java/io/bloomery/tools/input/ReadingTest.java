package io.bloomery.tools.input;

import static io.bloomery.testkit.Inputs.gzip;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Seeds;
import io.bloomery.testkit.SlowStream;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.problem.Problem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks, lines and threads: what is read is what a plain loop over the bytes reads. */
@Timeout(60)
class ReadingTest {

  @TempDir private Path directory;

  /** Everything that was taken, a character a byte. */
  private static final class Taken implements BlockSink {
    private final List<String> keys = new ArrayList<>();
    private final StringBuilder records = new StringBuilder();
    private final Hasher hasher;
    private int blocks;
    private int starts;
    private long skipped;

    Taken(Hasher hasher) {
      this.hasher = hasher;
    }

    @Override
    public boolean take(Block block) {
      blocks++;
      starts += block.startsInput() ? 1 : 0;
      skipped += block.skipped();
      for (int i = 0; i < block.count(); i++) {
        int start = block.keyStarts()[i];
        int length = block.keyEnds()[i] - start;
        keys.add(new String(block.bytes(), start, length, ISO_8859_1));
        records.append(
            new String(
                block.bytes(), block.starts()[i], block.ends()[i] - block.starts()[i], ISO_8859_1));
        if (hasher != null) {
          assertThat(block.hashes()[i]).isEqualTo(hasher.hash(block.bytes(), start, length));
        }
      }
      return true;
    }
  }

  /** What the lines of a text are, by its definition. */
  private static List<String> lines(String text) {
    List<String> lines = new ArrayList<>();
    int start = 0;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      String line = text.substring(start, end);
      lines.add(line.endsWith("\r") ? line.substring(0, line.length() - 1) : line);
      start = end + 1;
    }
    if (start < text.length()) {
      lines.add(text.substring(start));
    }
    return lines;
  }

  private static KeyInput input(InputStream in, Object... names) {
    Console console =
        new Console(
            in,
            new StandardOutput(OutputStream.nullOutputStream()),
            new PrintWriter(Writer.nullWriter()),
            () -> false,
            () -> false);
    return new KeyInput(console, Arrays.stream(names).map(Object::toString).toList());
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(ISO_8859_1));
  }

  private static Reading reading(int threads, int blockBytes) {
    return new Reading(new LineSplitter(), Hasher.xxh3(), true, threads, blockBytes);
  }

  private static String randomText(SplittableRandom random, int length, String alphabet) {
    StringBuilder text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }

  @ParameterizedTest
  @CsvSource({"1, 8", "1, 64", "2, 8", "2, 64", "3, 17", "8, 4096"})
  void randomBytesAreCutAsByTheDefinition(int threads, int blockBytes) {
    SplittableRandom random = Seeds.random(threads * 1000L + blockBytes);
    for (int round = 0; round < 200; round++) {
      // \u000b, 0x8a and 1 are what a careless search for eight bytes at once takes for a \n.
      String text = randomText(random, random.nextInt(400), "a\n\r\u000b\u008a\u0001b\u00ffcdefgh");
      Taken taken = new Taken(Hasher.xxh3());
      InputStream in =
          round % 2 == 0
              ? stream(text)
              : new SlowStream(text.getBytes(ISO_8859_1), 1 + random.nextInt(40), 0);
      input(in).read(reading(threads, blockBytes), taken, bytes -> {});
      assertThat(taken.keys).isEqualTo(lines(text));
      assertThat(taken.records).hasToString(text);
    }
  }

  @Test
  void emptyKeysAreLeftOutAndCounted() {
    Taken taken = new Taken(null);
    input(stream("\n\na\n\r\nb"))
        .read(new Reading(new LineSplitter(), null, false), taken, n -> {});
    assertThat(taken.keys).containsExactly("a", "b");
    assertThat(taken.skipped).isEqualTo(3);
    Taken none = new Taken(null);
    input(stream("")).read(reading(2, 64), none, bytes -> {});
    assertThat(none.blocks).isZero();
  }

  @Test
  void aFileEndsItsLastLine() throws IOException {
    Path plain = Files.writeString(directory.resolve("plain"), "one\ntwo");
    Path empty = Files.writeString(directory.resolve("empty"), "");
    Path packed = Files.write(directory.resolve("packed"), gzip("three\nfour"));
    long[] bytes = new long[1];
    Taken taken = new Taken(Hasher.xxh3());
    input(stream("five"), plain, empty, packed, "-", plain)
        .read(reading(2, 1 << 12), taken, more -> bytes[0] += more);
    assertThat(taken.keys).containsExactly("one", "two", "three", "four", "five", "one", "two");
    assertThat(taken.starts).isEqualTo(4);
    assertThat(bytes[0]).isEqualTo(7 + Files.size(packed) + 4 + 7);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void longLinesPassAndTheirMemoryIsGivenBack(int threads) {
    SplittableRandom random = Seeds.random(5);
    String text =
        "a\n"
            + randomText(random, 3_000_000, "xyz")
            + "\nb\n"
            + randomText(random, 70_000, "uv")
            + "\r\n"
            + "c\n".repeat(5000);
    Taken taken = new Taken(Hasher.xxh3());
    input(new SlowStream(text.getBytes(ISO_8859_1), 65_536, 0))
        .read(reading(threads, 4096), taken, bytes -> {});
    assertThat(taken.keys).isEqualTo(lines(text));
    Block block = new Block(64, true, Block.LONGEST);
    block.append(new byte[1000], 0, 1000);
    block.clear();
    assertThat(block.bytes()).hasSize(64);
  }

  @Test
  void whatIsThereIsHandedOnWhenTheInputPauses() throws Exception {
    PipedOutputStream typing = new PipedOutputStream();
    PipedInputStream in = new PipedInputStream(typing);
    BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    BlockSink sink =
        block -> {
          for (int i = 0; i < block.count(); i++) {
            int start = block.keyStarts()[i];
            answers.add(new String(block.bytes(), start, block.keyEnds()[i] - start, ISO_8859_1));
          }
          if (block.isPaused()) {
            answers.add("(pause)");
          }
          return true;
        };
    Thread reader =
        new Thread(() -> input(in).read(reading(2, 1 << 16), sink, bytes -> {}), "reader");
    reader.start();
    typing.write("one\ntw".getBytes(ISO_8859_1));
    typing.flush();
    assertThat(answers.poll(30, TimeUnit.SECONDS)).isEqualTo("one");
    assertThat(answers.poll(30, TimeUnit.SECONDS)).isEqualTo("(pause)");
    typing.write("o\n".getBytes(ISO_8859_1));
    typing.flush();
    assertThat(answers.poll(30, TimeUnit.SECONDS)).isEqualTo("two");
    typing.close();
    reader.join();
  }

  @Test
  void aPauseWithinALineIsReportedOnce() {
    List<String> seen = new ArrayList<>();
    BlockSink sink = block -> seen.add(block.count() + (block.isPaused() ? " paused" : ""));
    InputStream in =
        new ByteArrayInputStream("aaa\nbbb\nccccc".getBytes(ISO_8859_1)) {
          @Override
          public synchronized int read(byte[] bytes, int offset, int length) {
            return super.read(bytes, offset, pos < 8 ? length : 1);
          }

          @Override
          public synchronized int available() {
            return pos <= 8 ? 1 : 0;
          }
        };
    input(in).read(reading(1, 8), sink, bytes -> {});
    assertThat(seen).containsExactly("2", "0 paused", "1");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void aFailureComesAfterAllThatLiesBeforeIt(int threads) throws IOException {
    byte[] packed = gzip("line\n".repeat(100_000));
    packed[packed.length - 5] ^= 1; // the checksum
    Path file = Files.write(directory.resolve("damaged.gz"), packed);
    Taken taken = new Taken(Hasher.xxh3());
    assertThatThrownBy(() -> input(null, file).read(reading(threads, 1 << 12), taken, bytes -> {}))
        .isInstanceOf(Problem.class)
        .hasMessageStartingWith(file + ", near byte ")
        .hasMessageContaining("damaged gzip data");
    // The last block was not handed on: it was not complete when the failure came.
    assertThat(taken.keys.size()).isBetween(99_000, 100_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void aFailureOfASinkEndsTheReading(int threads) {
    String text = "line\n".repeat(100_000);
    List<Integer> order = new ArrayList<>();
    BlockSink failing =
        block -> {
          order.add(block.count());
          if (order.size() == 5) {
            throw new IllegalStateException("fifth");
          }
          return true;
        };
    assertThatThrownBy(() -> input(stream(text)).read(reading(threads, 4096), failing, bytes -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("fifth");
    assertThat(order).hasSize(5);
    BlockSink failsEarly =
        new BlockSink() {
          @Override
          public void prepare(Block block) {
            throw new OutOfMemoryError("prepare");
          }

          @Override
          public boolean take(Block block) {
            return true;
          }
        };
    assertThatThrownBy(
            () -> input(stream(text)).read(reading(threads, 4096), failsEarly, bytes -> {}))
        .isInstanceOf(OutOfMemoryError.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void aSinkThatHasEnoughStopsAnEndlessInput(int threads) {
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            return '\n';
          }

          @Override
          public int available() {
            return 1;
          }
        };
    int[] blocks = new int[1];
    input(endless).read(reading(threads, 256), block -> ++blocks[0] < 7, bytes -> {});
    assertThat(blocks[0]).isEqualTo(7);
  }
}
