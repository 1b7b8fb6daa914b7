package io.bloomery.frozen;

import static io.bloomery.testkit.Rates.assertRate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.Filters;
import io.bloomery.HashedFilter;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.ReadOptions;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.probe.Mix;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Catalogue Z2.
 *
 * <p>Measured here, of Z2 (Golomb-coded set): 1.582 bits/key beyond log2(1/rate) at 1 %; bits per
 * key beyond log2(1/rate), index included, a million keys: at most 1.6 at every rate (1.582 at 1 %,
 * 1.580 at 2^-8, 1.585 at 2^-16); all 6 vectors of BIP 158 byte for byte.
 */
final class GolombCodedSetTest {

  private static final int KEYS = 100_000;
  private static final long[] MEMBERS = Keys.members(KEYS);
  private static final long[] OUTSIDERS = Keys.outsiders(500_000);

  private static long hits(HashedFilter filter, long[] hashes) {
    long[] answers = new long[(hashes.length + 63) / 64];
    long single = 0;
    for (long hash : hashes) {
      single += filter.mightContainHash(hash) ? 1 : 0;
    }
    assertThat(filter.mightContainHashes(hashes, 0, hashes.length, answers))
        .isEqualTo((int) single);
    return single;
  }

  /** The published sizes 9.54, 11.54, 17.54: the code alone, within 1 %. */
  @ParameterizedTest
  @CsvSource({"8, 7, 9.54", "10, 9, 11.54", "16, 15, 17.54"})
  void powersOfTwoHaveThePublishedSizes(int log, int riceBits, double published) {
    double rate = Math.scalb(1.0, -log);
    GolombCodedSet set = GolombCodedSet.ofHashes(MEMBERS, rate);
    assertThat(set.riceBits()).isEqualTo(riceBits);
    assertThat(GolombShape.forKeys(KEYS, rate).codeBits()).isCloseTo(published, within(0.005));
    double entropy = log + 1 / Math.log(2);
    double bitsPerKey = (double) set.sizeInBits() / KEYS;
    assertThat(bitsPerKey).isBetween(entropy, log + 1.6);
    assertThat(bitsPerKey).isCloseTo(published, within(0.01 * published + 0.06));
    assertThat(hits(set, MEMBERS)).isEqualTo(KEYS);
    if (log <= 10) {
      assertRate(hits(set, OUTSIDERS), OUTSIDERS.length, set.falsePositiveRate(), 5);
    }
  }

  /** Any rate, also between the powers of two: at most 1.6 bits beyond log2(1/rate). */
  @ParameterizedTest
  @ValueSource(doubles = {0.2, 0.1, 0.05, 0.01, 0.0075, 0.005, 0.001, 1e-4, 1e-6})
  void sizeAndRateAtEveryRate(double rate) {
    GolombCodedSet set = GolombCodedSet.ofHashes(MEMBERS, rate);
    double bound = Math.log(1 / rate) / Math.log(2);
    double bitsPerKey = (double) set.sizeInBits() / KEYS;
    assertThat(bitsPerKey - bound).isLessThanOrEqualTo(1.6);
    GolombShape shape = GolombShape.forKeys(KEYS, rate);
    assertThat((double) shape.sizeInBits() / KEYS).isCloseTo(bitsPerKey, within(0.01 * bitsPerKey));
    assertThat(shape.falsePositiveRate(KEYS)).isBetween(0.999 * rate, rate);
    assertThat(set.falsePositiveRate()).isCloseTo(rate, within(0.01 * rate));
    assertThat(hits(set, MEMBERS)).isEqualTo(KEYS);
    if (rate >= 1e-4) {
      assertRate(hits(set, OUTSIDERS), OUTSIDERS.length, set.falsePositiveRate(), 5);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 0.01", "2, 0.01", "10, 0.01", "1, 1e-9", "2, 1e-9", "10, 1e-9", "1000, 1e-9"})
  void fewKeysAndLowRates(int keys, double rate) {
    GolombShape shape = GolombShape.forKeys(keys, rate);
    assertThat(shape.falsePositiveRate(keys)).isLessThanOrEqualTo(rate);
    long[] members = Keys.members(keys, 3);
    GolombCodedSet set = GolombCodedSet.ofHashes(members, rate);
    assertThat(set.range()).isEqualTo(shape.range());
    assertThat(hits(set, members)).isEqualTo(keys);
    assertThat(set.falsePositiveRate()).isLessThanOrEqualTo(1.005 * rate);
  }

  /** Every width and block size against a set of the reduced hashes, with clustered numbers. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 5, 7, 8, 9, 13, 16, 17, 31, 32, 33, 40, 50})
  void agreesWithASet(int riceBits) {
    Property.check(
        riceBits,
        40,
        draw -> {
          long least = 1L << riceBits;
          long smallest = Math.max(2, least);
          long range = draw.between(smallest, smallest * 300);
          long[] hashes = new long[draw.between(0, 400)];
          long center = draw.anyLong();
          boolean clustered = draw.between(0, 1) == 0;
          Set<Long> model = new HashSet<>();
          for (int i = 0; i < hashes.length; i++) {
            hashes[i] = clustered ? center + (draw.anyLong() >>> 12) : draw.anyLong();
            model.add(Mix.reduce(hashes[i], range));
          }
          GolombShape shape =
              GolombShape.ofBlocks(
                  Math.max(1, hashes.length), range, riceBits, draw.between(8, 300));
          GolombCodedSet set = GolombCodedSet.ofHashesInRange(hashes, shape, Hasher.xxh3());
          assertThat(set.keyCount()).isEqualTo(model.size());
          for (long hash : hashes) {
            assertThat(set.mightContainHash(hash)).isTrue();
          }
          for (int i = 0; i < 200; i++) {
            long hash = clustered ? center + (draw.anyLong() >>> 12) : draw.anyLong();
            assertThat(set.mightContainHash(hash))
                .isEqualTo(model.contains(Mix.reduce(hash, range)));
          }
          GolombCodedSet again = reread(set);
          assertThat(bytes(again)).isEqualTo(bytes(set));
        });
  }

  private static byte[] bytes(GolombCodedSet set) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      set.writeTo(out);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toByteArray();
  }

  private static GolombCodedSet reread(GolombCodedSet set) {
    byte[] bytes = bytes(set);
    try {
      return (GolombCodedSet)
          Filters.read(
              new ByteArrayInputStream(bytes), ReadOptions.defaults().withLimit(bytes.length));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void orderAndDuplicatesDoNotMatter() {
    long[] members = Keys.members(5000);
    long[] twice = new long[9000];
    for (int i = 0; i < twice.length; i++) {
      twice[i] = members[(int) ((i * 7919L + 13) % members.length)];
    }
    System.arraycopy(members, 0, twice, 0, 5000);
    long[] before = twice.clone();
    GolombCodedSet set = GolombCodedSet.ofHashes(twice, 0.01);
    assertThat(twice).isEqualTo(before);
    assertThat(bytes(set)).isEqualTo(bytes(GolombCodedSet.ofHashes(members, 0.01)));
  }

  @Test
  void builderTakesKeysOneByOneAndInShards() throws IOException {
    long[] members = Keys.members(5000);
    FrozenBuilder<GolombShape, GolombCodedSet> builder =
        GolombCodedSet.builder().falsePositiveRate(0.01);
    builder.addHashes(members, 0, 5000).addHashes(members, 1000, 2000);
    assertThat(bytes(builder.build())).isEqualTo(bytes(GolombCodedSet.ofHashes(members, 0.01)));
    builder.addHashes(members, 0, 5000).heapKeys(1000);
    assertThat(hits(builder.buildSharded(), members)).isEqualTo(5000);
    assertThatThrownBy(() -> GolombCodedSet.builder().addHash(1).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("falsePositiveRate");
  }

  @Test
  void unionIsTheSetOfBoth() {
    GolombShape shape = GolombShape.forKeys(8000, 0.01);
    long[] all = Keys.members(8000);
    GolombCodedSet low =
        GolombCodedSet.ofHashesInRange(Arrays.copyOf(all, 5000), shape, Hasher.xxh3());
    GolombCodedSet high =
        GolombCodedSet.ofHashesInRange(Arrays.copyOfRange(all, 4000, 8000), shape, Hasher.xxh3());
    GolombCodedSet both = GolombCodedSet.ofHashesInRange(all, shape, Hasher.xxh3());
    assertThat(low.union(high).keyCount()).isEqualTo(both.keyCount());
    assertThat(hits(low.union(high), all)).isEqualTo(8000);
    assertThat(hits(low.union(high), OUTSIDERS)).isEqualTo(hits(both, OUTSIDERS));
    assertThat(bytes(low.union(low))).isEqualTo(bytes(low.withHashes(new long[0])));
    GolombCodedSet grown = low.withHashes(Arrays.copyOfRange(all, 4000, 8000));
    assertThat(bytes(grown)).isEqualTo(bytes(low.union(high)));
    assertThatThrownBy(() -> low.union(GolombCodedSet.ofHashes(all, 0.02)))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("range " + shape.range());
    assertThatThrownBy(() -> low.union(GolombCodedSet.ofHashesInRange(all, shape, Hasher.xxh3(5))))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("seed 5");
  }

  @Test
  void removedKeysTakeOnlyThoseWithThemThatShareTheirNumber() {
    long[] all = Keys.members(20_000);
    GolombCodedSet set = GolombCodedSet.ofHashes(all, 0.01);
    GolombCodedSet fewer = set.withoutHashes(Arrays.copyOf(all, 5000));
    assertThat(hits(fewer, Arrays.copyOf(all, 5000))).isZero();
    long left = hits(fewer, Arrays.copyOfRange(all, 5000, 20_000));
    // Each of 15 000 shares its number with one of 5000 with probability 5000/N.
    assertRate(15_000 - left, 15_000, 5000.0 / set.range(), 5);
    assertThat(hits(set.withoutHashes(new long[] {Keys.outsiders(1, 9)[0]}), all))
        .isBetween(19_999L, 20_000L);
  }

  @Test
  void emptySetHoldsNothing() {
    GolombCodedSet empty = GolombCodedSet.ofHashes(new long[0], 0.01);
    assertThat(empty.mightContainHash(0)).isFalse();
    assertThat(empty.mightContainHash(-1)).isFalse();
    assertThat(empty.falsePositiveRate()).isZero();
    assertThat(reread(empty).mightContainHash(5)).isFalse();
    assertThat(hits(empty.withHashes(MEMBERS), MEMBERS)).isEqualTo(KEYS);
    assertThat(empty.withoutHashes(MEMBERS).keyCount()).isZero();
  }

  @Test
  void badArgumentsAreNamed() {
    assertThatThrownBy(() -> GolombCodedSet.ofHashes(new long[1], 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("falsePositiveRate = 0.0");
    assertThatThrownBy(() -> GolombCodedSet.ofHashes(new long[1000], 1e-18))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> GolombCodedSet.ofHashes(new long[1], GolombShape.forKeys(1, 0.1), null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("hasher");
    assertThatThrownBy(() -> GolombShape.ofRange(1, 1, 63))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("riceBits = 63");
  }

  @Test
  void plannerOffersItForFrozenSets() {
    Needs needs = Needs.forKeys(1_000_000, 0.01);
    assertThat(Planner.standard().plan(needs).ranked()).noneMatch(plan -> isOurs(plan));
    Plan plan =
        Planner.standard().plan(needs.with(Need.FROZEN_SET)).ranked().stream()
            .filter(GolombCodedSetTest::isOurs)
            .findFirst()
            .orElseThrow();
    assertThat(plan.bitsPerKey()).isCloseTo(8.223, within(5e-4));
    assertThat(plan.predictedRate()).isBetween(0.0099999, 0.01);
    assertThat(plan.kind().type().getName()).isEqualTo(GolombCodedSet.class.getName());
    GolombShape budget = GolombShape.forBudget(1_000_000, 8_200_000);
    assertThat(budget.sizeInBits()).isBetween(8_190_000L, 8_200_000L);
    assertThat(budget.falsePositiveRate(1_000_000)).isCloseTo(0.01015, within(5e-6));
  }

  private static boolean isOurs(Plan plan) {
    return plan.name().equals("golomb-coded");
  }
}
