package io.bloomery.net.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.hash.Hasher;
import io.bloomery.net.capture.Capture;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.capture.CaptureOptions;
import io.bloomery.net.capture.Frames;
import io.bloomery.net.state.ConnectionStates.State;
import io.bloomery.net.state.StateOptions.BackEnd;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ConnectionStatesTest {

  private static final int FIN = 1;
  private static final int SYN = 2;
  private static final int RST = 4;
  private static final int ACK = 16;

  /** Flags of packets, from the end 10.0.0.1 or, if negative, from 10.0.0.2. */
  private static List<State> states(BackEnd backEnd, int... flags) throws IOException {
    byte[][] packets = new byte[flags.length][];
    for (int i = 0; i < flags.length; i++) {
      int from = flags[i] < 0 ? 2 : 1;
      byte[] tcp =
          Frames.tcp(
              flags[i] < 0 ? 80 : 7, flags[i] < 0 ? 7 : 80, Math.abs(flags[i]), 0, new byte[0]);
      packets[i] = Frames.ipv4(from, 3 - from, Packet.TCP, 0, 0, tcp);
    }
    byte[] file = Frames.pcap(ByteOrder.BIG_ENDIAN, false, 101, packets);
    ConnectionStates states =
        ConnectionStates.create(StateOptions.forFlows(1000).with(backEnd), Duration.ofSeconds(60));
    List<State> all = new ArrayList<>();
    try (Capture capture = Capture.open(new ByteArrayInputStream(file), CaptureOptions.DEFAULT)) {
      for (Packet packet = capture.next(); packet != null; packet = capture.next()) {
        all.add(states.take(packet));
        assertThat(states.state(packet)).isEqualTo(all.get(all.size() - 1));
      }
    }
    return all;
  }

  @ParameterizedTest
  @EnumSource(BackEnd.class)
  void aConnectionFromItsBeginningToItsEnd(BackEnd backEnd) throws IOException {
    assertThat(states(backEnd, SYN, -SYN - ACK, ACK, -ACK, FIN + ACK, -ACK, -FIN - ACK, ACK, SYN))
        .containsExactly(
            State.ASKED,
            State.ANSWERED,
            State.OPEN,
            State.OPEN,
            State.LOWER_CLOSED,
            State.LOWER_CLOSED,
            State.CLOSED,
            State.CLOSED,
            State.ASKED);
    assertThat(states(backEnd, ACK, SYN, -FIN, RST, RST))
        .containsExactly(
            State.UNSEEN_START, State.UNSEEN_START, State.UPPER_CLOSED, State.RESET, State.RESET);
    assertThat(states(backEnd, RST, -SYN - ACK)).containsExactly(State.ABSENT, State.UNSEEN_START);
  }

  /** Every packet's state as an exact table has it, in captures with room for their connections. */
  @ParameterizedTest
  @CsvSource({"4KHttpRequests, 121", "650HttpResponses, 284", "example2-96, 510", "tls2-96, 665"})
  void capturedConnections(String name, int flows) throws IOException {
    ConnectionStates states =
        ConnectionStates.create(
            StateOptions.forFlows(100L * flows).withBitsPerFlow(40), Duration.ZERO);
    ConnectionStates exact =
        ConnectionStates.create(StateOptions.forFlows(64).with(BackEnd.EXACT), Duration.ZERO);
    try (Capture capture =
        Capture.open(
            Path.of("src/test/resources/captures", name + ".pcap.gz"), CaptureOptions.DEFAULT)) {
      for (Packet packet = capture.next(); packet != null; packet = capture.next()) {
        assertThat(states.take(packet)).isEqualTo(exact.take(packet));
      }
    }
    assertThat(states.entered()).isEqualTo(exact.entered());
    assertThat(states.lost()).isZero();
  }

  @Test
  void optionsAreChecked() {
    StateOptions options = StateOptions.forFlows(1000);
    assertThat(ConnectionStates.create(options, Duration.ZERO).memory()).isBetween(2900L, 3000L);
    assertThatThrownBy(() -> StateOptions.forFlows(1))
        .hasMessage("flows = 1 is not between 64 and 268435456");
    assertThatThrownBy(() -> options.withBitsPerFlow(8)).hasMessageContaining("16 and 40");
    assertThatThrownBy(() -> options.withHasher(Hasher.xxh3())).hasMessageContaining("no key");
    assertThatThrownBy(() -> ConnectionStates.create(options, Duration.ofSeconds(-1)))
        .hasMessageContaining("negative");
  }
}
