package io.bloomery.cli.index;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The threads that make filters and search blocks. */
final class Workers {

  private static final int MOST = 8;

  /** How many threads there are. */
  static final int THREADS = Math.min(MOST, Runtime.getRuntime().availableProcessors());

  private Workers() {}

  /** Starts them; they end with the process at the latest. */
  static ExecutorService start() {
    return Executors.newFixedThreadPool(
        THREADS,
        task -> {
          Thread thread = new Thread(task, "bloom-worker");
          thread.setDaemon(true);
          return thread;
        });
  }
}
