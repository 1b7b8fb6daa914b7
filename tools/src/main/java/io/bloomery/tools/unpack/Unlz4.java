package io.bloomery.tools.unpack;

import io.bloomery.tools.problem.UnreadFormatException;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads lz4 data of any number of frames (LZ4 Frame Format 1.6.4), with all their checksums. A
 * block takes up to 4 MiB, and as much before it is unpacked.
 */
final class Unlz4 extends InputStream {

  /** The lowest first byte of a frame that is skipped; 15 more follow it. */
  static final int SKIPPABLE = 0x50;

  private static final int FRAME = 0x184D2204;
  private static final int SKIPPABLE_FRAME = 0x184D2A50;
  private static final int LEGACY_FRAME = 0x184C2102;
  private static final int VERSION = 1;
  private static final int WINDOW = 1 << 16;
  private static final int LEAST_MATCH = 4;
  private static final int PLAIN = 1 << 31;

  private final InputStream source;
  private final Xxh32 hash = new Xxh32();
  private final Xxh32 blockHash = new Xxh32();
  private byte[] packed = {};
  private byte[] bytes = {}; // up to 64 KiB of what came before, and the block
  private int at; // the next byte to hand out
  private int end; // of the block
  private boolean dependent; // blocks refer to earlier ones
  private boolean blocksChecked;
  private boolean contentChecked;
  private long promised; // length of the content, -1 if the frame does not say
  private long length;
  private boolean ended;

  /** Reads from {@code source}. */
  Unlz4(InputStream source) throws IOException {
    this.source = source;
    nextFrame();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int wanted) throws IOException {
    while (at == end && !ended) {
      nextBlock();
    }
    if (ended) {
      return -1;
    }
    int count = Math.min(wanted, end - at);
    System.arraycopy(bytes, at, target, offset, count);
    at += count;
    return count;
  }

  @Override
  public int available() {
    return ended ? 0 : 1;
  }

  /** Moves to the next frame that has content, if there is one. */
  private void nextFrame() throws IOException {
    while (true) {
      int first = source.read();
      if (first < 0) {
        ended = true;
        return;
      }
      int magic = first | readNumber(source, 3) << Byte.SIZE;
      if (magic == FRAME) {
        readHeader();
        return;
      }
      if (magic == LEGACY_FRAME) {
        throw new UnreadFormatException(
            "has lz4 data of the old format, which is not read here; unpack them with lz4 -dc");
      }
      if ((magic & -16) != SKIPPABLE_FRAME) {
        throw new IOException("what follows the lz4 data is not lz4 data");
      }
      skip(source);
    }
  }

  /** Skips the rest of a frame, from its length on. */
  static void skip(InputStream source) throws IOException {
    long left = readNumber(source, Integer.BYTES) & 0xFFFF_FFFFL;
    while (left > 0) {
      long skipped = source.skip(left);
      if (skipped == 0 && source.read() < 0) {
        throw Unpacking.cutOff("lz4");
      }
      left -= Math.max(1, skipped);
    }
  }

  private void readHeader() throws IOException {
    byte[] header = new byte[14];
    readFully(header, 0, 2);
    int flags = header[0];
    if (flags >>> 6 != VERSION || (flags & 2) != 0 || (header[1] & 0x8F) != 0) {
      throw new UnreadFormatException(
          "has lz4 data of a version that is not read here; unpack them with lz4 -dc");
    }
    dependent = (flags & 0x20) == 0;
    blocksChecked = (flags & 0x10) != 0;
    boolean sized = (flags & 8) != 0;
    contentChecked = (flags & 4) != 0;
    if ((flags & 1) != 0) {
      throw new UnreadFormatException(
          "has lz4 data that need a dictionary; unpack them with lz4 -dc -D DICTIONARY");
    }
    int more = sized ? Long.BYTES : 0;
    readFully(header, 2, more);
    promised = -1;
    if (sized) {
      promised = 0;
      for (int i = 0; i < Long.BYTES; i++) {
        promised |= (header[2 + i] & 0xFFL) << (Byte.SIZE * i);
      }
    }
    hash.reset();
    hash.update(header, 0, 2 + more);
    if (readNumber(source, 1) != (hash.value() >>> Byte.SIZE & 0xFF)) {
      throw Unpacking.damaged("lz4", "wrong checksum of a header");
    }
    int code = header[1] >>> 4;
    if (code < 4) {
      throw Unpacking.damaged("lz4", "impossible size of blocks");
    }
    int largest = 1 << (Byte.SIZE + 2 * code);
    if (packed.length != largest) {
      packed = new byte[largest];
      bytes = new byte[WINDOW + largest];
    }
    hash.reset();
    length = 0;
    at = 0;
    end = 0;
  }

  private void nextBlock() throws IOException {
    int size = readNumber(source, Integer.BYTES);
    if (size == 0) {
      finishFrame();
      nextFrame();
      return;
    }
    int stored = size & ~PLAIN;
    if (stored > packed.length) {
      throw Unpacking.damaged("lz4", "a block is longer than its frame allows");
    }
    int start = dependent ? keepWindow() : 0;
    at = start;
    boolean plain = (size & PLAIN) != 0;
    byte[] read = plain ? bytes : packed;
    int from = plain ? start : 0;
    readFully(read, from, stored);
    if (blocksChecked) {
      blockHash.reset();
      blockHash.update(read, from, stored);
      check(blockHash.value());
    }
    end = plain ? start + stored : unpack(stored, start);
    length += end - start;
    if (contentChecked) {
      hash.update(bytes, start, end - start);
    }
  }

  /** Moves the last bytes of the content to the front, and returns how many they are. */
  private int keepWindow() {
    int kept = Math.min(WINDOW, end);
    System.arraycopy(bytes, end - kept, bytes, 0, kept);
    return kept;
  }

  private void finishFrame() throws IOException {
    if (contentChecked) {
      check(hash.value());
    }
    if (promised >= 0 && promised != length) {
      throw Unpacking.damaged("lz4", "wrong length");
    }
  }

  private void check(int expected) throws IOException {
    if (readNumber(source, Integer.BYTES) != expected) {
      throw Unpacking.damaged("lz4", "wrong checksum");
    }
  }

  /** Unpacks a block behind what is kept, and returns where it ends. */
  private int unpack(int stored, int start) throws IOException {
    int limit = start + packed.length;
    int in = 0;
    int out = start;
    while (true) {
      if (in >= stored) {
        throw outside();
      }
      int token = packed[in++] & 0xFF;
      int literals = token >>> 4;
      if (literals == 15) {
        int next;
        do {
          if (in >= stored || literals > limit) {
            throw outside();
          }
          next = packed[in++] & 0xFF;
          literals += next;
        } while (next == 0xFF);
      }
      if (literals > stored - in || literals > limit - out) {
        throw outside();
      }
      System.arraycopy(packed, in, bytes, out, literals);
      in += literals;
      out += literals;
      if (in == stored) {
        return out;
      }
      if (stored - in < 2) {
        throw outside();
      }
      int offset = (packed[in] & 0xFF) | (packed[in + 1] & 0xFF) << Byte.SIZE;
      in += 2;
      int match = token & 15;
      if (match == 15) {
        int next;
        do {
          if (in >= stored || match > limit) {
            throw outside();
          }
          next = packed[in++] & 0xFF;
          match += next;
        } while (next == 0xFF);
      }
      match += LEAST_MATCH;
      if (offset == 0 || offset > out || match > limit - out) {
        throw outside();
      }
      repeat(out, offset, match);
      out += match;
    }
  }

  private void repeat(int out, int offset, int count) {
    if (offset >= count) {
      System.arraycopy(bytes, out - offset, bytes, out, count);
      return;
    }
    for (int i = out; i < out + count; i++) {
      bytes[i] = bytes[i - offset];
    }
  }

  private static IOException outside() {
    return Unpacking.damaged("lz4", "a block refers to what is not there");
  }

  private void readFully(byte[] target, int offset, int count) throws IOException {
    if (source.readNBytes(target, offset, count) < count) {
      throw Unpacking.cutOff("lz4");
    }
  }

  private static int readNumber(InputStream source, int count) throws IOException {
    int number = 0;
    for (int i = 0; i < count; i++) {
      int next = source.read();
      if (next < 0) {
        throw Unpacking.cutOff("lz4");
      }
      number |= next << (Byte.SIZE * i);
    }
    return number;
  }
}
