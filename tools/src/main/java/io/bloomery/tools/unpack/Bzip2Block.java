package io.bloomery.tools.unpack;

import io.bloomery.tools.problem.UnreadFormatException;
import java.io.IOException;
import java.util.Arrays;

/**
 * A block of bzip2 data: Huffman codes of a move-to-front list of the Burrows–Wheeler transform of
 * bytes in which runs are shortened.
 */
final class Bzip2Block {

  private static final int GROUP = 50;
  private static final int MOST_TABLES = 6;
  private static final int MOST_SYMBOLS = 258;
  private static final int LONGEST_CODE = 20;
  private static final int RUN = 4; // equal bytes, after which a count follows
  private static final int[] CRC = crcTable();

  private final BitSource bits;
  private final int[] cells; // low byte: a byte; the rest: where the next one is
  private final int[] limits = new int[MOST_TABLES * (LONGEST_CODE + 2)];
  private final int[] bases = new int[MOST_TABLES * (LONGEST_CODE + 2)];
  private final int[] symbols = new int[MOST_TABLES * MOST_SYMBOLS];
  private final int[] shortest = new int[MOST_TABLES];
  private int expected; // checksum
  private int crc;
  private int left; // cells that were not taken yet
  private int cell;
  private int last; // the byte before, -1 at the beginning
  private int equal; // how often it stood there
  private int repeats; // how often it is still to be handed out

  /** Blocks of at most {@code largest} bytes before runs are restored. */
  Bzip2Block(BitSource bits, int largest) {
    this.bits = bits;
    this.cells = new int[largest];
  }

  private static int[] crcTable() {
    int[] table = new int[256];
    for (int i = 0; i < table.length; i++) {
      int value = i << 24;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        value = value << 1 ^ (value < 0 ? 0x04C11DB7 : 0);
      }
      table[i] = value;
    }
    return table;
  }

  /** Reads a block, from its checksum on. */
  void begin() throws IOException {
    expected = bits.take(32);
    if (bits.takeBit()) {
      throw new UnreadFormatException(
          "has bzip2 data of a version before 0.9.5, which are not read here; unpack them with"
              + " bzip2 -dc");
    }
    int origin = bits.take(24);
    byte[] list = usedBytes();
    int alphabet = list.length + 2;
    int tables = bits.take(3);
    byte[] selectors = tables < 2 || tables > MOST_TABLES ? new byte[0] : selectors(tables);
    if (selectors.length == 0) {
      throw damaged();
    }
    for (int table = 0; table < tables; table++) {
      readCode(table, alphabet);
    }
    int length = readCells(list, selectors);
    if (origin >= length) {
      throw damaged();
    }
    link(length);
    cell = cells[origin] >>> Byte.SIZE;
    left = length;
    crc = -1;
    last = -1;
    equal = 0;
    repeats = 0;
  }

  private byte[] usedBytes() throws IOException {
    int ranges = bits.take(16);
    byte[] used = new byte[256];
    int count = 0;
    for (int range = 0; range < 16; range++) {
      int present = (ranges << range & 0x8000) == 0 ? 0 : bits.take(16);
      for (int i = 0; i < 16; i++) {
        if ((present << i & 0x8000) != 0) {
          used[count++] = (byte) (16 * range + i);
        }
      }
    }
    if (count == 0) {
      throw damaged();
    }
    return Arrays.copyOf(used, count);
  }

  private byte[] selectors(int tables) throws IOException {
    byte[] selectors = new byte[bits.take(15)];
    byte[] order = {0, 1, 2, 3, 4, 5};
    for (int i = 0; i < selectors.length; i++) {
      int place = 0;
      while (bits.takeBit()) {
        place++;
        if (place >= tables) {
          throw damaged();
        }
      }
      byte chosen = order[place];
      System.arraycopy(order, 0, order, 1, place);
      order[0] = chosen;
      selectors[i] = chosen;
    }
    return selectors;
  }

  /** Reads the lengths of a code's words, and derives from them how it is decoded. */
  private void readCode(int table, int alphabet) throws IOException {
    int[] lengths = new int[alphabet];
    int[] counts = new int[LONGEST_CODE + 1];
    int length = bits.take(5);
    for (int i = 0; i < alphabet; i++) {
      while (length >= 1 && length <= LONGEST_CODE && bits.takeBit()) {
        length += bits.takeBit() ? -1 : 1;
      }
      if (length < 1 || length > LONGEST_CODE) {
        throw damaged();
      }
      lengths[i] = length;
      counts[length]++;
    }
    int next = 0;
    for (int size = 1; size <= LONGEST_CODE; size++) {
      for (int i = 0; i < alphabet; i++) {
        if (lengths[i] == size) {
          symbols[table * MOST_SYMBOLS + next++] = i;
        }
      }
    }
    int row = table * (LONGEST_CODE + 2);
    int code = 0;
    int first = 0;
    shortest[table] = 0;
    for (int size = 1; size <= LONGEST_CODE; size++) {
      if (counts[size] > 0 && shortest[table] == 0) {
        shortest[table] = size;
      }
      bases[row + size] = first - code;
      code += counts[size];
      first += counts[size];
      if (code > 1 << size) {
        throw damaged(); // more words than there can be of this length
      }
      limits[row + size] = code << (LONGEST_CODE - size);
      code <<= 1;
    }
  }

  private int nextSymbol(int table) throws IOException {
    int row = table * (LONGEST_CODE + 2);
    int ahead = bits.peek(LONGEST_CODE);
    int size = shortest[table];
    while (ahead >= limits[row + size]) {
      size++;
      if (size > LONGEST_CODE) {
        throw damaged();
      }
    }
    bits.skip(size);
    return symbols[table * MOST_SYMBOLS + bases[row + size] + (ahead >>> (LONGEST_CODE - size))];
  }

  /** Reads the transformed bytes, and returns how many they are. */
  private int readCells(byte[] list, byte[] selectors) throws IOException {
    int end = list.length + 1;
    int length = 0;
    int run = 0;
    int weight = 1;
    for (byte table : selectors) {
      for (int i = 0; i < GROUP; i++) {
        int symbol = nextSymbol(table);
        if (symbol < 2) {
          if (weight > cells.length) {
            throw damaged();
          }
          run += weight << symbol;
          weight <<= 1;
          continue;
        }
        if (run > cells.length - length) {
          throw damaged();
        }
        Arrays.fill(cells, length, length + run, list[0] & 0xFF);
        length += run;
        run = 0;
        weight = 1;
        if (symbol == end) {
          return length;
        }
        if (length == cells.length) {
          throw damaged();
        }
        byte moved = list[symbol - 1];
        System.arraycopy(list, 0, list, 1, symbol - 1);
        list[0] = moved;
        cells[length++] = moved & 0xFF;
      }
    }
    throw damaged(); // no end within the groups that were promised
  }

  /** Inverts the transform: each cell learns which one follows it. */
  private void link(int length) {
    int[] places = new int[257];
    for (int i = 0; i < length; i++) {
      places[cells[i] + 1]++;
    }
    for (int i = 0; i < 256; i++) {
      places[i + 1] += places[i];
    }
    for (int i = 0; i < length; i++) {
      int place = places[cells[i] & 0xFF]++;
      cells[place] |= i << Byte.SIZE;
    }
  }

  /** Hands out bytes; 0 at the end of the block. */
  int read(byte[] bytes, int offset, int length) {
    int out = offset;
    int end = offset + length;
    int sum = crc;
    while (out < end && (repeats > 0 || left > 0)) {
      if (repeats > 0) {
        repeats--;
      } else {
        int next = cells[cell];
        cell = next >>> Byte.SIZE;
        left--;
        int value = next & 0xFF;
        if (equal == RUN) {
          equal = 0;
          repeats = value;
          continue;
        }
        equal = value == last ? equal + 1 : 1;
        last = value;
      }
      bytes[out++] = (byte) last;
      sum = sum << Byte.SIZE ^ CRC[(sum >>> 24 ^ last) & 0xFF];
    }
    crc = sum;
    return out - offset;
  }

  /** The checksum of a block that was read to its end; fails if it is another. */
  int checked() throws IOException {
    if (~crc != expected) {
      throw Unpacking.damaged("bzip2", "wrong checksum of a block");
    }
    return expected;
  }

  private static IOException damaged() {
    return Unpacking.damaged("bzip2", "impossible codes");
  }
}
