package io.bloomery.internal.probe;

import io.bloomery.internal.bits.Words;

/**
 * The bits of a hash inside one block of a blocked filter, and the loops that test and set them.
 *
 * <p>Design. A block is {@code blockBits / 64} words, cut into as many sectors of equal size as a
 * key touches words. In each sector the key picks one word, and in it one mask of {@link Patterns}.
 * So a query loads one, two, four or eight words of one cache line, and a mask costs one table load
 * and one rotation whatever the number of bits. Spreading the words over a wide block costs nothing
 * and evens out the load: 512-bit blocks with 2 words a key reach 1 % with 10.2 bits a key, where
 * 128-bit blocks with 2 words need 10.8.
 *
 * <p>The block is the high product of hash and block count. Everything inside comes from {@code x_p
 * = hash · MULTIPLIERS[p]}, one product for two words: word choice, pattern and rotation of the
 * first from bits 61–63, 51–60 and 45–50, of the second from bits 42–44, 32–41 and 26–31.
 */
public final class BlockProbes {

  /** Odd factors: 2^64 divided by the golden ratio, then SplitMix64 outputs made odd. */
  private static final long[] MULTIPLIERS = {
    Mix.GOLDEN, Mix.stream(0, 1) | 1, Mix.stream(0, 2) | 1, Mix.stream(0, 3) | 1
  };

  private static final long FIRST_MULTIPLIER = Mix.GOLDEN;
  private static final int PATTERN_MASK = Patterns.COUNT - 1;

  private final long blocks;
  private final int blockShift;
  private final int sectorWords;
  private final int pickMask;
  private final int pairs;
  private final int[] bitsOfWord;
  private final long[][] patterns;
  private final long[] firstPatterns;
  private final long[] secondPatterns;

  /**
   * Probes of {@code blocks} blocks of {@code blockWords} words (1, 2, 4 or 8), of which a key
   * touches {@code wordsPerKey}; {@code probes} bits are spread over them, the first ones getting
   * one more where it does not divide.
   */
  public BlockProbes(long blocks, int blockWords, int wordsPerKey, int probes) {
    this.blocks = blocks;
    this.blockShift = Integer.numberOfTrailingZeros(blockWords);
    this.sectorWords = blockWords / wordsPerKey;
    this.pickMask = sectorWords - 1;
    this.pairs = wordsPerKey / 2;
    this.bitsOfWord = new int[wordsPerKey];
    this.patterns = new long[wordsPerKey][];
    for (int i = 0; i < wordsPerKey; i++) {
      bitsOfWord[i] = probes / wordsPerKey + (i < probes % wordsPerKey ? 1 : 0);
      patterns[i] = Patterns.of(bitsOfWord[i]);
    }
    this.firstPatterns = patterns[0];
    this.secondPatterns = wordsPerKey == 1 ? null : patterns[1];
  }

  /** Whether all bits of a hash are set. */
  public boolean allSet(long hash, Words words) {
    long[] heap = words.heap();
    if (heap == null) {
      return mappedAllSet(hash, words);
    }
    int block = block(hash);
    if (pairs == 0) {
      return missingOne(hash, heap, block) == 0;
    }
    if (pairs == 1) {
      return missingTwo(hash, heap, block) == 0;
    }
    return allSetMany(hash, heap, block);
  }

  /**
   * The answers for hashes {@code from…to-1}, at most 64 of them. The first pass only computes
   * blocks and reads a word of each: it is short, so that many cache misses are under way at once.
   * The second finds every line in the cache. Neither branches on an answer.
   */
  private long answers(long[] hashes, int from, int to, Words words, int[] blockOf) {
    long[] heap = words.heap();
    if (heap == null) {
      return mappedAnswers(hashes, from, to, words);
    }
    long touched = 0;
    for (int i = from; i < to; i++) {
      int block = block(hashes[i]);
      blockOf[i - from] = block;
      touched |= heap[block];
    }
    blockOf[Long.SIZE] = (int) touched; // else the reads would be dead code
    long misses = 0;
    if (pairs == 0) {
      for (int i = from; i < to; i++) {
        misses |= nonzero(missingOne(hashes[i], heap, blockOf[i - from])) << (i - from);
      }
    } else if (pairs == 1) {
      for (int i = from; i < to; i++) {
        misses |= nonzero(missingTwo(hashes[i], heap, blockOf[i - from])) << (i - from);
      }
    } else {
      for (int i = from; i < to; i++) {
        misses |= nonzero(missingMany(hashes[i], heap, blockOf[i - from])) << (i - from);
      }
    }
    return ~misses & (-1L >>> (from - to));
  }

  private long mappedAnswers(long[] hashes, int from, int to, Words words) {
    long answers = 0;
    for (int i = from; i < to; i++) {
      answers |= (mappedAllSet(hashes[i], words) ? 1L : 0L) << (i - from);
    }
    return answers;
  }

  /** Batch query as {@link io.bloomery.HashedFilter#mightContainHashes}; no branch per key. */
  public int allSet(long[] hashes, int from, int to, long[] hits, Words words) {
    int[] scratch = new int[Long.SIZE + 1];
    int total = 0;
    for (int start = from, at = 0; start < to; start += Long.SIZE, at++) {
      long answers = answers(hashes, start, Math.min(start + Long.SIZE, to), words, scratch);
      hits[at] = answers;
      total += Long.bitCount(answers);
    }
    return total;
  }

  /** Sets all bits of a hash; true if one of them was 0. */
  public boolean setAll(long hash, Words words) {
    long block = Mix.reduce(hash, blocks) << blockShift;
    long x = hash * FIRST_MULTIPLIER;
    boolean changed = words.or(block + pickFirst(x), maskFirst(x, firstPatterns));
    if (pairs == 0) {
      return changed;
    }
    changed |= words.or(block + sectorWords + pickSecond(x), maskSecond(x, secondPatterns));
    for (int pair = 1; pair < pairs; pair++) {
      x = hash * MULTIPLIERS[pair];
      block += 2L * sectorWords;
      changed |= words.or(block + pickFirst(x), maskFirst(x, patterns[2 * pair]));
      changed |=
          words.or(block + sectorWords + pickSecond(x), maskSecond(x, patterns[2 * pair + 1]));
    }
    return changed;
  }

  /**
   * Sets the bits of many hashes. Asks for 64 at a time first: that brings their cache lines in
   * together and leaves out keys that are there.
   */
  public void setAll(long[] hashes, int from, int to, Words words) {
    words.writable(); // refuses mapped words, even if all keys are there
    int[] scratch = new int[Long.SIZE + 1];
    for (int start = from; start < to; start += Long.SIZE) {
      int end = Math.min(start + Long.SIZE, to);
      long absent = ~answers(hashes, start, end, words, scratch) & (-1L >>> (start - end));
      for (; absent != 0; absent &= absent - 1) {
        setAll(hashes[start + Long.numberOfTrailingZeros(absent)], words);
      }
    }
  }

  /** The probability that a uniform hash finds all its bits set in {@code words} as they are. */
  public double coveredShare(Words words) {
    double[][] covered = new double[patterns.length][];
    for (int i = 0; i < patterns.length; i++) {
      covered[i] = coveredByBitCount(bitsOfWord[i]);
    }
    double sum = 0;
    for (long at = 0; at < words.length(); ) {
      double share = 1;
      for (double[] byBitCount : covered) {
        double sector = 0;
        for (int word = 0; word < sectorWords; word++) {
          sector += byBitCount[Long.bitCount(words.get(at++))];
        }
        share *= sector / sectorWords;
      }
      sum += share;
    }
    return sum / blocks;
  }

  /** For each number of set bits of a word: the share of {@code bits}-subsets that they cover. */
  private static double[] coveredByBitCount(int bits) {
    double[] share = new double[Long.SIZE + 1];
    for (int set = bits; set <= Long.SIZE; set++) {
      double product = 1;
      for (int i = 0; i < bits; i++) {
        product *= (double) (set - i) / (Long.SIZE - i);
      }
      share[set] = product;
    }
    return share;
  }

  private int block(long hash) {
    return Words.BASE + ((int) Mix.reduce(hash, blocks) << blockShift);
  }

  private long missingOne(long hash, long[] heap, int block) {
    return ~heap[block] & maskFirst(hash * FIRST_MULTIPLIER, firstPatterns);
  }

  private long missingTwo(long hash, long[] heap, int block) {
    long x = hash * FIRST_MULTIPLIER;
    return (~heap[block + pickFirst(x)] & maskFirst(x, firstPatterns))
        | (~heap[block + sectorWords + pickSecond(x)] & maskSecond(x, secondPatterns));
  }

  private boolean allSetMany(long hash, long[] heap, int block) {
    if (missingTwo(hash, heap, block) != 0) {
      return false;
    }
    for (int pair = 1; pair < pairs; pair++) {
      if (missingPair(hash, heap, block, pair) != 0) {
        return false;
      }
    }
    return true;
  }

  private long missingMany(long hash, long[] heap, int block) {
    long missing = missingTwo(hash, heap, block);
    for (int pair = 1; pair < pairs; pair++) {
      missing |= missingPair(hash, heap, block, pair);
    }
    return missing;
  }

  private long missingPair(long hash, long[] heap, int block, int pair) {
    long x = hash * MULTIPLIERS[pair];
    int at = block + 2 * pair * sectorWords;
    return (~heap[at + pickFirst(x)] & maskFirst(x, patterns[2 * pair]))
        | (~heap[at + sectorWords + pickSecond(x)] & maskSecond(x, patterns[2 * pair + 1]));
  }

  private boolean mappedAllSet(long hash, Words words) {
    long block = Mix.reduce(hash, blocks) << blockShift;
    for (int word = 0; word < patterns.length; word++) {
      long x = hash * MULTIPLIERS[word / 2];
      boolean first = word % 2 == 0;
      long mask = first ? maskFirst(x, patterns[word]) : maskSecond(x, patterns[word]);
      long at = block + (long) word * sectorWords + (first ? pickFirst(x) : pickSecond(x));
      if ((~words.get(at) & mask) != 0) {
        return false;
      }
    }
    return true;
  }

  private int pickFirst(long x) {
    return (int) (x >>> 61) & pickMask;
  }

  private int pickSecond(long x) {
    return (int) (x >>> 42) & pickMask;
  }

  private static long maskFirst(long x, long[] patterns) {
    return Long.rotateLeft(patterns[(int) (x >>> 51) & PATTERN_MASK], (int) (x >>> 45));
  }

  private static long maskSecond(long x, long[] patterns) {
    return Long.rotateLeft(patterns[(int) (x >>> 32) & PATTERN_MASK], (int) (x >>> 26));
  }

  /** 1 unless {@code x} is 0, without a branch. */
  private static long nonzero(long x) {
    return (x | -x) >>> 63;
  }
}
