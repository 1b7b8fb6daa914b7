package io.bloomery.transfer;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The time that a peer is given: the timeout for each answer, and a second more for every 4 KiB of
 * it; the timeout for each piece that it takes. Then the connection is closed, by a thread, since
 * sockets have no time limit for writes, and one for each read does not end a peer that sends a
 * byte now and then. The time in which this side computes does not count.
 */
final class Patience {

  private static final long NANOS_PER_BYTE = TimeUnit.SECONDS.toNanos(1) >> 12;

  /** How much later than the timeout a peer may be cut off, as a fraction of it. */
  private static final int PRECISION = 16;

  private static final long LONGEST = TimeUnit.DAYS.toNanos(365);

  private final long timeout;
  private final Socket socket;
  private final Thread watch = new Thread(this::watch, "patience");
  private boolean waiting; // for the peer, until due
  private boolean answering; // the peer, since a time that due is from
  private long due;
  private boolean over;
  private boolean ended;

  Patience(Duration timeout, Socket socket) {
    this.timeout = timeout.compareTo(Duration.ofNanos(LONGEST)) < 0 ? timeout.toNanos() : LONGEST;
    this.socket = socket;
    watch.setDaemon(true);
  }

  private synchronized void begin(boolean answer) {
    if (!answer || !answering) {
      due = System.nanoTime() + timeout;
    }
    answering = answer;
    waiting = true;
    if (watch.getState() == Thread.State.NEW) {
      watch.start();
    }
  }

  private synchronized void pause(int bytes) {
    waiting = false;
    due += Math.max(0, bytes) * NANOS_PER_BYTE;
  }

  /** Ends the watch; the peer may take as long as it likes. */
  synchronized void end() {
    ended = true;
    LockSupport.unpark(watch);
  }

  /** Whether the peer was cut off. */
  synchronized boolean isOver() {
    return over;
  }

  private synchronized boolean isToBeCutOff() {
    over = waiting && !ended && System.nanoTime() - due >= 0;
    return over;
  }

  private synchronized boolean hasEnded() {
    return ended;
  }

  private void watch() {
    while (!hasEnded()) {
      if (isToBeCutOff()) {
        try {
          socket.close();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
        return;
      }
      LockSupport.parkNanos(Math.max(1, timeout / PRECISION));
    }
  }

  InputStream with(InputStream in) {
    return new FilterInputStream(in) {
      @Override
      public int read() throws IOException {
        begin(true);
        try {
          return in.read();
        } finally {
          pause(1);
        }
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        int count = 0;
        begin(true);
        try {
          count = in.read(bytes, offset, length);
          return count;
        } finally {
          pause(count);
        }
      }
    };
  }

  OutputStream with(OutputStream out) {
    return new FilterOutputStream(out) {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        begin(false);
        try {
          out.write(bytes, offset, length);
        } finally {
          pause(0);
        }
      }
    };
  }
}
