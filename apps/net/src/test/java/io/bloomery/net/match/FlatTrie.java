package io.bloomery.net.match;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A multibit trie in one array, as routers of software have it: 16 bits at the root, then 8 at each
 * node, with the values of shorter prefixes pushed down to the leaves. Prefixes are given at once.
 */
final class FlatTrie {

  private static final int ROOT = 16;
  private static final int STRIDE = 8;
  private static final int NODE = 1 << STRIDE;

  private int[] cells = new int[1 << ROOT]; // a value from 0, or the complement of a node's place
  private int used = cells.length;

  /** Prefixes with values from 1. */
  FlatTrie(List<Address> prefixes, int... values) {
    Integer[] order = new Integer[values.length];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparingInt(i -> prefixes.get(i).length()));
    for (int i : order) {
      put(prefixes.get(i), values[i]);
    }
    cells = Arrays.copyOf(cells, used);
  }

  private void put(Address prefix, int value) {
    int base = 0;
    int from = 0;
    int to = ROOT;
    while (prefix.length() > to) {
      int cell = base + bits(prefix.high(), prefix.low(), from, to);
      if (cells[cell] >= 0) {
        int node = used;
        used += NODE;
        if (used > cells.length) {
          cells = Arrays.copyOf(cells, 2 * cells.length);
        }
        Arrays.fill(cells, node, used, cells[cell]);
        cells[cell] = ~node;
      }
      base = ~cells[cell];
      from = to;
      to += STRIDE;
    }
    int first = base + bits(prefix.high(), prefix.low(), from, to);
    Arrays.fill(cells, first, first + (1 << (to - prefix.length())), value);
  }

  private static int bits(long high, long low, int from, int to) {
    long half = from < Long.SIZE ? high : low;
    return (int) (half << (from % Long.SIZE) >>> (Long.SIZE - (to - from)));
  }

  int find(int address) {
    int cell = cells[address >>> ROOT];
    for (int shift = STRIDE; cell < 0; shift -= STRIDE) {
      cell = cells[~cell + (address >>> shift & (NODE - 1))];
    }
    return cell;
  }

  int find(long high, long low) {
    int cell = cells[(int) (high >>> (Long.SIZE - ROOT))];
    for (int from = ROOT; cell < 0; from += STRIDE) {
      cell = cells[~cell + bits(high, low, from, from + STRIDE)];
    }
    return cell;
  }

  long bytes() {
    return (long) cells.length * Integer.BYTES;
  }
}
