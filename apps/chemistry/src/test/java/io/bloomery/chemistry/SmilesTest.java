package io.bloomery.chemistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.similarity.FingerprintShape;
import io.bloomery.similarity.MoleculeFingerprint;
import io.bloomery.similarity.MoleculeGraph;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SmilesTest {

  private static final FingerprintShape SHAPE = FingerprintShape.ofBits(1024);

  /** Thirty molecules, from methane to morphine. */
  private static final List<String> MOLECULES =
      List.of(
          "C", // methane
          "CCO", // ethanol
          "CC(=O)O", // acetic acid
          "CC(=O)N", // acetamide
          "NCC(=O)O", // glycine
          "CC(N)C(=O)O", // alanine
          "OCC(O)CO", // glycerol
          "C#N", // hydrogen cyanide
          "CC#N", // acetonitrile
          "ClC(Cl)Cl", // chloroform
          "C1CCCCC1", // cyclohexane
          "OC1CCCCC1", // cyclohexanol
          "c1ccccc1", // benzene
          "Cc1ccccc1", // toluene
          "Oc1ccccc1", // phenol
          "Nc1ccccc1", // aniline
          "O=[N+]([O-])c1ccccc1", // nitrobenzene
          "Clc1ccccc1", // chlorobenzene
          "c1ccncc1", // pyridine
          "c1ccsc1", // thiophene
          "c1ccoc1", // furan
          "c1cc[nH]c1", // pyrrole
          "c1ccc2ccccc2c1", // naphthalene
          "c1ccc2[nH]ccc2c1", // indole
          "O=C(O)c1ccccc1", // benzoic acid
          "OC(=O)c1ccccc1O", // salicylic acid
          "CC(=O)Oc1ccccc1C(=O)O", // aspirin
          "CC(=O)Nc1ccc(O)cc1", // paracetamol
          "Cn1cnc2n(C)c(=O)n(C)c(=O)c12", // caffeine
          "CN1CCC23C4Oc5c(O)ccc(CC1C2C=CC4O)c35"); // morphine

  /** All 900 pairs: every molecule that is contained in another passes the screen. */
  @Test
  void noPartOfThirtyMoleculesIsMissed() {
    int contained = 0;
    int passed = 0;
    int missedByCircles = 0;
    for (String part : MOLECULES) {
      MoleculeGraph query = Smiles.part(part);
      MoleculeFingerprint wanted = MoleculeFingerprint.of(query, SHAPE);
      for (String whole : MOLECULES) {
        MoleculeGraph molecule = Smiles.molecule(whole);
        boolean passes = MoleculeFingerprint.of(molecule, SHAPE).covers(wanted);
        if (Substructure.contains(molecule, query)) {
          contained++;
          assertThat(passes).as("%s in %s", part, whole).isTrue();
          missedByCircles +=
              MoleculeFingerprint.circular(molecule, 2, SHAPE)
                      .covers(MoleculeFingerprint.circular(query, 2, SHAPE))
                  ? 0
                  : 1;
        }
        passed += passes ? 1 : 0;
      }
    }
    assertThat(contained).isEqualTo(103);
    assertThat(passed).as("candidates").isBetween(contained, contained + 3);
    assertThat(missedByCircles).as("a circular fingerprint is not a screen").isEqualTo(66);
  }

  @Test
  void everyMoleculeIsMostSimilarToItself() {
    for (String one : MOLECULES) {
      MoleculeFingerprint fingerprint = MoleculeFingerprint.of(Smiles.molecule(one), SHAPE);
      assertThat(fingerprint.tanimoto(fingerprint)).isEqualTo(1);
      assertThat(fingerprint.correctedTanimoto(fingerprint)).isEqualTo(1);
      for (String two : MOLECULES) {
        if (!one.equals(two)) {
          MoleculeFingerprint other = MoleculeFingerprint.of(Smiles.molecule(two), SHAPE);
          assertThat(fingerprint.tanimoto(other)).isBetween(0.0, 0.999);
          assertThat(fingerprint.correctedTanimoto(other))
              .isLessThanOrEqualTo(fingerprint.tanimoto(other) + 1e-9);
        }
      }
    }
  }

  /** Aromatic or Kekulé form, another first atom, written hydrogens: one molecule. */
  @Test
  void formsOfOneMoleculeAreEqual() {
    for (List<String> forms :
        List.of(
            List.of("c1ccccc1", "C1=CC=CC=C1", "C=1C=CC=CC=1"),
            List.of("CCO", "OCC", "C(O)C", "[H]OC([H])([H])C", "[CH3][CH2][OH]"),
            List.of("c1ccc2[nH]ccc2c1", "C1=CC2=C(C=C1)NC=C2"),
            List.of("Cn1cnc2n(C)c(=O)n(C)c(=O)c12", "CN1C=NC2=C1C(=O)N(C)C(=O)N2C"),
            List.of("C/C=C/C", "C/C=C\\C", "CC=CC"))) {
      for (String form : forms) {
        for (boolean circular : new boolean[] {false, true}) {
          assertThat(fingerprint(form, circular)).isEqualTo(fingerprint(forms.get(0), circular));
        }
      }
    }
  }

  private static MoleculeFingerprint fingerprint(String smiles, boolean circular) {
    MoleculeGraph graph = Smiles.molecule(smiles);
    return circular
        ? MoleculeFingerprint.circular(graph, 2, SHAPE)
        : MoleculeFingerprint.of(graph, SHAPE);
  }

  @Test
  void labelsAreElementsAndOrders() {
    MoleculeGraph graph = Smiles.molecule("C=CC#Cc1ccc([O-])cc1");
    assertThat(graph.atoms()).isEqualTo(11);
    assertThat(graph.bonds()).isEqualTo(11);
    assertThat(graph.rings()).isEqualTo(1);
    assertThat(graph.label(0)).isEqualTo("C");
    assertThat(graph.environment(0)).isEqualTo("2+0");
    assertThat(graph.environment(4)).isEqualTo("a0+0");
    assertThat(graph.environment(8)).isEqualTo("0-1");
    assertThat(graph.bond(0, 0)).isEqualTo("=");
    assertThat(bonds(graph, 2)).containsExactlyInAnyOrder("-", "#");
    assertThat(bonds(graph, 4)).containsExactlyInAnyOrder("-", ":", ":");
  }

  private static List<String> bonds(MoleculeGraph graph, int atom) {
    return IntStream.range(0, graph.links(atom)).mapToObj(i -> graph.bond(atom, i)).toList();
  }

  /** A ring whose aromaticity depends on the toolkit matches both ways; a quinone does not. */
  @Test
  void chargedRingsMatchInBothForms() {
    String disputed = "CCC1=C[N+](=O)[C-](C)C=C1";
    assertThat(bonds(Smiles.molecule(disputed), 2)).contains("=", "-", ":");
    assertThat(bonds(Smiles.part(disputed), 2)).doesNotContain(":");
    assertThat(Substructure.contains(Smiles.molecule(disputed), Smiles.part("c1ccncc1"))).isTrue();
    assertThat(bonds(Smiles.molecule("O=C1C=CC(=O)C=C1"), 2)).doesNotContain(":");
    assertThat(bonds(Smiles.molecule("C1CC[NH2+]CC1"), 3)).doesNotContain(":");
  }

  /** Sulfones and phosphine oxides whose ring is written as aromatic, as in collections. */
  @Test
  void aromaticRingsWithOxidesAreRead() {
    for (List<String> forms :
        List.of(
            List.of("s1(c2c(c(c1)C(=O)OCC=C)cccc2)(=O)=O", "C=CCOC(=O)C1=CS(=O)(=O)c2ccccc21"),
            List.of("c1ccs(=O)(=O)c1", "C1=CS(=O)(=O)C=C1"),
            List.of("c1ccp(=O)(C)c1", "C1=CP(=O)(C)C=C1"))) {
      for (boolean circular : new boolean[] {false, true}) {
        assertThat(fingerprint(forms.get(0), circular))
            .as(forms.get(0))
            .isEqualTo(fingerprint(forms.get(1), circular));
      }
    }
  }

  /**
   * Phenylbutazone, oxyphenbutazone and sulfinpyrazone, as a collection writes them: five atoms in
   * a ring that is all aromatic, of which the two nitrogens and the two carbonyls take no double
   * bond of the ring, so that its fifth atom, a carbon without a hydrogen, finds no partner. With
   * its hydrogen each is read.
   */
  @Test
  void aRingCarbonWithoutItsHydrogenIsRefused() {
    for (String chain : List.of("CCCC%s", "C(CS(=O)c4ccccc4)%s")) {
      String ring = String.format(Locale.ROOT, chain, "c1c(=O)n(n(c1=O)c2ccccc2)c3ccccc3");
      assertThatThrownBy(() -> Smiles.molecule(ring)).hasMessageContaining("valid kekul");
      String whole = String.format(Locale.ROOT, chain, "C1C(=O)N(N(C1=O)c2ccccc2)c3ccccc3");
      assertThat(Smiles.molecule(whole).rings()).isGreaterThanOrEqualTo(3);
    }
    String hydroxyl = "CCCCc1c(=O)n(n(c1=O)c2ccc(cc2)O)c3ccccc3";
    assertThatThrownBy(() -> Smiles.molecule(hydroxyl)).hasMessageContaining("valid kekul");
  }

  /** The last three have no Kekulé form: their nitrogen lacks a hydrogen, or an atom is left. */
  @Test
  void whatIsNotSmilesIsRefused() {
    for (String bad :
        List.of("C1CC", "C(", "Xx", "c1ccc1c", "]", "c1ccnc1", "n1cccc1", "c1cccc1")) {
      assertThatThrownBy(() -> Smiles.molecule(bad))
          .as(bad)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("smiles = " + bad + " cannot be parsed: ");
    }
    assertThat(Smiles.molecule("").atoms()).isZero();
    assertThatThrownBy(() -> Smiles.part(null)).hasMessage("smiles");
  }
}
