package io.bloomery.hash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.bloomery.testkit.Draw;
import io.bloomery.testkit.Property;
import io.bloomery.testkit.Seeds;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Keys that are not text, and what a hasher is. */
final class HasherTest {

  private static final Funnel<String> FUNNEL = (text, into) -> into.put(text);

  static List<Hasher> hashers() {
    return List.of(Hasher.xxh3(), Hasher.xxh3(Long.MIN_VALUE), Hasher.keyed(key(1)));
  }

  @ParameterizedTest
  @MethodSource("hashers")
  void aLongIsItsEightBytesLittleEndian(Hasher hasher) {
    Property.check(
        3,
        20_000,
        draw -> {
          long number = draw.anyLong();
          byte[] bytes =
              ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
          assertThat(hasher.hash(number)).isEqualTo(hasher.hash(bytes));
        });
  }

  @ParameterizedTest
  @MethodSource("hashers")
  void aRangeIsItsBytes(Hasher hasher) {
    Property.check(
        4,
        20_000,
        draw -> {
          byte[] bytes = draw.bytes(700);
          int offset = draw.between(0, bytes.length);
          int length = draw.between(0, bytes.length - offset);
          assertThat(hasher.hash(bytes, offset, length))
              .isEqualTo(hasher.hash(Arrays.copyOfRange(bytes, offset, offset + length)));
        });
  }

  @ParameterizedTest
  @MethodSource("hashers")
  void rangesOutsideOfTheArrayAreRefused(Hasher hasher) {
    byte[] bytes = new byte[10];
    int[][] bad = {{-1, 3}, {0, 11}, {10, 1}, {11, 0}, {3, -1}, {Integer.MAX_VALUE, 1}};
    for (int[] range : bad) {
      assertThatThrownBy(() -> hasher.hash(bytes, range[0], range[1]))
          .as("%d, %d", range[0], range[1])
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    assertThat(hasher.hash(bytes, 10, 0)).isEqualTo(hasher.hash(new byte[0]));
  }

  @ParameterizedTest
  @MethodSource("hashers")
  void aNullArgumentIsNamed(Hasher hasher) {
    assertNamed("key", () -> hasher.hash((CharSequence) null));
    assertNamed("key", () -> hasher.hash((byte[]) null));
    assertNamed("bytes", () -> hasher.hash(null, 0, 0));
    assertNamed("key", () -> hasher.hash(null, FUNNEL));
    assertNamed("funnel", () -> hasher.hash("a", (Funnel<String>) null));
    assertNamed("text", () -> hasher.hash("a", (key, into) -> into.put((CharSequence) null)));
    assertNamed("field", () -> hasher.hash("a", (key, into) -> into.put((byte[]) null)));
  }

  @Test
  void aNullOrShortKeyIsRefused() {
    assertNamed("key", () -> Hasher.keyed(null));
    for (int length : new int[] {0, 8, 15, 17, 32}) {
      assertThatThrownBy(() -> Hasher.keyed(new byte[length]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("key has " + length + " bytes")
          .hasMessageContaining("16");
    }
  }

  private static void assertNamed(String parameter, ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(parameter);
  }

  @Test
  void theEmptyKeyIsAKey() {
    assertThat(Hasher.xxh3().hash("")).isEqualTo(0x2d06800538d394c2L);
    assertThat(Hasher.xxh3().hash(new byte[0])).isEqualTo(0x2d06800538d394c2L);
  }

  @Test
  void hashersAreEqualIfTheyGiveEqualHashes() {
    assertThat(Hasher.xxh3()).isEqualTo(Hasher.xxh3(0)).hasSameHashCodeAs(Hasher.xxh3(0));
    assertThat(Hasher.xxh3(5)).isEqualTo(Hasher.xxh3(5)).isNotEqualTo(Hasher.xxh3(6));
    assertThat(Hasher.keyed(key(1))).isEqualTo(Hasher.keyed(key(1)));
    assertThat(Hasher.keyed(key(1))).hasSameHashCodeAs(Hasher.keyed(key(1)));
    assertThat(Hasher.keyed(key(1))).isNotEqualTo(Hasher.keyed(key(2)));
    long check = Hasher.keyed(key(1)).seedOrKeyCheck();
    assertThat(Hasher.xxh3(check)).isNotEqualTo(Hasher.keyed(key(1)));
    assertThat(Hasher.xxh3()).isNotEqualTo(null).isNotEqualTo("XXH3");
  }

  @Test
  void seedsAndKeysGiveDifferentHashes() {
    Set<Long> hashes = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      hashes.add(Hasher.xxh3(i).hash("key"));
      hashes.add(Hasher.keyed(key(i)).hash("key"));
    }
    assertThat(hashes).hasSize(200);
  }

  @Test
  void numbersInFiles() {
    assertThat(Hasher.xxh3(9).wireId()).isEqualTo(Hasher.XXH3_64).isEqualTo(1);
    assertThat(Hasher.keyed(key(1)).wireId()).isEqualTo(Hasher.SIPHASH_2_4).isEqualTo(4);
    assertThat(Hasher.xxh3(9).seedOrKeyCheck()).isEqualTo(9);
    assertThat(Hasher.xxh3(9).isKeyed()).isFalse();
    assertThat(Hasher.keyed(key(1)).isKeyed()).isTrue();
  }

  /**
   * The check value shows nothing of the key, and is not the hash of a key that a filter may hold.
   */
  @Test
  void theKeyCheckIsNotTheKey() {
    Set<Long> checks = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      Hasher hasher = Hasher.keyed(key(i));
      long check = hasher.seedOrKeyCheck();
      checks.add(check);
      ByteBuffer halves = ByteBuffer.wrap(key(i)).order(ByteOrder.LITTLE_ENDIAN);
      assertThat(check).isNotIn(halves.getLong(0), halves.getLong(8));
      assertThat(check).isNotEqualTo(hasher.hash("bloomery key check"));
      assertThat(check).isNotEqualTo(hasher.hash("bloomery separate key check"));
      assertThat(hasher.toString()).doesNotContain(HexFormat.of().formatHex(key(i)));
    }
    assertThat(checks).hasSize(1000);
  }

  /** Files whose check value is the hash of a fixed text are those of the same hasher. */
  @Test
  void matchesOldCheckValues() {
    byte[] nonce = key(5);
    for (int i = 0; i < 100; i++) {
      Hasher plain = Hasher.keyed(key(i));
      Hasher derived = Hasher.keyed(key(i), nonce);
      long old = plain.hash("bloomery key check");
      long now = plain.seedOrKeyCheck();
      assertThat(plain.matches(2, old, Optional.empty())).isTrue();
      assertThat(plain.matches(4, now, Optional.empty())).isTrue();
      assertThat(derived.matches(3, old, Optional.of(nonce))).isTrue();
      assertThat(derived.matches(5, now, Optional.of(nonce))).isTrue();
      assertThat(plain.matches(4, old, Optional.empty())).isFalse();
      assertThat(plain.matches(2, now, Optional.empty())).isFalse();
      assertThat(plain.matches(3, old, Optional.empty())).isFalse();
      assertThat(plain.matches(2, old, Optional.of(nonce))).isFalse();
      assertThat(derived.matches(3, old, Optional.empty())).isFalse();
      assertThat(derived.matches(3, old, Optional.of(key(6)))).isFalse();
      assertThat(derived.matches(2, old, Optional.of(nonce))).isFalse();
      assertThat(derived.matches(5, now + 1, Optional.of(nonce))).isFalse();
      assertThat(Hasher.xxh3(old).matches(2, old, Optional.empty())).isFalse();
      assertThat(Hasher.xxh3(now).matches(4, now, Optional.empty())).isFalse();
    }
    assertThat(Hasher.xxh3(7).matches(1, 7, Optional.empty())).isTrue();
    assertThat(Hasher.xxh3(7).matches(1, 8, Optional.empty())).isFalse();
  }

  /** One flipped bit of the key changes about half of the check value's bits. */
  @Test
  void everyBitOfTheKeyCounts() {
    long check = Hasher.keyed(key(7)).seedOrKeyCheck();
    for (int bit = 0; bit < 128; bit++) {
      byte[] other = key(7);
      other[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(Long.bitCount(check ^ Hasher.keyed(other).seedOrKeyCheck()))
          .as("key bit %d", bit)
          .isBetween(12, 52); // 5 standard deviations of 4
    }
  }

  @Test
  void theKeyIsCopied() {
    byte[] key = key(3);
    Hasher hasher = Hasher.keyed(key);
    long before = hasher.hash("a");
    key[0]++;
    assertThat(hasher.hash("a")).isEqualTo(before);
  }

  @Test
  void fieldsDoNotRunTogether() {
    Hasher hasher = Hasher.xxh3();
    assertThat(hashFields(hasher, "ab", "c")).isNotEqualTo(hashFields(hasher, "a", "bc"));
    assertThat(hashFields(hasher, "", "a")).isNotEqualTo(hashFields(hasher, "a", ""));
    assertThat(hashFields(hasher, "a")).isNotEqualTo(hashFields(hasher, "a", ""));
    assertThat(hashFields(hasher)).isEqualTo(hasher.hash(new byte[0]));
  }

  /** Two drawn lists of fields have equal hashes only if they are equal. */
  @Test
  void fieldListsAreHashedInjectively() {
    Property.check(
        5,
        5_000,
        draw -> {
          String[] one = fields(draw);
          String[] two = fields(draw);
          assertThat(hashFields(Hasher.xxh3(), one) == hashFields(Hasher.xxh3(), two))
              .isEqualTo(Arrays.equals(one, two));
        });
  }

  private static String[] fields(Draw draw) {
    String[] fields = new String[draw.between(0, 3)];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = draw.oneOf(List.of("", "a", "aa", "b", "\0\0\0\0", "\1\0\0\0a"));
    }
    return fields;
  }

  /** Keys of every length up to 40, at every offset, under 50 seeds, against hash4j. */
  @Test
  void shortKeysHashLikeHash4j() {
    SplittableRandom random = Seeds.random(9);
    byte[] bytes = new byte[48];
    for (int round = 0; round < 50; round++) {
      long seed = round == 0 ? 0 : random.nextLong();
      Hasher hasher = Hasher.xxh3(seed);
      Hasher64 reference = Hashing.xxh3_64(seed);
      random.nextBytes(bytes);
      for (int length = 0; length <= 40; length++) {
        int offset = random.nextInt(bytes.length - length);
        assertThat(hasher.hash(bytes, offset, length))
            .isEqualTo(reference.hashBytesToLong(bytes, offset, length));
        byte[] key = Arrays.copyOfRange(bytes, offset, offset + length);
        assertThat(hasher.hash(key)).isEqualTo(reference.hashBytesToLong(key));
      }
      long number = random.nextLong();
      assertThat(hasher.hash(number)).isEqualTo(reference.hashLongToLong(number));
    }
  }

  /** Each field is its length as 4 bytes little-endian, then its bytes. */
  @Test
  void theBytesOfAFunnel() {
    byte[] bytes =
        HexFormat.of().parseHex("02000000c3a9" + "080000001500000000000000" + "03000000000102");
    Funnel<String> funnel = (text, into) -> into.put(text).put(21L).put(new byte[] {0, 1, 2});
    for (Hasher hasher : hashers()) {
      assertThat(hasher.hash("é", funnel)).isEqualTo(hasher.hash(bytes));
    }
  }

  /** Rows as lines of CSV. The hashes are those that {@code docs/bloomhash.py} computes. */
  @Test
  void theBytesOfARow() {
    Map<List<String>, String> rows = new LinkedHashMap<>();
    rows.put(List.of("Lovelace", "Ada"), "Lovelace,Ada");
    rows.put(List.of("Lovelace,", "Ada"), "\"Lovelace,\",Ada");
    rows.put(List.of("a\"b", "c\nd", "e\rf", "g\th"), "\"a\"\"b\",\"c\nd\",\"e\rf\",g\th");
    rows.put(List.of("", "é"), ",é");
    rows.put(List.of("a", ""), "a,");
    rows.put(List.of("", ""), "");
    rows.put(List.of("a,\"b"), "a,\"b");
    rows.put(List.of(), "");
    rows.forEach(
        (row, line) ->
            assertThat(Funnel.Fields.bytesOf(row, Funnel.rows()))
                .as(row.toString())
                .isEqualTo(line.getBytes(UTF_8)));
    Hasher hasher = Hasher.xxh3();
    assertThat(hasher.hash(List.of("Lovelace", "Ada"), Funnel.rows()))
        .isEqualTo(0x6ac7d81e4bc3b1b6L);
    assertThat(hasher.hash(List.of("a\"b", "c,d"), Funnel.rows())).isEqualTo(0x7eff970e27537aa5L);
  }

  /** Fields beyond the first buffer, each kind of them at the border. */
  @Test
  void largeObjectsKeepEveryField() {
    for (int length = 0; length < 200; length++) {
      byte[] head = new byte[length];
      Arrays.fill(head, (byte) 7);
      ByteBuffer expected = ByteBuffer.allocate(length + 4 + 12 + 6).order(ByteOrder.LITTLE_ENDIAN);
      expected.putInt(length).put(head).putInt(8).putLong(-2).putInt(2).put("ok".getBytes(UTF_8));
      long hash = Hasher.xxh3().hash(head, (key, into) -> into.put(key).put(-2L).put("ok"));
      assertThat(hash).isEqualTo(Hasher.xxh3().hash(expected.array()));
    }
  }

  private static long hashFields(Hasher hasher, String... fields) {
    return hasher.hash(
        fields,
        (key, into) -> {
          for (String field : key) {
            into.put(field);
          }
        });
  }

  private static byte[] key(int number) {
    byte[] key = new byte[16];
    for (int i = 0; i < 16; i++) {
      key[i] = (byte) (number * 31 + i * 7 + (number >>> 8) * i);
    }
    return key;
  }
}
