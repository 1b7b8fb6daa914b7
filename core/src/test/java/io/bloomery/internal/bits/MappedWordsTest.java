package io.bloomery.internal.bits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Race;
import java.io.IOException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One contract; the version for the running Java is tested if the classes come from a jar. */
final class MappedWordsTest {

  private static final int OFFSET = 4096;
  private static final long SEGMENT = 1L << 27; // of the version for Java 17, in words

  @TempDir Path directory;

  @Test
  void fromJava22OnTheJarHasItsOwnVersion() {
    URL found = MappedWords.class.getResource("MappedWords.class");
    boolean packed = found.getProtocol().equals("jar");
    assertThat(packed).isEqualTo(System.getProperty("bloomery.test.classes").endsWith(".jar"));
    assertThat(found.getPath().contains("META-INF/versions/22/")).isEqualTo(readsSegments());
  }

  private static boolean readsSegments() {
    return System.getProperty("bloomery.test.classes").endsWith(".jar")
        && Runtime.version().feature() >= 22;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void storesFollowEachOtherInTheFile(boolean closeable) throws IOException {
    Path file = write(new long[] {10, -11, 12, 13, 14, Long.MIN_VALUE});
    List<Words> stores = map(file, List.of(2L, 0L, 3L, 1L), closeable);
    assertThat(stores).extracting(Words::length).containsExactly(2L, 0L, 3L, 1L);
    assertThat(values(stores.get(0))).containsExactly(10, -11);
    assertThat(values(stores.get(2))).containsExactly(12, 13, 14);
    assertThat(values(stores.get(3))).containsExactly(Long.MIN_VALUE);
    for (Words store : stores) {
      assertThat(store.isReadOnly()).isTrue();
      LongBuffer target = LongBuffer.allocate((int) store.length());
      store.copyTo(0, target);
      assertThat(target.hasRemaining()).isFalse();
      assertThat(target.array()).isEqualTo(values(store));
      assertThatThrownBy(() -> store.get(store.length()))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> store.get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }
    stores.forEach(Words::close);
  }

  /**
   * A sparse file of 3 GiB and two words: every buffer's first and last word, and copies across.
   */
  @Test
  void wordsBeyondWhatABufferHolds() throws IOException {
    long last = 3 * SEGMENT + 1;
    Path file = directory.resolve("sparse");
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.SPARSE,
            StandardOpenOption.WRITE)) {
      for (long at = 0; at <= last; at += SEGMENT) {
        for (long i = Math.max(0, at - 1); i <= at + 1; i++) {
          ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
          channel.write(bytes.putLong(0, ~i), OFFSET + 8 * i);
        }
      }
    }
    Words words = map(file, List.of(last + 1), true).get(0);
    assertThat(words.length()).isEqualTo(last + 1);
    assertThat(words.get(2)).isZero();
    for (long at = SEGMENT; at <= last; at += SEGMENT) {
      long[] across = new long[3];
      words.copyTo(at - 1, LongBuffer.wrap(across));
      assertThat(across).containsExactly(~(at - 1), ~at, ~(at + 1));
      assertThat(words.get(at - 1)).isEqualTo(~(at - 1));
      assertThat(words.get(at)).isEqualTo(~at);
    }
    assertThatThrownBy(() -> words.get(last + 1)).isInstanceOf(IndexOutOfBoundsException.class);
    words.close();
  }

  /** From any byte on, in either order of bytes, on the heap and outside. */
  @Test
  void viewsOfBuffers() {
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      for (ByteBuffer bytes : List.of(ByteBuffer.allocate(29), ByteBuffer.allocateDirect(29))) {
        for (int start = 0; start <= 5; start++) {
          bytes.clear().position(start);
          LongBuffer longs = bytes.order(order).asLongBuffer();
          longs.put(5).put(-6).put(Long.MAX_VALUE).position(1);
          Words words = Words.view(longs);
          assertThat(values(words)).containsExactly(-6, Long.MAX_VALUE);
          assertThat(values(words.copy())).containsExactly(-6, Long.MAX_VALUE);
          LongBuffer target = ByteBuffer.allocateDirect(24).order(order).asLongBuffer();
          words.copyTo(1, target.limit(2).position(1));
          assertThat(target.position()).isEqualTo(2);
          assertThat(target.get(0)).isZero();
          assertThat(target.get(1)).isEqualTo(Long.MAX_VALUE);
        }
      }
    }
  }

  @Test
  void closingOneStoreEndsThemAll() throws IOException {
    Path file = write(new long[] {1, 2, 3});
    List<Words> stores = map(file, List.of(1L, 2L), true);
    stores.forEach(Words::close);
    stores.forEach(Words::close);
    for (Words store : stores) {
      for (ThrowingCallable access :
          List.<ThrowingCallable>of(
              () -> store.get(0),
              () -> store.copyTo(0, LongBuffer.allocate(1)),
              store::copy,
              store::bitCount)) {
        assertThatThrownBy(access)
            .isInstanceOf(IllegalStateException.class)
            .hasMessage("the mapped filter is closed");
      }
    }
  }

  /** The list of the system says what is mapped. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void closingUnmapsAtOnceFromJava22On() throws IOException {
    Path file = write(new long[] {1, 2, 3});
    List<Words> stores = map(file, List.of(1L, 2L), true);
    assertThat(isMapped(file)).isTrue();
    stores.forEach(Words::close);
    assertThat(readsSegments() && isMapped(file)).isFalse();
  }

  private static boolean isMapped(Path file) throws IOException {
    return Files.readString(Path.of("/proc/self/maps")).contains(file.toString());
  }

  /** 400 rounds: three readers until the close stops them, and two threads that close. */
  @Test
  void readersAreStoppedByTheCloseAndNeverReadWhatIsGone() throws IOException {
    long[] values = new long[3 * 512];
    for (int i = 0; i < values.length; i++) {
      values[i] = ~i;
    }
    Path file = write(values);
    for (int round = 0; round < Effort.of(400); round++) {
      Words words = map(file, List.of((long) values.length), true).get(0);
      CountDownLatch reading = new CountDownLatch(3);
      AtomicBoolean closed = new AtomicBoolean();
      Race.run(
          5,
          number -> {
            if (number < 3) {
              readUntilClosed(words, reading, closed);
            } else {
              reading.await();
              words.close();
              closed.set(true);
            }
          });
    }
  }

  private static void readUntilClosed(Words words, CountDownLatch reading, AtomicBoolean closed) {
    try {
      while (true) {
        boolean late = closed.get();
        for (long i = 0; i < words.length(); i++) {
          long found = words.get(i);
          if (found != ~i) {
            throw new AssertionError("word %d is %x".formatted(i, found));
          }
        }
        if (late) {
          throw new AssertionError("read after the close");
        }
        reading.countDown();
      }
    } catch (IllegalStateException e) {
      assertThat(e).hasMessage("the mapped filter is closed");
    }
  }

  private Path write(long[] words) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(OFFSET + words.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.position(OFFSET).asLongBuffer().put(words);
    return Files.write(directory.resolve("words"), bytes.array());
  }

  private static List<Words> map(Path file, List<Long> lengths, boolean closeable)
      throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return Words.map(channel, file.toString(), OFFSET, lengths, 0, closeable);
    }
  }

  private static long[] values(Words words) {
    long[] values = new long[(int) words.length()];
    for (int i = 0; i < values.length; i++) {
      values[i] = words.get(i);
    }
    return values;
  }
}
