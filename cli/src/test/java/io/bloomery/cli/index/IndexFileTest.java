package io.bloomery.cli.index;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Runs.assertError;
import static io.bloomery.cli.index.IndexFixture.lines;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.cli.Bloom;
import io.bloomery.find.FileIndex;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A damaged index gives an error, never a wrong answer. */
class IndexFileTest {

  @TempDir private Path directory;

  private IndexFixture fixture;
  private byte[] sound;

  @BeforeEach
  void makeIndex() throws IOException {
    fixture = new IndexFixture(directory);
    fixture.write("a.log", lines("a", 0, 400));
    fixture.write("b", "small\n");
    fixture.make();
    sound = Files.readAllBytes(fixture.index());
  }

  @Test
  void everyTruncationIsAnError() throws IOException {
    for (int length = 8; length < sound.length; length += length < sound.length - 300 ? 37 : 1) {
      Files.write(fixture.index(), Arrays.copyOf(sound, length));
      assertThatThrownBy(() -> FileIndex.open(fixture.index()))
          .isInstanceOf(Problem.class)
          .hasMessageContainingAll("logs.bloomidx", "cut off");
    }
    assertError(fixture.findRun("a-1"), "logs.bloomidx", "cut off");
  }

  @Test
  void everyFlippedBitIsFound() throws IOException {
    for (int i = 0; i < sound.length; i++) {
      byte[] damaged = sound.clone();
      damaged[i] ^= (byte) (1 << (i % 8));
      Files.write(fixture.index(), damaged);
      assertThatThrownBy(() -> FileIndex.open(fixture.index()).verify())
          .as("byte %d", i)
          .isInstanceOf(Problem.class)
          .hasMessageContaining("logs.bloomidx");
    }
    assertThat(fixture.findRun("--verify", "a-1").code()).isEqualTo(2);
    Files.write(fixture.index(), sound);
    assertThat(fixture.findRun("--verify", "a-1").code()).isZero();
  }

  @Test
  void aDamagedIndexIsReplacedOnRequestOnly() throws IOException {
    Files.write(fixture.index(), Arrays.copyOf(sound, sound.length - 1));
    assertError(bloom("index", fixture.logs(), "-o", fixture.index()), "cut off");
    fixture.make("--force");
    assertThat(Files.readAllBytes(fixture.index())).isEqualTo(sound);
  }

  /** It could say that a block has no such key, and the lines would be missed. */
  @Test
  void aDamagedFilterAnswersNothing() throws IOException {
    for (int bit = 0; bit < Byte.SIZE; bit++) {
      byte[] damaged = sound.clone();
      damaged[20] ^= (byte) (1 << bit);
      Files.write(fixture.index(), damaged);
      assertError(fixture.findRun("a-1"), "a filter is damaged; bloom index --force");
      assertThat(fixture.findRun("--no-verify", "a-1").code()).isEqualTo(2);
    }
  }

  @Test
  void aDamagedFilterIsNotCopied() throws IOException {
    byte[] damaged = sound.clone();
    damaged[20] ^= 1;
    Files.write(fixture.index(), damaged);
    Bloom.Run run = bloom("index", "--update", fixture.index());
    assertError(run, "a filter is damaged; bloom index --force");
    assertThat(Files.readAllBytes(fixture.index())).isEqualTo(damaged);
  }

  @Test
  void aLaterVersionIsNamed() throws IOException {
    sound[7] = 9;
    Files.write(fixture.index(), sound);
    assertError(fixture.findRun("a-1"), "version 9 of an index is not known here");
  }
}
