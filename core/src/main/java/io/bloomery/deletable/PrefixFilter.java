package io.bloomery.deletable;

import io.bloomery.AddableFilter;
import io.bloomery.CardinalityFilter;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterFullException;
import io.bloomery.FilterKind;
import io.bloomery.HashedFilter;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.PocketBins;
import io.bloomery.internal.variant.VariantBuilder;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * A table of fingerprints that never moves a key to another bin: it holds as many keys as a cuckoo
 * filter of the same memory, without deletes, but its adds do not slow down as it fills. It writes
 * whole bins, so it needs a lock if any thread writes while others use it. It never reports an
 * added key absent; a key that was not added is reported present with the probability that {@link
 * PrefixShape} states, 0.37 % at 11.4 bits per key or 0.0015 % at 19.8.
 *
 * <p>A key has one bin, of one cache line or half of one, which holds the fingerprints of its keys
 * with the lowest quotients, up to three of each. Fingerprints for which it has no room go to a
 * spare {@link CuckooFilter}: about a tenth of them in a filter that holds its expected keys. A
 * query reads the spare filter only if its quotient already has three other fingerprints, or if the
 * bin has overflowed and holds none of a higher quotient. Each fingerprint is kept once, so a key
 * that is added again changes nothing.
 *
 * <p>If the spare filter is full, {@code add} throws {@link FilterFullException} and the filter is
 * unchanged. Up to {@link PrefixShape#capacity()} keys this practically never happens, in any order
 * of keys.
 *
 * <p>It is in this package because it contains a cuckoo filter and replaces one where nothing is
 * deleted. It has no deletes itself: a bin that has overflowed can never again hold the highest of
 * its keys, and removing from the spare filter would need the fingerprint that was highest when the
 * key was added.
 *
 * <p>Threads: any number may query while none writes. {@link
 * io.bloomery.Filters#locked(AddableFilter)} returns a view that several threads may write to.
 *
 * <p>Even, Even and Morrison 2022, "Prefix Filter: Practically and Theoretically Better Than
 * Bloom". Deviations: bins count the fingerprints of a quotient in two bits and have more quotients
 * (31) than slots (24), which makes room in the first word and needs no select; they evict the
 * highest quotient, not the highest remainder; each fingerprint is kept once; a second width of
 * bins for low rates; the spare filter is a cuckoo filter whose fingerprints have as many bits as
 * the rate requires.
 */
public final class PrefixFilter extends ShapedFilter<PrefixShape>
    implements AddableFilter, CardinalityFilter {

  public static final FilterKind<PrefixFilter> KIND =
      Kind.of(69, "prefix", PrefixFilter.class)
          .question("is x in the set? bins of fingerprints, and a spare filter")
          .codec(PrefixFilter::encode, PrefixFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("prefix", PrefixShape.class)
                          .forKeys(PrefixShape::forKeys)
                          .forBudget(PrefixShape::forBudget)
                          .reads(
                              shape -> 3, shape -> PocketBins.binWords(shape.remainderBits()) + 4)
                          .works(shape -> 3.2 + 0.43 * PocketBins.binWords(shape.remainderBits()))
                          .absent(
                              shape -> 1.5,
                              shape -> 2.6 + 0.4 * PocketBins.binWords(shape.remainderBits()))
                          .addsLike(2)
                          .why(
                              "Fingerprints in one bin, of one cache line, and few in a spare"
                                  + " filter; adds stay fast as it fills, threads that write need a"
                                  + " lock")
                          .oneWriter()
                          .orderMatters()
                          .creates(PrefixFilter::create)));

  private final PocketBins pockets;
  private final Words words;
  private final CuckooFilter spare;
  private final long binFingerprints;

  // Only for writers.
  private final long[] touched = new long[1];

  private PrefixFilter(PrefixShape shape, Hasher hasher, Words words, CuckooFilter spare) {
    super(shape, hasher);
    this.words = words;
    this.spare = spare;
    this.pockets = new PocketBins(shape.bins(), shape.remainderBits());
    this.binFingerprints = PocketBins.fingerprints(shape.remainderBits());
  }

  /**
   * The smallest filter for a number of keys and a rate.
   *
   * @param expectedKeys how many distinct keys will be added, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static PrefixFilter create(long expectedKeys, double falsePositiveRate) {
    return create(PrefixShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape number and width of bins, spare filter
   * @return an empty filter
   */
  public static PrefixFilter create(PrefixShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape number and width of bins, spare filter
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static PrefixFilter create(PrefixShape shape, Hasher hasher) {
    Objects.requireNonNull(shape, "shape");
    Words words = Words.allocate(wordsFor(shape), false);
    return new PrefixFilter(shape, hasher, words, CuckooFilter.create(shape.spare(), hasher));
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).section(words).section(spare.words());
  }

  private static PrefixFilter decode(Frame frame) throws IOException {
    PrefixShape shape = frame.shape(PrefixShape.class);
    Words words = frame.section(0, wordsFor(shape));
    Words spareWords = frame.section(1, CuckooFilter.wordsFor(shape.spare()));
    CuckooFilter spare = spare(frame, frame.part().put(shape.spare()).section(spareWords));
    PrefixFilter filter = new PrefixFilter(shape, frame.hasher(), words, spare);
    frame.requireOfWords(
        () -> filter.pockets.isClean(words), "section 0 has a bin that contradicts itself");
    return filter;
  }

  private static CuckooFilter spare(Frame frame, Frame part) throws IOException {
    try {
      return part.decodeAs(CuckooFilter.KIND);
    } catch (FilterFormatException e) {
      throw frame.problem("the spare filter: " + e.getMessage());
    }
  }

  private static long wordsFor(PrefixShape shape) {
    return PocketBins.wordsFor(shape.bins(), shape.remainderBits());
  }

  @Override
  public FilterKind<PrefixFilter> kind() {
    return KIND;
  }

  @Override
  public boolean mightContainHash(long hash) {
    long bin = pockets.bin(hash);
    int fingerprint = pockets.fingerprint(hash);
    int found = pockets.find(bin, fingerprint, words);
    return found == PocketBins.ELSEWHERE
        ? spare.mightContainHash(spareHash(bin, fingerprint))
        : found == PocketBins.PRESENT;
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hash(key));
  }

  /** {@inheritDoc} Reads a word of each of 64 bins first, so that their cache misses overlap. */
  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    HashedFilter.checkBatch(hashes, from, to, hits);
    long[] heap = words.heap();
    int total = 0;
    for (int start = from, at = 0; start < to; start += Long.SIZE, at++) {
      int end = Math.min(start + Long.SIZE, to);
      if (heap != null) {
        pockets.touch(hashes, start, end, heap, hits, at);
      }
      long answers = 0;
      for (int i = start; i < end; i++) {
        answers |= (mightContainHash(hashes[i]) ? 1L : 0L) << (i - start);
      }
      hits[at] = answers;
      total += Long.bitCount(answers);
    }
    return total;
  }

  /** The hash that represents a fingerprint in the spare filter. */
  private long spareHash(long bin, int fingerprint) {
    return Mix.mix(bin * binFingerprints + fingerprint);
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterFullException if the key's bin and the spare filter are full; nothing has changed
   */
  @Override
  public boolean addHash(long hash) {
    long[] heap = words.writable();
    int at = pockets.at(hash);
    int fingerprint = pockets.fingerprint(hash);
    return pockets.hasRoom(heap, at, fingerprint)
        ? pockets.add(heap, at, fingerprint)
        : addElsewhere(heap, at, pockets.bin(hash), fingerprint);
  }

  @Override
  public boolean add(long key) {
    return addHash(hash(key));
  }

  /** Adds to the spare filter before anything else changes, because it may refuse the key. */
  private boolean addElsewhere(long[] heap, int at, long bin, int fingerprint) {
    if (pockets.contains(heap, at, fingerprint)) {
      return false;
    }
    if (pockets.isQuotientFull(heap, at, fingerprint)) {
      return addToSpare(bin, fingerprint);
    }
    if (pockets.isBelowLast(heap, at, fingerprint)) {
      addToSpare(bin, pockets.last(heap, at));
      pockets.replaceLast(heap, at, fingerprint);
      return true;
    }
    boolean isNew = addToSpare(bin, fingerprint) || !pockets.isOverflowed(heap, at);
    pockets.setOverflowed(heap, at);
    return isNew;
  }

  private boolean addToSpare(long bin, int fingerprint) {
    long hash = spareHash(bin, fingerprint);
    if (spare.mightContainHash(hash)) {
      return false;
    }
    try {
      return spare.addHash(hash);
    } catch (FilterFullException e) {
      throw new FilterFullException(
          "no room for another key: its bin and the spare filter are full, %s is for %d keys"
              .formatted(shape(), shape().capacity()));
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterFullException if there is no room for one of the keys; the keys before it in the
   *     range were added, it and the following ones were not
   */
  @Override
  public void addHashes(long[] hashes, int from, int to) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromToIndex(from, to, hashes.length);
    for (int start = from; start < to; start += Long.SIZE) {
      int end = Math.min(start + Long.SIZE, to);
      pockets.touch(hashes, start, end, words.writable(), touched, 0);
      for (int i = start; i < end; i++) {
        addHash(hashes[i]);
      }
    }
  }

  /**
   * {@inheritDoc} Here: the share of pairs of bin and fingerprint that are in a bin, or were added
   * to the spare filter, or are left to the spare filter and reported present at its own rate.
   */
  @Override
  public double falsePositiveRate() {
    double elsewhere = (double) pockets.countElsewhere(words);
    double added = Math.min(elsewhere, spare.cardinality());
    double hits = pockets.count(words) + added + (elsewhere - added) * spare.falsePositiveRate();
    return hits / shape().fingerprints();
  }

  /**
   * The number of fingerprints in the bins and the spare filter, which stores only one of those
   * that it cannot distinguish.
   *
   * @return 0 or more
   */
  public long keyCount() {
    return pockets.count(words) + spare.keyCount();
  }

  /**
   * The number of fingerprints in the spare filter.
   *
   * @return 0 or more
   */
  public long spareEntries() {
    return spare.keyCount();
  }

  /** {@inheritDoc} Here: of all slots, including those of the spare filter. */
  @Override
  public double fillRatio() {
    double slots = (double) shape().bins() * shape().binSlots() + shape().spare().slots();
    return Math.min(1, keyCount() / slots); // bins of a mapped file may contradict themselves
  }

  /**
   * {@inheritDoc} Here: from the number of different fingerprints, since keys may share one; those
   * that overflowed are estimated by the spare filter.
   */
  @Override
  public double cardinality() {
    double all = (double) shape().fingerprints();
    double different = pockets.count(words) + spare.cardinality();
    return Math.log1p(-Math.min(different, all) / all) / Math.log1p(-1 / all);
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public PrefixFilter copy() {
    return new PrefixFilter(shape(), hasher(), words.copy(), spare.copy());
  }

  /** Removes every key. */
  public void clear() {
    words.clear();
    spare.clear();
  }
}
