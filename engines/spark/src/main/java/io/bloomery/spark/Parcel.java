package io.bloomery.spark;

import com.github.luben.zstd.Zstd;
import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.FrameHeader.Description;
import io.bloomery.Mergeable;
import io.bloomery.Storable;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A filter of some of the keys, packed to be sent and merged: its frame, compressed where that is
 * smaller. A filter that is filled as planned is not compressible; one of few keys is nearly empty.
 */
final class Parcel {

  private static final int SAMPLE = 32 << 10;
  private static final byte PLAIN = 0;
  private static final byte COMPRESSED = 1;

  private Parcel() {}

  /** A filter and what is said of it. */
  record Content(Storable filter, Description description) {}

  /** The bytes to send. */
  static byte[] pack(Storable filter) {
    return pack(filter, Description.NONE);
  }

  /** The bytes to send, with a description of the filter. */
  static byte[] pack(Storable filter, Description description) {
    byte[] frame = Filters.toBytes(filter, description);
    // A part decides whether the whole is worth the time.
    int length = Math.min(SAMPLE, frame.length);
    int from = (frame.length - length) / 2;
    if (compressed(Arrays.copyOfRange(frame, from, from + length)).length < length / 4 * 3) {
      byte[] small = compressed(frame);
      if (small.length + Integer.BYTES < frame.length) {
        return ByteBuffer.allocate(1 + Integer.BYTES + small.length)
            .put(COMPRESSED)
            .putInt(frame.length)
            .put(small)
            .array();
      }
    }
    return ByteBuffer.allocate(1 + frame.length).put(PLAIN).put(frame).array();
  }

  /** The filter that was packed. */
  static Storable unpack(byte[] parcel) {
    return unpackDescribed(parcel).filter();
  }

  /** The filter that was packed, and its description. */
  static Content unpackDescribed(byte[] parcel) {
    byte[] frame =
        parcel[0] == PLAIN ? Arrays.copyOfRange(parcel, 1, parcel.length) : decompressed(parcel);
    try {
      return new Content(Filters.read(frame), Filters.header(frame).description());
    } catch (FilterFormatException e) {
      throw new UncheckedIOException("a part of the filter was damaged on its way", e);
    }
  }

  /** Adds the keys of one filter to another of the same class, shape and hasher. */
  @SuppressWarnings("unchecked") // made by one spec
  static void merge(Storable into, Storable other) {
    ((Mergeable<Storable>) into).merge(other);
  }

  /** Fast, and codes the bytes of a sparse filter by their frequencies; Spark brings it along. */
  private static byte[] compressed(byte[] bytes) {
    return Zstd.compress(bytes, 1);
  }

  private static byte[] decompressed(byte[] parcel) {
    int length = ByteBuffer.wrap(parcel).getInt(1);
    return Zstd.decompress(Arrays.copyOfRange(parcel, 1 + Integer.BYTES, parcel.length), length);
  }
}
