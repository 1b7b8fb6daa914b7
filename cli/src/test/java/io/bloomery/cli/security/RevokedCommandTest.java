package io.bloomery.cli.security;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.security.revocation.RevocationList;
import io.bloomery.security.revocation.RevocationOptions.Terms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RevokedCommandTest {

  @TempDir private Path directory;

  private PrivateKey publisher;

  @BeforeEach
  void makeFiles() throws IOException, GeneralSecurityException {
    publisher = pair("private.pem", "public.pem");
    pair("stranger.pem", "other.pem");
    write("revoked", IntStream.range(0, 3_000));
    write("more", IntStream.range(0, 3_001));
    write("others", IntStream.range(3_000, 90_000));
    write("fewer", IntStream.range(3_001, 90_000));
    assertThat(build("revoked", "others", "list").err()).isEmpty();
  }

  private PrivateKey pair(String secret, String open) throws IOException, GeneralSecurityException {
    KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    pem(secret, "PRIVATE KEY", pair.getPrivate().getEncoded());
    pem(open, "PUBLIC KEY", pair.getPublic().getEncoded());
    return pair.getPrivate();
  }

  private void pem(String file, String name, byte[] der) throws IOException {
    String base64 = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(der);
    Files.writeString(
        directory.resolve(file),
        "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(name, base64));
  }

  private void write(String file, IntStream numbers) throws IOException {
    Files.write(
        directory.resolve(file),
        numbers.mapToObj(i -> "%04x".formatted(i)).collect(Collectors.toList()));
  }

  /** Words with a dot or a slash less are taken as they are; "@x" is a file. */
  private Bloom.Run run(String line) {
    List<Object> words = new ArrayList<>();
    for (String word : line.split(" ", -1)) {
      words.add(word.startsWith("@") ? directory.resolve(word.substring(1)) : word);
    }
    return bloom(words.toArray());
  }

  private Bloom.Run build(String revoked, String others, String list) {
    return run(
        "revoked build @%s --others @%s -o @%s --private-key @private.pem --public-key @public.pem"
            .formatted(revoked, others, list));
  }

  private Bloom.Run check(String more) {
    return run("revoked check @list --public-key @public.pem " + more);
  }

  @Test
  void statesOfKeys() {
    Bloom.Run run = check("--all-known --key 0000 --key ffff");
    assertThat(run.out()).startsWith("revoked\t0000\n");
    assertThat(run.code()).isEqualTo(1);
    assertThat(check("--all-known --key 0bb8").out()).isEqualTo("good\t0bb8\n");
    assertThat(check("--all-known --key 0bb8").err()).isEqualTo("1 good, 0 revoked, 0 unknown\n");
    assertThat(check("--all-known --key 0bb8").code()).isZero();
    assertThat(check("--key 0bb8").out()).isEqualTo("unknown\t0bb8\n");
    assertThat(check("--key 0bb8").code()).isEqualTo(1);
    run = check("--all-known @revoked -q");
    assertThat(run.out().lines()).hasSize(3_000).allMatch(line -> line.startsWith("revoked\t"));
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(check("--all-known @others -q").out().lines())
        .hasSize(87_000)
        .allMatch(line -> line.startsWith("good\t"));
    assertThat(check("--all-known --key 0bb8 --json -q").out())
        .isEqualTo("{\"key\":\"0bb8\",\"status\":\"good\"}\n");
    Path list = directory.resolve("list");
    Path key = directory.resolve("public.pem");
    run = bloomWith("0001\r\n0bb8", "revoked", "check", list, "--public-key", key, "--all-known");
    assertThat(run.out()).isEqualTo("revoked\t0001\ngood\t0bb8\n");
  }

  @Test
  void hexadecimalKeys() {
    String line =
        "revoked build @revoked --others @others -o @hex --private-key @private.pem --public-key"
            + " @public.pem --hex -q";
    // "10000" and on have five digits
    assertThat(run(line).err()).contains("others, line 62537: '10000' is not hexadecimal");
    assertThat(directory.resolve("hex")).doesNotExist();
    assertThat(check("--hex --all-known --key xyz").err()).contains("--key: 'xyz' is not");
    assertThat(check("--hex --all-known --key 30303030").out()).isEqualTo("revoked\t30303030\n");
  }

  /** No file that is read is replaced, but the list by its successor. */
  @ParameterizedTest
  @ValueSource(strings = {"revoked", "others", "private.pem", "public.pem", "list"})
  void filesThatAreReadAreNotReplaced(String name) throws IOException {
    Path file = directory.resolve(name);
    byte[] before = Files.readAllBytes(file);
    String line =
        "revoked build @revoked --others @others --private-key @private.pem --public-key"
            + " @public.pem --force -o @";
    String error = "bloom: %s: is read as well; write to another file\n".formatted(file);
    if (!name.equals("list")) {
      assertThat(run(line + name).err()).isEqualTo(error);
    }
    Bloom.Run run = run(line + "new --after @list --write-update @" + name);
    assertThat(run.err()).isEqualTo(error);
    assertThat(run.code()).isEqualTo(2);
    assertThat(file).hasBinaryContent(before);
    assertThat(run(line + "list --after @list --write-update @update").err()).isEmpty();
  }

  @Test
  void commandsForFiltersNameTheOneForTheList() {
    assertThat(run("info @list").err())
        .isEqualTo(
            "bloom: %s: is not a filter but a list of revoked keys; bloom revoked check reads it\n"
                .formatted(directory.resolve("list")));
  }

  @Test
  void keysAreNotReadFromStandardInput() {
    Bloom.Run run =
        run(
            "revoked build - --others @others -o @x --private-key @private.pem --public-key"
                + " @public.pem");
    assertThat(run.err())
        .isEqualTo("bloom: keys are read from files; one in this directory is ./-\n");
    assertThat(run.code()).isEqualTo(2);
  }

  @Test
  void updates() throws IOException {
    Bloom.Run run =
        run(
            "revoked build @more --others @fewer -o @new --private-key @private.pem --public-key"
                + " @public.pem --after @list --write-update @update --days 30");
    assertThat(run.out())
        .contains("list 2, 3,001 of 90,000 keys revoked")
        .contains(": 1 answer of the earlier list changed\n");
    assertThat(Files.size(directory.resolve("update"))).isLessThan(700);
    assertThat(check("--all-known --key 0bb8").out()).isEqualTo("good\t0bb8\n");
    run = run("revoked update @list @update --public-key @public.pem --state @memory --json");
    assertThat(run.out()).contains("\"serial\":2").contains("\"updates\":1");
    assertThat(check("--all-known --key 0bb8").out()).isEqualTo("revoked\t0bb8\n");
    assertThat(directory.resolve("list")).hasSameBinaryContentAs(directory.resolve("new"));
    assertThat(run("revoked update @list @update --public-key @public.pem").err())
        .contains("get the whole list");
    assertThat(build("revoked", "others", "old").code()).isZero();
    assertThat(
            run("revoked check @old --public-key @public.pem --state @memory --key 1 --all-known")
                .err())
        .contains("the list has number 1, and number 2 was seen");
    assertThat(run("revoked update @list @list --public-key @public.pem -q").code()).isZero();
  }

  @Test
  void emptyLinesAreNoKeys() throws IOException {
    for (String file : List.of("revoked", "others")) {
      Files.writeString(directory.resolve(file), "\n\n", StandardOpenOption.APPEND);
    }
    assertThat(build("revoked", "others", "again").out()).contains("3,000 of 90,000 keys");
    assertThat(check("--all-known @revoked -q").out().lines()).hasSize(3_000);
    Files.writeString(directory.resolve("revoked"), "\n");
    Files.writeString(directory.resolve("others"), "\n");
    assertThat(build("revoked", "others", "none").err()).contains("no keys");
  }

  private static final String NEXT =
      "revoked build @more --others @fewer -o @new --private-key @private.pem --public-key"
          + " @public.pem --after @list --write-update @update";

  /** It remembered the newer list, and was killed before it replaced the older one. */
  @Test
  void anUpdateThatWasKilledIsRepeated() {
    assertThat(run(NEXT).err()).isEmpty();
    assertThat(run("revoked check @new --public-key @public.pem --state @seen --key 1").err())
        .contains("1 unknown");
    assertThat(run("revoked check @list --public-key @public.pem --state @seen --key 1").err())
        .contains("number 2 was seen");
    Bloom.Run run = run("revoked update @list @update --public-key @public.pem --state @seen -q");
    assertThat(run.err()).isEmpty();
    assertThat(directory.resolve("list")).hasSameBinaryContentAs(directory.resolve("new"));
  }

  /** A publisher who was late goes on with the next number, and its readers with the update. */
  @Test
  void theListBeforeMayBeOver() throws IOException {
    Instant past = Instant.now().minus(Duration.ofDays(9));
    byte[] over =
        RevocationList.build(
                new Terms(7, past, past, past.plus(Duration.ofDays(7))),
                () -> IntStream.range(0, 3_000).mapToObj(RevokedCommandTest::key),
                () -> IntStream.range(3_000, 90_000).mapToObj(RevokedCommandTest::key),
                publisher)
            .list();
    Files.write(directory.resolve("list"), over);
    assertThat(check("--all-known --key 0bb8").err()).contains("was valid to");
    Bloom.Run run = run(NEXT);
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("list 8, 3,001 of 90,000 keys").contains(": 1 answer of ");
    assertThat(run("revoked update @list @update --public-key @public.pem -q").err()).isEmpty();
    assertThat(check("--all-known --key 0bb8").out()).isEqualTo("revoked\t0bb8\n");
  }

  private static byte[] key(int i) {
    return "%04x".formatted(i).getBytes(US_ASCII);
  }

  /** What is remembered was published; a list that could not be written was not. */
  @Test
  void publishersRememberWhatTheyWrote() throws IOException {
    String next = NEXT + " --state @seen";
    Files.createDirectory(directory.resolve("new"));
    assertThat(run(next).code()).isEqualTo(2);
    Files.delete(directory.resolve("new"));
    assertThat(run(next).err()).isEmpty();
    assertThat(run(next + " --force").err()).contains("number 2 was seen");
    assertThat(run(next.replace("@new", "@third").replace("@list", "@new")).err()).isEmpty();
    assertThat(
            run("revoked build @more --others @fewer -o @fourth --private-key @private.pem"
                    + " --public-key @public.pem --state @seen")
                .err())
        .contains("--after");
    assertThat(directory.resolve("fourth")).doesNotExist();
  }

  @Test
  void mistakes() throws IOException {
    assertThat(run("revoked check @list --public-key @other.pem --key 1").err())
        .contains("not signed by the publisher");
    assertThat(run("revoked check @list --public-key @private.pem --key 1").err())
        .contains("has no PUBLIC KEY");
    assertThat(run("revoked check @revoked --public-key @public.pem --key 1").err())
        .contains("revoked: ", "not a revocation list");
    assertThat(run("revoked update @list @revoked --public-key @public.pem").err())
        .contains("revoked: ", "not a revocation list");
    assertThat(run(NEXT.replace("@update", "@new")).err()).contains("cannot be both");
    assertThat(run("revoked check @nosuch --public-key @public.pem --key 1").err())
        .contains("nosuch: no such file");
    assertThat(run("revoked check @list --public-key @nosuch --key 1").err())
        .contains("nosuch: no such file");
    assertThat(run("revoked update @list @nosuch --public-key @public.pem").err())
        .contains("nosuch: no such file");
    assertThat(build("revoked", "more", "wrong").err()).contains("also among the others");
    assertThat(build("revoked", "nosuch", "wrong").err()).contains("nosuch: no such file");
    assertThat(build("revoked", "others", "list").err()).contains("--force");
    assertThat(
            run("revoked build @revoked --others @others -o @wrong --private-key @stranger.pem"
                    + " --public-key @public.pem")
                .err())
        .contains("not signed by the publisher");
    assertThat(
            run("revoked build @revoked --others @others -o @wrong --private-key @private.pem"
                    + " --public-key @public.pem --days 0")
                .err())
        .contains("1 to 3660");
    assertThat(directory.resolve("wrong")).doesNotExist();
    Files.writeString(
        directory.resolve("broken.pem"),
        "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n");
    assertThat(run("revoked check @list --public-key @broken.pem --key 1").err())
        .contains("is not a public key of Ed25519");
    assertThat(run("revoked").code()).isEqualTo(2);
  }
}
