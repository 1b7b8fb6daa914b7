package io.bloomery.growing;

import static io.bloomery.testkit.Printed.assertPrinted;
import static io.bloomery.testkit.Rates.assertRate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.FilterFullException;
import io.bloomery.Filters;
import io.bloomery.HashedFilter;
import io.bloomery.ReadOptions;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Planner;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import io.bloomery.testkit.Rates;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Catalogue G4.
 *
 * <p>Measured here, of G4 (elastic, pages that split in turn): P = .01 from 1,000 keys: 15.9
 * bits/key on average over 112 sizes up to 16 · 10⁶, at most 17.4; the rate grows from 0.00048 to
 * 0.0069 as 1 - ∏(1 - 2^-L), each within 1 %, and within 5 σ over 500,000 outsiders. From 1 to
 * 300,000 keys at P = .9 entries lose all their bits: no key lost, nor by 200,000 removals.
 */
final class ElasticFilterTest {

  private static int hits(HashedFilter filter, long[] hashes) {
    return filter.mightContainHashes(hashes, 0, hashes.length, new long[hashes.length / 64 + 1]);
  }

  private static byte[] bytes(ElasticFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  /** 30 histories of adds, copies and removals beside an exact multiset. */
  @Test
  void noHistoryLosesAKey() {
    Property.check(
        91,
        30,
        draw -> {
          double rate = draw.oneOf(List.of(0.9, 0.3, 0.01, 1e-9));
          ElasticFilter filter = ElasticFilter.create(draw.between(1, 1_500), rate);
          Map<Long, Integer> model = new HashMap<>();
          List<Long> copies = new ArrayList<>();
          int[] most = {0}; // copies of a key
          int steps = draw.between(100, 9_000);
          for (int step = 0; step < steps; step++) {
            int kind = draw.between(0, 9);
            int at = draw.between(0, Math.max(0, copies.size() - 1));
            if (kind < 6 || copies.isEmpty()) {
              add(filter, Keys.hash(draw.between(0, 1 << 20)), model, copies, most);
            } else if (kind < 7) {
              add(filter, copies.get(at), model, copies, most);
            } else {
              Collections.swap(copies, at, copies.size() - 1);
              long hash = copies.remove(copies.size() - 1);
              if (!filter.removeHash(hash)) {
                throw new AssertionError("lost in step " + step);
              }
              model.computeIfPresent(hash, (key, count) -> count == 1 ? null : count - 1);
            }
          }
          if (most[0] < ElasticFilter.MAX_COPIES) {
            assertThat(filter.keyCount()).isEqualTo(copies.size());
          }
          assertThat(model.keySet()).allMatch(filter::mightContainHash);
          ElasticFilter copy = filter.copy();
          for (int i = copies.size() - 1; i > 0; i--) {
            Collections.swap(copies, i, draw.between(0, i));
          }
          assertThat(copies).allMatch(filter::removeHash);
          if (most[0] < ElasticFilter.MAX_COPIES) {
            assertThat(filter.keyCount()).isZero();
          }
          assertThat(model.keySet()).allMatch(copy::mightContainHash);
        });
  }

  private static void add(
      ElasticFilter filter, long hash, Map<Long, Integer> model, List<Long> copies, int[] most) {
    boolean present = filter.mightContainHash(hash);
    if (filter.addHash(hash) == present || (model.containsKey(hash) && !present)) {
      throw new AssertionError("present: " + present);
    }
    most[0] = Math.max(most[0], model.merge(hash, 1, Integer::sum));
    copies.add(hash);
  }

  /**
   * Sizes up to 2^9 times the first, 500,000 outsiders each. The rate of the entries differs from
   * the formula only by how many prefixes coincide. Their deviation is that of 20 filters; it is
   * smaller for more keys.
   */
  @ParameterizedTest
  @CsvSource({"1000, 0.01", "300, 0.1", "5000, 0.001"})
  void theRateIsThatOfTheFormula(int expected, double target) {
    ElasticShape shape = ElasticShape.forKeys(expected, target);
    ElasticFilter filter = ElasticFilter.create(shape);
    long[] members = Keys.members(512_000);
    long[] outsiders = Keys.outsiders(500_000);
    int added = 0;
    double deviation = 0;
    for (int keys = expected; keys <= members.length; keys *= 4) {
      filter.addHashes(members, added, keys);
      added = keys;
      double rate = shape.falsePositiveRate(keys);
      if (keys <= 20_000) {
        double[] relative = new double[20];
        for (int set = 0; set < relative.length; set++) {
          ElasticFilter other = ElasticFilter.create(shape);
          other.addHashes(Keys.members(keys, set + 1), 0, keys);
          relative[set] = other.falsePositiveRate() / rate;
        }
        Rates.assertMean(relative, 1, 5, 0);
        deviation = Rates.standardError(relative) * Math.sqrt(relative.length + 1.0);
      }
      assertThat(rate).isLessThan(target);
      assertThat(filter.falsePositiveRate() / rate)
          .isCloseTo(1, within(Rates.student(5, 20) * deviation));
      assertRate(hits(filter, outsiders), outsiders.length, filter.falsePositiveRate(), 5);
      assertThat(hits(filter, Arrays.copyOf(members, keys))).isEqualTo(keys);
      assertThat(filter.pageCount()).isEqualTo((int) shape.pages(keys));
      assertThat((double) filter.sizeInBits())
          .isCloseTo(
              (double) shape.sizeInBits(keys), within(256 + 0.02 * (double) filter.sizeInBits()));
    }
  }

  /** From one key: the oldest entries have lost all their bits and are in several pages. */
  @Test
  void entriesWithoutBitsStillStandForTheirKeys() {
    ElasticShape shape = ElasticShape.forKeys(1, 0.9);
    ElasticFilter filter = ElasticFilter.create(shape);
    long[] members = Keys.members(300_000);
    filter.addHashes(members, 0, members.length);
    assertThat(hits(filter, members)).isEqualTo(members.length);
    double rate = shape.falsePositiveRate(members.length);
    assertThat(rate).isBetween(0.2, 0.9);
    assertThat(filter.falsePositiveRate()).isCloseTo(rate, within(0.02 * rate));
    assertRate(hits(filter, Keys.outsiders(200_000)), 200_000, filter.falsePositiveRate(), 5);
    for (int i = 0; i < 200_000; i++) {
      if (!filter.removeHash(members[i])) {
        throw new AssertionError("lost " + i);
      }
    }
    assertThat(hits(filter, Arrays.copyOfRange(members, 200_000, 300_000))).isEqualTo(100_000);
    assertThat(filter.keyCount()).isEqualTo(100_000);
  }

  /** From 1,000 keys at 1 %: mean at most 17 bits per key, never above 22; by the formula. */
  @Test
  void leanAtEverySize() {
    ElasticShape shape = ElasticShape.forKeys(1_000, 0.01);
    double sum = 0;
    int sizes = 0;
    for (double keys = 1_000; keys <= 16_000_000; keys *= 1.01) {
      double bits = (double) shape.sizeInBits((long) keys) / (long) keys;
      assertThat(bits).isBetween(14.44, 17.51);
      assertThat(shape.falsePositiveRate((long) keys)).isLessThan(0.01);
      sum += bits;
      sizes++;
    }
    assertPrinted(sum / sizes, "15.80");
    assertPrinted(shape.falsePositiveRate(16_000_000), "0.00698");
  }

  /** The filter itself, up to 16 million keys; two million outsiders. */
  @Test
  @Tag("long")
  void leanAtEverySizeMeasured() {
    ElasticFilter filter = ElasticFilter.create(1_000, 0.01);
    double sum = 0;
    int sizes = 0;
    int next = 1_000;
    for (int set = 0; set < 16; set++) {
      for (long hash : Keys.members(1_000_000, set)) {
        filter.addHash(hash);
        if (filter.keyCount() == next) {
          double bits = (double) filter.sizeInBits() / next;
          double expected = filter.shape().sizeInBits(next) / (double) next;
          assertThat(bits).isCloseTo(expected, within(256.0 / next + 0.02 * bits));
          sum += bits / expected;
          sizes++;
          next = (int) Math.ceil(next * 1.05);
        }
      }
    }
    assertThat(sum / sizes).isCloseTo(1, within(0.005));
    for (int set = 0; set < 16; set++) {
      assertThat(hits(filter, Keys.members(1_000_000, set))).isEqualTo(1_000_000);
    }
    double rate = filter.shape().falsePositiveRate(16_000_000);
    assertThat(filter.falsePositiveRate()).isCloseTo(rate, within(0.01 * rate));
    assertRate(hits(filter, Keys.outsiders(2_000_000)), 2_000_000, rate, 5);
  }

  /** The same first 10 and last 16 bits: a page of 257 keys with 255 copies each. */
  @Test
  void aFullPageRefusesAndLosesNothing() {
    ElasticFilter filter = ElasticFilter.create(40_000_000, 0.01);
    long hash = Keys.hash(7);
    for (int i = 0; i < 65_535; i++) {
      filter.addHash(hash ^ ((long) (i / 255) << 54));
    }
    assertThat(filter.keyCount()).isEqualTo(65_535);
    long another = hash ^ (257L << 54);
    assertThatThrownBy(() -> filter.addHash(another))
        .isInstanceOf(FilterFullException.class)
        .hasMessageContaining("65535 entries");
    assertThat(filter.keyCount()).isEqualTo(65_535);
    assertThat(filter.mightContainHash(hash)).isTrue();
    assertThat(filter.mightContainHash(another)).isFalse();
    assertThat(filter.falsePositiveRate()).isLessThan(1e-6);
  }

  /**
   * A key that is repeated without end takes 255 entries, and stays, however often it is removed.
   */
  @Test
  void copiesAreStuckAtTheirMost() throws IOException {
    ElasticFilter filter = ElasticFilter.create(1_000, 0.01);
    long hash = Keys.hash(7);
    for (int i = 0; i < 23_553; i++) {
      assertThat(filter.addHash(hash)).isEqualTo(i == 0);
    }
    assertThat(filter.keyCount()).isEqualTo(ElasticFilter.MAX_COPIES);
    assertThat(filter.pageCount()).isEqualTo(2);
    for (int i = 0; i < 300; i++) {
      assertThat(filter.removeHash(hash)).isTrue();
    }
    assertThat(filter.keyCount()).isEqualTo(ElasticFilter.MAX_COPIES);
    long[] others = Keys.members(100_000);
    filter.addHashes(others, 0, others.length);
    for (long other : others) {
      filter.removeHash(other);
    }
    assertThat(filter.mightContainHash(hash)).isTrue();
    assertThat(filter.keyCount()).isEqualTo(ElasticFilter.MAX_COPIES);
    assertThat(Filters.read(bytes(filter)).mightContain(7L)).isEqualTo(filter.mightContain(7L));
    filter.clear();
    assertThat(filter.mightContainHash(hash)).isFalse();
    for (int i = 1; i < ElasticFilter.MAX_COPIES; i++) {
      filter.addHash(hash);
    }
    for (int i = 1; i < ElasticFilter.MAX_COPIES; i++) {
      assertThat(filter.removeHash(hash)).isTrue();
    }
    assertThat(filter.mightContainHash(hash)).isFalse();
  }

  /**
   * Of a short and a long entry that match, the long one is removed: the short one represents both.
   */
  @Test
  void theLongestMatchIsRemoved() {
    long[] members = Keys.members(20_000);
    for (int set = 1; set <= 20; set++) {
      ElasticFilter filter = ElasticFilter.create(1, 0.9);
      filter.addHashes(members, 0, members.length);
      long[] late = Keys.members(20_000, set);
      filter.addHashes(late, 0, late.length);
      for (long hash : late) {
        filter.removeHash(hash);
      }
      assertThat(hits(filter, members)).isEqualTo(members.length);
    }
  }

  @Test
  void aMappedFilterAnswersAlike(@TempDir Path directory) throws IOException {
    ElasticFilter filter = ElasticFilter.create(600, 0.05);
    long[] members = Keys.members(20_000);
    filter.addHashes(members, 0, members.length);
    Path file = directory.resolve("elastic.bloom");
    filter.writeTo(file);
    ElasticFilter mapped = Filters.map(file, ReadOptions.as(ElasticFilter.class));
    assertThat(hits(mapped, members)).isEqualTo(members.length);
    long[] outsiders = Keys.outsiders(20_000);
    for (long hash : outsiders) {
      if (mapped.mightContainHash(hash) != filter.mightContainHash(hash)) {
        throw new AssertionError("differs");
      }
    }
    assertThat(mapped.falsePositiveRate()).isEqualTo(filter.falsePositiveRate());
    assertThat(mapped.sizeInBits()).isBetween(1L, filter.sizeInBits());
    assertThat(bytes(mapped)).isEqualTo(bytes(filter));
    assertThatThrownBy(() -> mapped.addHash(1)).hasMessageContaining("read-only");
    assertThatThrownBy(() -> mapped.removeHash(1)).hasMessageContaining("read-only");
    assertThatThrownBy(mapped::clear).hasMessageContaining("read-only");
    ElasticFilter copy = mapped.copy();
    copy.addHashes(outsiders, 0, outsiders.length);
    filter.addHashes(outsiders, 0, outsiders.length);
    assertThat(bytes(copy)).isEqualTo(bytes(filter));
    copy.clear();
    assertThat(bytes(copy)).isEqualTo(bytes(ElasticFilter.create(600, 0.05)));
  }

  @Test
  void smallFiltersStaySmall() {
    for (int keys : new int[] {1, 100, 1_000}) {
      ElasticFilter filter = ElasticFilter.create(100, 0.01);
      filter.addHashes(Keys.members(keys), 0, keys);
      assertThat(filter.sizeInBits() / 8).isLessThan(keys <= 100 ? 450 : 2_300);
    }
  }

  /** Fingerprints end with the hash; then the rate grows with the keys. */
  @Test
  void whenTheHashEndsTheRateGrows() {
    ElasticShape shape = ElasticShape.forKeys(1_000, 1e-9);
    assertThat(shape.fingerprintBits(1)).isEqualTo(44);
    assertThat(shape.fingerprintBits(1L << 40)).isEqualTo(64);
    assertThat(shape.falsePositiveRate(100_000_000)).isLessThan(1e-9);
    double late = shape.falsePositiveRate(1L << 52);
    assertThat(shape.falsePositiveRate(1L << 53) / late).isBetween(1.99, 2.01);
  }

  @Test
  void aBudgetIsKept() {
    for (long keys : new long[] {100, 5_000, 1_000_000}) {
      long before = 0;
      for (long bits = 10 * keys + 4_000; bits < 60 * keys; bits += keys) {
        ElasticShape shape = ElasticShape.forBudget(keys, bits);
        assertThat(shape.sizeInBits()).isLessThanOrEqualTo(bits).isGreaterThanOrEqualTo(before);
        assertThat(shape.falsePositiveRate(keys)).isLessThan(shape.rate());
        before = shape.sizeInBits();
      }
    }
    assertThatThrownBy(() -> ElasticShape.forBudget(1_000_000, 1_000_000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("bits = 1000000 is too few for expectedKeys = 1000000 at any rate below 1");
  }

  @Test
  void thePlannerTakesItForDeletesAndGrowth() {
    Needs needs = Needs.forKeys(1_000_000, 0.01).with(Need.UNKNOWN_GROWTH).with(Need.DELETES);
    assertThat(Planner.standard().plan(needs).best().name()).isEqualTo("elastic");
  }
}
