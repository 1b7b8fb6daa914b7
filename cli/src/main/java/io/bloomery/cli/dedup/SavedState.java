package io.bloomery.cli.dedup;

import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Shutdown;
import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.BlockSink;
import io.bloomery.tools.problem.Problem;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Saves a state while lines still come, as from {@code tail -f}: from time to time, also when the
 * input pauses, and when the process is ended by a signal. Each time the lines are written first
 * and the state afterwards, so that a line may be printed again after a crash, but none is lost.
 *
 * <p>Lines wait while the state is saved. A state that takes long to write is saved less often:
 * saving takes at most a twentieth of the time.
 */
final class SavedState implements AutoCloseable {

  private static final int LEAST_SHARE = 20;

  /** How long the end of the process waits for a block that cannot be written. */
  private static final long LAST_SECONDS = 3;

  private final SeenState state;
  private final StandardOutput out;
  private final long period;
  private final Console console;
  private final ReentrantLock turn = new ReentrantLock(); // a block is taken, or all is saved
  private final Condition ended = turn.newCondition();
  private final Thread saver = new Thread(this::saveAgain, "bloom-save");
  private boolean closed;
  private boolean warned;
  private @Nullable RuntimeException failure; // of the output

  /** Begins to save. */
  SavedState(SeenState state, StandardOutput out, Duration period, Console console) {
    this.state = state;
    this.out = out;
    this.period = period.toNanos();
    this.console = console;
    saver.setDaemon(true);
    state.atShutdown(this::saveLast);
    saver.start();
  }

  /** The same sink, which takes no block while the state is saved. */
  BlockSink around(BlockSink sink) {
    return new BlockSink() {
      @Override
      public void prepare(Block block) {
        sink.prepare(block);
      }

      @Override
      public boolean take(Block block) {
        turn.lock();
        boolean taken = false;
        try {
          check();
          boolean more = sink.take(block);
          taken = true;
          return more;
        } finally {
          closed |= !taken; // its lines are not written, and never saved
          turn.unlock();
        }
      }
    };
  }

  /** Fails if the lines could not be written when the state was to be saved. */
  private void check() {
    if (failure != null) {
      throw failure;
    }
  }

  private void saveAgain() {
    turn.lock();
    try {
      long wait = period;
      while (!closed) {
        long left = wait;
        while (!closed && left > 0) {
          left = ended.awaitNanos(left);
        }
        long start = System.nanoTime();
        if (!closed) {
          save();
        }
        wait = Math.max(period, LEAST_SHARE * (System.nanoTime() - start));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the process ends
    } finally {
      turn.unlock();
    }
  }

  /** Writes the lines, then the state. */
  private void save() {
    try {
      out.flush();
    } catch (Problem | StandardOutput.Closed e) {
      closed = true;
      failure = e;
      return;
    }
    try {
      state.save();
      warned = false;
    } catch (Problem e) { // tried again the next time
      if (!warned && !Shutdown.isBegun()) {
        warned = true;
        console.warn(e.getMessage() + "; the state could not be saved yet");
      }
    }
  }

  /** Saves at the end of the process, after which no line is printed. */
  private void saveLast() {
    try {
      if (turn.tryLock(LAST_SECONDS, TimeUnit.SECONDS) && !closed) {
        closed = true;
        save();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops; the caller saves what came last, unless this fails. */
  @Override
  public void close() {
    turn.lock();
    try {
      closed = true;
      ended.signalAll();
      check();
    } finally {
      turn.unlock();
    }
  }
}
