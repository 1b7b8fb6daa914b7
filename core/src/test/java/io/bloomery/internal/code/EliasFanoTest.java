package io.bloomery.internal.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.internal.bits.Words;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Sorted numbers in a compressed form answer as the same numbers in a tree. */
final class EliasFanoTest {

  private static long[] sorted(NavigableSet<Long> numbers) {
    return numbers.stream().mapToLong(Long::longValue).toArray();
  }

  private static EliasFano of(NavigableSet<Long> numbers, long range) {
    return EliasFano.encode(sorted(numbers), numbers.size(), range);
  }

  /** Spread over the range, or in runs, or all in one corner of it. */
  private static NavigableSet<Long> draw(SplittableRandom random, int count, long range) {
    NavigableSet<Long> numbers = new TreeSet<>();
    int way = random.nextInt(3);
    long corner = Math.min(range, 2L * count + 1);
    long origin = random.nextLong(range - corner + 1);
    while (numbers.size() < count) {
      long start = way == 2 ? origin + random.nextLong(corner) : random.nextLong(range);
      int run = way == 1 ? 1 + random.nextInt(300) : 1;
      for (int i = 0; i < run && numbers.size() < count && start + i < range; i++) {
        numbers.add(start + i);
      }
    }
    return numbers;
  }

  @Test
  void everyIntervalOfSmallRanges() {
    SplittableRandom random = Seeds.random(1);
    for (int round = 0; round < Effort.of(200); round++) {
      int range = 1 + random.nextInt(80);
      NavigableSet<Long> numbers = draw(random, random.nextInt(range + 1), range);
      EliasFano coded = of(numbers, range);
      assertThat(coded.isSound()).isTrue();
      for (long from = 0; from < range; from++) {
        for (long to = from; to < range; to++) {
          if (coded.containsAny(from, to) == numbers.subSet(from, true, to, true).isEmpty()) {
            throw new AssertionError("%d … %d of %s below %d".formatted(from, to, numbers, range));
          }
        }
      }
    }
  }

  @Test
  void intervalsOfLargeRangesAndBack() {
    SplittableRandom random = Seeds.random(2);
    for (int round = 0; round < Effort.of(40); round++) {
      int count = 1 + random.nextInt(20_000);
      long range = count + random.nextLong(1L << random.nextInt(14, 61));
      NavigableSet<Long> numbers = draw(random, count, range);
      EliasFano coded = of(numbers, range);
      assertThat(coded.isSound()).isTrue();
      List<Long> again = new ArrayList<>();
      coded.forEach(again::add);
      assertThat(again).isEqualTo(new ArrayList<>(numbers));
      long[] all = sorted(numbers);
      for (int i = 0; i < 20_000; i++) {
        long near = all[random.nextInt(count)] + random.nextInt(-3, 4);
        long from = Math.max(0, Math.min(range - 1, i % 2 == 0 ? near : random.nextLong(range)));
        long to = Math.min(range - 1, from + random.nextLong(1L << random.nextInt(1, 40)));
        Long next = numbers.ceiling(from);
        if (coded.containsAny(from, to) != (next != null && next <= to)) {
          throw new AssertionError("%d … %d of %d below %d".formatted(from, to, count, range));
        }
      }
    }
  }

  /** At most 2 + log2(range/entries) bits for each number and 0.15 for the index. */
  @Test
  void theSizeIsThatOfTheFormula() {
    for (long entries : new long[] {100_000, 1L << 20, 1L << 31}) {
      for (double each = 1; each < 1e9; each *= 1.37) {
        EliasFano.Layout layout = new EliasFano.Layout(entries, (long) (entries * each));
        double bits = (double) layout.sizeInBits() / entries;
        double formula = 2 + Math.log(each) / Math.log(2);
        assertThat(bits).isBetween(formula - 0.09, formula + 0.15);
      }
    }
  }

  /** Random words, as a mapped file may have them, lead to some answer. */
  @Test
  void anyWordsAnswer() {
    SplittableRandom random = Seeds.random(3);
    int found = 0;
    for (int round = 0; round < Effort.of(400); round++) {
      int entries = 1 + random.nextInt(5_000);
      long range = entries + random.nextLong(1L << random.nextInt(1, 49));
      EliasFano.Layout layout = new EliasFano.Layout(entries, range);
      EliasFano coded =
          new EliasFano(
              layout,
              words(random, layout.lowWords()),
              words(random, layout.highWords()),
              words(random, layout.directoryWords()),
              words(random, layout.hintWords()));
      for (int i = 0; i < 200; i++) {
        long from = random.nextLong(range);
        found += coded.containsAny(from, from + random.nextLong(range - from)) ? 1 : 0;
      }
      coded.isSound();
    }
    assertThat(found).isPositive();
  }

  private static Words words(SplittableRandom random, long count) {
    long[] words = new long[(int) count];
    int way = random.nextInt(4);
    Arrays.setAll(words, i -> way == 0 ? -1 : way == 1 ? 0 : random.nextLong());
    return Words.copyOf(words, false);
  }

  /** Each bit, flipped, is noticed or gives other numbers, which only a checksum can notice. */
  @Test
  void everyFlippedBitIsNoticed() {
    NavigableSet<Long> numbers = draw(Seeds.random(4), 300, 50_000);
    EliasFano coded = of(numbers, 50_000);
    for (Words part : List.of(coded.low(), coded.high(), coded.directory(), coded.hints())) {
      for (long bit = 0; bit < part.length() * Long.SIZE; bit++) {
        part.writable()[Words.BASE + (int) (bit >>> 6)] ^= 1L << bit;
        boolean sound = coded.isSound();
        List<Long> other = new ArrayList<>();
        coded.forEach(other::add);
        part.writable()[Words.BASE + (int) (bit >>> 6)] ^= 1L << bit;
        assertThat(sound && other.equals(new ArrayList<>(numbers))).as("bit %d", bit).isFalse();
      }
    }
    assertThat(coded.isSound()).isTrue();
  }
}
