package io.bloomery.net.stream;

import io.bloomery.hash.Hasher;
import io.bloomery.net.capture.Capture.Packet;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Puts fragments of IP together, at most {@value #MOST_DATAGRAMS} packets and 16 MiB at a time;
 * those without a fragment for the longest time go first.
 *
 * <p>Threads: one.
 */
public final class Fragments {

  /** What fragments carry. */
  public static final class Datagram {
    private byte[] first = {};
    private byte[] last = {};
    private final BitSet present = new BitSet(); // in units of eight bytes
    private int length = -1; // unknown until the last fragment
    private boolean differs;

    private Datagram() {}

    /** The content, with the first byte that was sent for each place. */
    public byte[] first() {
      return Arrays.copyOf(first, length);
    }

    /** The same with the last byte for each place; null if all were the same. */
    public byte @Nullable [] last() {
      return differs ? Arrays.copyOf(last, length) : null;
    }

    private void take(int at, byte[] bytes, int from, int count, boolean isLast) {
      int end = at + count;
      if (end > first.length) {
        int size = Math.min(MOST_BYTES, Math.max(2048, Integer.highestOneBit(end) * 2));
        first = Arrays.copyOf(first, size);
        last = Arrays.copyOf(last, size);
      }
      for (int i = 0; i < count; i++) {
        boolean isNew = !present.get((at + i) / UNIT);
        byte value = bytes[from + i];
        differs |= !isNew && first[at + i] != value;
        first[at + i] = isNew ? value : first[at + i];
        last[at + i] = value;
      }
      present.set(at / UNIT, (end + UNIT - 1) / UNIT);
      if (isLast) {
        length = length < 0 ? end : length;
      }
    }

    private boolean isWhole() {
      return length >= 0 && present.nextClearBit(0) * UNIT >= length;
    }

    private int bytes() {
      return 2 * first.length;
    }
  }

  /** How many packets are put together at a time. */
  public static final int MOST_DATAGRAMS = 1024;

  private static final int MOST_BYTES = 1 << 16;
  private static final long MOST_MEMORY = 16 << 20;
  private static final int UNIT = 8;

  private final FlowId.Maker ids;
  private final LinkedHashMap<FlowId, Datagram> datagrams = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;
  private long dropped;

  /**
   * Creates an object without fragments.
   *
   * @param hasher a keyed hash, which strangers do not know
   */
  public Fragments(Hasher hasher) {
    this.ids = new FlowId.Maker(hasher);
  }

  /** How many packets lack fragments: dropped for others, impossible, or not complete so far. */
  public long incomplete() {
    return dropped + datagrams.size();
  }

  /**
   * Takes a fragment.
   *
   * @return what it completes, or null
   */
  public @Nullable Datagram take(Packet packet) {
    int from = packet.transportOffset();
    int count = packet.payloadOffset() + packet.payloadLength() - from;
    int wire = packet.length() - (from - packet.headerOffset());
    int at = packet.fragmentOffset();
    boolean isLast = !packet.hasMoreFragments();
    if (count < wire || count <= 0 || at + count > MOST_BYTES || (!isLast && count % UNIT != 0)) {
      dropped++; // cut short, or impossible
      return null;
    }
    long number = (packet.fragmentId() & 0xFFFF_FFFFL) | (long) packet.version() << Integer.SIZE;
    number |= packet.version() == 4 ? (long) packet.protocol() << 40 : 0;
    FlowId id =
        ids.of(
            packet.sourceHigh(),
            packet.sourceLow(),
            packet.destinationHigh(),
            packet.destinationLow(),
            number);
    Datagram datagram = datagrams.computeIfAbsent(id, any -> new Datagram());
    bytes -= datagram.bytes();
    datagram.take(at, packet.bytes(), from, count, isLast);
    bytes += datagram.bytes();
    if (datagram.isWhole()) {
      datagrams.remove(id);
      bytes -= datagram.bytes();
      return datagram;
    }
    Iterator<Datagram> eldest = datagrams.values().iterator();
    while (datagrams.size() > MOST_DATAGRAMS || (bytes > MOST_MEMORY && datagrams.size() > 1)) {
      bytes -= eldest.next().bytes();
      eldest.remove();
      dropped++;
    }
    return null;
  }
}
