package io.bloomery.internal.probe;

import io.bloomery.internal.bits.Words;

/**
 * The bits of a hash in a split-block filter, as Parquet's BloomFilter.md defines them: the upper
 * 32 bits choose one of {@code blocks} blocks of 256 bits; the lower 32, times one odd salt per
 * 32-bit lane, choose by their top five bits one bit of each of the eight lanes.
 *
 * <p>A block is four words, lane {@code 2i} in the lower half of word {@code i}, so that the words
 * as little-endian bytes are Parquet's bitset.
 */
public final class SplitBlock {

  /** Words of one block. */
  public static final int WORDS = 4;

  private static final int SALT_0 = 0x47b6137b;
  private static final int SALT_1 = 0x44974d91;
  private static final int SALT_2 = 0x8824ad5b;
  private static final int SALT_3 = 0xa2b7289d;
  private static final int SALT_4 = 0x705495c7;
  private static final int SALT_5 = 0x2df1424b;
  private static final int SALT_6 = 0x9efc4947;
  private static final int SALT_7 = 0x5c6bfb31;

  private static final int[] SALTS = {
    SALT_0, SALT_1, SALT_2, SALT_3, SALT_4, SALT_5, SALT_6, SALT_7
  };

  private SplitBlock() {}

  /** The first word of the block of a hash. */
  public static long first(long hash, long blocks) {
    return (((hash >>> 32) * blocks) >>> 32) << 2;
  }

  /** Which bit of a lane, 0…31, the lower half of a hash chooses. */
  public static int bit(int key, int lane) {
    return (key * SALTS[lane]) >>> 27;
  }

  /** 1 if all bits of a hash are set in {@link Words#heap()}, otherwise 0, without a branch. */
  public static long test(long hash, long[] heap, long blocks) {
    int at = Words.BASE + (int) first(hash, blocks);
    return allSet((int) hash, heap[at + 3], heap[at + 2], heap[at + 1], heap[at]);
  }

  /** As {@link #test(long, long[], long)} for words that may be mapped. */
  public static long test(long hash, Words words, long blocks) {
    long at = first(hash, blocks);
    return allSet(
        (int) hash, words.get(at + 3), words.get(at + 2), words.get(at + 1), words.get(at));
  }

  /** Sets all bits of a hash; true if one of them was 0. */
  public static boolean set(long hash, Words words, long blocks) {
    long at = first(hash, blocks);
    int key = (int) hash;
    boolean changed = words.or(at, mask0(key));
    changed |= words.or(at + 1, mask1(key));
    changed |= words.or(at + 2, mask2(key));
    changed |= words.or(at + 3, mask3(key));
    return changed;
  }

  private static long allSet(int key, long word3, long word2, long word1, long word0) {
    long missing =
        (mask0(key) & ~word0)
            | (mask1(key) & ~word1)
            | (mask2(key) & ~word2)
            | (mask3(key) & ~word3);
    return ((missing | -missing) >>> 63) ^ 1;
  }

  private static long mask0(int key) {
    return pair(key * SALT_0, key * SALT_1);
  }

  private static long mask1(int key) {
    return pair(key * SALT_2, key * SALT_3);
  }

  private static long mask2(int key) {
    return pair(key * SALT_4, key * SALT_5);
  }

  private static long mask3(int key) {
    return pair(key * SALT_6, key * SALT_7);
  }

  private static long pair(int low, int high) {
    return 1L << (low >>> 27) | 1L << (high >>> 27 | 32);
  }
}
