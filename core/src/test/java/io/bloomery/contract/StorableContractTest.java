package io.bloomery.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.AddableFilter;
import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.HashedFilter;
import io.bloomery.ReadOptions;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Keys;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every {@link Storable} filter promises: what comes back answers as what was saved. */
final class StorableContractTest {

  private static final String STORABLE = "io.bloomery.contract.Subjects#storable";
  private static final long[] MEMBERS = Keys.members(Subject.KEYS);
  private static final long[] OUTSIDERS = Keys.outsiders(20_000);

  @TempDir Path directory;

  @ParameterizedTest
  @MethodSource(STORABLE)
  void everyWayBackKeepsEveryAnswer(Subject subject) throws IOException {
    for (long[] members : new long[][] {{}, {42}, MEMBERS}) {
      HashedFilter filter = subject.of(members);
      byte[] bytes = bytes(filter);
      Path file = directory.resolve("filter.bloom");
      ((Storable) filter).writeTo(file);
      assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
      boolean[] answers = Subject.answers(filter, OUTSIDERS);
      assertSame(filter, answers, Filters.open(file), members);
      assertSame(filter, answers, Filters.map(file), members);
      Filter read =
          Filters.read(
              new ByteArrayInputStream(bytes), ReadOptions.defaults().withLimit(bytes.length));
      assertSame(filter, answers, read, members);
    }
  }

  private static void assertSame(
      HashedFilter filter, boolean[] answers, Filter again, long[] members) {
    assertThat(again).hasSameClassAs(filter);
    assertThat(((Storable) again).kind()).isSameAs(((Storable) filter).kind());
    assertThat(((HashedFilter) again).hasher()).isEqualTo(filter.hasher());
    assertThat(again.sizeInBits()).isEqualTo(filter.sizeInBits());
    assertThat(again.falsePositiveRate()).isEqualTo(filter.falsePositiveRate());
    assertThat(Subject.hits((HashedFilter) again, members)).isEqualTo(members.length);
    assertThat(Subject.answers(again, OUTSIDERS)).isEqualTo(answers);
    long[] hits = new long[1000 / 64 + 1];
    long[] expected = new long[1000 / 64 + 1];
    int count = filter.mightContainHashes(OUTSIDERS, 5, 1005, expected);
    assertThat(((HashedFilter) again).mightContainHashes(OUTSIDERS, 5, 1005, hits))
        .isEqualTo(count);
    assertThat(hits).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource(STORABLE)
  void theLengthIsKnownBefore(Subject subject) throws IOException {
    Storable filter = (Storable) subject.of(MEMBERS);
    assertThat(filter.storedBytes()).isEqualTo(bytes(filter).length);
  }

  /** Saving what was read gives the same bytes: nothing is lost that a file holds. */
  @ParameterizedTest
  @MethodSource(STORABLE)
  void savedAgainItIsTheSame(Subject subject) throws IOException {
    byte[] bytes = bytes(subject.of(MEMBERS));
    Filter again =
        Filters.read(
            new ByteArrayInputStream(bytes), ReadOptions.defaults().withLimit(bytes.length));
    assertThat(bytes(again)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @MethodSource(STORABLE)
  void aFilterThatWasReadTakesMoreKeysAndAMappedOneRefuses(Subject subject) throws IOException {
    HashedFilter filter = subject.of(Keys.members(100));
    if (filter instanceof AddableFilter) {
      Path file = directory.resolve("filter.bloom");
      ((Storable) filter).writeTo(file);
      AddableFilter opened = (AddableFilter) Filters.open(file);
      opened.addHashes(MEMBERS, 0, MEMBERS.length);
      assertThat(Subject.hits(opened, MEMBERS)).isEqualTo(MEMBERS.length);

      AddableFilter mapped = (AddableFilter) Filters.map(file);
      for (long hash : Keys.members(200)) { // the first hundred are there already
        assertRefused(mapped, hash);
      }
      assertThatThrownBy(() -> mapped.addHashes(MEMBERS, 0, 1))
          .isInstanceOf(IllegalStateException.class);
      mapped.addHashes(MEMBERS, 1, 1); // nothing to add, nothing to refuse
      assertSame(filter, Subject.answers(filter, OUTSIDERS), mapped, Keys.members(100));
    }
  }

  private static void assertRefused(AddableFilter mapped, long hash) {
    try {
      mapped.addHash(hash);
    } catch (IllegalStateException e) {
      return;
    }
    throw new AssertionError("a mapped filter took the hash " + hash);
  }

  @ParameterizedTest
  @MethodSource(STORABLE)
  void aKeyedFilterOpensWithItsKeyOnly(Subject subject) throws IOException {
    byte[] key = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    HashedFilter filter = subject.of(Hasher.keyed(key), MEMBERS);
    Path file = directory.resolve("filter.bloom");
    ((Storable) filter).writeTo(file);
    boolean[] answers = Subject.answers(filter, OUTSIDERS);
    assertSame(
        filter,
        answers,
        Filters.open(file, ReadOptions.defaults().withHasher(Hasher.keyed(key))),
        MEMBERS);
    assertSame(
        filter,
        answers,
        Filters.map(file, ReadOptions.defaults().withHasher(Hasher.keyed(key))),
        MEMBERS);
    assertThatThrownBy(() -> Filters.open(file)).isInstanceOf(FilterFormatException.class);
    assertThatThrownBy(
            () -> Filters.open(file, ReadOptions.defaults().withHasher(Hasher.keyed(new byte[16]))))
        .isInstanceOf(FilterFormatException.class);
    assertThat(contains(Files.readAllBytes(file), key)).as("the file holds the key").isFalse();
  }

  private static boolean contains(byte[] bytes, byte[] part) {
    for (int i = 0; i + part.length <= bytes.length; i++) {
      if (Arrays.equals(bytes, i, i + part.length, part, 0, part.length)) {
        return true;
      }
    }
    return false;
  }

  private static byte[] bytes(Object filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ((Storable) filter).writeTo(out);
    return out.toByteArray();
  }
}
