package io.bloomery.transfer;

import io.bloomery.sync.SetReconciliation;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Runs both sides in this process, over two pipes. */
final class LocalRun {

  private LocalRun() {}

  /** The result of the first side. */
  static SetReconciliation.Result run(SetReconciliation here, SetReconciliation there)
      throws IOException {
    Pipe forth = Pipe.open();
    Pipe back = Pipe.open();
    CompletableFuture<Void> other = new CompletableFuture<>();
    Thread responder =
        new Thread(
            () -> {
              try (InputStream in = Channels.newInputStream(forth.source());
                  OutputStream out = Channels.newOutputStream(back.sink())) {
                there.respond(in, out);
                other.complete(null);
              } catch (Throwable e) { // an error of memory, too
                other.completeExceptionally(e);
              }
            },
            "responder");
    responder.setDaemon(true);
    responder.start();
    SetReconciliation.Result result;
    try (InputStream in = Channels.newInputStream(back.source());
        OutputStream out = Channels.newOutputStream(forth.sink())) {
      result = here.initiate(in, out);
    }
    try {
      other.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof IOException problem ? problem : new IOException(e.getCause());
    }
    return result;
  }
}
