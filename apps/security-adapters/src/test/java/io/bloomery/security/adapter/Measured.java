package io.bloomery.security.adapter;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.LongSupplier;

/** What the measurements of this module share: CPU time, memory, rates beside predictions. */
final class Measured {

  private Measured() {}

  /** CPU time of this process so far. */
  static double cpuSeconds() {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime() / 1e9;
  }

  /** The least CPU time of this thread that some work takes, of several rounds. */
  static double leastSeconds(int rounds, LongSupplier work) {
    long least = Long.MAX_VALUE;
    long results = 0;
    for (int round = 0; round < rounds; round++) {
      long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      results += work.getAsLong();
      least =
          Math.min(least, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start);
    }
    if (results < 0) { // so that no work is without effect
      throw new IllegalStateException("a negative count");
    }
    return least / 1e9;
  }

  /** Prints hits beside what was predicted, in standard deviations. */
  static void rate(String what, long hits, long trials, double predicted) {
    double mean = trials * predicted;
    double sigmas = (hits - mean) / Math.sqrt(mean * (1 - predicted));
    System.out.printf(
        Locale.ROOT,
        "%,d of %,d %s, predicted %,.1f: %+.1f standard deviations%n",
        hits,
        trials,
        what,
        mean,
        sigmas);
  }

  /** The most memory that this process had, as Linux says. */
  static String mostResident() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .map(line -> line.substring("VmHWM:".length()).strip())
        .findFirst()
        .orElse("unknown");
  }
}
