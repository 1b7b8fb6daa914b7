package io.bloomery.contract;

import static io.bloomery.contract.FilterContractTest.assertNamed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.ReadOptions;
import io.bloomery.hash.Funnel;
import io.bloomery.membership.DirectBitSet;
import io.bloomery.membership.DirectShape;
import io.bloomery.testkit.Race;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contracts for {@link DirectBitSet}, the kind whose keys are numbers and are not hashed. */
final class PlainFilterContractTest {

  private static final int UNIVERSE = 100_000;
  private static final long[] NUMBERS =
      Seeds.random(60).longs(10_000, 0, UNIVERSE).distinct().toArray();
  private static final Funnel<String> FUNNEL = (text, into) -> into.put(text);

  @TempDir Path directory;

  private static DirectBitSet of(long universe, long... numbers) {
    DirectBitSet set = DirectBitSet.create(new DirectShape(universe));
    for (long number : numbers) {
      assertThat(set.add(number)).isTrue();
      assertThat(set.add(number)).isFalse();
    }
    return set;
  }

  /** Every number of the universe, each as a number, as its bytes and as a part of an array. */
  @Test
  void allFormsOfAKeyAgreeAndAreExact() {
    DirectBitSet set = of(UNIVERSE, NUMBERS);
    boolean[] expected = new boolean[UNIVERSE + 100];
    for (long number : NUMBERS) {
      expected[(int) number] = true;
    }
    for (int number = 0; number < expected.length; number++) {
      byte[] bytes = new byte[13];
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(3, number);
      boolean found = set.mightContain((long) number);
      if (found != expected[number]
          || set.mightContain(bytes, 3, 8) != found
          || set.mightContain(littleEndian(number)) != found) {
        throw new AssertionError("number " + number);
      }
    }
    assertThat(set.falsePositiveRate()).isZero();
    assertThat(set.sizeInBits()).isEqualTo(UNIVERSE);
  }

  private static byte[] littleEndian(long number) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
  }

  @Test
  void otherKeysAreAbsent() {
    DirectBitSet set = of(UNIVERSE, LongStream.range(0, 1_000).toArray());
    assertThat(set.mightContain("")).isFalse();
    assertThat(set.mightContain("key")).isFalse();
    assertThat(set.mightContain("5", FUNNEL)).isFalse();
    assertThat(set.mightContain(new byte[7])).isFalse();
    assertThat(set.mightContain(new byte[9])).isFalse();
    for (long number : new long[] {-1, UNIVERSE, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32}) {
      assertThat(set.mightContain(number)).isFalse();
    }
    assertThat(set.mightContain("\0\0\0\0\0\0\0\0")).as("the number 0 as text").isTrue();
  }

  @Test
  void nullsAndRangesAreRefused() {
    Filter set = of(10, 1);
    assertNamed("key", () -> set.mightContain((CharSequence) null));
    assertNamed("key", () -> set.mightContain((byte[]) null));
    assertNamed("bytes", () -> set.mightContain(null, 0, 0));
    assertNamed("key", () -> set.mightContain(null, FUNNEL));
    assertNamed("funnel", () -> set.mightContain("a", (Funnel<String>) null));
    assertThatThrownBy(() -> set.mightContain(new byte[8], 1, 8))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void mergeIsTheUnion() {
    DirectBitSet one = of(200, 1, 2, 64);
    DirectBitSet two = of(200, 2, 3, 199);
    assertThat(one.isCompatible(two)).isTrue();
    one.merge(two);
    one.merge(one);
    assertThat(members(one)).containsExactly(1L, 2L, 3L, 64L, 199L);
    assertThat(members(two)).containsExactly(2L, 3L, 199L);
    DirectBitSet larger = of(201, 200);
    assertThat(one.isCompatible(larger)).isFalse();
    assertThatThrownBy(() -> one.merge(larger))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContainingAll("universe", "200", "201");
    assertThat(members(one)).hasSize(5);
    assertNamed("other", () -> one.merge(null));
    assertNamed("other", () -> one.isCompatible(null));
  }

  @Test
  void aCopyIsIndependent() {
    DirectBitSet set = of(200, 1, 2);
    DirectBitSet copy = set.copy();
    copy.add(3);
    set.add(4);
    assertThat(members(set)).containsExactly(1L, 2L, 4L);
    assertThat(members(copy)).containsExactly(1L, 2L, 3L);
  }

  private static List<Long> members(DirectBitSet set) {
    return LongStream.range(0, set.shape().universe()).filter(set::mightContain).boxed().toList();
  }

  @Test
  void everyWayBackKeepsEveryAnswer() throws IOException {
    DirectBitSet set = of(1_000, 1, 63, 64, 999);
    Path file = directory.resolve("set.bloom");
    set.writeTo(file);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    set.writeTo(out);
    assertThat((long) out.size()).isEqualTo(set.storedBytes());
    for (Filter again :
        List.of(
            Filters.open(file),
            Filters.map(file),
            Filters.read(
                new ByteArrayInputStream(out.toByteArray()),
                ReadOptions.defaults().withLimit(out.size())))) {
      assertThat(again).isInstanceOf(DirectBitSet.class);
      assertThat(members((DirectBitSet) again)).containsExactly(1L, 63L, 64L, 999L);
    }
    DirectBitSet mapped = (DirectBitSet) Filters.map(file);
    assertThatThrownBy(() -> mapped.add(1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> mapped.remove(1)).isInstanceOf(IllegalStateException.class);
  }

  /** 50 rounds: one thread adds even numbers while the other removes odd ones. */
  @Test
  void twoThreadsDisturbNoNumber() {
    for (int round = 0; round < 50; round++) {
      DirectBitSet set = DirectBitSet.create(new DirectShape(20_000));
      for (long odd = 1; odd < 20_000; odd += 2) {
        set.add(odd);
      }
      Race.run(
          2,
          thread -> {
            for (long number = thread; number < 20_000; number += 2) {
              if (thread == 0 ? !set.add(number) : !set.remove(number)) {
                throw new AssertionError("number " + number);
              }
            }
          });
      assertThat(set.cardinality()).isEqualTo(10_000);
      assertThat(set.contains(0)).isTrue();
      assertThat(set.contains(1)).isFalse();
    }
  }
}
