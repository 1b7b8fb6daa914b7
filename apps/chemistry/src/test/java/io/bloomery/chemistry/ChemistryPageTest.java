package io.bloomery.chemistry;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.similarity.FingerprintShape;
import io.bloomery.similarity.MoleculeFingerprint;
import io.bloomery.similarity.MoleculeIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The example of docs/apps/chemistry.md. */
final class ChemistryPageTest {

  private static final Path SOURCE =
      Path.of("src/test/java/io/bloomery/chemistry/ChemistryPageTest.java");

  @Test
  void thePageShowsWhatIsCompiled() throws IOException {
    List<String> compiled = Files.readAllLines(SOURCE).stream().map(String::strip).toList();
    List<List<String>> examples =
        Pattern.compile("(?ms)^```java\n(.*?)^```$")
            .matcher(Files.readString(Path.of("../../docs/apps/chemistry.md")))
            .results()
            .map(block -> block.group(1).lines().toList())
            .toList();
    assertThat(examples).hasSize(1);
    assertThat(compiled).containsSubsequence(examples.get(0));
  }

  @Test
  void aspirinHasABenzeneRing() {
    FingerprintShape shape = FingerprintShape.ofBits(2048);
    MoleculeIndex index = MoleculeIndex.create(shape);
    index.add(MoleculeFingerprint.of(Smiles.molecule("CC(=O)Oc1ccccc1C(=O)O"), shape)); // aspirin
    int[] candidates = index.screen(MoleculeFingerprint.of(Smiles.part("c1ccccc1"), shape));
    assertThat(candidates).containsExactly(0);
    assertThat(index.screen(MoleculeFingerprint.of(Smiles.part("CN"), shape))).isEmpty();
  }
}
