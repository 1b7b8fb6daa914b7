package io.bloomery.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.sync.transport.MemoryTransport;
import io.bloomery.sync.transport.PeerException;
import io.bloomery.sync.transport.Transport;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages between threads, and what happens when one of them fails. */
@Timeout(60)
final class MemoryTransportTest {

  /** All send a large message before anybody receives one, several times. */
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
    Group.run(5, MemoryTransportTest::exchangeLarge);
    Group.run(1, MemoryTransportTest::exchangeLarge);
  }

  /** One process ends before its turn: all others learn which one. */
  @Test
  void aProcessThatEndsIsNamed() {
    Group.Task<byte[]> task = transport -> transport.rank() == 1 ? null : transport.receive(1);
    assertThatThrownBy(() -> Group.run(3, task))
        .isInstanceOf(PeerException.class)
        .hasMessage("process 1 has ended")
        .extracting(e -> ((PeerException) e).rank())
        .isEqualTo(1);
  }

  @Test
  void messagesBeforeTheEndAreDelivered() throws IOException {
    Group.Task<String> task =
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
    assertThat(Group.run(2, task)).contains("last words");
  }

  @Test
  void silenceEnds() {
    List<MemoryTransport> pair = MemoryTransport.group(2, Duration.ofMillis(20));
    assertThatThrownBy(() -> pair.get(0).receive(1))
        .isInstanceOf(PeerException.class)
        .hasMessage("process 1 sent nothing within PT0.02S");
    pair.get(1).close();
    assertThatThrownBy(() -> pair.get(0).send(1, new byte[1])).hasMessage("process 1 has ended");
    assertThatThrownBy(() -> pair.get(1).send(0, new byte[1]))
        .isInstanceOf(IOException.class)
        .hasMessage("the transport of process 1 is closed");
    assertThatThrownBy(() -> pair.get(0).send(0, new byte[1]))
        .hasMessage("to = 0 is this process itself");
    assertThatThrownBy(() -> pair.get(0).receive(2))
        .hasMessage("from = 2 is outside the allowed range 0 … 1");
  }
}
