package io.bloomery.contract;

import static io.bloomery.contract.FilterContractTest.assertNamed;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.AddableFilter;
import io.bloomery.FilterFullException;
import io.bloomery.hash.Funnel;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every {@link AddableFilter} promises. */
final class AddableFilterContractTest {

  private static final String ADDABLE = "io.bloomery.contract.Subjects#addable";
  private static final Funnel<String> FUNNEL = (text, into) -> into.put(text).put(7L);

  /** 20 000 adds, twice what the filter is for: true if and only if the key was absent before. */
  @ParameterizedTest
  @MethodSource(ADDABLE)
  void addSaysWhetherTheKeyWasNew(Subject subject) {
    AddableFilter filter = subject.empty(AddableFilter.class);
    for (long hash : Keys.members(2 * Subject.KEYS)) {
      boolean absent = !filter.mightContainHash(hash);
      if (filter.addHash(hash) != absent || !filter.mightContainHash(hash)) {
        throw new AssertionError("add of " + hash + ", which was " + (absent ? "absent" : "there"));
      }
    }
  }

  /** Again, one at a time or together: three keys of one fingerprint then have six copies. */
  @ParameterizedTest
  @MethodSource("io.bloomery.contract.Subjects#idempotent")
  void addingAgainChangesNothing(Subject subject) {
    long[] members = Keys.members(Subject.KEYS);
    long[] outsiders = Keys.outsiders(20_000);
    for (boolean together : new boolean[] {false, true}) {
      AddableFilter filter = (AddableFilter) subject.of(members);
      boolean[] before = Subject.answers(filter, outsiders);
      double rate = filter.falsePositiveRate();
      if (together) {
        filter.addHashes(members, 0, members.length);
      } else {
        for (long hash : members) {
          assertThat(filter.addHash(hash)).isFalse();
        }
      }
      assertThat(Subject.answers(filter, outsiders)).isEqualTo(before);
      assertThat(filter.falsePositiveRate()).isEqualTo(rate);
    }
  }

  /** A range of an array gives the same filter as its hashes one by one, and no other hash. */
  @ParameterizedTest
  @MethodSource(ADDABLE)
  void addHashesAddsItsRange(Subject subject) {
    long[] hashes = Keys.members(500);
    long[] others = Keys.outsiders(20_000);
    for (int[] range : new int[][] {{0, 0}, {0, 1}, {3, 4}, {7, 70}, {13, 500}, {499, 500}}) {
      AddableFilter bulk = subject.empty(AddableFilter.class);
      bulk.addHashes(hashes, range[0], range[1]);
      AddableFilter single = subject.empty(AddableFilter.class);
      for (int i = range[0]; i < range[1]; i++) {
        single.addHash(hashes[i]);
      }
      assertThat(Subject.answers(bulk, hashes)).isEqualTo(Subject.answers(single, hashes));
      assertThat(Subject.answers(bulk, others)).isEqualTo(Subject.answers(single, others));
      assertThat(bulk.falsePositiveRate()).isEqualTo(single.falsePositiveRate());
    }
  }

  /** Keys of a list or a stream, more than a batch, give the same filter as one by one. */
  @ParameterizedTest
  @MethodSource(ADDABLE)
  void addAllAddsEveryKey(Subject subject) {
    long[] others = Keys.outsiders(20_000);
    List<String> texts = LongStream.range(0, 300).mapToObj(Long::toString).toList();
    AddableFilter single = subject.empty(AddableFilter.class);
    texts.forEach(single::add);
    for (long number = 0; number < 300; number++) {
      single.add(number);
    }
    AddableFilter list = subject.empty(AddableFilter.class);
    list.addAll(texts);
    list.addAll(LongStream.range(0, 300).parallel());
    AddableFilter stream = subject.empty(AddableFilter.class);
    stream.addAll(texts.parallelStream());
    stream.addAll(LongStream.range(0, 300).boxed().toList(), Funnel.longs());
    AddableFilter objects = subject.empty(AddableFilter.class);
    objects.addAll(texts.stream(), Funnel.text());
    objects.addAll(LongStream.range(0, 300));
    for (AddableFilter filter : List.of(list, stream, objects)) {
      assertThat(texts).allMatch(filter::mightContain);
      assertThat(Subject.answers(filter, others)).isEqualTo(Subject.answers(single, others));
    }
  }

  @ParameterizedTest
  @MethodSource(ADDABLE)
  void impossibleRangesAreRefusedAndChangeNothing(Subject subject) {
    AddableFilter filter = subject.empty(AddableFilter.class);
    long[] hashes = Keys.members(100);
    for (int[] range : new int[][] {{-1, 5}, {0, 101}, {7, 6}, {101, 101}}) {
      assertThatThrownBy(() -> filter.addHashes(hashes, range[0], range[1]))
          .as(Arrays.toString(range))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    assertThatThrownBy(() -> filter.add(new byte[4], 2, 3))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(Subject.hits(filter, hashes)).isZero();
    assertThat(filter.falsePositiveRate()).isZero();
  }

  /** A key that was added in one form is found in every form. */
  @ParameterizedTest
  @MethodSource(ADDABLE)
  void allFormsOfAKeyAreTheSameKey(Subject subject) {
    byte[] bytes = "key".getBytes(UTF_8);
    byte[] shifted = "<key>".getBytes(UTF_8);
    for (int form = 0; form < 4; form++) {
      AddableFilter filter = subject.empty(AddableFilter.class);
      boolean isNew =
          switch (form) {
            case 0 -> filter.add("key");
            case 1 -> filter.add(bytes);
            case 2 -> filter.add(shifted, 1, 3);
            default -> filter.addHash(filter.hasher().hash("key"));
          };
      assertThat(isNew).isTrue();
      assertThat(filter.mightContain("key")).isTrue();
      assertThat(filter.mightContain(bytes)).isTrue();
      assertThat(filter.mightContain(shifted, 1, 3)).isTrue();
      assertThat(filter.mightContain("another key")).isFalse();
      assertThat(filter.add("key") || filter.add(bytes) || filter.add(shifted, 1, 3)).isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource(ADDABLE)
  void numbersAndObjectsAreKeys(Subject subject) {
    AddableFilter filter = subject.empty(AddableFilter.class);
    assertThat(filter.add(258L)).isTrue();
    assertThat(filter.mightContain(258L)).isTrue();
    assertThat(filter.mightContain(new byte[] {2, 1, 0, 0, 0, 0, 0, 0})).isTrue();
    assertThat(filter.mightContain(259L)).isFalse();
    assertThat(filter.add("object", FUNNEL)).isTrue();
    assertThat(filter.mightContain("object", FUNNEL)).isTrue();
    assertThat(filter.mightContain("object")).isFalse();
  }

  @ParameterizedTest
  @MethodSource(ADDABLE)
  void theEmptyKeyIsAKey(Subject subject) {
    AddableFilter filter = subject.empty(AddableFilter.class);
    assertThat(filter.mightContain("")).isFalse();
    assertThat(filter.add("")).isTrue();
    assertThat(filter.mightContain("")).isTrue();
    assertThat(filter.mightContain(new byte[0])).isTrue();
    assertThat(filter.add(new byte[0])).isFalse();
  }

  @ParameterizedTest
  @MethodSource(ADDABLE)
  void aNullArgumentIsNamed(Subject subject) {
    AddableFilter filter = subject.empty(AddableFilter.class);
    assertNamed("key", () -> filter.add((CharSequence) null));
    assertNamed("key", () -> filter.add((byte[]) null));
    assertNamed("bytes", () -> filter.add(null, 0, 0));
    assertNamed("key", () -> filter.add(null, FUNNEL));
    assertNamed("funnel", () -> filter.add("a", (Funnel<String>) null));
    assertNamed("hashes", () -> filter.addHashes(null, 0, 0));
    assertThat(filter.falsePositiveRate()).isZero();
  }

  /** 50 histories of 300 adds, some of them refused, and queries beside an exact set. */
  @ParameterizedTest
  @MethodSource(ADDABLE)
  void noHistoryLosesAKey(Subject subject) {
    Property.check(
        50,
        50,
        draw -> {
          AddableFilter filter = subject.empty(AddableFilter.class);
          Set<Long> model = new HashSet<>();
          for (int step = 0; step < 300; step++) {
            long hash = draw.anyLong();
            assertThat(filter.mightContainHash(hash) || !model.contains(hash)).isTrue();
            if (draw.between(0, 2) > 0) {
              try {
                boolean isNew = filter.addHash(hash);
                assertThat(isNew && model.contains(hash)).isFalse();
                model.add(hash);
              } catch (FilterFullException tooManyCopies) {
                assertThat(model).allMatch(filter::mightContainHash);
              }
            }
          }
          assertThat(model).allMatch(filter::mightContainHash);
        });
  }
}
