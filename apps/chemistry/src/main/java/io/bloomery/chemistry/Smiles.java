package io.bloomery.chemistry;

import io.bloomery.similarity.MoleculeGraph;
import java.util.HashSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.openscience.cdk.aromaticity.Aromaticity;
import org.openscience.cdk.aromaticity.Kekulization;
import org.openscience.cdk.exception.CDKException;
import org.openscience.cdk.graph.Cycles;
import org.openscience.cdk.interfaces.IAtom;
import org.openscience.cdk.interfaces.IAtomContainer;
import org.openscience.cdk.interfaces.IBond;
import org.openscience.cdk.interfaces.IRingSet;
import org.openscience.cdk.silent.SilentChemObjectBuilder;
import org.openscience.cdk.smiles.SmilesParser;
import org.openscience.cdk.tools.manipulator.AtomContainerManipulator;

/**
 * Reads SMILES, the line notation of molecules, for fingerprints. The notation is parsed, and
 * hydrogens and aromaticity are worked out, by the Chemistry Development Kit with Daylight's model.
 *
 * <p>Labels are chosen so that a fingerprint that screens loses no match: an atom's is its element
 * alone, since the atom of a part matches one with more hydrogens, neighbours or charge; a bond's
 * is its order, or {@code :} if it is aromatic. Hydrogens are left out, and so is stereochemistry.
 * Aromaticity, hydrogens and charge are part of the environment, for circular fingerprints.
 *
 * <p>Toolkits disagree whether a ring with a charged atom is aromatic. Such a ring of a {@linkplain
 * #molecule molecule}, if each of its atoms could take part, has bonds that match both as aromatic
 * and by their order; those of a {@linkplain #part part} are what the model says.
 */
public final class Smiles {

  private static final String AROMATIC = ":";

  /** The largest ring in whose aromaticity toolkits may disagree. */
  private static final int MAX_DISPUTED = 7;

  private Smiles() {}

  /**
   * A molecule to search for parts.
   *
   * @param smiles its SMILES
   * @return atoms and bonds, with what may be disputed in both forms
   * @throws IllegalArgumentException if it cannot be parsed; the message says where
   */
  public static MoleculeGraph molecule(String smiles) {
    return graph(smiles, true);
  }

  /**
   * A part to search for in molecules.
   *
   * @param smiles its SMILES
   * @return atoms and bonds
   * @throws IllegalArgumentException if it cannot be parsed; the message says where
   */
  public static MoleculeGraph part(String smiles) {
    return graph(smiles, false);
  }

  private static MoleculeGraph graph(String smiles, boolean lenient) {
    IAtomContainer molecule = parse(Objects.requireNonNull(smiles, "smiles"));
    Aromaticity.apply(Aromaticity.Model.Daylight, molecule);
    Set<IBond> disputed = lenient ? disputed(molecule) : Set.of();
    MoleculeGraph.Builder graph = MoleculeGraph.builder();
    for (IAtom atom : molecule.atoms()) {
      graph.atom(atom.getSymbol(), environment(atom));
    }
    for (IBond bond : molecule.bonds()) {
      int from = bond.getBegin().getIndex();
      int to = bond.getEnd().getIndex();
      if (bond.isAromatic()) {
        graph.bond(from, to, AROMATIC);
      } else if (disputed.contains(bond)) {
        graph.bond(from, to, order(bond), AROMATIC);
      } else {
        graph.bond(from, to, order(bond));
      }
    }
    return graph.build();
  }

  private static IAtomContainer parse(String smiles) {
    try {
      IAtomContainer bare = AtomContainerManipulator.suppressHydrogens(read(smiles));
      Cycles.markRingAtomsAndBonds(bare);
      return bare;
    } catch (CDKException e) {
      throw new IllegalArgumentException(
          "smiles = " + smiles + " cannot be parsed: " + e.getMessage(), e);
    }
  }

  /**
   * Reads strictly, and otherwise leaves it to the kit's general algorithm to place the double
   * bonds of aromatic rings: the parser's own refuses sulfones and phosphine oxides.
   */
  private static IAtomContainer read(String smiles) throws CDKException {
    SmilesParser parser = new SmilesParser(SilentChemObjectBuilder.getInstance());
    try {
      return parser.parseSmiles(smiles);
    } catch (CDKException e) {
      parser.kekulise(false);
      try {
        IAtomContainer molecule = parser.parseSmiles(smiles);
        Kekulization.kekulize(molecule);
        return molecule;
      } catch (CDKException again) {
        e.addSuppressed(again);
        throw e;
      }
    }
  }

  private static String environment(IAtom atom) {
    return String.format(
        Locale.ROOT,
        "%s%d%+d",
        atom.isAromatic() ? "a" : "",
        Objects.requireNonNullElse(atom.getImplicitHydrogenCount(), 0),
        Objects.requireNonNullElse(atom.getFormalCharge(), 0));
  }

  private static String order(IBond bond) {
    return switch (bond.getOrder()) {
      case SINGLE -> "-";
      case DOUBLE -> "=";
      case TRIPLE -> "#";
      case QUADRUPLE -> "$";
      default -> "~";
    };
  }

  /**
   * The non-aromatic bonds of rings with a charged atom, which another toolkit may call aromatic.
   */
  private static Set<IBond> disputed(IAtomContainer molecule) {
    Set<IBond> found = new HashSet<>();
    for (IAtom atom : molecule.atoms()) {
      if (atom.isInRing() && isCharged(atom) && !atom.isAromatic()) {
        IRingSet rings = Cycles.vertexShort(molecule).toRingSet();
        for (IAtomContainer ring : rings.atomContainers()) {
          if (ring.getAtomCount() <= MAX_DISPUTED && couldBeAromatic(ring)) {
            ring.bonds().forEach(found::add);
          }
        }
        break;
      }
    }
    return found;
  }

  private static boolean couldBeAromatic(IAtomContainer ring) {
    boolean charged = false;
    for (IAtom each : ring.atoms()) {
      boolean carbon = each.getAtomicNumber() == IAtom.C;
      boolean unsaturated = false;
      for (IBond bond : each.bonds()) {
        unsaturated |= bond.getOrder() == IBond.Order.DOUBLE;
      }
      charged |= isCharged(each);
      if (carbon && !unsaturated && !isCharged(each)) {
        return false;
      }
    }
    return charged;
  }

  private static boolean isCharged(IAtom atom) {
    return atom.getFormalCharge() != null && atom.getFormalCharge() != 0;
  }
}
