package io.bloomery.similarity;

import io.bloomery.FilterKind;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.plan.Need;
import io.bloomery.theory.HashBits;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;

/**
 * A collection of molecules' fingerprints: which may contain this part, and which are the most
 * similar? {@link #screen} never misses a molecule that contains the part, if the fingerprints are
 * of {@linkplain MoleculeFingerprint#of paths}.
 *
 * <p>A fingerprint of one molecule is a value, not a filter, so the collection is stored. As a
 * filter it answers whether some molecule has a feature, by its name or its hash.
 *
 * <p>Threads: any number may query; adding needs a lock. A query takes time proportional to the
 * number of molecules.
 */
public final class MoleculeIndex extends ShapedFilter<FingerprintShape> implements QueryCost {

  public static final FilterKind<MoleculeIndex> KIND =
      Kind.of(66, "molecule", MoleculeIndex.class)
          .question("which molecules may contain x, or are most similar to it?")
          .codec(MoleculeIndex::encode, MoleculeIndex::decode)
          .meets(Need.PARTIAL_MATCH)
          .unplanned("needs molecules, each with its features, instead of keys");

  /**
   * A molecule that was found.
   *
   * @param molecule its number in the index
   * @param similarity its Tanimoto coefficient with the query
   */
  public record Match(int molecule, double similarity) {}

  private final BitRows rows;

  private MoleculeIndex(FingerprintShape shape, Hasher hasher, BitRows rows) {
    super(shape, hasher);
    this.rows = rows;
  }

  /**
   * An index of fingerprints of a given shape.
   *
   * @param shape the length of a fingerprint, and bits per feature
   * @return an empty index
   */
  public static MoleculeIndex create(FingerprintShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * An index of fingerprints of a given shape and hasher.
   *
   * @param shape the length of a fingerprint, and bits per feature
   * @param hasher what turns features into hashes
   * @return an empty index
   */
  public static MoleculeIndex create(FingerprintShape shape, Hasher hasher) {
    Objects.requireNonNull(shape, "shape");
    return new MoleculeIndex(shape, hasher, BitRows.empty(shape.bits()));
  }

  private Frame encode() {
    return Frame.of(hasher())
        .put(shape())
        .put("molecules", (long) rows.size())
        .section(rows.section());
  }

  private static MoleculeIndex decode(Frame frame) throws IOException {
    FingerprintShape shape = frame.shape(FingerprintShape.class);
    return new MoleculeIndex(shape, frame.hasher(), BitRows.read(frame, "molecules", shape.bits()));
  }

  @Override
  public FilterKind<MoleculeIndex> kind() {
    return KIND;
  }

  /**
   * How many molecules there are.
   *
   * @return their number
   */
  public int molecules() {
    return rows.size();
  }

  /**
   * Adds a molecule.
   *
   * @param fingerprint its fingerprint
   * @return its number; molecules are numbered from 0
   * @throws io.bloomery.IncompatibleFiltersException if it has another shape or hasher
   * @throws IllegalStateException if the index is a read-only view of a mapped file
   */
  public int add(MoleculeFingerprint fingerprint) {
    requireFits(fingerprint);
    return rows.add(fingerprint.words());
  }

  /**
   * The fingerprint of a molecule.
   *
   * @param molecule its number
   * @return the fingerprint
   */
  public MoleculeFingerprint get(int molecule) {
    Objects.checkIndex(molecule, rows.size());
    return new MoleculeFingerprint(shape(), hasher(), rows.get(molecule));
  }

  /**
   * The molecules that may contain a part.
   *
   * @param part the part's fingerprint
   * @return the numbers of those whose fingerprints have all its bits, ascending
   * @throws io.bloomery.IncompatibleFiltersException if it has another shape or hasher
   */
  public int[] screen(MoleculeFingerprint part) {
    requireFits(part);
    return rows.covering(part.words());
  }

  /**
   * The molecules with the highest Tanimoto coefficients.
   *
   * @param query a fingerprint
   * @param count the maximum number of molecules, 1 or more
   * @return the most similar first; ties go to the lower number
   * @throws io.bloomery.IncompatibleFiltersException if it has another shape or hasher
   */
  public List<Match> mostSimilar(MoleculeFingerprint query, int count) {
    requireFits(query);
    Arguments.inRange("count", count, 1, Integer.MAX_VALUE);
    Comparator<Match> best =
        Comparator.comparingDouble(Match::similarity).reversed().thenComparingInt(Match::molecule);
    PriorityQueue<Match> kept = new PriorityQueue<>(best.reversed());
    for (int row = 0; row < rows.size(); row++) {
      int common = rows.common(row, query.words());
      kept.add(
          new Match(
              row, MoleculeFingerprint.tanimoto(rows.bitCount(row), query.setBits(), common)));
      if (kept.size() > count) {
        kept.poll();
      }
    }
    return kept.stream().sorted(best).toList();
  }

  private void requireFits(MoleculeFingerprint fingerprint) {
    Objects.requireNonNull(fingerprint, "fingerprint");
    MoleculeFingerprint.requireFits(fingerprint, shape(), hasher());
  }

  /** {@inheritDoc} Here: whether some molecule may have a feature of no bonds. */
  @Override
  public boolean mightContainHash(long hash) {
    int[] positions = new int[shape().shortBits()];
    MoleculeFingerprint.positions(hash, shape(), positions);
    return rows.anyHas(positions);
  }

  /** {@inheritDoc} Here: of all molecules. */
  @Override
  public long sizeInBits() {
    return Math.max(1, (long) rows.size()) * shape().bits();
  }

  /**
   * {@inheritDoc} Here: the rate at which some molecule appears to have a feature without bonds
   * that none has; molecules are treated as independent.
   */
  @Override
  public double falsePositiveRate() {
    double none = 0; // ln of the probability that no molecule seems to have it
    for (int row = 0; row < rows.size(); row++) {
      double fill = (double) rows.bitCount(row) / shape().bits();
      none += Math.log1p(-Math.pow(fill, shape().shortBits()));
    }
    return none == 0 ? 0 : -Math.expm1(none);
  }

  /** {@inheritDoc} Here: log2 of the bits of a fingerprint for each bit of a feature. */
  @Override
  public int hashBits() {
    return shape().shortBits() * HashBits.choice(shape().bits());
  }

  /** {@inheritDoc} Here: the bits of a feature, in each fingerprint. */
  @Override
  public int memoryAccesses() {
    return (int) Math.min(Integer.MAX_VALUE, Math.max(1L, rows.size()) * shape().shortBits());
  }

  @Override
  public String toString() {
    return "MoleculeIndex[" + rows.size() + " molecules, " + shape() + ", " + hasher() + "]";
  }
}
