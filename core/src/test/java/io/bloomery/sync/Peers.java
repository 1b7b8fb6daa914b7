package io.bloomery.sync;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Both sides of a reconciliation, in two threads over pipes that hold 64 KiB. */
record Peers(SetReconciliation.Result here, SetReconciliation.Result there) {

  /** One side of a conversation. */
  interface Talk {
    SetReconciliation.Result over(InputStream in, OutputStream out) throws IOException;
  }

  private static final long SECONDS = 60;

  static Peers run(SetReconciliation here, SetReconciliation there) throws IOException {
    return run(here::initiate, there::respond);
  }

  /** Runs both; the failure of the first counts, or else that of the second. */
  static Peers run(Talk first, Talk second) throws IOException {
    Pipe forth = Pipe.open();
    Pipe back = Pipe.open();
    CompletableFuture<SetReconciliation.Result> other = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try (InputStream in = Channels.newInputStream(forth.source());
                  OutputStream out = Channels.newOutputStream(back.sink())) {
                other.complete(second.over(in, out));
              } catch (IOException | RuntimeException e) {
                other.completeExceptionally(e);
              }
            },
            "responder");
    thread.start();
    SetReconciliation.Result result;
    try (InputStream in = Channels.newInputStream(back.source());
        OutputStream out = Channels.newOutputStream(forth.sink())) {
      result = first.over(in, out);
    }
    try {
      return new Peers(result, other.get(SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException | CompletionException e) {
      if (e.getCause() instanceof IOException problem) {
        throw problem;
      }
      throw new AssertionError(e);
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("the responder does not end", e);
    }
  }
}
