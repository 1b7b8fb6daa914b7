package io.bloomery.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.frame.Damage;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every reader, native and foreign, under damaged files. The time limit is for loops that never
 * end; half of the bytes have their checksums made right again.
 */
final class HostileBytesTest {

  private static final int SHOWN = 600;

  static List<HostileReader> readers() {
    return HostileReader.all();
  }

  /**
   * All readers, or those whose names contain a match of the regular expression {@code
   * bloomery.readers}.
   */
  static List<HostileReader> chosenReaders() {
    Pattern names = Pattern.compile(System.getProperty("bloomery.readers", ""));
    return readers().stream().filter(reader -> names.matcher(reader.name()).find()).toList();
  }

  @ParameterizedTest
  @MethodSource("readers")
  @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void someDamagedFiles(HostileReader reader, TestReporter report) {
    run(reader, 1_000, 41, report);
  }

  @ParameterizedTest
  @MethodSource("chosenReaders")
  @Tag("long")
  @Timeout(value = 60, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aMillionDamagedFiles(HostileReader reader, TestReporter report) {
    run(reader, 1_000_000, 42, report);
  }

  private static void run(HostileReader reader, int executions, long seed, TestReporter report) {
    for (byte[] sample : reader.samples()) {
      assertThat(reader.check(sample.clone())).as("a sound file").isTrue();
    }
    Damage damage = new Damage(reader.samples(), seed);
    int read = 0;
    long start = System.nanoTime();
    for (int i = 0; i < executions; i++) {
      byte[] bytes = damage.next();
      if ((i & 1) == 0) {
        bytes = reader.seal().apply(bytes);
      }
      byte[] before = bytes.clone();
      try {
        read += reader.check(bytes) ? 1 : 0;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("%s, execution %d: %s".formatted(reader, i, shown(before)), e);
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    report.publishEntry(
        reader.name(), "%d executions, %d read, %.1f s".formatted(executions, read, seconds));
    // From 2.7 % where a checksum covers everything to 65 % where any bits make a filter, and 97 %
    // where only the format is recognized.
    assertThat((double) read / executions)
        .as("the share of damaged files that are read")
        .isBetween(0.005, 0.99);
  }

  private static String shown(byte[] bytes) {
    String hex = HexFormat.of().formatHex(Arrays.copyOf(bytes, Math.min(SHOWN, bytes.length)));
    return bytes.length > SHOWN ? hex + "… (" + bytes.length + " bytes)" : hex;
  }
}
