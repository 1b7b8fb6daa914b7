package io.bloomery.frozen;

import static io.bloomery.testkit.Rates.assertRate;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.ConstructionException;
import io.bloomery.Filter;
import io.bloomery.FilterBuilder;
import io.bloomery.Filters;
import io.bloomery.HashedFilter;
import io.bloomery.Storable;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.KeyHashes;
import io.bloomery.internal.solve.CellLayout;
import io.bloomery.internal.solve.PeeledTable;
import io.bloomery.internal.solve.SolveProgress;
import io.bloomery.testkit.Keys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.CharBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Keys that come one by one, and sets that do not fit on the heap.
 *
 * <p>Measured here, of filters in shards, from disk: 10⁵ keys with room for 70 on the heap: no
 * false negative, the rate of one filter; 2 million keys through the builders of five kinds in a
 * process whose whole heap is 17 bytes per key and 6 MB ({@code BuildMemoryTest}).
 */
final class FrozenBuilderTest {

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> list = Files.list(directory)) {
      return list.toList();
    }
  }

  @Test
  void takesKeysOfEveryType(@TempDir Path directory) throws IOException {
    Funnel<Integer> funnel = (key, fields) -> fields.put(key);
    Path lines = directory.resolve("lines");
    Files.writeString(lines, "first\r\nsecond\n\nüber\nwith\rreturn\nlast");
    FuseFilter filter =
        FuseFilter.builder()
            .shape(FuseShape.forFingerprints(1, 32, 3))
            .add("text")
            .add(new byte[] {1, 2})
            .add(new byte[] {0, 7, 8, 0}, 1, 2)
            .add(99)
            .add(5, funnel)
            .addHash(1234)
            .addAll(List.of("list", "text"))
            .addAll(Stream.of("stream", CharBuffer.wrap("builder")))
            .addAll(List.of(6, 7), funnel)
            .addAll(Stream.of(8, 9), funnel)
            .addLines(lines)
            .build();
    assertThat(filter.keyCount()).isEqualTo(19);
    for (String key :
        List.of("text", "list", "stream", "builder", "first", "second", "", "über", "last")) {
      assertThat(filter.mightContain(key)).as(key).isTrue();
    }
    assertThat(filter.mightContain("with\rreturn")).isTrue();
    assertThat(filter.mightContain(new byte[] {7, 8})).isTrue();
    assertThat(filter.mightContain(99) && filter.mightContainHash(1234)).isTrue();
    assertThat(filter.mightContain(7, funnel) && filter.mightContain(5, funnel)).isTrue();
    assertThat(filter.mightContain(9, funnel)).isTrue();
    assertThat(filter.mightContain("third") || filter.mightContain("first\r")).isFalse();
  }

  /** Keys are hashed, hashes are not: the two factories differ where their arguments are equal. */
  @Test
  void keysAndHashesAreDifferentArguments() throws IOException {
    long[] keys = LongStream.range(0, 1_000).toArray();
    long[] hashes = LongStream.of(keys).map(Hasher.xxh3()::hash).toArray();
    List<List<HashedFilter>> pairs =
        List.of(
            List.of(FuseFilter.ofKeys(keys, 0.01), FuseFilter.ofHashes(hashes, 0.01)),
            List.of(XorFilter.ofKeys(keys, 0.01), XorFilter.ofHashes(hashes, 0.01)),
            List.of(RibbonFilter.ofKeys(keys, 0.01), RibbonFilter.ofHashes(hashes, 0.01)),
            List.of(PerfectHashFilter.ofKeys(keys, 0.01), PerfectHashFilter.ofHashes(hashes, 0.01)),
            List.of(GolombCodedSet.ofKeys(keys, 0.01), GolombCodedSet.ofHashes(hashes, 0.01)),
            List.of(
                FilterCascade.ofKeys(keys, new long[] {-1, -2}),
                FilterCascade.ofHashes(
                    hashes, new long[] {Hasher.xxh3().hash(-1), Hasher.xxh3().hash(-2)})));
    for (List<HashedFilter> pair : pairs) {
      assertThat(LongStream.of(keys).allMatch(pair.get(0)::mightContain)).isTrue();
      assertThat(SolvedFiltersTest.bytes((Storable) pair.get(0)))
          .isEqualTo(SolvedFiltersTest.bytes((Storable) pair.get(1)));
    }
    assertThatThrownBy(() -> FuseFilter.ofKeys(null, 0.01)).hasMessage("keys");
    assertThatThrownBy(() -> FilterCascade.ofKeys(keys, null)).hasMessage("others");
  }

  @Test
  void linesLongerThanTheBuffer(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("lines");
    String large = "x".repeat(200_000);
    Files.writeString(file, large + "\r\nshort\n" + "y".repeat(65_535) + "\r\n");
    List<String> keys = new ArrayList<>();
    LineKeys.read(file, (bytes, at, length) -> keys.add(new String(bytes, at, length, UTF_8)));
    assertThat(keys).containsExactly(large, "short", "y".repeat(65_535));
    Files.write(file, new byte[0]);
    LineKeys.read(file, (bytes, at, length) -> keys.add("nothing"));
    assertThat(keys).hasSize(3);
  }

  @Test
  void isEmptyAfterTheBuildAndCanBeUsedAgain() {
    FrozenBuilder<FuseShape, FuseFilter> builder = FuseFilter.builder().add("a");
    assertThat(builder.addedKeys()).isOne();
    assertThat(builder.build().keyCount()).isOne();
    assertThat(builder.addedKeys()).isZero();
    assertThat(builder.build().keyCount()).isZero();
    builder.hasher(Hasher.xxh3(3)).add("a").hasher(Hasher.xxh3(3));
    assertThatThrownBy(() -> builder.hasher(Hasher.xxh3(4)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("seed 3")
        .hasMessageContaining("seed 4");
  }

  @Test
  void saysHowFarItIs() {
    List<String> heard = new ArrayList<>();
    FrozenBuilder<FuseShape, FuseFilter> builder =
        FuseFilter.builder()
            .expectedKeys(70_000)
            .progress((phase, done, total) -> heard.add(phase + " " + done + "/" + total));
    builder.addHashes(Keys.members(70_000), 0, 70_000).build();
    assertThat(heard.stream().distinct()) // as often as seeds are tried
        .containsExactly(
            "read 65536/70000",
            "read 70000/70000",
            "order 0/70000",
            "solve 0/70000",
            "fill 0/70000",
            "fill 70000/70000");
    FrozenBuilder<FuseShape, FuseFilter> stopped =
        FuseFilter.builder()
            .progress(
                (phase, done, total) -> {
                  throw new IllegalStateException("enough");
                });
    assertThatThrownBy(() -> stopped.add(1).build()).hasMessage("enough");
  }

  /** A set of 100 times the heap's keys is built from disk, with duplicates. */
  @ParameterizedTest
  @ValueSource(ints = {20_000, 1_000, 70})
  void shardsAreBuiltFromDisk(int heapKeys, @TempDir Path directory) throws IOException {
    int keys = 100_000;
    long[] members = Keys.members(keys);
    FrozenBuilder<FuseShape, FuseFilter> builder =
        FuseFilter.builder().heapKeys(heapKeys).temporaryDirectory(directory);
    builder.addHashes(members, 0, keys).addHashes(members, 0, 5_000);
    assertThat(builder.addedKeys()).isEqualTo(105_000);
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("buildSharded");
    ShardedFilter filter = builder.buildSharded();
    assertThat(files(directory)).isEmpty();
    assertThat(filter.shardCount()).isGreaterThanOrEqualTo(keys / heapKeys);
    assertThat(filter.shardKind()).isEqualTo(FuseFilter.KIND);
    assertThat(SolvedFiltersTest.hits(filter, members)).isEqualTo(keys);
    assertThat(filter.falsePositiveRate()).isEqualTo(1 / 256.0);
    assertRate(SolvedFiltersTest.hits(filter, Keys.outsiders(1_000_000)), 1_000_000, 1 / 256.0, 5);
    // The same on the heap gives the same bytes.
    FrozenBuilder<XorShape, XorFilter> xor =
        XorFilter.builder().heapKeys(heapKeys).temporaryDirectory(directory);
    xor.addHashes(members, 0, keys);
    assertThat(SolvedFiltersTest.hits(xor.buildSharded(), members)).isEqualTo(keys);
  }

  /** Every kind that has such a builder: from disk, to a file and back, with its own rate. */
  @ParameterizedTest
  @MethodSource("everyBuilder")
  void shardsOfEveryKindAreStored(FrozenBuilder<?, ?> builder, @TempDir Path directory)
      throws IOException {
    int keys = 30_000;
    long[] members = Keys.members(keys);
    builder.heapKeys(5_000).temporaryDirectory(directory).addHashes(members, 0, keys);
    ShardedFilter filter = builder.buildSharded();
    assertThat(filter.shardCount()).isEqualTo(8);
    Path file = directory.resolve("sharded.bloom");
    filter.writeTo(file);
    for (Filter open : List.of(filter, Filters.open(file), Filters.map(file))) {
      HashedFilter again = (HashedFilter) open;
      assertThat(SolvedFiltersTest.hits(again, members)).isEqualTo(keys);
      assertRate(
          SolvedFiltersTest.hits(again, Keys.outsiders(300_000)),
          300_000,
          filter.falsePositiveRate(),
          5);
    }
    assertThat(filter.falsePositiveRate()).isBetween(0.005, 0.0101);
  }

  static Stream<FrozenBuilder<?, ?>> everyBuilder() {
    return Stream.of(
        FuseFilter.builder().falsePositiveRate(0.01),
        XorFilter.builder().falsePositiveRate(0.01),
        RibbonFilter.builder().falsePositiveRate(0.01),
        PerfectHashFilter.builder().falsePositiveRate(0.01),
        GolombCodedSet.builder().falsePositiveRate(0.01));
  }

  /** What a plan makes is one filter as long as the keys fit on the heap, and shards beyond. */
  @Test
  void aPlannedFilterHasShardsOnlyWhereItNeedsThem(@TempDir Path directory) throws IOException {
    FuseShape shape = FuseShape.forFingerprints(1, 8, 3);
    for (int keys : new int[] {3_000, 3_001}) {
      FrozenBuilder<FuseShape, FuseFilter> builder =
          FuseFilter.builder().heapKeys(3_000).temporaryDirectory(directory);
      FilterBuilder planned = builder.planned(shape, Hasher.xxh3(), 1);
      planned.addHashes(Keys.members(keys), 0, keys);
      HashedFilter filter = planned.build();
      assertThat(filter).isInstanceOf(keys == 3_000 ? FuseFilter.class : ShardedFilter.class);
      assertThat(SolvedFiltersTest.hits(filter, Keys.members(keys))).isEqualTo(keys);
    }
  }

  @Test
  void shardsFromTheHeapAndFromDiskAreTheSame(@TempDir Path directory) throws IOException {
    long[] members = Keys.members(3_000);
    FrozenBuilder<FuseShape, FuseFilter> heap = FuseFilter.builder().heapKeys(3_000);
    FrozenBuilder<FuseShape, FuseFilter> disk =
        FuseFilter.builder().heapKeys(3_000).temporaryDirectory(directory);
    heap.addHashes(members, 0, 3_000);
    disk.addHashes(members, 0, 3_000).addHash(members[0]);
    ShardedFilter one = heap.buildSharded();
    ShardedFilter two = disk.buildSharded();
    assertThat(one.shardCount()).isEqualTo(2);
    assertThat(SolvedFiltersTest.bytes(one)).isEqualTo(SolvedFiltersTest.bytes(two));
    ShardedFilter none = FuseFilter.builder().buildSharded();
    assertThat(none.shardCount()).isOne();
    assertThat(none.mightContainHash(0)).isFalse();
  }

  @Test
  void temporaryFilesAreRemovedWhateverHappens(@TempDir Path directory) throws IOException {
    FrozenBuilder<FuseShape, FuseFilter> builder =
        FuseFilter.builder().heapKeys(100).temporaryDirectory(directory);
    builder.addHashes(Keys.members(1_000), 0, 1_000);
    builder.discard();
    assertThat(files(directory)).isEmpty();
    assertThat(builder.addedKeys()).isZero();
    builder.addHashes(Keys.members(1_000), 0, 1_000);
    builder.progress(
        (phase, done, total) -> {
          throw new IllegalStateException("enough");
        });
    assertThatThrownBy(builder::buildSharded).hasMessage("enough");
    assertThat(files(directory)).isEmpty();
    FrozenBuilder<FuseShape, FuseFilter> nowhere =
        FuseFilter.builder().heapKeys(1).temporaryDirectory(directory.resolve("missing"));
    assertThatThrownBy(() -> nowhere.add(1).add(2)).isInstanceOf(UncheckedIOException.class);
    FrozenBuilder<FuseShape, FuseFilter> tooMany =
        FuseFilter.builder().heapKeys(1).temporaryDirectory(directory);
    tooMany.addHashes(Keys.members(10_000), 0, 10_000);
    assertThatThrownBy(tooMany::buildSharded).hasMessageContaining("4096 shards");
    tooMany.discard();
    assertThat(files(directory)).isEmpty();
  }

  @Test
  void aHundredTrialsAreTheMost() {
    // One cell per key is never enough.
    int[] trials = new int[1];
    SolveProgress count =
        (phase, done, total) -> trials[0] += phase == SolveProgress.Phase.SOLVE ? 1 : 0;
    KeyHashes keys = KeyHashes.of(Keys.members(300));
    assertThatThrownBy(
            () -> PeeledTable.build(keys, n -> CellLayout.parts(3, n / 3), 8, 0, 1, count))
        .isInstanceOf(ConstructionException.class)
        .hasMessageContaining("300 keys")
        .hasMessageContaining("100 trials");
    assertThat(trials[0]).isEqualTo(100);
  }

  @Test
  void refusesImpossibleOptions() {
    FrozenBuilder<FuseShape, FuseFilter> builder = FuseFilter.builder();
    assertThatThrownBy(() -> builder.threads(0)).hasMessageContaining("threads = 0");
    assertThatThrownBy(() -> builder.heapKeys(0)).hasMessageContaining("heapKeys = 0");
    assertThatThrownBy(() -> builder.progress(null)).hasMessageContaining("progress");
    assertThatThrownBy(() -> builder.temporaryDirectory(null)).hasMessageContaining("directory");
    assertThatThrownBy(() -> builder.add((String) null)).hasMessageContaining("key");
    assertThatThrownBy(() -> builder.addHashes(new long[3], 2, 4))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
