package io.bloomery.foreign.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.FilterFullException;
import io.bloomery.foreign.AddableForeignFilter;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Filters of RedisBloom, against what Redis replied to the same commands. */
final class RedisFormatTest {

  @Test
  void bloomFiltersGrowAsInRedis() throws IOException {
    grows(RedisBloomFilter.create(100, 0.01, 2), RedisDump.of("bf-default-insert-500"), 500);
    grows(
        RedisBloomFilter.create(100, 0.001, 2),
        RedisDump.of("bf-scaling-100-0.001-x2-to-1500"),
        1500);
    grows(RedisBloomFilter.createNonScaling(1000, 0.01), RedisDump.of("bf-fixed-1000-0.01"), 1000);
  }

  private static void grows(RedisBloomFilter filter, RedisDump dump, int keys) throws IOException {
    List<Integer> known =
        IntStream.range(0, keys).filter(i -> !filter.add("key-" + i)).boxed().toList();
    assertThat(known).isEqualTo(dump.known());
    assertThat(filter.keyCount()).isEqualTo(keys - known.size());
    sameChunks(filter.chunks(), dump.chunks());
    RedisBloomFilter restored = RedisBloomFilter.ofChunks(dump.chunks());
    sameChunks(restored.chunks(), dump.chunks());
    assertThat(IntStream.range(keys, 3 * keys).filter(i -> restored.mightContain("key-" + i)))
        .containsExactlyElementsOf(dump.matching());
    assertThat(restored.layers()).isEqualTo(dump.chunks().size() - 1);
  }

  @Test
  void fixedFilterRefusesKeysWhenFull() throws IOException {
    RedisBloomFilter filter =
        RedisBloomFilter.ofChunks(RedisDump.of("bf-fixed-1000-0.01").chunks());
    assertThat(filter.isScaling()).isFalse();
    assertThat(filter.capacity()).isEqualTo(1000);
    assertThat(filter.add("another-0")).isTrue();
    assertThat(filter.add("another-1")).isTrue();
    byte[] full = written(filter);
    assertThatThrownBy(() -> filter.add("another-2"))
        .isInstanceOf(FilterFullException.class)
        .hasMessageContaining("1000");
    assertThat(filter.add("another-1")).isFalse();
    assertThat(written(filter)).isEqualTo(full);
  }

  @Test
  void sizesAreThoseThatRedisReports() {
    // BF.INFO counts 96 bytes for the structures of one layer besides its bits.
    assertThat(RedisBloomFilter.create(100, 0.01, 4).sizeInBits() / 8 + 96).isEqualTo(240);
    assertThat(RedisBloomFilter.create(300, 0.001, 2).sizeInBits() / 8 + 96).isEqualTo(696);
    assertThat(RedisBloomFilter.createNonScaling(3, 0.01).sizeInBits() / 8 + 96).isEqualTo(104);
    assertThat(RedisCuckooFilter.create(1000, 2, 20, 1).sizeInBits() / 8 + 56).isEqualTo(1080);
  }

  @Test
  void numbersAreTheirDigits() {
    RedisBloomFilter bloom = RedisBloomFilter.create(100, 0.001, 2);
    bloom.add(-123L);
    assertThat(bloom.mightContain("-123")).isTrue();
    assertThat(bloom.mightContain(-123L)).isTrue();
    assertThat(bloom.mightContain(123L)).isFalse();
    RedisCuckooFilter cuckoo = RedisCuckooFilter.create(100, 2, 20, 1);
    cuckoo.add(77L);
    assertThat(cuckoo.mightContain("77")).isTrue();
    assertThat(cuckoo.mightContain(77L)).isTrue();
  }

  @Test
  void cuckooFiltersHaveTheBytesOfRedis() throws IOException {
    cuckoo(RedisCuckooFilter.create(1000, 2, 20, 1), RedisDump.of("cf-1000-b2"), 600);
    cuckoo(RedisCuckooFilter.create(512, 4, 30, 2), RedisDump.of("cf-512-b4-expanding"), 1500);
  }

  private static void cuckoo(RedisCuckooFilter filter, RedisDump dump, int keys)
      throws IOException {
    IntStream.range(0, keys).forEach(i -> filter.add("key-" + i));
    for (int i = 0; i < keys; i += 10) {
      assertThat(filter.remove("key-" + i)).isTrue();
    }
    sameChunks(filter.chunks(), dump.chunks());
    assertThat(filter.keyCount()).isEqualTo(keys - keys / 10);
    RedisCuckooFilter restored = RedisCuckooFilter.ofChunks(dump.chunks());
    sameChunks(restored.chunks(), dump.chunks());
    long hits =
        IntStream.range(keys, keys + 100_000)
            .filter(i -> restored.mightContain("key-" + i))
            .count();
    double rate = restored.falsePositiveRate();
    Rates.assertRate(hits, 100_000, rate, 5);
  }

  @Test
  void cuckooFilterCountsAsRedis() {
    RedisCuckooFilter filter = RedisCuckooFilter.create(1000, 2, 20, 1);
    byte[] a = "a".getBytes(UTF_8);
    assertThat(filter.chunks()).isEmpty();
    assertThat(filter.add("a")).isTrue();
    assertThat(filter.add("a")).isFalse();
    assertThat(filter.addIfAbsent(a)).isFalse();
    assertThat(filter.addIfAbsent("b".getBytes(UTF_8))).isTrue();
    assertThat(filter.count(a)).isEqualTo(2);
    assertThat(filter.count("zz".getBytes(UTF_8))).isZero();
    assertThat(filter.remove(a)).isTrue();
    assertThat(filter.count(a)).isEqualTo(1);
    assertThat(filter.remove("zz")).isFalse();
    assertThat(filter.keyCount()).isEqualTo(2);
    assertThat(filter.removedCount()).isEqualTo(1);
  }

  @Test
  void cuckooFilterLosesNoKey() {
    RedisCuckooFilter filter = RedisCuckooFilter.create(64, 3, 10, 4);
    SplittableRandom draw = Seeds.random(5);
    Map<String, Integer> model = new HashMap<>();
    for (int step = 0; step < 30_000; step++) {
      String key = "k" + draw.nextInt(700);
      if (draw.nextInt(100) < (step < 15_000 ? 60 : 40)) {
        filter.add(key);
        model.merge(key, 1, Integer::sum);
      } else if (model.containsKey(key)) {
        assertThat(filter.remove(key)).isTrue();
        model.computeIfPresent(key, (k, count) -> count == 1 ? null : count - 1);
      }
      if (step % 1000 == 0) {
        model.forEach(
            (k, count) ->
                assertThat(filter.count(k.getBytes(UTF_8))).isGreaterThanOrEqualTo(count));
      }
    }
    assertThat(filter.keyCount()).isEqualTo(model.values().stream().mapToInt(i -> i).sum());
  }

  @Test
  void fullCuckooFilterIsAsBefore() throws IOException {
    RedisCuckooFilter filter = RedisCuckooFilter.create(64, 2, 20, 0);
    List<String> added = new ArrayList<>();
    byte[] before = written(filter);
    try {
      for (int i = 0; i < 65; i++) {
        before = written(filter);
        filter.add("key-" + i);
        added.add("key-" + i);
      }
    } catch (FilterFullException e) {
      assertThat(e).hasMessageContaining("64 slots");
    }
    assertThat(added).hasSizeBetween(20, 64).allMatch(filter::mightContain);
    assertThat(written(filter)).isEqualTo(before);
  }

  @Test
  void madeFiltersKeepTheirRate() {
    for (ForeignFormat<?> format : List.of(RedisBloomFilter.FORMAT, RedisCuckooFilter.FORMAT)) {
      for (double rate : new double[] {0.05, 0.02, 0.01}) {
        AddableForeignFilter filter = format.maker().orElseThrow().create(5_000, rate);
        IntStream.range(0, 5_000).forEach(i -> filter.add("key-" + i));
        long hits = IntStream.range(0, 50_000).filter(i -> filter.mightContain("no-" + i)).count();
        Rates.assertRateAtMost(hits, 50_000, rate, 5);
      }
    }
    assertThatThrownBy(() -> RedisCuckooFilter.FORMAT.maker().orElseThrow().create(10, 0.001))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0.0079");
  }

  @Test
  void missingOrMixedChunksAreRefused() {
    List<RedisBloomFilter.Chunk> chunks = RedisDump.of("bf-default-insert-500").chunks();
    assertThatThrownBy(() -> RedisBloomFilter.ofChunks(chunks.subList(0, 3)))
        .isInstanceOf(FilterFormatException.class);
    assertThatThrownBy(() -> RedisBloomFilter.ofChunks(chunks.subList(1, 4)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("iterator 145, not 1");
    assertThatThrownBy(() -> RedisBloomFilter.ofChunks(List.of(chunks.get(0), chunks.get(2))))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("order of SCANDUMP");
    assertThatThrownBy(() -> RedisBloomFilter.ofChunks(List.of()))
        .isInstanceOf(FilterFormatException.class);
  }

  /** The header's number of keys is the sum over the layers, neither more nor less. */
  @Test
  void theKeysOfTheLayersAddUp() {
    List<RedisBloomFilter.Chunk> chunks = RedisDump.of("bf-scaling-100-0.001-x2-to-1500").chunks();
    for (int by : new int[] {-1, 1}) {
      byte[] header = chunks.get(0).data().clone();
      ByteBuffer bytes = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
      long keys = bytes.getLong(0);
      bytes.putLong(0, keys + by);
      List<RedisBloomFilter.Chunk> changed = new ArrayList<>(chunks);
      changed.set(0, new RedisBloomFilter.Chunk(chunks.get(0).iterator(), header));
      assertThatThrownBy(() -> RedisBloomFilter.ofChunks(changed))
          .isInstanceOf(FilterFormatException.class)
          .hasMessageContaining(
              "the layers have %d keys, the header says %d".formatted(keys, keys + by));
    }
  }

  @Test
  void layersOverSixteenMebibytesAreSeveralChunks() throws IOException {
    RedisBloomFilter filter = RedisBloomFilter.createNonScaling(20_000_000, 0.01);
    filter.add("one");
    List<RedisBloomFilter.Chunk> chunks = filter.chunks();
    assertThat(chunks).extracting(chunk -> chunk.data().length).startsWith(73, 1 << 24);
    assertThat(chunks).hasSize(3);
    assertThat(chunks.get(1).iterator()).isEqualTo(1 + (1 << 24));
    assertThat(RedisBloomFilter.ofChunks(chunks).mightContain("one")).isTrue();
  }

  @Test
  void argumentsAreChecked() {
    assertThatThrownBy(() -> RedisBloomFilter.create(0, 0.1, 2)).hasMessageContaining("capacity");
    assertThatThrownBy(() -> RedisBloomFilter.create(1, 0, 2)).hasMessageContaining("Rate = 0");
    assertThatThrownBy(() -> RedisBloomFilter.create(1, 0.1, 0)).hasMessageContaining("expansion");
    assertThatThrownBy(() -> RedisBloomFilter.create(1 << 30, 1e-9, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("capacity");
    assertThatThrownBy(() -> RedisCuckooFilter.create(2, 2, 20, 1)).hasMessageContaining("4");
    assertThatThrownBy(() -> RedisCuckooFilter.create(100, 0, 20, 1)).hasMessageContaining("Size");
    assertThatThrownBy(() -> RedisCuckooFilter.create(100, 2, 0, 1)).hasMessageContaining("Iter");
    assertThatThrownBy(() -> RedisCuckooFilter.create(9, 2, 2, -1)).hasMessageContaining("expans");
  }

  private static void sameChunks(
      List<RedisBloomFilter.Chunk> ours, List<RedisBloomFilter.Chunk> theirs) {
    assertThat(ours).usingRecursiveComparison().isEqualTo(theirs);
  }

  private static byte[] written(ForeignFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }
}
