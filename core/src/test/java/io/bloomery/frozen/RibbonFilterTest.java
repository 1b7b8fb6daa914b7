package io.bloomery.frozen;

import static io.bloomery.testkit.Rates.assertRate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.Filters;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.probe.Mix;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Catalogue S4.
 *
 * <p>Measured here, of S4 (bumped ribbon, width 64): n = 10⁶: 8.044 bits/key at 2⁻⁸ (1.0055 of
 * n·log2(1/ε)), 6.759 at 1 % (1.0173), thresholds and all layers included; n = 50,000 and 100,000:
 * 1.016 and 1.022 at most; rates within 5 σ of the filter's own formula over 10⁶ outsiders, also
 * for hashes that are not mixed; same bytes for any order, duplicates and threads; built in 10
 * bytes per key and 6 MB at r = 8, the hashes included ({@code BuildMemoryTest}).
 */
final class RibbonFilterTest {

  private static final double LOG2 = Math.log(2);

  private static long hits(RibbonFilter filter, long[] hashes) {
    return filter.mightContainHashes(hashes, 0, hashes.length, new long[hashes.length / 64 + 1]);
  }

  private static byte[] bytes(RibbonFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  private static RibbonFilter ofColumns(long[] hashes, int columns) {
    return RibbonFilter.ofHashes(hashes, RibbonShape.ofColumns(1, columns), Hasher.xxh3());
  }

  /** R1, R3 with Q = 1,000,000; the size includes thresholds and all layers. */
  @ParameterizedTest
  @CsvSource({
    "1000000, 0.00390625, 1.0065",
    "1000000, 0.01, 1.0185",
    "1000000, 0.03, 1.012",
    "100000, 0.01, 1.022",
    "50000, 0.00390625, 1.012",
    "10000, 0.2, 1.07",
    "10000, 0.6, 1.15"
  })
  void isSmallAndHasItsRate(int keys, double rate, double most) {
    long[] members = Keys.members(keys);
    RibbonFilter filter = RibbonFilter.ofHashes(members, rate);
    double ideal = keys * -Math.log(rate) / LOG2;
    assertThat(filter.sizeInBits() / ideal).isBetween(1.0, most);
    assertThat(hits(filter, members)).isEqualTo(keys);
    assertThat(filter.shape().falsePositiveRate(keys)).isBetween(rate * 0.995, rate);
    assertThat(filter.falsePositiveRate())
        .isCloseTo(filter.shape().falsePositiveRate(keys), within(rate / 100));
    assertRate(hits(filter, Keys.outsiders(1_000_000)), 1_000_000, filter.falsePositiveRate(), 5);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 8, 12})
  void columnsDecideTheRate(int columns) {
    long[] members = Keys.members(20_000);
    RibbonFilter filter = ofColumns(members, columns);
    assertThat(filter.falsePositiveRate()).isEqualTo(Math.scalb(1.0, -columns));
    assertThat(hits(filter, members)).isEqualTo(members.length);
    assertRate(hits(filter, Keys.outsiders(500_000)), 500_000, Math.scalb(1.0, -columns), 5);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 10, 64, 65, 100, 1536, 1537})
  void anyNumberOfKeys(int keys) {
    long[] members = Keys.members(keys);
    for (double rate : new double[] {0.9, 0.3, 0.01, 1e-9}) {
      RibbonFilter filter = RibbonFilter.ofHashes(members, rate);
      assertThat(hits(filter, members)).isEqualTo(keys);
      assertThat(filter.sizeInBits()).isEqualTo(filter.shape().sizeInBits());
      assertThat(filter.shape().keyCount()).isEqualTo(keys);
      if (keys == 0) {
        assertThat(filter.sizeInBits()).isZero();
        assertThat(filter.falsePositiveRate()).isZero();
        assertThat(hits(filter, Keys.outsiders(1000))).isZero();
      } else if (rate > 0.001) {
        assertThat(filter.falsePositiveRate()).isLessThanOrEqualTo(rate);
        assertRate(hits(filter, Keys.outsiders(50_000)), 50_000, filter.falsePositiveRate(), 5);
      }
    }
  }

  @Test
  void theSameSetGivesTheSameBytes() throws IOException {
    int keys = 150_000;
    long[] members = Keys.members(keys);
    long[] again = new long[keys + 50_000];
    for (int i = 0; i < again.length; i++) {
      again[i] = members[(int) ((i * 7919L + 13) % keys)];
    }
    long[] before = again.clone();
    byte[] expected = bytes(RibbonFilter.ofHashes(members, 0.02));
    assertThat(bytes(RibbonFilter.ofHashes(again, 0.02))).isEqualTo(expected);
    assertThat(again).isEqualTo(before);
    RibbonFilter threads =
        RibbonFilter.builder()
            .falsePositiveRate(0.02)
            .threads(3)
            .addHashes(again, 0, again.length)
            .build();
    assertThat(bytes(threads)).isEqualTo(expected);
    RibbonFilter seeded =
        RibbonFilter.builder().falsePositiveRate(0.02).seed(1).addHashes(members, 0, keys).build();
    assertThat(bytes(seeded)).isNotEqualTo(expected);
    assertThat(hits(seeded, members)).isEqualTo(keys);
  }

  /** Numbers instead of hashes: neighbours, multiples and numbers that share their high bits. */
  @ParameterizedTest
  @ValueSource(longs = {1, 64, 1L << 32, 1L << 44, 0x9E3779B97F4A7C15L})
  void hashesNeedNotBeMixed(long step) {
    long[] members = new long[100_000];
    for (int i = 0; i < members.length; i++) {
      members[i] = i * step;
    }
    RibbonFilter filter = ofColumns(members, 8);
    assertThat(hits(filter, members)).isEqualTo(members.length);
    long[] others = new long[300_000];
    for (int i = 0; i < others.length; i++) {
      others[i] = (i + 100_000) * step;
    }
    assertRate(hits(filter, others), others.length, 1.0 / 256, 5);
  }

  @Test
  void agreesWithASetAndWithItselfInAFile(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("ribbon.bloom");
    Property.check(
        3,
        20,
        draw -> {
          int keys = draw.between(0, 4000);
          int set = draw.between(0, 1000);
          long[] members = Keys.members(keys, set);
          int columns = draw.between(1, 32);
          RibbonFilter filter = ofColumns(members, columns);
          RibbonFilter mapped;
          try {
            filter.writeTo(file);
            mapped = (RibbonFilter) Filters.map(file);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
          for (long hash : members) {
            assertThat(filter.mightContainHash(hash)).isTrue();
            assertThat(mapped.mightContainHash(hash)).isTrue();
          }
          assertThat(hits(mapped, members)).isEqualTo(keys);
          for (long hash : Keys.outsiders(1000, set)) {
            assertThat(mapped.mightContainHash(hash)).isEqualTo(filter.mightContainHash(hash));
          }
          assertThat(mapped.falsePositiveRate()).isEqualTo(filter.falsePositiveRate());
        });
  }

  /** Counts every array that a build of a million keys has alive at its peak. */
  @Test
  void buildingTakesLessThan24BytesPerKey() {
    int keys = 1_000_000;
    RibbonShape shape = RibbonShape.ofColumns(keys, 8);
    long hashes = 8L * keys;
    long mixedKeys = 8L * keys;
    long words = shape.sizeInBits() / 8;
    long chunk = 2 * (1 << 16) * (8L + 4 + 4);
    assertThat((hashes + mixedKeys + words + chunk) / (double) keys).isLessThan(20);
    long wide = RibbonShape.ofColumns(keys, 32).sizeInBits() / 8;
    assertThat((hashes + mixedKeys + wide + chunk) / (double) keys).isLessThan(24);
  }

  @Test
  void tellsItsProgress() {
    List<String> phases = new ArrayList<>();
    RibbonFilter filter =
        RibbonFilter.builder()
            .progress((phase, done, total) -> phases.add(phase + " " + done + "/" + total))
            .add("a")
            .add("b")
            .add("a")
            .build();
    assertThat(filter.shape().keyCount()).isEqualTo(2);
    assertThat(filter.shape().columns()).isEqualTo(8);
    assertThat(filter.mightContain("b")).isTrue();
    assertThat(phases).containsExactly("read 3/3", "order 0/3", "order 3/3", "solve 2/2");
  }

  @ParameterizedTest
  @CsvSource({"1, 64", "10, 640", "1000, 9000", "1000000, 10000000", "1000000, 500000"})
  void aBudgetIsUsed(long keys, long bits) {
    RibbonShape shape = RibbonShape.forBudget(keys, bits);
    assertThat(shape.sizeInBits()).isLessThanOrEqualTo(bits);
    int step = shape.columns() * 65_536 - shape.narrowShare() + 1024;
    if (shape.columns() < 32) {
      RibbonShape next =
          new RibbonShape(keys, (step + 65_535) / 65_536, Math.floorMod(-step, 65_536));
      assertThat(next.sizeInBits()).isGreaterThanOrEqualTo(shape.sizeInBits());
    }
  }

  @Test
  void thePlannerOffersItForFrozenSets() {
    Needs needs = Needs.forKeys(1_000_000, 0.01).with(Need.FROZEN_SET);
    Plan plan =
        Planner.standard().plan(needs).ranked().stream()
            .filter(some -> some.name().equals("ribbon"))
            .findFirst()
            .orElseThrow();
    assertThat(plan.bitsPerKey()).isCloseTo(6.762, within(0.005));
    assertThat(plan.predictedRate()).isCloseTo(0.01, within(0.00005));
  }

  @Test
  void refusesImpossibleArguments() {
    long[] one = {1};
    assertThatThrownBy(() -> ofColumns(one, 33))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("columns = 33");
    assertThatThrownBy(() -> RibbonFilter.ofHashes(one, 1e-12))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("falsePositiveRate = 1.0E-12");
    assertThatThrownBy(() -> RibbonFilter.ofHashes(one, 1.0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("falsePositiveRate");
    assertThatThrownBy(() -> ofColumns(null, 8))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("hashes");
    assertThatThrownBy(() -> RibbonFilter.ofHashes(one, RibbonShape.ofColumns(1, 8), null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("hasher");
    assertThatThrownBy(
            () ->
                RibbonFilter.builder()
                    .shape(RibbonShape.ofColumns(1, 3))
                    .falsePositiveRate(0.1)
                    .addHash(1)
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("only one");
    assertThatThrownBy(() -> new RibbonShape(1, 8, 65_536))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("narrowShare = 65536");
    assertThatThrownBy(() -> new RibbonShape(1L << 31, 8, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("keyCount");
    assertThatThrownBy(() -> RibbonShape.forBudget(1_000_000, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bits = 5");
    assertThat(RibbonFilter.ofHashes(one, RibbonShape.ofColumns(1, 8), Hasher.xxh3(4)).hasher())
        .isEqualTo(Hasher.xxh3(4));
  }

  /** Keys that all start in one slot with the salts of round 0 take round 1, trial 64 or later. */
  @Test
  void aLaterRoundIsSavedAndMapped(@TempDir Path directory) throws IOException {
    long salt = Mix.stream(0, 1);
    long[] hashes = LongStream.range(0, 100_000).map(i -> Mix.unmix(i) ^ salt).toArray();
    RibbonFilter filter = ofColumns(hashes, 8);
    Path file = directory.resolve("ribbon.bloom");
    filter.writeTo(file);
    assertThat((Long) Filters.header(file).fields().get("trial")).isBetween(64L, 127L);
    for (RibbonFilter each :
        List.of(filter, (RibbonFilter) Filters.open(file), (RibbonFilter) Filters.map(file))) {
      assertThat(hits(each, hashes)).isEqualTo(hashes.length);
      assertRate(hits(each, Keys.outsiders(100_000)), 100_000, filter.falsePositiveRate(), 5);
    }
  }
}
