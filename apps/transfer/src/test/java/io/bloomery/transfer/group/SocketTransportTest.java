package io.bloomery.transfer.group;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.sync.transport.Transport;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages over sockets, and what happens when a process fails. */
@Timeout(60)
final class SocketTransportTest {

  private static final long MAGIC = 0x3153_5245_4550_4C42L;

  /** All send a large message before any receives one, several times. */
  private static Void exchangeLarge(Transport transport) throws IOException {
    int size = transport.size();
    for (int round = 0; round < 3; round++) {
      byte[][] messages = new byte[size][];
      for (int to = 0; to < size; to++) {
        messages[to] = content(transport.rank(), to, round);
      }
      byte[][] received = transport.exchange(messages);
      for (int from = 0; from < size; from++) {
        assertThat(received[from]).isEqualTo(content(from, transport.rank(), round));
      }
    }
    assertThat(transport.messagesSent()).isEqualTo(3L * (size - 1));
    return null;
  }

  private static byte[] content(int from, int to, int round) {
    SplittableRandom random = Seeds.random(from * 1000L + to * 10L + round);
    byte[] bytes = new byte[from == to ? 0 : 1 + random.nextInt(1 << 20)];
    random.nextBytes(bytes);
    return bytes;
  }

  @Test
  void messagesArriveInOrder() throws IOException {
    SocketGroup.run(4, SocketTransportTest::exchangeLarge);
    SocketGroup.run(1, SocketTransportTest::exchangeLarge);
  }

  /** One process ends before its turn: all others learn which one. */
  @Test
  void aProcessThatEndsIsNamed() {
    SocketGroup.Task<byte[]> task =
        transport -> transport.rank() == 1 ? null : transport.receive(1);
    assertThatThrownBy(() -> SocketGroup.run(3, task))
        .isInstanceOf(Transport.PeerException.class)
        .hasMessageStartingWith("process 1 ");
  }

  @Test
  void messagesBeforeTheEndAreDelivered() throws IOException {
    SocketGroup.Task<String> task =
        transport -> {
          if (transport.rank() == 0) {
            transport.send(1, "last words".getBytes(UTF_8));
            return "";
          }
          String words = new String(transport.receive(0), UTF_8);
          assertThatThrownBy(() -> transport.receive(0)).hasMessageContaining("process 0 ");
          assertThatThrownBy(() -> transport.receive(0)).hasMessageContaining("process 0 ");
          return words;
        };
    assertThat(SocketGroup.run(2, task)).contains("last words");
  }

  private static ServerSocket server() throws IOException {
    return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  private static InetSocketAddress address(ServerSocket server) {
    return (InetSocketAddress) server.getLocalSocketAddress();
  }

  private static byte[] hello(int size, int rank, int to) {
    return ByteBuffer.allocate(20)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(MAGIC)
        .putInt(size)
        .putInt(rank)
        .putInt(to)
        .array();
  }

  /** Process 0 of 2, to which a test may connect by hand as process 1. */
  private static CompletableFuture<SocketTransport> listen(ServerSocket server, Duration timeout) {
    List<InetSocketAddress> addresses = List.of(address(server), address(server));
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return SocketTransport.connect(0, addresses, server, new GroupOptions(timeout, 1000));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  @Test
  void strangersAreTurnedAway() throws IOException {
    try (ServerSocket server = server();
        Socket stranger = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket other = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket friend = new Socket(server.getInetAddress(), server.getLocalPort())) {
      stranger.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8));
      other.getOutputStream().write(hello(3, 1, 0));
      friend.getOutputStream().write(hello(2, 1, 0));
      try (SocketTransport transport = listen(server, SocketGroup.TIMEOUT).join()) {
        assertThat(transport.size()).isEqualTo(2);
        assertThat(friend.getInputStream().readNBytes(20)).isEqualTo(hello(2, 0, 1));
      }
    }
  }

  /**
   * More strangers than are heard at a time: most are silent for longer than the group waits in
   * total if they are heard one after the other, and one sends a byte.
   */
  @Test
  void silentStrangersDoNotHoldUpTheGroup() throws IOException {
    List<Socket> strangers = new ArrayList<>();
    try (ServerSocket server = server()) {
      for (int i = 0; i < 40; i++) {
        strangers.add(new Socket(server.getInetAddress(), server.getLocalPort()));
      }
      strangers.get(0).getOutputStream().write('B');
      Socket friend = new Socket(server.getInetAddress(), server.getLocalPort());
      strangers.add(friend);
      friend.getOutputStream().write(hello(2, 1, 0));
      try (SocketTransport transport = listen(server, Duration.ofSeconds(20)).join()) {
        assertThat(transport.size()).isEqualTo(2);
      }
    } finally {
      for (Socket stranger : strangers) {
        stranger.close();
      }
    }
  }

  /** Messages that are not received stay with the sender beyond the room that there is. */
  @Test
  void messagesThatWaitAreBounded() throws Exception {
    Room room = new Room(1_000);
    assertThat(room.take(5_000, 0)).as("one alone").isTrue();
    assertThat(room.take(1, 0)).isFalse();
    room.leave(5_000);
    assertThat(room.take(600, 0)).isTrue();
    assertThat(room.take(400, 0)).isTrue();
    assertThat(room.take(1, 1_000_000)).isFalse();
    CompletableFuture<Boolean> later =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return room.take(500, Duration.ofMinutes(1).toNanos());
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    room.leave(600);
    assertThat(later.join()).isTrue();
    assertThat(room.taken()).isEqualTo(900);
  }

  /**
   * Two messages of 600 bytes, of which the first is received: then there is room for the other.
   */
  @Test
  void aConnectionWaitsForRoom() throws IOException {
    try (ServerSocket server = server();
        Socket peer = new Socket(server.getInetAddress(), server.getLocalPort())) {
      GroupOptions options = new GroupOptions(SocketGroup.TIMEOUT, 1_000);
      Room room = new Room(1_000);
      Connection sender = new Connection(0, peer, options, new Room(0));
      Connection receiver = new Connection(1, server.accept(), options, room);
      for (int i = 0; i < 3; i++) {
        sender.send(new byte[600]);
      }
      for (int i = 0; i < 3; i++) {
        assertThat(receiver.receive()).hasSize(600);
        assertThat(room.taken()).isLessThanOrEqualTo(1_000);
      }
      sender.close(System.nanoTime());
      receiver.close(System.nanoTime());
    }
  }

  @Test
  void whoDoesNotComeIsNamed() throws IOException {
    InetSocketAddress nobody;
    try (ServerSocket server = server()) {
      assertThatThrownBy(() -> listen(server, Duration.ofMillis(50)).join())
          .hasRootCauseInstanceOf(IOException.class)
          .hasStackTraceContaining("process 1 has not connected within PT0.05S");
      nobody = address(server);
    }
    try (ServerSocket own = server()) {
      assertThatThrownBy(
              () ->
                  SocketTransport.connect(
                      1,
                      List.of(nobody, address(own)),
                      own,
                      new GroupOptions(Duration.ofMillis(50), 1000)))
          .isInstanceOf(Transport.PeerException.class)
          .hasMessageStartingWith("process 0 cannot be reached at");
    }
  }

  /** Too long, damaged, cut off: each ends the connection with a reason, and nothing is taken. */
  @Test
  void badMessagesEndTheConnection() throws IOException {
    expect(
        ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putInt(1001).array(),
        "process 1 announced a message of 1001 bytes; the limit is 1000");
    expect(
        ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putInt(-1).array(),
        "process 1 announced a message of 4294967295 bytes; the limit is 1000");
    expect(
        ByteBuffer.allocate(11).order(ByteOrder.LITTLE_ENDIAN).putInt(3).array(),
        "process 1 sent a message with a wrong checksum");
    expect(
        ByteBuffer.allocate(10).order(ByteOrder.LITTLE_ENDIAN).putInt(3).array(),
        "process 1 ended within a message");
    expect(new byte[5], "process 1 ended within a message");
    expect(new byte[0], "process 1 has ended");
  }

  private static void expect(byte[] sent, String message) throws IOException {
    try (ServerSocket server = server();
        Socket peer = new Socket(server.getInetAddress(), server.getLocalPort())) {
      OutputStream out = peer.getOutputStream();
      out.write(hello(2, 1, 0));
      try (SocketTransport transport = listen(server, SocketGroup.TIMEOUT).join()) {
        out.write(sent);
        peer.shutdownOutput();
        assertThatThrownBy(() -> transport.receive(1))
            .isInstanceOf(Transport.PeerException.class)
            .hasMessage(message);
        assertThatThrownBy(() -> transport.send(1, new byte[1]))
            .hasMessageStartingWith("process 1");
      }
    }
  }

  /** A peer that reads nothing cannot hold a sender up forever, nor its closing. */
  @Test
  void whoTakesNothingIsGivenUp() throws IOException {
    try (ServerSocket server = server();
        Socket peer = new Socket(server.getInetAddress(), server.getLocalPort())) {
      peer.getOutputStream().write(hello(2, 1, 0));
      List<InetSocketAddress> addresses = List.of(address(server), address(server));
      try (SocketTransport transport =
          SocketTransport.connect(
              0, addresses, server, new GroupOptions(Duration.ofMillis(300), 4 << 20))) {
        byte[] large = new byte[4 << 20];
        assertThatThrownBy(
                () -> {
                  for (int i = 0; i < 100; i++) {
                    transport.send(1, large);
                  }
                })
            .isInstanceOf(Transport.PeerException.class)
            .hasMessage("process 1 took no messages for PT0.3S");
        assertThatThrownBy(() -> transport.send(1, new byte[(4 << 20) + 1]))
            .hasMessage("message has 4194305 bytes; the limit is 4194304");
      }
    }
  }

  @Test
  void limitsAreChecked() {
    assertThatThrownBy(() -> GroupOptions.DEFAULT.withTimeout(Duration.ZERO))
        .hasMessage("timeout = PT0S is outside the allowed range PT0.001S … PT24H");
    assertThatThrownBy(() -> GroupOptions.DEFAULT.withTimeout(Duration.ofDays(2)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> GroupOptions.DEFAULT.withMaxMessageBytes(0))
        .hasMessage("maxMessageBytes = 0 is outside the allowed range 1 … 2147483631");
    assertThatThrownBy(() -> SocketTransport.connect(1, List.of(new InetSocketAddress(0))))
        .hasMessage("rank = 1 is outside the allowed range 0 … 0");
  }
}
