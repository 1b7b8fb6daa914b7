package io.bloomery.sync;

import io.bloomery.FilterFormatException;
import io.bloomery.internal.code.Bip158;
import io.bloomery.internal.probe.Mix;
import io.bloomery.sync.transport.Transport;
import io.bloomery.theory.DistributedMath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The messages of a single-shot filter: a byte for its step, 4 bytes by which processes check that
 * size and seed agree, the width of the codes' remainders, and distinct numbers of a known range in
 * ascending order as Rice codes of their gaps ({@link Bip158} has the layout).
 */
final class Messages {

  /** Bytes before the codes. */
  static final int HEADER_BYTES = 2 + Integer.BYTES;

  private static final int BODY_AT = 1 + Integer.BYTES;
  private static final byte COUNT = 4;

  /** The numbers of a message that a quarter of the heap holds; a bit may stand for one. */
  private static final long MOST_VALUES = Runtime.getRuntime().maxMemory() / 4 / Long.BYTES;

  private final int check;

  Messages(long bits, long seed) {
    this.check = (int) Mix.mix(bits + Mix.mix(seed + Mix.GOLDEN));
  }

  /** A message that begins with a tag and the agreement; {@link #body} writes the rest. */
  byte[] begin(byte tag, int length) {
    byte[] message = new byte[BODY_AT + length];
    ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN).put(tag).putInt(check);
    return message;
  }

  /** The content after the tag and the agreement. */
  static ByteBuffer body(byte[] message) {
    return ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN).position(BODY_AT);
  }

  /** The content after the tag and the agreement of a message. */
  ByteBuffer open(int from, byte[] message, byte tag) throws Transport.PeerException {
    if (message.length < 1 + Integer.BYTES || message[0] != tag) {
      throw new Transport.PeerException(
          from, "is at another step: its message is not of kind " + tag);
    }
    ByteBuffer fields = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN).position(1);
    if (fields.getInt() != check) {
      throw new Transport.PeerException(from, "has a filter of another size or seed");
    }
    return fields;
  }

  byte[] encode(byte tag, long[] values, long range) {
    int rice = DistributedMath.riceBits(values.length, range);
    int[] next = new int[1];
    byte[] codes = Bip158.write(() -> values[next[0]++], values.length, rice);
    byte[] message = begin(tag, 1 + codes.length);
    body(message).put((byte) rice).put(codes);
    return message;
  }

  long[] decode(int from, byte[] message, byte tag, long range) throws Transport.PeerException {
    ByteBuffer fields = open(from, message, tag);
    int rice = fields.hasRemaining() ? fields.get() : -1;
    if (rice < 0 || rice > 62) {
      throw new Transport.PeerException(from, "sent a message without codes");
    }
    long[] values;
    try {
      values = Bip158.readBelow(message, HEADER_BYTES, rice, range, MOST_VALUES);
    } catch (FilterFormatException e) {
      throw new Transport.PeerException(from, "sent codes that are damaged: " + e.getMessage(), e);
    }
    for (int i = 1; i < values.length; i++) {
      if (values[i] == values[i - 1]) {
        throw new Transport.PeerException(from, "sent the number " + values[i] + " twice");
      }
    }
    return values;
  }

  /** The sum of a number of each process; those of others may not exceed {@code most} with it. */
  static long total(Transport transport, long own, long most) throws IOException {
    byte[] message = new byte[1 + Long.BYTES];
    ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN).put(COUNT).putLong(own);
    byte[][] all = new byte[transport.size()][];
    Arrays.fill(all, message);
    long total = 0;
    byte[][] received = transport.exchange(all);
    for (int from = 0; from < received.length; from++) {
      ByteBuffer fields = ByteBuffer.wrap(received[from]).order(ByteOrder.LITTLE_ENDIAN);
      if (fields.remaining() != 1 + Long.BYTES || fields.get() != COUNT) {
        throw new Transport.PeerException(
            from, "is at another step: its message is not a number of elements");
      }
      long number = fields.getLong();
      if (number < 0 || number > Integer.MAX_VALUE) {
        throw new Transport.PeerException(from, "claims to have " + number + " elements");
      }
      total += number;
      if (total > most && from != transport.rank()) {
        throw new Transport.PeerException(
            from, "claims to have %d elements; at most %d fit".formatted(number, most));
      }
    }
    return total;
  }
}
