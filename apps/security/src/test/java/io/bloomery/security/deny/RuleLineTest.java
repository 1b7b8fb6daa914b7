package io.bloomery.security.deny;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.security.deny.DenyList.Rule;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Seeds;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RuleLineTest {

  private static String rules(String line) {
    RuleLine read = RuleLine.of(line);
    assertThat(read.problem()).as(line).isNull();
    return (read.isAllowed() ? "@@" : "")
        + read.rules().stream().map(Rule::key).collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "example.com, dexample.com",
        "Example.COM., dexample.com",
        "bücher.example, dxn--bcher-kva.example",
        "||example.com^, dexample.com",
        "||example.com^|, dexample.com",
        "||*.example.com^, dexample.com",
        "||zip^, dzip",
        "*.example.com, dexample.com",
        ".example.com, dexample.com",
        "@@||example.com^, @@dexample.com",
        "@@example.com, @@dexample.com",
        "0.0.0.0 a.example b.example # both, ha.example hb.example",
        "127.0.0.1\ta.example, ha.example",
        "::1 a.example, ha.example",
        ":: a.example, ha.example",
        "0.0.0.0 telemetry, htelemetry",
        "http://example.com/a/b.html?q#f, uexample.com/a/b.html?q",
        "https://user@example.com:8443/a/, uexample.com/a/",
        "example.com/a/, uexample.com/a/",
        "cafe.de/12, ucafe.de/12",
        "cafe.de:80/12, ucafe.de/12",
        "http://example.com, dexample.com",
        "http://example.com/?q, uexample.com/?q",
        "http://1.2.3.4:8080/, a1.2.3.4/32",
        "http://0x01020304/a, u1.2.3.4/a",
        "1.2.3.4, a1.2.3.4/32",
        "||1.2.3.4^, a1.2.3.4/32",
        "1.2.3.4/24 ; SBL1, a1.2.3.0/24",
        "2001:DB8::1/32, a2001:db8::/32",
        "::ffff:1.2.3.4/120, a1.2.3.0/24",
        "2001:db8::1, a2001:db8::1/128",
        "D41D8CD98F00B204E9800998ECF8427E, fd41d8cd98f00b204e9800998ecf8427e",
        "da39a3ee5e6b4b0d3255bfef95601890afd80709, fda39a3ee5e6b4b0d3255bfef95601890afd80709",
      })
  void rulesOf(String line, String expected) {
    assertThat(rules(line)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "   ",
        "# a",
        "! a",
        "; a",
        "[Adblock Plus 2.0]",
        "127.0.0.1 localhost",
        "::1 ip6-localhost ip6-loopback",
        "fe80::1%lo0 localhost",
        "255.255.255.255 broadcasthost",
        "ff02::1 ip6-allnodes",
        "0.0.0.0 0.0.0.0"
      })
  void linesWithoutRules(String line) {
    assertThat(rules(line)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "word, one word; a whole top-level domain is ||word^",
    "a b, 'several words, of which the first is no address'",
    "192.168.1.5 nas.example, 'the address of a host, which denies nothing'",
    "||example.com^$third-party, 'a rule with a modifier, which says more than that a domain is listed'",
    "||example.com/ads/, a rule of an ad blocker that is not ||domain^",
    "|http://example.com/|, a rule of an ad blocker that is not ||domain^",
    "||^, not a domain",
    "example.com##.ad, not a domain",
    "ads*.example.com, a wildcard that is not *. at the beginning",
    "user@example.com, 'an address of mail, not a domain'",
    "example.com:8080, not a domain",
    "1.2.3.4/0, a network whose length is not 1 to 32",
    "1.2.3.4/33, a network whose length is not 1 to 32",
    "::ffff:1.2.3.4/96, a network whose length is not 1 to 32",
    "2001:db8::/129, a network whose length is not 1 to 128",
    "1.2.3.256, not a domain",
    "10.1/16, a network without a whole address",
    "2001:db8/32, a URL without a host",
    "2001:db8:1/48, a network without a whole address",
    "http://, a URL without a host",
    "http://word/, a URL whose host is one word",
    "and/or, a URL whose host is one word",
    "http://*.example.com/, a wildcard that is not *. at the beginning",
    "http://%01.example.com/a, not a domain",
    "0.0.0.0 1.2.3.4, not a domain",
    "-, one word; a whole top-level domain is ||word^",
  })
  void brokenLines(String line, String problem) {
    assertThat(RuleLine.of(line).problem()).isEqualTo(problem);
    assertThat(RuleLine.of(line).rules()).isEmpty();
  }

  @Test
  void aLongLineIsBroken() {
    assertThat(RuleLine.of("http://a.b/" + "c".repeat(Item.LONGEST)).problem()).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "||",
        "@@",
        "@@||",
        "|",
        "*.",
        ".",
        "/",
        "://",
        "0.0.0.0 \u0000",
        "http://[",
        "@@@@a.b",
        "1/1",
        "[",
        "%"
      })
  void oddLines(String line) {
    RuleLine read = RuleLine.of(line);
    assertThat(read.problem() != null || read.rules().equals(List.of())).isTrue();
  }

  /**
   * Whatever a line holds, it is a rule, none, or broken; and what a rule names is covered by it.
   */
  @Test
  void anyTextIsReadAndWhatARuleNamesIsCovered() {
    String[] parts = {
      ".",
      "..",
      "/",
      "//",
      ":",
      "::",
      "@",
      "@@",
      "||",
      "^",
      "$",
      "*",
      "#",
      "%",
      "%2",
      "%25",
      "?",
      "[",
      "]",
      "\\",
      " ",
      "-",
      "_",
      "a",
      "b.c",
      "com",
      "1",
      "0x1f",
      "08",
      "255",
      "1.2.3.4",
      "10.0.0.0/8",
      "fe80",
      "2001:db8::",
      "/32",
      "http://",
      "www",
      "\u00fc",
      "\u3002",
      "\uDC80",
      "\uD83D",
      "\u0130",
      "\u2028",
      "\t",
      "xn--",
      "d41d8cd98f00b204e9800998ecf8427e"
    };
    SplittableRandom random = Seeds.random(4);
    BitSet kinds = new BitSet(Item.KINDS);
    kinds.set(0, Item.KINDS);
    int rules = 0;
    for (int i = Effort.of(200_000); i > 0; i--) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(1, 9); length > 0; length--) {
        text.append(parts[random.nextInt(parts.length)]);
      }
      Item.of(text.toString());
      for (Rule rule : RuleLine.of(text.toString()).rules()) {
        rules++;
        Item item =
            switch (rule.form()) {
              case ADDRESSES -> Item.of(rule.text().replaceFirst("/\\d+$", ""));
              case FILE -> Item.of(rule.text());
              default -> Item.of("http://" + rule.text());
            };
        if (item == null || !item.rules(kinds).contains(rule)) {
          throw new AssertionError(text + " is the rule " + rule + ", which does not cover it");
        }
      }
    }
    assertThat(rules).isGreaterThan(500);
  }
}
