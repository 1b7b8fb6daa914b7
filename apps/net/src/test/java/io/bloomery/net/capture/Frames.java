package io.bloomery.net.capture;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Writes frames and captures for tests, independently of what reads them. */
public final class Frames {

  private Frames() {}

  /** The parts one after another. */
  public static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  /** Big-endian numbers of 16 bits. */
  public static byte[] halves(int... values) {
    ByteBuffer out = ByteBuffer.allocate(2 * values.length);
    for (int value : values) {
      out.putShort((short) value);
    }
    return out.array();
  }

  /** Numbers of 32 bits. */
  public static byte[] words(ByteOrder order, int... values) {
    ByteBuffer out = ByteBuffer.allocate(4 * values.length).order(order);
    for (int value : values) {
      out.putInt(value);
    }
    return out.array();
  }

  /** A frame of Ethernet. */
  public static byte[] ethernet(int type, byte[] content) {
    return join(new byte[12], halves(type), content);
  }

  /** A packet of IPv4, from 10.0.0.from to 10.0.0.to, with options of as many words. */
  public static byte[] ipv4(int from, int to, int protocol, int options, int fragment, byte[] up) {
    int header = 20 + 4 * options;
    return join(
        halves(0x4000 + header / 4 * 256, header + up.length, 7, fragment, 64 * 256 + protocol, 0),
        words(ByteOrder.BIG_ENDIAN, 0x0A000000 | from, 0x0A000000 | to),
        new byte[4 * options],
        up);
  }

  /** A packet of IPv6, from 2001:db8::from to 2001:db8::to. */
  public static byte[] ipv6(int from, int to, int next, byte[] up) {
    ByteBuffer addresses = ByteBuffer.allocate(32);
    addresses.putLong(0x20010DB800000000L).putLong(from).putLong(0x20010DB800000000L).putLong(to);
    return join(halves(0x6000, 0, up.length, next * 256 + 64), addresses.array(), up);
  }

  /** A header of TCP with options of as many words, and payload. */
  public static byte[] tcp(int from, int to, int flags, int options, byte[] payload) {
    return join(
        halves(from, to),
        new byte[8],
        halves((5 + options) * 4096 + flags, 0, 0, 0),
        new byte[4 * options],
        payload);
  }

  /** A datagram of UDP. */
  public static byte[] udp(int from, int to, byte[] payload) {
    return join(halves(from, to, 8 + payload.length, 0), payload);
  }

  /** A pcap file of packets, the n-th at n seconds and n units. */
  public static byte[] pcap(ByteOrder order, boolean nanos, int linkType, byte[]... packets) {
    int magic = nanos ? 0xA1B23C4D : 0xA1B2C3D4;
    int version = order == ByteOrder.BIG_ENDIAN ? 0x00020004 : 0x00040002;
    byte[][] parts = new byte[2 * packets.length + 1][];
    parts[0] = words(order, magic, version, 0, 0, 65535, linkType);
    for (int i = 0; i < packets.length; i++) {
      int length = packets[i].length;
      parts[2 * i + 1] = words(order, i, i, length, length);
      parts[2 * i + 2] = packets[i];
    }
    return join(parts);
  }

  /** A block of pcapng. */
  public static byte[] block(ByteOrder order, int type, byte[] content) {
    int pad = -content.length & 3;
    int length = 12 + content.length + pad;
    return join(words(order, type, length), content, new byte[pad], words(order, length));
  }

  /** The beginning of a section. */
  public static byte[] section(ByteOrder order) {
    int version = order == ByteOrder.BIG_ENDIAN ? 0x00010000 : 0x00000001;
    return block(order, 0x0A0D0D0A, words(order, 0x1A2B3C4D, version, -1, -1));
  }

  /** An interface whose times have a resolution, as in if_tsresol. */
  public static byte[] interfaceBlock(ByteOrder order, int linkType, int resolution) {
    byte[] type = ByteBuffer.allocate(4).order(order).putShort((short) linkType).array();
    byte[] option =
        ByteBuffer.allocate(8)
            .order(order)
            .putShort((short) 9)
            .putShort((short) 1)
            .put((byte) resolution)
            .array();
    return block(order, 1, join(type, words(order, 0), option, new byte[4]));
  }

  /** An enhanced packet block. */
  public static byte[] packet(ByteOrder order, int from, long time, byte[] packet) {
    return block(
        order,
        6,
        join(
            words(order, from, (int) (time >>> 32), (int) time, packet.length, packet.length),
            packet));
  }
}
