package io.bloomery.membership;

import io.bloomery.FilterKind;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Packed;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * A static set stored as a sorted list of hashes truncated to h bits; it never reports a member
 * absent, and another key matches with probability entries/2^h.
 *
 * <p>The simplest alternative to a Bloom filter: it takes log2(n/rate) bits per key, which is log2
 * n − 0.44·log2(1/rate) bits more than a Bloom filter, and a query searches instead of testing.
 * Worthwhile for few keys at very low rates: at 1000 keys and 1e-9 it takes 40 bits per key where a
 * Bloom filter takes 43.
 *
 * <p>Source: Broder and Mitzenmacher, "Network Applications of Bloom Filters: A Survey", Internet
 * Mathematics 1(4), 2004, sec. 2.2. Deviations: the list is packed at h bits per value; the search
 * starts at the expected place of a uniform hash and doubles its stride, which takes 0.4 to 0.7 of
 * the time of a binary search (4096 to 1 million entries); h is at least 8 by default.
 *
 * <p>Immutable; any number of threads may query. Therefore there is no {@code merge}: {@link
 * #union} returns a new list, since the size depends on the number of values that the lists share.
 */
public final class SortedHashList extends ShapedFilter<SortedHashShape> {

  public static final FilterKind<SortedHashList> KIND =
      Kind.of(9, "sorted-hashes", SortedHashList.class)
          .question("is x in the static set? a sorted list of short hashes")
          .codec(SortedHashList::encode, SortedHashList::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("sorted-hashes", SortedHashShape.class)
                          .onlyFor(Need.FROZEN_SET)
                          .forKeys(SortedHashShape::forKeys)
                          .forBudget(SortedHashShape::forBudget)
                          .reads(SortedHashList::binarySearchLines)
                          .works(
                              shape -> 2 * binarySearchLines(shape),
                              shape -> 1.85 * Math.log1p((double) shape.keyCount()) / Math.log(2))
                          .fetches(SortedHashList::searchedLines, SortedHashList::searchedLines)
                          .addsLike(0.5)
                          .why("A sorted list of hashes for a static set, simple and mergeable")
                          .buildsOf((shape, hasher, hashes) -> ofHashes(hashes, shape, hasher))));

  private final long entries;
  private final long firstStride;
  private final Words words;

  private SortedHashList(SortedHashShape shape, Hasher hasher, long entries, Words words) {
    super(shape, hasher);
    this.entries = entries;
    this.firstStride = 1 + (long) (Math.sqrt((double) entries) / 2);
    this.words = words;
  }

  private static int binarySearchLines(SortedHashShape shape) {
    return 64 - Long.numberOfLeadingZeros((shape.sizeInBits() + 511) / 512);
  }

  /**
   * One line where the value is expected, one where the stride leads, and the steps of a binary
   * search over the lines of that stride, which is about the square root of the entries.
   */
  private static double searchedLines(SortedHashShape shape) {
    double lines = Math.sqrt((double) shape.keyCount()) * shape.hashBits() / 512;
    return 2 + Math.log1p(lines) / Math.log(2);
  }

  /**
   * A list with 2·⌈log2 n⌉ bits per key, whose rate is at most 1/n.
   *
   * @param hashes the keys' hashes, computed by {@link Hasher#xxh3()}, in any order; duplicates are
   *     kept once
   * @return the list
   */
  public static SortedHashList ofHashes(long[] hashes) {
    return ofHashes(hashes, SortedHashShape.defaultHashBits(hashes.length), Hasher.xxh3());
  }

  /**
   * A list with as few bits per key as a rate allows.
   *
   * @param hashes the keys' hashes, computed by {@link Hasher#xxh3()}, in any order; duplicates are
   *     kept once
   * @param falsePositiveRate the rate, within (0, 1)
   * @return the list
   */
  public static SortedHashList ofHashes(long[] hashes, double falsePositiveRate) {
    long keys = Math.max(1, hashes.length);
    int hashBits = SortedHashShape.forKeys(keys, falsePositiveRate).hashBits();
    return ofHashes(hashes, hashBits, Hasher.xxh3());
  }

  /**
   * A list of numbers with as few bits per key as a rate allows.
   *
   * @param keys the keys, in any order; each is hashed by {@link Hasher#xxh3()}
   * @param falsePositiveRate the rate, within (0, 1)
   * @return the list
   */
  public static SortedHashList ofKeys(long[] keys, double falsePositiveRate) {
    return ofHashes(Hasher.xxh3().hashAll(keys), falsePositiveRate);
  }

  /**
   * A list with a given number of bits per key.
   *
   * @param hashes the keys' hashes, computed by {@code hasher}, in any order; duplicates are kept
   *     once
   * @param hashBits h, 1…64
   * @param hasher turns keys into hashes
   * @return the list; its shape has as many entries as there are distinct truncated hashes
   */
  public static SortedHashList ofHashes(long[] hashes, int hashBits, Hasher hasher) {
    Arguments.inRange("hashBits", hashBits, 1, Long.SIZE);
    return ofHashes(hashes, new SortedHashShape(0, hashBits), hasher);
  }

  /**
   * A list of a given shape.
   *
   * @param hashes the keys' hashes, computed by {@code hasher}, in any order; duplicates are kept
   *     once
   * @param shape bits per key, and the number of keys it is sized for; with more keys, the list's
   *     own shape has more entries
   * @param hasher turns keys into hashes
   * @return the list
   */
  public static SortedHashList ofHashes(long[] hashes, SortedHashShape shape, Hasher hasher) {
    int hashBits = shape.hashBits();
    // Unsigned order is signed order with the top bit flipped.
    long[] sorted = hashes.clone();
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] ^= Long.MIN_VALUE;
    }
    Arrays.sort(sorted);
    int distinct = 0;
    for (int i = 0; i < sorted.length; i++) {
      long value = (sorted[i] ^ Long.MIN_VALUE) >>> -hashBits;
      if (distinct == 0 || sorted[distinct - 1] != value) {
        sorted[distinct++] = value;
      }
    }
    return pack(sorted, distinct, shape, hasher);
  }

  private static SortedHashList pack(
      long[] values, int count, SortedHashShape planned, Hasher hasher) {
    int hashBits = planned.hashBits();
    SortedHashShape shape = new SortedHashShape(Math.max(count, planned.keyCount()), hashBits);
    Words words = Words.allocate(Packed.wordsFor(count, hashBits), false);
    for (int i = 0; i < count; i++) {
      Packed.set(words, hashBits, i, values[i]);
    }
    return new SortedHashList(shape, hasher, count, words);
  }

  private Frame encode() {
    return Frame.of(hasher()).put(new SortedHashShape(entries, shape().hashBits())).section(words);
  }

  private static SortedHashList decode(Frame frame) throws IOException {
    SortedHashShape shape = frame.shape(SortedHashShape.class);
    Words words = frame.bits(0, shape.keyCount() * shape.hashBits());
    SortedHashList list = new SortedHashList(shape, frame.hasher(), shape.keyCount(), words);
    frame.requireOfWords(list::isAscending, "the hashes are not in ascending order");
    return list;
  }

  private boolean isAscending() {
    int width = shape().hashBits();
    for (long i = 1; i < entries; i++) {
      long before = Packed.get(words, width, i - 1);
      if (Long.compareUnsigned(before, Packed.get(words, width, i)) >= 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public FilterKind<SortedHashList> kind() {
    return KIND;
  }

  @Override
  public boolean mightContainHash(long hash) {
    Words list = words;
    int width = shape().hashBits();
    long size = entries;
    if (size == 0) {
      return false;
    }
    long value = hash >>> -width;
    long at = Mix.reduce(hash, size);
    long found = Packed.get(list, width, at);
    if (found == value) {
      return true;
    }
    // Doubles the stride until the value lies between low and high, both excluded.
    long low = -1;
    long high = size;
    long stride = firstStride;
    if (Long.compareUnsigned(found, value) < 0) {
      do {
        low = at;
        at += stride;
        stride <<= 1;
      } while (at < size && Long.compareUnsigned(Packed.get(list, width, at), value) < 0);
      high = Math.min(at + 1, size);
    } else {
      do {
        high = at;
        at -= stride;
        stride <<= 1;
      } while (at >= 0 && Long.compareUnsigned(Packed.get(list, width, at), value) > 0);
      low = Math.max(at - 1, -1);
    }
    return isBetween(list, width, low, high, value);
  }

  private static boolean isBetween(Words list, int width, long from, long to, long value) {
    long low = from;
    long high = to;
    while (high - low > 1) {
      long middle = (low + high) >>> 1;
      long found = Packed.get(list, width, middle);
      if (found == value) {
        return true;
      }
      if (Long.compareUnsigned(found, value) < 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return false;
  }

  /** {@inheritDoc} Here: entries/2^h, exact for a uniform hash. */
  @Override
  public double falsePositiveRate() {
    return Math.scalb((double) entries, -shape().hashBits());
  }

  /**
   * The number of distinct truncated hashes in the list.
   *
   * @return at most the number of keys
   */
  public long keyCount() {
    return entries;
  }

  /** {@inheritDoc} Here: for the current entries. */
  @Override
  public long sizeInBits() {
    return entries * shape().hashBits();
  }

  /**
   * The union of both lists. If the lists keep different numbers of bits, the result keeps the
   * smaller number.
   *
   * @param other a list with the same hasher
   * @return a new list
   * @throws IncompatibleFiltersException if the hashers differ
   */
  public SortedHashList union(SortedHashList other) {
    if (!hasher().equals(other.hasher())) {
      throw new IncompatibleFiltersException("hasher " + hasher() + " != " + other.hasher());
    }
    int hashBits = Math.min(shape().hashBits(), other.shape().hashBits());
    long most = Math.addExact(entries, other.entries);
    long[] merged = new long[Math.toIntExact(most)];
    int count = 0;
    long i = 0;
    long j = 0;
    while (i < entries || j < other.entries) {
      boolean ours =
          j == other.entries
              || (i < entries
                  && Long.compareUnsigned(value(i, hashBits), other.value(j, hashBits)) <= 0);
      long value = ours ? value(i++, hashBits) : other.value(j++, hashBits);
      if (count == 0 || merged[count - 1] != value) {
        merged[count++] = value;
      }
    }
    return pack(merged, count, new SortedHashShape(0, hashBits), hasher());
  }

  /** Entry {@code i}, truncated to its highest {@code bits} bits. */
  private long value(long i, int bits) {
    return Packed.get(words, shape().hashBits(), i) >>> (shape().hashBits() - bits);
  }
}
