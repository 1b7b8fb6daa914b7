package io.bloomery.transfer;

import io.bloomery.sync.ReconciliationException;
import io.bloomery.sync.ReconciliationException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;

/** A process, whose exit code is more informative than its streams. */
final class ProcessPeer extends Peer {

  private static final long PATIENCE_SECONDS = 10;

  private final Process process;

  ProcessPeer(String command, Process process) {
    super(command);
    this.process = process;
  }

  @Override
  InputStream in() {
    return process.getInputStream();
  }

  @Override
  OutputStream out() {
    return process.getOutputStream();
  }

  @Override
  void awaitEnd() throws IOException {
    int code = exitCode();
    if (code > 0) {
      throw new IOException("ended with exit code " + code);
    }
  }

  @Override
  IOException explained(IOException e) {
    int code = exitCode();
    if (code > 0) {
      return new IOException("ended with exit code " + code, e);
    }
    boolean answered =
        e instanceof ReconciliationException refused && refused.reason() != Reason.TRUNCATED;
    return code < 0 || answered ? e : new IOException("ended before the reconciliation did", e);
  }

  /** The exit code, or -1 if it does not end. */
  private int exitCode() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It did not read to the end, which its exit code explains.
    }
    try {
      return process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) ? process.exitValue() : -1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }

  @Override
  public void close() {
    process.destroy();
  }
}
