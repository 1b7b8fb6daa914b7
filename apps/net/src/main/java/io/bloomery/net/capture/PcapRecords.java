package io.bloomery.net.capture;

import io.bloomery.net.capture.Capture.Reason;
import java.io.IOException;

/** The records of a pcap file, of either byte order, with times in micro- or nanoseconds. */
final class PcapRecords implements Records {

  /** How the file begins. */
  static final int MICROSECONDS = 0xA1B2C3D4;

  /** How a file with times in nanoseconds begins. */
  static final int NANOSECONDS = 0xA1B23C4D;

  private static final int HEADER = 24;
  private static final int RECORD = 16;
  private static final int LINK_TYPE = 0xFFFF; // the upper half says whether frames end with a sum
  private static final int SWAPPED_BEFORE = 3; // minor versions that may swap the two lengths
  private static final long SECOND = 1_000_000_000;
  private static final long UNSIGNED = 0xFFFF_FFFFL;

  private final Window window;
  private final int maxPacket;
  private final long unit; // nanoseconds
  private final int linkType;
  private final int minor;

  /** Begins at the header, whose first four bytes were recognized. */
  PcapRecords(Window window, int maxPacket) throws IOException {
    this.window = window;
    this.maxPacket = maxPacket;
    if (!window.require(HEADER)) {
      throw new IOException("the capture ends within its header");
    }
    this.unit = window.number(0) == NANOSECONDS ? 1 : 1000;
    int major = window.half(4);
    this.minor = window.half(6);
    if (major != 2) {
      throw new IOException("pcap version %d.%d is unknown; 2.4 is".formatted(major, minor));
    }
    this.linkType = window.number(20) & LINK_TYPE;
    window.advance(HEADER);
  }

  @Override
  public boolean next(PacketState packet) throws IOException {
    if (!window.require(RECORD)) {
      packet.problem = Reason.ENDS_EARLY;
      boolean any = window.available() > 0;
      window.advance(window.available());
      return any;
    }
    long captured = window.number(8) & UNSIGNED;
    long original = window.number(12) & UNSIGNED;
    if (minor < SWAPPED_BEFORE || (minor == SWAPPED_BEFORE && captured > original)) {
      long swapped = captured;
      captured = original;
      original = swapped;
    }
    packet.nanos = (window.number(0) & UNSIGNED) * SECOND + (window.number(4) & UNSIGNED) * unit;
    window.advance(RECORD);
    packet.take(window, captured, original, maxPacket, linkType);
    return true;
  }
}
