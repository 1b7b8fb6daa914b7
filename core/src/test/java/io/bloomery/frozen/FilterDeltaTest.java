package io.bloomery.frozen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.bloomery.AddableFilter;
import io.bloomery.FilterFormatException;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.membership.DirectBitSet;
import io.bloomery.membership.DirectShape;
import io.bloomery.testkit.Draw;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import io.bloomery.testkit.Rates;
import io.bloomery.theory.BloomMath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Catalogue Z3.
 *
 * <p>Measured here, of Z3 (delta updates): 10⁵ keys, m/n = 8, 1 % churn: .70 % of the bits change,
 * 6,078 bytes sent, 6.1 % of the filter; 110,000 hostile deltas refused or applied.
 */
final class FilterDeltaTest {

  private static final int KEYS = 100_000;

  private static byte[] bytes(Storable filter) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      filter.writeTo(out);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toByteArray();
  }

  /** Keys {@code from…from + n - 1} of one long list. */
  private static <F extends AddableFilter> F filled(F filter, int from, int n) {
    long[] all = Keys.members(from + n);
    filter.addHashes(all, from, from + n);
    return filter;
  }

  /** 1 % of the keys are replaced: .70 % of the bits change, entropy 6.0 %. */
  @Test
  void onePercentChurnIsBelowEightPercentOfTheFilter() throws IOException {
    BloomFilter before = filled(BloomFilter.create(BloomShape.of(8 * KEYS, 6)), 0, KEYS);
    BloomFilter after = filled(BloomFilter.create(BloomShape.of(8 * KEYS, 6)), KEYS / 100, KEYS);
    FilterDelta delta = FilterDelta.between(before, 1, after, 2);
    assertThat(delta.isWhole()).isFalse();
    assertThat(delta.sizeInBytes()).isEqualTo(delta.toBytes().length);
    // Bits that no common key sets, and one of the two others does.
    double common = BloomMath.zeroBitProbability(8 * KEYS, KEYS - KEYS / 100, 6);
    double replaced = BloomMath.zeroBitProbability(8 * KEYS, KEYS / 100, 6);
    double changed = 2 * common * replaced * (1 - replaced);
    Rates.assertRate(delta.changedBits(), 8 * KEYS, changed, 5);
    double share = delta.changedBits() / (8.0 * KEYS);
    double entropy = -(share * Math.log(share) + (1 - share) * Math.log1p(-share)) / Math.log(2);
    assertThat((double) delta.sizeInBytes())
        .isBetween(entropy * KEYS, 1.02 * entropy * KEYS)
        .isLessThan(0.08 * KEYS);
    FilterDelta read = FilterDelta.read(delta.toBytes(), before.storedBytes());
    BloomFilter result = read.applyTo(before);
    assertThat(result.sameContent(after)).isTrue();
    assertThat(bytes(result)).isEqualTo(bytes(after));
  }

  @Test
  void blockedAndCompressedFiltersToo() throws IOException {
    BlockedBloomFilter blocked = filled(BlockedBloomFilter.create(KEYS, 0.01), 0, KEYS);
    BlockedBloomFilter later = filled(blocked.copy(), KEYS, 500);
    FilterDelta delta = FilterDelta.between(blocked, 7, later, 9);
    assertThat(delta.sizeInBytes()).isLessThan((int) (0.05 * blocked.storedBytes()));
    assertThat(bytes(delta.applyTo(blocked))).isEqualTo(bytes(later));

    CompressedBloomFilter sparse = filled(CompressedBloomFilter.create(KEYS, 0.01), 0, KEYS);
    CompressedBloomFilter more = filled(sparse.copy(), KEYS, 500);
    FilterDelta changes = FilterDelta.between(sparse, 0, more, 1);
    assertThat(changes.isWhole()).isFalse();
    assertThat(changes.sizeInBytes()).isLessThan(more.toMessage().length / 20);
    assertThat(bytes(changes.applyTo(sparse))).isEqualTo(bytes(more));
  }

  @Test
  void aLostDeltaIsNoticedAndTheWholeFilterHelps() throws IOException {
    BloomFilter first = filled(BloomFilter.create(1000, 0.01), 0, 1000);
    BloomFilter second = filled(first.copy(), 1000, 10);
    BloomFilter third = filled(second.copy(), 2000, 10);
    FilterDelta lost = FilterDelta.between(first, 1, second, 2);
    FilterDelta next = FilterDelta.between(second, 2, third, 3);
    assertThatThrownBy(() -> next.applyTo(first))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("from version 2")
        .hasMessageContaining("to 3")
        .hasMessageContaining("request the whole filter");
    assertThatThrownBy(() -> lost.applyTo(lost.applyTo(first)))
        .isInstanceOf(IncompatibleFiltersException.class);
    assertThatThrownBy(() -> next.toFilter(BloomFilter.KIND, null))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("needs version 2");
    assertThat(bytes(next.applyTo(lost.applyTo(first)))).isEqualTo(bytes(third));
    FilterDelta resync = FilterDelta.whole(third, 3);
    assertThat(resync.isWhole()).isTrue();
    assertThat(resync.fromVersion()).isEqualTo(3);
    assertThat(bytes(resync.applyTo(first))).isEqualTo(bytes(third));
    assertThat(bytes(resync.toFilter(BloomFilter.KIND, null))).isEqualTo(bytes(third));
    assertThat(resync.toString()).contains("whole version 3");
    assertThat(next.toString()).contains("2 to 3");
  }

  @Test
  void theWholeFilterIsSentWhereItIsSmaller() throws IOException {
    BloomFilter full = filled(BloomFilter.create(5000, 0.01), 0, 5000);
    BloomFilter almostEmpty = filled(BloomFilter.create(5000, 0.01), 0, 3);
    FilterDelta delta = FilterDelta.between(full, 1, almostEmpty, 2);
    assertThat(delta.isWhole()).isTrue();
    assertThat(delta.sizeInBytes()).isLessThan(600);
    assertThat(bytes(delta.applyTo(full))).isEqualTo(bytes(almostEmpty));
    BloomFilter larger = filled(BloomFilter.create(9000, 0.01), 0, 3);
    FilterDelta other = FilterDelta.between(full, 1, larger, 2);
    assertThat(other.isWhole()).isTrue();
    assertThat(bytes(other.applyTo(full))).isEqualTo(bytes(larger));
    FilterDelta none = FilterDelta.between(full, 1, full, 2);
    assertThat(none.changedBits()).isZero();
    assertThat(none.sizeInBytes()).isLessThan(72);
    assertThat(bytes(none.applyTo(full))).isEqualTo(bytes(full));
  }

  @Test
  void keyedFiltersAndThoseWithoutHashes() throws IOException {
    Hasher keyed = Hasher.keyed(new byte[16]);
    BloomFilter before = filled(BloomFilter.create(BloomShape.forKeys(100, .01), keyed), 0, 100);
    BloomFilter after = filled(before.copy(), 100, 2);
    assertThat(bytes(FilterDelta.between(before, 0, after, 1).applyTo(before)))
        .isEqualTo(bytes(after));
    assertThatThrownBy(() -> FilterDelta.whole(after, 1).toFilter(BloomFilter.KIND, null))
        .isInstanceOf(FilterFormatException.class);
    DirectBitSet bits = DirectBitSet.create(new DirectShape(1000));
    bits.add(5);
    DirectBitSet more = DirectBitSet.create(new DirectShape(1000));
    more.add(5);
    more.add(77);
    FilterDelta delta = FilterDelta.between(bits, 0, more, 1);
    assertThat(bytes(delta.applyTo(bits))).isEqualTo(bytes(more));
    assertThatThrownBy(() -> FilterDelta.whole(after, 1).applyTo(bits))
        .isInstanceOf(FilterFormatException.class);
  }

  @Test
  void badArgumentsAreNamed() {
    BloomFilter filter = BloomFilter.create(BloomShape.of(100, 2));
    assertThatThrownBy(() -> FilterDelta.between(filter, 3, filter, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("toVersion = 3");
    assertThatThrownBy(() -> FilterDelta.read(FilterDelta.whole(filter, 1).toBytes(), 100))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("allowed are 100");
  }

  /**
   * Each field of the header outside its range, under a right checksum: what, and at which byte.
   */
  @ParameterizedTest
  @CsvSource({
    "8, 2, flag 2",
    "16, -1, 'versions -1, 2'",
    "16, 2, 'versions 2, 2'",
    "40, 0, 0 bytes",
    "40, 2147483584, 2147483584 bytes",
    "48, -1, -1 changes in",
    "48, 1000000, 1000000 changes in",
    "56, 1, bytes before the checksum are not zero"
  })
  void aFieldOutsideItsRangeIsNamed(int at, long value, String problem) {
    BloomFilter base = filled(BloomFilter.create(BloomShape.of(2000, 3)), 0, 100);
    byte[] bytes = FilterDelta.between(base, 1, filled(base.copy(), 200, 3), 2).toBytes();
    ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (at == 56) {
      header.putInt(at, (int) value);
    } else {
      header.putLong(at, value);
    }
    seal(bytes);
    assertThatThrownBy(() -> FilterDelta.read(bytes, base.storedBytes()))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("byte " + at + ":")
        .hasMessageContaining(problem);
  }

  /**
   * 100,000 mutated deltas and 10,000 strings of any bytes: each is refused, or it leads to a
   * filter that is read; never more memory than three times the budget.
   */
  @Test
  void hostileDeltas() {
    BloomFilter base = filled(BloomFilter.create(BloomShape.of(2000, 3)), 0, 100);
    byte[] small = FilterDelta.between(base, 1, filled(base.copy(), 200, 3), 2).toBytes();
    byte[] whole = FilterDelta.whole(base, 4).toBytes();
    long budget = base.storedBytes();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    int[] applied = new int[1];
    Property.check(
        46,
        110_000,
        draw -> {
          byte[] bytes =
              draw.between(0, 10) == 0
                  ? random(draw)
                  : mutated(draw, draw.between(0, 3) == 0 ? whole : small);
          long before = threads.getThreadAllocatedBytes(thread);
          try {
            FilterDelta delta = FilterDelta.read(bytes, budget);
            assertThat(delta.toBytes()).isEqualTo(bytes);
            assertThat(delta.applyTo(base)).isNotNull();
            applied[0]++;
          } catch (FilterFormatException | IncompatibleFiltersException expected) {
            assertThat(expected.getMessage()).isNotEmpty();
          }
          assertThat(threads.getThreadAllocatedBytes(thread) - before)
              .isLessThan(10 * budget + (1 << 20));
        });
    assertThat(applied[0]).isPositive();
  }

  private static byte[] random(Draw draw) {
    byte[] bytes = new byte[draw.between(0, 200)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) draw.anyLong();
    }
    return bytes;
  }

  private static byte[] mutated(Draw draw, byte[] original) {
    byte[] bytes = original.clone();
    for (int changes = draw.between(1, 3); changes > 0; changes--) {
      int at = draw.between(0, 2) == 0 ? draw.between(0, 63) : draw.between(0, bytes.length - 1);
      bytes[at] ^= (byte) (1 << draw.between(0, 7));
    }
    if (draw.between(0, 20) == 0) {
      bytes = Arrays.copyOf(bytes, draw.between(0, bytes.length + 5));
    }
    if (bytes.length >= 64) {
      seal(bytes);
    }
    return bytes;
  }

  private static void seal(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, 60);
    crc.update(bytes, 64, bytes.length - 64);
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(60, (int) crc.getValue());
  }
}
