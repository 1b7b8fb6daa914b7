package io.bloomery.tools.unpack;

import java.io.IOException;
import java.io.InputStream;

/**
 * Reads bzip2 data of any number of streams, with all their checksums; about 4 MB for a block of
 * 900 kB.
 */
final class Bunzip2 extends InputStream {

  private static final int LEVEL_SIZE = 100_000;
  private static final long BLOCK = 0x314159265359L;
  private static final long END = 0x177245385090L;

  private final BitSource bits;
  private Bzip2Block block;
  private int sum; // of the blocks of a stream
  private boolean inBlock;
  private boolean ended;

  /** Reads from {@code source}. */
  Bunzip2(InputStream source) throws IOException {
    this.bits = new BitSource(source);
    this.block = readHeader();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (!ended) {
      int count = inBlock ? block.read(bytes, offset, length) : 0;
      if (count > 0) {
        return count;
      }
      if (inBlock) {
        sum = Integer.rotateLeft(sum, 1) ^ block.checked();
      }
      next();
    }
    return -1;
  }

  @Override
  public int available() {
    return ended ? 0 : 1;
  }

  private Bzip2Block readHeader() throws IOException {
    int mark = bits.take(24);
    int level = bits.take(8) - '0';
    if (mark != 0x425A68 || level < 1 || level > 9) {
      throw new IOException("what follows the bzip2 data is not bzip2 data");
    }
    sum = 0;
    inBlock = false;
    return new Bzip2Block(bits, level * LEVEL_SIZE);
  }

  /** Moves to the next block, which may be that of the next stream. */
  private void next() throws IOException {
    long mark = (long) bits.take(24) << 24 | bits.take(24);
    if (mark == BLOCK) {
      block.begin();
      inBlock = true;
      return;
    }
    if (mark != END) {
      throw Unpacking.damaged("bzip2", "no block where one should be");
    }
    if (bits.take(32) != sum) {
      throw Unpacking.damaged("bzip2", "wrong checksum");
    }
    inBlock = false;
    if (bits.alignsWithMore()) {
      block = readHeader();
    } else {
      ended = true;
    }
  }
}
