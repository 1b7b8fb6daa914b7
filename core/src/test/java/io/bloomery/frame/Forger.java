package io.bloomery.frame;

import io.bloomery.testkit.Seeds;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Changes a sound frame where its reader has to be careful: fields, words of the payload, lengths
 * of sections, any byte; and makes the checksums right again. The same seed gives the same files.
 */
final class Forger {

  private static final int SECTIONS_AT = 64;
  private static final int SECTION_COUNT_AT = 22;
  private static final int PAYLOAD_AT = 32;
  private static final int PAYLOAD_BYTES_AT = 40;

  private final byte[] sample;
  private final int[] fields;
  private final Damage damage;
  private final SplittableRandom random;

  Forger(byte[] sample, long seed) {
    this.sample = sample;
    this.fields = FrameBuilder.valueOffsets(sample);
    this.damage = new Damage(List.of(sample), seed);
    this.random = Seeds.random(seed);
  }

  /** The next file. */
  byte[] next() {
    if (random.nextInt(8) == 0) {
      return FrameBuilder.reseal(damage.next());
    }
    byte[] frame = sample.clone();
    ByteBuffer bytes = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
    for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
      edit(bytes);
    }
    return FrameBuilder.reseal(frame);
  }

  private void edit(ByteBuffer bytes) {
    int words = (int) (bytes.getLong(PAYLOAD_BYTES_AT) / Long.BYTES);
    int payload = (int) bytes.getLong(PAYLOAD_AT);
    int choice = random.nextInt(8);
    if (choice < 3 && fields.length > 0) {
      change(bytes, fields[random.nextInt(fields.length)]);
    } else if (choice == 3) {
      // One section more or less long, at the cost of its neighbour.
      int sections = bytes.getShort(SECTION_COUNT_AT);
      int at = SECTIONS_AT + Long.BYTES * random.nextInt(Math.max(sections, 1));
      int to = SECTIONS_AT + Long.BYTES * random.nextInt(Math.max(sections, 1));
      long moved = random.nextLong(-2, 3);
      bytes.putLong(at, bytes.getLong(at) - moved).putLong(to, bytes.getLong(to) + moved);
    } else if (words > 0) {
      int from = payload + Long.BYTES * random.nextInt(words);
      if (choice == 4) {
        fill(bytes, from, payload + Long.BYTES * words);
      } else {
        change(bytes, from);
      }
    }
  }

  /** Sets a run of words to one value. */
  private void fill(ByteBuffer bytes, int from, int end) {
    long value = value(0);
    int until = Math.min(end, from + Long.BYTES * (1 + random.nextInt(16)));
    for (int at = from; at < until; at += Long.BYTES) {
      bytes.putLong(at, value);
    }
  }

  private void change(ByteBuffer bytes, int at) {
    bytes.putLong(at, value(bytes.getLong(at)));
  }

  /** A neighbour, one bit flipped, a small number, a power of two, a rate, or anything. */
  private long value(long original) {
    return switch (random.nextInt(8)) {
      case 0 -> original + random.nextLong(-3, 4);
      case 1 -> original ^ (1L << random.nextInt(64));
      case 2 -> random.nextLong(0, 1_000);
      case 3 -> (1L << random.nextInt(64)) - random.nextInt(2);
      case 4 -> original * (1 + random.nextInt(1_000));
      case 5 -> Double.doubleToRawLongBits(random.nextDouble());
      case 6 -> random.nextBoolean() ? 0 : -1;
      default -> random.nextLong();
    };
  }
}
