package io.bloomery.membership;

import io.bloomery.FilterKind;
import io.bloomery.QueryCost;
import io.bloomery.RemovableFilter;
import io.bloomery.ShapedFilter;
import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Probes;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import io.bloomery.theory.HashBits;
import java.io.IOException;
import java.util.List;

/**
 * Two Bloom filters, one of added and one of removed keys, so that a key can be removed once; a
 * removed key is always reported absent, but so is a live key with probability {@link
 * #falseNegativeRate}, because false positives of the second filter are false negatives of the
 * pair.
 *
 * <p>A removed key cannot be added again, nor can a new key that is a false positive of the filter
 * of removed keys: {@code add} then throws {@link IllegalStateException} and changes nothing, since
 * the key would be reported absent. Removing a key that was never added but is reported present
 * succeeds, and merely takes space in the second filter. Use a counting or a cuckoo filter for sets
 * with many inserts and deletes; this one suits a few, permanent deletes.
 *
 * <p>Source: Tarkoma, Rothenberg and Lagerspetz 2012, sec. II-B. Deviation: the second filter sees
 * a 64-bit mix of the hash, so that the errors of the two are independent. There is no merge: a key
 * that one pair holds and the other has deleted would be lost.
 *
 * <p>Threads: any number may add, remove and query without a lock. A key whose {@code remove}
 * returned true is absent, and one whose {@code add} returned is in the first filter, for every
 * query that happens after that return. If one thread adds a key while another removes it, the
 * outcome is either a removed key or an add after a removal that found nothing.
 */
public final class RemovedPairFilter extends ShapedFilter<RemovedPairShape>
    implements RemovableFilter, QueryCost {

  public static final FilterKind<RemovedPairFilter> KIND =
      Kind.of(12, "removed-pair", RemovedPairFilter.class)
          .question("is x in the set? keys can be removed once, and some others with them")
          .codec(RemovedPairFilter::encode, RemovedPairFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("removed-pair", RemovedPairShape.class)
                          .meetsPartly(Need.DELETES, "a deleted key cannot come back")
                          .misses("a deleted key hides some others")
                          .falseDeletion("only takes room")
                          .onlyFor(Need.DELETES)
                          .forKeys(RemovedPairShape::forKeys)
                          .forBudget(RemovedPairShape::forBudget)
                          .reads(shape -> shape.hashesPerKey() + shape.removedProbes())
                          .works(shape -> 1.3 * (shape.hashesPerKey() + shape.removedProbes()))
                          .absentByThree(shape -> shape.hashesPerKey(), shape -> 9)
                          .why(
                              "For deletes that are final and few: a second Bloom filter of deleted"
                                  + " keys, whose false positives hide keys that were not deleted")
                          .createsFor(RemovedPairFilter::create)));

  private static final int REMOVED_FAMILY = 0;

  private final Probes addedProbes;
  private final Probes removedProbes;
  private final Words added;
  private final Words removed;

  private RemovedPairFilter(RemovedPairShape shape, Hasher hasher, Words added, Words removed) {
    super(shape, hasher);
    this.addedProbes = new Probes(IndexScheme.INDEPENDENT, shape.bits(), shape.hashesPerKey());
    this.removedProbes =
        new Probes(IndexScheme.INDEPENDENT, shape.removedBits(), shape.removedProbes());
    this.added = added;
    this.removed = removed;
  }

  /**
   * The smallest pair for a number of keys, all of which may be removed.
   *
   * @param expectedKeys how many distinct keys will be added, 0 or more
   * @param falsePositiveRate the highest acceptable rate of false positives at that number of keys,
   *     and of false negatives when as many were removed; above 0, below 1
   * @return an empty filter
   */
  public static RemovedPairFilter create(long expectedKeys, double falsePositiveRate) {
    return create(RemovedPairShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape bits and hashes per key of both filters
   * @return an empty filter
   */
  public static RemovedPairFilter create(RemovedPairShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape bits and hashes per key of both filters
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static RemovedPairFilter create(RemovedPairShape shape, Hasher hasher) {
    return create(shape, hasher, Writers.MANY);
  }

  /**
   * A filter of a given shape and hasher, for one writer or many.
   *
   * @param shape bits and hashes per key of both filters
   * @param hasher turns keys into hashes
   * @param writers how many threads may add at the same time
   * @return an empty filter
   */
  public static RemovedPairFilter create(RemovedPairShape shape, Hasher hasher, Writers writers) {
    boolean shared = writers == Writers.MANY;
    return new RemovedPairFilter(
        shape,
        hasher,
        Words.forBits(shape.bits(), shared),
        Words.forBits(shape.removedBits(), shared));
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).section(added).section(removed);
  }

  private static RemovedPairFilter decode(Frame frame) throws IOException {
    RemovedPairShape shape = frame.shape(RemovedPairShape.class);
    return new RemovedPairFilter(
        shape, frame.hasher(), frame.bits(0, shape.bits()), frame.bits(1, shape.removedBits()));
  }

  @Override
  public FilterKind<RemovedPairFilter> kind() {
    return KIND;
  }

  /**
   * {@inheritDoc} Here {@code false} is certain only for keys that were removed or never added.
   *
   * @return {@code false}: removed, never added, or a live key lost with probability {@link
   *     #falseNegativeRate}; {@code true}: probably present
   */
  @Override
  public boolean mightContainHash(long hash) {
    return addedProbes.allSet(hash, added) && !wasRemoved(hash);
  }

  private boolean wasRemoved(long hash) {
    return removedProbes.allSet(Draws.family(hash, REMOVED_FAMILY), removed);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if the key was removed, or is a false positive of the filter of
   *     removed keys; or if the filter is a read-only view of a mapped file
   */
  @Override
  public boolean addHash(long hash) {
    added.writable();
    if (wasRemoved(hash)) {
      throw new IllegalStateException(
          "the key was removed, or looks like a key that was, and cannot be added again");
    }
    return addedProbes.setAll(hash, added);
  }

  /**
   * {@inheritDoc}
   *
   * @return {@code false}: the key is reported absent already and nothing changed; {@code true}: it
   *     is reported absent from now on, permanently
   */
  @Override
  public boolean removeHash(long hash) {
    removed.writable();
    return mightContainHash(hash)
        && removedProbes.setAll(Draws.family(hash, REMOVED_FAMILY), removed);
  }

  /**
   * {@inheritDoc} Here: the probability that the first filter reports a key present and the second
   * absent.
   */
  @Override
  public double falsePositiveRate() {
    double fill = (double) added.bitCount() / addedProbes.bits();
    double yes = Math.pow(fill, addedProbes.count());
    return yes * (1 - falseNegativeRate());
  }

  /**
   * The probability that a key that was added and not removed is reported absent, at the current
   * fill of the filter of removed keys. Reads that whole filter.
   *
   * @return a probability, 0 before the first removal
   */
  public double falseNegativeRate() {
    double fill = (double) removed.bitCount() / removedProbes.bits();
    return Math.pow(fill, removedProbes.count());
  }

  /** {@inheritDoc} Here: those of both filters. */
  @Override
  public int hashBits() {
    return HashBits.bloom(shape().bits(), shape().hashesPerKey())
        + HashBits.bloom(shape().removedBits(), shape().removedProbes());
  }

  /** {@inheritDoc} Here: those of both filters. */
  @Override
  public int memoryAccesses() {
    return shape().hashesPerKey() + shape().removedProbes();
  }

  /**
   * A copy in heap memory that shares nothing with this filter. It reflects every call that had
   * returned before it began, and possibly some concurrent ones.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public RemovedPairFilter copy() {
    return new RemovedPairFilter(shape(), hasher(), added.copy(), removed.copy());
  }
}
