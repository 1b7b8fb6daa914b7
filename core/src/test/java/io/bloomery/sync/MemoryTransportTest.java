package io.bloomery.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.sync.transport.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages between threads, and what happens when one of them fails. */
@Timeout(60)
final class MemoryTransportTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void messagesArriveInOrder(int size) throws IOException {
    Group.run(
        size,
        transport -> {
          for (byte round = 0; round < 100; round++) {
            byte[][] messages = new byte[size][];
            Arrays.fill(messages, new byte[] {(byte) transport.rank(), round});
            byte[][] received = transport.exchange(messages);
            for (byte from = 0; from < size; from++) {
              assertThat(received[from]).containsExactly(from, round);
            }
          }
          assertThat(transport.messagesSent()).isEqualTo(100L * (size - 1));
          assertThat(transport.bytesSent()).isEqualTo(200L * (size - 1));
          return null;
        });
  }

  /** One process ends before its turn: all others learn which one. */
  @Test
  void aProcessThatEndsIsNamed() {
    Group.Task<byte[]> task = transport -> transport.rank() == 1 ? null : transport.receive(1);
    assertThatThrownBy(() -> Group.run(3, task))
        .isInstanceOf(Transport.PeerException.class)
        .hasMessage("process 1 has ended")
        .extracting(e -> ((Transport.PeerException) e).rank())
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
    List<Transport.InMemory> pair = Transport.InMemory.group(2, Duration.ofMillis(20));
    assertThatThrownBy(() -> pair.get(0).receive(1))
        .isInstanceOf(Transport.PeerException.class)
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
