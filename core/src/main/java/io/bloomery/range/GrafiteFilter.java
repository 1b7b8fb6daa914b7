package io.bloomery.range;

import io.bloomery.FilterKind;
import io.bloomery.RangeFilter;
import io.bloomery.RangeFilterBuilder;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.KeyHashes;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.code.EliasFano;
import io.bloomery.internal.code.Numbers;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A static set of ordered keys that answers for ranges, with a rate that no query can raise: a
 * range of ℓ possible keys without a key is reported to hold one with probability ℓ·n/r at most,
 * for any n keys and any range, however near to a key, as long as neither was chosen by someone who
 * knows the hash function. It never misses a key. With r = n·L/rate codes it takes 2 + log2(L/rate)
 * bits per key and an index of about 0.1.
 *
 * <p>The order of keys is cut into blocks of 2^s keys, s = ⌊log2 r⌋. The code of a key is the hash
 * of its block plus its place in the block, modulo r. Keys of one block keep their distances, so
 * that a key never makes a range of its own block wrong; the codes of another block begin anywhere
 * with equal probability, so that each of its keys makes a range of ℓ keys wrong with probability
 * ℓ/r. Codes are sorted and Elias–Fano coded; a query is a search for the first code that is not
 * below that of the lower bound. A range that spans several blocks is one search for each; one that
 * spans more than {@value #MAX_BLOCKS} is reported to hold a key.
 *
 * <p>Who reads a file sees distances between keys of a block, under a keyed hash too; the keyed
 * hash makes the bound hold for those who choose keys or queries knowing everything else.
 *
 * <p>It never changes. Building takes 8 bytes per key. Immutable; any number of threads may query.
 *
 * <p>Costa, Ferragina and Vinciguerra, "Grafite: Taming Adversarial Queries with Optimal Range
 * Filters", Proc. ACM Manag. Data 2(1), 2024, sec. 3; the reduction is that of Goswami, Grønlund,
 * Larsen and Pagh, "Approximate Range Emptiness in Constant Time and Optimal Space", SODA 2015.
 * Deviations: blocks are of a power of two, not of r, so that byte strings of any length need no
 * division; the hash of a block is XXH3 or SipHash, not a polynomial; r is the smallest for the
 * rate; byte strings of a fixed length are keys.
 */
public final class GrafiteFilter implements RangeFilter {

  public static final FilterKind<GrafiteFilter> KIND =
      Kind.of(92, "grafite", GrafiteFilter.class)
          .question("is any key between a and b in the static set? a rate that no query can raise")
          .codec(GrafiteFilter::encode, GrafiteFilter::decode)
          .hashesParts()
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("grafite", GrafiteShape.class)
                          .ordered(GrafiteFilter::builder)
                          .onlyFor(Need.RANGES)
                          .onlyFor(Need.FROZEN_SET)
                          .sized(GrafiteFilter::sized)
                          .reads(shape -> 5, shape -> 20)
                          .works(shape -> 5, shape -> 30)
                          .fetches(shape -> 4, shape -> 4)
                          .addsLike(1)
                          .falsePositiveCosts("a range without a key is reported to hold one")
                          .why(
                              "Its rate for ranges holds for any keys and any queries, also for"
                                  + " those right beside a key")
                          .hasOwnBuilder()));

  /** How many blocks a range may span before it is reported to hold a key. */
  public static final int MAX_BLOCKS = 64;

  private final GrafiteShape shape;
  private final Hasher hasher;
  private final EliasFano codes;
  private final long range;
  private final int blockBits;
  private final long inBlock;

  private GrafiteFilter(GrafiteShape shape, Hasher hasher, EliasFano codes) {
    this.shape = shape;
    this.hasher = hasher;
    this.codes = codes;
    this.range = shape.codes();
    this.blockBits = shape.blockBits();
    this.inBlock = (1L << blockBits) - 1;
  }

  /**
   * The smallest filter of numbers for a rate.
   *
   * @param keys the numbers, in any order, duplicates allowed
   * @param longestRange how many numbers the longest range has, 1 … 2^62
   * @param falsePositiveRate the rate for ranges of that length, within (0, 1)
   * @return the filter
   */
  public static GrafiteFilter ofKeys(long[] keys, long longestRange, double falsePositiveRate) {
    long count = Math.max(1, keys.length);
    Builder builder =
        builder(GrafiteShape.forKeys(count, falsePositiveRate, longestRange), Hasher.xxh3());
    for (long key : keys) {
      builder.add(key);
    }
    return builder.build();
  }

  /**
   * Starts building a filter.
   *
   * @param shape the parameters; more keys than it was made for have a higher rate
   * @param hasher turns blocks of keys into hashes
   * @return a builder that takes the keys
   */
  public static Builder builder(GrafiteShape shape, Hasher hasher) {
    return new Builder(shape, hasher);
  }

  private static GrafiteShape sized(Needs needs) {
    return needs.rate().isPresent()
        ? GrafiteShape.forKeys(
            needs.keys(), needs.rate().getAsDouble(), needs.longestRange(), RangeKeys.of(needs))
        : GrafiteShape.forBudget(
            needs.keys(), needs.budget().orElseThrow(), needs.longestRange(), RangeKeys.of(needs));
  }

  /** Collects keys, 8 bytes for each. */
  public static final class Builder implements RangeFilterBuilder {
    private final GrafiteFilter empty;
    private final KeyHashes codes = KeyHashes.empty();

    private Builder(GrafiteShape shape, Hasher hasher) {
      Objects.requireNonNull(shape, "shape");
      Objects.requireNonNull(hasher, "hasher");
      this.empty =
          new GrafiteFilter(shape, hasher, EliasFano.encode(new long[0], 0, shape.codes()));
    }

    @Override
    public Builder add(long key) {
      empty.shape.keys().requireNumbers();
      codes.add(empty.code(key));
      return this;
    }

    @Override
    public Builder add(byte[] bytes, int offset, int length) {
      codes.add(
          empty.shape.keys().areNumbers()
              ? empty.code(RangeKeys.number(bytes, offset, length))
              : empty.code(empty.padded(bytes, offset, length)));
      return this;
    }

    @Override
    public GrafiteFilter build() {
      long[] sorted = codes.drain();
      int distinct = KeyHashes.distinct(sorted, sorted.length);
      return new GrafiteFilter(
          empty.shape, empty.hasher, EliasFano.encode(sorted, distinct, empty.range));
    }
  }

  private Frame encode() {
    return Frame.of(hasher)
        .put(shape)
        .put("entries", codes.layout().entries())
        .section(codes.low())
        .section(codes.high())
        .section(codes.directory())
        .section(codes.hints());
  }

  private static GrafiteFilter decode(Frame frame) throws IOException {
    GrafiteShape shape = frame.shape(GrafiteShape.class);
    long most = Math.min(GrafiteShape.MAX_ENTRIES, shape.codes());
    EliasFano.Layout layout = shape.layout(frame.number("entries", 0, most));
    EliasFano codes =
        new EliasFano(
            layout,
            frame.section(0, layout.lowWords()),
            frame.section(1, layout.highWords()),
            frame.section(2, layout.directoryWords()),
            frame.section(3, layout.hintWords()));
    // In a mapped file a search stays within the words and ends for any contents.
    frame.requireOfWords(
        codes::isSound, "the codes and their index do not make " + layout.entries() + " entries");
    return new GrafiteFilter(shape, frame.hasher(), codes);
  }

  @Override
  public FilterKind<GrafiteFilter> kind() {
    return KIND;
  }

  /**
   * The parameters of this filter.
   *
   * @return the shape
   */
  public GrafiteShape shape() {
    return shape;
  }

  /**
   * The hasher of blocks.
   *
   * @return the hasher this filter was built with
   */
  public Hasher hasher() {
    return hasher;
  }

  /**
   * How many different codes its keys have.
   *
   * @return the number of entries, at most the number of different keys
   */
  public long entryCount() {
    return codes.layout().entries();
  }

  /** Where the codes of a block of numbers begin. */
  private long base(long block) {
    return Mix.reduce(hasher.hash(block), range);
  }

  private long code(long key) {
    long place = key ^ Long.MIN_VALUE;
    return shifted(base(place & ~inBlock), place & inBlock);
  }

  private long code(byte[] key) {
    long place = KeyBytes.low(key, blockBits);
    KeyBytes.clearLow(key, blockBits);
    return shifted(Mix.reduce(hasher.hash(key), range), place);
  }

  private long shifted(long base, long place) {
    long code = base + place;
    return code >= range ? code - range : code;
  }

  private byte[] padded(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    return KeyBytes.padded(bytes, offset, length, shape.keys().bytes());
  }

  /** Whether a code is that of a place {@code from … to} of a block whose codes begin at a base. */
  private boolean anyAt(long base, long from, long to) {
    long first = base + from;
    long last = base + to;
    if (last < range) {
      return codes.containsAny(first, last);
    }
    return first >= range
        ? codes.containsAny(first - range, last - range)
        : codes.containsAny(first, range - 1) || codes.containsAny(0, last - range);
  }

  @Override
  public boolean mightContainRange(long from, long to) {
    shape.keys().requireNumbers();
    if (from > to) {
      throw Arguments.refused(
          Arguments.named("from", from), " is above ", Arguments.named("to", to));
    }
    if (codes.layout().entries() == 0) {
      return false;
    }
    long first = from ^ Long.MIN_VALUE;
    long last = to ^ Long.MIN_VALUE;
    long block = first & ~inBlock;
    long lastBlock = last & ~inBlock;
    if (block == lastBlock) {
      return anyAt(base(block), first & inBlock, last & inBlock);
    }
    if ((lastBlock - block) >>> blockBits >= MAX_BLOCKS) {
      return true;
    }
    long start = first & inBlock;
    for (; block != lastBlock; block += inBlock + 1) {
      if (anyAt(base(block), start, inBlock)) {
        return true;
      }
      start = 0;
    }
    return anyAt(base(lastBlock), 0, last & inBlock);
  }

  @Override
  public boolean mightContainRange(byte[] from, byte[] to) {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(to, "to");
    if (shape.keys().areNumbers()) {
      return mightContainRange(
          RangeKeys.number(from, 0, from.length), RangeKeys.number(to, 0, to.length));
    }
    if (Arrays.compareUnsigned(from, to) > 0) {
      throw new IllegalArgumentException("from is above to in the order of their bytes");
    }
    return codes.layout().entries() != 0
        && anyBetween(padded(from, 0, from.length), padded(to, 0, to.length));
  }

  /** Consumes its arguments. */
  private boolean anyBetween(byte[] from, byte[] to) {
    long start = KeyBytes.low(from, blockBits);
    long end = KeyBytes.low(to, blockBits);
    KeyBytes.clearLow(from, blockBits);
    KeyBytes.clearLow(to, blockBits);
    for (int blocks = 0; !Arrays.equals(from, to); blocks++) {
      if (blocks == MAX_BLOCKS || anyAt(Mix.reduce(hasher.hash(from), range), start, inBlock)) {
        return true;
      }
      start = 0;
      KeyBytes.add(from, blockBits);
    }
    return anyAt(Mix.reduce(hasher.hash(to), range), start, end);
  }

  @Override
  public boolean mightContain(long key) {
    if (!shape.keys().areNumbers()) {
      return mightContain(Numbers.bytes(key));
    }
    long code = code(key);
    return codes.containsAny(code, code);
  }

  @Override
  public boolean mightContain(byte[] key) {
    return mightContain(key, 0, Objects.requireNonNull(key, "key").length);
  }

  @Override
  public boolean mightContain(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (shape.keys().areNumbers()) {
      return length == Long.BYTES && mightContain(RangeKeys.number(bytes, offset, length));
    }
    long code = code(padded(bytes, offset, length));
    return codes.containsAny(code, code);
  }

  @Override
  public boolean mightContain(CharSequence key) {
    return mightContain(
        Objects.requireNonNull(key, "key").toString().getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public <T> boolean mightContain(T key, Funnel<? super T> funnel) {
    return mightContain(Funnel.Fields.bytesOf(key, funnel));
  }

  @Override
  public long longestRange() {
    return shape.longestRange();
  }

  /** {@inheritDoc} For a single key; {@link #falsePositiveRate(long)} is for ranges. */
  @Override
  public double falsePositiveRate() {
    return falsePositiveRate(1);
  }

  /**
   * {@inheritDoc} Here: the share of the codes at which a range within a block that holds no key
   * can begin, so that it meets a code that is there. It is exact for this filter, whatever its
   * keys.
   */
  @Override
  public double falsePositiveRate(long length) {
    Arguments.inRange("length", length, 1, Long.MAX_VALUE);
    long entries = codes.layout().entries();
    if (entries == 0) {
      return 0;
    }
    // The first code, the latest, and how many beginnings meet a code.
    long[] seen = {-1, -1, 0};
    codes.forEach(
        code -> {
          if (seen[0] < 0) {
            seen[0] = code;
          } else {
            seen[2] += Math.min(code - seen[1], length);
          }
          seen[1] = code;
        });
    seen[2] += Math.min(seen[0] + range - seen[1], length);
    // A mapped file may hold codes that do not rise.
    return Math.max(0, Math.min(1, (double) seen[2] / range));
  }

  @Override
  public long sizeInBits() {
    return codes.layout().sizeInBits();
  }

  @Override
  public String toString() {
    return "GrafiteFilter[" + shape + ", " + hasher + "]";
  }
}
