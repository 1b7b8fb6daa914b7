package io.bloomery.cli.security;

import static io.bloomery.cli.Bloom.bloom;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.tools.name.Octets;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownCommandTest {

  /** The SHA-1 of "abc", of FIPS 180-4. */
  private static final String ABC = "A9993E364706816ABA3E25717850C26C9CD0D89D";

  @TempDir private Path directory;

  private Path tree;
  private Path set;
  private Path secret;

  @BeforeEach
  void makeFiles() throws IOException {
    tree = Files.createDirectories(directory.resolve("tree"));
    Files.writeString(tree.resolve("a"), "abc");
    Files.writeString(tree.resolve("b"), "other");
    set = directory.resolve("set.bloom");
    secret = Files.writeString(directory.resolve("secret"), "00112233445566778899aabbccddeeff");
  }

  private Bloom.Run check(Object... more) {
    Object[] line = new Object[more.length + 5];
    System.arraycopy(new Object[] {"known", "check", tree, "--set", set}, 0, line, 0, 5);
    System.arraycopy(more, 0, line, 5, more.length);
    return bloom(line);
  }

  @Test
  void listsAndModes() throws IOException {
    Path list = Files.writeString(directory.resolve("list"), ABC + "\nbroken\n");
    Bloom.Run run = bloom("known", "build", list, "-o", set);
    assertThat(run.out()).startsWith(Octets.name(set) + ": 1 file by SHA-1, ");
    assertThat(run.err()).contains("1 line skipped: ", "line 2: does not begin with 40");
    assertThat(run.code()).isZero();

    run = check();
    assertThat(run.out()).isEqualTo("known\t%s/a\nunknown\t%s/b\n".formatted(tree, tree));
    assertThat(run.err()).isEqualTo("2 files: 1 known, 1 unknown\n");
    assertThat(run.code()).isZero();
    run = check("--mode", "unknown", "--exit-code", "-q");
    assertThat(run.out()).isEqualTo(tree + "/b\n");
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isEqualTo(1);
    assertThat(check("--mode", "known", "--null", "-q").out()).isEqualTo(tree + "/a\0");
    assertThat(check("--against", list, "-q").out()).startsWith("known\t" + tree + "/a\n");
    assertThat(check("--json").out())
        .isEqualTo(
            """
            {"file":"%s/a","status":"known","digest":"a9993e364706816aba3e25717850c26c9cd0d89d"}
            {"file":"%s/b","status":"unknown","digest":"d0941e68da8f38151ff86a61fc59f7c5cf9fcaa2"}
            """
                    .formatted(tree, tree)
                + check("--json", "--mode", "known").out().lines().skip(1).findFirst().orElse("")
                + "\n");
    assertThat(check("--json").out())
        .contains("{\"files\":2,\"known\":1,\"unknown\":1,\"unread\":0,\"linksNotFollowed\":0,");
  }

  @Test
  void changes() throws IOException {
    assertThat(
            bloom("known", "build", tree, "-o", set, "--places", "--secret-file", secret, "--json")
                .out())
        .contains("\"files\":2,\"digest\":\"SHA-256\"");
    Bloom.Run run = check("--secret-file", secret, "--exit-code");
    assertThat(run.out()).isEqualTo("unchanged\t%s/a\nunchanged\t%s/b\n".formatted(tree, tree));
    assertThat(run.code()).isZero();

    Files.writeString(tree.resolve("a"), "abd");
    Files.delete(tree.resolve("b"));
    run = check("--secret-file", secret, "--exit-code");
    assertThat(run.out()).isEqualTo("changed\t" + tree + "/a\n");
    assertThat(run.err())
        .endsWith("1 file: 0 unchanged, 1 changed or new, 2 of the set changed or gone\n");
    assertThat(run.code()).isEqualTo(1);
    assertThat(check().err()).contains("was built under a secret, which is needed");
    Files.writeString(secret, "00112233445566778899aabbccddeefe");
    assertThat(check("--secret-file", secret).code()).isEqualTo(2);
  }

  @Test
  void sharedSets() throws IOException {
    assertThat(bloom("known", "build", tree, "-o", set, "--dcso", "--digest", "sha1").code())
        .isZero();
    assertThat(bloom("check", set, "--format", "dcso", "--key", ABC).out())
        .isEqualTo("probably present\t" + ABC + "\n");
    Path packed = directory.resolve("set.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      Files.copy(set, out);
    }
    set = packed;
    assertThat(check().err()).isEqualTo("2 files: 2 known, 0 unknown\n");
    assertThat(check("--lower-case").err()).isEqualTo("2 files: 0 known, 2 unknown\n");
    assertThat(check("--digest", "md5").err()).isEqualTo("2 files: 0 known, 2 unknown\n");
  }

  @Test
  void names() throws IOException {
    Path odd = tree.resolve(Octets.path(Octets.text(new byte[] {'x', (byte) 0xFF, '\n', 'y'})));
    Files.writeString(odd, "abc");
    assertThat(bloom("known", "build", tree, "-o", set).code()).isZero();
    Bloom.Run run = check("--mode", "known", "--null", "-q");
    assertThat(run.bytes())
        .isEqualTo((tree + "/a\0" + tree + "/b\0" + tree + "/x\u00ff\ny\0").getBytes(ISO_8859_1));
    assertThat(check("--json").out()).contains("\"fileBase64\":\"");
  }

  @Test
  void mistakes() throws IOException {
    assertThat(bloom("known").code()).isEqualTo(2);
    assertThat(bloom("known", "build", tree, "-o", set, "--places").err())
        .contains("--places needs --secret-file");
    assertThat(
            bloom("known", "build", tree, tree, "-o", set, "--places", "--secret-file", secret)
                .err())
        .contains("one directory");
    assertThat(
            bloom(
                    "known",
                    "build",
                    tree,
                    "-o",
                    set,
                    "--places",
                    "--secret-file",
                    secret,
                    "--digest",
                    "md5")
                .err())
        .contains("--places needs --digest sha256");
    assertThat(bloom("known", "build", tree, "-o", set, "--dcso", "--secret-file", secret).err())
        .contains("exclude each other");
    assertThat(bloom("known", "build", tree, "-o", set, "--lower-case").err())
        .contains("--lower-case is for --dcso");
    assertThat(bloom("known", "build", tree, "-o", set, "--threads", "0").err())
        .contains("--threads is 0");
    assertThat(bloom("known", "build", directory.resolve("no"), "-o", set).err())
        .contains("no: no such file");
    Path list = Files.writeString(directory.resolve("list"), "no digest\n");
    assertThat(bloom("known", "build", list, "-o", set).err())
        .contains("no line of the lists can be read");
    assertThat(bloom("known", "build", list, "-o", set, "--strict").err()).contains("line 1");
    assertThat(set).doesNotExist();
    assertThat(bloom("known", "build", list, "-o", list, "--force").err())
        .contains("is one of the lists");
    assertThat(check().err()).contains("set.bloom: no such file");
    assertThat(bloom("build", list, "-o", set).code()).isZero();
    assertThat(check().err()).contains("not a set of known files");
    assertThat(bloom("known", "check", list, "--set", set).code()).isEqualTo(2);
    set = list;
    assertThat(check().err()).contains("not a set of known files, nor").hasLineCount(1);
  }

  @Test
  void filesThatCannotBeRead() throws IOException {
    assertThat(bloom("known", "build", tree, "-o", set).code()).isZero();
    Path locked = tree.resolve("b");
    if (locked.toFile().setReadable(false) && !Files.isReadable(locked)) {
      Bloom.Run run = check();
      assertThat(run.out()).isEqualTo("known\t" + tree + "/a\n");
      assertThat(run.err()).contains("b: permission denied", "1 could not be read");
      assertThat(run.code()).isEqualTo(2);
    }
  }

  @Test
  void releases() throws Exception {
    Path jar = Path.of(Test.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path copy = Files.copy(jar, directory.resolve("renamed.jar"));
    Bloom.Run run = bloom("known", "version", copy, "--among", jar, "--exit-code");
    assertThat(run.out()).matches("1\tjunit-jupiter-api\t[0-9].*\t(\\d+) of \\1, 100 % of .*\n");
    assertThat(run.err()).contains("; 1 release");
    assertThat(run.code()).isZero();
    assertThat(bloom("known", "version", copy, "--among", jar, jar, "--json").out())
        .hasLineCount(2)
        .contains("{\"rank\":1,\"tied\":true,\"library\":\"junit-jupiter-api\"");
    assertThat(bloom("known", "version", secret, "--among", jar).err())
        .contains("not a jar")
        .hasLineCount(1);
    assertThat(bloom("known", "version", jar).code()).isEqualTo(2);
  }
}
