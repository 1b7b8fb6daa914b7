package io.bloomery.tools.input;

import io.bloomery.tools.problem.Problem;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Threads that each take a block through all steps: read (one at a time), split, hash and prepare
 * (concurrently), take (one at a time, in the input's order). While one block is taken, the next
 * are prepared; on one core the caller does everything.
 *
 * <p>A failure is ordered like a block, so that all input before it has been taken when it is
 * reported.
 */
final class Pipeline {

  private final Reading reading;
  private final BlockSource source;
  private final BlockSink sink;

  private final ReentrantLock sourceLock = new ReentrantLock();
  private long tickets; // blocks that were read
  private boolean ended;

  private final Object turns = new Object();
  private long turn; // blocks that were taken
  private int busy; // threads that have a block
  private boolean stopped;
  private @Nullable Throwable failure;

  /** Reads a source into a sink. */
  Pipeline(Reading reading, BlockSource source, BlockSink sink) {
    this.reading = reading;
    this.source = source;
    this.sink = sink;
  }

  /** Returns when the sink has taken everything or wants no more; throws if something failed. */
  void run() {
    if (reading.threads() == 1) {
      work();
    } else {
      for (int i = 1; i <= reading.threads(); i++) {
        Thread thread = new Thread(this::work, "bloom-reader-" + i);
        thread.setDaemon(true);
        thread.start();
      }
      await();
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
  }

  /** Readers blocked on input are abandoned: they are daemon threads. */
  private void await() {
    synchronized (turns) {
      while (!stopped || busy > 0) {
        try {
          turns.wait();
        } catch (InterruptedException e) {
          stopped = true;
          turns.notifyAll();
          Thread.currentThread().interrupt();
          throw new Problem("interrupted");
        }
      }
    }
  }

  private void work() {
    Step step = new Step();
    while (step.next()) {
      step.prepare();
      step.take();
    }
  }

  /** One thread's way through the stations. */
  private final class Step {
    private @Nullable Block block;
    private long ticket;
    private boolean filled;
    private @Nullable Throwable problem;

    /** Reads a block, or learns that there is none or what went wrong; false: nothing to do. */
    boolean next() {
      sourceLock.lock();
      try {
        if (ended || isStopped()) {
          return false;
        }
        ticket = tickets++;
        filled = false;
        try {
          block = block == null ? reading.newBlock() : block;
          filled = source.fill(block);
        } catch (RuntimeException | Error e) {
          problem = e;
        }
        ended = !filled;
        synchronized (turns) {
          busy++;
        }
        return true;
      } finally {
        sourceLock.unlock();
      }
    }

    void prepare() {
      if (filled && block != null) {
        try {
          reading.split(block);
          sink.prepare(block);
        } catch (RuntimeException | Error e) {
          problem = e;
        }
      }
    }

    void take() {
      boolean more = false;
      try {
        if (awaitTurn() && filled && block != null && problem == null) {
          reading.badRows().take(block);
          more = sink.take(block);
        }
      } catch (RuntimeException | Error e) {
        problem = e;
      } finally {
        done(more);
      }
    }

    private boolean awaitTurn() {
      synchronized (turns) {
        while (turn != ticket && !stopped) {
          try {
            turns.wait();
          } catch (InterruptedException e) {
            stopped = true;
            failure = new Problem("interrupted");
          }
        }
        return !stopped;
      }
    }

    private void done(boolean more) {
      synchronized (turns) {
        if (turn == ticket) {
          turn++;
          if (!stopped) {
            failure = problem;
            stopped = !more;
          }
        }
        busy--;
        turns.notifyAll();
      }
    }
  }

  private boolean isStopped() {
    synchronized (turns) {
      return stopped;
    }
  }
}
