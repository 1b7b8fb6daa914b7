package io.bloomery.net.capture;

import io.bloomery.net.address.Addresses;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.capture.Capture.Reason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Finds the headers of IP, TCP and UDP in the bytes of a packet. */
final class Decoder {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final int ETHERNET = 1;
  private static final int LINUX_COOKED = 113;
  private static final int LINUX_COOKED_2 = 276;

  private static final int IPV4 = 0x0800;
  private static final int IPV6 = 0x86DD;
  private static final int VLAN = 0x8100;
  private static final int PROVIDER_VLAN = 0x88A8;
  private static final int OLD_PROVIDER_VLAN = 0x9100;

  private static final int IPV4_HEADER = 20;
  private static final int IPV6_HEADER = 40;

  private static final int TCP_HEADER = 20;
  private static final int UDP_HEADER = 8;
  private static final int ICMP_HEADER = 8;

  private static final int HOP_BY_HOP = 0;
  private static final int ROUTING = 43;
  private static final int FRAGMENT = 44;
  private static final int AUTHENTICATION = 51;
  private static final int DESTINATION = 60;
  private static final int MOBILITY = 135;
  private static final int HOST_IDENTITY = 139;
  private static final int SHIM6 = 140;

  private Decoder() {}

  /** Decodes a packet; returns why it is skipped, null if it is not. */
  static @Nullable Reason decode(Packet packet) {
    byte[] bytes = packet.bytes;
    int at = packet.start;
    int end = at + packet.captured;
    return switch (packet.linkType) {
      case ETHERNET -> behind(packet, at + 12, end);
      case LINUX_COOKED -> behind(packet, at + 14, end);
      case LINUX_COOKED_2 ->
          end - at < 20 ? Reason.CUT_SHORT : typed(packet, half(bytes, at), at + 20, end);
      case 12, 14, 101, 228, 229 -> ip(packet, at, end); // raw, by several numbers
      case 0, 108 -> end - at < 4 ? Reason.CUT_SHORT : family(packet, at, end);
      default -> Reason.UNKNOWN_LINK;
    };
  }

  /** A frame whose type is at an index, perhaps of a VLAN, whose own type follows. */
  private static @Nullable Reason behind(Packet packet, int typeAt, int end) {
    int at = typeAt;
    while (at + 2 <= end) {
      int type = half(packet.bytes, at);
      if (type != VLAN && type != PROVIDER_VLAN && type != OLD_PROVIDER_VLAN) {
        return typed(packet, type, at + 2, end);
      }
      at += 4;
    }
    return Reason.CUT_SHORT;
  }

  private static @Nullable Reason typed(Packet packet, int type, int at, int end) {
    return switch (type) {
      case IPV4, IPV6 -> ip(packet, at, end);
      case VLAN, PROVIDER_VLAN, OLD_PROVIDER_VLAN -> behind(packet, at + 2, end);
      default -> Reason.NOT_IP;
    };
  }

  /** Behind an address family, in the byte order of the host that captured: 2, or one of four. */
  private static @Nullable Reason family(Packet packet, int at, int end) {
    int big = half(packet.bytes, at + 2);
    int family =
        big != 0 ? big : Short.toUnsignedInt(Short.reverseBytes((short) half(packet.bytes, at)));
    return switch (family) {
      case 2, 10, 24, 28, 30 -> ip(packet, at + 4, end);
      default -> Reason.NOT_IP;
    };
  }

  private static @Nullable Reason ip(Packet packet, int at, int end) {
    if (at >= end) {
      return Reason.CUT_SHORT;
    }
    return switch ((packet.bytes[at] >> 4) & 0xF) {
      case 4 -> ipv4(packet, at, end);
      case 6 -> ipv6(packet, at, end);
      default -> Reason.MALFORMED;
    };
  }

  private static @Nullable Reason ipv4(Packet packet, int at, int end) {
    byte[] bytes = packet.bytes;
    int header = (bytes[at] & 0xF) * 4;
    if (header < IPV4_HEADER) {
      return Reason.MALFORMED;
    }
    if (end - at < header) {
      return Reason.CUT_SHORT;
    }
    int total = half(bytes, at + 2);
    if (total == 0) {
      total = packet.original - (at - packet.start); // segments that a network card divides
    }
    if (total < header) {
      return Reason.MALFORMED;
    }
    int fragment = half(bytes, at + 6);
    packet.version = 4;
    packet.ipAt = at;
    packet.ipLength = total;
    packet.fragmentOffset = (fragment & 0x1FFF) * 8;
    packet.fragmentId = half(bytes, at + 4);
    packet.moreFragments = (fragment & 0x2000) != 0;
    packet.protocol = bytes[at + 9] & 0xFF;
    packet.sourceHigh = 0;
    packet.sourceLow = Addresses.MAPPED | word(bytes, at + 12);
    packet.destinationHigh = 0;
    packet.destinationLow = Addresses.MAPPED | word(bytes, at + 16);
    transport(packet, at + header, at + Math.min(end - at, total));
    return null;
  }

  private static @Nullable Reason ipv6(Packet packet, int at, int end) {
    byte[] bytes = packet.bytes;
    if (end - at < IPV6_HEADER) {
      return Reason.CUT_SHORT;
    }
    int next = bytes[at + 6] & 0xFF;
    int payload = half(bytes, at + 4);
    boolean isJumbo = payload == 0 && next == HOP_BY_HOP;
    packet.version = 6;
    packet.ipAt = at;
    packet.ipLength = isJumbo ? packet.original - (at - packet.start) : IPV6_HEADER + payload;
    packet.fragmentOffset = 0;
    packet.moreFragments = false;
    packet.sourceHigh = (long) LONGS.get(bytes, at + 8);
    packet.sourceLow = (long) LONGS.get(bytes, at + 16);
    packet.destinationHigh = (long) LONGS.get(bytes, at + 24);
    packet.destinationLow = (long) LONGS.get(bytes, at + 32);
    int limit = at + Math.min(end - at, Math.max(IPV6_HEADER, packet.ipLength));
    int header = at + IPV6_HEADER;
    while (isExtension(next) && packet.fragmentOffset == 0) {
      packet.protocol = next;
      if (limit - header < 8) {
        packet.noTransport(header, limit);
        packet.cut = true;
        return null;
      }
      if (next == FRAGMENT) {
        int fragment = half(bytes, header + 2);
        packet.fragmentOffset = fragment & ~7;
        packet.fragmentId = (int) word(bytes, header + 4);
        packet.moreFragments = (fragment & 1) != 0;
      }
      int length = bytes[header + 1] & 0xFF;
      int size =
          next == FRAGMENT ? 8 : next == AUTHENTICATION ? (length + 2) * 4 : (length + 1) * 8;
      next = bytes[header] & 0xFF;
      header += size;
    }
    packet.protocol = next;
    transport(packet, header, limit);
    return null;
  }

  private static boolean isExtension(int protocol) {
    return switch (protocol) {
      case HOP_BY_HOP,
          ROUTING,
          FRAGMENT,
          AUTHENTICATION,
          DESTINATION,
          MOBILITY,
          HOST_IDENTITY,
          SHIM6 ->
          true;
      default -> false;
    };
  }

  /** What follows the headers of IP, up to {@code end}. */
  private static void transport(Packet packet, int at, int end) {
    byte[] bytes = packet.bytes;
    packet.noTransport(at, end);
    if (packet.fragmentOffset > 0) {
      return;
    }
    int length = end - at;
    switch (packet.protocol) {
      case Packet.TCP -> {
        int header = length < 13 ? 0 : ((bytes[at + 12] >> 4) & 0xF) * 4;
        packet.tcpFlags = length < 14 ? 0 : bytes[at + 13] & 0xFF;
        ports(packet, at, end, header, TCP_HEADER);
      }
      case Packet.UDP -> ports(packet, at, end, UDP_HEADER, UDP_HEADER);
      case Packet.ICMP, Packet.ICMPV6 -> header(packet, at, end, ICMP_HEADER, ICMP_HEADER);
      default -> packet.cut = length < 0;
    }
  }

  private static void ports(Packet packet, int at, int end, int header, int least) {
    if (end - at >= 4) {
      packet.ports = true;
      packet.sourcePort = half(packet.bytes, at);
      packet.destinationPort = half(packet.bytes, at + 2);
    }
    header(packet, at, end, header, least);
  }

  private static void header(Packet packet, int at, int end, int header, int least) {
    packet.cut = header < least || end - at < header;
    packet.payloadAt = packet.cut ? packet.transportEnd : at + header;
  }

  private static int half(byte[] bytes, int at) {
    return (bytes[at] & 0xFF) << 8 | (bytes[at + 1] & 0xFF);
  }

  private static long word(byte[] bytes, int at) {
    return (long) half(bytes, at) << 16 | half(bytes, at + 2);
  }
}
