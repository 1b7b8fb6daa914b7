package io.bloomery.chemistry;

import io.bloomery.similarity.MoleculeGraph;

/** Whether a graph contains another, by trying every assignment of atoms: the truth of a screen. */
final class Substructure {

  private final MoleculeGraph whole;
  private final MoleculeGraph part;
  private final int[] assigned;
  private final boolean[] used;

  private Substructure(MoleculeGraph whole, MoleculeGraph part) {
    this.whole = whole;
    this.part = part;
    this.assigned = new int[part.atoms()];
    this.used = new boolean[whole.atoms()];
  }

  static boolean contains(MoleculeGraph whole, MoleculeGraph part) {
    return new Substructure(whole, part).assign(0);
  }

  private boolean assign(int atom) {
    if (atom == part.atoms()) {
      return true;
    }
    for (int candidate = 0; candidate < whole.atoms(); candidate++) {
      if (!used[candidate] && fits(atom, candidate)) {
        used[candidate] = true;
        assigned[atom] = candidate;
        if (assign(atom + 1)) {
          return true;
        }
        used[candidate] = false;
      }
    }
    return false;
  }

  /** Equal labels, and all bonds to atoms that are assigned already. */
  private boolean fits(int atom, int candidate) {
    boolean fits = part.label(atom).equals(whole.label(candidate));
    for (int i = 0; fits && i < part.degree(atom); i++) {
      int other = part.neighbor(atom, i);
      fits = other >= atom || hasBond(candidate, assigned[other], part.bond(atom, i));
    }
    return fits;
  }

  private boolean hasBond(int from, int to, String label) {
    for (int i = 0; i < whole.links(from); i++) {
      if (whole.neighbor(from, i) == to && whole.bond(from, i).equals(label)) {
        return true;
      }
    }
    return false;
  }
}
