package io.bloomery.cli;

/** Keys of a fixed number of bytes, with nothing between them. */
final class RecordSplitter implements Splitter {

  private final int size;

  /** Of {@code size} bytes each. */
  RecordSplitter(int size) {
    this.size = size;
  }

  @Override
  public int lastEnd(Block block, int from) {
    return block.length() - block.length() % size;
  }

  @Override
  public void split(Block block) {
    int length = block.length();
    if (length % size != 0) {
      throw new Problem(
          "the input ends within a record: %d bytes are left of %d (--binary %d)"
              .formatted(length % size, size, size));
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
