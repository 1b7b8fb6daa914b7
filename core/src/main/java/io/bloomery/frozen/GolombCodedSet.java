package io.bloomery.frozen;

import io.bloomery.FilterFormatException;
import io.bloomery.FilterKind;
import io.bloomery.HashedFilter;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.KeyHashes;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.code.Bip158;
import io.bloomery.internal.code.RiceBlocks;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;

/**
 * A static set kept as sorted numbers of a range N whose gaps are Golomb-Rice coded; it never
 * reports a member absent, and any other key matches with probability entries/N.
 *
 * <p>It takes log2(1/rate) + 1.6 bits per key or less, including the index: the smallest filter
 * that needs no solver, and the right choice for sets that are sent or stored more often than
 * queried. A query reads the index and then decodes on average half of a block of some hundred
 * keys. {@link #mightContainHashes} reads ahead, so that cache misses of several keys overlap.
 *
 * <p>{@link #ofRepeatedHashes} also stores how often each key occurs: {@link #countHash} is never
 * below that, and too high for keys that share a number with another key, which happens at the
 * false-positive rate. A repetition takes a code of gap 0, b + 1 bits.
 *
 * <p>It never changes: {@link #union}, {@link #withHashes} and {@link #withoutHashes} decode, merge
 * and return a new set. Buffer changes and apply them in batches.
 *
 * <p>Building takes 8 bytes per key besides the given hashes, or 16 in all when keys are added
 * through the {@link #builder()}.
 *
 * <p>Immutable; any number of threads may query.
 *
 * <p>Golomb 1966, "Run-Length Encodings"; Rice and Plaunt 1971; as a filter with an index of blocks
 * Putze, Sanders and Singler 2009, "Cache-, Hash-, and Space-Efficient Bloom Filters", sec. 3.
 * Deviations: quotients and remainders are stored separately, so that several codes are skipped at
 * a time, and blocks cover equal parts of the range, so that no search is needed to find one. N is
 * the smallest range with that rate, not n/rate. {@link #ofBip158Hashes} and {@link #toBip158} are
 * the filters of Bitcoin's BIP 158 (Osuntokun and Akselrod 2017), byte for byte.
 */
public final class GolombCodedSet extends ShapedFilter<GolombShape> {

  public static final FilterKind<GolombCodedSet> KIND =
      Kind.of(44, "golomb-coded", GolombCodedSet.class)
          .question("is x in the static set? gaps between sorted hashes, Rice-coded")
          .codec(GolombCodedSet::encode, GolombCodedSet::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("golomb-coded", GolombShape.class)
                          .onlyFor(Need.FROZEN_SET)
                          .forKeys(GolombShape::forKeys)
                          .forBudget(GolombShape::forBudget)
                          .reads(
                              shape -> 2 + (int) Math.ceil(blockBits(shape) / 512),
                              shape -> 3 + (int) Math.ceil(blockBits(shape) / Long.SIZE))
                          .works(shape -> 33 + Math.ceil(blockBits(shape) / Long.SIZE))
                          .fetches(shape -> 2, shape -> 2)
                          .addsLike(0.5)
                          .why(
                              "Gaps between sorted hashes take little more than log2(1/rate) bits"
                                  + " each, and a query decodes half of a block of them")
                          .sharded()
                          .builds(
                              (shape, hasher, threads) ->
                                  builder().planned(shape, hasher, threads))));

  /** The remainder width P of BIP 158's basic filters. */
  public static final int BIP158_RICE_BITS = Bip158.RICE_BITS;

  /** The inverse rate M of BIP 158's basic filters. */
  public static final long BIP158_INVERSE_RATE = Bip158.INVERSE_RATE;

  static final long MAX_RANGE = GolombShape.MAX_RANGE;

  private static final int MAX_DEVIATION_BITS = 40;
  private static final int MAX_BIP158_RICE_BITS = 32;

  private final RiceBlocks blocks;
  private final long range;

  /**
   * The number of distinct entries, counted when first needed; racing threads may count them twice.
   */
  private volatile long distinct = -1;

  private GolombCodedSet(GolombShape shape, Hasher hasher, RiceBlocks blocks) {
    super(shape, hasher);
    this.blocks = blocks;
    this.range = shape.range();
  }

  private static double blockBits(GolombShape shape) {
    return shape.codeBits() * shape.blockKeys();
  }

  /**
   * The smallest set for a rate, of keys given by their hashes.
   *
   * @param hashes the keys' hashes by {@link Hasher#xxh3()}, in any order, duplicates allowed; not
   *     modified
   * @param falsePositiveRate the rate, within (0, 1)
   * @return the set, which depends only on the keys, not on their order
   */
  public static GolombCodedSet ofHashes(long[] hashes, double falsePositiveRate) {
    return builder().falsePositiveRate(falsePositiveRate).buildOf(KeyHashes.of(hashes));
  }

  /**
   * The smallest set for the rate of a shape, of keys given by their hashes.
   *
   * @param hashes the keys' hashes by {@code hasher}, in any order, duplicates allowed; not
   *     modified
   * @param shape a shape for any number of keys; the set uses the {@link GolombShape#withKeys
   *     shape} for the actual number of keys
   * @param hasher turns keys into hashes
   * @return the set, which depends only on the keys, not on their order
   */
  public static GolombCodedSet ofHashes(long[] hashes, GolombShape shape, Hasher hasher) {
    return builder().shape(shape).hasher(hasher).buildOf(KeyHashes.of(hashes));
  }

  /**
   * The smallest set of numbers for a rate.
   *
   * @param keys the keys, in any order, duplicates allowed; each is hashed by {@link Hasher#xxh3()}
   * @param falsePositiveRate the rate, within (0, 1)
   * @return the set, which depends only on the keys, not on their order
   */
  public static GolombCodedSet ofKeys(long[] keys, double falsePositiveRate) {
    return builder().falsePositiveRate(falsePositiveRate).buildOfKeys(keys);
  }

  /**
   * A set of given range, remainder width and blocks for any number of keys, so that sets can be
   * {@linkplain #union united}. Its rate is entries/N.
   *
   * @param hashes the keys' hashes by {@code hasher}, in any order, duplicates allowed; not
   *     modified
   * @param shape the range, and the rest
   * @param hasher turns keys into hashes
   * @return the set
   */
  public static GolombCodedSet ofHashesInRange(long[] hashes, GolombShape shape, Hasher hasher) {
    Objects.requireNonNull(shape, "shape");
    long[] values = hashes.clone();
    int distinct = sortDistinct(values);
    int count = reduce(values, distinct, shape.range(), false);
    return of(values, count, shape.holding(distinct), hasher);
  }

  /**
   * A multiset: like {@link #ofHashes(long[], double)}, but it stores how often each key occurs.
   *
   * @param hashes the keys' hashes by {@link Hasher#xxh3()}, in any order; not modified
   * @param falsePositiveRate the probability that another key has a count above 0, within (0, 1)
   * @return the set, which depends only on the keys and their counts
   */
  public static GolombCodedSet ofRepeatedHashes(long[] hashes, double falsePositiveRate) {
    return ofRepeatedHashes(hashes, falsePositiveRate, Hasher.xxh3());
  }

  /**
   * A multiset of keys by any hasher.
   *
   * @param hashes the keys' hashes by {@code hasher}, in any order; not modified
   * @param falsePositiveRate the probability that another key has a count above 0, within (0, 1)
   * @param hasher turns keys into hashes
   * @return the set, whose range is n/rate for n distinct keys, and at least the number of hashes
   */
  public static GolombCodedSet ofRepeatedHashes(
      long[] hashes, double falsePositiveRate, Hasher hasher) {
    int different = sortDistinct(hashes.clone());
    GolombShape set = GolombShape.forKeys(Math.max(1, different), falsePositiveRate);
    long range = Math.max(set.range(), hashes.length);
    // A multiple of the entries would look like a filter of BIP 158.
    range += hashes.length > different && range % hashes.length == 0 ? 1 : 0;
    long[] values = hashes.clone();
    for (int i = 0; i < values.length; i++) {
      values[i] = Mix.reduce(values[i], range);
    }
    Arrays.sort(values);
    return counted(values, range, set.riceBits(), hasher);
  }

  private static GolombCodedSet counted(long[] values, long range, int riceBits, Hasher hasher) {
    GolombShape shape = GolombShape.ofRange(Math.max(1, values.length), range, riceBits);
    return of(values, values.length, shape.holding(values.length), hasher);
  }

  /**
   * A builder that takes keys one at a time, from a stream or from a file.
   *
   * @return a builder, which needs a rate or a shape
   */
  public static FrozenBuilder<GolombShape, GolombCodedSet> builder() {
    return new FrozenBuilder<>(
        new FrozenSolver<>(
            GolombShape::forKeys, GolombShape::withKeys, null, GolombCodedSet::solve));
  }

  private static GolombCodedSet solve(
      KeyHashes hashes, LongFunction<GolombShape> shapes, FrozenSolver.Construction how) {
    long[] values = hashes.drain();
    int distinct = sortDistinct(values);
    GolombShape shape = shapes.apply(distinct);
    return of(values, reduce(values, distinct, shape.range(), false), shape, how.hasher());
  }

  /**
   * The filter of BIP 158 for a block's items: n items, N = n·M, remainders of P bits. Distinct
   * items whose numbers coincide are both kept, as the proposal specifies.
   *
   * @param hashes the items' hashes by {@code hasher}; repeated items count once
   * @param riceBits P, 0…32; {@link #BIP158_RICE_BITS} in basic filters
   * @param inverseRate M, 1 or more; {@link #BIP158_INVERSE_RATE} in basic filters
   * @param hasher {@link Hasher#keyed} with the first 16 bytes of the block's hash, in the order of
   *     the serialized block
   * @return the set
   */
  public static GolombCodedSet ofBip158Hashes(
      long[] hashes, int riceBits, long inverseRate, Hasher hasher) {
    checkBip158(riceBits, inverseRate, hasher);
    long[] values = hashes.clone();
    int distinct = sortDistinct(values);
    Arguments.inRange("inverseRate", inverseRate, 1, MAX_RANGE / Math.max(1, distinct));
    long range = Math.max(1, distinct) * inverseRate;
    GolombShape shape = GolombShape.ofRange(Math.max(1, distinct), range, riceBits);
    return of(values, reduce(values, distinct, range, true), shape, hasher);
  }

  /**
   * Reads the bytes of a BIP 158 filter. Memory use is at most a few times their length.
   *
   * @param bytes the filter, from the number of items on
   * @param riceBits P, 0…32
   * @param inverseRate M, 1 or more
   * @param hasher as in {@link #ofBip158Hashes}
   * @return the set
   * @throws FilterFormatException if the bytes are not a filter with these parameters
   */
  public static GolombCodedSet ofBip158Bytes(
      byte[] bytes, int riceBits, long inverseRate, Hasher hasher) throws FilterFormatException {
    Objects.requireNonNull(bytes, "bytes");
    checkBip158(riceBits, inverseRate, hasher);
    long[] values = Bip158.read(bytes, riceBits, inverseRate);
    long keys = Math.max(1, values.length);
    GolombShape shape = GolombShape.ofRange(keys, keys * inverseRate, riceBits);
    return of(values, values.length, shape, hasher);
  }

  private static void checkBip158(int riceBits, long inverseRate, Hasher hasher) {
    Arguments.inRange("riceBits", riceBits, 0, MAX_BIP158_RICE_BITS);
    Arguments.inRange("inverseRate", inverseRate, 1, MAX_RANGE);
    Objects.requireNonNull(hasher, "hasher");
  }

  private static GolombCodedSet of(long[] values, int count, GolombShape shape, Hasher hasher) {
    return new GolombCodedSet(
        shape,
        hasher,
        RiceBlocks.encode(values, count, shape.range(), shape.riceBits(), shape.blockRange()));
  }

  /** Sorts hashes as unsigned numbers and moves the distinct ones to the front. */
  private static int sortDistinct(long[] hashes) {
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] ^= Long.MIN_VALUE;
    }
    Arrays.sort(hashes);
    int distinct = 0;
    for (long hash : hashes) {
      long value = hash ^ Long.MIN_VALUE;
      if (distinct == 0 || hashes[distinct - 1] != value) {
        hashes[distinct++] = value;
      }
    }
    return distinct;
  }

  /** Maps sorted hashes to numbers of the range and drops equal ones unless {@code keepEqual}. */
  private static int reduce(long[] hashes, int count, long range, boolean keepEqual) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      long value = Mix.reduce(hashes[i], range);
      if (kept == 0 || keepEqual || hashes[kept - 1] != value) {
        hashes[kept++] = value;
      }
    }
    return kept;
  }

  private Frame encode() {
    RiceBlocks.Layout layout = blocks.layout();
    return Frame.of(hasher())
        .put(shape().holding(keyCount()))
        .put("code bits", layout.streamBits())
        .put("deviation bits", layout.deviationBits())
        .section(blocks.stream())
        .section(blocks.index());
  }

  private static GolombCodedSet decode(Frame frame) throws IOException {
    GolombShape shape = frame.shape(GolombShape.class);
    long entries = shape.keyCount();
    frame.require(
        entries <= shape.range(), entries + " entries are more than a range of " + shape.range());
    long streamBits = frame.number("code bits", 0, Shape.MAX_BITS - 2 * Long.SIZE);
    frame.require(
        entries <= streamBits / (shape.riceBits() + 1),
        entries + " entries do not fit " + streamBits + " bits of codes");
    int deviationBits = (int) frame.number("deviation bits", 1, MAX_DEVIATION_BITS);
    RiceBlocks.Layout layout =
        new RiceBlocks.Layout(
            shape.range(),
            shape.riceBits(),
            shape.blockRange(),
            entries,
            streamBits,
            deviationBits);
    frame.require(
        layout.blocks() <= Words.MAX_WORDS,
        "a range of " + shape.range() + " in blocks of " + shape.blockRange());
    RiceBlocks blocks =
        new RiceBlocks(
            layout, frame.section(0, layout.streamWords()), frame.section(1, layout.indexWords()));
    // In a mapped file a search stays within the words and terminates for any contents.
    frame.requireOfWords(
        () -> blocks.countOrFail() == entries,
        "the codes and their index do not make " + entries + " entries");
    return new GolombCodedSet(shape, frame.hasher(), blocks);
  }

  @Override
  public FilterKind<GolombCodedSet> kind() {
    return KIND;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return blocks.contains(Mix.reduce(hash, range));
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hash(key));
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    HashedFilter.checkBatch(hashes, from, to, hits);
    int total = 0;
    for (int start = from, word = 0; start < to; start += Long.SIZE, word++) {
      int end = Math.min(start + Long.SIZE, to);
      // The prefetched words feed into the answers; otherwise the reads would be dead code.
      hits[word] = touch(hashes, start, end);
      long answers = 0;
      for (int i = start; i < end; i++) {
        answers |= (mightContainHash(hashes[i]) ? 1L : 0L) << (i - start);
      }
      hits[word] = answers;
      total += Long.bitCount(answers);
    }
    return total;
  }

  private long touch(long[] hashes, int from, int to) {
    long touched = 0;
    for (int i = from; i < to; i++) {
      touched |= blocks.touch(Mix.reduce(hashes[i], range));
    }
    return touched;
  }

  /**
   * How often a key was passed to {@link #ofRepeatedHashes}; at most 1 in a set.
   *
   * @param hash the key's hash, computed by {@link #hasher()}
   * @return the number of times, or more if another key has its number; 0 if certainly absent
   */
  public long countHash(long hash) {
    return blocks.count(Mix.reduce(hash, range));
  }

  /**
   * {@inheritDoc} Here: different entries/N, exact for a uniform hash; for a filter of BIP 158,
   * whose range is a multiple n·M of its entries, 1/M as the proposal states. The first call reads
   * the whole set.
   */
  @Override
  public double falsePositiveRate() {
    boolean proposed = keyCount() > 0 && range % keyCount() == 0;
    return (double) (proposed ? keyCount() : distinctKeyCount()) / range;
  }

  /**
   * The number of distinct entries. The first call reads the whole set.
   *
   * @return {@link #keyCount} without repetitions
   */
  public long distinctKeyCount() {
    if (distinct < 0) {
      RiceBlocks.Cursor numbers = blocks.cursor();
      long different = 0;
      long last = -1;
      for (long left = keyCount(); left > 0; left--) {
        long value = numbers.next();
        different += value == last ? 0 : 1;
        last = value;
      }
      distinct = different;
    }
    return distinct;
  }

  /** {@inheritDoc} Here: codes and index. */
  @Override
  public long sizeInBits() {
    return blocks.sizeInBits();
  }

  /**
   * The number of entries.
   *
   * @return the number of distinct keys, minus those whose numbers coincide; for a multiset, the
   *     number of all keys
   */
  public long keyCount() {
    return blocks.layout().numbers();
  }

  /**
   * The range of the numbers.
   *
   * @return N
   */
  public long range() {
    return range;
  }

  /**
   * Bits of a gap's remainder.
   *
   * @return b, 0…62
   */
  public int riceBits() {
    return blocks.layout().riceBits();
  }

  /**
   * The sum of both multisets: counts are added.
   *
   * @param other a multiset with the same hasher and range
   * @return a new multiset with this one's remainder width
   * @throws IncompatibleFiltersException if hasher or range differ
   */
  public GolombCodedSet sum(GolombCodedSet other) {
    requireSameRange(other);
    long[] values = new long[Math.toIntExact(Math.addExact(keyCount(), other.keyCount()))];
    RiceBlocks.Cursor ours = numbers();
    RiceBlocks.Cursor theirs = other.numbers();
    Arguments.inRange("entries", values.length, 0, range);
    for (int i = 0; i < values.length; i++) {
      values[i] = i < keyCount() ? ours.next() : theirs.next();
    }
    Arrays.sort(values);
    return counted(values, range, riceBits(), hasher());
  }

  private void requireSameRange(GolombCodedSet other) {
    if (!hasher().equals(other.hasher())) {
      throw new IncompatibleFiltersException("hasher " + hasher() + " != " + other.hasher());
    }
    if (range != other.range) {
      throw new IncompatibleFiltersException("range " + range + " != " + other.range);
    }
  }

  /**
   * The union of both sets, in which each number counts once.
   *
   * @param other a set with the same hasher and range
   * @return a new set with this one's remainder width; its rate is its entries/N
   * @throws IncompatibleFiltersException if hasher or range differ
   */
  public GolombCodedSet union(GolombCodedSet other) {
    requireSameRange(other);
    return merged(other.numbers(), other.keyCount());
  }

  /**
   * All numbers, for operations that read the whole set. A mapped file has not been checked before.
   *
   * @throws IllegalStateException if the mapped file is damaged
   */
  private RiceBlocks.Cursor numbers() {
    if (blocks.stream().isReadOnly() && blocks.countOrFail() != keyCount()) {
      throw new IllegalStateException(
          "the mapped file is damaged: its codes do not make " + keyCount() + " entries");
    }
    return blocks.cursor();
  }

  /**
   * The union of this set and more keys, each counted once.
   *
   * @param hashes the keys' hashes, in any order
   * @return a new set of the same range; its rate is its entries/N
   */
  public GolombCodedSet withHashes(long[] hashes) {
    return union(sameRange(hashes));
  }

  /**
   * This set without some keys. A key that shares its number with one that is removed, which has
   * probability {@link #falsePositiveRate}, is reported absent from then on.
   *
   * @param hashes the keys' hashes, in any order; keys that are not in the set have no effect,
   *     unless they share a number with one that is
   * @return a new set of the same range
   */
  public GolombCodedSet withoutHashes(long[] hashes) {
    RiceBlocks.Cursor removed = sameRange(hashes).blocks.cursor();
    RiceBlocks.Cursor ours = numbers();
    long[] kept = new long[Math.toIntExact(keyCount())];
    int count = 0;
    long out = removed.next();
    for (long i = keyCount(); i > 0; i--) {
      long value = ours.next();
      while (out >= 0 && out < value) {
        out = removed.next();
      }
      if (out != value) {
        kept[count++] = value;
      }
    }
    return recoded(kept, count);
  }

  private GolombCodedSet sameRange(long[] hashes) {
    long[] values = hashes.clone();
    return recoded(values, reduce(values, sortDistinct(values), range, false));
  }

  private GolombCodedSet merged(RiceBlocks.Cursor theirs, long theirEntries) {
    RiceBlocks.Cursor ours = numbers();
    long[] values = new long[Math.toIntExact(Math.addExact(keyCount(), theirEntries))];
    int count = 0;
    long a = ours.next();
    long b = theirs.next();
    while (a >= 0 || b >= 0) {
      boolean first = b < 0 || (a >= 0 && a <= b);
      long value = first ? a : b;
      if (count == 0 || values[count - 1] != value) {
        values[count++] = value;
      }
      if (first) {
        a = ours.next();
      } else {
        b = theirs.next();
      }
    }
    return recoded(values, count);
  }

  /** Encodes numbers of this set's range, with blocks sized for their count. */
  private GolombCodedSet recoded(long[] values, int count) {
    GolombShape shape = GolombShape.ofRange(Math.max(1, count), range, riceBits());
    return of(values, count, shape.holding(count), hasher());
  }

  /**
   * The bytes of a BIP 158 filter, which {@link #ofBip158Hashes} made or whose range is a multiple
   * of its number of entries.
   *
   * @return the number of items and the codes
   * @throws IllegalStateException if the range is not a multiple of the number of entries
   */
  public byte[] toBip158() {
    if (keyCount() > 0 && range % keyCount() != 0) {
      throw new IllegalStateException(
          "a range of %d for %d entries is not n·M; make the set with bip158(…)"
              .formatted(range, keyCount()));
    }
    return Bip158.write(numbers()::next, keyCount(), riceBits());
  }
}
