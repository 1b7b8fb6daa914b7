package io.bloomery.lookup;

import io.bloomery.FilterKind;
import io.bloomery.LookupFilter;
import io.bloomery.Mergeable;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import java.io.IOException;
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
 * How many hops away is service x over this link? An array of Bloom filters; level i holds the keys
 * that are exactly i hops from a node, and level 0 its own keys. The lowest level that has a key is
 * never above the true number of hops, as long as that is below the number of levels; it is lower
 * at the rate of the filters. A node sends such an array to its neighbours, after moving the arrays
 * received from others up one level and dropping the last level: {@link #absorbAttenuated}. {@link
 * LinkTable} keeps one per link and routes queries; {@link AttenuatedNetwork} simulates a whole
 * network.
 *
 * <p>All levels answer together in one pass over k rows, as in a {@link FilterBank}. Its shape is
 * that of a bank with one set per level: {@code BankShape.forSets(levels, keysPerLevel, rate)},
 * where in a network of d neighbours per node the fullest level has the keys of about d^levels
 * nodes.
 *
 * <p>Threads: lock-free for adds, merges and queries. {@link #absorbAttenuated} may read the other
 * filter while it changes.
 *
 * <p>Rhea and Kubiatowicz 2002, "Probabilistic Location and Routing"; Tarkoma, Rothenberg and
 * Lagerspetz 2012, sec. IV-B; Broder and Mitzenmacher 2004, sec. 6.2. Deviation: level i holds the
 * keys exactly i hops away along a walk that does not turn back, not all keys within i hops.
 */
public final class AttenuatedBloomFilter extends ShapedFilter<BankShape>
    implements LookupFilter, Mergeable<AttenuatedBloomFilter>, QueryCost {

  public static final FilterKind<AttenuatedBloomFilter> KIND =
      Kind.of(55, "attenuated", AttenuatedBloomFilter.class)
          .question("how many hops away is x? one filter per number of hops")
          .codec(AttenuatedBloomFilter::encode, AttenuatedBloomFilter::decode)
          .unplanned("needs a network of neighbours and the distance of each key");

  /** The most levels. */
  public static final int MAX_LEVELS = 64;

  private final FilterBank bank;

  private AttenuatedBloomFilter(FilterBank bank) {
    super(bank.shape(), bank.hasher());
    this.bank = bank;
  }

  /**
   * A filter of a given shape.
   *
   * @param shape one set per level, 64 at most, without codes
   * @return an empty filter
   */
  public static AttenuatedBloomFilter create(BankShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape one set per level, 64 at most, without codes
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static AttenuatedBloomFilter create(BankShape shape, Hasher hasher) {
    Arguments.inRange("levels", shape.sets(), 1, MAX_LEVELS);
    if (shape.weight() != BankShape.ONE_HOT) {
      throw new IllegalArgumentException(
          "weight = " + shape.weight() + " is not 1, that of one filter per level");
    }
    return new AttenuatedBloomFilter(FilterBank.create(shape, hasher));
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).section(bank.words());
  }

  private static AttenuatedBloomFilter decode(Frame frame) throws IOException {
    frame.number("sets", 1, MAX_LEVELS);
    frame.number("weight", BankShape.ONE_HOT, BankShape.ONE_HOT);
    return new AttenuatedBloomFilter(FilterBank.decode(frame, frame.shape(BankShape.class)));
  }

  @Override
  public FilterKind<AttenuatedBloomFilter> kind() {
    return KIND;
  }

  /**
   * The number of levels.
   *
   * @return 1…64
   */
  public int levels() {
    return bank.sets();
  }

  /**
   * {@inheritDoc}
   *
   * @return the lowest level that may have the key, which is the least number of hops, or {@link
   *     #ABSENT}
   */
  @Override
  public long getHash(long hash) {
    return bank.getHash(hash);
  }

  /**
   * All levels that may have a key.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @return bit i is the answer of level i
   */
  public long levelsOfHash(long hash) {
    return bank.common(hash);
  }

  /**
   * A score for the link of this filter: level 0 counts 1 if it may have the key, and each further
   * level half of the one before.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @return 0 … 2
   */
  public double potentialHash(long hash) {
    long levels = levelsOfHash(hash);
    // Level 0 is the bit before the point of a binary fraction.
    return (Long.reverse(levels) >>> 1) * 0x1p-62 + (levels >>> 63) * 0x1p-63;
  }

  /**
   * Adds a key of the node itself by its hash.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @return {@code true}: the filter changed, so the key was certainly not at level 0; {@code
   *     false}: it was probably there before
   */
  public boolean addHash(long hash) {
    return addHash(hash, 0);
  }

  /**
   * Adds a key to a level by its hash.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @param level how many hops it is away, 0 … levels - 1
   * @return {@code true}: the filter changed, so the key was certainly not at that level; {@code
   *     false}: it was probably there before
   * @throws IllegalStateException if the filter is a read-only view of a mapped file
   */
  public boolean addHash(long hash, int level) {
    Arguments.inRange("level", level, 0, levels() - 1);
    return bank.addHash(hash, level);
  }

  /**
   * Adds a text key of the node itself.
   *
   * @param key the key
   * @return {@code true}: certainly new at level 0; {@code false}: probably there before
   */
  public boolean add(CharSequence key) {
    return addHash(hasher().hash(key), 0);
  }

  /**
   * Adds a byte-string key of the node itself.
   *
   * @param key the key
   * @return {@code true}: certainly new at level 0; {@code false}: probably there before
   */
  public boolean add(byte[] key) {
    return addHash(hasher().hash(key), 0);
  }

  /**
   * Adds a number as a key of the node itself.
   *
   * @param key the key
   * @return {@code true}: certainly new at level 0; {@code false}: probably there before
   */
  public boolean add(long key) {
    return addHash(hasher().hash(key), 0);
  }

  /**
   * Adds a character as a key of the node itself.
   *
   * @param key the key, which counts as text
   * @return {@code true}: certainly new at level 0; {@code false}: probably there before
   */
  public boolean add(char key) {
    return addHash(hasher().hash(key), 0);
  }

  /**
   * Adds an object as a key of the node itself.
   *
   * @param key the object
   * @param funnel writes the object's fields
   * @param <T> the object's type
   * @return {@code true}: certainly new at level 0; {@code false}: probably there before
   */
  public <T> boolean add(T key, Funnel<? super T> funnel) {
    return addHash(hasher().hash(key, funnel), 0);
  }

  /**
   * Adds the levels of another filter, each one level higher: a key i hops from there is i + 1 hops
   * from here. Its last level is left out.
   *
   * @param other a compatible filter, not this one
   */
  public void absorbAttenuated(AttenuatedBloomFilter other) {
    Objects.requireNonNull(other, "other");
    if (other == this) {
      throw new IllegalArgumentException("other is this filter itself");
    }
    bank.mergeShifted(other.bank);
  }

  /** {@inheritDoc} Here: the probability that some level has it. */
  @Override
  public double falsePositiveRate() {
    return bank.falsePositiveRate();
  }

  @Override
  public int hashBits() {
    return shape().hashBits();
  }

  @Override
  public int memoryAccesses() {
    return shape().memoryAccesses();
  }

  /**
   * The probability that a level has a key that was not added to it, at its current fill.
   *
   * @param level 0 … levels - 1
   * @return the rate
   */
  public double falsePositiveRate(int level) {
    Arguments.inRange("level", level, 0, levels() - 1);
    return bank.falsePositiveRate(level);
  }

  @Override
  public boolean isCompatible(AttenuatedBloomFilter other) {
    return fits(other);
  }

  /** {@inheritDoc} Merges level by level. */
  @Override
  public void merge(AttenuatedBloomFilter other) {
    requireFits(other);
    bank.merge(other.bank);
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same bits, writable even if this one is mapped
   */
  public AttenuatedBloomFilter copy() {
    return new AttenuatedBloomFilter(bank.copy());
  }

  /**
   * Over which link is service x reached, and how far away is it? One node's view of a network: its
   * own keys, and per link the {@link AttenuatedBloomFilter} that the neighbour there sent last. If
   * filters are up to date, a key within as many hops as there are levels is always found over the
   * right link at its true number of hops; false positives add links and smaller distances.
   *
   * <p>A node's advertisement to a neighbour leaves out what that neighbour sent, and is always
   * computed from the filters as received, so that nothing is attenuated twice.
   *
   * <p>Threads: needs a lock.
   *
   * <p>Rhea and Kubiatowicz 2002, "Probabilistic Location and Routing".
   *
   * @param <N> identifies a neighbour; ties are broken by its natural order
   */
  public static final class LinkTable<N extends Comparable<? super N>> {

    /**
     * A link that may lead to a key, and its distance.
     *
     * @param link the neighbour
     * @param hops how many hops away the key may be, including the one to the neighbour, 1 or more
     * @param <N> identifies a neighbour
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
     * Replaces the filter of this node's keys. A Bloom filter has no deletes, so after keys were
     * removed from the node, pass a new filter of the remaining ones. Neighbours learn of it with
     * the next advertisements.
     *
     * @param remaining this node's keys at level 0; not copied
     * @throws IllegalArgumentException if its shape or hasher differs
     */
    public void replaceOwn(AttenuatedBloomFilter remaining) {
      Objects.requireNonNull(remaining, "remaining");
      if (!own.isCompatible(remaining)) {
        throw new IllegalArgumentException("remaining = " + remaining + " is not like " + own);
      }
      own = remaining;
    }

    /**
     * The neighbours that sent a filter.
     *
     * @return an ordered copy
     */
    public Set<N> links() {
      return new TreeSet<>(links.keySet());
    }

    /**
     * The latest filter that a neighbour sent.
     *
     * @param link the neighbour
     * @return the filter, not a copy; empty if there is none
     */
    public Optional<AttenuatedBloomFilter> filter(N link) {
      return Optional.ofNullable(links.get(Objects.requireNonNull(link, "link")));
    }

    /**
     * Stores the advertisement of a neighbour, replacing its previous one.
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
     * Drops a link.
     *
     * @param link the neighbour
     * @return whether it was known
     */
    public boolean remove(N link) {
      return links.remove(Objects.requireNonNull(link, "link")) != null;
    }

    /**
     * The advertisement for a neighbour: this node's own keys, and those of all other links, one
     * hop further.
     *
     * @param link the neighbour, whose own advertisement is left out
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
     * potential}: a link with the key at several distances may come before one with it at a single
     * distance.
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
}
