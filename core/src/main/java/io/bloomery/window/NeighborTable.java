package io.bloomery.window;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.probe.Mix;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Which neighbour probably leads to x? One node's view of a network: the filter of its own keys and
 * the last advertisement of each neighbour. A query goes to the neighbour whose filter has the most
 * remaining bits of the key, if they exceed the noise; otherwise it may go anywhere.
 *
 * <p>A node always computes its advertisements from its own keys and the filters as its neighbours
 * sent them, so that refreshing does not decay anything twice.
 *
 * <p>Threads: needs a lock.
 *
 * <p>Kumar, Xu and Zegura 2005, "Efficient and Scalable Query Routing for Unstructured Peer-to-Peer
 * Networks".
 *
 * @param <N> identifies a neighbour; used as a hash map key
 */
public final class NeighborTable<N> {

  private static final double NOISE_DEVIATIONS = 3;

  /** An advertisement and the seed under which it decays here. */
  private record Heard(ExponentialDecayFilter filter, long seed) {}

  private final ExponentialDecayFilter own;
  private final double decay;
  private final long seed;
  private final Map<N, Heard> heard = new LinkedHashMap<>();
  private int seeds;

  /**
   * A table without neighbours.
   *
   * @param own the filter of this node's keys, which may keep changing
   * @param decay d: the share 1/d of a neighbour's bits is passed on, 1 or more; about the number
   *     of neighbours, so that distant keys fade as fast as their number grows
   * @param seed chooses the bits; different on every node
   */
  public NeighborTable(ExponentialDecayFilter own, double decay, long seed) {
    this.own = Objects.requireNonNull(own, "own");
    this.decay = Arguments.inRange("decay", decay, 1, 1e9);
    this.seed = seed;
  }

  /**
   * The filter of this node's keys.
   *
   * @return the filter, not a copy
   */
  public ExponentialDecayFilter own() {
    return own;
  }

  /**
   * Stores the advertisement of a neighbour, replacing its last one.
   *
   * @param neighbor the sender
   * @param advertisement what {@link #advertisementFor} returned there; not copied
   */
  public void receive(N neighbor, ExponentialDecayFilter advertisement) {
    Objects.requireNonNull(neighbor, "neighbor");
    Objects.requireNonNull(advertisement, "advertisement");
    if (!own.isCompatible(advertisement)) {
      throw new IllegalArgumentException(
          "advertisement = " + advertisement + " is not like " + own);
    }
    Heard before = heard.get(neighbor);
    long kept = before == null ? Mix.mix(seed + ++seeds * Mix.GOLDEN) : before.seed;
    heard.put(neighbor, new Heard(advertisement, kept));
  }

  /**
   * Drops a neighbour.
   *
   * @param neighbor the neighbour
   * @return whether it was known
   */
  public boolean remove(N neighbor) {
    return heard.remove(Objects.requireNonNull(neighbor, "neighbor")) != null;
  }

  /**
   * What this node advertises to a neighbour: its own keys, and a share of the other neighbours'
   * advertisements.
   *
   * @param neighbor the receiver, whose own advertisement is left out
   * @return a new filter
   */
  public ExponentialDecayFilter advertisementFor(N neighbor) {
    Objects.requireNonNull(neighbor, "neighbor");
    ExponentialDecayFilter advertisement = own.copy();
    heard.forEach(
        (other, its) -> {
          if (!other.equals(neighbor)) {
            advertisement.absorb(its.filter, 1 / decay, its.seed);
          }
        });
    return advertisement;
  }

  /**
   * Where a query for a key should go.
   *
   * @param hash the key's hash by the filters' hasher
   * @return the neighbour with the most bits of the key above its noise, or empty if none is at
   *     least three standard deviations above
   */
  public Optional<N> next(long hash) {
    N best = null;
    double most = 0;
    int hashesPerKey = own.shape().hashesPerKey();
    for (Map.Entry<N, Heard> entry : heard.entrySet()) {
      ExponentialDecayFilter filter = entry.getValue().filter;
      double fill = filter.fillRatio();
      double above = filter.matchesHash(hash) - hashesPerKey * fill;
      if (above > most && above > NOISE_DEVIATIONS * Math.sqrt(hashesPerKey * fill * (1 - fill))) {
        most = above;
        best = entry.getKey();
      }
    }
    return Optional.ofNullable(best);
  }

  @Override
  public String toString() {
    return "NeighborTable[" + heard.size() + " neighbours, decay " + decay + ", " + own + "]";
  }
}
