package io.bloomery.contract;

import static io.bloomery.contract.FilterContractTest.assertNamed;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.HashedFilter;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every {@link HashedFilter} promises. */
final class HashedFilterContractTest {

  private static final String ALL = "io.bloomery.contract.Subjects#all";
  private static final Funnel<String> FUNNEL = (text, into) -> into.put(text).put(7L);

  @ParameterizedTest
  @MethodSource(ALL)
  void theHasherIsKept(Subject subject) {
    assertThat(subject.of().hasher()).isEqualTo(Subject.HASHER);
    Hasher keyed = Hasher.keyed(new byte[16]);
    HashedFilter filter = subject.of(keyed, keyed.hash("secret"));
    assertThat(filter.hasher()).isEqualTo(keyed);
    assertThat(filter.mightContain("secret")).isTrue();
    assertThat(filter.mightContain("public")).isFalse();
  }

  /** 2 000 keys of every form, half of them members, asked in every form. */
  @ParameterizedTest
  @MethodSource(ALL)
  void allFormsOfAKeyAgree(Subject subject) {
    Hasher hasher = Subject.HASHER;
    int n = 2_000;
    long[] hashes = new long[3 * n];
    for (int i = 0; i < n; i++) {
      hashes[3 * i] = hasher.hash("key " + i);
      hashes[3 * i + 1] = hasher.hash((long) i);
      hashes[3 * i + 2] = hasher.hash("object " + i, FUNNEL);
    }
    HashedFilter filter = subject.of(Arrays.copyOf(hashes, 3 * n / 2));
    for (int i = 0; i < n; i++) {
      String text = "key " + i;
      byte[] bytes = text.getBytes(UTF_8);
      byte[] shifted = new byte[bytes.length + 5];
      System.arraycopy(bytes, 0, shifted, 3, bytes.length);
      boolean expected = filter.mightContainHash(hashes[3 * i]);
      require(expected || i >= n / 2, "a member", text);
      require(filter.mightContain(text) == expected, "the text", text);
      require(filter.mightContain(CharBuffer.wrap(text)) == expected, "its characters", text);
      require(filter.mightContain(bytes) == expected, "its bytes", text);
      require(filter.mightContain(shifted, 3, bytes.length) == expected, "a range of bytes", text);

      byte[] number = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(i).array();
      boolean hasNumber = filter.mightContainHash(hashes[3 * i + 1]);
      require(filter.mightContain((long) i) == hasNumber, "a number", text);
      require(filter.mightContain(number) == hasNumber, "the bytes of a number", text);
      boolean hasObject = filter.mightContainHash(hashes[3 * i + 2]);
      require(filter.mightContain("object " + i, FUNNEL) == hasObject, "an object", text);
    }
  }

  /** An assertion for loops. */
  private static void require(boolean holds, String what, String key) {
    if (!holds) {
      throw new AssertionError(what + " of " + key + " is answered differently");
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void theEmptyKeyIsAKey(Subject subject) {
    HashedFilter filter = subject.of(Subject.HASHER.hash(""));
    assertThat(filter.mightContain("")).isTrue();
    assertThat(filter.mightContain(new byte[0])).isTrue();
    assertThat(filter.mightContain(new byte[3], 3, 0)).isTrue();
  }

  /** Hashes whose bits are all zeros, all ones, or one, are hashes too. */
  @ParameterizedTest
  @MethodSource(ALL)
  void extremeHashesAreHashes(Subject subject) {
    long[] extremes = new long[66];
    for (int i = 0; i < 64; i++) {
      extremes[i] = 1L << i;
    }
    extremes[65] = -1;
    assertThat(Subject.hits(subject.of(extremes), extremes)).isEqualTo(66);
    for (long extreme : extremes) {
      assertThat(subject.of(extreme).mightContainHash(extreme)).isTrue();
    }
  }

  /** All sizes 0…200 at several offsets; one in two hashes is a member. */
  @ParameterizedTest
  @MethodSource(ALL)
  void aBatchAnswersLikeSingleQueries(Subject subject) {
    HashedFilter filter = subject.of(Keys.members(Subject.KEYS));
    long[] hashes = mixed(300);
    boolean[] single = Subject.answers(filter, hashes);
    for (int from : new int[] {0, 1, 2, 3, 7, 8, 15, 16, 31, 63, 64, 65, 100}) {
      for (int size = 0; size <= 200; size++) {
        assertBatch(filter, hashes, single, from, from + size);
      }
    }
  }

  /** 300 ranges of 20 000 hashes. */
  @ParameterizedTest
  @MethodSource(ALL)
  void longBatchesAnswerLikeSingleQueries(Subject subject) {
    HashedFilter filter = subject.of(Keys.members(Subject.KEYS));
    long[] hashes = mixed(20_000);
    boolean[] single = Subject.answers(filter, hashes);
    assertBatch(filter, hashes, single, 0, hashes.length);
    Property.check(
        40,
        30,
        draw -> {
          int from = draw.between(0, hashes.length);
          assertBatch(filter, hashes, single, from, draw.between(from, hashes.length));
        });
  }

  /** Members and outsiders in turn. */
  private static long[] mixed(int n) {
    long[] members = Keys.members(n / 2);
    long[] outsiders = Keys.outsiders(n / 2);
    long[] hashes = new long[n];
    for (int i = 0; i < n; i++) {
      hashes[i] = i % 2 == 0 ? members[i / 2] : outsiders[i / 2];
    }
    return hashes;
  }

  /** The words with answers are overwritten, their unused bits are 0, others are not touched. */
  private static void assertBatch(
      HashedFilter filter, long[] hashes, boolean[] single, int from, int to) {
    int words = (to - from + 63) / 64;
    long[] expected = new long[words + 3];
    Arrays.fill(expected, words, expected.length, 0x5A5A5A5A5A5A5A5AL);
    int count = 0;
    for (int i = from; i < to; i++) {
      if (single[i]) {
        expected[(i - from) / 64] |= 1L << (i - from);
        count++;
      }
    }
    long[] hits = new long[words + 3];
    Arrays.fill(hits, 0x5A5A5A5A5A5A5A5AL);
    if (filter.mightContainHashes(hashes, from, to, hits) != count) {
      throw new AssertionError("another number of hits in " + from + "…" + to);
    }
    long[] exact = new long[words];
    filter.mightContainHashes(hashes, from, to, exact);
    if (!Arrays.equals(hits, expected) || !Arrays.equals(exact, 0, words, expected, 0, words)) {
      throw new AssertionError("other hits in " + from + "…" + to);
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void impossibleBatchesAreRefused(Subject subject) {
    HashedFilter filter = subject.of(Keys.members(100));
    long[] hashes = Keys.members(100);
    for (int[] range : new int[][] {{-1, 5}, {0, 101}, {7, 6}, {101, 101}, {5, -1}}) {
      assertThatThrownBy(() -> filter.mightContainHashes(hashes, range[0], range[1], new long[2]))
          .as(Arrays.toString(range))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    assertThatThrownBy(() -> filter.mightContainHashes(hashes, 0, 65, new long[1]))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("hits has 1 words")
        .hasMessageContaining("65 answers need 2");
    assertNamed("hashes", () -> filter.mightContainHashes(null, 0, 0, new long[1]));
    assertNamed("hits", () -> filter.mightContainHashes(hashes, 0, 1, null));
  }
}
