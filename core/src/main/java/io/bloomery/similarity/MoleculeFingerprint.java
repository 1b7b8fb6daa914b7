package io.bloomery.similarity;

import io.bloomery.IncompatibleFiltersException;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.probe.Mix;
import io.bloomery.theory.Estimates;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A molecule's features as a short Bloom filter: may this molecule contain another as a part, and
 * how similar are the two?
 *
 * <p>If {@link #covers} is false for two fingerprints of {@linkplain #of paths}, the part is
 * certainly not in the molecule; so most of a collection is ruled out before the costly comparison
 * of structures. {@link #tanimoto} is the share of common bits, the field's measure of similarity;
 * {@link #correctedTanimoto} estimates the share of common features by correcting for collisions.
 * Fingerprints of {@linkplain #circular circular features} are for similarity alone.
 *
 * <p>A fingerprint is a value: immutable, compared by its bits. {@link MoleculeIndex} is a
 * collection of them that can be stored and searched.
 *
 * <p>The paths of Daylight's fingerprints (James and Weininger 1995), with rings, branches and
 * counts as in structural keys; the correction is that of Swamidass and Baldi 2007, "Mathematical
 * Correction for Fingerprint Similarity Measures to Improve Chemical Retrieval".
 */
public final class MoleculeFingerprint {

  private final FingerprintShape shape;
  private final Hasher hasher;
  private final long[] words;
  private final int setBits;

  MoleculeFingerprint(FingerprintShape shape, Hasher hasher, long[] words) {
    this.shape = shape;
    this.hasher = hasher;
    this.words = words;
    this.setBits = Arrays.stream(words).mapToInt(Long::bitCount).sum();
  }

  /**
   * The fingerprint of a molecule's paths, rings, branches and counts, which can screen.
   *
   * @param graph the molecule
   * @param shape its length, and bits per feature
   * @return the fingerprint, with the default hasher
   */
  public static MoleculeFingerprint of(MoleculeGraph graph, FingerprintShape shape) {
    return of(graph, shape, Hasher.xxh3());
  }

  /**
   * The same with another hasher.
   *
   * @param graph the molecule
   * @param shape its length, and bits per feature
   * @param hasher hashes the labels
   * @return the fingerprint
   */
  public static MoleculeFingerprint of(MoleculeGraph graph, FingerprintShape shape, Hasher hasher) {
    Builder builder = builder(shape, hasher);
    MoleculeFeatures.paths(graph, hasher, shape.maxBonds(), builder::feature);
    return builder.build();
  }

  /**
   * The fingerprint of a molecule's circular features, for similarity only.
   *
   * @param graph the molecule
   * @param radius how many bonds around an atom, 0 … 8; 2 is usual
   * @param shape its length, and bits per feature
   * @return the fingerprint, with the default hasher
   */
  public static MoleculeFingerprint circular(
      MoleculeGraph graph, int radius, FingerprintShape shape) {
    Builder builder = builder(shape, Hasher.xxh3());
    MoleculeFeatures.circular(graph, builder.hasher, radius, builder::feature);
    return builder.build();
  }

  /**
   * Starts a fingerprint of features that the caller provides.
   *
   * @param shape its length, and bits per feature
   * @param hasher turns features into hashes
   * @return a builder without features
   */
  public static Builder builder(FingerprintShape shape, Hasher hasher) {
    return new Builder(shape, hasher);
  }

  /**
   * A fingerprint that was computed by other software, for similarity only.
   *
   * @param bytes a multiple of 8 bytes; bit i is bit {@code i mod 8}, counted from the lowest, of
   *     byte {@code i / 8}
   * @return a fingerprint of that many bits, with one bit per feature
   */
  public static MoleculeFingerprint ofBytes(byte[] bytes) {
    Objects.requireNonNull(bytes, "bytes");
    int bits = (int) Arguments.inRange("bits", 8L * bytes.length, 0, Integer.MAX_VALUE);
    long[] words = new long[bits / Long.SIZE];
    FingerprintShape shape = new FingerprintShape(bits, 0, 1, 1);
    for (int i = 0; i < bytes.length; i++) {
      words[i >>> 3] |= Byte.toUnsignedLong(bytes[i]) << (8 * (i & 7));
    }
    return new MoleculeFingerprint(shape, Hasher.xxh3(), words);
  }

  /**
   * The length of the fingerprint, and bits per feature.
   *
   * @return the shape
   */
  public FingerprintShape shape() {
    return shape;
  }

  /**
   * The hasher of the labels.
   *
   * @return the hasher
   */
  public Hasher hasher() {
    return hasher;
  }

  /**
   * How many bits are set.
   *
   * @return 0 … bits
   */
  public int setBits() {
    return setBits;
  }

  /**
   * Whether one bit is set.
   *
   * @param bit 0 … bits - 1
   * @return true if it is
   */
  public boolean get(int bit) {
    Objects.checkIndex(bit, shape.bits());
    return (words[bit >>> 6] >>> bit & 1) != 0;
  }

  /** The bits, not copied. */
  long[] words() {
    return words;
  }

  /**
   * Whether this fingerprint has all bits of another.
   *
   * @param part the fingerprint of the possible part
   * @return for fingerprints of {@linkplain #of paths}, false: certainly not a part of this
   *     molecule; true: perhaps. For others it says nothing about parts
   * @throws IncompatibleFiltersException if the fingerprints have different shapes or hashers
   */
  public boolean covers(MoleculeFingerprint part) {
    requireFits(part);
    for (int i = 0; i < words.length; i++) {
      if ((part.words[i] & ~words[i]) != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * The share of common bits, {@code |A∧B| / |A∨B|}.
   *
   * @param other another fingerprint
   * @return 0 … 1; 1 for equal ones
   * @throws IncompatibleFiltersException if the fingerprints have different shapes or hashers
   */
  public double tanimoto(MoleculeFingerprint other) {
    requireFits(other);
    return tanimoto(setBits, other.setBits, common(other));
  }

  static double tanimoto(long first, long second, long common) {
    long together = first + second - common;
    return together == 0 ? 1 : (double) common / together;
  }

  /**
   * The estimated share of common features: {@link #tanimoto} of the numbers of bits that were
   * drawn, {@code n* = -m·ln(1 - X/m)}, instead of those that are set. The number of bits that a
   * feature draws does not matter, if all features draw the same number.
   *
   * @param other another fingerprint
   * @return 0 … 1; 1 for equal ones, and NaN if all bits are set in one of two that differ
   * @throws IncompatibleFiltersException if the fingerprints have different shapes or hashers
   */
  public double correctedTanimoto(MoleculeFingerprint other) {
    requireFits(other);
    int or = setBits + other.setBits - common(other);
    if (or == setBits && or == other.setBits) {
      return 1;
    }
    double union = drawn(or);
    return Math.max(0, (drawn(setBits) + drawn(other.setBits) - union) / union);
  }

  /**
   * The estimated number of bits that features drew, including collisions.
   *
   * @return {@code -m·ln(1 - X/m)}; infinite if all bits are set
   */
  public double drawnBits() {
    return drawn(setBits);
  }

  private double drawn(long set) {
    return Estimates.cardinality(shape.bits(), 1, set);
  }

  private int common(MoleculeFingerprint other) {
    int common = 0;
    for (int i = 0; i < words.length; i++) {
      common += Long.bitCount(words[i] & other.words[i]);
    }
    return common;
  }

  private void requireFits(MoleculeFingerprint other) {
    Objects.requireNonNull(other, "other");
    requireFits(other, shape, hasher);
  }

  static void requireFits(MoleculeFingerprint other, FingerprintShape shape, Hasher hasher) {
    if (!hasher.equals(other.hasher)) {
      throw new IncompatibleFiltersException("hasher " + hasher + " != " + other.hasher);
    }
    if (!shape.equals(other.shape)) {
      throw new IncompatibleFiltersException("shape " + shape + " != " + other.shape);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof MoleculeFingerprint that
        && shape.equals(that.shape)
        && hasher.equals(that.hasher)
        && Arrays.equals(words, that.words);
  }

  @Override
  public int hashCode() {
    return 31 * shape.hashCode() + Arrays.hashCode(words);
  }

  @Override
  public String toString() {
    return "MoleculeFingerprint[" + setBits + " of " + shape.bits() + " bits]";
  }

  /** Fills the positions of a feature: outputs 1, 2, … of the stream of its hash, modulo bits. */
  static void positions(long hash, FingerprintShape shape, int[] into) {
    for (int i = 0; i < into.length; i++) {
      into[i] = (int) Long.remainderUnsigned(Mix.stream(hash, i + 1), shape.bits());
    }
  }

  /** Builds a fingerprint feature by feature. */
  public static final class Builder {
    private final FingerprintShape shape;
    private final Hasher hasher;
    private final long[] words;

    private Builder(FingerprintShape shape, Hasher hasher) {
      this.shape = Objects.requireNonNull(shape, "shape");
      this.hasher = Objects.requireNonNull(hasher, "hasher");
      this.words = new long[(int) Words.wordsFor(shape.bits())];
    }

    /**
     * Adds a feature by its hash.
     *
     * @param hash its hash
     * @param bonds its size, 0 or more
     * @return this
     */
    public Builder feature(long hash, int bonds) {
      int[] positions = new int[shape.bitsOf(bonds)];
      positions(hash, shape, positions);
      for (int position : positions) {
        words[position >>> 6] |= 1L << position;
      }
      return this;
    }

    /**
     * Adds a feature of no bonds by its name.
     *
     * @param name any text
     * @return this
     */
    public Builder feature(CharSequence name) {
      return feature(hasher.hash(name), 0);
    }

    /**
     * The fingerprint.
     *
     * @return a fingerprint of the features so far
     */
    public MoleculeFingerprint build() {
      return new MoleculeFingerprint(shape, hasher, words.clone());
    }
  }
}
