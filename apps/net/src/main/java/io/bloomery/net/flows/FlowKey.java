package io.bloomery.net.flows;

import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.flows.FlowOptions.By;
import io.bloomery.net.packet.FlowBytes;
import java.util.Arrays;

/** The flow of a packet as bytes, which are written anew for each. */
final class FlowKey {

  private final By by;
  private final byte[] bytes;

  FlowKey(By by) {
    this.by = by;
    this.bytes =
        new byte
            [switch (by) {
              case SRC, DST -> FlowBytes.ADDRESS;
              case PAIR -> FlowBytes.PAIR;
              case TUPLE -> FlowBytes.TUPLE;
            }];
  }

  /** Takes the flow of a packet. */
  byte[] of(Packet packet) {
    if (by == By.DST) {
      FlowBytes.putDestination(packet, bytes);
    } else {
      FlowBytes.put(packet, bytes);
    }
    return bytes;
  }

  /** A copy of the flow that was taken last. */
  byte[] copy() {
    return bytes.clone();
  }

  /** A flow as a key of a table. */
  static final class Boxed {
    private final byte[] bytes;

    Boxed(byte[] bytes) {
      this.bytes = bytes;
    }

    byte[] bytes() {
      return bytes;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Boxed boxed && Arrays.equals(bytes, boxed.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }
  }
}
