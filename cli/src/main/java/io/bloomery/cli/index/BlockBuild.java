package io.bloomery.cli.index;

import io.bloomery.internal.index.EmbeddedRibbon;
import java.util.List;
import java.util.concurrent.Callable;

/** Makes the filter of a block, apart from all others. */
final class BlockBuild implements Callable<BlockBuild.Built> {

  /**
   * Bytes of whole lines.
   *
   * @param bytes the array that begins with them
   * @param length how many
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Part(byte[] bytes, int length) {}

  /**
   * What came of it.
   *
   * @param filter null if none fits
   * @param lines how many lines end in the block
   */
  record Built(EmbeddedRibbon filter, long lines) {}

  private final Table.Settings settings;
  private final List<Part> parts;
  private final long maxBytes;

  /** The filter of some parts, of at most {@code maxBytes}. */
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

  /** How many lines end among the first bytes of an array. */
  static long lineEnds(byte[] bytes, int length) {
    long count = 0;
    for (int i = 0; i < length; i++) {
      count += bytes[i] == '\n' ? 1 : 0;
    }
    return count;
  }
}
