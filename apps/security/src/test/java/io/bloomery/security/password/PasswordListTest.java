package io.bloomery.security.password;

import static io.bloomery.security.password.PasswordList.Reason.LISTED;
import static io.bloomery.security.password.PasswordList.Reason.ONE_CHANGE_AWAY;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.security.password.PasswordList.Reason;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PasswordListTest {

  private static final String COMMON = "/passwords/common-10000.txt.gz";
  private static final Optional<Reason> NONE = Optional.empty();
  private static final char[] STRONG =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".toCharArray();

  @TempDir private Path directory;

  private Path file(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content);
  }

  private Path common() throws IOException {
    Path file = directory.resolve("common.gz");
    if (!Files.exists(file)) {
      try (var in = Objects.requireNonNull(PasswordListTest.class.getResourceAsStream(COMMON))) {
        Files.copy(in, file);
      }
    }
    return file;
  }

  private static List<String> commonWords() throws IOException {
    try (var in = Objects.requireNonNull(PasswordListTest.class.getResourceAsStream(COMMON));
        var lines = new BufferedReader(new InputStreamReader(new GZIPInputStream(in), UTF_8))) {
      return lines.lines().toList();
    }
  }

  private PasswordList list(PasswordOptions options, Path... files) throws IOException {
    Path target = directory.resolve("list.bloom");
    PasswordList.build(List.of(files), target, options);
    return PasswordList.open(target);
  }

  private static Optional<Reason> check(PasswordList list, String password) {
    return list.check(password.toCharArray());
  }

  static String sha1(String password) throws Exception {
    byte[] digest = MessageDigest.getInstance("SHA-1").digest(password.getBytes(UTF_8));
    return HexFormat.of().withUpperCase().formatHex(digest);
  }

  /** A random password in which no character follows itself, so that all lookups differ. */
  private static char[] strong(SplittableRandom random, int length) {
    char[] password = new char[length];
    for (int i = 0; i < length; i++) {
      do {
        password[i] = STRONG[random.nextInt(STRONG.length)];
      } while (i > 0 && password[i] == password[i - 1]);
    }
    return password;
  }

  private static void assertRefusals(PasswordList list, int length, int trials) {
    SplittableRandom random = Seeds.random(length);
    long refused = 0;
    for (int i = 0; i < trials; i++) {
      refused += list.check(strong(random, length)).isPresent() ? 1 : 0;
    }
    Rates.assertRate(refused, trials, list.refusalRate(length), 5);
  }

  @Test
  void realPasswordsAreFoundAndStrongOnesRefusedAsPredicted() throws IOException {
    PasswordList list = list(PasswordOptions.DEFAULT.withRate(1e-3), common());
    for (String word : commonWords()) {
      assertThat(check(list, word)).contains(LISTED);
    }
    assertThat(list.info().passwords()).isEqualTo(10_000);
    assertThat(list.info().digest()).isEqualTo("SHA-1");
    assertRefusals(list, 12, 200_000);
  }

  @Test
  void tenThousandChangedPasswordsAreRefused() throws IOException {
    PasswordList list = list(PasswordOptions.DEFAULT.withRate(1e-3).withOneChange(), common());
    List<String> words = commonWords();
    Set<String> listed = Set.copyOf(words);
    SplittableRandom random = Seeds.random(1);
    for (int i = 0; i < 10_000; i++) {
      StringBuilder changed = new StringBuilder(words.get(random.nextInt(words.size())));
      char other = STRONG[random.nextInt(STRONG.length)];
      int at = random.nextInt(changed.length());
      switch (i % 3) {
        case 0 -> changed.insert(random.nextInt(changed.length() + 1), other);
        case 1 -> changed.setCharAt(at, other);
        default -> changed.deleteCharAt(at);
      }
      Optional<Reason> reason = check(list, changed.toString());
      if (listed.contains(changed.toString())) {
        assertThat(reason).contains(LISTED);
      } else {
        assertThat(reason).isPresent();
      }
    }
    // Manber and Wu: at most (2L + 2)f, which is 2.2 % for ten characters at a rate of 1/1,000.
    assertThat(list.refusalRate(10)).isBetween(.0215, .022);
    assertRefusals(list, 10, 20_000);
  }

  @Test
  void oneChangeIsWhatTheDistanceSays() throws IOException {
    List<String> all = new ArrayList<>(List.of(""));
    String[] letters = {"a", "b", "\u00e9"};
    for (int i = 0; i < all.size() && all.get(i).length() < 5; i++) {
      for (String letter : letters) {
        all.add(all.get(i) + letter);
      }
    }
    List<String> words = List.of("a", "ab\u00e9", "bbbb", "\u00e9ab\u00e9");
    PasswordList list =
        list(
            PasswordOptions.DEFAULT.withRate(0x1p-32).withOneChange(),
            file("words", String.join("\n", words)));
    for (String password : all) {
      int nearest = words.stream().mapToInt(word -> distance(word, password)).min().orElseThrow();
      Optional<Reason> expected =
          switch (nearest) {
            case 0 -> Optional.of(LISTED);
            case 1 -> Optional.of(ONE_CHANGE_AWAY);
            default -> NONE;
          };
      assertThat(check(list, password)).as(password).isEqualTo(expected);
    }
  }

  /** Insertions, deletions and replacements from one text to another. */
  private static int distance(String one, String other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.length() + other.length();
    }
    String rest = one.substring(1);
    String otherRest = other.substring(1);
    int kept = distance(rest, otherRest) + (one.charAt(0) == other.charAt(0) ? 0 : 1);
    return Math.min(kept, 1 + Math.min(distance(rest, other), distance(one, otherRest)));
  }

  @Test
  void countClassesKeepTheirBounds() throws Exception {
    int[] counts = {1, 9, 10, 99, 100, 999, 1000, 52_579_078};
    StringBuilder lines = new StringBuilder();
    for (int count : counts) {
      lines.append(sha1("word" + count)).append(':').append(count).append("\r\n");
    }
    PasswordList list =
        list(
            PasswordOptions.DEFAULT.withRate(0x1p-32).withCountClasses(),
            file("hashes", lines.toString()));
    for (int least : new int[] {1, 10, 100, 1000}) {
      PasswordList frequent = list.withMinimumCount(least);
      for (int count : counts) {
        assertThat(check(frequent, "word" + count))
            .isEqualTo(count >= least ? Optional.of(LISTED) : NONE);
      }
    }
    assertThatThrownBy(() -> list.withMinimumCount(11))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void countsThatAreNotThere() throws IOException {
    PasswordList list = list(PasswordOptions.DEFAULT, file("words", "secret\n"));
    assertThat(list.withMinimumCount(1).check("secret".getBytes(UTF_8))).contains(LISTED);
    assertThatThrownBy(() -> list.withMinimumCount(10)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(
            () -> list(PasswordOptions.DEFAULT.withCountClasses(), file("words", "secret\n")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("without counts");
  }

  @Test
  void ntlmFiles() throws IOException {
    PasswordList list =
        list(
            PasswordOptions.DEFAULT.withRate(0x1p-32),
            file("ntlm", "8846F7EAEE8FB117AD06BDD830B7586C:9659365\n"));
    assertThat(list.info().digest()).isEqualTo("NTLM");
    assertThat(check(list, "password")).contains(LISTED);
    assertThat(check(list, "Password")).isEmpty();
  }

  @Test
  void severalFilesAreOneList() throws Exception {
    PasswordList list =
        list(
            PasswordOptions.DEFAULT,
            file("one", "first\n\nsecond"),
            file("two", sha1("third") + "\n"));
    for (String word : List.of("first", "second", "third")) {
      assertThat(check(list, word)).contains(LISTED);
    }
    assertThat(list.info().passwords()).isEqualTo(3);
    assertThatThrownBy(
            () ->
                list(
                    PasswordOptions.DEFAULT,
                    file("one", "first\n"),
                    file("two", "8846F7EAEE8FB117AD06BDD830B7586C:1\n")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not both");
  }

  @Test
  void changesNeedPasswords() throws Exception {
    Path hashes = file("hashes", sha1("x") + ":1\n");
    assertThatThrownBy(() -> list(PasswordOptions.DEFAULT.withOneChange(), hashes))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("only passwords can be changed");
    assertThatThrownBy(() -> PasswordOptions.DEFAULT.withOneChange().withCountClasses())
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void longPasswordsAreListedUnchanged() throws IOException {
    String longest = "a-".repeat(64);
    String longer = longest + "-";
    PasswordList list =
        list(
            PasswordOptions.DEFAULT.withRate(0x1p-32).withOneChange(),
            file("words", longest + "\n" + longer + "z\n"));
    assertThat(check(list, longest)).contains(LISTED);
    assertThat(check(list, longest + "x")).contains(ONE_CHANGE_AWAY);
    assertThat(check(list, longer + "z")).contains(LISTED);
    assertThat(check(list, longer + "zz")).isEmpty();
    assertThatThrownBy(
            () -> list(PasswordOptions.DEFAULT, file("huge", "x".repeat(1 << 20) + "xx\n")))
        .isInstanceOf(IOException.class);
  }

  @Test
  void moreKeysThanFitOnTheHeap() throws IOException {
    String lines =
        IntStream.range(0, 150_000).mapToObj(i -> "w" + i).collect(Collectors.joining("\n"));
    PasswordOptions options = PasswordOptions.DEFAULT.within(1 << 16, directory);
    PasswordList list = list(options, file("many", lines));
    IntStream.range(0, 150_000)
        .parallel()
        .forEach(i -> assertThat(check(list, "w" + i).isPresent()).isTrue());
    try (var left = Files.list(directory)) {
      assertThat(left.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("many", "list.bloom");
    }
  }

  /**
   * 613,584,246 leaked passwords at a rate of 10^-8 took 23,524,963,270 bits in a Bloom filter; 847
   * million at 10^-9 are to take 3.2 GB at most.
   */
  @Test
  void publishedSizes() {
    double bloom = -613_584_246 * Math.log(1e-8) / (Math.log(2) * Math.log(2));
    assertThat(Math.ceil(bloom)).isEqualTo(23_524_963_270.0);
    long ours = PasswordOptions.DEFAULT.withRate(1e-8).plannedBytes(613_584_246);
    assertThat(ours * 8 / bloom).isBetween(.69, .72);
    assertThat(PasswordOptions.DEFAULT.withRate(1e-9).plannedBytes(847_000_000))
        .isBetween(3_160_000_000L, 3_200_000_000L);
  }

  @Test
  void theCallersArraysStayAsTheyAre() throws IOException {
    PasswordList list = list(PasswordOptions.DEFAULT, file("words", "secret\n"));
    char[] password = "secret".toCharArray();
    assertThat(list.check(password)).contains(LISTED);
    assertThat(password).isEqualTo("secret".toCharArray());
    assertThat(list.check(new char[0])).isEmpty();
  }

  @Test
  void optionsAreChecked() {
    assertThatThrownBy(() -> PasswordOptions.DEFAULT.withRate(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PasswordOptions.DEFAULT.withRate(1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PasswordOptions.DEFAULT.within(1, null))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
