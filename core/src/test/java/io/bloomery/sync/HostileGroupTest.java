package io.bloomery.sync;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.sync.SingleShotFilter.Marks;
import io.bloomery.sync.transport.Transport;
import io.bloomery.testkit.Keys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** A process of a group that claims more than it has: the others do not make room for it. */
final class HostileGroupTest {

  private static final byte COUNT = 4;

  private static void claim(Transport transport, long elements) throws IOException {
    ByteBuffer message = ByteBuffer.allocate(9).order(ByteOrder.LITTLE_ENDIAN);
    transport.send(0, message.put(COUNT).putLong(elements).array());
  }

  /** 2^31 - 1 elements of 1,000 bits are 268 GB, half of them for each process. */
  @Test
  void elementsThatAreClaimed() {
    Group.Task<Void> task =
        transport -> {
          if (transport.rank() == 0) {
            SingleShotFilter.findDuplicates(transport, Keys.members(100), Marks.ALL, 1_000);
          } else {
            claim(transport, Integer.MAX_VALUE);
            transport.receive(0);
          }
          return null;
        };
    assertThatThrownBy(() -> Group.run(2, task))
        .isInstanceOf(Transport.PeerException.class)
        .hasMessageMatching("process 1 claims to have 2147483647 elements; at most \\d+ fit");
  }

  @Test
  void moreElementsThanThereAre() {
    Group.Task<Void> task =
        transport -> {
          if (transport.rank() == 0) {
            SingleShotFilter.findDuplicates(transport, Keys.members(100), Marks.ALL, 10);
          } else {
            claim(transport, -1);
            transport.receive(0);
          }
          return null;
        };
    assertThatThrownBy(() -> Group.run(2, task)).hasMessage("process 1 claims to have -1 elements");
  }
}
