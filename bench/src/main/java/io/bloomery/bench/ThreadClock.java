package io.bloomery.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Resources used by the current thread: time and allocated bytes. */
final class ThreadClock {

  /** Names the system property that makes {@link #nanos} count processor time. */
  static final String CPU_TIME = "bench.cpuTime";

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final boolean USE_CPU_TIME = Boolean.getBoolean(CPU_TIME);

  private ThreadClock() {}

  /**
   * Wall time, or on request the thread's processor time, which leaves out what other programs on
   * the same cores take (but not what they do to the caches).
   */
  static long nanos() {
    return USE_CPU_TIME ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
  }

  /** The thread's processor time. */
  static long cpuNanos() {
    return THREADS.getCurrentThreadCpuTime();
  }

  static long allocatedBytes() {
    return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
  }
}
