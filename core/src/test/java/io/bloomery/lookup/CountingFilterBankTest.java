package io.bloomery.lookup;

import static io.bloomery.lookup.FilterBankTest.assertIllegal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.Filters;
import io.bloomery.LookupFilter;
import io.bloomery.ReadOptions;
import io.bloomery.hash.Hasher;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CountingFilterBankTest {

  private static CountingFilterBank bank(long rows, int probes, int sets, int weight) {
    return CountingFilterBank.create(
        new CountingBankShape(new BankShape(sets, weight, rows, probes), 4), Hasher.xxh3());
  }

  private static byte[] bytes(FilterBank bank) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    bank.writeTo(out);
    return out.toByteArray();
  }

  /** 20 histories of 400 steps beside an exact map: additions, removals, moves. */
  @ParameterizedTest
  @CsvSource({"10,1", "100,1", "20,0", "30,3"})
  void noHistoryLosesAKeyAndRemovedKeysLeaveNoTrace(int sets, int weight) {
    Property.check(
        7,
        20,
        draw -> {
          CountingFilterBank bank = bank(3_000, 4, sets, weight);
          Map<Long, Integer> model = new HashMap<>();
          for (int step = 0; step < 400; step++) {
            long hash = Keys.hash(draw.between(0, 300));
            int set = draw.between(0, sets - 1);
            Integer present = model.get(hash);
            if (present == null) {
              bank.addHash(hash, set);
              model.put(hash, set);
            } else if (draw.between(0, 1) == 0) {
              assertThat(bank.removeHash(hash, present)).isTrue();
              model.remove(hash);
            } else {
              assertThat(bank.moveHash(hash, present, set)).isTrue();
              model.put(hash, set);
            }
          }
          assertThat(bank.overflowedCounters()).isZero();
          FilterBank expected = FilterBank.create(bank.shape().bank());
          model.forEach(expected::addHash);
          model.forEach((hash, set) -> assertThat(bank.mightContainHash(hash, set)).isTrue());
          try {
            assertThat(bytes(bank.toFilterBank())).isEqualTo(bytes(expected));
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void anActionCanBeUpdated() {
    CountingFilterBank bank =
        CountingFilterBank.create(
            CountingBankShape.of(BankShape.forSets(16, 100, 0.001, BankShape.BINARY)));
    bank.add("flow", 4);
    assertThat(bank.get("flow")).isEqualTo(4);
    assertThat(bank.moveHash(bank.hasher().hash("flow"), 4, 11)).isTrue();
    assertThat(bank.get("flow")).isEqualTo(11);
    assertThat(bank.moveHash(bank.hasher().hash("flow"), 4, 11)).isFalse();
    assertThat(bank.remove("flow", 11)).isTrue();
    assertThat(bank.remove("flow", 11)).isFalse();
    assertThat(bank.get("flow")).isEqualTo(LookupFilter.ABSENT);
    assertThat(bank.falsePositiveRate()).isZero();
  }

  @Test
  void allFormsOfAKeyAreTheSameKey() {
    CountingFilterBank bank = CountingFilterBank.create(CountingBankShape.forSets(5, 100, 0.001));
    bank.add("ab", 2);
    assertThat(bank.remove(new byte[] {'a', 'b'}, 2)).isTrue();
    bank.add(7L, 3);
    assertThat(bank.getOnly(7L)).isEqualTo(3);
    assertThat(bank.remove(7L, 3)).isTrue();
    bank.add("ab", 4, (text, into) -> into.put(text).put(1L));
    assertThat(bank.remove("ab", 4, (text, into) -> into.put(text).put(1L))).isTrue();
    assertThat(bank.copy().falsePositiveRate()).isZero();
  }

  /** Counters of 4 bits stick at 15: a key that was added 20 times stays after 20 removals. */
  @Test
  void saturatedCountersStay() {
    CountingFilterBank bank = bank(100, 3, 2, 1);
    for (int i = 0; i < 20; i++) {
      bank.addHash(5, 1);
    }
    assertThat(bank.overflowedCounters()).isPositive();
    for (int i = 0; i < 20; i++) {
      assertThat(bank.removeHash(5, 1)).isTrue();
    }
    assertThat(bank.getHash(5)).isEqualTo(1);
  }

  @Test
  void aCopyFromAFileGoesOn() throws IOException {
    CountingFilterBank bank = bank(500, 4, 70, 1);
    long[] hashes = Keys.members(500);
    for (int i = 0; i < hashes.length; i++) {
      bank.addHash(hashes[i], i % 70);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    bank.writeTo(out);
    CountingFilterBank again =
        (CountingFilterBank)
            Filters.read(
                new ByteArrayInputStream(out.toByteArray()),
                ReadOptions.defaults().withLimit(1 << 20));
    for (int i = 0; i < hashes.length; i++) {
      assertThat(again.removeHash(hashes[i], i % 70)).isTrue();
    }
    assertThat(again.falsePositiveRate()).isZero();
    assertThat(bank.getHash(hashes[0])).isZero();
  }

  @Test
  void argumentsAreChecked() {
    CountingFilterBank bank = bank(100, 3, 5, 1);
    assertIllegal(() -> bank.removeHash(1, 5), "set = 5 ");
    assertIllegal(() -> bank.moveHash(1, 0, 5), "to = 5 ");
    assertIllegal(() -> new CountingBankShape(bank.shape().bank(), 17), "counterBits = 17 ");
    assertIllegal(
        () -> new CountingBankShape(new BankShape(1, 1, 1L << 36, 3), 4), "rows = 68719476736 ");
    assertThat(bank.toString()).contains("sets=5", "counterBits=4");
    assertThat(bank.shape().counters()).isEqualTo(500);
    assertThat(bank.sizeInBits()).isEqualTo(500 + 32 * 64);
  }

  @Test
  void thePlannerKnowsThem() {
    Needs needs = Needs.forKeys(64_000, 0.01).with(Need.MANY_SETS);
    Plan plan = find(needs, "filter-bank");
    assertThat(plan.predictedRate()).isBetween(0.0099, 0.01);
    assertThat(plan.bitsPerKey()).isCloseTo(18.24, within(0.05));
    assertThat(plan.words()).isEqualTo(plan.cacheLines());
    Plan counting = find(needs.with(Need.DELETES), "counting-bank");
    assertThat(counting.bitsPerKey() / plan.bitsPerKey()).isCloseTo(5, within(0.001));
    Plan binary = find(Needs.forKeys(64_000, 0.01).with(Need.VALUES), "filter-bank-binary");
    assertThat(binary.predictedRate()).isBetween(0.0099, 0.01);
    Needs budget = Needs.forBudget(64_000, 1_000_000).with(Need.MANY_SETS).with(Need.DELETES);
    assertThat(find(budget, "counting-bank").shape().sizeInBits()).isBetween(990_000L, 1_000_000L);
    assertThat(Planner.standard().plan(Needs.forKeys(1_000, 0.01)).ranked())
        .noneMatch(other -> other.name().contains("bank"));
  }

  private static Plan find(Needs needs, String kind) {
    return Planner.standard().plan(needs).ranked().stream()
        .filter(plan -> plan.name().equals(kind))
        .findFirst()
        .orElseThrow();
  }
}
