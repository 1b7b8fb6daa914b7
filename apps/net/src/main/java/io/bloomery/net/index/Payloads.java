package io.bloomery.net.index;

import io.bloomery.net.capture.Capture.Packet;
import java.util.Arrays;
import java.util.stream.LongStream;

/** The payloads of a page, in the order of packets, and joined in the order of their flows. */
final class Payloads {

  /** Takes bytes that belong together. */
  @FunctionalInterface
  interface Taker {
    void take(byte[] bytes, int from, int length, int flow);
  }

  private static final int TCP_SEQUENCE = 4;
  private static final int START = 1 << 8;

  private byte[] bytes = new byte[1 << 16];
  private int size;
  private int[] flow = new int[START]; // by packet
  private int[] from = new int[START];
  private int[] sequence = new int[START];
  private boolean[] ordered = new boolean[START]; // by sequence numbers
  private int packets;

  boolean isEmpty() {
    return packets == 0;
  }

  /** How many bytes there are. */
  int size() {
    return size;
  }

  void add(Packet packet, int number) {
    int length = packet.payloadLength();
    if (bytes.length - size < length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + length, 2 * bytes.length));
    }
    if (packets == flow.length) {
      flow = Arrays.copyOf(flow, 2 * packets);
      from = Arrays.copyOf(from, 2 * packets);
      sequence = Arrays.copyOf(sequence, 2 * packets);
      ordered = Arrays.copyOf(ordered, 2 * packets);
    }
    System.arraycopy(packet.bytes(), packet.payloadOffset(), bytes, size, length);
    flow[packets] = number;
    from[packets] = size;
    ordered[packets] = packet.protocol() == Packet.TCP && !packet.isLaterFragment();
    sequence[packets] = ordered[packets] ? sequence(packet) : 0;
    packets++;
    size += length;
  }

  private static int sequence(Packet packet) {
    int value = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      int next = packet.bytes()[packet.transportOffset() + TCP_SEQUENCE + i] & 0xFF;
      value = (value << Byte.SIZE) | next;
    }
    return value;
  }

  private int length(int packet) {
    return (packet + 1 < packets ? from[packet + 1] : size) - from[packet];
  }

  /** Hands out the payload of each packet, or what is joined of them. */
  void runs(boolean joined, Taker taker) {
    if (!joined) {
      for (int i = 0; i < packets; i++) {
        taker.take(bytes, from[i], length(i), flow[i]);
      }
      return;
    }
    long[] order = new long[packets];
    Arrays.setAll(order, i -> ((long) flow[i] << Integer.SIZE) | i);
    Arrays.sort(order);
    byte[] run = new byte[size];
    for (int start = 0; start < packets; ) {
      int number = (int) (order[start] >>> Integer.SIZE);
      int end = start;
      while (end < packets && order[end] >>> Integer.SIZE == number) {
        end++;
      }
      int[] one = Arrays.stream(order, start, end).mapToInt(each -> (int) each).toArray();
      join(one, run, number, taker);
      start = end;
    }
  }

  /**
   * Joins the payloads of a flow. A segment that does not follow the one before begins anew, unless
   * it repeats it; nothing is left out that has other bytes.
   */
  private void join(int[] packetsOfFlow, byte[] run, int number, Taker taker) {
    int[] order = inSequence(packetsOfFlow);
    int length = 0;
    int next = 0;
    int before = -1;
    for (int packet : order) {
      boolean repeated = before >= 0 && isSame(before, packet);
      if (!repeated) {
        if (length > 0 && ordered[packet] && sequence[packet] != next) {
          taker.take(run, 0, length, number);
          length = 0;
        }
        System.arraycopy(bytes, from[packet], run, length, length(packet));
        length += length(packet);
        next = sequence[packet] + length(packet);
        before = packet;
      }
    }
    if (length > 0) {
      taker.take(run, 0, length, number);
    }
  }

  private boolean isSame(int first, int second) {
    return ordered[second]
        && sequence[first] == sequence[second]
        && Arrays.equals(
            bytes,
            from[first],
            from[first] + length(first),
            bytes,
            from[second],
            from[second] + length(second));
  }

  private int[] inSequence(int[] packetsOfFlow) {
    int base = sequence[packetsOfFlow[0]];
    long[] order = new long[packetsOfFlow.length];
    for (int i = 0; i < order.length; i++) {
      order[i] = ((long) (sequence[packetsOfFlow[i]] - base) << Integer.SIZE) | i;
    }
    Arrays.sort(order);
    return LongStream.of(order).mapToInt(each -> packetsOfFlow[(int) each]).toArray();
  }
}
