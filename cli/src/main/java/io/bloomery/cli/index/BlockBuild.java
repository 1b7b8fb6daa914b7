package io.bloomery.cli.index;

import io.bloomery.internal.index.EmbeddedRibbon;
import java.util.List;
import java.util.concurrent.Callable;

/** Builds the filter of a block, independently of all others. */
final class BlockBuild implements Callable<BlockBuild.Built> {

  /**
   * Bytes of whole lines.
   *
   * @param bytes the array that starts with them
   * @param length the number of bytes
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Part(byte[] bytes, int length) {}

  /**
   * The result.
   *
   * @param filter the filter, null if none fits
   * @param lines the number of lines that end in the block
   */
  record Built(EmbeddedRibbon filter, long lines) {}

  private final Table.Settings settings;
  private final List<Part> parts;
  private final long maxBytes;

  /** Builds the filter of some parts, of at most {@code maxBytes}. */
  BlockBuild(Table.Settings settings, List<Part> parts, long maxBytes) {
    this.settings = settings;
    this.parts = parts;
    this.maxBytes = maxBytes;
  }

  @Override
  public Built call() {
    HashSet hashes = new HashSet();
    long lines = 0;
    for (Part part : parts) {
      settings.rule().hash(part.bytes, 0, part.length, hashes);
      lines += lineEnds(part.bytes, part.length);
    }
    long[] all = hashes.toArray();
    return new Built(
        EmbeddedRibbon.build(all, all.length, settings.rate(), Math.max(0, maxBytes)), lines);
  }

  /** The number of lines that end among the first {@code length} bytes of an array. */
  static long lineEnds(byte[] bytes, int length) {
    long count = 0;
    for (int i = 0; i < length; i++) {
      count += bytes[i] == '\n' ? 1 : 0;
    }
    return count;
  }
}
