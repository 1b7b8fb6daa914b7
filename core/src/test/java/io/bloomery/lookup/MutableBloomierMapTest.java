package io.bloomery.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.SampleFilters;
import io.bloomery.Writers;
import io.bloomery.hash.Funnel;
import io.bloomery.internal.numeric.SolvedCells;
import io.bloomery.internal.numeric.SolvedCells.Peeled.Layout;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import io.bloomery.testkit.Race;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Measured here, of S6 (Bloomier map, mutable): 10,000 keys, 100,000 random sets: as a {@code
 * HashMap}, in every layout; outsiders ⊥ with 1 - k/2^q within 5 σ (3/2⁹, 4/2⁹, 3/2⁴, 3/2², 4/2¹²);
 * four threads lose no value; a million keys with 8-bit values at 1 %: 19.2 bits/key.
 */
final class MutableBloomierMapTest {

  private static final int N = 10_000;

  @TempDir Path directory;

  /** 10 000 keys, 100 000 random sets beside a HashMap: identical. */
  @ParameterizedTest
  @EnumSource(Layout.class)
  void randomSetsAgreeWithAHashMap(Layout layout) {
    for (int k = 3; k <= 4; k++) {
      int cellsPerKey = k;
      long[] hashes = Keys.members(N);
      Map<Long, Long> model = new HashMap<>();
      MutableBloomierMap.Builder builder =
          MutableBloomierMap.builder()
              .falsePositiveRate(0.01)
              .cells(keys -> SolvedCells.Peeled.forKeys(keys, cellsPerKey, layout))
              .valueBits(20);
      SplittableRandom random = Seeds.random(6);
      for (long hash : hashes) {
        model.put(hash, random.nextLong(1 << 20));
        builder.putHash(hash, model.get(hash));
      }
      MutableBloomierMap map = builder.build();
      model.forEach((hash, value) -> assertThat(map.getHash(hash)).isEqualTo(value));
      for (int i = 0; i < 100_000; i++) {
        long hash = hashes[random.nextInt(N)];
        long value = random.nextLong(1 << 20);
        assertThat(map.setHash(hash, value)).isTrue();
        model.put(hash, value);
        assertThat(map.getHash(hash)).isEqualTo(value);
      }
      model.forEach((hash, value) -> assertThat(map.getHash(hash)).isEqualTo(value));
    }
  }

  /** 1 000 000 outsiders: absent with 1 − k/2^q. */
  @ParameterizedTest
  @CsvSource({"3, 0.01, 9", "4, 0.01, 9", "3, 0.3, 4", "3, 0.75, 2", "4, 0.001, 12"})
  void outsidersAreAbsentAtTheirRate(int k, double rate, int bits) {
    MutableBloomierMap map =
        MutableBloomierMap.builder()
            .falsePositiveRate(rate)
            .cellsPerKey(k)
            .putHashes(Keys.members(N), new long[N])
            .build();
    assertThat(map.shape().index().cellBits()).isEqualTo(bits);
    assertThat(map.falsePositiveRate()).isEqualTo(k / Math.pow(2, bits));
    int queries = 1_000_000;
    long hits = LongStream.of(Keys.outsiders(queries)).filter(map::mightContainHash).count();
    Rates.assertRate(hits, queries, k / Math.pow(2, bits), 5);
  }

  /** Why set is unsafe: an outsider that the first table mistakes for a key has a key's cell. */
  @Test
  void anOutsiderThatLooksLikeAKeyOverwritesAnother() {
    MutableBloomierMap map =
        MutableBloomierMap.builder()
            .falsePositiveRate(0.5)
            .valueBits(1)
            .putHashes(Keys.members(N), new long[N])
            .build();
    int refused = 0;
    for (long hash : Keys.outsiders(2_000)) {
      boolean taken = map.mightContainHash(hash);
      assertThat(map.setHash(hash, 1)).isEqualTo(taken);
      refused += taken ? 0 : 1;
    }
    Rates.assertRate(refused, 2_000, 5 / 8.0, 5);
    long changed = LongStream.of(Keys.members(N)).filter(hash -> map.getHash(hash) == 1).count();
    // Each writes to some cell, which a key owns or none, and rarely to one of another.
    double cells = map.shape().index().cells();
    int taken = 2_000 - refused;
    double expected = -N * Math.expm1(taken * Math.log1p(-1 / cells));
    double variance = taken * (N / cells) * (1 - N / cells) + (double) taken * taken / (2 * cells);
    assertThat((double) changed).isCloseTo(expected, within(5 * Math.sqrt(variance)));
  }

  @Test
  void everyHistoryAgreesWithAHashMap() {
    Property.check(
        49,
        300,
        draw -> {
          int bits = draw.between(1, 63);
          long max = (1L << bits) - 1;
          Map<Long, Long> model = new HashMap<>();
          MutableBloomierMap.Builder builder =
              MutableBloomierMap.builder()
                  .falsePositiveRate(1e-6)
                  .valueBits(bits)
                  .writers(draw.oneOf(List.of(Writers.values())))
                  .seed(draw.anyLong());
          int puts = draw.between(0, 100);
          for (int i = 0; i < puts; i++) {
            long hash = draw.anyLong();
            builder.putHash(hash, model.computeIfAbsent(hash, h -> draw.between(0, max)));
          }
          MutableBloomierMap map = builder.build();
          MutableBloomierMap before = map.copy();
          Map<Long, Long> then = new HashMap<>(model);
          model.replaceAll(
              (hash, value) -> {
                long next = draw.between(0, max);
                assertThat(map.setHash(hash, next)).isTrue();
                return next;
              });
          model.forEach((hash, value) -> assertThat(map.getHash(hash)).isEqualTo(value));
          then.forEach((hash, value) -> assertThat(before.getHash(hash)).isEqualTo(value));
          assertThat(map.keyCount()).isEqualTo(model.size());
        });
  }

  /** Four threads set their own of 100 keys, eight of which share a word: no value is lost. */
  @ParameterizedTest
  @ValueSource(ints = {1, 8, 31})
  void setsOfSeveralThreadsAreAllKept(int bits) {
    long[] hashes = Keys.members(100);
    MutableBloomierMap map =
        MutableBloomierMap.builder()
            .falsePositiveRate(1e-6)
            .valueBits(bits)
            .putHashes(hashes, new long[100])
            .build();
    Race.run(
        4,
        number -> {
          SplittableRandom random = Seeds.random(number);
          long[] mine = new long[100];
          for (int i = 0; i < 50_000; i++) {
            int key = 4 * random.nextInt(25) + number;
            assertThat(map.getHash(hashes[key])).isEqualTo(mine[key]);
            mine[key] = random.nextLong() & map.maxValue();
            map.setHash(hashes[key], mine[key]);
          }
        });
  }

  @Test
  void valuesThatChangedAreSavedAndMappedOnesAreReadOnly() throws IOException {
    MutableBloomierMap map =
        MutableBloomierMap.builder().falsePositiveRate(1e-6).put("a", 3).put("b", 200).build();
    assertThat(map.maxValue()).isEqualTo(255);
    map.set("a", 77);
    byte[] bytes = SampleFilters.bytes(map);
    MutableBloomierMap read =
        (MutableBloomierMap)
            Filters.read(
                new ByteArrayInputStream(bytes), ReadOptions.defaults().withLimit(bytes.length));
    assertThat(read.get("a")).isEqualTo(77);
    assertThat(read.set("a", 5)).isTrue();
    assertThat(read.get("a")).isEqualTo(5);
    Path file = directory.resolve("map.bloom");
    map.writeTo(file);
    MutableBloomierMap mapped = (MutableBloomierMap) Filters.map(file);
    assertThat(mapped.get("b")).isEqualTo(200);
    assertThatThrownBy(() -> mapped.set("b", 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("copy()");
    MutableBloomierMap copy = mapped.copy();
    assertThat(copy.set("b", 1)).isTrue();
    assertThat(copy.get("b")).isOne();
    assertThat(mapped.get("b")).isEqualTo(200);
  }

  @Test
  void allKeyTypesAreSet() {
    Funnel<List<String>> funnel = (list, into) -> list.forEach(into::put);
    MutableBloomierMap map =
        MutableBloomierMap.builder()
            .falsePositiveRate(1e-6)
            .valueBits(4)
            .put("text", 0)
            .put(new byte[] {1, 2}, 0)
            .put(258L, 0)
            .put(List.of("a", "b"), funnel, 0)
            .build();
    assertThat(map.set("text", 1)).isTrue();
    assertThat(map.set(new byte[] {1, 2}, 2)).isTrue();
    assertThat(map.set(258, 3)).isTrue();
    assertThat(map.set(List.of("a", "b"), funnel, 4)).isTrue();
    assertThat(map.get("text")).isEqualTo(1);
    assertThat(map.get(new byte[] {1, 2})).isEqualTo(2);
    assertThat(map.set(new byte[] {9, 1, 2}, 1, 2, 5)).isTrue();
    assertThat(map.get(new byte[] {1, 2})).isEqualTo(5);
    assertThat(map.get(258)).isEqualTo(3);
    assertThat(map.get(List.of("a", "b"), funnel)).isEqualTo(4);
    assertThat(map.set("nobody", 5)).isFalse();
    assertThatThrownBy(() -> map.set("text", 16)).hasMessageContaining("value = 16");
    assertThatThrownBy(() -> map.set("text", -1)).hasMessageContaining("value = -1");
    assertThatThrownBy(() -> map.set((String) null, 1)).hasMessage("key");
    assertThat(map.toString()).contains("4 keys");
  }

  @Test
  void badArgumentsAreNamed() {
    MutableBloomierMap.Builder builder = MutableBloomierMap.builder().put("a", 300);
    assertThatThrownBy(builder::build).hasMessageContaining("falsePositiveRate");
    builder.falsePositiveRate(0.1).valueBits(8);
    assertThatThrownBy(builder::build)
        .hasMessageContaining("value = 300")
        .hasMessageContaining("valueBits = 8");
    assertThatThrownBy(() -> builder.valueBits(64)).hasMessageContaining("valueBits = 64");
    builder.valueBits(9).put("a", 299);
    assertThatThrownBy(builder::build).hasMessageContaining("two values, 300 and 299");
    BloomierShape ribbon = BloomierShape.of(new SolvedCells.Ribbon(5), 8, 3);
    assertThatThrownBy(() -> new MutableBloomierShape(ribbon, 8)).hasMessageContaining("index");
    BloomierShape five = BloomierShape.of(SolvedCells.Peeled.forKeys(5, 3), 8, 5);
    assertThatThrownBy(() -> new MutableBloomierShape(five, 8)).hasMessageContaining("index");
  }

  @Test
  void aShapeReplacesRateValueBitsAndCells() {
    MutableBloomierShape shape = MutableBloomierShape.forKeys(1_000, 0.01, 5);
    long[] hashes = Keys.members(900);
    long[] values = Arrays.stream(hashes).map(hash -> hash & 31).toArray();
    MutableBloomierMap map =
        MutableBloomierMap.builder().shape(shape).putHashes(hashes, values).build();
    assertThat(map.shape()).isEqualTo(shape);
    assertThat(Arrays.stream(hashes).map(map::getHash).toArray()).isEqualTo(values);
    MutableBloomierMap.Builder builder = MutableBloomierMap.builder().shape(shape).put("a", 32);
    assertThatThrownBy(builder::build)
        .hasMessageContaining("value = 32")
        .hasMessageContaining("valueBits = 5");
    assertThatThrownBy(() -> MutableBloomierMap.builder().shape(shape).valueBits(5).build())
        .hasMessage("shape excludes valueBits and cellsPerKey");
    assertThatThrownBy(
            () -> MutableBloomierMap.builder().shape(shape).falsePositiveRate(0.1).build())
        .hasMessage("either falsePositiveRate or shape is needed");
  }

  /** Equal keys, values and seeds give equal bytes, whatever the order. */
  @Test
  void theBytesDependOnKeysValuesAndSeedOnly() {
    long[] hashes = Keys.members(2_000);
    long[] values = Arrays.stream(hashes).map(hash -> hash >>> 50).toArray();
    MutableBloomierMap.Builder forward = MutableBloomierMap.builder().falsePositiveRate(0.01);
    MutableBloomierMap.Builder backward = MutableBloomierMap.builder().falsePositiveRate(0.01);
    forward.putHashes(hashes, values);
    for (int i = 1_999; i >= 0; i--) {
      backward.putHash(hashes[i], values[i]).putHash(hashes[0], values[0]);
    }
    assertThat(SampleFilters.bytes(backward.build()))
        .isEqualTo(SampleFilters.bytes(forward.build()));
  }

  @Test
  void shapesFitTheirRateAndBudgetAndThePlannerOffersThem() {
    MutableBloomierShape shape = MutableBloomierShape.forKeys(1_000_000, 0.01, 8);
    assertThat(shape.index().cellBits()).isEqualTo(9);
    assertThat(shape.sizeInBits() / 1e6).isCloseTo(19.22, within(0.005));
    assertThat(MutableBloomierShape.forBudget(1_000_000, shape.sizeInBits(), 8)).isEqualTo(shape);
    for (long keys : new long[] {1, 2, 10}) {
      assertThat(MutableBloomierShape.forKeys(keys, 1e-9, 8).falsePositiveRate(keys))
          .isBetween(5e-10, 1e-9); // one bit fewer doubles it
    }
    Plan plan =
        Planner.standard().plan(Needs.forKeys(1_000_000, 0.01).with(Need.VALUES)).ranked().stream()
            .filter(each -> each.name().equals("mutable-bloomier"))
            .findFirst()
            .orElseThrow();
    assertThat(plan.predictedRate()).isEqualTo(3 / 512.0);
    assertThat(plan.bitsPerKey()).isEqualTo(shape.sizeInBits() / 1e6);
  }

  /** The widest cells and values: cells of 64 bits have a sign, and no outsider has a value. */
  @Test
  void cellsOf64BitsAndValuesOf63() {
    SolvedCells.Peeled cells = SolvedCells.Peeled.forKeys(1_000, 3);
    MutableBloomierShape shape = new MutableBloomierShape(BloomierShape.of(cells, 64, 3), 63);
    long[] hashes = Keys.members(1_000);
    MutableBloomierMap.Builder builder = MutableBloomierMap.builder().shape(shape);
    for (long hash : hashes) {
      builder.putHash(hash, hash >>> 1);
    }
    MutableBloomierMap map = builder.build();
    assertThat(map.maxValue()).isEqualTo(Long.MAX_VALUE);
    assertThat(map.setHash(hashes[0], Long.MAX_VALUE)).isTrue();
    assertThat(map.getHash(hashes[0])).isEqualTo(Long.MAX_VALUE);
    for (int i = 1; i < hashes.length; i++) {
      assertThat(map.getHash(hashes[i])).isEqualTo(hashes[i] >>> 1);
    }
    for (long hash : Keys.outsiders(10_000)) {
      assertThat(map.getHash(hash)).isEqualTo(MutableBloomierMap.ABSENT);
      assertThat(map.setHash(hash, 1)).isFalse();
    }
  }
}
