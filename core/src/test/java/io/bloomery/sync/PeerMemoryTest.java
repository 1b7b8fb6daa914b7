package io.bloomery.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.dynatrace.hash4j.hashing.Hashing;
import com.sun.management.ThreadMXBean;
import io.bloomery.sync.Conversation.Part;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Few bytes of a peer that claims much, against a process with a small heap and no limit given. */
final class PeerMemoryTest {

  private static final int HEAP_MEGABYTES = 64;
  private static final long CLAIMED = 11_000_000;

  /** What the peer does; the process is the other side. */
  enum Attack {
    /** The smallest: a greeting, and a request for as many symbols as there could be. */
    SYMBOLS("LIMIT", 100),
    /** As many tables as an honest peer requests, each for all keys that it claims. */
    TABLES("LIMIT", 200),
    /** Tables that are just about allowed, again and again. */
    REPEATED_TABLES("LIMIT", 200),
    /** Symbols that are just about allowed, a few at a time. */
    REPEATED_SYMBOLS("LIMIT", 100_000),
    /** An answer that claims many keys, and then is too short for their table. */
    SHORT_TABLE("MALFORMED", 3_000, SetReconciliation.Method.INVERTIBLE),
    /** The same with symbols. */
    SHORT_SYMBOLS("MALFORMED", 3_000, SetReconciliation.Method.RATELESS),
    /** Keys of three bytes, each of which takes far more than that in memory. */
    SHORT_KEYS("LIMIT", 9_000_000),
    /** A message that goes on and on. */
    LONG_MESSAGE("LIMIT", 200_000_000);

    private final String reason;
    private final long bytes;
    private final SetReconciliation.Method method; // of a side that begins, or null

    Attack(String reason, long bytes) {
      this(reason, bytes, null);
    }

    Attack(String reason, long bytes, SetReconciliation.Method method) {
      this.reason = reason;
      this.bytes = bytes;
      this.method = method;
    }
  }

  @ParameterizedTest
  @EnumSource(Attack.class)
  void isRefusedInASmallHeap(Attack attack, @TempDir Path directory) throws Exception {
    Path log = directory.resolve("log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx" + HEAP_MEGABYTES + "m",
                "-cp",
                classPath(),
                Victim.class.getName(),
                attack.name())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    String[] words = Files.readString(log).strip().split(" ", 4);
    assertThat(words[0]).as("%s", Arrays.toString(words)).isEqualTo(attack.reason);
    assertThat(Long.parseLong(words[1])).as("bytes of the peer").isBetween(1L, attack.bytes);
    long own = Victim.KEYS * (long) Long.BYTES;
    assertThat(Long.parseLong(words[2]))
        .as("bytes sent to it")
        .isLessThan(2 * own + ((long) HEAP_MEGABYTES << 20) / 2);
  }

  /** Tables are made when their answer has come, not when it is expected. */
  @ParameterizedTest
  @EnumSource(
      value = Attack.class,
      names = {"SHORT_TABLE", "SHORT_SYMBOLS"})
  void nothingIsAllocatedForAnAnswerThatIsTooShort(Attack attack) {
    SetReconciliation side =
        SetReconciliation.builder().method(attack.method).seed(1).limit(1L << 40).add(1).build();
    Line line = new Line(Victim.bytes(attack));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThatThrownBy(() -> side.initiate(line, line.out()))
        .isInstanceOfSatisfying(
            ReconciliationException.class,
            e -> assertThat(e.reason()).isEqualTo(ReconciliationException.Reason.MALFORMED))
        .hasMessageContaining(": 0 bytes instead of ");
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(4 << 20);
  }

  private static String classPath() throws URISyntaxException {
    List<String> places = new ArrayList<>();
    for (Class<?> part : List.of(Victim.class, KeySet.class, Hashing.class, Keys.class)) {
      places.add(
          Path.of(part.getProtectionDomain().getCodeSource().getLocation().toURI()).toString());
    }
    return String.join(File.pathSeparator, places);
  }

  /** Counts the bytes of both directions. */
  private static final class Line extends InputStream {
    private final InputStream from;
    private long read;
    private long written;

    Line(InputStream from) {
      this.from = from;
    }

    @Override
    public int read() throws IOException {
      int next = from.read();
      read += next < 0 ? 0 : 1;
      return next;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int count = from.read(bytes, offset, length);
      read += Math.max(0, count);
      return count;
    }

    OutputStream out() {
      return new OutputStream() {
        @Override
        public void write(int b) {
          written++;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
          written += length;
        }
      };
    }
  }

  /** What the test runs: prints the reason of the refusal, and the bytes of both directions. */
  static final class Victim {

    static final int KEYS = 20_000;
    private static final long SEED = Seeds.of(11);

    private Victim() {}

    public static void main(String[] args) throws IOException {
      Attack attack = Attack.valueOf(args[0]);
      SetReconciliation.Builder set = SetReconciliation.builder().seed(SEED).method(attack.method);
      int length = attack == Attack.SHORT_KEYS ? 3 : Long.BYTES;
      for (int i = 0; i < KEYS; i++) {
        set.add(Arrays.copyOf(KeyCodec.bytesOf((long) i), length));
      }
      Line line = new Line(bytes(attack));
      String reason;
      try {
        SetReconciliation side = set.build();
        reason =
            (attack.method != null
                    ? side.initiate(line, line.out())
                    : side.respond(line, line.out()))
                .toString();
      } catch (ReconciliationException e) {
        reason = e.reason() + " " + line.read + " " + line.written + " " + e.getMessage();
      }
      System.out.println(reason);
    }

    private static Message hello(long keys, int length) {
      return new Greeting(null, false, keys, length, length, 1, 2).write(Greeting.begin());
    }

    private static InputStream sealed(Message... messages) {
      List<Part> parts = new ArrayList<>();
      for (Message message : messages) {
        parts.add(new Part(message.type(), Conversation.bytes(message)));
      }
      return new ByteArrayInputStream(Conversation.join(parts));
    }

    private static Message sketch(long keys) {
      int levels = ParitySketch.levelsFor(keys);
      Message hello = hello(keys, Long.BYTES).number(levels);
      for (int i = 0; i < levels * ParitySketch.LEVEL_BITS / Long.SIZE; i++) {
        hello.word(Keys.hash(i)); // half of the bits, so that all keys seem to differ
      }
      return hello;
    }

    private static InputStream bytes(Attack attack) {
      Message hello = hello(CLAIMED, Long.BYTES).word(SEED);
      return switch (attack) {
        case SYMBOLS -> sealed(hello, new Message(Message.SYMBOLS).number(0).number(CLAIMED));
        case TABLES -> sealed(hello, table(CLAIMED, 0), table(CLAIMED, 1), table(CLAIMED, 2));
        case REPEATED_TABLES -> {
          Message[] all = new Message[9];
          Arrays.setAll(all, i -> i == 0 ? hello : table(100_000, i - 1));
          yield sealed(all);
        }
        case REPEATED_SYMBOLS -> {
          Message[] all = new Message[2_000];
          Arrays.setAll(
              all,
              i -> i == 0 ? hello : new Message(Message.SYMBOLS).number(8L * (i - 1)).number(8));
          yield sealed(all);
        }
        case SHORT_TABLE -> sealed(sketch(1 << 20), new Message(Message.TABLE));
        case SHORT_SYMBOLS -> sealed(sketch(1 << 20), new Message(Message.SYMBOLS));
        case SHORT_KEYS -> {
          int keys = 2_000_000;
          byte[] content = new byte[4 + 4 * keys];
          Message settle = new Message(Message.SETTLE).number(keys);
          byte[] head = Conversation.bytes(settle);
          System.arraycopy(head, 0, content, 0, head.length);
          int at = head.length;
          for (int i = 0; i < keys && at + 3 <= content.length; i++) {
            for (int shift = 0; shift < 24; shift += 8) {
              content[at++] = (byte) ((i + KEYS) >> shift);
            }
          }
          byte[] list = Arrays.copyOf(content, at + 1); // and wants no keys
          Part part = new Part(Message.SETTLE, list);
          yield new SequenceInputStream(
              sealed(hello(keys, 3).word(SEED)), new ByteArrayInputStream(part.sealed()));
        }
        case LONG_MESSAGE -> {
          Message head = new Message(Message.SETTLE).number(150_000_000);
          byte[] length = Conversation.bytes(head);
          yield new SequenceInputStream(
              sealed(hello),
              new SequenceInputStream(
                  new ByteArrayInputStream(new byte[] {Message.SETTLE}),
                  new SequenceInputStream(new ByteArrayInputStream(length), new Zeros())));
        }
      };
    }

    private static Message table(long difference, int attempt) {
      return new Message(Message.TABLE).number(difference).number(attempt);
    }
  }

  /** Zeros without end. */
  private static final class Zeros extends InputStream {
    @Override
    public int read() {
      return 0;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
      Arrays.fill(bytes, offset, offset + length, (byte) 0);
      return length;
    }
  }
}
