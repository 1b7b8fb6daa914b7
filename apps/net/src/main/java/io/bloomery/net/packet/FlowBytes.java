package io.bloomery.net.packet;

import io.bloomery.net.address.Addresses;
import io.bloomery.net.capture.Capture.Packet;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The flow of a packet as bytes: version, addresses, ports and protocol, or the first of these. */
public final class FlowBytes {

  /** The bytes of a version and an address. */
  public static final int ADDRESS = 17;

  /** The bytes of a version and two addresses. */
  public static final int PAIR = 33;

  /** The bytes of a flow with ports and protocol. */
  public static final int TUPLE = 38;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final int FIRST = 1; // after the version

  private FlowBytes() {}

  /** Writes as much of a flow as an array has room for. */
  public static void put(Packet packet, byte[] flow) {
    flow[0] = (byte) packet.version();
    putAddress(flow, FIRST, packet.sourceHigh(), packet.sourceLow());
    if (flow.length > ADDRESS) {
      putAddress(flow, ADDRESS, packet.destinationHigh(), packet.destinationLow());
    }
    if (flow.length > PAIR) {
      putPort(flow, PAIR, packet.sourcePort());
      putPort(flow, PAIR + 2, packet.destinationPort());
      flow[PAIR + 4] = (byte) packet.protocol();
    }
  }

  /** Writes the destination as the only address. */
  public static void putDestination(Packet packet, byte[] flow) {
    flow[0] = (byte) packet.version();
    putAddress(flow, FIRST, packet.destinationHigh(), packet.destinationLow());
  }

  private static void putAddress(byte[] flow, int at, long high, long low) {
    LONGS.set(flow, at, high);
    LONGS.set(flow, at + Long.BYTES, low);
  }

  private static void putPort(byte[] flow, int at, int port) {
    flow[at] = (byte) (port >> Byte.SIZE);
    flow[at + 1] = (byte) port;
  }

  /** A flow as text: its address, or {@code source > destination protocol}. */
  public static String text(byte[] flow) {
    String first = address(flow, FIRST);
    if (flow.length == ADDRESS) {
      return first;
    }
    if (flow.length == PAIR) {
      return first + " > " + address(flow, ADDRESS);
    }
    return Addresses.flow(
        flow[0],
        flow[PAIR + 4] & 0xFF,
        end(flow, FIRST, port(flow, PAIR)),
        end(flow, ADDRESS, port(flow, PAIR + 2)));
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
}
