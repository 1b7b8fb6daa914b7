package io.bloomery.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.ConstructionException;
import io.bloomery.LookupFilter;
import io.bloomery.SampleFilters;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.numeric.SolvedCells;
import io.bloomery.internal.numeric.SolvedCells.Peeled;
import io.bloomery.internal.numeric.SolvedCells.Peeled.Layout;
import io.bloomery.internal.numeric.SolvedCells.Ribbon;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import io.bloomery.testkit.Rates;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** S5, 256 values at 1 %: 17.5 bits/key peeled, 15.1 (1.006 · q) as a ribbon. */
final class BloomierMapTest {

  private static final int N = 10_000;

  private static long[] values(int n, long count) {
    return Arrays.stream(Keys.outsiders(n, 7)).map(x -> Long.remainderUnsigned(x, count)).toArray();
  }

  static Stream<SolvedCells> cells() {
    return Stream.of(
        Peeled.forKeys(N, 3, Layout.PARTS),
        Peeled.forKeys(N, 4, Layout.PARTS),
        Peeled.forKeys(N, 3, Layout.SEGMENTS),
        Peeled.forKeys(N, 4, Layout.SEGMENTS),
        new Ribbon(N));
  }

  /** 10 000 keys, exact; 1 000 000 outsiders have a value with |R|/2^q. */
  @ParameterizedTest
  @MethodSource("cells")
  void membersAreExactAndOutsidersFollowTheFormula(SolvedCells cells) {
    for (int[] each : new int[][] {{4, 8}, {1, 6}, {1_000, 17}, {5, 3}}) {
      BloomierShape shape = BloomierShape.of(cells, each[1], each[0]);
      long[] values = values(N, each[0]);
      BloomierMap map =
          BloomierMap.builder().shape(shape).putHashes(Keys.members(N), values).build();
      assertThat(Arrays.stream(Keys.members(N)).map(map::getHash).toArray()).isEqualTo(values);
      double rate = each[0] / Math.pow(2, each[1]);
      assertThat(map.falsePositiveRate()).isEqualTo(rate);
      int queries = 1_000_000;
      long hits = LongStream.of(Keys.outsiders(queries)).filter(map::mightContainHash).count();
      Rates.assertRate(hits, queries, rate, 5);
    }
  }

  /** Outsiders that get a value get each with equal chance: the mask hides what the cells hold. */
  @ParameterizedTest
  @MethodSource("cells")
  void outsidersGetEveryValueEquallyOften(SolvedCells cells) {
    BloomierMap map =
        BloomierMap.builder()
            .shape(BloomierShape.of(cells, 4, 16))
            .putHashes(Keys.members(N), new long[N])
            .build();
    long[] counts = new long[16];
    for (long hash : Keys.outsiders(200_000)) {
      counts[(int) map.getHash(hash)]++;
    }
    Rates.assertUniform(counts, 5);
  }

  /** The slides' reason for M: cells that no key owns do not answer 0. */
  @Test
  void untouchedCellsAreNoValue() {
    Peeled cells = new Peeled(Layout.PARTS, 30_000, 3, 0);
    BloomierMap map =
        BloomierMap.builder().shape(BloomierShape.of(cells, 8, 5)).putHash(1, 0).build();
    assertThat(map.getHash(1)).isZero();
    long hits = LongStream.of(Keys.outsiders(1_000_000)).filter(map::mightContainHash).count();
    Rates.assertRate(hits, 1_000_000, 5 / 256.0, 5);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 8, 13, 16, 17, 24, 31, 32, 33, 48, 63, 64})
  void cellsOfEveryWidth(int width) {
    long count = width < 32 ? 1L << width : BloomierShape.MAX_VALUES;
    long[] values = values(2_000, count);
    Stream<SolvedCells> all = Stream.of(Peeled.forKeys(2_000, 3), new Ribbon(2_000));
    all.limit(width <= 32 ? 2 : 1)
        .forEach(
            cells -> {
              BloomierMap map =
                  BloomierMap.builder()
                      .shape(BloomierShape.of(cells, width, count))
                      .putHashes(Keys.members(2_000), values)
                      .build();
              assertThat(Arrays.stream(Keys.members(2_000)).map(map::getHash).toArray())
                  .isEqualTo(values);
            });
  }

  /** 400 maps of up to 300 keys beside a HashMap, with values that are few, many, small, large. */
  @Test
  void everyMapAnswersLikeAHashMap() {
    Property.check(
        48,
        400,
        draw -> {
          Map<Long, Long> model = new HashMap<>();
          BloomierMap.Builder builder =
              BloomierMap.builder()
                  .falsePositiveRate(draw.oneOf(List.of(0.5, 0.01, 1e-6)))
                  .seed(draw.anyLong());
          int form = draw.between(0, 4);
          if (form < 2) {
            int k = draw.between(3, 4);
            builder.cells(keys -> Peeled.forKeys(keys, k, layout(form)));
          } else if (form == 2) {
            builder.ribbon();
          }
          long spread = draw.oneOf(List.of(1L, 1L, 977L, 1L << 28));
          int most = draw.between(1, form == 2 ? 8 : 400);
          int puts = draw.between(0, 300);
          for (int i = 0; i < puts; i++) {
            long hash = draw.between(0, 3) == 0 ? draw.anyLong() : Keys.hash(draw.between(0, 200));
            long value = model.computeIfAbsent(hash, h -> spread * draw.between(0, most));
            builder.putHash(hash, value);
          }
          BloomierMap map;
          try {
            map = builder.build();
          } catch (IllegalArgumentException tooWide) {
            assertThat(form).isEqualTo(2);
            assertThat(tooWide).hasMessageContaining("columns");
            return;
          }
          assertThat(map.keyCount()).isEqualTo(model.size());
          model.forEach((hash, value) -> assertThat(map.getHash(hash)).isEqualTo(value));
        });
  }

  /** Order, repetition and room do not change a single byte; another seed does. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void theBytesDependOnKeysValuesAndSeedOnly(int form) {
    long[] hashes = Keys.members(3_000);
    long[] values = values(3_000, 1L << 40);
    byte[] bytes = SampleFilters.bytes(builder(form, 5).putHashes(hashes, values).build());
    BloomierMap.Builder shuffled = builder(form, 5).expectedKeys(10);
    for (int i = 0; i < 6_000; i++) {
      int at = i * 1_009 % 3_000;
      shuffled.putHash(hashes[at], values[at]);
    }
    assertThat(SampleFilters.bytes(shuffled.build())).isEqualTo(bytes);
    assertThat(SampleFilters.bytes(builder(form, 6).putHashes(hashes, values).build()))
        .isNotEqualTo(bytes);
  }

  private static Layout layout(int form) {
    return form == 0 ? Layout.PARTS : Layout.SEGMENTS;
  }

  private static BloomierMap.Builder builder(int form, long seed) {
    BloomierMap.Builder builder = BloomierMap.builder().falsePositiveRate(0.001).seed(seed);
    return builder.cells(form == 2 ? Ribbon::new : keys -> Peeled.forKeys(keys, 3, layout(form)));
  }

  @Test
  void twoValuesOfOneKeyAreAnError() {
    BloomierMap.Builder builder = BloomierMap.builder().falsePositiveRate(0.01).put("a", 1);
    assertThat(builder.put("a", 1).put("b", 900).build().get("a")).isOne();
    builder.put("a", 900);
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a key has two values, ")
        .hasMessageContaining("1")
        .hasMessageContaining("900");
  }

  /** Four values of one byte: cells of 2 + 8 bits, and a list of four words. */
  @Test
  void fewLargeValuesAreListed() {
    long[] four = {0x11, 0x22, 0x44, 0x8888_8888_8888L};
    long[] values = Arrays.stream(values(N, 4)).map(i -> four[(int) i]).toArray();
    BloomierMap map = BloomierMap.ofHashes(Keys.members(N), values, 1 / 256.0);
    assertThat(map.shape().values()).isEqualTo(4);
    assertThat(map.shape().cellBits()).isEqualTo(10);
    assertThat(map.sizeInBits()).isEqualTo(map.shape().sizeInBits() + 4 * 64);
    assertThat(Arrays.stream(Keys.members(N)).map(map::getHash).toArray()).isEqualTo(values);
    assertThat(LongStream.of(Keys.outsiders(N)).map(map::getHash).distinct().boxed())
        .hasSameElementsAs(List.of(-1L, four[0], four[1], four[2], four[3]));
    BloomierMap one = BloomierMap.ofHashes(new long[] {5}, new long[] {Long.MAX_VALUE}, 0.01);
    assertThat(one.getHash(5)).isEqualTo(Long.MAX_VALUE);
    // A list of 100 words is more than a bit for each of 20 cells.
    BloomierMap small =
        BloomierMap.ofHashes(
            Keys.members(100), LongStream.range(0, 100).map(i -> 2 * i).toArray(), 0.01);
    assertThat(small.shape().values()).isEqualTo(199);
  }

  private enum Colour {
    RED,
    GREEN,
    BLUE
  }

  private enum Shade {
    BLUE,
    DARK,
    RED,
    GREEN
  }

  @Test
  void enumConstantsAreKeptByName() {
    BloomierMap map =
        BloomierMap.ofEnums(
            Map.of("rose", Colour.RED, "grass", Colour.GREEN, "sky", Colour.BLUE), 1e-6);
    TypedLookup<Colour> colours = map.enums(Colour.class);
    assertThat(colours.get("rose")).isEqualTo(Colour.RED);
    assertThat(colours.get("grass")).isEqualTo(Colour.GREEN);
    assertThat(colours.get("stone")).isNull();
    assertThat(map.labels()).containsExactly("RED", "GREEN", "BLUE");
    assertThat(map.enums(Shade.class).get("sky")).isEqualTo(Shade.BLUE);
    BloomierMap dark = BloomierMap.ofEnums(Map.of("night", Shade.DARK), 1e-6);
    assertThatThrownBy(() -> dark.enums(Colour.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("DARK");
  }

  @Test
  void textsAreKept() {
    Map<String, String> cities = Map.of("SJC", "San José", "MUC", "München", "IZM", "İzmir");
    TypedLookup<String> names = BloomierMap.ofTexts(cities, 1e-6).texts();
    cities.forEach((code, name) -> assertThat(names.get(code)).isEqualTo(name));
    assertThat(names.get("XXX")).isNull();
    assertThat(names.values()).containsExactly("München", "San José", "İzmir");
    assertThat(names.filter().falsePositiveRate()).isLessThanOrEqualTo(1e-6);
    assertThat(BloomierMap.ofTexts(Map.of(), 0.1).labels()).isEmpty();
    BloomierMap numbers = BloomierMap.of(Map.of("a", 3), 0.1);
    assertThat(numbers.get("a")).isEqualTo(3);
    assertThatThrownBy(numbers::texts)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("without labels");
  }

  /** Every form of a key goes in and comes out. */
  @Test
  void allKeyTypesAreTyped() {
    Funnel<List<String>> funnel = (list, into) -> list.forEach(into::put);
    BloomierMap map =
        BloomierMap.builder()
            .falsePositiveRate(1e-6)
            .put("text", 0)
            .put(new byte[] {1, 2}, 1)
            .put(new byte[] {9, 7, 7, 9}, 1, 2, 2)
            .put(258L, 3)
            .put(List.of("a", "b"), funnel, 4)
            .putHash(77, 5)
            .build();
    TypedLookup<String> typed =
        TypedLookup.of(map, List.of("zero", "one", "two", "three", "four", "five"));
    assertThat(typed.get("text")).isEqualTo("zero");
    assertThat(typed.get(new byte[] {1, 2})).isEqualTo("one");
    assertThat(typed.get(new byte[] {7, 7, 7}, 1, 2)).isEqualTo("two");
    assertThat(typed.get(258)).isEqualTo("three");
    assertThat(typed.get(List.of("a", "b"), funnel)).isEqualTo("four");
    assertThat(typed.getHash(77)).isEqualTo("five");
    assertThat(typed.getHash(78)).isNull();
    assertThat(TypedLookup.of(map, List.of("zero")).getHash(77)).isNull();
    assertThat(TypedLookup.of(map, typed.values().subList(0, 5)).getHash(77)).isNull();
  }

  @Test
  void labelsAndValuesMustFit() {
    BloomierMap.Builder builder = BloomierMap.builder().falsePositiveRate(0.01);
    assertThat(builder.label("x")).isZero();
    assertThat(builder.label("y")).isOne();
    assertThat(builder.label("x")).isZero();
    builder.put("key", 2);
    assertThatThrownBy(builder::build).hasMessageContaining("value = 2").hasMessageContaining("1");
    assertThatThrownBy(() -> builder.label("\uD800")).hasMessageContaining("surrogate");
    assertThatThrownBy(() -> builder.label((String) null)).hasMessage("text");
    assertThatThrownBy(() -> builder.label((Colour) null)).hasMessage("constant");
  }

  @Test
  void theNumberOfValuesCanBeFixed() {
    BloomierMap.Builder builder = BloomierMap.builder().falsePositiveRate(0.01).valueCount(200);
    BloomierMap map = builder.put("a", 7).build();
    assertThat(map.shape().values()).isEqualTo(200);
    assertThat(map.get("a")).isEqualTo(7);
    assertThatThrownBy(() -> builder.put("b", 200).build()).hasMessageContaining("value = 200");
    assertThatThrownBy(() -> builder.valueCount(0)).hasMessageContaining("valueCount = 0");
    builder.label("x");
    assertThatThrownBy(builder::build).hasMessageContaining("1 labels");
  }

  @Test
  void badArgumentsAreNamed() {
    BloomierMap.Builder builder = BloomierMap.builder();
    assertThatThrownBy(builder::build).hasMessageContaining("falsePositiveRate or shape");
    assertThatThrownBy(() -> builder.put("a", -1)).hasMessageContaining("value = -1");
    assertThatThrownBy(() -> builder.putHashes(new long[2], new long[3])).hasMessageContaining("2");
    assertThatThrownBy(() -> builder.putHashes(new long[1], new long[] {-5}))
        .hasMessageContaining("value = -5");
    assertThatThrownBy(() -> builder.putAll(Map.of("a", 1.5))).hasMessageContaining("1.5");
    assertThatThrownBy(() -> builder.cellsPerKey(5)).hasMessageContaining("cellsPerKey = 5");
    assertThatThrownBy(() -> builder.put((String) null, 1)).hasMessage("key");
    builder.hasher(Hasher.xxh3(9)).falsePositiveRate(0.5).put("a", 1).hasher(Hasher.xxh3(9));
    assertThatThrownBy(() -> builder.hasher(Hasher.xxh3()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("keys were put with");
    assertThat(builder.build().get("a")).isEqualTo(1);
    BloomierShape tiny = BloomierShape.of(new Peeled(Layout.PARTS, 300, 3, 0), 8, 4);
    assertThatThrownBy(() -> BloomierMap.builder().shape(tiny).putHash(1, 4).build())
        .hasMessageContaining("value = 4");
    assertThatThrownBy(() -> BloomierMap.builder().shape(tiny).falsePositiveRate(0.1).build())
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> BloomierMap.builder().shape(tiny).valueCount(4).build())
        .hasMessage("shape excludes valueCount, cellsPerKey and ribbon");
    assertThatThrownBy(() -> BloomierMap.builder().shape(tiny).ribbon().build())
        .hasMessage("shape excludes valueCount, cellsPerKey and ribbon");
  }

  /** 300 keys in 300 cells: no seed can work, and the failure says so after 100 trials. */
  @Test
  void aShapeWithTooFewCellsFailsAfterBoundedTrials() {
    BloomierShape tiny = BloomierShape.of(new Peeled(Layout.PARTS, 300, 3, 0), 8, 4);
    BloomierMap.Builder builder =
        BloomierMap.builder().shape(tiny).putHashes(Keys.members(300), new long[300]);
    assertThatThrownBy(builder::build)
        .isInstanceOf(ConstructionException.class)
        .hasMessageContaining("300 keys in 300 cells")
        .hasMessageContaining("100 trials")
        .hasMessageContaining("more cells");
  }

  /** Every number of keys up to 300 is built at its own size, with each layout. */
  @Test
  void smallMapsAreBuilt() {
    for (int n = 0; n <= 300; n++) {
      for (int form = 0; form < 6; form++) {
        BloomierMap.Builder builder = BloomierMap.builder().falsePositiveRate(0.1).seed(n);
        if (form < 4) {
          int k = 3 + form % 2;
          Layout layout = layout(form / 2);
          builder.cells(keys -> Peeled.forKeys(keys, k, layout));
        } else if (form == 4) {
          builder.ribbon();
        }
        builder.putHashes(Keys.members(n, 3), values(n, 3));
        assertThat(builder.build().keyCount()).isEqualTo(n);
      }
    }
  }

  /** 200 000 keys: peeled 1.167·q bits per key, the ribbon 1.006·q. */
  @Test
  void theRibbonIsWithinAPercentOfItsCells() {
    int n = 200_000;
    long[] hashes = Keys.members(n);
    long[] values = values(n, 256);
    BloomierMap ribbon =
        BloomierMap.builder().falsePositiveRate(0.01).ribbon().putHashes(hashes, values).build();
    BloomierMap peeled = BloomierMap.ofHashes(hashes, values, 0.01);
    int q = ribbon.shape().cellBits();
    assertThat(q).isEqualTo(15).isEqualTo(peeled.shape().cellBits());
    double ribbonCells = ribbon.sizeInBits() / (double) n / q;
    double peeledCells = peeled.sizeInBits() / (double) n / q;
    assertThat(ribbonCells).isCloseTo(1.006, within(0.0005));
    assertThat(peeledCells).isCloseTo(1.167, within(0.0005));
    assertThat(Arrays.stream(hashes).map(ribbon::getHash).toArray()).isEqualTo(values);
    assertThat(Arrays.stream(hashes).map(peeled::getHash).toArray()).isEqualTo(values);
  }

  @Test
  void anEmptyMapHasNoValue() {
    BloomierMap map = BloomierMap.builder().falsePositiveRate(0.5).build();
    assertThat(map.keyCount()).isZero();
    assertThat(map.get("x")).isEqualTo(LookupFilter.ABSENT);
    assertThat(map.toString()).contains("0 keys").contains("layout=2").contains("XXH3");
  }
}
