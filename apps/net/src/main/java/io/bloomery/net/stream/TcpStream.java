package io.bloomery.net.stream;

import io.bloomery.net.address.Addresses;
import io.bloomery.net.capture.Capture.Packet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a connection.
 *
 * @param <S> what the receiver keeps of it
 */
public final class TcpStream<S> {

  /** Bytes that wait for those before them. */
  static final class Held {
    private final long position;
    private final byte[] bytes;

    Held(long position, byte[] bytes) {
      this.position = position;
      this.bytes = bytes;
    }

    long position() {
      return position;
    }

    byte[] bytes() {
      return bytes;
    }

    int length() {
      return bytes.length;
    }

    long end() {
      return position + bytes.length;
    }
  }

  final FlowId id;
  private final int version;
  private final long[] addresses;
  private final int ports;
  final List<Held> held = new ArrayList<>(0);
  int heldBytes;
  int next; // the sequence number expected next
  int other; // where another connection of the same ports would begin
  boolean hasOther;
  boolean isClosed;
  long position;
  long nanos;
  private byte[] history = {};
  private int historyLength;
  private String text = ""; // until somebody asks
  @Nullable S state;

  TcpStream(FlowId id, Segment first) {
    this.id = id;
    this.version = first.version;
    this.addresses =
        new long[] {first.sourceHigh, first.sourceLow, first.destinationHigh, first.destinationLow};
    this.ports = first.ports;
    this.next = first.has(Segment.SYN) ? first.sequence + 1 : first.sequence;
  }

  /** What the receiver keeps of it. */
  public S state() {
    S kept = state;
    if (kept == null) {
      throw new IllegalStateException("not opened");
    }
    return kept;
  }

  /** How many bytes came before, delivered or missing. */
  public long position() {
    return position;
  }

  /** When its last segment was captured, in nanoseconds since 1970. */
  public long nanos() {
    return nanos;
  }

  /** The last bytes before {@link #position}, from index 0 on. */
  public byte[] history() {
    return history;
  }

  /** How many of them there are. */
  public int historyLength() {
    return historyLength;
  }

  /** The port it goes to. */
  public int destinationPort() {
    return ports & 0xFFFF;
  }

  /** The port it comes from. */
  public int sourcePort() {
    return ports >>> Short.SIZE;
  }

  /** Its addresses and ports. */
  public String text() {
    if (text.isEmpty()) {
      text =
          Addresses.flow(
              version,
              Packet.TCP,
              new Addresses.End(addresses[0], addresses[1], sourcePort()),
              new Addresses.End(addresses[2], addresses[3], destinationPort()));
    }
    return text;
  }

  /** The memory that its bytes take. */
  long bytes() {
    return history.length + (long) heldBytes;
  }

  void forget() {
    historyLength = 0;
  }

  /** Appends bytes that were delivered, and keeps the last {@code most}. */
  void remember(byte[] bytes, int from, int length, int most) {
    int kept = Math.min(historyLength, most - Math.min(length, most));
    int added = Math.min(length, most);
    if (kept + added > history.length) {
      byte[] larger =
          new byte[Math.min(most, Math.max(64, Integer.highestOneBit(kept + added) * 2))];
      System.arraycopy(history, historyLength - kept, larger, 0, kept);
      history = larger;
    } else {
      System.arraycopy(history, historyLength - kept, history, 0, kept);
    }
    System.arraycopy(bytes, from + length - added, history, kept, added);
    historyLength = kept + added;
  }
}
