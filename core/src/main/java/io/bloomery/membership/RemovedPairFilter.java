package io.bloomery.membership;

import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.RemovableFilter;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Probes;
import java.io.IOException;
import java.util.Objects;

/**
 * Two Bloom filters, one of added and one of removed keys, so that a key may leave once; a removed
 * key is always reported absent, but so is a live key with the probability {@link
 * #falseNegativeRate}, because false positives of the second filter are false negatives of the
 * pair.
 *
 * <p>A removed key cannot be added again, nor can a new key that the filter of removed keys takes
 * for one of its own: {@code add} then throws {@link IllegalStateException} and changes nothing,
 * since the key would be reported absent. Removing a key that was never added but is answered
 * "probably present" works and does no harm beyond the room it takes in the second filter. Use a
 * counting or a cuckoo filter where keys come and go; this one is right for few, final removals.
 *
 * <p>Source: Tarkoma, Rothenberg and Lagerspetz 2012, sec. II-B. Deviation: the second filter sees
 * a 64-bit mix of the hash, so that the errors of the two are independent. There is no merge: a key
 * that one pair holds and the other has removed would be lost.
 *
 * <p>Threads: any number may add, remove and query without a lock. A key whose {@code remove}
 * returned true is absent, and one whose {@code add} returned is in the first filter, for every
 * later query of a thread that can see that return. If one thread adds a key while another removes
 * it, it ends as removed or as if the removal had found nothing.
 */
public final class RemovedPairFilter implements RemovableFilter, Storable {

  /** How files name this kind. */
  public static final FilterKind<RemovedPairFilter> KIND =
      new FilterKind<>(
          12,
          "removed-pair",
          "is x in the set? keys may leave once, some others with them",
          RemovedPairFilter.class,
          RemovedPairFilter::encode,
          RemovedPairFilter::decode,
          () ->
              FilterRecipe.lockFree(
                  RemovedPairShape.class,
                  RemovedPairFilter::shapeFor,
                  FilterRecipe.byRate(RemovedPairFilter::shapeFor),
                  order -> of(order.shape(), order.hasher())));

  private static final int REMOVED_FAMILY = 0;

  private final Hasher hasher;
  private final RemovedPairShape shape;
  private final Probes addedProbes;
  private final Probes removedProbes;
  private final Words added;
  private final Words removed;

  private RemovedPairFilter(Hasher hasher, RemovedPairShape shape, Words added, Words removed) {
    this.hasher = hasher;
    this.shape = shape;
    this.addedProbes = probes(shape.added());
    this.removedProbes = probes(shape.removed());
    this.added = added;
    this.removed = removed;
  }

  private static Probes probes(BloomShape shape) {
    return new Probes(IndexScheme.INDEPENDENT, shape.bits(), shape.probes());
  }

  /**
   * The smallest pair whose filters both keep one rate.
   *
   * @param expectedKeys distinct keys to add, at least 1
   * @param expectedRemovals distinct keys to remove, at least 1
   * @param rate the rate of false positives, and of false negatives among the live keys, when that
   *     many keys were added and removed, within (0, 1)
   * @return an empty filter
   */
  public static RemovedPairFilter create(long expectedKeys, long expectedRemovals, double rate) {
    return of(RemovedPairShape.forKeys(expectedKeys, rate, expectedRemovals, rate), Hasher.xxh3());
  }

  /**
   * A pair of a given shape and hasher.
   *
   * @param shape the sizes of both filters
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static RemovedPairFilter of(RemovedPairShape shape, Hasher hasher) {
    Objects.requireNonNull(hasher, "hasher");
    return new RemovedPairFilter(
        hasher,
        shape,
        Words.forBits(shape.added().bits(), true),
        Words.forBits(shape.removed().bits(), true));
  }

  /** As many keys may leave as were added. */
  private static RemovedPairShape shapeFor(long keys, double rate) {
    return RemovedPairShape.forKeys(keys, rate, keys, rate);
  }

  private Frame encode() {
    return Frame.of(hasher)
        .put("bits", shape.added().bits())
        .put("probes", shape.added().probes())
        .put("removed bits", shape.removed().bits())
        .put("removed probes", shape.removed().probes())
        .section(added)
        .section(removed);
  }

  private static RemovedPairFilter decode(Frame frame) throws IOException {
    BloomShape added = shape(frame, "bits", "probes");
    BloomShape removed = shape(frame, "removed bits", "removed probes");
    return new RemovedPairFilter(
        frame.hasher(),
        new RemovedPairShape(added, removed),
        frame.bits(0, added.bits()),
        frame.bits(1, removed.bits()));
  }

  private static BloomShape shape(Frame frame, String bitsName, String probesName)
      throws IOException {
    long bits = frame.number(bitsName, 2, BloomShape.MAX_BITS);
    long probes = frame.number(probesName, 1, Math.min(BloomShape.MAX_PROBES, bits));
    return BloomShape.of(bits, (int) probes);
  }

  @Override
  public FilterKind<RemovedPairFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The fixed parameters.
   *
   * @return the sizes of both filters
   */
  public RemovedPairShape shape() {
    return shape;
  }

  /**
   * {@inheritDoc} Here {@code false} is certain only for keys that were removed or never added.
   *
   * @return {@code false}: removed, never added, or a live key lost with the probability {@link
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
   * @throws IllegalStateException if the key was removed, or the filter of removed keys takes it
   *     for one that was; or if the filter is a read-only view of a mapped file
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
   * @return {@code false}: the key is reported absent already and nothing changed; {@code true}:
   *     from now on it is reported absent for ever
   */
  @Override
  public boolean removeHash(long hash) {
    removed.writable();
    return mightContainHash(hash)
        && removedProbes.setAll(Draws.family(hash, REMOVED_FAMILY), removed);
  }

  /** {@inheritDoc} Here: yes of the first filter and no of the second. */
  @Override
  public double falsePositiveRate() {
    double yes = Math.pow((double) added.bitCount() / shape.added().bits(), shape.added().probes());
    return yes * (1 - falseNegativeRate());
  }

  /**
   * The probability that a key that was added and not removed is reported absent, at the present
   * fill of the filter of removed keys. Reads that whole filter.
   *
   * @return a probability, 0 before the first removal
   */
  public double falseNegativeRate() {
    double fill = (double) removed.bitCount() / shape.removed().bits();
    return Math.pow(fill, shape.removed().probes());
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  /**
   * An independent heap copy. It reflects every call that returned before; of calls that run
   * meanwhile it may reflect some.
   *
   * @return a filter with the same keys
   */
  public RemovedPairFilter copy() {
    return new RemovedPairFilter(hasher, shape, added.copy(), removed.copy());
  }
}
