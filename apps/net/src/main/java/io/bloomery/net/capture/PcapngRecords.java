package io.bloomery.net.capture;

import io.bloomery.net.capture.Capture.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records of a pcapng file: packets of enhanced, simple and obsolete packet blocks. Blocks of
 * other types are passed over.
 */
final class PcapngRecords implements Records {

  /** How a section begins, in either byte order. */
  static final int SECTION = 0x0A0D0D0A;

  private static final int BYTE_ORDER = 0x1A2B3C4D;
  private static final int INTERFACE = 1;
  private static final int OBSOLETE_PACKET = 2;
  private static final int SIMPLE_PACKET = 3;
  private static final int ENHANCED_PACKET = 6;

  private static final int LEAST_BLOCK = 12; // type and length, and the length again
  private static final int SECTION_START = 12;
  private static final int INTERFACE_FIELDS = 16; // with type and length
  private static final int PACKET_FIELDS = 28; // of enhanced and obsolete packets
  private static final int SIMPLE_FIELDS = 12;
  private static final int OPTION = 4;
  private static final int END_OF_OPTIONS = 0;
  private static final int TIME_RESOLUTION = 9;
  private static final int TIME_OFFSET = 14;
  private static final int MOST_OPTIONS = 1 << 16; // bytes
  private static final long UNSIGNED = 0xFFFF_FFFFL;

  /** An interface: how its packets are read. */
  private record Interface(int linkType, long snapLength, Resolution resolution) {}

  private final Window window;
  private final CaptureOptions options;
  private final List<@Nullable Interface> interfaces = new ArrayList<>();
  private boolean lost; // where the next block begins

  /** Begins at the first section. */
  PcapngRecords(Window window, CaptureOptions options) throws IOException {
    this.window = window;
    this.options = options;
    if (!window.require(SECTION_START) || !readByteOrder()) {
      throw new IOException("the first section of the capture is damaged");
    }
  }

  private boolean readByteOrder() {
    window.littleEndian(false);
    if (window.number(8) == BYTE_ORDER) {
      return true;
    }
    window.littleEndian(true);
    return window.number(8) == BYTE_ORDER;
  }

  @Override
  public boolean next(PacketState packet) throws IOException {
    while (!lost) {
      if (!window.require(LEAST_BLOCK)) {
        lost = true;
        packet.problem = Reason.ENDS_EARLY;
        return window.available() > 0;
      }
      int type = window.number(0);
      if (type == SECTION) {
        lost = !readByteOrder();
        interfaces.clear();
      }
      long length = window.number(4) & UNSIGNED;
      if (lost || length < LEAST_BLOCK || length % 4 != 0) {
        lost = true;
        window.skipAll();
        packet.problem = Reason.DAMAGED;
        return true;
      }
      if (take(type, length, packet)) {
        return true;
      }
    }
    return false;
  }

  /** Reads a block; returns whether it is a packet, or one with a problem. */
  private boolean take(int type, long length, PacketState packet) throws IOException {
    boolean isPacket = type == ENHANCED_PACKET || type == SIMPLE_PACKET || type == OBSOLETE_PACKET;
    boolean isWanted = isPacket || type == INTERFACE;
    boolean fits = length <= (long) options.maxPacket() + PACKET_FIELDS + MOST_OPTIONS;
    if (!isWanted || !fits) {
      boolean passed = window.skip(length);
      if (type == INTERFACE) {
        add(null);
      }
      packet.problem = passed ? Reason.TOO_LARGE : Reason.ENDS_EARLY;
      lost = !passed;
      return isPacket || !passed;
    }
    int size = (int) length;
    if (!window.require(size)) {
      lost = true;
      packet.problem = Reason.ENDS_EARLY;
      return true;
    }
    boolean damaged = window.number(size - 4) != size;
    if (type == INTERFACE) {
      add(damaged || size < INTERFACE_FIELDS + 4 ? null : readInterface(size));
      window.advance(size);
      packet.problem = Reason.DAMAGED;
      return damaged;
    }
    int end = window.position() + size;
    if (damaged || size < fields(type) + 4) {
      packet.problem = Reason.DAMAGED;
    } else if (type == SIMPLE_PACKET) {
      simple(packet, size);
    } else {
      timed(packet, type, size);
    }
    window.advance(end - window.position());
    return true;
  }

  private static int fields(int type) {
    return type == SIMPLE_PACKET ? SIMPLE_FIELDS : PACKET_FIELDS;
  }

  private void timed(PacketState packet, int type, int size) throws IOException {
    int number = type == ENHANCED_PACKET ? window.number(8) : window.half(8);
    long captured = window.number(20) & UNSIGNED;
    Interface from = find(number);
    if (captured > size - PACKET_FIELDS - 4) {
      packet.problem = Reason.DAMAGED;
    } else if (from == null) {
      packet.problem = Reason.UNKNOWN_INTERFACE;
    } else {
      long time = (long) window.number(12) << Integer.SIZE | (window.number(16) & UNSIGNED);
      packet.nanos = from.resolution.nanos(time);
      long original = window.number(24) & UNSIGNED;
      window.advance(PACKET_FIELDS);
      packet.take(window, captured, original, options.maxPacket(), from.linkType);
    }
  }

  private void simple(PacketState packet, int size) throws IOException {
    Interface from = find(0);
    if (from == null) {
      packet.problem = Reason.UNKNOWN_INTERFACE;
      return;
    }
    long original = window.number(8) & UNSIGNED;
    long captured = Math.min(original, size - SIMPLE_FIELDS - 4L);
    if (from.snapLength != 0) {
      captured = Math.min(captured, from.snapLength);
    }
    packet.nanos = 0; // these blocks have no time
    window.advance(SIMPLE_FIELDS);
    packet.take(window, captured, original, options.maxPacket(), from.linkType);
  }

  private @Nullable Interface find(int number) {
    return number >= 0 && number < interfaces.size() ? interfaces.get(number) : null;
  }

  private void add(@Nullable Interface found) {
    if (interfaces.size() < options.maxInterfaces()) {
      interfaces.add(found);
    }
  }

  private Interface readInterface(int size) {
    int linkType = window.half(8);
    long snapLength = window.number(12) & UNSIGNED;
    int exponent = Resolution.MICROSECONDS;
    long offset = 0;
    int at = INTERFACE_FIELDS;
    int end = size - 4;
    while (at + OPTION <= end && window.half(at) != END_OF_OPTIONS) {
      int code = window.half(at);
      int length = window.half(at + 2);
      at += OPTION;
      if (at + length > end) {
        break;
      }
      if (code == TIME_RESOLUTION && length == 1) {
        exponent = window.bytes()[window.position() + at] & 0xFF;
      } else if (code == TIME_OFFSET && length == Long.BYTES) {
        long first = window.number(at);
        long second = window.number(at + 4);
        offset =
            window.isLittleEndian()
                ? second << Integer.SIZE | (first & UNSIGNED)
                : first << Integer.SIZE | (second & UNSIGNED);
      }
      at += (length + 3) & ~3;
    }
    return new Interface(linkType, snapLength, new Resolution(exponent, offset));
  }
}
