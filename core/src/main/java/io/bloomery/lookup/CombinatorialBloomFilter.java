package io.bloomery.lookup;

import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.Mergeable;
import io.bloomery.SizedBuilder;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Compatibility;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.numeric.SetCode;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Modulus;
import java.io.IOException;
import java.util.Objects;

/**
 * Which set is x in, from one array of bits whatever the sizes of the sets? Each set has a code of
 * w of F groups of hash functions, and a key sets the k bits of each group of its set's code. A
 * query finds the groups whose bits are all set: fewer than w, and the key is in no set; just w,
 * and they are its set; more, and every code among them is a candidate, the right one always being
 * one. So an answer of {@link #getOnlyHash} is never a wrong set for a key of one set.
 *
 * <p>Nothing has to be known about the sizes of sets, which share all bits. It takes about one and
 * a half times the memory of a {@link FilterBank} of sets of the same size (30.2 to 20.9 bits a key
 * for 120 sets at 1 %), or twice with codes of higher weight.
 *
 * <p>Threads: lock-free. Any number of threads may add, merge and query; a key whose {@code add}
 * returned is found by every later query of a thread that can see that return. A copy or a save
 * holds every key added before the call began.
 *
 * <p>Hao, Kodialam, Lakshman and Song 2009, "Fast Multiset Membership Testing Using Combinatorial
 * Bloom Filters". Deviation: all F·k positions are drawn from one 64-bit hash, a group is left at
 * its first 0, and a query ends as soon as too few groups are left for a code.
 */
public final class CombinatorialBloomFilter
    implements ManySetsFilter, Mergeable<CombinatorialBloomFilter>, Storable {

  /** How files name this kind. */
  public static final FilterKind<CombinatorialBloomFilter> KIND =
      new FilterKind<>(
          53,
          "combinatorial",
          "which set is x in? one array of bits for sets of any size",
          CombinatorialBloomFilter.class,
          CombinatorialBloomFilter::encode,
          CombinatorialBloomFilter::decode,
          () -> FilterRecipe.none("holds many sets and needs the set of each key"));

  private final Hasher hasher;
  private final CombinatorialShape shape;
  private final SetCode code;
  private final Modulus modulus;
  private final Words words;

  private CombinatorialBloomFilter(Hasher hasher, CombinatorialShape shape, Words words) {
    this.hasher = hasher;
    this.shape = shape;
    this.code = new SetCode(shape.sets(), shape.groups(), shape.weight());
    this.modulus = new Modulus(shape.bits());
    this.words = words;
  }

  /**
   * The smallest filter for a number of keys and a rate, with codes of low weight.
   *
   * @param sets number of sets, 1 or more
   * @param expectedKeys how many different keys all sets together will have, 1 or more
   * @param falsePositiveRate the highest share of keys of no set that have an answer, and of keys
   *     of a set that have candidates besides it, above 0, below 1
   * @return an empty filter
   */
  public static CombinatorialBloomFilter create(
      int sets, long expectedKeys, double falsePositiveRate) {
    return builder()
        .sets(sets)
        .expectedKeys(expectedKeys)
        .falsePositiveRate(falsePositiveRate)
        .build();
  }

  /**
   * All options.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  private Frame encode() {
    return Frame.of(hasher)
        .put("bits", shape.bits())
        .put("probes", shape.probes())
        .put("groups", shape.groups())
        .put("weight", shape.weight())
        .put("sets", shape.sets())
        .section(words);
  }

  private static CombinatorialBloomFilter decode(Frame frame) throws IOException {
    long bits = frame.number("bits", 2, CombinatorialShape.MAX_BITS);
    int probes = (int) frame.number("probes", 1, CombinatorialShape.MAX_PROBES);
    int groups = (int) frame.number("groups", 1, SetCode.MAX_COLUMNS);
    int weight = (int) frame.number("weight", 1, SetCode.MAX_COLUMNS);
    int sets = (int) frame.number("sets", 1, BankShape.MAX_SETS);
    CombinatorialShape shape;
    try {
      shape = new CombinatorialShape(bits, probes, groups, weight, sets);
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    return new CombinatorialBloomFilter(frame.hasher(), shape, frame.bits(0, bits));
  }

  @Override
  public FilterKind<CombinatorialBloomFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * Size and codes.
   *
   * @return the shape, with its rates
   */
  public CombinatorialShape shape() {
    return shape;
  }

  @Override
  public int sets() {
    return shape.sets();
  }

  @Override
  public int setsOfHash(long hash, long[] hits) {
    Objects.requireNonNull(hits, "hits");
    int needed = (shape.sets() + Long.SIZE - 1) / Long.SIZE;
    if (hits.length < needed) {
      throw new IndexOutOfBoundsException(
          "hits has " + hits.length + " words; " + shape.sets() + " sets need " + needed);
    }
    return code.all(groups(hash), hits);
  }

  @Override
  public long getHash(long hash) {
    return code.first(groups(hash));
  }

  @Override
  public long getOnlyHash(long hash) {
    return code.only(groups(hash));
  }

  /** The groups whose bits are all set, or some mask of too few ones if they are too few. */
  private long groups(long hash) {
    int probes = shape.probes();
    int groups = shape.groups();
    int missing = shape.weight();
    long found = 0;
    for (int group = 0; group < groups && missing <= groups - group; group++) {
      int first = group * probes;
      int i = 0;
      while (i < probes && words.getBit(Draws.index(hash, first + i, modulus))) {
        i++;
      }
      if (i == probes) {
        found |= 1L << group;
        missing--;
      }
    }
    return found;
  }

  @Override
  public boolean addHash(long hash, int set) {
    Arguments.inRange("set", set, 0, shape.sets() - 1);
    words.writable();
    boolean changed = false;
    for (long left = code.code(set); left != 0; left &= left - 1) {
      int first = Long.numberOfTrailingZeros(left) * shape.probes();
      for (int i = 0; i < shape.probes(); i++) {
        changed |= words.setBit(Draws.index(hash, first + i, modulus));
      }
    }
    return changed;
  }

  /**
   * The share of bits that are set.
   *
   * @return 0…1
   */
  public double fillRatio() {
    return (double) words.bitCount() / shape.bits();
  }

  /** {@inheritDoc} Here: that a key of no set has an answer. */
  @Override
  public double falsePositiveRate() {
    return shape.coveredRate(Math.pow(fillRatio(), shape.probes()));
  }

  /**
   * The probability that a key of one set is answered with more groups than those of its code, at
   * the present fill. Reads the whole filter.
   *
   * @return a probability
   */
  public double ambiguousRate() {
    double group = Math.pow(fillRatio(), shape.probes());
    return -Math.expm1((shape.groups() - shape.weight()) * Math.log1p(-group));
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  @Override
  public boolean isCompatible(CombinatorialBloomFilter other) {
    Objects.requireNonNull(other, "other");
    return Compatibility.equal(hasher, other.hasher, shape, other.shape);
  }

  /** {@inheritDoc} The result is bit for bit the filter of all keys of both. */
  @Override
  public void merge(CombinatorialBloomFilter other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher, other.hasher, shape, other.shape);
    words.orAll(other.words);
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public CombinatorialBloomFilter copy() {
    return new CombinatorialBloomFilter(hasher, shape, words.copy());
  }

  @Override
  public String toString() {
    return "CombinatorialBloomFilter[" + shape + ", " + hasher + "]";
  }

  /** Options of a filter: sets, expected keys and rate, or a shape. */
  public static final class Builder extends SizedBuilder<Builder> {
    private int sets;
    private int weight;
    private CombinatorialShape shape;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * How many sets there are.
     *
     * @param sets 1 … {@link BankShape#MAX_SETS}
     * @return this
     */
    public Builder sets(int sets) {
      this.sets = Arguments.inRange("sets", sets, 1, BankShape.MAX_SETS);
      return this;
    }

    /**
     * How many groups a code has. Fewer take less memory and more groups, hence more time.
     *
     * @param weight 1…31; without it the lowest that needs at most 16 groups more than that
     * @return this
     */
    public Builder weight(int weight) {
      this.weight = Arguments.inRange("weight", weight, 1, 31);
      return this;
    }

    /**
     * The whole shape, instead of everything else.
     *
     * @param shape the shape
     * @return this
     */
    public Builder shape(CombinatorialShape shape) {
      this.shape = Objects.requireNonNull(shape, "shape");
      return this;
    }

    /**
     * Makes the filter.
     *
     * @return an empty filter
     * @throws IllegalArgumentException if the size is given in two ways or in none
     */
    public CombinatorialBloomFilter build() {
      CombinatorialShape chosen = chosen();
      return new CombinatorialBloomFilter(hasher, chosen, Words.forBits(chosen.bits(), true));
    }

    private CombinatorialShape chosen() {
      if (shape == null) {
        return weight == 0
            ? CombinatorialShape.forKeys(expectedKeys, falsePositiveRate, sets)
            : CombinatorialShape.forKeys(expectedKeys, falsePositiveRate, sets, weight);
      }
      if (sets != 0 || weight != 0 || expectedKeys != 0 || falsePositiveRate != 0) {
        throw new IllegalArgumentException("a shape and other sizes exclude each other");
      }
      return shape;
    }
  }
}
