package io.bloomery.spark;

import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.Mergeable;
import io.bloomery.Storable;
import java.io.ByteArrayOutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * A filter of some of the keys on its way to be merged: its frame, compressed where that is
 * smaller. A filter that is filled as planned is not compressible; one of few keys is nearly empty.
 */
final class Parcel {

  private static final int SAMPLE = 32 << 10;
  private static final byte PLAIN = 0;
  private static final byte DEFLATED = 1;

  private Parcel() {}

  /** The bytes that travel. */
  static byte[] pack(Storable filter) {
    byte[] frame = filter.toBytes();
    // A part decides whether the whole is worth the time.
    int from = (frame.length - Math.min(SAMPLE, frame.length)) / 2;
    int length = Math.min(SAMPLE, frame.length);
    if (deflated(frame, from, length).length < length / 4 * 3) {
      byte[] small = deflated(frame, 0, frame.length);
      if (small.length + 1 + Integer.BYTES < frame.length) {
        return ByteBuffer.allocate(1 + Integer.BYTES + small.length)
            .put(DEFLATED)
            .putInt(frame.length)
            .put(small)
            .array();
      }
    }
    return ByteBuffer.allocate(1 + frame.length).put(PLAIN).put(frame).array();
  }

  /** The filter that was packed. */
  static Storable unpack(byte[] parcel) {
    try {
      return Filters.read(
          parcel[0] == PLAIN ? Arrays.copyOfRange(parcel, 1, parcel.length) : inflated(parcel));
    } catch (FilterFormatException e) {
      throw new UncheckedIOException("a part of the filter was damaged on its way", e);
    }
  }

  /** Adds the keys of one filter to another of the same class, shape and hasher. */
  @SuppressWarnings("unchecked") // made by one spec
  static void merge(Storable into, Storable other) {
    ((Mergeable<Storable>) into).merge(other);
  }

  private static byte[] deflated(byte[] bytes, int from, int length) {
    Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
    try {
      deflater.setInput(bytes, from, length);
      deflater.finish();
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      byte[] buffer = new byte[SAMPLE];
      while (!deflater.finished()) {
        out.write(buffer, 0, deflater.deflate(buffer));
      }
      return out.toByteArray();
    } finally {
      deflater.end();
    }
  }

  private static byte[] inflated(byte[] parcel) {
    ByteBuffer header = ByteBuffer.wrap(parcel, 1, Integer.BYTES);
    byte[] frame = new byte[header.getInt()];
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(parcel, header.position(), parcel.length - header.position());
      int length = 0;
      while (length < frame.length && !inflater.finished()) {
        length += inflater.inflate(frame, length, frame.length - length);
      }
      return frame;
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("a part of the filter was damaged on its way", e);
    } finally {
      inflater.end();
    }
  }
}
