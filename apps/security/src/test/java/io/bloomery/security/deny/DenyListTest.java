package io.bloomery.security.deny;

import static io.bloomery.security.deny.DenyList.Verdict.ALLOWED;
import static io.bloomery.security.deny.DenyList.Verdict.DENIED;
import static io.bloomery.security.deny.DenyList.Verdict.NOT_LISTED;
import static io.bloomery.security.deny.DenyList.Verdict.UNREADABLE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.security.deny.DenyList.Answer;
import io.bloomery.security.deny.DenyList.Built;
import io.bloomery.security.deny.DenyList.Form;
import io.bloomery.security.deny.DenyList.Rule;
import io.bloomery.security.deny.DenyList.Verdict;
import io.bloomery.testkit.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DenyListTest {

  private static final String DISPOSABLE = "/domains/disposable.txt.gz";

  @TempDir private Path directory;

  private Path file(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content);
  }

  private Path target() {
    return directory.resolve("list.deny");
  }

  private DenyList list(String rules) throws IOException {
    return list(DenyOptions.DEFAULT.withSeed(Seeds.of(1)), file("rules.txt", rules));
  }

  private DenyList list(DenyOptions options, Path... lists) throws IOException {
    DenyList.build(List.of(lists), target(), options);
    return DenyList.open(target());
  }

  private Path disposable() throws IOException {
    Path file = directory.resolve("disposable.gz");
    if (!Files.exists(file)) {
      try (var in = Objects.requireNonNull(DenyListTest.class.getResourceAsStream(DISPOSABLE))) {
        Files.copy(in, file);
      }
    }
    return file;
  }

  private static List<String> domains() throws IOException {
    try (var in = Objects.requireNonNull(DenyListTest.class.getResourceAsStream(DISPOSABLE));
        var lines = new BufferedReader(new InputStreamReader(new GZIPInputStream(in), UTF_8))) {
      return lines.lines().toList();
    }
  }

  /** Names of two to four labels, none of which have a parent in common: chance is per rule. */
  private static List<String> goodNames(int count, long seed) {
    SplittableRandom random = Seeds.random(seed);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StringBuilder name = new StringBuilder();
      for (int labels = random.nextInt(1, 4); labels > 0; labels--) {
        name.append(Long.toString(random.nextLong() >>> 20, 36)).append('.');
      }
      names.add(name + "g" + Long.toString(random.nextLong() >>> 1, 36));
    }
    return names;
  }

  @ParameterizedTest
  @CsvSource({
    "example.com, DENIED, DOMAIN example.com",
    "a.b.Example.com., DENIED, DOMAIN example.com",
    "user@example.com, DENIED, DOMAIN example.com",
    "example.com:8443, DENIED, DOMAIN example.com",
    "https://user@a.example.com:1/x?y#z, DENIED, DOMAIN example.com",
    "notexample.com, NOT_LISTED,",
    "com, NOT_LISTED,",
    "host.test, DENIED, HOST host.test",
    "a.host.test, NOT_LISTED,",
    "http://host.test/a, DENIED, HOST host.test",
    "web.test, NOT_LISTED,",
    "http://web.test/bad/x?q, DENIED, URL web.test/bad/",
    "web.test/bad/, DENIED, URL web.test/bad/",
    "http://a.web.test/%62ad/../bad/, DENIED, URL web.test/bad/",
    "http://web.test/good/, NOT_LISTED,",
    "http://web.test/page?id=7, DENIED, URL web.test/page?id=7",
    "http://web.test/page?id=8, NOT_LISTED,",
    "10.1.2.3, DENIED, ADDRESSES 10.0.0.0/8",
    "10.1.2.3:80, DENIED, ADDRESSES 10.0.0.0/8",
    "http://0x0a000001/, DENIED, ADDRESSES 10.0.0.0/8",
    "[2001:db8::1], DENIED, ADDRESSES 2001:db8::/32",
    "2001:db9::1, NOT_LISTED,",
    "::ffff:10.0.0.1, DENIED, ADDRESSES 10.0.0.0/8",
    "11.1.2.3, NOT_LISTED,",
    "D41D8CD98F00B204E9800998ECF8427E, DENIED, FILE d41d8cd98f00b204e9800998ecf8427e",
    "ok.example.com, ALLOWED, DOMAIN ok.example.com",
    "a.ok.example.com, ALLOWED, DOMAIN ok.example.com",
    "10.0.0.53, ALLOWED, ADDRESSES 10.0.0.53/32",
    "ok.test, NOT_LISTED,",
    "10.0.0.0/8, UNREADABLE,",
    "a b, UNREADABLE,",
    "1.2.3.256, UNREADABLE,",
  })
  void forms(String item, Verdict verdict, String rule) throws IOException {
    DenyList list =
        list(
            """
            example.com
            0.0.0.0 host.test
            http://web.test/bad/
            http://web.test/page?id=7
            10.0.0.0/8
            2001:db8::/32
            d41d8cd98f00b204e9800998ecf8427e
            @@||ok.example.com^
            @@||ok.test^
            @@10.0.0.53
            """);
    Answer answer = list.check(item);
    assertThat(answer.verdict()).isEqualTo(verdict);
    if (rule == null) {
      assertThat(answer.rules()).isEmpty();
    } else {
      String[] words = rule.split(" ", 2);
      assertThat(answer.rules()).containsExactly(new Rule(Form.valueOf(words[0]), words[1]));
    }
  }

  @Test
  void rulesOfFormsThatTheListLacksAreNotLookedUp() throws IOException {
    assertThat(list("example.com\n").lookups("http://a.b.c/d/e")).isEqualTo(3);
    assertThat(list("0.0.0.0 a.b\n").lookups("http://a.b.c/d/e")).isEqualTo(1);
    assertThat(list("a.b/c\n").lookups("http://a.b.c/d/e")).isEqualTo(4);
    assertThat(list("a.b/c\n").lookups("a.b.c")).isZero();
    assertThat(list("10.0.0.0/8\n10.0.0.1\n").lookups("1.2.3.4")).isEqualTo(2);
    assertThat(list("10.0.0.0/8\n").lookups("2001:db8::1")).isZero();
    assertThat(list("10.0.0.0/8\n").lookups("?")).isZero();
  }

  /** Against all rules and parents as text: none is missed, and others are found by the formula. */
  @Test
  void realDomainsAndTheirSubdomains() throws IOException {
    List<String> domains = domains();
    double rate = 0x1p-7;
    DenyList list = list(DenyOptions.DEFAULT.withRate(rate).withSeed(Seeds.of(2)), disposable());
    assertThat(list.info().rate()).isBetween(rate / 2, rate);
    Set<String> model = new HashSet<>();
    for (String domain : domains) {
      model.add(Names.canonical(domain));
    }
    assertThat(list.info().rules()).isEqualTo(model.size());
    for (String domain : domains) {
      requireDenied(list, domain);
      requireDenied(list, "mail." + domain);
      requireDenied(list, "someone@A.B." + upperCase(domain) + ".");
      requireDenied(list, "https://x." + domain + ":8443/path?q");
    }
    int[] calls = {0};
    double expected = 0;
    double variance = 0;
    for (String name : goodNames(100_000, 3)) {
      Verdict verdict =
          list.check(
                  name,
                  rules -> {
                    calls[0]++;
                    return rules.stream().anyMatch(rule -> model.contains(rule.text()));
                  })
              .verdict();
      assertThat(verdict).isEqualTo(NOT_LISTED);
      double chance = list.chance(name);
      expected += chance;
      variance += chance * (1 - chance);
    }
    int good = calls[0];
    assertThat(Math.abs(good - expected)).isLessThan(5 * Math.sqrt(variance));
    for (String domain : domains) {
      list.check("x." + domain, rules -> ++calls[0] > 0);
    }
    assertThat(calls[0] - good).as("remote calls for bad names").isEqualTo(domains.size());
  }

  /** In upper case, unless other letters have the same one. */
  private static String upperCase(String name) {
    return name.chars().allMatch(c -> c < 0x80) ? name.toUpperCase(Locale.ROOT) : name;
  }

  private static void requireDenied(DenyList list, String item) {
    if (list.check(item).verdict() != DENIED) {
      throw new AssertionError(item + " was missed");
    }
  }

  @Test
  void threeBytesPerRule() throws IOException {
    list(DenyOptions.DEFAULT, disposable());
    assertThat((double) Files.size(target()) / domains().size()).isBetween(2.5, 3.);
  }

  /** By chance, a list at 1 in 32 would deny thousands of them. */
  @Test
  void declaredItemsAreNotDeniedByChance() throws IOException {
    List<String> declared = goodNames(40_000, 4);
    DenyOptions options = DenyOptions.DEFAULT.withRate(0x1p-5).withSeed(Seeds.of(5));
    DenyList plain = list(options, disposable());
    long byChance = denied(plain, declared);
    Path universe = file("universe.txt", String.join("\n", declared));
    Built built =
        DenyList.build(List.of(disposable()), target(), options.withUniverse(List.of(universe)));
    DenyList exact = DenyList.open(target());
    assertThat(byChance).isGreaterThan(1000);
    assertThat(denied(exact, declared)).isZero();
    assertThat(built.universe()).isEqualTo(declared.size());
    assertThat(built.denied()).isZero();
    assertThat(built.exceptions()).isGreaterThan(byChance / 2);
    for (String domain : domains()) {
      requireDenied(exact, domain);
      requireDenied(exact, "mail." + domain);
    }
    long others = denied(exact, goodNames(40_000, 6));
    assertThat(others).as("denied of what was not declared").isBetween(1L, byChance * 11 / 10);
  }

  private static long denied(DenyList list, List<String> items) {
    return items.stream().filter(item -> list.check(item).verdict() == DENIED).count();
  }

  @Test
  void declaredItemsThatRulesDenyAreNamed() throws IOException {
    Path rules = file("rules.txt", "a.test\n@@||ok.a.test^\n");
    Path universe = file("universe.txt", "# ours\n\nb.test\nx.a.test\nok.a.test\n1.2.3.256\n");
    Built built =
        DenyList.build(
            List.of(rules), target(), DenyOptions.DEFAULT.withUniverse(List.of(universe)));
    assertThat(built.universe()).isEqualTo(3);
    assertThat(built.denied()).isEqualTo(1);
    assertThat(built.deniedItems()).containsExactly("x.a.test");
    assertThat(built.broken())
        .containsExactly(universe + ", line 6: not a name, URL, address or digest");
    assertThat(DenyList.open(target()).check("x.a.test").verdict()).isEqualTo(DENIED);
  }

  @Test
  void allowListsWin() throws IOException {
    Path allow = file("allow.txt", "ok.test\n0.0.0.0 one.test\nhttp://web.test/fine/\n");
    DenyOptions options = DenyOptions.DEFAULT.withAllow(List.of(allow));
    DenyList list = list(options, file("rules.txt", "||test^\n"));
    assertThat(list.check("a.ok.test").verdict()).isEqualTo(ALLOWED);
    assertThat(list.check("one.test").verdict()).isEqualTo(ALLOWED);
    assertThat(list.check("a.one.test").verdict()).isEqualTo(DENIED);
    assertThat(list.check("http://web.test/fine/1").verdict()).isEqualTo(ALLOWED);
    assertThat(list.check("http://web.test/").verdict()).isEqualTo(DENIED);
    assertThat(
            list.check(
                    "one.test",
                    rules -> {
                      throw new IllegalStateException("asked about what is allowed");
                    })
                .verdict())
        .isEqualTo(ALLOWED);
    assertThat(list.info().allowRules()).isEqualTo(3);
  }

  @Test
  void brokenLinesAreCountedShownOrRefused() throws IOException {
    Path rules = file("rules.txt", "a.test\nx y\n\nz*.test\n||b.test^$third-party\nword\n");
    Built built = DenyList.build(List.of(rules), target(), DenyOptions.DEFAULT);
    assertThat(built.rules()).isEqualTo(1);
    assertThat(built.brokenLines()).isEqualTo(4);
    assertThat(built.broken())
        .hasSize(3)
        .first()
        .isEqualTo(rules + ", line 2: several words, of which the first is no address");
    byte[] before = Files.readAllBytes(target());
    assertThatThrownBy(
            () -> DenyList.build(List.of(rules), target(), DenyOptions.DEFAULT.strictly()))
        .isInstanceOf(IOException.class)
        .hasMessage(rules + ", line 2: several words, of which the first is no address");
    assertThat(Files.readAllBytes(target())).isEqualTo(before);
  }

  @Test
  void aListWithoutAGoodLineIsAnError() throws IOException {
    for (String rules : List.of("", "# only\n", "@@||ok.test^\n")) {
      Path file = file("rules.txt", rules);
      assertThatThrownBy(() -> DenyList.build(List.of(file), target(), DenyOptions.DEFAULT))
          .isInstanceOf(IOException.class)
          .hasMessage("there is no rule in the list");
    }
    Path file = file("rules.txt", "word\n");
    assertThatThrownBy(() -> DenyList.build(List.of(file), target(), DenyOptions.DEFAULT))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("no line of the list is a rule: ");
    assertThat(target()).doesNotExist();
  }

  @Test
  void theSameSeedMakesTheSameFileAndADrawnOneAnother() throws IOException {
    Path rules = file("rules.txt", "a.test\nb.test\n@@||c.b.test^\n");
    Path turned = file("turned.txt", "@@||c.b.test^\nb.test\na.test\nb.test\n");
    DenyList.build(List.of(rules), target(), DenyOptions.DEFAULT.withSeed(7));
    byte[] first = Files.readAllBytes(target());
    DenyList.build(List.of(turned), target(), DenyOptions.DEFAULT.withSeed(7));
    assertThat(Files.readAllBytes(target())).isEqualTo(first);
    DenyList.build(List.of(rules), target(), DenyOptions.DEFAULT);
    assertThat(Files.readAllBytes(target())).isNotEqualTo(first);
  }

  /** Each byte that is changed, and each place where the file is cut off, is noticed. */
  @Test
  void damagedFilesAreRefused() throws IOException {
    Path universe = file("universe.txt", String.join("\n", goodNames(200, 8)));
    DenyOptions options =
        DenyOptions.DEFAULT.withRate(.25).withUniverse(List.of(universe)).withSeed(Seeds.of(9));
    list(options, file("rules.txt", "a.test\n10.0.0.0/8\n@@||b.a.test^\n"));
    byte[] whole = Files.readAllBytes(target());
    Path damaged = directory.resolve("damaged");
    for (int i = 0; i < whole.length; i += whole[i] == 0 ? 13 : 1) { // most of it is padding
      byte[] changed = whole.clone();
      changed[i] ^= (byte) (1 << (i % 8));
      requireRefused(Files.write(damaged, changed), "byte " + i);
      if (i % 16 == 0) {
        requireRefused(Files.write(damaged, Arrays.copyOf(whole, i)), "the first " + i);
      }
    }
    requireRefused(Files.write(damaged, Arrays.copyOf(whole, whole.length + 1)), "one more");
    assertThatThrownBy(() -> DenyList.open(target(), whole.length - 1))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("which is the limit");
    assertThat(DenyList.open(target(), whole.length).info().rules()).isEqualTo(2);
  }

  private static void requireRefused(Path file, String what) throws IOException {
    try {
      DenyList.open(file);
    } catch (FilterFormatException e) {
      assertThat(e.source()).isEqualTo(file.toString());
      return;
    }
    throw new AssertionError("not refused: " + what);
  }

  @Test
  void unreadableItems() throws IOException {
    DenyList list = list("a.test\n");
    for (String item :
        List.of(
            "",
            " ",
            "..",
            "http://",
            "a".repeat(70_000),
            "\uDC80",
            ":".repeat(60_000),
            "1".repeat(60_000) + "/1")) {
      assertThat(list.check(item).verdict()).isEqualTo(UNREADABLE);
      assertThat(list.chance(item)).isZero();
    }
  }

  @Test
  void optionsAreChecked() {
    for (double rate : new double[] {0, 1, Double.NaN, 1e-10}) {
      assertThatThrownBy(() -> DenyOptions.DEFAULT.withRate(rate))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("rate = ");
    }
  }

  @Test
  void aUniverseIsReadFromRegularFiles() throws IOException {
    Path rules = file("rules.txt", "a.test\n");
    DenyOptions options = DenyOptions.DEFAULT.withUniverse(List.of(directory));
    assertThatThrownBy(() -> DenyList.build(List.of(rules), target(), options))
        .isInstanceOf(IOException.class)
        .hasMessage(directory + ": not a regular file");
  }
}
