package io.bloomery.sync;

import io.bloomery.IncompatibleFiltersException;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.probe.Mix;
import java.util.Arrays;
import java.util.Objects;

/**
 * An approximate reconciliation tree: finds most of the keys that this set has and another lacks,
 * from a {@link TreeSummary} of 8 bits per key of the other. Keys it finds are certainly missing
 * there; some missing keys are not found ({@link ReconciliationShape#expectedFound}).
 *
 * <p>It is a binary trie over mixed hashes. The value of an inner node is the xor of the values of
 * its leaves, so that equal subtrees of two sets have equal values and are skipped. A walk visits
 * only some of the nodes: at 4 + 4 bits per key, 100 differences in 10,000 keys and correction
 * level 2, 0.54 nodes per key. A plain filter of 8 bits finds more (97.8 %, see {@link
 * FilterExchange}) but looks up every key; both are approximate, and their size grows with the set.
 * To find all of a small difference, {@link InvertibleTable} and {@link RatelessTable} send less.
 *
 * <p>A false positive at an inner node hides all differences below it. The correction level c
 * therefore lets a walk continue until c + 1 consecutive nodes on a path are reported present.
 *
 * <p>Takes 16 bytes per key; building sorts the hashes. Immutable and thread-safe.
 *
 * <p>Byers, Considine, Mitzenmacher and Rost 2004, "Informed Content Delivery Across Adaptive
 * Overlay Networks", sec. 5.3; Broder and Mitzenmacher 2004, sec. 5.2, whose last paragraph swaps
 * the sets: A computes S_A − S_B. Deviation: nodes with one child are skipped, on both sides.
 */
public final class ReconciliationTree {

  /** The correction level of {@link #missingFrom(TreeSummary)}. */
  public static final int DEFAULT_CORRECTION = 2;

  private final Hasher hasher;
  private final long[] places; // mixed hashes, distinct, in unsigned order
  private final long[] sums; // sums[i] is the xor of the values of the first i leaves

  private ReconciliationTree(Hasher hasher, long[] places) {
    this.hasher = hasher;
    this.places = places;
    this.sums = new long[places.length + 1];
    for (int i = 0; i < places.length; i++) {
      sums[i + 1] = sums[i] ^ Mix.stream(places[i], 1);
    }
  }

  /**
   * The tree of keys given by their hashes.
   *
   * @param hashes the keys' hashes by {@link Hasher#xxh3()}, in any order, duplicates allowed; not
   *     modified
   * @return the tree
   */
  public static ReconciliationTree ofHashes(long[] hashes) {
    return ofHashes(hashes, Hasher.xxh3());
  }

  /**
   * The tree of numbers.
   *
   * @param keys the keys, in any order, duplicates allowed; each is hashed by {@link Hasher#xxh3()}
   * @return the tree
   */
  public static ReconciliationTree ofKeys(long[] keys) {
    return ofHashes(Hasher.xxh3().hashAll(keys));
  }

  /**
   * The tree of keys given by their hashes.
   *
   * @param hashes the keys' hashes by {@code hasher}, in any order, duplicates allowed; not
   *     modified
   * @param hasher the same on both sides
   * @return the tree
   */
  public static ReconciliationTree ofHashes(long[] hashes, Hasher hasher) {
    Objects.requireNonNull(hasher, "hasher");
    long[] places = new long[hashes.length];
    for (int i = 0; i < places.length; i++) {
      places[i] = Mix.mix(hashes[i]) ^ Long.MIN_VALUE; // signed order is then unsigned order
    }
    Arrays.sort(places);
    int distinct = 0;
    for (int i = 0; i < places.length; i++) {
      if (i == 0 || places[i] != places[i - 1]) {
        places[distinct++] = places[i];
      }
    }
    places = Arrays.copyOf(places, distinct);
    for (int i = 0; i < distinct; i++) {
      places[i] ^= Long.MIN_VALUE;
    }
    return new ReconciliationTree(hasher, places);
  }

  /**
   * The number of distinct keys.
   *
   * @return that of the leaves
   */
  public int keyCount() {
    return places.length;
  }

  /**
   * The hasher whose hashes were given.
   *
   * @return the hasher
   */
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The summary of the usual shape, 4 + 4 bits per key.
   *
   * @return a summary to send
   */
  public TreeSummary summary() {
    return summary(ReconciliationShape.forKeys(places.length));
  }

  /**
   * A summary of a given shape.
   *
   * @param shape bits and hashes of the two filters
   * @return a summary to send
   */
  public TreeSummary summary(ReconciliationShape shape) {
    TreeSummary summary = new TreeSummary(Objects.requireNonNull(shape, "shape"), hasher);
    for (long place : places) {
      summary.addLeaf(Mix.unmix(place));
    }
    addInner(summary, 0, places.length);
    return summary;
  }

  /** Adds the inner nodes of the leaves {@code from … to - 1}; at most 64 calls deep. */
  private void addInner(TreeSummary summary, int from, int to) {
    if (to - from > 1) {
      summary.addInner(sums[to] ^ sums[from]);
      int middle = middle(from, to);
      addInner(summary, from, middle);
      addInner(summary, middle, to);
    }
  }

  /** The first leaf of the right child: the first leaf with the highest differing bit set. */
  private int middle(int from, int to) {
    long bit = Long.highestOneBit(places[from] ^ places[to - 1]);
    int low = from + 1; // the left child has this first one
    int high = to - 1; // and the right child this last one
    while (low < high) {
      int between = (low + high) >>> 1;
      if ((places[between] & bit) == 0) {
        low = between + 1;
      } else {
        high = between;
      }
    }
    return low;
  }

  /**
   * Finds keys that the sender of a summary lacks, with correction level {@value
   * #DEFAULT_CORRECTION}.
   *
   * @param peer the other side's summary
   * @return the hashes of keys that this side has and the other certainly lacks, in no particular
   *     order
   * @throws IncompatibleFiltersException if the hashers differ
   */
  public long[] missingFrom(TreeSummary peer) {
    return missingFrom(peer, DEFAULT_CORRECTION);
  }

  /**
   * Finds keys that the sender of a summary lacks.
   *
   * @param peer the other side's summary
   * @param correction how many consecutive inner nodes that are reported present are passed before
   *     a subtree is skipped, 0 … {@value ReconciliationShape#MAX_CORRECTION}
   * @return the hashes of keys that this side has and the other certainly lacks, in no particular
   *     order
   * @throws IncompatibleFiltersException if the hashers differ
   */
  public long[] missingFrom(TreeSummary peer, int correction) {
    return walk(peer, correction).hashes();
  }

  /** Walks through the tree. */
  Walk walk(TreeSummary peer, int correction) {
    Arguments.inRange("correction", correction, 0, ReconciliationShape.MAX_CORRECTION);
    if (!hasher.equals(peer.hasher())) {
      throw new IncompatibleFiltersException("hasher " + hasher + " != " + peer.hasher());
    }
    Walk walk = new Walk(peer, correction);
    if (places.length > 0) {
      walk.visit(this, 0, places.length, 0);
    }
    return walk;
  }

  /** The number of inner nodes above a key of this set. */
  int depth(long hash) {
    long place = Mix.mix(hash);
    int from = 0;
    int to = places.length;
    int depth = 0;
    for (; to - from > 1; depth++) {
      int middle = middle(from, to);
      if (Long.compareUnsigned(place, places[middle]) < 0) {
        to = middle;
      } else {
        from = middle;
      }
    }
    return depth;
  }

  /** The result of a walk through the tree, and its cost. */
  static final class Walk {

    private final TreeSummary peer;
    private final int correction;
    private long[] found = new long[16];
    private int count;
    private long visited;

    private Walk(TreeSummary peer, int correction) {
      this.peer = peer;
      this.correction = correction;
    }

    private void visit(ReconciliationTree tree, int from, int to, int matches) {
      visited++;
      if (to - from == 1) {
        long hash = Mix.unmix(tree.places[from]);
        if (!peer.mightContainHash(hash)) {
          add(hash);
        }
        return;
      }
      int now = peer.mightContainInner(tree.sums[to] ^ tree.sums[from]) ? matches + 1 : 0;
      if (now <= correction) {
        int middle = tree.middle(from, to);
        visit(tree, from, middle, now);
        visit(tree, middle, to, now);
      }
    }

    private void add(long hash) {
      if (count == found.length) {
        found = Arrays.copyOf(found, 2 * count);
      }
      found[count++] = hash;
    }

    /** The hashes of keys that this side has and the other certainly lacks. */
    long[] hashes() {
      return Arrays.copyOf(found, count);
    }

    /** The number of nodes that were looked up, inner nodes and leaves. */
    long visited() {
      return visited;
    }
  }
}
