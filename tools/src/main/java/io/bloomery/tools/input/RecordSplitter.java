package io.bloomery.tools.input;

import io.bloomery.tools.report.Text;

/** Keys of a fixed number of bytes, with nothing between them. */
public final class RecordSplitter implements Splitter {

  private final int size;

  /** Of {@code size} bytes each. */
  public RecordSplitter(int size) {
    this.size = size;
  }

  @Override
  public int lastEnd(Block block, int from) {
    return block.length() - block.length() % size;
  }

  @Override
  public void split(Block block) {
    int left = block.length() % size;
    int length = block.length() - left;
    if (left != 0) {
      block.addBad(
          length,
          block.length(),
          () ->
              "%s: ends within a record: %s left of %d (--binary %d)"
                  .formatted(
                      block.origin(),
                      Text.count(left, "byte") + (left == 1 ? " is" : " are"),
                      size,
                      size));
    }
    for (int at = 0; at < length; at += size) {
      block.add(at, at + size, at, at + size);
    }
  }

  @Override
  public byte[] recordEnd() {
    return new byte[0];
  }

  @Override
  public boolean isText() {
    return false;
  }
}
