package io.bloomery.lookup;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Over which link is service x reached, and how far away is it? One node's view of a network: its
 * own keys, and per link the {@link AttenuatedBloomFilter} that the neighbour there sent last. A
 * key that is within as many hops as filters have levels, along links whose filters are up to date,
 * is always found over the right link at its true number of hops; false positives add links and
 * lower numbers.
 *
 * <p>What a node sends to a neighbour leaves out what came from that neighbour, and is always
 * computed from the filters as they were received, so that nothing is attenuated twice.
 *
 * <p>Threads: needs a lock.
 *
 * <p>Rhea and Kubiatowicz 2002, "Probabilistic Location and Routing".
 *
 * @param <N> names a neighbour; ties are broken by their order
 */
public final class LinkTable<N extends Comparable<? super N>> {

  /**
   * A link that may lead to a key, and its distance.
   *
   * @param link the neighbour
   * @param hops how many hops away the key may be, the one to the neighbour included, 1 or more
   * @param <N> names a neighbour
   */
  public record Hop<N>(N link, int hops) {}

  private AttenuatedBloomFilter own;
  private final NavigableMap<N, AttenuatedBloomFilter> links = new TreeMap<>();

  /**
   * A table without links.
   *
   * @param own this node's keys at level 0; more may be added later
   */
  public LinkTable(AttenuatedBloomFilter own) {
    this.own = Objects.requireNonNull(own, "own");
  }

  /**
   * The filter of this node's keys.
   *
   * @return the filter, not a copy
   */
  public AttenuatedBloomFilter own() {
    return own;
  }

  /**
   * Replaces the filter of this node's keys, because bits cannot be taken out of one: after keys
   * have left the node, by a filter of those that are still there. Neighbours learn of it by the
   * next advertisements.
   *
   * @param remaining this node's keys at level 0; not copied
   * @throws IllegalArgumentException if it is not like the one before
   */
  public void replaceOwn(AttenuatedBloomFilter remaining) {
    Objects.requireNonNull(remaining, "remaining");
    if (!own.isCompatible(remaining)) {
      throw new IllegalArgumentException("remaining = " + remaining + " is not like " + own);
    }
    own = remaining;
  }

  /**
   * The neighbours that sent something.
   *
   * @return an ordered copy
   */
  public Set<N> links() {
    return new TreeSet<>(links.keySet());
  }

  /**
   * What the neighbour of a link sent last.
   *
   * @param link the neighbour
   * @return the filter, not a copy; empty if there is none
   */
  public Optional<AttenuatedBloomFilter> filter(N link) {
    return Optional.ofNullable(links.get(Objects.requireNonNull(link, "link")));
  }

  /**
   * Stores what a neighbour sent, replacing what it sent before.
   *
   * @param link the neighbour
   * @param advertisement what {@link #advertisementFor} returned there; not copied
   */
  public void receive(N link, AttenuatedBloomFilter advertisement) {
    Objects.requireNonNull(link, "link");
    Objects.requireNonNull(advertisement, "advertisement");
    if (!own.isCompatible(advertisement)) {
      throw new IllegalArgumentException(
          "advertisement = " + advertisement + " is not like " + own);
    }
    links.put(link, advertisement);
  }

  /**
   * Drops a link that is gone.
   *
   * @param link the neighbour
   * @return whether it was known
   */
  public boolean remove(N link) {
    return links.remove(Objects.requireNonNull(link, "link")) != null;
  }

  /**
   * What this node sends to a neighbour: its own keys, and what all other links have, one hop
   * further.
   *
   * @param link the neighbour; what came from there is left out
   * @return a new filter
   */
  public AttenuatedBloomFilter advertisementFor(N link) {
    Objects.requireNonNull(link, "link");
    AttenuatedBloomFilter advertisement = own.copy();
    for (Map.Entry<N, AttenuatedBloomFilter> entry : links.entrySet()) {
      if (entry.getKey().compareTo(link) != 0) {
        advertisement.absorbAttenuated(entry.getValue());
      }
    }
    return advertisement;
  }

  /**
   * Whether this node itself may have a key, to be checked before any link.
   *
   * @param hash the key's hash by the filters' hasher
   * @return {@code false}: certainly not; {@code true}: probably
   */
  public boolean isHereHash(long hash) {
    return (own.levelsOfHash(hash) & 1) != 0;
  }

  /**
   * Where a query for a key may go, the most promising first: all links at one hop, then all at
   * two, and so on. A link may appear several times, at different numbers of hops.
   *
   * @param hash the key's hash by the filters' hasher
   * @return links in order of hops, then of their names
   */
  public List<Hop<N>> hopsOfHash(long hash) {
    List<Hop<N>> hops = new ArrayList<>();
    links.forEach(
        (link, filter) -> {
          for (long left = filter.levelsOfHash(hash); left != 0; left &= left - 1) {
            hops.add(new Hop<>(link, Long.numberOfTrailingZeros(left) + 1));
          }
        });
    hops.sort(Comparator.comparingInt(Hop::hops));
    return hops;
  }

  /**
   * The link over which a key may be nearest.
   *
   * @param hash the key's hash by the filters' hasher
   * @return the first of {@link #hopsOfHash}; empty if no link may lead to the key
   */
  public Optional<N> nextOfHash(long hash) {
    N best = null;
    long least = Long.MAX_VALUE;
    for (Map.Entry<N, AttenuatedBloomFilter> entry : links.entrySet()) {
      long level = entry.getValue().getHash(hash);
      if (level >= 0 && level < least) {
        least = level;
        best = entry.getKey();
      }
    }
    return Optional.ofNullable(best);
  }

  /**
   * The links that may lead to a key, by their {@linkplain AttenuatedBloomFilter#potentialHash
   * potential}: one with the key at several distances may come before another with it at one.
   *
   * @param hash the key's hash by the filters' hasher
   * @return links, the highest potential first
   */
  public List<N> byPotentialOfHash(long hash) {
    Map<N, Double> potentials = new LinkedHashMap<>();
    links.forEach((link, filter) -> potentials.put(link, filter.potentialHash(hash)));
    return potentials.entrySet().stream()
        .filter(link -> link.getValue() != 0)
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(ArrayList::new));
  }

  @Override
  public String toString() {
    return "LinkTable[" + links.size() + " links, " + own + "]";
  }
}
