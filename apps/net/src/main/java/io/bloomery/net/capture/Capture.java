package io.bloomery.net.capture;

import io.bloomery.net.address.Addresses;
import io.bloomery.tools.problem.UnreadFormatException;
import io.bloomery.tools.unpack.Unpacking;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The IP packets of a capture in the formats pcap or pcapng, plain or packed by gzip, zstd, xz,
 * bzip2 or lz4, from a file or a stream. Captured frames may be Ethernet, with VLAN tags, Linux
 * cooked (both versions), loopback or raw IP.
 *
 * <p>Threads: one.
 */
public final class Capture implements AutoCloseable {

  /** Why a record was not delivered. */
  public enum Reason {
    /** The capture ends within it. */
    ENDS_EARLY("cut off at the end of the capture"),
    /** The lengths of a block contradict each other; what follows may be lost. */
    DAMAGED("in damaged blocks"),
    /** It is longer than {@link CaptureOptions#maxPacket}. */
    TOO_LARGE("longer than the limit"),
    /** It belongs to an interface that was not described. */
    UNKNOWN_INTERFACE("of interfaces not described"),
    /** Its link type is none of those that are read. */
    UNKNOWN_LINK("of unknown link types"),
    /** It is not IP, ARP for example. */
    NOT_IP("not IP"),
    /** The captured bytes end within the header of IP. */
    CUT_SHORT("cut short before the end of the IP header"),
    /** Its IP header contradicts itself. */
    MALFORMED("with malformed IP headers");

    private final String words;

    Reason(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  /** A packet, valid until the next one is read. An IPv4 address is mapped into IPv6. */
  public static final class Packet extends PacketState {
    /** The protocol number of TCP. */
    public static final int TCP = 6;

    /** The protocol number of UDP. */
    public static final int UDP = 17;

    /** The protocol number of ICMP. */
    public static final int ICMP = 1;

    /** The protocol number of ICMPv6. */
    public static final int ICMPV6 = 58;

    Packet() {}

    /** When it was captured, in nanoseconds since 1970; 0 if the capture does not say. */
    public long nanos() {
      return nanos;
    }

    /** How long the frame was, which may be more than was captured. */
    public int frameLength() {
      return original;
    }

    /** 4 or 6. */
    public int version() {
      return version;
    }

    /** The length of the IP packet, as its header says. */
    public int length() {
      return ipLength;
    }

    /** The protocol that IP carries, behind all extension headers. */
    public int protocol() {
      return protocol;
    }

    /** The first half of the address it comes from. */
    public long sourceHigh() {
      return sourceHigh;
    }

    /** The second half of the address it comes from. */
    public long sourceLow() {
      return sourceLow;
    }

    /** The first half of the address it goes to. */
    public long destinationHigh() {
      return destinationHigh;
    }

    /** The second half of the address it goes to. */
    public long destinationLow() {
      return destinationLow;
    }

    /** The address it comes from, dotted or as RFC 5952 says. */
    public String source() {
      return Addresses.text(version, sourceHigh, sourceLow);
    }

    /** The address it goes to. */
    public String destination() {
      return Addresses.text(version, destinationHigh, destinationLow);
    }

    /** The port of TCP or UDP it comes from; 0 if it has none, as later fragments. */
    public int sourcePort() {
      return sourcePort;
    }

    /** The port of TCP or UDP it goes to; 0 if it has none. */
    public int destinationPort() {
      return destinationPort;
    }

    /** The eight flags of TCP; 0 if it is something else. */
    public int tcpFlags() {
      return tcpFlags;
    }

    /** Whether it is a fragment other than the first. */
    public boolean isLaterFragment() {
      return fragmentOffset > 0;
    }

    /** Whether it is a fragment, the first or another. */
    public boolean isFragment() {
      return fragmentOffset > 0 || moreFragments;
    }

    /** Where its content belongs in the whole packet; 0 if it is no fragment. */
    public int fragmentOffset() {
      return fragmentOffset;
    }

    /** Whether fragments come after it. */
    public boolean hasMoreFragments() {
      return moreFragments;
    }

    /** The number that fragments of a packet have in common; of no meaning otherwise. */
    public int fragmentId() {
      return fragmentId;
    }

    /** Whether the header above IP is cut short or contradicts itself. */
    public boolean isTransportCut() {
      return cut;
    }

    /** The buffer it is in. */
    public byte[] bytes() {
      return bytes;
    }

    /** Where its IP header begins in the buffer. */
    public int headerOffset() {
      return ipAt;
    }

    /** Where the header above IP begins in the buffer. */
    public int transportOffset() {
      return transportAt;
    }

    /** Where the payload of TCP, UDP or ICMP begins in the buffer. */
    public int payloadOffset() {
      return payloadAt;
    }

    /** How many bytes of the payload were captured. */
    public int payloadLength() {
      return transportEnd - payloadAt;
    }
  }

  private final Window window;
  private final Records records;
  private final Packet packet = new Packet();
  private final Map<Reason, Long> skipped = new EnumMap<>(Reason.class);
  private long count;
  private long transportsCut;

  private Capture(Window window, CaptureOptions options) throws IOException {
    this.window = window;
    this.records = records(window, options);
  }

  private static Records records(Window window, CaptureOptions options) throws IOException {
    if (!window.require(Integer.BYTES)) {
      throw new UnreadFormatException(
          window.available() == 0 ? "the capture is empty" : "is too short for a capture");
    }
    int first = window.number(0);
    if (first == PcapngRecords.SECTION) {
      return new PcapngRecords(window, options);
    }
    for (int mark : new int[] {PcapRecords.MICROSECONDS, PcapRecords.NANOSECONDS}) {
      if (first == mark || first == Integer.reverseBytes(mark)) {
        window.littleEndian(first != mark);
        return new PcapRecords(window, options.maxPacket());
      }
    }
    throw new UnreadFormatException(
        "is neither pcap nor pcapng: it begins with the bytes %08x".formatted(first));
  }

  /**
   * Opens a file.
   *
   * @param file a capture, plain or packed
   * @param options the limits
   * @return its packets
   * @throws IOException if it cannot be read, or is not a capture
   */
  public static Capture open(Path file, CaptureOptions options) throws IOException {
    InputStream in = Files.newInputStream(file);
    try {
      return open(in, options);
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  /**
   * Reads a stream, from a pipe for example.
   *
   * @param in a capture, plain or packed; it is closed with this object
   * @param options the limits
   * @return its packets
   * @throws IOException if it cannot be read, or is not a capture
   */
  public static Capture open(InputStream in, CaptureOptions options) throws IOException {
    PushbackInputStream source = new PushbackInputStream(in, Unpacking.BUFFER);
    InputStream unpacked = Unpacking.open(source);
    return new Capture(new Window(unpacked == null ? source : unpacked), options);
  }

  /**
   * Reads the next IP packet.
   *
   * @return the packet, always in the same object; null at the end
   * @throws IOException if the input cannot be read, or is packed and damaged
   */
  public @Nullable Packet next() throws IOException {
    while (records.next(packet)) {
      count++;
      Reason reason = packet.problem == null ? Decoder.decode(packet) : packet.problem;
      if (reason == null) {
        transportsCut += packet.cut ? 1 : 0;
        return packet;
      }
      skipped.merge(reason, 1L, Long::sum);
    }
    return null;
  }

  /** How many records were read so far, delivered or not. */
  public long records() {
    return count;
  }

  /** How many records were not delivered, by reason. */
  public Map<Reason, Long> skipped() {
    return Map.copyOf(skipped);
  }

  /** How many of the delivered packets have a header above IP that is cut short or malformed. */
  public long transportsCut() {
    return transportsCut;
  }

  @Override
  public void close() throws IOException {
    window.close();
  }
}
