package io.bloomery.find;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.find.text.DistinctHashes;
import io.bloomery.find.text.Tokens;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TokensTest {

  private static void assertTokens(String joints, String text, String... tokens) {
    byte[] bytes = text.getBytes(UTF_8);
    DistinctHashes hashes = new DistinctHashes();
    new Tokens(joints).hash(bytes, 0, bytes.length, KeyRule.Hash.HASHER, hashes);
    long[] expected =
        Arrays.stream(tokens).distinct().mapToLong(KeyRule.Hash.HASHER::hash).toArray();
    assertThat(hashes.toArray()).as(text).containsExactlyInAnyOrder(expected);
  }

  @Test
  void addressesIdsAndNamesAreOneToken() {
    assertTokens(
        KeyRule.JOINTS,
        "10.0.0.1 - - [16/Nov/2026:15:05:51 +0000] \"GET /a/b-c_d.txt?x=1&y=é HTTP/1.1\"",
        "10.0.0.1 16 Nov 2026 15 05 51 0000 GET a b-c_d.txt x 1 y é HTTP 1.1".split(" "));
    assertTokens(
        KeyRule.JOINTS,
        "{\"id\":\"550e8400-e29b-41d4-a716-446655440000\"}",
        "id",
        "550e8400-e29b-41d4-a716-446655440000");
  }

  @Test
  void jointsAtTheEndsAreNoPartOfAToken() {
    assertTokens(KeyRule.JOINTS, "failed. --quiet -- ... a.-b -.", "failed", "quiet", "a.-b");
    assertTokens(KeyRule.JOINTS, "");
    assertTokens(KeyRule.JOINTS, " .-. ");
    assertTokens("", "10.0-a_b", "10", "0", "a_b");
    assertTokens("@.", "<bob@example.org>", "bob@example.org");
  }

  private static boolean isFound(KeyRule rule, String key, String text) {
    LineSearch search = new LineSearch(rule, List.of(rule.wanted(key, false)), false);
    byte[] bytes = text.getBytes(ISO_8859_1);
    boolean[] found = new boolean[1];
    search.find(
        bytes,
        bytes.length,
        1,
        true,
        (array, start, end) -> {
          found[0] = true;
          return false;
        });
    return found[0];
  }

  @Test
  void aKeyIsFoundWhereItsTokensAreWholeTokens() {
    KeyRule rule = KeyRule.tokens(KeyRule.JOINTS);
    assertThat(isFound(rule, "42", "user=42 failed")).isTrue();
    assertThat(isFound(rule, "42", "user=42.")).isTrue();
    assertThat(isFound(rule, "42", "user=.-42")).isTrue();
    assertThat(isFound(rule, "42", "user=142")).isFalse();
    assertThat(isFound(rule, "42", "user=42.5")).isFalse();
    assertThat(isFound(rule, "42", "user=a-42")).isFalse();
    assertThat(isFound(rule, "42", "142 427 42-1\n42")).isTrue();
    assertThat(isFound(rule, "user=42 failed", "a user=42 failed.")).isTrue();
    assertThat(isFound(rule, "user=42 failed", "user=42  failed")).isFalse();
    assertThat(isFound(rule, "user=42 f", "user=42 failed")).isFalse();
    assertThat(isFound(rule, "=42 ", "user=42 failed")).isTrue();
    assertThat(isFound(rule, "42.", "user=42.5")).isFalse();
    assertThat(isFound(rule, "42.", "user=42. Then")).isTrue();
  }

  @Test
  void whatTheFilterHasAndWhatIsFoundAreTheSame() {
    String text = "a-b c.d e._f- ..g h-\r\n-i-j=k";
    String[] words = {"a", "b", "a-b", "c", "c.d", "e", "_f", "e._f", "g", "h", "i", "i-j", "j"};
    byte[] bytes = text.getBytes(UTF_8);
    for (String joints : new String[] {"", "-", ".", "-.", "=-"}) {
      KeyRule rule = KeyRule.tokens(joints);
      DistinctHashes hashes = new DistinctHashes();
      new Records(rule, "text").hash(bytes, bytes.length, 1, true, hashes);
      for (String word : words) {
        boolean indexed = true;
        for (long hash : rule.wanted(word, false).hashes()) {
          int before = hashes.size();
          hashes.add(hash);
          indexed &= hashes.size() == before;
        }
        if (isFound(rule, word, text)) {
          assertThat(indexed).as(word + " with " + joints).isTrue();
        }
      }
    }
  }

  @Test
  void aWholeLineIsFoundWithItsEndsOnly() {
    KeyRule rule = KeyRule.lines();
    assertThat(isFound(rule, "a b", "x\na b\ny")).isTrue();
    assertThat(isFound(rule, "a b", "a b")).isTrue();
    assertThat(isFound(rule, "a b", "a b\r\nx")).isTrue();
    assertThat(isFound(rule, "a b", "xa b\na bc\n a b\n")).isFalse();
    assertThat(isFound(rule, "", "a\n\nb")).isTrue();
    assertThat(isFound(rule, "", "a\n\r\nb")).isTrue();
    assertThat(isFound(rule, "", "a\nb\n")).isFalse();
  }

  @Test
  void theTableOfHashesHoldsEachOnce() {
    DistinctHashes hashes = new DistinctHashes();
    for (int round = 0; round < 2; round++) {
      for (long i = 0; i < 10_000; i++) {
        hashes.add(i * 4096);
      }
    }
    assertThat(hashes.size()).isEqualTo(10_000);
    assertThat(hashes.toArray()).hasSize(10_000).doesNotHaveDuplicates().contains(0, 4096);
  }
}
