package io.bloomery.deletable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.FilterFullException;
import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.probe.Mix;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** K2, load .75, r = 9: rate 0.001464 within 5 σ over 2 · 10⁶ outsiders; 16.0 bits/key. */
final class QuotientFilterTest {
  @TempDir Path directory;

  private static long[] contents(QuotientFilter filter) {
    LongStream.Builder all = LongStream.builder();
    for (PrimitiveIterator.OfLong i = filter.fingerprints(); i.hasNext(); ) {
      all.add(i.nextLong());
    }
    return all.build().toArray();
  }

  private static long[] contents(SortedMap<Long, Integer> model) {
    return model.entrySet().stream()
        .flatMapToLong(e -> LongStream.generate(e::getKey).limit(e.getValue()))
        .toArray();
  }

  /** The lowest hash whose fingerprint is a given one: ⌈fingerprint · 2^64 / fingerprints⌉. */
  private static long hashOf(long fingerprint, QuotientShape shape) {
    BigInteger all = BigInteger.valueOf(shape.fingerprints());
    BigInteger shifted = BigInteger.valueOf(fingerprint).shiftLeft(64);
    return shifted.add(all).subtract(BigInteger.ONE).divide(all).longValue();
  }

  /**
   * 10^5 insertions and removals each in a long run, 25 000 otherwise, between 60 and 90 % of the
   * slots, beside a sorted multiset. The fewer quotients the keys have, the longer are runs, and
   * clusters that wrap around.
   */
  @ParameterizedTest
  @CsvSource({"4096, 5, 4096", "4096, 9, 1500", "64, 3, 64", "192, 40, 50", "128, 1, 100"})
  void itIsASortedMultiset(long slots, int bits, long quotients) {
    QuotientShape shape = QuotientShape.of(slots, bits);
    QuotientFilter filter = QuotientFilter.create(shape);
    TreeMap<Long, Integer> model = new TreeMap<>();
    SplittableRandom random = Seeds.random(slots + bits);
    long[] present = new long[(int) slots];
    int size = 0;
    int refused = 0;
    for (int step = 0; step < Effort.of(100_000); step++) {
      if (size < 0.6 * slots || random.nextInt(100) < 55) {
        // quotients at the end of the ring, so that clusters wrap around
        long quotient = slots - 1 - random.nextLong(quotients) * random.nextInt(2);
        long hash = hashOf((quotient << bits) + random.nextLong(1L << bits), shape);
        long fingerprint = Mix.reduce(hash, shape.fingerprints());
        try {
          if (filter.addHash(hash) == model.containsKey(fingerprint)) {
            throw new AssertionError("step " + step + ": wrong answer of add");
          }
          model.merge(fingerprint, 1, Integer::sum);
          present[size++] = hash;
        } catch (FilterFullException full) {
          assertThat(size).isEqualTo((int) shape.capacity());
          refused++;
        }
      } else {
        int at = random.nextInt(size);
        if (!filter.removeHash(present[at])) {
          throw new AssertionError("step " + step + ": a key was lost");
        }
        model.merge(
            Mix.reduce(present[at], shape.fingerprints()), -1, (a, b) -> a + b == 0 ? null : a + b);
        present[at] = present[--size];
      }
      if (step % 1_000 == 0 || (step < 1_000 && slots < 200)) {
        assertThat(contents(filter)).isEqualTo(contents(model));
        assertThat(filter.keyCount()).isEqualTo(size);
        assertSound(filter);
      }
    }
    assertThat(refused).isPositive();
    for (int i = 0; i < size; i++) {
      assertThat(filter.removeHash(present[i])).isTrue();
    }
    assertThat(filter.sameContent(QuotientFilter.create(QuotientShape.of(slots, bits)))).isTrue();
  }

  /** The file of a sound filter can be read again. */
  private static void assertSound(QuotientFilter filter) {
    try {
      Filters.read(
          new ByteArrayInputStream(frame(filter)),
          ReadOptions.defaults().withLimit(Long.MAX_VALUE));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] frame(QuotientFilter filter) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      filter.writeTo(out);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toByteArray();
  }

  /** Load 0.75 with 9 bits: 1 - e^(-0.75/512), 20 filters, 10^5 outsiders each. */
  @Test
  void theRateIsThatOfItsFingerprints() {
    QuotientShape shape = QuotientShape.of(1 << 14, 9);
    int n = 3 * (1 << 12);
    double expected = shape.falsePositiveRate(n);
    assertThat(expected).isCloseTo(0.001464, within(5e-7));
    double[] rates = new double[20];
    long[] outsiders = Keys.outsiders(100_000);
    long total = 0;
    for (int set = 0; set < rates.length; set++) {
      QuotientFilter filter = QuotientFilter.create(shape);
      long[] members = Keys.members(n, set);
      filter.addHashes(members, 0, n);
      assertThat(Arrays.stream(members).allMatch(filter::mightContainHash)).isTrue();
      rates[set] = filter.falsePositiveRate();
      total += filter.mightContainHashes(outsiders, 0, 100_000, new long[100_000 / 64 + 1]);
    }
    Rates.assertMean(rates, expected, 5, 0);
    Rates.assertRate(total, 20L * outsiders.length, expected, 5);
  }

  /** Two tables of 2^12 slots become one of 2^13, bit for bit the one that was built directly. */
  @Test
  void mergedIsBuiltDirectly() {
    QuotientFilter one = filled(1 << 12, 9, Keys.members(3_000, 1));
    QuotientFilter two = filled(1 << 12, 9, Keys.members(3_000, 2));
    QuotientFilter direct = filled(1 << 13, 8, Keys.members(3_000, 2));
    direct.addHashes(Keys.members(3_000, 1), 0, 3_000);
    one.merge(two);
    assertThat(one.shape()).isEqualTo(QuotientShape.of(1 << 13, 8));
    assertThat(one.sameContent(direct)).isTrue();
    assertThat(one.keyCount()).isEqualTo(6_000);
    assertThat(two.sameContent(filled(1 << 12, 9, Keys.members(3_000, 2)))).isTrue();
  }

  private static QuotientFilter filled(long slots, int bits, long[] hashes) {
    QuotientFilter filter = QuotientFilter.create(QuotientShape.of(slots, bits));
    filter.addHashes(hashes, 0, hashes.length);
    return filter;
  }

  @Test
  void filtersOfDifferentFillAndSizeMerge() {
    long[] many = Keys.members(5_000, 1);
    long[] few = Keys.members(100, 2);
    QuotientFilter small = filled(128, 16, few);
    QuotientFilter large = filled(8_192, 10, many);
    QuotientFilter direct = filled(8_192, 10, many);
    direct.addHashes(few, 0, few.length);
    QuotientFilter ab = small.copy();
    ab.merge(large);
    large.merge(small);
    assertThat(ab.sameContent(direct)).isTrue();
    assertThat(large.sameContent(direct)).isTrue();
    direct.merge(direct.copy());
    assertThat(direct.keyCount()).isEqualTo(10_200);
    assertThat(direct.shape().slots()).isEqualTo(16_384);
    for (int copy = 0; copy < 2; copy++) {
      assertThat(Arrays.stream(many).allMatch(direct::removeHash)).isTrue();
      assertThat(Arrays.stream(few).allMatch(direct::removeHash)).isTrue();
    }
    assertThat(direct.keyCount()).isZero();
  }

  @Test
  void aMergeThatDoesNotFitChangesNothing() {
    QuotientFilter one = filled(64, 1, Keys.members(40, 1));
    QuotientFilter before = one.copy();
    assertThatThrownBy(() -> one.merge(filled(64, 1, Keys.members(40, 2))))
        .isInstanceOf(FilterFullException.class)
        .hasMessageContaining("no room for 40 and 40 keys");
    assertThat(one.sameContent(before)).isTrue();
  }

  @Test
  void aDoubledFilterIsBuiltWithTwiceTheSlots() {
    long[] members = Keys.members(10_000);
    QuotientFilter filter = filled(12_800, 9, members);
    double rate = filter.falsePositiveRate();
    filter.grow();
    assertThat(filter.sameContent(filled(25_600, 8, members))).isTrue();
    filter.grow();
    assertThat(filter.sameContent(filled(51_200, 7, members))).isTrue();
    assertThat(filter.falsePositiveRate()).isEqualTo(rate);
    assertThat(filter.keyCount()).isEqualTo(10_000);
  }

  @Test
  void aGrowingFilterDoublesByItselfUntilOneBitIsLeft() {
    QuotientFilter filter = QuotientFilter.create(QuotientShape.of(64, 6).withGrowth());
    long[] members = Keys.members(5_000);
    int added = 0;
    try {
      for (long hash : members) {
        filter.addHash(hash);
        added++;
      }
    } catch (FilterFullException full) {
      assertThat(full).hasMessageContaining("cannot double");
    }
    assertThat(filter.shape()).isEqualTo(new QuotientShape(2_048, 1, true));
    assertThat(added).isEqualTo((int) filter.shape().capacity());
    assertThat(Arrays.stream(members, 0, added).allMatch(filter::mightContainHash)).isTrue();
    assertThatThrownBy(filter::grow).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aFullFilterRefusesAndIsAsItWas() {
    QuotientFilter filter = filled(640, 9, Keys.members(576));
    QuotientFilter before = filter.copy();
    assertThatThrownBy(() -> filter.addHash(1))
        .isInstanceOf(FilterFullException.class)
        .hasMessageContaining("576 of 640 slots")
        .hasMessageContaining("grow() doubles it");
    assertThat(filter.sameContent(before)).isTrue();
    filter.grow();
    assertThat(filter.addHash(1)).isTrue();
    assertThat(filter.removeHash(1)).isTrue();
    before.grow();
    assertThat(filter.sameContent(before)).isTrue();
  }

  /** 50 copies of each of ten keys, and the order does not matter. */
  @Test
  void copiesAreKept() {
    QuotientFilter filter = QuotientFilter.create(QuotientShape.of(640, 12));
    for (int copy = 0; copy < 50; copy++) {
      for (long hash : Keys.members(10)) {
        assertThat(filter.addHash(hash)).isEqualTo(copy == 0);
      }
    }
    double rate = filter.falsePositiveRate();
    assertThat(rate).isEqualTo(10.0 / filter.shape().fingerprints());
    for (int copy = 0; copy < 50; copy++) {
      for (long hash : Keys.members(10)) {
        assertThat(filter.mightContainHash(hash)).isTrue();
        assertThat(filter.removeHash(hash)).isTrue();
      }
    }
    assertThat(filter.falsePositiveRate()).isZero();
    assertThat(filter.removeHash(Keys.members(1)[0])).isFalse();
  }

  /** Each removal of a key that was never added loses one member at most. */
  @Test
  void removingAFalsePositiveLosesOneKeyAtMost() {
    long[] members = Keys.members(12_000);
    QuotientFilter filter = filled(16_000, 5, members);
    int removed = 0;
    for (long outsider : Keys.outsiders(20_000)) {
      removed += filter.removeHash(outsider) ? 1 : 0;
    }
    long lost = Arrays.stream(members).filter(hash -> !filter.mightContainHash(hash)).count();
    assertThat(lost).isLessThanOrEqualTo(removed);
    WrongRemovals expected = new WrongRemovals(filter.shape().fingerprints(), 12_000, 20_000);
    expected.assertRemoved(removed);
    expected.assertLost(lost);
  }

  @Test
  void fingerprintsAreReducedHashesInOrder() {
    long[] members = Keys.members(1_000);
    QuotientFilter filter = filled(1_344, 7, members);
    long fingerprints = 1_344L << 7;
    assertThat(contents(filter))
        .isEqualTo(Arrays.stream(members).map(h -> Mix.reduce(h, fingerprints)).sorted().toArray());
    PrimitiveIterator.OfLong ended = QuotientFilter.create(QuotientShape.of(64, 1)).fingerprints();
    assertThatThrownBy(ended::nextLong).isInstanceOf(NoSuchElementException.class);
  }

  /**
   * A table with one bit changed is sound if and only if its fingerprints, inserted one by one,
   * give the same table; otherwise a file with it is refused. Queries end in any case.
   */
  @Test
  void contradictingSlotsAreRefused() {
    QuotientFilter filter = filled(64, 4, Keys.members(45));
    QuotientShape shape = filter.shape();
    long[] payload = payload(filter);
    int sound = 0;
    for (int bit = 0; bit < 64 * 7; bit++) {
      Words changed = Words.copyOf(payload, false);
      changed.writable()[Words.BASE + bit / 64] ^= 1L << bit;
      QuotientTable table = new QuotientTable(shape, changed);
      QuotientTable rebuilt = QuotientTable.of(shape);
      int count = 0;
      for (PrimitiveIterator.OfLong i = table.iterator(); i.hasNext() && count < 60; count++) {
        rebuilt.insert(i.nextLong());
      }
      assertThat(table.isSound()).as("bit %d", bit).isEqualTo(changed.sameBits(rebuilt.words()));
      sound += table.isSound() ? 1 : 0;
      for (long fingerprint = 0; fingerprint < shape.fingerprints(); fingerprint++) {
        table.contains(fingerprint);
      }
    }
    // Another remainder in its order is sound, and so is a remainder 0 that comes or goes.
    assertThat(sound).isBetween(1, 45 * 4 + 64);
  }

  @Test
  void nonsenseInAMappedFileEndsEveryQuestion() {
    QuotientShape shape = QuotientShape.of(128, 4);
    for (long flags = 0; flags < 8; flags++) {
      Words words = Words.allocate(14, false);
      for (int word = 0; word < 14; word++) {
        words.writable()[Words.BASE + word] = (flags >>> word % 7 & 1) != 0 ? -1 : 0;
      }
      QuotientTable table = new QuotientTable(shape, words);
      assertThat(table.isSound()).isEqualTo(flags == 0);
      long listed = 0;
      for (PrimitiveIterator.OfLong i = table.iterator(); i.hasNext(); listed++) {
        table.contains(i.nextLong());
      }
      assertThat(listed).isLessThanOrEqualTo(128);
    }
  }

  private static long[] payload(QuotientFilter filter) {
    ByteBuffer bytes = ByteBuffer.wrap(frame(filter)).order(ByteOrder.LITTLE_ENDIAN);
    long[] payload = new long[(int) bytes.getLong(40) / Long.BYTES];
    bytes.position((int) bytes.getLong(32)).asLongBuffer().get(payload);
    return payload;
  }

  @Test
  void aFilterThatWasOpenedKnowsItsSize() throws IOException {
    QuotientFilter filter = QuotientFilter.create(QuotientShape.of(1_024, 9).withGrowth());
    filter.addHashes(Keys.members(700), 0, 700);
    Path file = directory.resolve("filter.bloom");
    filter.writeTo(file);
    QuotientFilter opened = Filters.open(file, ReadOptions.as(QuotientFilter.class));
    QuotientFilter mapped = Filters.map(file, ReadOptions.as(QuotientFilter.class));
    assertThat(mapped.keyCount()).isEqualTo(700);
    assertThat(mapped.fillRatio()).isEqualTo(700.0 / 1_024);
    assertThat(contents(mapped)).isEqualTo(contents(filter));
    assertThat(mapped.shape().growing() && opened.shape().growing()).isTrue();
    assertThat(opened.sameContent(mapped)).isTrue();
    opened.addHashes(Keys.members(700, 2), 0, 700);
    assertThat(opened.keyCount()).isEqualTo(1_400);
    assertThat(opened.shape().slots()).isEqualTo(2_048);
    assertThatThrownBy(() -> mapped.removeHash(1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(mapped::grow).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> mapped.merge(opened)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(mapped::clear).isInstanceOf(IllegalStateException.class);
    mapped.copy().clear();
    opened.clear();
    assertThat(opened.keyCount()).isZero();
  }

  @Test
  void badArgumentsAreNamed() {
    assertThatThrownBy(() -> QuotientShape.forKeys(10, 0.1, 0.95))
        .hasMessageContaining("loadFactor = 0.95");
    assertThatThrownBy(() -> QuotientFilter.create(-1, 0.1))
        .hasMessageContaining("expectedKeys = -1");
    assertThatThrownBy(() -> QuotientFilter.create(null)).hasMessage("shape");
    QuotientShape shape = QuotientShape.forRemainders(4_800, 9, 0.75);
    assertThat(shape).isEqualTo(new QuotientShape(6_400, 9, false));
    QuotientFilter filter = QuotientFilter.create(shape, Hasher.xxh3(3));
    assertThat(filter).hasToString("QuotientFilter[" + shape + ", XXH3-64, seed 3]");
    filter.grow();
    assertThat(filter).hasToString("QuotientFilter[" + shape.doubled() + ", XXH3-64, seed 3]");
    assertThat(filter.sizeInBits()).isEqualTo(shape.doubled().sizeInBits());
  }
}
