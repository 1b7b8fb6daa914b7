package io.bloomery.security.known;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.secure.Secret;
import io.bloomery.security.known.KnownFiles.Built;
import io.bloomery.security.known.KnownFiles.Checked;
import io.bloomery.security.known.KnownOptions.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists that other programs wrote, of files that are there. */
final class DigestListsTest {

  private static final Path RESOURCES = Path.of("src/test/resources");

  @TempDir private Path directory;

  private Path tree;
  private Path set;

  @BeforeEach
  void makeTree() throws IOException {
    tree = Files.createDirectories(directory.resolve("tree"));
    set = directory.resolve("set.bloom");
    Path below = Files.createDirectory(tree.resolve("sub"));
    copy("passwords/common-10000.txt.gz", tree);
    copy("traces/cache2k-web07.int32be.gz", below);
    copy("traces/flows.txt.gz", below);
  }

  private static void copy(String name, Path to) throws IOException {
    Path from = RESOURCES.resolve(name);
    Files.copy(from, to.resolve(from.getFileName()));
  }

  private Built build(KnownOptions options, Path list) throws IOException {
    return KnownFiles.build(List.of(list), set, options, total -> bytes -> {});
  }

  private Checked check(KnownFiles known) throws IOException {
    return known.check(List.of(tree), found -> {}, total -> bytes -> {});
  }

  @ParameterizedTest
  @CsvSource({
    "sha256sum.txt, , SHA256",
    "sha256sum-tag.txt, , SHA256",
    "md5sum.txt, , MD5",
    "sha1-upper.txt, , SHA1",
    "hashdeep.txt, , SHA256",
    "hashdeep.txt, SHA1, SHA1",
    "hashdeep.txt, MD5, MD5",
    "nsrl.csv, , SHA1",
    "nsrl.csv, MD5, MD5",
  })
  void everyForm(String name, Digest asked, Digest digest) throws IOException {
    Path list = RESOURCES.resolve("known").resolve(name);
    KnownOptions options = KnownOptions.DEFAULT.withRate(1e-9).strictly();
    Built built = build(asked == null ? options : options.withDigest(asked), list);
    assertThat(built).isEqualTo(new Built(digest, 3, 0, 0, List.of(), List.of()));
    Files.writeString(tree.resolve("more"), "not in the list");
    KnownFiles known = KnownFiles.open(set, KnownOptions.DEFAULT);
    assertThat(check(known)).isEqualTo(new Checked(3, 1, 0, 0));
    assertThat(check(known.confirmedBy(List.of(list)))).isEqualTo(new Checked(3, 1, 0, 0));
  }

  /** The records of {@code sha256sum} and hashdeep confirm a tree with names. */
  @Test
  void namesInLists() throws IOException {
    try (Secret secret = Secret.generate()) {
      KnownOptions options = KnownOptions.DEFAULT.withPlaces(secret).withRate(0.5);
      build(options, tree);
      KnownFiles known = KnownFiles.open(set, options);
      for (String name : new String[] {"sha256sum.txt", "sha256sum-tag.txt", "hashdeep.txt"}) {
        Path list = RESOURCES.resolve("known").resolve(name);
        assertThat(check(known.confirmedBy(List.of(list)))).isEqualTo(new Checked(3, 0, 0, 0));
      }
      Path other = Files.writeString(directory.resolve("other"), "%064d  a\n".formatted(1));
      assertThat(check(known.confirmedBy(List.of(other)))).isEqualTo(new Checked(0, 3, 0, 0));
    }
  }

  private static DigestList read(String... lines) {
    DigestList list = new DigestList(null);
    for (String line : lines) {
      byte[] bytes = line.getBytes(UTF_8);
      list.read(bytes, 0, bytes.length);
    }
    return list;
  }

  @Test
  void namesOfLines() {
    String hex = "0123456789abcdef".repeat(4);
    assertThat(read(hex + "  a b ").name()).isEqualTo("a b ");
    assertThat(read(hex + " *x").name()).isEqualTo("x");
    assertThat(read("\\" + hex + "  a\\\\b\\nc\\r").name()).isEqualTo("a\\b\nc\r");
    assertThat(read(hex).name()).isNull();
    assertThat(read(hex + ":12").name()).isNull();
    assertThat(read("SHA256 (a) (b) = " + hex).name()).isEqualTo("a) (b");
    DigestList deep =
        read("%%%% HASHDEEP-1.0", "%%%% size,sha256,filename", "## x", "17," + hex + ",a,\"b");
    assertThat(deep.name()).isEqualTo("a,\"b");
    assertThat(deep.size()).isEqualTo(17);
  }

  @Test
  void brokenLines() throws IOException {
    Path list = directory.resolve("list");
    String good = "ab".repeat(20);
    Files.writeString(
        list,
        String.join(
            "\n",
            "# digests",
            "",
            good,
            "ab".repeat(16),
            "xyz",
            good + "x",
            "SHA1 (a) = 12",
            good.toUpperCase(Locale.ROOT),
            good + "\tname"));
    Built built = build(KnownOptions.DEFAULT, list);
    assertThat(built.files()).isEqualTo(3);
    assertThat(built.brokenLines()).isEqualTo(4);
    assertThat(built.broken())
        .hasSize(3)
        .allMatch(place -> place.startsWith(list + ", line "))
        .first()
        .asString()
        .endsWith("line 4: does not begin with 40 hexadecimal digits, a digest of SHA-1");
    assertThatThrownBy(() -> build(KnownOptions.DEFAULT.strictly(), list))
        .hasMessageContaining("line 4");
    Files.writeString(list, "a\nb\n");
    assertThatThrownBy(() -> build(KnownOptions.DEFAULT, list))
        .hasMessageContaining("no line of the lists can be read")
        .hasMessageContaining("line 1: does not begin with 64, 40 or 32 hexadecimal digits");
    Files.writeString(list, "sha1,name\n1,2\n" + good + ",\"x\n");
    assertThatThrownBy(() -> build(KnownOptions.DEFAULT.withDigest(Digest.MD5), list))
        .hasMessageContaining("the header has no column of MD5");
    assertThat(build(KnownOptions.DEFAULT, list).brokenLines()).isEqualTo(1);
  }
}
