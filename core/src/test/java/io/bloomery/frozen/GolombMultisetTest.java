package io.bloomery.frozen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.Filters;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.ReadOptions;
import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Catalogue Z2: multiplicities.
 *
 * <p>Measured here, of Z2 (multiplicities): 20,000 keys at 2 %: none too low, 2 % too high; b + 1
 * bits per repetition.
 */
final class GolombMultisetTest {

  private static final int KEYS = 20_000;
  private static final double RATE = 0.02;

  /** Times of each key: 1 for half of them, 2 for a quarter and so on. */
  private static int[] times(int seed) {
    SplittableRandom random = Seeds.random(seed);
    return IntStream.range(0, KEYS)
        .map(i -> 1 + Math.min(30, Long.numberOfTrailingZeros(random.nextLong())))
        .toArray();
  }

  private static long[] repeated(long[] keys, int[] times) {
    return IntStream.range(0, keys.length)
        .boxed()
        .flatMapToLong(i -> LongStream.generate(() -> keys[i]).limit(times[i]))
        .toArray();
  }

  /** Never too low, and too high as often as keys share a number: the rate. */
  @Test
  void countsAreTimes() {
    int[] times = times(1);
    long[] keys = Keys.members(KEYS);
    long[] all = repeated(keys, times);
    GolombCodedSet set = GolombCodedSet.ofRepeatedHashes(all, RATE);
    assertThat(set.keyCount()).isEqualTo(all.length);
    // As many pairs of keys share a number as are as good as Poisson distributed.
    double range = (double) set.range();
    double distinct = -range * Math.expm1(KEYS * Math.log1p(-1 / range));
    double deviation = Math.sqrt(KEYS / range * KEYS / 2);
    assertThat((double) set.distinctKeyCount()).isCloseTo(distinct, within(5 * deviation));
    int wrong = 0;
    for (int i = 0; i < KEYS; i++) {
      long count = set.countHash(keys[i]);
      assertThat(count).isGreaterThanOrEqualTo(times[i]);
      assertThat(set.mightContainHash(keys[i])).isTrue();
      wrong += count == times[i] ? 0 : 1;
    }
    // Keys that share a number are both wrong, so that the variance is twice that of single ones.
    assertThat((double) wrong / KEYS)
        .isCloseTo(RATE, within(5 * Math.sqrt(2 * RATE * (1 - RATE) / KEYS)));
    assertThat(set.falsePositiveRate()).isEqualTo(set.distinctKeyCount() / range);
    long[] outsiders = Keys.outsiders(300_000);
    Rates.assertRate(
        Arrays.stream(outsiders).filter(hash -> set.countHash(hash) > 0).count(),
        outsiders.length,
        set.falsePositiveRate(),
        5);
    Arrays.stream(outsiders, 0, 20_000)
        .forEach(h -> assertThat(set.countHash(h) > 0).isEqualTo(set.mightContainHash(h)));
    // A repetition takes b + 1 bits.
    double bits = set.sizeInBits() - (set.riceBits() + 1.0) * (all.length - KEYS);
    double plain = GolombCodedSet.ofHashes(keys, RATE).sizeInBits();
    assertThat(bits / plain).isCloseTo(1, within(0.02));
  }

  /** The order of keys does not matter, and a set is a multiset of keys given once. */
  @Test
  void onlyKeysAndTimesMatter() {
    long[] all = repeated(Keys.members(KEYS), times(2));
    GolombCodedSet set = GolombCodedSet.ofRepeatedHashes(all, RATE);
    long[] backwards =
        LongStream.range(0, all.length).map(i -> all[all.length - 1 - (int) i]).toArray();
    assertThat(counts(GolombCodedSet.ofRepeatedHashes(backwards, RATE))).isEqualTo(counts(set));
    GolombCodedSet plain = GolombCodedSet.ofHashes(all, RATE);
    assertThat(plain.keyCount()).isEqualTo(set.distinctKeyCount());
    assertThat(plain.range()).isEqualTo(set.range());
    assertThat(LongStream.of(Keys.members(KEYS)).map(plain::countHash)).allMatch(c -> c == 1);
    assertThat(set.union(plain).keyCount()).isEqualTo(plain.keyCount());
    assertThat(set.withoutHashes(Keys.members(KEYS)).keyCount()).isZero();
  }

  private static long[] counts(GolombCodedSet set) {
    return LongStream.of(Keys.members(KEYS)).map(set::countHash).toArray();
  }

  @Test
  void sumsAddCounts() {
    long[] keys = Keys.members(KEYS);
    GolombCodedSet once = GolombCodedSet.ofRepeatedHashes(keys, RATE);
    GolombCodedSet some = GolombCodedSet.ofRepeatedHashes(repeated(keys, times(3)), RATE);
    GolombCodedSet sum = once.sum(some);
    long[] a = counts(once);
    long[] b = counts(some);
    long[] both = counts(sum);
    for (int i = 0; i < KEYS; i++) {
      assertThat(both[i]).isEqualTo(a[i] + b[i]);
    }
    assertThat(sum.keyCount()).isEqualTo(once.keyCount() + some.keyCount());
    assertThat(sum.falsePositiveRate()).isEqualTo(once.falsePositiveRate());
    GolombCodedSet other = GolombCodedSet.ofRepeatedHashes(keys, RATE, Hasher.xxh3(5));
    assertThatThrownBy(() -> once.sum(other)).isInstanceOf(IncompatibleFiltersException.class);
    GolombCodedSet wider = GolombCodedSet.ofRepeatedHashes(keys, RATE / 2);
    assertThatThrownBy(() -> once.sum(wider)).hasMessageStartingWith("range ");
  }

  /** The format has always allowed equal numbers; the file of a multiset is one like any other. */
  @Test
  void multisetsAreSaved(@TempDir Path directory) throws IOException {
    GolombCodedSet set =
        GolombCodedSet.ofRepeatedHashes(repeated(Keys.members(KEYS), times(4)), RATE);
    Path file = directory.resolve("multi.bloom");
    set.writeTo(file);
    Filters.verify(file);
    for (GolombCodedSet again :
        new GolombCodedSet[] {
          Filters.open(file, ReadOptions.as(GolombCodedSet.class)),
          Filters.map(file, ReadOptions.as(GolombCodedSet.class))
        }) {
      assertThat(counts(again)).isEqualTo(counts(set));
      assertThat(again.falsePositiveRate()).isEqualTo(set.falsePositiveRate());
    }
  }

  /** More repetitions than numbers at that rate: the range grows, and files stay valid. */
  @Test
  void manyRepetitionsWidenTheRange(@TempDir Path directory) throws IOException {
    long[] keys = {Keys.pinned(0), Keys.pinned(1), Keys.pinned(2)};
    long[] all = repeated(keys, new int[] {700, 1, 2_000});
    GolombCodedSet set = GolombCodedSet.ofRepeatedHashes(all, 0.1);
    assertThat(set.range()).isEqualTo(2_702);
    assertThat(set.falsePositiveRate()).isEqualTo(3.0 / 2_702);
    assertThat(set.countHash(keys[0])).isEqualTo(700);
    assertThat(set.countHash(keys[2])).isEqualTo(2_000);
    Path file = directory.resolve("few.bloom");
    set.writeTo(file);
    assertThat(Filters.open(file, ReadOptions.as(GolombCodedSet.class)).countHash(keys[1]))
        .isEqualTo(1);
    GolombCodedSet empty = GolombCodedSet.ofRepeatedHashes(new long[0], 0.1);
    assertThat(empty.countHash(5)).isZero();
    assertThat(empty.falsePositiveRate()).isZero();
    assertThat(empty.distinctKeyCount()).isZero();
  }
}
