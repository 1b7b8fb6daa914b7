package io.bloomery.chemistry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.similarity.FingerprintShape;
import io.bloomery.similarity.MoleculeFingerprint;
import io.bloomery.similarity.MoleculeGraph;
import io.bloomery.similarity.MoleculeIndex;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** 4,999 molecules of the NCI compared with the results of RDKit. */
final class NciMoleculesTest {

  private static final FingerprintShape SHAPE = FingerprintShape.ofBits(2048);

  /** All molecules by their numbers in the collection, in its order. */
  private static final List<String> NUMBERS = new ArrayList<>();

  private static final Map<String, MoleculeGraph> GRAPHS = new HashMap<>();

  static {
    for (String[] row : rows("nci-first-5k.smi.gz")) {
      NUMBERS.add(row[1]);
      GRAPHS.put(row[1], Smiles.molecule(row[0]));
    }
  }

  private static List<String[]> rows(String resource) {
    try (InputStream in = NciMoleculesTest.class.getResourceAsStream("/chemistry/" + resource);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(new GZIPInputStream(in), UTF_8))) {
      return lines.lines().map(line -> line.split("\t", -1)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All 4,999 are read; RDKit has fingerprints of 4,993 of them. */
  @Test
  void noneIsRefused() {
    assertThat(NUMBERS).hasSize(4_999);
    assertThat(GRAPHS).hasSize(4_999);
    assertThat(GRAPHS.values()).allMatch(graph -> graph.atoms() > 0);
  }

  /**
   * 20 substructures: no molecule is missed of those that RDKit lists for 17 of them. The screens
   * leave 8,444 candidates together for 8,304 matches; RDKit's own screen leaves 10,828.
   */
  @Test
  void aScreenLosesNoMatch() {
    MoleculeIndex index = MoleculeIndex.create(SHAPE);
    NUMBERS.forEach(number -> index.add(MoleculeFingerprint.of(GRAPHS.get(number), SHAPE)));
    assertThat(index.molecules()).isEqualTo(4_999);
    int listed = 0;
    int candidates = 0;
    int matches = 0;
    int others = 0;
    for (String[] row : rows("rdkit-queries.tsv.gz")) {
      MoleculeGraph part = Smiles.part(row[0]);
      Set<String> found =
          Arrays.stream(index.screen(MoleculeFingerprint.of(part, SHAPE)))
              .mapToObj(NUMBERS::get)
              .collect(Collectors.toSet());
      int expected = Integer.parseInt(row[1]);
      if (!row[3].isEmpty()) {
        List<String> contained = List.of(row[3].split(" "));
        assertThat(contained).as(row[0]).hasSize(expected);
        assertThat(found).as(row[0]).containsAll(contained);
        listed++;
      }
      assertThat(found).as(row[0]).hasSizeGreaterThanOrEqualTo(expected);
      // Our own search among the candidates finds RDKit's matches, and those few that it cannot
      // parse or takes for another structure.
      long contain =
          found.stream().filter(each -> Substructure.contains(GRAPHS.get(each), part)).count();
      assertThat(contain).as(row[0]).isBetween((long) expected, expected + 2L);
      candidates += found.size();
      matches += expected;
      others += Integer.parseInt(row[2]);
    }
    assertThat(listed).isEqualTo(17);
    assertThat(matches).isEqualTo(8_304);
    assertThat(others).as("candidates of RDKit").isEqualTo(10_828);
    assertThat(candidates).isEqualTo(8_444);
  }

  /**
   * All 48,828 pairs of 313 molecules: the order of their similarities is near that of RDKit's
   * fingerprints, which have other features (paths of 1 to 5 bonds) and hashes: rank correlation
   * .858.
   */
  @Test
  void similaritiesAreOrderedAsByRdkit() {
    List<MoleculeFingerprint> theirs = new ArrayList<>();
    List<MoleculeFingerprint> ours = new ArrayList<>();
    List<MoleculeFingerprint> circular = new ArrayList<>();
    for (String[] row : rows("rdkit-fp2048-every-16th.tsv.gz")) {
      theirs.add(MoleculeFingerprint.ofBytes(HexFormat.of().parseHex(row[1])));
      ours.add(MoleculeFingerprint.of(GRAPHS.get(row[0]), SHAPE));
      circular.add(MoleculeFingerprint.circular(GRAPHS.get(row[0]), 2, SHAPE));
    }
    assertThat(theirs).hasSize(313);
    double[] expected = similarities(theirs);
    assertThat(spearman(similarities(ours), expected)).isCloseTo(0.858, within(0.0005));
    assertThat(spearman(similarities(circular), expected)).isCloseTo(0.721, within(0.0005));
  }

  private static double[] similarities(List<MoleculeFingerprint> all) {
    return IntStream.range(0, all.size())
        .boxed()
        .flatMapToDouble(
            i -> IntStream.range(0, i).mapToDouble(j -> all.get(i).tanimoto(all.get(j))))
        .toArray();
  }

  /** Spearman's rank correlation; equal values share their mean rank. */
  private static double spearman(double[] one, double[] two) {
    double[] x = ranks(one);
    double[] y = ranks(two);
    double mean = (one.length - 1) / 2.0;
    double xy = 0;
    double xx = 0;
    double yy = 0;
    for (int i = 0; i < x.length; i++) {
      xy += (x[i] - mean) * (y[i] - mean);
      xx += (x[i] - mean) * (x[i] - mean);
      yy += (y[i] - mean) * (y[i] - mean);
    }
    return xy / Math.sqrt(xx * yy);
  }

  private static double[] ranks(double[] values) {
    Integer[] order = IntStream.range(0, values.length).boxed().toArray(Integer[]::new);
    Arrays.sort(order, Comparator.comparingDouble(i -> values[i]));
    double[] ranks = new double[values.length];
    for (int from = 0; from < order.length; ) {
      int to = from;
      while (to < order.length && values[order[to]] == values[order[from]]) {
        to++;
      }
      for (int i = from; i < to; i++) {
        ranks[order[i]] = (from + to - 1) / 2.0;
      }
      from = to;
    }
    return ranks;
  }
}
