package io.bloomery.tools.spill;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.testkit.Seeds;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpillTest {

  @TempDir private Path directory;

  /** 20 000 strings, most short, some longer than a buffer, in 7 partitions beside a list each. */
  @Test
  void everyPartitionComesBackInItsOrderAndMoreThanOnce() throws IOException {
    SplittableRandom random = Seeds.random(1);
    try (Spill spill = new Spill(7, directory)) {
      List<List<String>> model = new ArrayList<>();
      for (int i = 0; i < 7; i++) {
        model.add(new ArrayList<>());
      }
      for (int i = 0; i < 20_000; i++) {
        int most = i % 2_000 == 7 ? 200_000 : i % 10 == 0 ? 1_000 : 20;
        byte[] bytes = new byte[random.nextInt(most) + 2];
        random.nextBytes(bytes);
        int partition = random.nextInt(6); // the last one stays empty
        spill.add(partition, bytes, 1, bytes.length - 2);
        model.get(partition).add(new String(bytes, 1, bytes.length - 2, ISO_8859_1));
      }
      assertThat(spill.fileBytes()).isGreaterThan(1_000_000);
      assertThat(files()).as("no name, so nothing is left of a killed process").isEmpty();
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 7; i++) {
          List<String> read = new ArrayList<>();
          spill.read(i, (b, offset, length) -> read.add(new String(b, offset, length, ISO_8859_1)));
          assertThat(read).isEqualTo(model.get(i));
        }
        spill.add(6, new byte[3], 0, 3);
        model.get(6).add("\0\0\0");
      }
    }
    assertThat(files()).isEmpty();
  }

  @Test
  void littleNeedsNoFile() {
    Path nowhere = directory.resolve("no such directory");
    try (Spill spill = new Spill(3, nowhere)) {
      spill.add(1, new byte[10_000], 0, 10_000);
      spill.add(1, new byte[0], 0, 0);
      List<Integer> lengths = new ArrayList<>();
      spill.read(1, (bytes, offset, length) -> lengths.add(length));
      assertThat(lengths).containsExactly(10_000, 0);
      assertThatThrownBy(() -> spill.add(1, new byte[100_000], 0, 100_000))
          .isInstanceOf(Problem.class)
          .hasMessageContaining("temporary file in " + nowhere);
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }
}
