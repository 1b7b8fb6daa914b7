package io.bloomery.similarity;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A molecule as its fingerprint sees it: atoms and bonds with labels, without any chemistry. Any
 * labelled graph works.
 *
 * <p>A fingerprint can screen for substructures only if every label of a part is also that of the
 * whole. So a label states the properties in which two atoms must agree to match, such as the
 * element, and leaves out those that may differ, such as hydrogens, charge or the number of
 * neighbours; an aromatic bond has a separate label. Other properties may be part of the atom's
 * environment, which only {@linkplain MoleculeFeatures#circular circular features} use.
 *
 * <p>Immutable.
 */
public final class MoleculeGraph {

  private final String[] labels;
  private final String[] environments;
  private final int[] degrees;
  private final int[][] neighbors;
  private final String[][] bonds;
  private final int bondCount;

  private MoleculeGraph(Builder builder) {
    int atoms = builder.labels.size();
    this.labels = builder.labels.toArray(String[]::new);
    this.environments = builder.environments.toArray(String[]::new);
    this.bondCount = (int) builder.bonds.stream().filter(Bond::isFirst).count();
    this.degrees = new int[atoms];
    int[] links = new int[atoms];
    for (Bond bond : builder.bonds) {
      links[bond.from]++;
      links[bond.to]++;
    }
    this.neighbors = new int[atoms][];
    this.bonds = new String[atoms][];
    for (int atom = 0; atom < atoms; atom++) {
      neighbors[atom] = new int[links[atom]];
      bonds[atom] = new String[links[atom]];
    }
    for (Bond bond : builder.bonds) { // further labels of bonds follow at the end
      connect(bond.from, bond.to, bond, links);
      connect(bond.to, bond.from, bond, links);
    }
  }

  private void connect(int from, int to, Bond bond, int[] links) {
    int at = bond.isFirst ? degrees[from]++ : --links[from];
    neighbors[from][at] = to;
    bonds[from][at] = bond.label;
  }

  private record Bond(int from, int to, String label, boolean isFirst) {}

  /**
   * Starts a graph.
   *
   * @return a builder without atoms
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * How many atoms there are.
   *
   * @return their number
   */
  public int atoms() {
    return labels.length;
  }

  /**
   * How many bonds there are.
   *
   * @return their number
   */
  public int bonds() {
    return bondCount;
  }

  /**
   * The label of an atom.
   *
   * @param atom its number, starting at 0
   * @return the label
   */
  public String label(int atom) {
    return labels[atom];
  }

  /**
   * Further properties of an atom.
   *
   * @param atom its number, starting at 0
   * @return the environment; empty if none was given
   */
  public String environment(int atom) {
    return environments[atom];
  }

  /**
   * How many atoms an atom is bonded to.
   *
   * @param atom its number, starting at 0
   * @return the degree
   */
  public int degree(int atom) {
    return degrees[atom];
  }

  /**
   * How many labels the bonds of an atom have; the first {@link #degree} are one for each bond.
   *
   * @param atom its number, starting at 0
   * @return the degree, and one more for each other label of a bond
   */
  public int links(int atom) {
    return neighbors[atom].length;
  }

  /**
   * A neighbour of an atom.
   *
   * @param atom its number, from 0 on
   * @param link 0 … {@link #links} - 1
   * @return the neighbour's number
   */
  public int neighbor(int atom, int link) {
    return neighbors[atom][link];
  }

  /**
   * A label of the bond to a neighbour.
   *
   * @param atom its number, from 0 on
   * @param link 0 … {@link #links} - 1
   * @return the label
   */
  public String bond(int atom, int link) {
    return bonds[atom][link];
  }

  /**
   * The number of rings: the number of bonds that could be cut without disconnecting any two atoms.
   * A part never has more than the whole.
   *
   * @return bonds - atoms + connected components
   */
  public int rings() {
    boolean[] seen = new boolean[atoms()];
    int components = 0;
    int[] stack = new int[atoms()];
    for (int start = 0; start < atoms(); start++) {
      if (!seen[start]) {
        components++;
        seen[start] = true;
        int depth = 0;
        stack[depth++] = start;
        while (depth > 0) {
          for (int next : neighbors[stack[--depth]]) {
            if (!seen[next]) {
              seen[next] = true;
              stack[depth++] = next;
            }
          }
        }
      }
    }
    return bondCount - atoms() + components;
  }

  @Override
  public String toString() {
    return "MoleculeGraph[" + atoms() + " atoms, " + bondCount + " bonds]";
  }

  /** Builds a graph atom by atom. */
  public static final class Builder {
    private final List<String> labels = new ArrayList<>();
    private final List<String> environments = new ArrayList<>();
    private final List<Bond> bonds = new ArrayList<>();
    private final Set<List<Integer>> connected = new HashSet<>();

    private Builder() {}

    /**
     * Adds an atom.
     *
     * @param label the properties in which atoms must agree to match
     * @return its number, from 0 on
     */
    public int atom(String label) {
      return atom(label, "");
    }

    /**
     * Adds an atom with further properties that need not match.
     *
     * @param label the properties in which atoms must agree to match
     * @param environment further properties, for similarity
     * @return its number, from 0 on
     */
    public int atom(String label, String environment) {
      labels.add(Objects.requireNonNull(label, "label"));
      environments.add(Objects.requireNonNull(environment, "environment"));
      return labels.size() - 1;
    }

    /**
     * Adds a bond.
     *
     * @param from the number of an atom
     * @param to the number of another
     * @param label the properties in which bonds must agree to match
     * @param others further labels that it may match, where it is uncertain which one a part has;
     *     only for a whole, since a part is required to match with every label
     * @return this
     * @throws IllegalArgumentException if the two are one atom, or have a bond already
     */
    public Builder bond(int from, int to, String label, String... others) {
      Objects.checkIndex(from, labels.size());
      Objects.checkIndex(to, labels.size());
      if (from == to || !connected.add(from < to ? List.of(from, to) : List.of(to, from))) {
        throw new IllegalArgumentException("a second bond, or a loop: " + from + " to " + to);
      }
      bonds.add(new Bond(from, to, Objects.requireNonNull(label, "label"), true));
      for (String other : others) {
        bonds.add(new Bond(from, to, Objects.requireNonNull(other, "others"), false));
      }
      return this;
    }

    /**
     * The graph.
     *
     * @return a graph of the atoms and bonds so far
     */
    public MoleculeGraph build() {
      return new MoleculeGraph(this);
    }
  }
}
