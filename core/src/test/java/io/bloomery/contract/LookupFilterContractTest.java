package io.bloomery.contract;

import static io.bloomery.contract.FilterContractTest.assertNamed;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.LookupFilter;
import io.bloomery.ReadOptions;
import io.bloomery.Storable;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Keys;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every {@link LookupFilter} promises. */
final class LookupFilterContractTest {

  private static final String LOOKUP = "io.bloomery.contract.Subjects#lookup";
  private static final Funnel<String> FUNNEL = (text, into) -> into.put(text).put(7L);
  private static final long[] OUTSIDERS = Keys.outsiders(50_000);

  @TempDir Path directory;

  private static LookupFilter of(Subject subject, long... hashes) {
    return (LookupFilter) subject.of(hashes);
  }

  private static long[] values(LookupFilter filter, long[] hashes) {
    return Arrays.stream(hashes).map(filter::getHash).toArray();
  }

  /** Sets of 0 to 10 000 members, and one that comes three times. */
  @ParameterizedTest
  @MethodSource(LOOKUP)
  void everyMemberHasItsValue(Subject subject) {
    assertThat(subject.rule()).as("rule of subject %s", subject).isNotNull();
    for (int n : new int[] {0, 1, 2, 3, 10, 100, 1_000, Subject.KEYS}) {
      long[] members = Keys.members(n);
      assertValues(subject, of(subject, members), members);
    }
    assertValues(subject, of(subject, 42, 42, 7, 42), new long[] {7, 42});
  }

  private static void assertValues(Subject subject, LookupFilter filter, long[] members) {
    for (long hash : members) {
      long value = filter.getHash(hash);
      assertThat(subject.rule().allows(hash, value))
          .as("%s: %x is %d", subject, hash, value)
          .isTrue();
    }
  }

  /** 10 000 members and 50 000 outsiders, one by one and as batches. */
  @ParameterizedTest
  @MethodSource(LOOKUP)
  void aKeyIsAbsentIfAndOnlyIfItHasNoValue(Subject subject) {
    for (int n : new int[] {0, 1, Subject.KEYS}) {
      LookupFilter filter = of(subject, Keys.members(n));
      for (long[] hashes : new long[][] {Keys.members(n), OUTSIDERS}) {
        long[] hits = new long[(hashes.length + 63) / 64];
        int count = filter.mightContainHashes(hashes, 0, hashes.length, hits);
        int present = 0;
        for (int i = 0; i < hashes.length; i++) {
          long value = filter.getHash(hashes[i]);
          boolean has = value != LookupFilter.ABSENT;
          assertThat(value).isGreaterThanOrEqualTo(LookupFilter.ABSENT);
          assertThat(filter.mightContainHash(hashes[i])).isEqualTo(has);
          assertThat(hits[i / 64] >>> i & 1).isEqualTo(has ? 1 : 0);
          present += has ? 1 : 0;
        }
        assertThat(count).isEqualTo(present);
      }
    }
  }

  @ParameterizedTest
  @MethodSource(LOOKUP)
  void theOrderOfTheKeysDoesNotMatterForMembers(Subject subject) {
    long[] members = Keys.members(1_000);
    long[] reversed = new long[members.length];
    for (int i = 0; i < members.length; i++) {
      reversed[members.length - 1 - i] = members[i];
    }
    long[] before = reversed.clone();
    assertValues(subject, of(subject, reversed), members);
    assertThat(reversed).as("the caller's array").isEqualTo(before);
  }

  /** 1 000 keys of every form, half of them members, asked in every form. */
  @ParameterizedTest
  @MethodSource(LOOKUP)
  void allFormsOfAKeyAgree(Subject subject) {
    Hasher hasher = Subject.HASHER;
    int n = 1_000;
    long[] hashes = new long[3 * n];
    for (int i = 0; i < n; i++) {
      hashes[3 * i] = hasher.hash("key " + i);
      hashes[3 * i + 1] = hasher.hash((long) i);
      hashes[3 * i + 2] = hasher.hash("object " + i, FUNNEL);
    }
    LookupFilter filter = of(subject, Arrays.copyOf(hashes, 3 * n / 2));
    for (int i = 0; i < n; i++) {
      String text = "key " + i;
      byte[] bytes = text.getBytes(UTF_8);
      byte[] shifted = new byte[bytes.length + 5];
      System.arraycopy(bytes, 0, shifted, 3, bytes.length);
      long expected = filter.getHash(hashes[3 * i]);
      assertThat(filter.get(text)).isEqualTo(expected);
      assertThat(filter.get(CharBuffer.wrap(text))).isEqualTo(expected);
      assertThat(filter.get(bytes)).isEqualTo(expected);
      assertThat(filter.get(shifted, 3, bytes.length)).isEqualTo(expected);
      assertThat(filter.mightContain(text)).isEqualTo(expected != LookupFilter.ABSENT);

      byte[] number = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(i).array();
      long ofNumber = filter.getHash(hashes[3 * i + 1]);
      assertThat(filter.get((long) i)).isEqualTo(ofNumber);
      assertThat(filter.get(number)).isEqualTo(ofNumber);
      assertThat(filter.get("object " + i, FUNNEL)).isEqualTo(filter.getHash(hashes[3 * i + 2]));
    }
  }

  @ParameterizedTest
  @MethodSource(LOOKUP)
  void theEmptyKeyHasAValueOnlyIfItWasPutIn(Subject subject) {
    assertThat(of(subject).get("")).isEqualTo(LookupFilter.ABSENT);
    long hash = Subject.HASHER.hash("");
    LookupFilter filter = of(subject, hash);
    assertThat(subject.rule().allows(hash, filter.get(""))).isTrue();
    assertThat(filter.get(new byte[0])).isEqualTo(filter.get(""));
  }

  @ParameterizedTest
  @MethodSource(LOOKUP)
  void aNullArgumentIsNamed(Subject subject) {
    LookupFilter filter = of(subject, Keys.members(100));
    assertNamed("key", () -> filter.get((CharSequence) null));
    assertNamed("key", () -> filter.get((byte[]) null));
    assertNamed("bytes", () -> filter.get(null, 0, 0));
    assertNamed("key", () -> filter.get(null, FUNNEL));
    assertNamed("funnel", () -> filter.get("a", (Funnel<String>) null));
  }

  @ParameterizedTest
  @MethodSource(LOOKUP)
  void rangesOutsideOfTheArrayAreRefused(Subject subject) {
    LookupFilter filter = of(subject, Keys.members(100));
    for (int[] range : new int[][] {{-1, 1}, {0, 5}, {5, 0}, {3, 2}, {2, -1}}) {
      assertThatThrownBy(() -> filter.get(new byte[4], range[0], range[1]))
          .as(Arrays.toString(range))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  /** Members and 50 000 outsiders, whose values are a matter of chance, but of the same chance. */
  @ParameterizedTest
  @MethodSource(LOOKUP)
  void storedAndMappedCopiesGiveTheSameValues(Subject subject) throws IOException {
    for (int n : new int[] {0, 1, Subject.KEYS}) {
      long[] members = Keys.members(n);
      LookupFilter filter = of(subject, members);
      Path file = directory.resolve("map.bloom");
      if (!(filter instanceof Storable storable)) {
        return;
      }
      storable.writeTo(file);
      byte[] bytes = Files.readAllBytes(file);
      for (Filter again :
          new Filter[] {
            Filters.open(file),
            Filters.map(file),
            Filters.read(
                new ByteArrayInputStream(bytes), ReadOptions.defaults().withLimit(bytes.length))
          }) {
        LookupFilter copy = (LookupFilter) again;
        assertThat(values(copy, members)).isEqualTo(values(filter, members));
        assertThat(values(copy, OUTSIDERS)).isEqualTo(values(filter, OUTSIDERS));
      }
    }
  }
}
