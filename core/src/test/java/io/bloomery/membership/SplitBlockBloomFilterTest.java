package io.bloomery.membership;

import static io.bloomery.membership.WordFilterChecks.filled;
import static io.bloomery.membership.WordFilterChecks.hits;
import static io.bloomery.testkit.Printed.assertPrinted;
import static io.bloomery.testkit.Rates.assertMean;
import static io.bloomery.testkit.Rates.assertRate;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.dynatrace.hash4j.hashing.Hashing;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Catalogue C5.
 *
 * <p>Measured here, of C5 (split block): c = 8, 10, 12, 16: 0.03318, 0.01262, 0.00537, 0.001328;
 * bytes and answers equal parquet-column's; a file of parquet-mr rebuilt byte for byte.
 */
final class SplitBlockBloomFilterTest {

  private static byte[] bitset(SplitBlockBloomFilter filter) {
    Words words = filter.words();
    ByteBuffer bytes =
        ByteBuffer.allocate((int) words.length() * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (long i = 0; i < words.length(); i++) {
      bytes.putLong(words.get(i));
    }
    return bytes.array();
  }

  private static byte[] bitset(BlockSplitBloomFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 64, 4096})
  void parquetsOwnClassSetsTheSameBitsAndGivesTheSameAnswers(int blocks) throws IOException {
    SplitBlockBloomFilter ours = SplitBlockBloomFilter.create(new SplitBlockShape(blocks));
    BlockSplitBloomFilter theirs = new BlockSplitBloomFilter(blocks * 32);
    assertThat(theirs.getBitsetSize()).isEqualTo(blocks * 32);
    SplittableRandom random = Seeds.random(blocks);
    for (int i = 0; i < blocks * 20; i++) {
      long hash = random.nextLong();
      ours.addHash(hash);
      theirs.insertHash(hash);
    }
    for (long edge : new long[] {0, -1, 1L << 63, 0xFFFFFFFFL, 0xFFFFFFFF00000000L}) {
      ours.addHash(edge);
      theirs.insertHash(edge);
    }
    assertThat(bitset(ours)).isEqualTo(bitset(theirs));
    for (int i = 0; i < 100_000; i++) {
      long hash = random.nextLong();
      assertThat(ours.mightContainHash(hash)).isEqualTo(theirs.findHash(hash));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 1000, 12_345})
  void anyNumberOfBlocksFollowsTheSpecification(int blocks) {
    int[] salts = {
      0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31
    };
    SplitBlockBloomFilter ours = SplitBlockBloomFilter.create(new SplitBlockShape(blocks));
    ByteBuffer bitset = ByteBuffer.allocate(blocks * 32).order(ByteOrder.LITTLE_ENDIAN);
    for (long hash : Keys.members(20_000)) {
      ours.addHash(hash);
      int block = (int) (((hash >>> 32) * blocks) >>> 32);
      for (int lane = 0; lane < 8; lane++) {
        int at = block * 32 + lane * 4;
        bitset.putInt(at, bitset.getInt(at) | 1 << (((int) hash * salts[lane]) >>> 27));
      }
    }
    assertThat(bitset(ours)).isEqualTo(bitset.array());
  }

  @Test
  void theFileOfParquetMrIsRebuiltFromItsStrings() throws IOException {
    byte[] file;
    try (InputStream in = getClass().getResourceAsStream("/parquet/bloom_filter.xxhash.bin")) {
      file = in.readAllBytes();
    }
    SplitBlockBloomFilter filter = SplitBlockBloomFilter.create(new SplitBlockShape(32));
    for (String key : List.of("hello", "parquet", "bloom", "filter")) {
      assertThat(filter.addHash(Hashing.xxh64().hashBytesToLong(key.getBytes(UTF_8)))).isTrue();
    }
    assertThat(bitset(filter)).isEqualTo(Arrays.copyOfRange(file, 16, file.length));
  }

  @Test
  void everyMemberIsFoundAndTheRateIsThatOfTheBitsThatAreSet() {
    // R1 and R3: 100 000 members, 1 000 000 outsiders, 1 %; the mean rate of 20 filters.
    double[] rates = new double[20];
    for (int set = 0; set < rates.length; set++) {
      long[] members = Keys.members(100_000, set);
      SplitBlockBloomFilter filter = filled(SplitBlockBloomFilter.create(100_000, 0.01), members);
      assertThat(hits(filter, members)).isEqualTo(members.length);
      rates[set] = filter.falsePositiveRate();
      if (set == 0) {
        assertRate(hits(filter, Keys.outsiders(1_000_000)), 1_000_000, rates[set], 5);
        assertThat(filter.shape().falsePositiveRate(100_000)).isBetween(0.0099, 0.01);
      }
    }
    SplitBlockShape shape = SplitBlockBloomFilter.create(100_000, 0.01).shape();
    assertMean(rates, shape.falsePositiveRate(100_000), 5, 0);
  }

  @ParameterizedTest
  @CsvSource({"8, .0332", "10, .01265", "12, .00542", "16, .001315"})
  void rateAtBitsPerKey(int bitsPerKey, String published) {
    // R4: 20 filters of 2 000 blocks, 200 000 outsiders each.
    int blocks = 2_000;
    int n = blocks * 256 / bitsPerKey;
    double[] rates = new double[20];
    for (int i = 0; i < rates.length; i++) {
      SplitBlockBloomFilter filter = SplitBlockBloomFilter.create(new SplitBlockShape(blocks));
      filled(filter, Keys.members(n, i));
      rates[i] = hits(filter, Keys.outsiders(200_000, i)) / 200_000.0;
    }
    double rate = new SplitBlockShape(blocks).falsePositiveRate(n);
    assertPrinted(rate, published);
    assertMean(rates, rate, 5, 0);
  }

  @Test
  void everyLaneFillsAsAFilterOfOneBitPerKey() {
    // R2 per lane: m = 32 · 4 096 bits, 40 000 keys, k = 1.
    int blocks = 4096;
    int n = 40_000;
    SplitBlockBloomFilter filter = SplitBlockBloomFilter.create(new SplitBlockShape(blocks));
    byte[] bitset = bitset(filled(filter, Keys.members(n)));
    ByteBuffer lanes = ByteBuffer.wrap(bitset).order(ByteOrder.LITTLE_ENDIAN);
    double m = 32.0 * blocks;
    double load = n / m;
    double sd = Math.sqrt((Math.exp(-load) - (1 + load) * Math.exp(-2 * load)) / m);
    for (int lane = 0; lane < 8; lane++) {
      long ones = 0;
      for (int block = 0; block < blocks; block++) {
        ones += Integer.bitCount(lanes.getInt(block * 32 + lane * 4));
      }
      assertThat(Math.abs(ones / m + Math.expm1(n * Math.log1p(-1 / m)))).isLessThan(5 * sd);
    }
  }

  @Test
  void aKeySetsExactlyEightBits() {
    for (long hash : Keys.members(1000)) {
      SplitBlockBloomFilter filter = SplitBlockBloomFilter.create(new SplitBlockShape(5));
      assertThat(filter.addHash(hash)).isTrue();
      assertThat(filter.addHash(hash)).isFalse();
      assertThat(filter.words().bitCount()).isEqualTo(8);
    }
  }

  @Test
  void batchesEqualSingles() {
    SplitBlockBloomFilter filter =
        filled(SplitBlockBloomFilter.create(new SplitBlockShape(9)), Keys.members(60));
    long[] mixed = Keys.outsiders(400);
    System.arraycopy(Keys.members(60), 0, mixed, 90, 60);
    WordFilterChecks.assertBatchEqualsSingles(filter, mixed);
  }

  @Test
  void threadsLoseNoKey() throws Exception {
    assertThat(Racing.lostKeys(() -> SplitBlockBloomFilter.create(new SplitBlockShape(256))))
        .isZero();
  }

  @Test
  void framesKeepEveryBitAndTheirPayloadIsParquetsBitset(@TempDir Path directory)
      throws IOException {
    long[] members = Keys.members(1000);
    SplitBlockBloomFilter filter =
        filled(SplitBlockBloomFilter.create(new SplitBlockShape(33)), members);
    assertThat(Reloaded.heap(SplitBlockBloomFilter.KIND, filter).sameContent(filter)).isTrue();
    SplitBlockBloomFilter mapped = Reloaded.mapped(SplitBlockBloomFilter.KIND, filter, directory);
    assertThat(mapped.sameContent(filter)).isTrue();
    assertThat(mapped.falsePositiveRate()).isEqualTo(filter.falsePositiveRate());
    WordFilterChecks.assertBatchEqualsSingles(mapped, members);
    long[] outsiders = Keys.outsiders(20_000);
    assertThat(hits(mapped, outsiders)).isEqualTo(hits(filter, outsiders));
    assertThatThrownBy(() -> mapped.addHash(outsiders[0]))
        .isInstanceOf(IllegalStateException.class);

    byte[] frame = Reloaded.bytes(filter);
    byte[] payload = Arrays.copyOfRange(frame, 4096, 4096 + 33 * 32);
    assertThat(payload).isEqualTo(bitset(filter));
  }

  @Test
  void clearRemovesEveryKey() {
    SplitBlockBloomFilter filter =
        filled(SplitBlockBloomFilter.create(new SplitBlockShape(9)), Keys.members(100));
    assertThat(filter.fillRatio()).isGreaterThan(.1);
    filter.clear();
    assertThat(filter.fillRatio()).isZero();
    assertThat(filter.sameContent(SplitBlockBloomFilter.create(new SplitBlockShape(9)))).isTrue();
  }

  @Test
  void mergeIsUnionAndCopyIsIndependent() {
    SplitBlockBloomFilter a =
        filled(SplitBlockBloomFilter.create(new SplitBlockShape(300)), Keys.members(2000, 1));
    SplitBlockBloomFilter b =
        filled(SplitBlockBloomFilter.create(new SplitBlockShape(300)), Keys.members(2000, 2));
    SplitBlockBloomFilter both = a.copy();
    both.merge(b);
    SplitBlockBloomFilter added = filled(a.copy(), Keys.members(2000, 2));
    assertThat(both.sameContent(added)).isTrue();
    assertThat(a.sameContent(both)).isFalse();
    assertThat(a.isCompatible(b)).isTrue();

    SplitBlockBloomFilter larger = SplitBlockBloomFilter.create(new SplitBlockShape(301));
    assertThat(a.isCompatible(larger)).isFalse();
    assertThatThrownBy(() -> a.merge(larger))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("300")
        .hasMessageContaining("301");
    SplitBlockBloomFilter seeded =
        SplitBlockBloomFilter.create(new SplitBlockShape(300), Hasher.xxh3(7));
    assertThatThrownBy(() -> a.merge(seeded))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("seed 7");
  }

  @ParameterizedTest
  @CsvSource({"1, .01", "2, 1e-6", "10, .5", "1000, 1e-4", "1000000, .01"})
  void createIsTheSmallestThatMeetsTheRate(long n, double p) {
    SplitBlockBloomFilter filter = SplitBlockBloomFilter.create(n, p);
    assertThat(filter.shape().falsePositiveRate(n)).isLessThanOrEqualTo(p);
    long blocks = filter.shape().blocks();
    if (blocks > 1) {
      assertThat(new SplitBlockShape(blocks - 1).falsePositiveRate(n)).isGreaterThan(p);
    }
  }

  @Test
  void costs() {
    assertThat(SplitBlockBloomFilter.create(new SplitBlockShape(1)).hashBits()).isEqualTo(32);
    assertThat(SplitBlockBloomFilter.create(new SplitBlockShape(4096)).hashBits()).isEqualTo(44);
    assertThat(SplitBlockBloomFilter.create(new SplitBlockShape(4097)).hashBits()).isEqualTo(45);
    assertThat(SplitBlockBloomFilter.create(new SplitBlockShape(1)).memoryAccesses()).isEqualTo(1);
    assertThat(SplitBlockBloomFilter.create(new SplitBlockShape(3)).sizeInBits()).isEqualTo(768);
    assertThat(SplitBlockBloomFilter.create(new SplitBlockShape(3)).falsePositiveRate()).isZero();
  }

  @Test
  void badArgumentsAreNamed() {
    assertThatThrownBy(() -> SplitBlockBloomFilter.create(-1, 0.01))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expectedKeys = -1");
    assertThatThrownBy(() -> SplitBlockBloomFilter.create(1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("falsePositiveRate = 1.0");
    assertThatThrownBy(() -> SplitBlockBloomFilter.create(new SplitBlockShape(0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("blocks = 0");
    assertThatThrownBy(() -> SplitBlockBloomFilter.create(new SplitBlockShape(1L << 29)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("blocks = 536870912");
    assertThatThrownBy(() -> SplitBlockBloomFilter.create(new SplitBlockShape(1), null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("hasher");
  }
}
