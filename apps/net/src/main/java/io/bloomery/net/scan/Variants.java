package io.bloomery.net.scan;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * What a stream may have said where several bytes were sent for one place. The three-byte parts of
 * strings are looked up in all choices of these bytes; a string of which every part was seen is
 * compared with them, so that one that is reported can be spelled by some choice.
 */
final class Variants {

  /** The three-byte parts of all strings, for all streams. */
  static final class Parts {
    private static final int MOST = 1 << 22;
    private static final int PART = 3;

    private final ByteTable strings;
    private final long[] present = new long[1 << 18]; // a bit per part
    private final long[] entries; // part, string, place; ascending

    private Parts(ByteTable strings, int count) {
      this.strings = strings;
      this.entries = new long[count];
      int used = 0;
      for (int string = 0; string < strings.size(); string++) {
        for (int i = 0; i + PART <= strings.length(string); i++) {
          int part =
              part(strings.at(string, i), strings.at(string, i + 1), strings.at(string, i + 2));
          present[part >>> 6] |= 1L << part;
          entries[used++] = (long) part << 40 | (long) string << 16 | i;
        }
      }
      Arrays.sort(entries);
    }

    /** The parts of strings; nothing if they are more than four million. */
    static Parts of(ByteTable strings) {
      long count = 0;
      for (int i = 0; i < strings.size(); i++) {
        count += Math.max(0, strings.length(i) - PART + 1);
      }
      return count <= MOST && strings.size() < 1 << 24
          ? new Parts(strings, (int) count)
          : new Parts(strings, 0);
    }

    boolean isEmpty() {
      return entries.length == 0;
    }

    private static int part(byte a, byte b, byte c) {
      return (a & 0xFF) << 16 | (b & 0xFF) << 8 | (c & 0xFF);
    }
  }

  /** How many bytes of a stream are looked at, from before the first variant on. */
  static final int WINDOW = 1 << 13;

  private static final int CHOICES = 4; // for a place
  private static final int MOST_STRINGS = 256; // that are followed at a time
  private static final int WORK = 1 << 20;

  private final Parts parts;
  private final long base;
  private final short[][] layers = new short[CHOICES][];
  private final Map<Integer, BitSet> seen = new HashMap<>();
  private final int[] found = new int[16];
  private int foundCount;
  private int work = WORK;
  private boolean givenUp;

  Variants(Parts parts, long base) {
    this.parts = parts;
    this.base = base;
  }

  /** Whether all that follows lies beyond the window. */
  boolean isPast(long position) {
    return position >= base + WINDOW;
  }

  /** Whether something could not be looked at: too many choices, or too much work. */
  boolean isGivenUp() {
    return givenUp;
  }

  int found() {
    return foundCount;
  }

  /** The number of a string that was found. */
  int string(int index) {
    return found[index];
  }

  /** Takes bytes for some places; afterwards {@link #found} are the strings that they complete. */
  void take(long position, byte[] bytes, int from, int length) {
    foundCount = 0;
    int start = (int) Math.max(0, Math.min(WINDOW, position - base));
    int end = (int) Math.max(0, Math.min(WINDOW, position + length - base));
    boolean isNew = false;
    for (int at = start; at < end; at++) {
      isNew |= put(at, bytes[from + (int) (base + at - position)]);
    }
    for (int at = Math.max(0, start - 2); isNew && at < end; at++) {
      parts(at);
    }
  }

  private boolean put(int at, byte value) {
    for (int i = 0; i < CHOICES; i++) {
      if (layers[i] == null) {
        layers[i] = new short[WINDOW];
        Arrays.fill(layers[i], (short) -1);
      }
      if (layers[i][at] < 0) {
        layers[i][at] = (short) (value & 0xFF);
        return true;
      }
      if ((byte) layers[i][at] == value) {
        return false;
      }
    }
    givenUp = true;
    return false;
  }

  private int choice(int layer, int at) {
    return layers[layer] == null || at >= WINDOW ? -1 : layers[layer][at];
  }

  private void parts(int at) {
    for (int i = 0; i < CHOICES && choice(i, at) >= 0; i++) {
      for (int j = 0; j < CHOICES && choice(j, at + 1) >= 0; j++) {
        for (int k = 0; k < CHOICES && choice(k, at + 2) >= 0; k++) {
          part(
              Parts.part((byte) choice(i, at), (byte) choice(j, at + 1), (byte) choice(k, at + 2)));
        }
      }
    }
  }

  private void part(int part) {
    if (((parts.present[part >>> 6] >>> part) & 1) == 0) {
      return;
    }
    int at = Arrays.binarySearch(parts.entries, (long) part << 40);
    for (int i = at < 0 ? -at - 1 : at;
        i < parts.entries.length && parts.entries[i] >>> 40 == part;
        i++) {
      if (--work < 0) {
        givenUp = true;
        return;
      }
      int string = (int) (parts.entries[i] >>> 16) & 0xFF_FFFF;
      BitSet places = seen.get(string);
      if (places == null) {
        if (seen.size() == MOST_STRINGS) {
          givenUp = true;
          continue;
        }
        places = new BitSet();
        seen.put(string, places);
      }
      places.set((int) parts.entries[i] & 0xFFFF);
      if (places.cardinality() == parts.strings.length(string) - Parts.PART + 1) {
        compare(string);
      }
    }
  }

  /** Whether some choice of bytes spells a string. */
  private void compare(int string) {
    for (int i = 0; i < foundCount; i++) {
      if (found[i] == string) {
        return;
      }
    }
    int length = parts.strings.length(string);
    for (int start = 0; start + length <= WINDOW; start++) {
      int i = 0;
      while (i < length && isChoice(start + i, parts.strings.at(string, i))) {
        i++;
      }
      work -= i / 8;
      if (i == length) {
        if (foundCount < found.length) {
          found[foundCount++] = string;
        }
        return;
      }
    }
  }

  private boolean isChoice(int at, byte value) {
    for (int i = 0; i < CHOICES; i++) {
      int each = choice(i, at);
      if (each < 0) {
        return false;
      }
      if ((byte) each == value) {
        return true;
      }
    }
    return false;
  }
}
