package io.bloomery.membership;

import io.bloomery.AddableFilter;
import io.bloomery.CardinalityFilter;
import io.bloomery.FilterKind;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.Mergeable;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Packed;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.Modulus;
import io.bloomery.internal.probe.Probes;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.theory.Estimates;
import io.bloomery.theory.HashBits;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/**
 * A Bloom filter in front of a bucket table that stores one item per key, in the bucket of one of
 * its k positions; adds need a lock. It never reports an added key absent.
 *
 * <p>Items are the keys' 64-bit hashes, which make answers exact up to hash collisions, or shorter
 * fingerprints. An additional hash function s chooses which of the k positions is the item's
 * bucket, so a query that passes the k bits searches one bucket, with 1 + n/m items on average,
 * instead of 1 + k·n/m if every item were in all k of its buckets. The memory is that of a hash
 * table: a bit and a 32-bit link per bucket, plus an item and another link per key; {@link
 * #create(long, double)} takes 57 bits per key at 1 %. Use it where a filter precedes a table
 * lookup; where only membership matters, {@link BloomFilter} is smaller.
 *
 * <p>Source: the Bloom filter with an additional hashing function (BFAH) of Tarkoma, Rothenberg and
 * Lagerspetz 2012, sec. III-U. That survey says that "only a single bit is set per element"; the
 * original sets k bits and stores the <em>item</em> once. {@link MemoryOptimizedShape#literal}
 * follows the survey's wording: one bit, no buckets, a rate of 1 − e^(−n/m), worse than any Bloom
 * filter of k ≥ 2 at the same size. Deviations: buckets are lists linked from the newest item to
 * older ones; items may be fingerprints.
 *
 * <p>Threads: any number may query as long as no thread adds; an add needs exclusive access.
 */
public final class MemoryOptimizedFilter extends ShapedFilter<MemoryOptimizedShape>
    implements AddableFilter, Mergeable<MemoryOptimizedFilter>, CardinalityFilter, QueryCost {

  public static final FilterKind<MemoryOptimizedFilter> KIND =
      Kind.of(13, "memory-optimized", MemoryOptimizedFilter.class)
          .question("is x in the set? k bits, then the one bucket that may hold it")
          .codec(MemoryOptimizedFilter::encode, MemoryOptimizedFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("memory-optimized", MemoryOptimizedShape.class)
                          .onlyByName()
                          .forKeys(MemoryOptimizedShape::forKeys)
                          .searchBudget()
                          .reads(MemoryOptimizedFilter::reads)
                          .why("A hash table behind a Bloom filter, with each item stored once")
                          .oneWriter()
                          .orderMatters()
                          .creates(MemoryOptimizedFilter::create)));

  private static final int LINK_BITS = MemoryOptimizedShape.LINK_BITS;
  private static final int ADDITIONAL_HASH = -1;
  private static final int FINGERPRINT = -2;
  private static final long FIRST_ITEMS = 16;

  private final Probes probes;
  private final Modulus modulus;
  private final Words words;

  /** Maps a bucket to its newest item, items counted from 1; 0 is an empty bucket. */
  private final Words heads;

  /** Maps an item to the next older item of its bucket, so links always lead to smaller numbers. */
  private Words links;

  private Words items;
  private long count;
  private long room;

  private MemoryOptimizedFilter(
      MemoryOptimizedShape shape,
      Hasher hasher,
      Words words,
      Words heads,
      Words links,
      Words items,
      long count) {
    super(shape, hasher);
    this.probes = new Probes(IndexScheme.INDEPENDENT, shape.bits(), shape.hashesPerKey());
    this.modulus = new Modulus(shape.bits());
    this.words = words;
    this.heads = heads;
    this.links = links;
    this.items = items;
    this.count = count;
    this.room = Math.max(count, shape.items());
  }

  /** In a full filter: the bits, the bucket, and the bucket's items with their links. */
  private static int reads(MemoryOptimizedShape shape) {
    return shape.hashesPerKey()
        + 1
        + 2 * (int) Math.ceil(1 + (double) shape.items() / shape.bits());
  }

  /**
   * The smallest filter of items for a number of keys and a rate; more keys may be added.
   *
   * @param expectedKeys how many distinct keys will be added, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static MemoryOptimizedFilter create(long expectedKeys, double falsePositiveRate) {
    return create(MemoryOptimizedShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape bits, hashes per key, bits per item and room for items
   * @return an empty filter
   */
  public static MemoryOptimizedFilter create(MemoryOptimizedShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape bits, hashes per key, bits per item and room for items
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static MemoryOptimizedFilter create(MemoryOptimizedShape shape, Hasher hasher) {
    boolean storing = shape.isStoring();
    return new MemoryOptimizedFilter(
        shape,
        hasher,
        Words.forBits(shape.bits(), false),
        Words.allocate(storing ? Packed.wordsFor(shape.bits(), LINK_BITS) : 0, false),
        Words.allocate(Packed.wordsFor(shape.items(), LINK_BITS), false),
        Words.allocate(wordsFor(shape.items(), shape.itemBits()), false),
        0);
  }

  private static long wordsFor(long items, int itemBits) {
    return itemBits == 0 ? 0 : Packed.wordsFor(items, itemBits);
  }

  /** What the items of a file are. */
  enum Mode {
    WHOLE_HASHES(1),
    NO_ITEMS(2),
    FINGERPRINTS(3);

    private final int wireId;

    Mode(int wireId) {
      this.wireId = wireId;
    }

    public int wireId() {
      return wireId;
    }
  }

  /** The fields of every file. */
  private record Header(
      @FieldName("bits") long bits,
      @FieldName("probes") int hashesPerKey,
      @FieldName("mode") Mode mode,
      @FieldName("items") long items) {}

  /** The field that follows if the mode is {@link Mode#FINGERPRINTS}. */
  private record FingerprintFields(@FieldName("item bits") int itemBits) {
    FingerprintFields {
      Arguments.inRange("itemBits", itemBits, 1, Long.SIZE - 1);
    }
  }

  private Frame encode() {
    int itemBits = shape().itemBits();
    Mode mode =
        itemBits == Long.SIZE
            ? Mode.WHOLE_HASHES
            : itemBits == 0 ? Mode.NO_ITEMS : Mode.FINGERPRINTS;
    Frame frame =
        Frame.of(hasher()).put(new Header(shape().bits(), shape().hashesPerKey(), mode, count));
    if (mode == Mode.FINGERPRINTS) {
      frame.put(new FingerprintFields(itemBits));
    }
    return frame
        .section(words)
        .section(heads)
        .section(resized(links, Packed.wordsFor(count, LINK_BITS)))
        .section(resized(items, wordsFor(count, itemBits)));
  }

  private static MemoryOptimizedFilter decode(Frame frame) throws IOException {
    Header header = frame.shape(Header.class);
    long count = header.items;
    int itemBits =
        switch (header.mode) {
          case WHOLE_HASHES -> Long.SIZE;
          case NO_ITEMS -> 0;
          case FINGERPRINTS -> frame.shape(FingerprintFields.class).itemBits;
        };
    MemoryOptimizedShape shape =
        frame.make(
            () -> new MemoryOptimizedShape(header.bits, header.hashesPerKey, itemBits, count));
    MemoryOptimizedFilter filter =
        new MemoryOptimizedFilter(
            shape,
            frame.hasher(),
            frame.bits(0, shape.bits()),
            frame.bits(1, shape.isStoring() ? shape.bits() * LINK_BITS : 0),
            frame.bits(2, count * LINK_BITS),
            frame.bits(3, count * itemBits),
            count);
    frame.requireOfWords(
        filter::isSound, "an item is in the lists of several buckets, or in none of them");
    return filter;
  }

  /** Whether every item is in one list: one bucket or higher item leads to it. */
  private boolean isSound() {
    BitSet linked = new BitSet();
    long numbers = 0;
    for (long bucket = 0; bucket < (shape().isStoring() ? probes.bits() : 0); bucket++) {
      long first = Packed.get(heads, LINK_BITS, bucket);
      if (first > count || (first > 0 && linked.get((int) first))) {
        return false;
      }
      linked.set((int) first);
      numbers += Long.signum(first);
    }
    for (long item = 1; item <= count; item++) {
      long next = Packed.get(links, LINK_BITS, item - 1);
      if (next >= item || (next > 0 && linked.get((int) next))) {
        return false;
      }
      linked.set((int) next);
      numbers += Long.signum(next);
    }
    return numbers == count;
  }

  @Override
  public FilterKind<MemoryOptimizedFilter> kind() {
    return KIND;
  }

  /** h_s(hash), s chosen by the additional hash function. */
  private long bucket(long hash) {
    long s = Mix.reduce(Mix.stream(hash, ADDITIONAL_HASH), probes.count());
    return Draws.index(hash, (int) s, modulus);
  }

  /** The stored part of a key's hash. */
  private long item(long hash) {
    int itemBits = shape().itemBits();
    return itemBits == Long.SIZE ? hash : Mix.stream(hash, FINGERPRINT) >>> -itemBits;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return shape().isStoring()
        ? probes.allSet(hash, words) && isStored(bucket(hash), item(hash))
        : words.getBit(bucket(hash));
  }

  /** How many items the fullest bucket has. */
  private int fullest() {
    int[] depths = new int[(int) count + 1]; // of the list that begins with an item
    for (int at = 1; at <= count; at++) {
      long next = Packed.get(links, LINK_BITS, at - 1L);
      depths[at] = 1 + (next < at ? depths[(int) next] : 0);
    }
    int most = 0;
    for (long bucket = 0; bucket < shape().bits(); bucket++) {
      long first = Packed.get(heads, LINK_BITS, bucket);
      most = first > count ? most : Math.max(most, depths[(int) first]);
    }
    return most;
  }

  private boolean isStored(long bucket, long item) {
    int itemBits = shape().itemBits();
    // A link of a damaged file that does not lead to a smaller number ends the list.
    long last = count + 1;
    long at = Packed.get(heads, LINK_BITS, bucket);
    while (at > 0 && at < last) {
      if (Packed.get(items, itemBits, at - 1) == item) {
        return true;
      }
      last = at;
      at = Packed.get(links, LINK_BITS, at - 1);
    }
    return false;
  }

  /**
   * {@inheritDoc} Here {@code false} proves, if whole hashes are stored, that the same 64-bit hash
   * was added before.
   *
   * @throws IllegalStateException if the filter is a read-only view of a mapped file, or holds 2^30
   *     items
   */
  @Override
  public boolean addHash(long hash) {
    words.writable();
    long bucket = bucket(hash);
    if (!shape().isStoring()) {
      return words.setBit(bucket);
    }
    boolean stored = store(bucket, item(hash));
    return probes.setAll(hash, words) || stored;
  }

  /** Puts an item into a bucket unless it is there. */
  private boolean store(long bucket, long item) {
    if (isStored(bucket, item)) {
      return false;
    }
    if (count == MemoryOptimizedShape.MAX_ITEMS) {
      throw new IllegalStateException(
          "the filter holds " + count + " items, the most there can be");
    }
    int itemBits = shape().itemBits();
    if (count == room) {
      room = Math.min(Math.max(FIRST_ITEMS, 2 * count), MemoryOptimizedShape.MAX_ITEMS);
      items = resized(items, Packed.wordsFor(room, itemBits));
      links = resized(links, Packed.wordsFor(room, LINK_BITS));
    }
    Packed.set(items, itemBits, count, item);
    Packed.set(links, LINK_BITS, count, Packed.get(heads, LINK_BITS, bucket));
    count++;
    Packed.set(heads, LINK_BITS, bucket, count);
    return true;
  }

  private static Words resized(Words words, long length) {
    if (words.length() == length) {
      return words;
    }
    Words copy = Words.allocate(length, false);
    for (long i = 0; i < Math.min(length, words.length()); i++) {
      Packed.set(copy, Long.SIZE, i, words.get(i));
    }
    return copy;
  }

  /**
   * The number of items in the bucket that a query for this hash searches.
   *
   * @param hash a key's hash, computed by {@link #hasher()}
   * @return items to compare with; always 0 if none are stored
   */
  public int bucketLoad(long hash) {
    int load = 0;
    if (shape().isStoring()) {
      long last = count + 1;
      long at = Packed.get(heads, LINK_BITS, bucket(hash));
      while (at > 0 && at < last) {
        load++;
        last = at;
        at = Packed.get(links, LINK_BITS, at - 1);
      }
    }
    return load;
  }

  /**
   * The share of absent keys that pass the bits, and so cost a bucket lookup if items are stored.
   * Reads all bits.
   *
   * @return 0…1
   */
  public double bucketRate() {
    return Math.pow(fillRatio(), shape().isStoring() ? probes.count() : 1);
  }

  /**
   * How many items are stored.
   *
   * @return distinct hashes added, minus those that were false positives; always 0 if none are
   *     stored
   */
  public long items() {
    return count;
  }

  /** {@inheritDoc} Here: that of the bits. */
  @Override
  public double fillRatio() {
    return (double) words.bitCount() / probes.bits();
  }

  /** {@inheritDoc} Here: the items; without them −m·ln(1 − X/m) for X set bits. */
  @Override
  public double cardinality() {
    return shape().isStoring() ? count : Estimates.cardinality(probes.bits(), 1, words.bitCount());
  }

  /**
   * {@inheritDoc} For whole hashes: items/2^64. For fingerprints of f bits: the share of
   * fingerprints that a bucket has, items/(m·2^f), times the probability that the other k − 1 bits
   * are set. Without items: the fill.
   */
  @Override
  public double falsePositiveRate() {
    double same = Math.scalb((double) count, -Long.SIZE);
    int itemBits = shape().itemBits();
    if (itemBits == Long.SIZE) {
      return same;
    }
    return itemBits == 0
        ? fillRatio()
        : Math.scalb(count / (double) probes.bits(), -itemBits)
                * Math.pow(fillRatio(), probes.count() - 1)
            + same;
  }

  /** {@inheritDoc} Here: k·log2 m, log2 k for the bucket, and the item. */
  @Override
  public int hashBits() {
    int choice = HashBits.choice(probes.count());
    return choice
        + (shape().isStoring()
            ? HashBits.bloom(shape().bits(), probes.count()) + shape().itemBits()
            : HashBits.choice(shape().bits()));
  }

  /**
   * {@inheritDoc} Here: the k bits, the bucket, and the items and links of the fullest bucket,
   * which takes a pass over the table and four bytes per item.
   */
  @Override
  public int memoryAccesses() {
    return shape().isStoring() ? probes.count() + 1 + 2 * fullest() : 1;
  }

  /**
   * {@inheritDoc} Here: bits, bucket links, and the stored items with their links, without the room
   * for more items.
   */
  @Override
  public long sizeInBits() {
    return shape().withItems(count).sizeInBits();
  }

  @Override
  public boolean isCompatible(MemoryOptimizedFilter other) {
    Objects.requireNonNull(other, "other");
    return hasher().equals(other.hasher()) && cells().equals(other.cells());
  }

  /** The shape regardless of the room for items, which need not match for a merge. */
  private MemoryOptimizedShape cells() {
    return shape().withItems(0);
  }

  @Override
  public void merge(MemoryOptimizedFilter other) {
    if (!isCompatible(other)) {
      throw new IncompatibleFiltersException(
          hasher().equals(other.hasher())
              ? "shape " + cells() + " != " + other.cells()
              : "hasher " + hasher() + " != " + other.hasher());
    }
    if (other == this) {
      return;
    }
    words.orAll(other.words);
    int[] buckets = other.buckets();
    for (int i = 0; i < buckets.length; i++) {
      store(buckets[i], Packed.get(other.items, shape().itemBits(), i));
    }
  }

  /** The bucket of every item. */
  private int[] buckets() {
    int[] buckets = new int[(int) count];
    for (long bucket = 0; bucket < (count == 0 ? 0 : probes.bits()); bucket++) {
      long last = count + 1;
      long at = Packed.get(heads, LINK_BITS, bucket);
      while (at > 0 && at < last) {
        buckets[(int) at - 1] = (int) bucket;
        last = at;
        at = Packed.get(links, LINK_BITS, at - 1);
      }
    }
    return buckets;
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public MemoryOptimizedFilter copy() {
    return new MemoryOptimizedFilter(
        shape(), hasher(), words.copy(), heads.copy(), links.copy(), items.copy(), count);
  }
}
