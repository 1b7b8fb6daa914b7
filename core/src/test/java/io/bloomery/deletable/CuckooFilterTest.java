package io.bloomery.deletable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.FilterFullException;
import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.deletable.CuckooShape.Partner;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Packed;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.probe.CuckooProbes;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import io.bloomery.theory.Estimates;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** K1, 12 bits at load .95: rate 0.001856 at 12.63 bits/key; refuses at a load of about .97. */
final class CuckooFilterTest {

  @TempDir Path directory;

  /** 2^14 buckets to 95 %, 10^6 outsiders, 20 filters. */
  @ParameterizedTest
  @EnumSource(Partner.class)
  void fillsTo95PercentAndMeetsItsRate(Partner partner) {
    CuckooShape shape = new CuckooShape(1 << 14, 12, partner);
    int n = (int) (0.95 * 4 * (1 << 14));
    double expected = shape.falsePositiveRate(n);
    assertThat(expected).isCloseTo(-Math.expm1(-8 * 0.95 / 4095), within(1e-7));
    double[] rates = new double[20];
    long[] outsiders = Keys.outsiders(100_000);
    long[] hits = new long[100_000 / 64 + 1];
    long total = 0;
    for (int set = 0; set < rates.length; set++) {
      CuckooFilter filter = CuckooFilter.create(shape);
      long[] members = Keys.members(n, set);
      filter.addHashes(members, 0, n);
      assertThat(filter.keyCount()).isEqualTo(n);
      assertThat(Arrays.stream(members).allMatch(filter::mightContainHash)).isTrue();
      rates[set] = filter.falsePositiveRate();
      total += filter.mightContainHashes(outsiders, 0, outsiders.length, hits);
    }
    Rates.assertMean(rates, expected, 5, 0);
    Rates.assertRate(total, 20L * outsiders.length, expected, 5);
  }

  @Test
  void whenAllHaveLeftItIsEmpty() {
    CuckooFilter filter = CuckooFilter.create(50_000, 0.002);
    CuckooFilter empty = filter.copy();
    long[] members = Keys.members(50_000);
    filter.addHashes(members, 0, members.length);
    assertThat(Arrays.stream(members).allMatch(filter::removeHash)).isTrue();
    assertThat(filter.keyCount()).isZero();
    assertThat(filter.sameContent(empty)).isTrue();
  }

  @Test
  void twelveBitsCostLessThan13BitsAKey() {
    CuckooFilter filter = CuckooFilter.create(CuckooShape.forFingerprints(10_000_000, 12));
    assertThat(filter.shape().fingerprintBits()).isEqualTo(12);
    assertThat(filter.sizeInBits() / 1e7).isCloseTo(12.632, within(5e-4));
    assertThat(filter.shape().falsePositiveRate(10_000_000)).isBetween(0.00185, 0.00186);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 20})
  void eightCopiesOfAKeyFitAndANinthIsRefused(int bits) {
    CuckooFilter filter = CuckooFilter.create(CuckooShape.of(64, bits));
    long hash = Keys.members(1)[0];
    for (int copy = 0; copy < 8; copy++) {
      assertThat(filter.addHash(hash)).isEqualTo(copy == 0);
    }
    assertThatThrownBy(() -> filter.addHash(hash))
        .isInstanceOf(FilterFullException.class)
        .hasMessage(
            "this key's two buckets of 4 slots are full of its own fingerprint: a key can be added"
                + " at most 8 times");
    for (int copy = 0; copy < 8; copy++) {
      assertThat(filter.mightContainHash(hash)).isTrue();
      assertThat(filter.removeHash(hash)).isTrue();
    }
    assertThat(filter.mightContainHash(hash) || filter.removeHash(hash)).isFalse();
  }

  /** Pairs of a fingerprint and its two buckets. */
  static long entries(CuckooShape shape) {
    return shape.buckets() / 2 * ((1L << shape.fingerprintBits()) - 1);
  }

  /** Each removal of a key that was never added loses one member at most, and exactly one copy. */
  @Test
  void removingAFalsePositiveLosesOneKeyAtMost() {
    CuckooFilter filter = CuckooFilter.create(CuckooShape.forFingerprints(20_000, 8));
    long[] members = Keys.members(20_000);
    filter.addHashes(members, 0, members.length);
    int removed = 0;
    for (long outsider : Keys.outsiders(20_000)) {
      removed += filter.removeHash(outsider) ? 1 : 0;
    }
    long lost = Arrays.stream(members).filter(hash -> !filter.mightContainHash(hash)).count();
    assertThat(filter.keyCount()).isEqualTo(20_000 - removed);
    assertThat(lost).isLessThanOrEqualTo(removed);
    WrongRemovals expected = new WrongRemovals(entries(filter.shape()), 20_000, 20_000);
    expected.assertRemoved(removed);
    expected.assertLost(lost);
  }

  /**
   * 10^6 operations in a long run, 250 000 otherwise, between 95 and 100 % of the slots, beside an
   * exact multiset.
   */
  @ParameterizedTest
  @CsvSource({"64, 12, DIFFERENCE", "66, 6, DIFFERENCE", "64, 18, XOR", "1000, 9, DIFFERENCE"})
  void nothingIsLostAtTheLimit(long buckets, int bits, Partner partner) {
    CuckooShape shape = new CuckooShape(buckets, bits, partner);
    CuckooFilter filter = CuckooFilter.create(shape);
    CuckooProbes probes = new CuckooProbes(buckets, bits, partner == Partner.XOR);
    SplittableRandom random = Seeds.random(buckets);
    Map<Long, Integer> model = new HashMap<>();
    long[] present = new long[(int) shape.slots()];
    int size = 0;
    int refused = 0;
    int steps = Effort.of(250_000);
    for (int step = 0; step < steps; step++) {
      boolean add = size < 0.95 * shape.slots() || random.nextInt(100) < 60;
      if (add) {
        long hash = random.nextLong();
        CuckooFilter before = filter.copy();
        try {
          if (filter.addHash(hash) == model.containsKey(entry(probes, hash))) {
            throw new AssertionError("step " + step + ": wrong answer of add");
          }
          model.merge(entry(probes, hash), 1, Integer::sum);
          present[size++] = hash;
        } catch (FilterFullException full) {
          refused++;
          if (!filter.sameContent(before)) {
            throw new AssertionError("step " + step + ": the refusal changed something");
          }
        }
      } else {
        int at = random.nextInt(size);
        if (!filter.removeHash(present[at])) {
          throw new AssertionError("step " + step + ": a key was lost");
        }
        model.merge(entry(probes, present[at]), -1, CuckooFilterTest::sumOrNull);
        present[at] = present[--size];
      }
      if (step % 5_000 == 0) {
        assertThat(contents(filter)).isEqualTo(model);
        assertThat(filter.keyCount()).isEqualTo(size);
      }
    }
    assertThat(contents(filter)).isEqualTo(model);
    assertThat(refused).isGreaterThan(steps / 250);
  }

  private static Integer sumOrNull(int a, int b) {
    return a + b == 0 ? null : a + b;
  }

  /** The representation of a hash in the multiset: its fingerprint and the lower of its buckets. */
  private static long entry(CuckooProbes probes, long hash) {
    long fingerprint = probes.fingerprint(hash);
    long bucket = probes.bucket(hash);
    return Math.min(bucket, probes.other(bucket, fingerprint)) << 32 | fingerprint;
  }

  /** The multiset that a filter holds, read as docs/format/deletable.md says. */
  private static Map<Long, Integer> contents(CuckooFilter filter) {
    CuckooShape shape = filter.shape();
    Words words = Words.copyOf(payload(filter), false);
    Map<Long, Integer> contents = new HashMap<>();
    for (long slot = 0; slot < shape.slots(); slot++) {
      long fingerprint = Packed.get(words, shape.fingerprintBits(), slot);
      if (fingerprint != 0) {
        long x = (fingerprint * fingerprint * 0x9E3779B97F4A7C15L) >>> 32;
        long offset = ((x * shape.buckets()) >>> 32) | 1;
        long bucket = slot / 4;
        long other =
            filter.shape().partner() == Partner.XOR
                ? bucket ^ offset
                : Math.floorMod(offset - bucket, shape.buckets());
        contents.merge(Math.min(bucket, other) << 32 | fingerprint, 1, Integer::sum);
      }
    }
    return contents;
  }

  static long[] payload(CuckooFilter filter) {
    ByteBuffer bytes = ByteBuffer.wrap(frame(filter)).order(ByteOrder.LITTLE_ENDIAN);
    long[] payload = new long[(int) bytes.getLong(40) / Long.BYTES];
    bytes.position((int) bytes.getLong(32)).asLongBuffer().get(payload);
    return payload;
  }

  private static byte[] frame(CuckooFilter filter) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      filter.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** Every bucket and fingerprint lead to another bucket and back. */
  @ParameterizedTest
  @CsvSource({"2, false", "10, false", "1002, false", "4294967296, false", "2, true", "1024, true"})
  void partnersAreMutual(long buckets, boolean xor) {
    CuckooProbes probes = new CuckooProbes(buckets, 12, xor);
    SplittableRandom random = Seeds.random(7);
    for (int i = 0; i < 20_000; i++) {
      long hash = random.nextLong();
      long fingerprint = probes.fingerprint(hash);
      long bucket = probes.bucket(hash);
      long other = probes.other(bucket, fingerprint);
      assertThat(fingerprint).isBetween(1L, 4095L);
      assertThat(bucket).isBetween(0L, buckets - 1);
      assertThat(other).isBetween(0L, buckets - 1).isNotEqualTo(bucket);
      assertThat(probes.other(other, fingerprint)).isEqualTo(bucket);
    }
  }

  @Test
  void fingerprintsAndBucketsAreUniformAndIndependent() {
    CuckooProbes probes = new CuckooProbes(14, 4, false);
    long[] counts = new long[14 * 15];
    for (long hash : Keys.members(1_000_000)) {
      counts[(int) (probes.bucket(hash) * 15 + probes.fingerprint(hash) - 1)]++;
    }
    Rates.assertUniform(counts, 5);
  }

  /**
   * A thousand small filters of each size take as many keys as they are for, 999 of them or more.
   */
  @Test
  void smallTablesHaveTheRoomThatTheyPromise() {
    int refused = 0;
    int filters = 0;
    for (long buckets : new long[] {2, 4, 6, 10, 16, 32, 64, 128, 256}) {
      CuckooShape shape = CuckooShape.of(buckets, 12);
      int n = (int) shape.capacity();
      for (int set = 0; set < 1000; set++) {
        CuckooFilter filter = CuckooFilter.create(shape);
        filters++;
        try {
          filter.addHashes(Keys.members(n, set), 0, n);
        } catch (FilterFullException e) {
          refused++;
        }
      }
    }
    assertThat(refused).isLessThanOrEqualTo(filters / 1000);
  }

  /** A search that finds no room in a filter of many buckets ends, and nothing has changed. */
  @Test
  void fullMeansAbove96Percent() {
    CuckooFilter filter = CuckooFilter.create(CuckooShape.of(1 << 14, 12));
    SplittableRandom random = Seeds.random(1);
    CuckooFilter before = filter.copy();
    while (true) {
      long hash = random.nextLong();
      if (filter.fillRatio() > 0.97) {
        before = filter.copy();
      }
      try {
        filter.addHash(hash);
      } catch (FilterFullException full) {
        break;
      }
    }
    assertThat(filter.fillRatio()).isBetween(0.965, 0.99);
    assertThat(filter.sameContent(before)).isTrue();
  }

  @Test
  void addHashesKeepsWhatCameBeforeTheRefusal() {
    CuckooFilter filter = CuckooFilter.create(CuckooShape.of(2, 12));
    long[] hashes = Keys.members(20);
    assertThatThrownBy(() -> filter.addHashes(hashes, 3, 20))
        .isInstanceOf(FilterFullException.class);
    assertThat(filter.keyCount()).isEqualTo(8);
    assertThat(Arrays.stream(hashes, 3, 11).allMatch(filter::mightContainHash)).isTrue();
  }

  @Test
  void aFilterThatWasOpenedKnowsItsSize() throws IOException {
    CuckooFilter filter = CuckooFilter.create(1_000, 0.01);
    filter.addHashes(Keys.members(700), 0, 700);
    Path file = directory.resolve("filter.bloom");
    filter.writeTo(file);
    CuckooFilter opened = Filters.open(file, ReadOptions.as(CuckooFilter.class));
    CuckooFilter mapped = Filters.map(file, ReadOptions.as(CuckooFilter.class));
    assertThat(mapped.keyCount()).isEqualTo(700);
    assertThat(mapped.fillRatio()).isEqualTo(filter.fillRatio());
    opened.addHash(1);
    assertThat(opened.keyCount()).isEqualTo(701);
    assertThat(opened.copy().removeHash(1)).isTrue();
    assertThatThrownBy(() -> mapped.removeHash(1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(mapped::clear).isInstanceOf(IllegalStateException.class);
    opened.clear();
    assertThat(opened.keyCount()).isZero();
    assertThat(opened.falsePositiveRate()).isZero();
  }

  @Test
  void badArgumentsAreNamed() {
    assertThatThrownBy(() -> CuckooShape.forFingerprints(5, 2))
        .hasMessageContaining("fingerprintBits = 2");
    assertThatThrownBy(() -> CuckooFilter.create(-1, 0.1))
        .hasMessageContaining("expectedKeys = -1");
    assertThatThrownBy(() -> CuckooShape.forFingerprints(0, 8))
        .hasMessageContaining("expectedKeys = 0");
    assertThatThrownBy(() -> new CuckooShape(6, 8, Partner.XOR))
        .hasMessageContaining("buckets = 6 is not a power of two");
    assertThatThrownBy(() -> CuckooShape.forKeys(10, 0.1, null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("partner");
    assertThatThrownBy(() -> CuckooFilter.create(null)).hasMessage("shape");
  }

  /** D6: the numbers in files are written ones. */
  @Test
  void partnersHaveTheNumbersOfTheFormat() {
    assertThat(Partner.DIFFERENCE.wireId()).isEqualTo(1);
    assertThat(Partner.XOR.wireId()).isEqualTo(2);
  }

  /**
   * D17: memory kept for making room is of the order of the table, and none before it is needed.
   */
  @ParameterizedTest
  @ValueSource(longs = {2, 10, 64, 264})
  void scratchIsNotLargerThanSmallTablesNeed(long buckets) {
    CuckooFilter filter = CuckooFilter.create(CuckooShape.of(buckets, 12));
    assertThat(filter.scratchBytes()).isZero();
    assertThatThrownBy(() -> filter.addHashes(Keys.members(2_000), 0, 2_000))
        .isInstanceOf(FilterFullException.class);
    assertThat(filter.scratchBytes()).isBetween(1L, 48 * buckets);
  }

  /** 5,000 keys, a tenth of them three times: copies do not count. */
  @Test
  void cardinalityIsThatOfDifferentKeys() {
    CuckooFilter filter = CuckooFilter.create(10_000, 0.001);
    assertThat(filter.cardinality()).isZero();
    long[] members = Keys.members(5_000);
    filter.addHashes(members, 0, 5_000);
    filter.addHashes(members, 0, 500);
    filter.addHashes(members, 0, 500);
    double deviation = Estimates.cardinalityStandardDeviation(entries(filter.shape()), 1, 5_000);
    assertThat(filter.cardinality()).isCloseTo(5_000, within(5 * deviation));
    assertThat(filter.fillRatio()).isEqualTo(6_000.0 / filter.shape().slots());
  }

  @Test
  void xorRoundsUpToAPowerOfTwo() {
    CuckooFilter filter =
        CuckooFilter.create(CuckooShape.forKeys(10_000, 0.01, Partner.XOR), Hasher.xxh3(5));
    assertThat(filter.shape().buckets()).isEqualTo(4096);
    assertThat(filter.shape().partner()).isEqualTo(Partner.XOR);
    assertThat(filter).hasToString("CuckooFilter[" + filter.shape() + ", XXH3-64, seed 5]");
  }
}
