package io.bloomery.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Bytes that the current thread has allocated. */
final class Allocation {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocation() {}

  static long bytes() {
    return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
  }
}
