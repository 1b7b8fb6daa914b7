package io.bloomery.net.stream;

import io.bloomery.net.capture.Capture.Packet;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** A segment of TCP, from a packet or from fragments; written anew for each. */
public final class Segment {

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final int HEADER = 20;

  /** The flag that ends a direction. */
  static final int FIN = 1;

  /** The flag that begins a connection. */
  static final int SYN = 2;

  /** The flag that resets a connection. */
  static final int RST = 4;

  int version;
  long sourceHigh;
  long sourceLow;
  long destinationHigh;
  long destinationLow;
  int ports;
  int sequence;
  int flags;
  byte[] bytes = {};
  int from;
  int captured;
  int length; // on the wire
  long nanos;

  /** Creates a segment without content. */
  public Segment() {}

  /**
   * Takes a packet.
   *
   * @return whether it is a segment: TCP, no fragment, with a whole header
   */
  public boolean take(Packet packet) {
    if (packet.protocol() != Packet.TCP || packet.isFragment() || packet.isTransportCut()) {
      return false;
    }
    int header = packet.payloadOffset() - packet.headerOffset();
    endpoints(packet);
    content(packet.bytes(), packet.transportOffset());
    from = packet.payloadOffset();
    captured = packet.payloadLength();
    length = Math.max(captured, packet.length() - header);
    return true;
  }

  /**
   * Takes what fragments carry.
   *
   * @param last the fragment that completed it
   * @param datagram TCP's header and content
   * @return whether the header is whole
   */
  public boolean take(Packet last, byte[] datagram) {
    int header = datagram.length < HEADER ? 0 : (datagram[12] >> 2) & 0x3C;
    if (header < HEADER || header > datagram.length) {
      return false;
    }
    endpoints(last);
    content(datagram, 0);
    from = header;
    captured = datagram.length - header;
    length = captured;
    return true;
  }

  private void endpoints(Packet packet) {
    version = packet.version();
    sourceHigh = packet.sourceHigh();
    sourceLow = packet.sourceLow();
    destinationHigh = packet.destinationHigh();
    destinationLow = packet.destinationLow();
    nanos = packet.nanos();
  }

  private void content(byte[] packet, int at) {
    bytes = packet;
    ports = (int) INTS.get(packet, at);
    sequence = (int) INTS.get(packet, at + 4);
    flags = packet[at + 13] & 0xFF;
  }

  boolean has(int flag) {
    return (flags & flag) != 0;
  }
}
