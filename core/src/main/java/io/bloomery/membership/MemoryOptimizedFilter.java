package io.bloomery.membership;

import io.bloomery.AddableFilter;
import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.Mergeable;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Packed;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Compatibility;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.Modulus;
import io.bloomery.internal.probe.Probes;
import io.bloomery.membership.MemoryOptimizedShape.Mode;
import java.io.IOException;
import java.util.Objects;

/**
 * A Bloom filter in front of a bucket table that keeps every item once, in the bucket of one of its
 * k positions; adds need a lock. Answers are exact up to collisions of the 64-bit hash.
 *
 * <p>Items are the keys' 64-bit hashes. An additional hash function s chooses which of the k
 * positions is the item's bucket, so a query that passes the k bits looks into one bucket, where it
 * meets 1 + n/m items on average, against 1 + k·n/m if every item lay in all k of its buckets. The
 * memory is that of a hash table: a bit and a 32-bit link per bucket, 96 bits per item. Use it to
 * look things up behind the filter; where only membership matters, {@link BloomFilter} is smaller.
 *
 * <p>Source: the Bloom filter with an additional hashing function (BFAH) of Tarkoma, Rothenberg and
 * Lagerspetz 2012, sec. III-U. That survey says that "only a single bit is set per element"; the
 * original sets k bits and stores the <em>item</em> once. {@link Mode#LITERAL} is the survey's
 * wording: one bit, no buckets, a rate of 1 − e^(−n/m), worse than any Bloom filter of k ≥ 2 at the
 * same size. Deviation: buckets are lists linked from the newest item to older ones.
 *
 * <p>Threads: any number may query as long as no thread adds; an add excludes everything else.
 */
public final class MemoryOptimizedFilter
    implements AddableFilter, Mergeable<MemoryOptimizedFilter>, Storable {

  /** How files name this kind. */
  public static final FilterKind<MemoryOptimizedFilter> KIND =
      new FilterKind<>(
          13,
          "memory-optimized",
          "is x in the set? k bits, then the one bucket that may hold it",
          MemoryOptimizedFilter.class,
          MemoryOptimizedFilter::encode,
          MemoryOptimizedFilter::decode,
          () ->
              FilterRecipe.locked(
                  MemoryOptimizedShape.class,
                  MemoryOptimizedShape::forKeys,
                  FilterRecipe.byRate(MemoryOptimizedShape::forKeys),
                  order -> of(order.shape(), order.hasher())));

  private static final int LINK_BITS = 32;
  private static final int ADDITIONAL_HASH = -1;
  private static final long FIRST_ITEMS = 16;

  private final Hasher hasher;
  private final MemoryOptimizedShape shape;
  private final Probes probes;
  private final Modulus modulus;
  private final Words words;

  /** Bucket to its newest item, items counted from 1; 0 is an empty bucket. */
  private final Words heads;

  /** Item to the next older item of its bucket, so that links always lead to smaller numbers. */
  private Words links;

  private Words items;
  private long count;

  private MemoryOptimizedFilter(
      Hasher hasher,
      MemoryOptimizedShape shape,
      Words words,
      Words heads,
      Words links,
      Words items,
      long count) {
    this.hasher = hasher;
    this.shape = shape;
    this.probes = new Probes(IndexScheme.INDEPENDENT, shape.bits(), shape.probes());
    this.modulus = new Modulus(shape.bits());
    this.words = words;
    this.heads = heads;
    this.links = links;
    this.items = items;
    this.count = count;
  }

  /**
   * A filter whose bits let few absent keys through to the buckets.
   *
   * @param expectedKeys distinct keys to hold, at least 1; more are possible
   * @param bucketRate the share of absent keys that cost a look into a bucket, within (0, 1)
   * @return an empty filter
   */
  public static MemoryOptimizedFilter create(long expectedKeys, double bucketRate) {
    return of(MemoryOptimizedShape.forKeys(expectedKeys, bucketRate), Hasher.xxh3());
  }

  /**
   * A filter of a given size that stores its items.
   *
   * @param bits m, the number of bits and of buckets, 2…2^31
   * @param probes k, 1…255
   * @return an empty filter
   */
  public static MemoryOptimizedFilter ofBits(long bits, int probes) {
    return of(new MemoryOptimizedShape(bits, probes, Mode.STORING), Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape bits, probes and mode
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static MemoryOptimizedFilter of(MemoryOptimizedShape shape, Hasher hasher) {
    Objects.requireNonNull(hasher, "hasher");
    boolean storing = shape.mode() == Mode.STORING;
    return new MemoryOptimizedFilter(
        hasher,
        shape,
        Words.forBits(shape.bits(), false),
        Words.allocate(storing ? Packed.wordsFor(shape.bits(), LINK_BITS) : 0, false),
        Words.allocate(0, false),
        Words.allocate(0, false),
        0);
  }

  private Frame encode() {
    return Frame.of(hasher)
        .put("bits", shape.bits())
        .put("probes", shape.probes())
        .put("mode", shape.mode().wireId())
        .put("items", count)
        .section(words)
        .section(heads)
        .section(resized(links, Packed.wordsFor(count, LINK_BITS)))
        .section(resized(items, count));
  }

  private static MemoryOptimizedFilter decode(Frame frame) throws IOException {
    long bits = frame.number("bits", 2, MemoryOptimizedShape.MAX_BUCKETS);
    int probes = (int) frame.number("probes", 1, Math.min(MemoryOptimizedShape.MAX_PROBES, bits));
    boolean storing =
        frame.number("mode", Mode.STORING.wireId(), Mode.LITERAL.wireId()) == Mode.STORING.wireId();
    long count = frame.number("items", 0, storing ? MemoryOptimizedShape.MAX_ITEMS : 0);
    return new MemoryOptimizedFilter(
        frame.hasher(),
        new MemoryOptimizedShape(bits, probes, storing ? Mode.STORING : Mode.LITERAL),
        frame.bits(0, bits),
        frame.section(1, storing ? Packed.wordsFor(bits, LINK_BITS) : 0),
        frame.section(2, Packed.wordsFor(count, LINK_BITS)),
        frame.section(3, count),
        count);
  }

  @Override
  public FilterKind<MemoryOptimizedFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The fixed parameters.
   *
   * @return bits, probes and mode
   */
  public MemoryOptimizedShape shape() {
    return shape;
  }

  /** h_s(hash), s chosen by the additional hash function. */
  private long bucket(long hash) {
    long s = Mix.reduce(Mix.stream(hash, ADDITIONAL_HASH), shape.probes());
    return Draws.index(hash, (int) s, modulus);
  }

  @Override
  public boolean mightContainHash(long hash) {
    return shape.mode() == Mode.STORING
        ? probes.allSet(hash, words) && isStored(hash)
        : words.getBit(bucket(hash));
  }

  private boolean isStored(long hash) {
    // A link of a damaged file that does not lead to a smaller number ends the list.
    long last = count + 1;
    long item = Packed.get(heads, LINK_BITS, bucket(hash));
    while (item > 0 && item < last) {
      if (items.get(item - 1) == hash) {
        return true;
      }
      last = item;
      item = Packed.get(links, LINK_BITS, item - 1);
    }
    return false;
  }

  /**
   * {@inheritDoc} Here {@code false} proves, in {@link Mode#STORING}, that the same 64-bit hash was
   * added before.
   *
   * @throws IllegalStateException if the filter is a read-only view of a mapped file, or holds 2^30
   *     items
   */
  @Override
  public boolean addHash(long hash) {
    words.writable();
    if (shape.mode() == Mode.LITERAL) {
      return words.setBit(bucket(hash));
    }
    if (mightContainHash(hash)) {
      return false;
    }
    if (count == MemoryOptimizedShape.MAX_ITEMS) {
      throw new IllegalStateException(
          "the filter holds " + count + " items, the most there can be");
    }
    if (count == items.length()) {
      long more = Math.min(Math.max(FIRST_ITEMS, 2 * count), MemoryOptimizedShape.MAX_ITEMS);
      items = resized(items, more);
      links = resized(links, Packed.wordsFor(more, LINK_BITS));
    }
    long bucket = bucket(hash);
    Packed.set(items, Long.SIZE, count, hash);
    Packed.set(links, LINK_BITS, count, Packed.get(heads, LINK_BITS, bucket));
    count++;
    Packed.set(heads, LINK_BITS, bucket, count);
    probes.setAll(hash, words);
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
   * How many items lie in the bucket that a query for this hash looks into.
   *
   * @param hash a key's hash by {@link #hasher()}
   * @return items to compare with; always 0 in {@link Mode#LITERAL}
   */
  public int bucketLoad(long hash) {
    int load = 0;
    if (shape.mode() == Mode.STORING) {
      long last = count + 1;
      long item = Packed.get(heads, LINK_BITS, bucket(hash));
      while (item > 0 && item < last) {
        load++;
        last = item;
        item = Packed.get(links, LINK_BITS, item - 1);
      }
    }
    return load;
  }

  /**
   * The share of absent keys that pass the bits, and in {@link Mode#STORING} cost a look into a
   * bucket. Reads all bits.
   *
   * @return 0…1
   */
  public double bucketRate() {
    double fill = (double) words.bitCount() / shape.bits();
    return Math.pow(fill, shape.mode() == Mode.STORING ? shape.probes() : 1);
  }

  /**
   * How many items are stored.
   *
   * @return distinct hashes added; always 0 in {@link Mode#LITERAL}
   */
  public long items() {
    return count;
  }

  /** {@inheritDoc} Here: items/2^64, or the fill in {@link Mode#LITERAL}. */
  @Override
  public double falsePositiveRate() {
    return shape.mode() == Mode.STORING ? Math.scalb((double) count, -Long.SIZE) : bucketRate();
  }

  /**
   * {@inheritDoc}
   *
   * @return bits, bucket links, and the items with their links
   */
  @Override
  public long sizeInBits() {
    return shape.sizeInBits() + count * (Long.SIZE + LINK_BITS);
  }

  @Override
  public boolean isCompatible(MemoryOptimizedFilter other) {
    Objects.requireNonNull(other, "other");
    return Compatibility.equal(hasher, other.hasher, shape, other.shape);
  }

  @Override
  public void merge(MemoryOptimizedFilter other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher, other.hasher, shape, other.shape);
    words.orAll(other.words);
    for (long i = 0, others = other.count; i < others; i++) {
      addHash(other.items.get(i));
    }
  }

  /**
   * An independent heap copy.
   *
   * @return a filter with the same keys
   */
  public MemoryOptimizedFilter copy() {
    MemoryOptimizedFilter copy = of(shape, hasher);
    copy.merge(this);
    return copy;
  }
}
