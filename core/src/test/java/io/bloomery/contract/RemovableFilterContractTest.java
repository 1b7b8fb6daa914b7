package io.bloomery.contract;

import static io.bloomery.contract.FilterContractTest.assertNamed;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.RemovableFilter;
import io.bloomery.Storable;
import io.bloomery.deletable.DeletableBloomFilter;
import io.bloomery.hash.Funnel;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every {@link RemovableFilter} promises. */
final class RemovableFilterContractTest {

  private static final String REMOVABLE = "io.bloomery.contract.Subjects#removable";
  private static final String REVERSIBLE = "io.bloomery.contract.Subjects#reversible";
  private static final Funnel<String> FUNNEL = (text, into) -> into.put(text).put(7L);

  /** 10 000 members, every second one is removed: the others stay, and the rate falls. */
  @ParameterizedTest
  @MethodSource(REVERSIBLE)
  void removedKeysAreGoneAndOthersStay(Subject subject) {
    long[] members = Keys.members(Subject.KEYS);
    RemovableFilter filter = (RemovableFilter) subject.of(members);
    double full = filter.falsePositiveRate();
    for (int i = 0; i < members.length; i += 2) {
      assertThat(filter.removeHash(members[i])).isTrue();
    }
    double half = filter.falsePositiveRate();
    assertThat(half).isLessThanOrEqualTo(full);
    int stillFound = 0;
    for (int i = 0; i < members.length; i++) {
      if (i % 2 == 1) {
        assertThat(filter.mightContainHash(members[i])).isTrue();
      } else {
        stillFound += filter.mightContainHash(members[i]) ? 1 : 0;
      }
    }
    Rates.assertRateAtMost(stillFound, Subject.KEYS / 2, half, 5);
  }

  /**
   * 100 of 5 000 members are removed, with far fewer members than the filter is sized for: no other
   * key is affected. A removed key may be a false positive like any outsider, and is then not
   * removed again. Only a deletable filter refuses removals, at the rate of its shape, and those
   * keys stay.
   */
  @ParameterizedTest
  @MethodSource(REMOVABLE)
  void fewKeysCanBeRemoved(Subject subject) {
    long[] members = Keys.members(5_000);
    RemovableFilter filter = (RemovableFilter) subject.of(members);
    double rate = filter.falsePositiveRate();
    int refused = 0;
    int found = 0;
    for (int i = 0; i < 100; i++) {
      boolean removed = filter.removeHash(members[i]);
      boolean stays = filter.mightContainHash(members[i]);
      if (!removed) {
        refused++;
        assertThat(stays).isTrue();
      } else if (stays) {
        found++;
      } else {
        assertThat(filter.removeHash(members[i])).isFalse();
      }
    }
    if (filter instanceof DeletableBloomFilter deletable) {
      Rates.assertRateAtMost(refused, 100, 1 - deletable.shape().deletability(5_000), 5);
    } else {
      assertThat(refused).isZero();
    }
    Rates.assertRateAtMost(found, 100, rate, 5);
    assertThat(Subject.hits(filter, Arrays.copyOfRange(members, 100, 5_000))).isEqualTo(4_900);
  }

  @ParameterizedTest
  @MethodSource(REVERSIBLE)
  void whenAllHaveLeftTheFilterIsEmpty(Subject subject) {
    long[] members = Keys.members(1_000);
    RemovableFilter filter = (RemovableFilter) subject.of(members);
    assertThat(Arrays.stream(members).allMatch(filter::removeHash)).isTrue();
    assertThat(Subject.hits(filter, members)).isZero();
    assertThat(filter.falsePositiveRate()).isZero();
  }

  @ParameterizedTest
  @MethodSource(REMOVABLE)
  void removingAnAbsentKeyChangesNothing(Subject subject) {
    long[] members = Keys.members(Subject.KEYS);
    RemovableFilter filter = (RemovableFilter) subject.of(members);
    double rate = filter.falsePositiveRate();
    for (long hash : Keys.outsiders(10_000)) {
      if (!filter.mightContainHash(hash)) {
        assertThat(filter.removeHash(hash)).isFalse();
      }
    }
    assertThat(filter.falsePositiveRate()).isEqualTo(rate);
    assertThat(Subject.hits(filter, members)).isEqualTo(members.length);
  }

  /**
   * Keys that were added twice, which some kinds cannot remove: they stay, and so does every bit.
   */
  @ParameterizedTest
  @MethodSource(REMOVABLE)
  void aRemovalThatReturnsFalseChangesNothing(Subject subject) throws IOException {
    long[] members = Keys.members(2_000);
    RemovableFilter filter = (RemovableFilter) subject.of(members);
    filter.addHashes(members, 0, members.length);
    for (int i = 0; i < 20; i++) {
      boolean present = filter.mightContainHash(members[i]);
      byte[] before = stored(filter);
      if (!filter.removeHash(members[i])) {
        assertThat(filter.mightContainHash(members[i])).isEqualTo(present);
        assertThat(stored(filter)).isEqualTo(before);
      }
    }
  }

  /** The file of a filter; nothing if it has none. */
  private static byte[] stored(RemovableFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    if (filter instanceof Storable storable) {
      storable.writeTo(out);
    }
    return out.toByteArray();
  }

  @ParameterizedTest
  @MethodSource(REVERSIBLE)
  void allFormsOfAKeyAreTheSameKey(Subject subject) {
    RemovableFilter filter = subject.empty(RemovableFilter.class);
    byte[] shifted = "<key>".getBytes(UTF_8);
    filter.add("key");
    assertThat(filter.remove("key".getBytes(UTF_8))).isTrue();
    filter.add("key");
    assertThat(filter.remove(shifted, 1, 3)).isTrue();
    filter.add(shifted, 1, 3);
    assertThat(filter.remove("key")).isTrue();
    filter.add(5L);
    assertThat(filter.remove(5L)).isTrue();
    filter.add("object", FUNNEL);
    assertThat(filter.remove("object", FUNNEL)).isTrue();
    assertThat(filter.remove("key")).isFalse();
    assertThat(filter.falsePositiveRate()).isZero();
  }

  @ParameterizedTest
  @MethodSource(REMOVABLE)
  void aNullArgumentIsNamed(Subject subject) {
    RemovableFilter filter = subject.empty(RemovableFilter.class);
    assertNamed("key", () -> filter.remove((CharSequence) null));
    assertNamed("key", () -> filter.remove((byte[]) null));
    assertNamed("bytes", () -> filter.remove(null, 0, 0));
    assertNamed("key", () -> filter.remove(null, FUNNEL));
    assertNamed("funnel", () -> filter.remove("a", (Funnel<String>) null));
  }
}
