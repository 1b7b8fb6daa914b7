package io.bloomery.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.FilterFullException;
import io.bloomery.foreign.redis.RedisBloomFilter;
import io.bloomery.foreign.redis.RedisCuckooFilter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that claim more than they hold: what an add may allocate is bounded by a budget. */
final class ForeignBudgetTest {

  private static final int MIB = 1 << 20;

  private static byte[] bytes(ForeignFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  /** 24 bytes that stand for 512 MiB. */
  @Test
  void anEmptyDataSketchesFilter(@TempDir Path directory) throws IOException {
    byte[] empty = bytes(DataSketchesFormat.of(1L << 32, 3, 0));
    assertThat(empty).hasSize(24);
    assertThatThrownBy(() -> DataSketchesFormat.FORMAT.read(empty, MIB))
        .isInstanceOf(FilterFormatException.class)
        .hasMessage(
            "bytes, byte 16: an empty filter of 67108864 words would take 536870912 bytes; the"
                + " budget is 1048576");
    Path file = Files.write(directory.resolve("empty"), empty);
    assertThatThrownBy(() -> DataSketchesFormat.FORMAT.open(file, MIB))
        .hasMessageContaining("the budget is 1048576");
    byte[] small = bytes(DataSketchesFormat.of(8L * MIB, 3, 0));
    ForeignBloomFilter read = DataSketchesFormat.FORMAT.read(small, MIB);
    assertThat(read.add("key")).isTrue();
    assertThat(bytes(read)).hasSize(32 + MIB);
    assertThatThrownBy(() -> DataSketchesFormat.FORMAT.read(small, MIB - 1))
        .hasMessageContaining("the budget is 1048575");
    assertThatThrownBy(() -> DataSketchesFormat.FORMAT.read(small, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("budgetBytes = -1");
  }

  @Test
  void theNextLayerOfARedisBloomFilter() throws IOException {
    RedisBloomFilter full = RedisBloomFilter.create(100, 0.01, 1 << 15);
    for (int i = 0; full.keyCount() < 100; i++) {
      full.add("key-" + i);
    }
    byte[] file = bytes(full);
    RedisBloomFilter read = RedisBloomFilter.FORMAT.read(file, MIB);
    assertThatThrownBy(() -> read.add("one more"))
        .isInstanceOf(FilterFullException.class)
        .hasMessageContaining("a layer for 3276800 keys is beyond the budget of 1048576 bytes");
    assertThat(bytes(read)).isEqualTo(file);
    RedisBloomFilter roomy = RedisBloomFilter.FORMAT.read(file, 10 * MIB);
    assertThat(roomy.add("one more")).isTrue();
    assertThat(roomy.layers()).isEqualTo(2);
  }

  /** Capacity and rate decide how large the next layer is, so the bytes of this one bound them. */
  @Test
  void forgedLayersOfARedisBloomFilter() throws IOException {
    byte[] file = bytes(RedisBloomFilter.create(100, 0.01, 2));
    ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    int capacityAt = 20 + 44;
    assertThat(bytes.getLong(capacityAt)).isEqualTo(100);
    bytes.putLong(capacityAt, 1L << 40);
    assertThatThrownBy(() -> RedisBloomFilter.FORMAT.read(file))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("a layer of 144 bytes claims a capacity of 1099511627776 keys");
    bytes.putLong(capacityAt, 100);
    bytes.putDouble(20 + 24, 1e-300);
    assertThatThrownBy(() -> RedisBloomFilter.FORMAT.read(file))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("a layer has rate 1.0E-300");
  }

  @Test
  void theNextLayerOfARedisCuckooFilter() throws IOException {
    RedisCuckooFilter full = RedisCuckooFilter.create(1 << 10, 2, 20, 1 << 15);
    for (int i = 0; full.layers() == 1 && i < 700; i++) {
      full.add("key-" + i);
    }
    byte[] file = bytes(full);
    RedisCuckooFilter read = RedisCuckooFilter.FORMAT.read(file, MIB);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 1 << 10; i++) {
                read.add("more-" + i);
              }
            })
        .isInstanceOf(FilterFullException.class)
        .hasMessageContaining("a layer of 33554432 bytes is beyond the budget of 1048576");
    assertThat(read.layers()).isEqualTo(1);
  }
}
