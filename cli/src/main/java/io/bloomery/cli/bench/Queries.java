package io.bloomery.cli.bench;

import io.bloomery.HashedFilter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * The loop that is timed. One for all filters, so that what {@link Calibration} measures and what
 * is compared with it are called alike.
 */
final class Queries {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private Queries() {}

  /** Processor time of this thread in nanoseconds, which other programs do not add to. */
  static long now() {
    return THREADS.isCurrentThreadCpuTimeSupported()
        ? THREADS.getCurrentThreadCpuTime()
        : System.nanoTime();
  }

  /** Looks up hashes one by one; how many were found. */
  static int hits(HashedFilter filter, long[] hashes) {
    int hits = 0;
    for (long hash : hashes) {
      hits += filter.mightContainHash(hash) ? 1 : 0;
    }
    return hits;
  }
}
