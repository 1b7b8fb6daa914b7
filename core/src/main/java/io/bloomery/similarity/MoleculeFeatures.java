package io.bloomery.similarity;

import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.probe.Mix;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Enumerates the features of a molecule. Each is a 64-bit hash and a size in bonds, passed to a
 * {@link Sink}; the same feature may come several times.
 *
 * <p>Every feature of {@link #paths} of a part is also one of the whole, so a fingerprint of them
 * can screen: linear paths, rings, branches, and their counts, where a count is one feature for
 * every number that it reaches. {@link #circular} features describe the surroundings of each atom,
 * which a part does not share with the whole.
 */
final class MoleculeFeatures {

  /** The most bonds of a path. */
  public static final int MAX_BONDS = 12;

  /** The most bonds of a ring that is a feature. */
  public static final int MAX_RING = 8;

  /** The largest radius of circular features. */
  public static final int MAX_RADIUS = 8;

  /** Counts are features up to this number. */
  private static final int MAX_COUNT = 64;

  private static final long PATH = 0x50415448;
  private static final long RING = 0x52494E47;
  private static final long BRANCH = 0x4252414E;
  private static final long COUNT = 0x434F554E;
  private static final long CIRCLE = 0x43495243;

  /** Receives the features of a molecule. */
  @FunctionalInterface
  public interface Sink {
    /**
     * Receives one feature.
     *
     * @param hash its hash
     * @param bonds its size; 0 for an atom or a count
     */
    void feature(long hash, int bonds);
  }

  private final MoleculeGraph graph;
  private final Sink sink;
  private final long[] atoms;
  private final long[][] bonds;

  // The path that is being followed: atoms, and label hashes of atoms and bonds in turn.
  private final boolean[] onPath;
  private final long[] path;

  private MoleculeFeatures(MoleculeGraph graph, Hasher hasher, int maxBonds, Sink sink) {
    this.graph = graph;
    this.sink = sink;
    this.onPath = new boolean[graph.atoms()];
    this.path = new long[2 * Math.max(maxBonds, MAX_RING) + 2];
    Map<String, Long> hashes = new HashMap<>();
    this.atoms = new long[graph.atoms()];
    this.bonds = new long[graph.atoms()][];
    for (int atom = 0; atom < atoms.length; atom++) {
      atoms[atom] = hashes.computeIfAbsent(graph.label(atom), hasher::hash);
      bonds[atom] = new long[graph.links(atom)];
      for (int i = 0; i < bonds[atom].length; i++) {
        bonds[atom][i] = hashes.computeIfAbsent(graph.bond(atom, i), hasher::hash);
      }
    }
  }

  /**
   * The features of a screen: every linear path of distinct atoms with up to {@code maxBonds}
   * bonds, read in the direction whose labels come first; every ring of up to 8 bonds; every three
   * neighbours of an atom; and the numbers of atoms of each label, of branches of each sort and of
   * rings.
   *
   * @param graph the molecule
   * @param hasher hashes the labels
   * @param maxBonds the most bonds of a path, 0 … 12; 7 is usual
   * @param sink receives the features
   */
  public static void paths(MoleculeGraph graph, Hasher hasher, int maxBonds, Sink sink) {
    Objects.requireNonNull(graph, "graph");
    Objects.requireNonNull(hasher, "hasher");
    Objects.requireNonNull(sink, "sink");
    Arguments.inRange("maxBonds", maxBonds, 0, MAX_BONDS);
    MoleculeFeatures features = new MoleculeFeatures(graph, hasher, maxBonds, sink);
    for (int atom = 0; atom < graph.atoms(); atom++) {
      features.path[0] = features.atoms[atom];
      features.follow(atom, atom, 0, maxBonds);
    }
    features.branches();
    features.counts();
  }

  /** Extends all paths from {@code start} that currently end at {@code end}. */
  private void follow(int start, int end, int length, int maxBonds) {
    if (start <= end && length <= maxBonds) {
      sink.feature(path(length), length);
    }
    boolean ends = length == Math.max(maxBonds, MAX_RING - 1);
    onPath[end] = true;
    for (int i = 0; i < graph.links(end); i++) {
      int next = graph.neighbor(end, i);
      path[2 * length + 1] = bonds[end][i];
      if (next == start && length >= 2 && length < MAX_RING) {
        ring(length + 1);
      } else if (!ends && !onPath[next]) {
        path[2 * length + 2] = atoms[next];
        follow(start, next, length + 1, maxBonds);
      }
    }
    onPath[end] = false;
  }

  private static long fold(long hash, long next) {
    return Mix.mix((hash + Mix.GOLDEN) ^ next);
  }

  /** The hash of a path, the same from both ends. */
  private long path(int length) {
    int last = 2 * length;
    int i = 0;
    while (i < last && path[i] == path[last - i]) {
      i++;
    }
    boolean forward = i >= last || path[i] < path[last - i];
    long hash = PATH;
    for (int j = 0; j <= last; j++) {
      hash = fold(hash, path[forward ? j : last - j]);
    }
    return hash;
  }

  /**
   * The hash of a ring of labels. It is found from each of its atoms in both directions, so it is
   * read from its least rotation.
   */
  private void ring(int length) {
    int labels = 2 * length;
    for (int turn = 2; turn < labels; turn += 2) {
      if (isLess(turn, 1, labels)) {
        return;
      }
    }
    for (int turn = 0; turn < labels; turn += 2) {
      if (isLess(turn, -1, labels)) {
        return;
      }
    }
    long hash = RING;
    for (int i = 0; i < labels; i++) {
      hash = fold(hash, path[i]);
    }
    sink.feature(hash, length);
  }

  /** Whether the ring read from label {@code turn} precedes the ring as it was found. */
  private boolean isLess(int turn, int step, int labels) {
    for (int i = 0; i < labels; i++) {
      long other = path[Math.floorMod(turn + step * i, labels)];
      if (other != path[i]) {
        return other < path[i];
      }
    }
    return false;
  }

  /** Features of each atom with three of its neighbours, and counts of such atoms. */
  private void branches() {
    Map<Long, Integer> counts = new TreeMap<>();
    for (int atom = 0; atom < atoms.length; atom++) {
      long[] arms = arms(atom, graph.links(atom), atoms);
      Map<Long, Boolean> own = new TreeMap<>();
      for (int i = 0; i < arms.length; i++) {
        for (int j = i + 1; j < arms.length; j++) {
          for (int k = j + 1; k < arms.length; k++) {
            long hash = fold(BRANCH, atoms[atom]);
            for (long arm : new long[] {arms[i], arms[j], arms[k]}) {
              hash = fold(hash, arm);
            }
            own.put(hash, true);
          }
        }
      }
      own.keySet().forEach(hash -> counts.merge(hash, 1, Integer::sum));
    }
    counts.forEach((hash, count) -> reach(hash, count, 3));
  }

  /** One hash per neighbour, of its bond and a property of the neighbour, sorted. */
  private long[] arms(int atom, int links, long[] about) {
    long[] arms = new long[links];
    for (int i = 0; i < arms.length; i++) {
      arms[i] = fold(bonds[atom][i], about[graph.neighbor(atom, i)]);
    }
    Arrays.sort(arms);
    return arms;
  }

  private void counts() {
    Map<Long, Integer> counts = new TreeMap<>();
    for (long atom : atoms) {
      counts.merge(fold(COUNT, atom), 1, Integer::sum);
    }
    counts.put(fold(COUNT, RING), graph.rings());
    counts.forEach((hash, count) -> reach(hash, count, 0));
  }

  /** A feature for each of 1, 2, 3, 4, 6, 8, 12, 16, … up to a count. */
  private void reach(long hash, int count, int bonds) {
    for (int i = 1;
        i <= Math.min(count, MAX_COUNT);
        i += i < 4 ? 1 : Integer.highestOneBit(i) / 2) {
      sink.feature(Mix.stream(hash, i), bonds);
    }
  }

  /**
   * Circular features as in ECFP (Rogers and Hahn 2010): each atom with its environment and number
   * of neighbours, and its surroundings within 1, 2, … bonds. For similarity only: an atom of a
   * part has fewer neighbours than in the whole, so that a fingerprint of them loses matches when
   * it is used as a screen. Deviation: surroundings that consist of the same bonds are not removed.
   *
   * @param graph the molecule
   * @param hasher hashes the labels
   * @param radius how many bonds around an atom, 0 … 8; ECFP4 has 2
   * @param sink receives the features
   */
  public static void circular(MoleculeGraph graph, Hasher hasher, int radius, Sink sink) {
    Objects.requireNonNull(graph, "graph");
    Objects.requireNonNull(hasher, "hasher");
    Objects.requireNonNull(sink, "sink");
    Arguments.inRange("radius", radius, 0, MAX_RADIUS);
    MoleculeFeatures features = new MoleculeFeatures(graph, hasher, 0, sink);
    long[] around = new long[graph.atoms()];
    for (int atom = 0; atom < around.length; atom++) {
      long environment = hasher.hash(graph.environment(atom));
      around[atom] = fold(CIRCLE + graph.degree(atom), features.atoms[atom]);
      around[atom] = fold(around[atom], environment);
      sink.feature(around[atom], 0);
    }
    for (int step = 1; step <= radius; step++) {
      long[] wider = new long[around.length];
      for (int atom = 0; atom < around.length; atom++) {
        wider[atom] = Mix.stream(around[atom], step);
        for (long arm : features.arms(atom, graph.degree(atom), around)) {
          wider[atom] = fold(wider[atom], arm);
        }
        sink.feature(wider[atom], step);
      }
      around = wider;
    }
  }
}
