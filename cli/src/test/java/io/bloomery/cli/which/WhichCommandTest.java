package io.bloomery.cli.which;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.GuavaFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WhichCommandTest {

  @TempDir private Path directory;
  private Path first;
  private Path second;

  @BeforeEach
  void build() {
    first = built("first.bloom", "alice\nbob\n");
    second = built("second.bloom", "bob\ncarol\n");
  }

  private Path built(String name, String keys, Object... options) {
    Path filter = directory.resolve(name);
    Object[] words = new Object[options.length + 6];
    System.arraycopy(new Object[] {"build", "-o", filter, "-p", "1e-9", "-q"}, 0, words, 0, 6);
    System.arraycopy(options, 0, words, 6, options.length);
    assertThat(bloomWith(keys, words).code()).isZero();
    return filter;
  }

  @Test
  void namesTheFiltersThatProbablyContainTheKey() {
    Bloom.Run one = bloom("which", "alice", first, second);
    assertThat(one.out()).isEqualTo(first + "\n");
    assertThat(one.err()).isEqualTo("probably in 1 of 2 filters\n");
    assertThat(one.code()).isZero();
    assertThat(bloom("which", "bob", second, first).out()).isEqualTo(second + "\n" + first + "\n");
  }

  @Test
  void certainlyInNoneIsCode1() {
    Bloom.Run run = bloom("which", "dave", first, second);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).isEqualTo("certainly in none of 2 filters\n");
    assertThat(run.code()).isEqualTo(1);
    assertThat(bloom("which", "-q", "dave", first).err()).isEmpty();
  }

  @Test
  void oneOfSeveralKeysIsEnough() {
    Bloom.Run run = bloom("which", "-q", "--key", "alice", "--key", "carol", first, second);
    assertThat(run.out()).isEqualTo(first + "\n" + second + "\n");
    assertThat(bloom("which", "-k", "alice", "-k", "dave", first, second).out())
        .isEqualTo(first + "\n");
  }

  @Test
  void jsonHasALineForEachFilterAndASummary() {
    Bloom.Run run = bloom("which", "--json", "carol", first, second);
    assertThat(run.out().lines().toList())
        .satisfiesExactly(
            line -> assertThat(line).contains(first.toString(), "certainly absent", "expectedRate"),
            line -> assertThat(line).contains(second.toString(), "probably present"),
            line ->
                assertThat(line)
                    .isEqualTo("{\"filtersAsked\":2,\"filtersFound\":1,\"filtersUnread\":0}"));
    assertThat(run.err()).isEmpty();
  }

  @Test
  void unreadableFiltersAreErrorsAndTheOthersAreQueried() throws IOException {
    byte[] bytes = Files.readAllBytes(first);
    bytes[bytes.length - 20] ^= 1;
    Path damaged = Files.write(directory.resolve("damaged.bloom"), bytes);
    Path absent = directory.resolve("nosuch.bloom");
    Bloom.Run run = bloom("which", "carol", damaged, absent, second);
    assertThat(run.out()).isEqualTo(second + "\n");
    assertThat(run.err())
        .contains("damaged.bloom", "nosuch.bloom: no such file", "probably in 1 of 1 filter\n")
        .hasLineCount(3);
    assertThat(run.code()).isEqualTo(2);
    assertThat(bloom("which", "dave", damaged, second).err())
        .endsWith("certainly in none of 1 filter\n");
  }

  @Test
  void eachFilterIsQueriedWithItsOwnKeyType() {
    Path numbers = built("numbers.bloom", "7\n42\n", "--type", "int64");
    Path texts = built("texts.bloom", "042\n42\n");
    assertThat(bloom("which", "42", numbers, texts).out()).isEqualTo(numbers + "\n" + texts + "\n");
    assertThat(bloom("which", "-q", "042", numbers, texts).out())
        .isEqualTo(numbers + "\n" + texts + "\n");
    Bloom.Run word = bloom("which", "bob", numbers, first);
    assertThat(word.out()).isEqualTo(first + "\n");
    assertThat(word.err()).contains("numbers.bloom: ");
    assertThat(word.code()).isEqualTo(2);
  }

  @Test
  void keyedCompressedAndPlainFiltersAreQueriedTogether() throws IOException {
    Path secret = Files.write(directory.resolve("secret"), new byte[16]);
    Path keyed = built("keyed.bloom", "bob\n", "--secret-file", secret);
    Path packed = directory.resolve("packed.gz");
    try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      Files.copy(second, out);
    }
    Bloom.Run run = bloom("which", "bob", keyed, packed, first, "--secret-file", secret);
    assertThat(run.out()).isEqualTo(keyed + "\n" + packed + "\n" + first + "\n");
    assertThat(run.code()).isZero();
    Bloom.Run without = bloom("which", "bob", keyed, first);
    assertThat(without.err()).contains("--secret-file");
    assertThat(without.code()).isEqualTo(2);
  }

  @Test
  void filtersOfOtherSystemsAreQueriedWithTheirOwnHash() throws IOException {
    ForeignBloomFilter filter = GuavaFormat.create(1000, 1e-6);
    filter.add("bob");
    Path guava = directory.resolve("guava.bin");
    filter.writeTo(guava);
    assertThat(bloom("which", "bob", guava, "--format", "guava").out()).isEqualTo(guava + "\n");
    assertThat(bloom("which", "eve", guava, "--format", "guava").code()).isEqualTo(1);
    Bloom.Run unnamed = bloom("which", "bob", guava, second);
    assertThat(unnamed.out()).isEqualTo(second + "\n");
    assertThat(unnamed.err()).contains("--format");
    assertThat(unnamed.code()).isEqualTo(2);
  }

  @Test
  void silentStopsAtTheFirstMatch() {
    Bloom.Run run = bloom("which", "-s", "alice", first, directory.resolve("nosuch"));
    assertThat(run.out() + run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(bloom("which", "-s", "dave", first).code()).isEqualTo(1);
  }

  @Test
  void aKeyAloneIsNotEnough() {
    Bloom.Run run = bloom("which", "alice");
    assertThat(run.err()).isEqualTo("bloom: a key and a filter are needed, in this order\n");
    assertThat(run.code()).isEqualTo(2);
  }
}
