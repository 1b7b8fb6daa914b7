package io.bloomery.net.flows;

import io.bloomery.net.address.Addresses;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.flows.FlowOptions.By;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The flow of a packet as bytes, which are written anew for each. */
final class FlowKey {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final int FIRST = 1; // after the version
  private static final int SECOND = 17;
  private static final int PORTS = 33;
  private static final int LENGTH = 38;

  private final By by;
  private final byte[] bytes;

  FlowKey(By by) {
    this.by = by;
    this.bytes =
        new byte
            [switch (by) {
              case SRC, DST -> SECOND;
              case PAIR -> PORTS;
              case TUPLE -> LENGTH;
            }];
  }

  /** Takes the flow of a packet. */
  byte[] of(Packet packet) {
    bytes[0] = (byte) packet.version();
    if (by == By.DST) {
      LONGS.set(bytes, FIRST, packet.destinationHigh());
      LONGS.set(bytes, FIRST + Long.BYTES, packet.destinationLow());
      return bytes;
    }
    LONGS.set(bytes, FIRST, packet.sourceHigh());
    LONGS.set(bytes, FIRST + Long.BYTES, packet.sourceLow());
    if (by != By.SRC) {
      LONGS.set(bytes, SECOND, packet.destinationHigh());
      LONGS.set(bytes, SECOND + Long.BYTES, packet.destinationLow());
    }
    if (by == By.TUPLE) {
      put(PORTS, packet.sourcePort());
      put(PORTS + 2, packet.destinationPort());
      bytes[PORTS + 4] = (byte) packet.protocol();
    }
    return bytes;
  }

  private void put(int at, int port) {
    bytes[at] = (byte) (port >> Byte.SIZE);
    bytes[at + 1] = (byte) port;
  }

  /** A copy of the flow that was taken last. */
  byte[] copy() {
    return bytes.clone();
  }

  /** A flow as text: its address, or {@code source > destination protocol}. */
  static String text(byte[] flow) {
    String first = address(flow, FIRST);
    if (flow.length == SECOND) {
      return first;
    }
    if (flow.length == PORTS) {
      return first + " > " + address(flow, SECOND);
    }
    return Addresses.flow(
        flow[0],
        flow[PORTS + 4] & 0xFF,
        end(flow, FIRST, port(flow, PORTS)),
        end(flow, SECOND, port(flow, PORTS + 2)));
  }

  private static Addresses.End end(byte[] flow, int at, int port) {
    return new Addresses.End(
        (long) LONGS.get(flow, at), (long) LONGS.get(flow, at + Long.BYTES), port);
  }

  private static int port(byte[] flow, int at) {
    return (flow[at] & 0xFF) << Byte.SIZE | (flow[at + 1] & 0xFF);
  }

  private static String address(byte[] flow, int at) {
    Addresses.End end = end(flow, at, 0);
    return Addresses.text(flow[0], end.high(), end.low());
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
