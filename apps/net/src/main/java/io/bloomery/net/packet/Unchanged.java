package io.bloomery.net.packet;

import io.bloomery.net.capture.Capture.Packet;

/**
 * The bytes by which a packet is recognized elsewhere: the header of IP without what routers
 * change, which is type of service, time to live, checksum and options, and the first bytes behind
 * it. Snoeren et al. 2001, "Hash-Based IP Traceback", sec. 3.1; IPv6 as they say for IPv4: traffic
 * class, flow label, hop limit and extension headers are left out.
 */
public final class Unchanged {

  /** How many bytes behind the header of IP are taken. */
  public static final int BEHIND = 8;

  /** The most bytes. */
  public static final int MOST = 40 + BEHIND;

  private static final int IPV4_HEADER = 20;
  private static final int IPV6_HEADER = 40;

  private Unchanged() {}

  /** Writes the bytes of a packet to the beginning of an array; returns how many they are. */
  public static int of(Packet packet, byte[] target) {
    int size = header(packet, target);
    int end = packet.payloadOffset() + packet.payloadLength();
    int behind = Math.max(0, Math.min(BEHIND, end - packet.transportOffset()));
    System.arraycopy(packet.bytes(), packet.transportOffset(), target, size, behind);
    return size + behind;
  }

  /** Writes only the header. */
  public static int header(Packet packet, byte[] target) {
    boolean four = packet.version() == 4;
    int size = four ? IPV4_HEADER : IPV6_HEADER;
    System.arraycopy(packet.bytes(), packet.headerOffset(), target, 0, size);
    if (four) {
      target[0] = 0; // the version, and the length of a header with options
      target[1] = 0;
      target[8] = 0;
      target[10] = 0;
      target[11] = 0;
    } else {
      for (int i = 0; i < 4; i++) {
        target[i] = 0;
      }
      target[6] = (byte) packet.protocol();
      target[7] = 0;
    }
    return size;
  }
}
