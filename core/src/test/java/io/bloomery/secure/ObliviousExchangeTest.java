package io.bloomery.secure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An example: client and server over a socket, each message with its length before it. */
@Timeout(60)
final class ObliviousExchangeTest {

  private static void send(DataOutputStream out, byte[] message) throws IOException {
    out.writeInt(message.length);
    out.write(message);
    out.flush();
  }

  /** A message of at most this many bytes: a receiver must not trust the length it is told. */
  private static byte[] receive(DataInputStream in, int most) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > most) {
      throw new IOException("a message of " + length + " bytes");
    }
    return in.readNBytes(length);
  }

  private static Void serve(ObliviousFilter.Server server, ServerSocket socket, int requests)
      throws IOException {
    try (Socket peer = socket.accept();
        DataInputStream in = new DataInputStream(peer.getInputStream());
        DataOutputStream out = new DataOutputStream(peer.getOutputStream())) {
      for (int i = 0; i < requests; i++) {
        byte[] request = receive(in, ObliviousFilter.Server.MAX_BATCH * 33);
        send(out, server.evaluate("loopback", request));
      }
    }
    return null;
  }

  private static boolean lookUp(
      ObliviousFilter.Client client, String word, DataInputStream in, DataOutputStream out)
      throws IOException {
    ObliviousFilter.Query query = client.ask(word);
    send(out, query.request());
    return query.mightContain(receive(in, 97));
  }

  @Test
  void overALoopbackSocket() throws Exception {
    ObliviousFilter.Server server = ObliviousFilter.Server.create(ObliviousKey.generate(), 3);
    ObliviousFilter filter = server.filter(List.of("swordfish", "password"), 1e-9);
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Future<Void> served = executor.submit(() -> serve(server, socket, 3));
      ObliviousFilter.Client client = ObliviousFilter.Client.of(filter);
      try (Socket peer = new Socket(socket.getInetAddress(), socket.getLocalPort());
          DataInputStream in = new DataInputStream(peer.getInputStream());
          DataOutputStream out = new DataOutputStream(peer.getOutputStream())) {
        assertThat(lookUp(client, "swordfish", in, out)).isTrue();
        assertThat(lookUp(client, "password", in, out)).isTrue();
        assertThat(lookUp(client, "correct horse", in, out)).isFalse();
      }
      served.get(30, TimeUnit.SECONDS);
      assertThat(server.remaining("loopback")).isZero();
    } finally {
      executor.shutdownNow();
    }
  }
}
