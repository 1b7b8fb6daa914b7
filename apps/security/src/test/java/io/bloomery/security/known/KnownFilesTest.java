package io.bloomery.security.known;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.FrameHeader;
import io.bloomery.HashedFilter;
import io.bloomery.ReadOptions;
import io.bloomery.Storable;
import io.bloomery.secure.KeyedFilters;
import io.bloomery.secure.Secret;
import io.bloomery.security.known.KnownFiles.Checked;
import io.bloomery.security.known.KnownFiles.Found;
import io.bloomery.security.known.KnownFiles.Status;
import io.bloomery.security.known.KnownOptions.Digest;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sets of files against exact models.
 *
 * <p>A file that is not in the set, or was changed, passes with the rate of the filter: 2^-r for r
 * bits per fingerprint, since its hash is a new random number.
 */
final class KnownFilesTest {

  private static final HexFormat HEX = HexFormat.of();

  @TempDir private Path directory;

  private Path tree;
  private Path set;

  @BeforeEach
  void makeTree() throws IOException {
    tree = Files.createDirectories(directory.resolve("tree"));
    set = directory.resolve("set.bloom");
  }

  private Path write(String name, String content) throws IOException {
    Path file = tree.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, content);
  }

  private void build(KnownOptions options, Path... sources) throws IOException {
    KnownFiles.build(List.of(sources), set, options, total -> bytes -> {});
  }

  /** The answers by the names of files. */
  private static Map<String, Status> check(KnownFiles known, Path root) throws IOException {
    Map<String, Status> answers = new HashMap<>();
    known.check(
        List.of(root),
        found -> answers.put(root.relativize(found.file()).toString(), found.status()),
        total -> bytes -> {});
    return answers;
  }

  private static byte[] digest(SplittableRandom draw, Digest kind) {
    byte[] digest = new byte[kind.length()];
    draw.nextBytes(digest);
    return digest;
  }

  @Test
  void ratesOfDigests() throws IOException {
    for (Digest kind : Digest.values()) {
      SplittableRandom draw = Seeds.random(kind.length());
      List<byte[]> members = new ArrayList<>();
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < 20_000; i++) {
        members.add(digest(draw, kind));
        lines.add(HEX.formatHex(members.get(i)));
      }
      Path list = Files.write(directory.resolve("list"), lines);
      build(KnownOptions.DEFAULT.withRate(0.01), list);
      KnownFiles known = KnownFiles.open(set, KnownOptions.DEFAULT);
      assertThat(known.info().digest()).isEqualTo(kind);
      assertThat(known.info().files()).isEqualTo(20_000);
      assertThat(known.info().rate()).isBetween(0.005, 0.01);
      for (byte[] member : members) {
        assertThat(known.mightContain(member)).isTrue();
      }
      long hits = 0;
      for (int i = 0; i < 200_000; i++) {
        hits += known.mightContain(digest(draw, kind)) ? 1 : 0;
      }
      Rates.assertRate(hits, 200_000, known.info().rate(), 5);
      assertThatThrownBy(() -> known.mightContain(new byte[3])).hasMessageContaining("3 bytes");
    }
  }

  /** A change is missed with the rate, whether it is of the content, the size or the name. */
  @Test
  void ratesOfChanges() throws IOException {
    for (int i = 0; i < 300; i++) {
      write("d" + i % 7 + "/f" + i, "content " + i);
    }
    try (Secret secret = Secret.generate()) {
      KnownOptions options = KnownOptions.DEFAULT.withPlaces(secret);
      build(options.withRate(0.01), tree);
      KnownFiles known = KnownFiles.open(set, options);
      assertThat(known.info().places()).isTrue();
      assertThat(check(known, tree)).hasSize(300).doesNotContainValue(Status.UNKNOWN);
      SplittableRandom draw = Seeds.random(1);
      long[] hits = new long[3];
      byte[] real = Digest.SHA256.start().digest("content 5".getBytes(UTF_8));
      assertThat(known.mightContain("d5/f5", 9, real)).isTrue();
      for (int i = 0; i < 200_000; i++) {
        hits[0] += known.mightContain("d5/f5", 9, digest(draw, Digest.SHA256)) ? 1 : 0;
        hits[1] += known.mightContain("d5/f5", 10 + i, real) ? 1 : 0;
        hits[2] += known.mightContain("d5/f5" + i, 9, real) ? 1 : 0;
      }
      for (long each : hits) {
        Rates.assertRate(each, 200_000, known.info().rate(), 5);
      }
      assertThatThrownBy(() -> known.mightContain(real)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void tampering() throws IOException {
    write("a", "one");
    write("b/c", "two");
    write("b/gone", "three");
    try (Secret secret = Secret.generate()) {
      KnownOptions options = KnownOptions.DEFAULT.withPlaces(secret).withRate(1e-9);
      build(options, tree);
      write("a", "0ne");
      Files.move(tree.resolve("b/gone"), tree.resolve("b/moved"));
      write("new", "two");
      KnownFiles known = KnownFiles.open(set, options);
      assertThat(check(known, tree))
          .containsExactlyInAnyOrderEntriesOf(
              Map.of(
                  "a", Status.UNKNOWN,
                  "b/c", Status.KNOWN,
                  "b/moved", Status.UNKNOWN,
                  "new", Status.UNKNOWN));
      assertThat(known.info().files()).isEqualTo(3);
      assertThatThrownBy(() -> check(known, directory.resolve("no")))
          .hasMessageContaining("no such file");
      assertThatThrownBy(() -> known.check(List.of(tree, tree), found -> {}, total -> bytes -> {}))
          .hasMessageContaining("one directory");
    }
  }

  /** Without the secret nobody can write a set that is accepted. */
  @Test
  void forgedSets() throws IOException {
    write("a", "one");
    try (Secret secret = Secret.generate();
        Secret other = Secret.generate()) {
      KnownOptions options = KnownOptions.DEFAULT.withPlaces(secret);
      build(options, tree);
      assertThatThrownBy(() -> KnownFiles.open(set, KnownOptions.DEFAULT))
          .hasMessageContaining("under a secret, which is needed");
      assertThatThrownBy(() -> KnownFiles.open(set, options.withSecret(other)))
          .isInstanceOf(FilterFormatException.class)
          .hasMessageContaining("wrong key");

      // The same frame with other facts, or with the facts and no seal.
      FrameHeader header = Filters.header(set);
      HashedFilter filter =
          Filters.open(
              set, ReadOptions.as(HashedFilter.class).withHashers(KeyedFilters.of(secret)));
      Path forged = directory.resolve("forged");
      Filters.write((Storable) filter, header.description().with("files", 7L), forged);
      assertThatThrownBy(() -> KnownFiles.open(forged, options))
          .isInstanceOf(FilterFormatException.class)
          .hasMessageContaining("not written under this secret");
      SetFacts facts = SetFacts.read(header.description()).orElseThrow();
      Filters.write((Storable) filter, facts.description(), forged);
      assertThatThrownBy(() -> KnownFiles.open(forged, options))
          .hasMessageContaining("not written under this secret");
      Filters.write((Storable) filter, header.description(), forged);
      assertThat(forged).hasSameBinaryContentAs(set);

      // Another filter with this seal: what an attacker would put in its place.
      write("b", "two");
      Path second = directory.resolve("second");
      KnownFiles.build(List.of(tree), second, options, total -> bytes -> {});
      HashedFilter larger =
          Filters.open(
              second, ReadOptions.as(HashedFilter.class).withHashers(KeyedFilters.of(secret)));
      Filters.write((Storable) larger, header.description(), forged);
      assertThatThrownBy(() -> KnownFiles.open(forged, options))
          .hasMessageContaining("not written under this secret");

      // A set without a secret in its place.
      build(KnownOptions.DEFAULT, tree);
      assertThatThrownBy(() -> KnownFiles.open(set, options))
          .hasMessageContaining("built without a secret");
    }
  }

  @Test
  void aDamagedSetIsRefused() throws IOException {
    write("a", "one");
    build(KnownOptions.DEFAULT, tree);
    byte[] bytes = Files.readAllBytes(set);
    bytes[4096] ^= 1; // the first byte of the payload
    Files.write(set, bytes);
    assertThatThrownBy(() -> KnownFiles.open(set, KnownOptions.DEFAULT))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("CRC32C");
  }

  @Test
  void listsConfirm() throws IOException {
    Path list = directory.resolve("list");
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      write("f" + i, "content " + i);
      byte[] digest = Digest.SHA256.start().digest(("content " + i).getBytes(UTF_8));
      lines.add(HEX.formatHex(digest) + "  ./f" + i);
    }
    Files.write(list, lines.subList(0, 20));
    build(KnownOptions.DEFAULT.withRate(0.5), list);
    KnownFiles known = KnownFiles.open(set, KnownOptions.DEFAULT);
    long found = check(known, tree).values().stream().filter(Status.KNOWN::equals).count();
    assertThat(found).isBetween(21L, 199L); // 20 and about half of the others
    Map<String, Status> exact = check(known.confirmedBy(List.of(list)), tree);
    assertThat(exact.values().stream().filter(Status.KNOWN::equals)).hasSize(20);
    assertThat(exact).containsEntry("f19", Status.KNOWN).containsEntry("f20", Status.UNKNOWN);

    try (Secret secret = Secret.generate()) {
      KnownOptions options = KnownOptions.DEFAULT.withPlaces(secret).withRate(0.5);
      build(options, tree);
      for (int i = 0; i < 100; i++) {
        write("f" + i, "changed " + i);
      }
      Files.write(list, lines);
      KnownFiles places = KnownFiles.open(set, options);
      assertThat(check(places, tree).values().stream().filter(Status.KNOWN::equals).count())
          .isBetween(101L, 199L);
      exact = check(places.confirmedBy(List.of(list)), tree);
      assertThat(exact.values().stream().filter(Status.KNOWN::equals)).hasSize(100);
      Files.writeString(list, "nothing\n");
      assertThatThrownBy(() -> check(places.confirmedBy(List.of(list)), tree))
          .hasMessageContaining("no line of the lists has a digest of SHA-256")
          .hasMessageContaining("line 1");
    }
  }

  @Test
  void linksAndTheSetItself() throws IOException {
    write("a", "one");
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Files.writeString(outside.resolve("x"), "x");
    Files.createSymbolicLink(tree.resolve("link"), outside);
    Files.createSymbolicLink(tree.resolve("loop"), tree);
    set = tree.resolve("set.bloom");
    build(KnownOptions.DEFAULT, tree);
    List<Found> found = new ArrayList<>();
    KnownFiles known = KnownFiles.open(set, KnownOptions.DEFAULT);
    Checked checked = known.check(List.of(tree), found::add, total -> bytes -> {});
    assertThat(checked).isEqualTo(new Checked(1, 0, 0, 2));
    assertThat(found).hasSize(1);
    assertThat(found.get(0).digest())
        .isEqualTo(HEX.formatHex(Digest.SHA256.start().digest("one".getBytes(UTF_8))));
    Path alias = Files.createSymbolicLink(directory.resolve("alias"), tree);
    assertThat(check(known, alias)).containsOnlyKeys("a");
    assertThatThrownBy(() -> build(KnownOptions.DEFAULT, Files.createDirectory(tree.resolve("e"))))
        .hasMessageContaining("no file and no digest");
  }

  @Test
  void progressIsThatOfAllBytes() throws IOException {
    write("a", "x".repeat(300_000));
    write("b", "y".repeat(5));
    long[] bytes = new long[2];
    KnownFiles.build(
        List.of(tree),
        set,
        KnownOptions.DEFAULT.within(3, 1 << 16, directory),
        total -> {
          bytes[0] = total;
          return more -> bytes[1] += more;
        });
    assertThat(bytes).containsExactly(300_005, 300_005);
  }

  /** What CIRCL publishes: digests in upper-case hexadecimal. */
  @Test
  void setsInDcsoForm() throws IOException {
    write("a", "abc");
    build(KnownOptions.DEFAULT.inDcsoForm(false).withDigest(Digest.SHA1), tree);
    KnownFiles known = KnownFiles.open(set, KnownOptions.DEFAULT);
    assertThat(known.info().digest()).isEqualTo(Digest.SHA1);
    byte[] abc = HEX.parseHex("a9993e364706816aba3e25717850c26c9cd0d89d"); // FIPS 180-4
    assertThat(known.mightContain(abc)).isTrue();
    assertThat(known.mightContain(Arrays.copyOf(new byte[] {1}, 20))).isFalse();
    KnownFiles lower = KnownFiles.open(set, KnownOptions.DEFAULT.inDcsoForm(true));
    assertThat(lower.mightContain(abc)).isFalse();
    try (Secret secret = Secret.generate()) {
      assertThatThrownBy(() -> KnownFiles.open(set, KnownOptions.DEFAULT.withSecret(secret)))
          .hasMessageContaining("built without a secret");
    }
  }

  @Test
  void contradictions() {
    try (Secret secret = Secret.generate()) {
      assertThatThrownBy(() -> KnownOptions.DEFAULT.withPlaces(secret).withDigest(Digest.MD5))
          .hasMessageContaining("needs SHA-256");
      assertThatThrownBy(() -> KnownOptions.DEFAULT.withSecret(secret).inDcsoForm(false))
          .hasMessageContaining("no secret");
      assertThatThrownBy(() -> build(KnownOptions.DEFAULT.withPlaces(secret), set))
          .hasMessageContaining("one directory");
    }
    assertThatThrownBy(() -> KnownOptions.DEFAULT.withRate(0)).hasMessageContaining("rate = 0");
    assertThatThrownBy(() -> KnownOptions.DEFAULT.within(0, 1 << 20, null))
        .hasMessageContaining("threads = 0");
    assertThatThrownBy(() -> KnownOptions.DEFAULT.within(1, 1, null))
        .hasMessageContaining("heapKeys = 1");
  }
}
