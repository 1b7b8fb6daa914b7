package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.FrameHeader;
import io.bloomery.HashedFilter;
import io.bloomery.ReadOptions;
import io.bloomery.SampleFilters;
import io.bloomery.hash.Hasher;
import io.bloomery.lookup.ManySetsFilter;
import io.bloomery.testkit.Keys;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Forged files of every kind, with right checksums: {@code header}, {@code verify}, {@code open}
 * and {@code map} refuse them with a reason or agree that they are sound, and a filter that is
 * opened or mapped answers, in memory and work that its file explains.
 */
final class HostileFilesTest {

  private static final int SOME = 50;
  private static final int MANY = 1_000_000;
  private static final long BUDGET = 1 << 20;

  /** Room for messages, stack traces and tables of a fixed size. */
  private static final long OVERHEAD = 16 << 20;

  /** For loops that never end; the queries of a sound file take less than a millisecond. */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Why a file may be refused that is sound. */
  private static final String[] NOT_OF_THE_FILE = {"the budget is ", "made with a secret key"};

  private static final int KEYS = 20;
  private static final long[] HASHES = Keys.outsiders(64);
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TempDir private Path directory;
  private int sound;
  private int mappable;
  private int changed;
  private byte[] sample = {};
  private FilterKind<?> sampled;
  private String refusal = "";

  static List<FilterKind<?>> kinds() {
    return Filters.kinds();
  }

  /** All kinds, or those that the property {@code bloomery.kinds} names, separated by commas. */
  static List<FilterKind<?>> chosenKinds() {
    String names = System.getProperty("bloomery.kinds", "");
    return names.isEmpty()
        ? kinds()
        : Stream.of(names.split(",", -1)).<FilterKind<?>>map(Filters::kind).toList();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void someForgeries(FilterKind<?> kind, TestReporter report) throws IOException {
    forge(kind, SOME, 43, report);
  }

  @ParameterizedTest
  @MethodSource("chosenKinds")
  @Tag("long")
  @Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aMillionForgeriesInTotal(FilterKind<?> kind, TestReporter report) throws IOException {
    forge(kind, Integer.getInteger("bloomery.forgeries", MANY) / kinds().size() + 1, 44, report);
  }

  private void forge(FilterKind<?> kind, int files, long seed, TestReporter report)
      throws IOException {
    sampled = kind;
    sample = SampleFilters.bytes(SampleFilters.of(kind));
    HostileFrame.check(sample); // loads the classes, whose memory is not the file's
    check(sample);
    assertThat(sound).as("the sample is sound").isEqualTo(1);
    Forger forger = new Forger(sample, seed + kind.id());
    for (int i = 0; i < files; i++) {
      byte[] forged = forger.next();
      try {
        check(forged);
      } catch (RuntimeException | Error e) {
        String hex = HexFormat.of().formatHex(forged);
        throw new AssertionError("%s, file %d: %s".formatted(kind, i, hex), e);
      }
    }
    report.publishEntry(
        kind.name(),
        "%d files, %d sound, %d mapped, %d merged or cleared"
            .formatted(files, sound - 1, mappable - 1, changed));
  }

  /** What must hold for untrusted bytes. */
  private void check(byte[] bytes) throws IOException {
    Path file = directory.resolve("forged.bloom");
    Files.deleteIfExists(
        file); // some file systems flush a file that is truncated and written again
    Files.write(file, bytes);
    FrameHeader header = within(OVERHEAD, () -> Filters.header(file));
    FrameHeader verified = within(OVERHEAD, () -> Filters.verify(file));
    if (header == null) {
      assertThat(verified).isNull();
      assertThat(within(OVERHEAD, () -> Filters.open(file))).isNull();
      assertThat(within(OVERHEAD, () -> Filters.map(file))).isNull();
      return;
    }
    Hasher hasher = header.isKeyed() ? null : Hasher.xxh3(header.seedOrKeyCheck());
    boolean plain = header.hashId() == 0 || hasher == null;
    long most = BUDGET + BUDGET / 8 + OVERHEAD;
    Filter opened =
        within(
            most,
            () ->
                plain
                    ? Filters.open(file)
                    : Filters.open(
                        file, ReadOptions.defaults().withHasher(hasher).withLimit(BUDGET)));
    String refusalOfOpen = refusal;
    Filter mapped =
        within(
            most,
            () ->
                plain
                    ? Filters.map(file)
                    : Filters.map(
                        file, ReadOptions.defaults().withHasher(hasher).withLimit(BUDGET)));
    if (verified != null && opened == null) {
      // Neither a key nor a budget is a matter of verify.
      assertThat(refusalOfOpen).as("open of what verify accepts").containsAnyOf(NOT_OF_THE_FILE);
    }
    if (opened != null) {
      sound++;
      assertThat(verified).as("verify of what opens").isNotNull();
      assertThat(mapped).as("map of what opens").isNotNull();
      assertThat(SampleFilters.bytes(opened)).isEqualTo(bytes);
      query(opened);
      HostileFrame.use(opened);
      HostileFrame.writeAndReopen(opened);
      changed += HostileFrame.mergeAndClear(opened, bytes, soundOf(header.kind())) ? 1 : 0;
    }
    if (mapped != null) {
      mappable++;
      query(mapped);
    }
  }

  /** A forged number may make a file one of another kind, if that has the same fields. */
  private byte[] soundOf(FilterKind<?> found) {
    return found == sampled ? sample : SampleFilters.bytes(SampleFilters.of(found));
  }

  /** Reads a file in bounded memory; null if it is refused with a reason. */
  private <T> T within(long bytes, Reading<T> reading) throws IOException {
    long thread = Thread.currentThread().getId();
    long before = THREADS.getThreadAllocatedBytes(thread);
    T result = null;
    try {
      result = reading.read();
    } catch (FilterFormatException e) {
      assertThat(e.getMessage()).contains("forged.bloom, byte ");
      refusal = e.getMessage();
    }
    assertThat(THREADS.getThreadAllocatedBytes(thread) - before).isLessThan(bytes);
    return result;
  }

  @FunctionalInterface
  private interface Reading<T> {
    T read() throws IOException;
  }

  /** Queries of any kind end soon, in little memory, whatever the words are. */
  private static void query(Filter filter) {
    long thread = Thread.currentThread().getId();
    long start = THREADS.getCurrentThreadCpuTime();
    long before = THREADS.getThreadAllocatedBytes(thread);
    for (long key = 0; key < KEYS; key++) {
      filter.mightContain(key);
    }
    if (filter instanceof HashedFilter hashed) {
      hashed.mightContainHashes(HASHES, 0, HASHES.length, new long[1]);
    }
    if (filter instanceof ManySetsFilter sets) {
      sets.setsOf("key-0");
    }
    HostileFrame.ask(filter);
    assertThat(THREADS.getThreadAllocatedBytes(thread) - before).isLessThan(OVERHEAD);
    assertThat(THREADS.getCurrentThreadCpuTime() - start).isLessThan(MOST_NANOS);
  }
}
