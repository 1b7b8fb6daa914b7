package io.bloomery.foreign.redis;

import io.bloomery.FilterFormatException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A reply of {@code BF.SCANDUMP} or {@code CF.SCANDUMP}, and the arguments of the {@code LOADCHUNK}
 * that restores it. The reply that ends a dump, iterator 0 without data, is not one of them.
 *
 * @param iterator 1 for the header; for data 1 plus the bytes of data up to the end of this chunk
 * @param data the bytes; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // chunks are passed on, never compared
public record RedisChunk(long iterator, byte[] data) {

  private static final int MAX_DATA = 16 << 20;

  /**
   * Takes over the array.
   *
   * @param iterator what came with the data
   * @param data the bytes; not null
   */
  public RedisChunk {
    Objects.requireNonNull(data, "data");
  }

  /** The chunks of a header and of layers, of which none is in the same chunk as another. */
  static List<RedisChunk> of(byte[] header, List<byte[]> layers) {
    List<RedisChunk> chunks = new ArrayList<>();
    chunks.add(new RedisChunk(1, header));
    long iterator = 1;
    for (byte[] layer : layers) {
      for (int from = 0; from < layer.length; ) {
        int to = Math.min(layer.length - from, MAX_DATA) + from;
        iterator += to - from;
        chunks.add(new RedisChunk(iterator, Arrays.copyOfRange(layer, from, to)));
        from = to;
      }
    }
    return chunks;
  }

  /** Header and data concatenated, as in a file. */
  static byte[] join(List<RedisChunk> chunks) throws FilterFormatException {
    Objects.requireNonNull(chunks, "chunks");
    long total = 0;
    for (RedisChunk chunk : chunks) {
      total += chunk.data.length;
    }
    if (total > Integer.MAX_VALUE - 8) {
      throw problem("chunks of %d bytes are more than one array holds".formatted(total));
    }
    byte[] all = new byte[(int) total];
    int at = 0;
    long iterator = 1;
    for (RedisChunk chunk : chunks) {
      iterator += at == 0 ? 0 : chunk.data.length;
      if (chunk.iterator != iterator) {
        throw problem(
            "a chunk has iterator %d, not %d: are all there, in the order of SCANDUMP?"
                .formatted(chunk.iterator, iterator));
      }
      System.arraycopy(chunk.data, 0, all, at, chunk.data.length);
      at += chunk.data.length;
    }
    return all;
  }

  private static FilterFormatException problem(String what) {
    return new FilterFormatException("chunks", 0, what);
  }
}
