package io.bloomery.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.RangeFilter;
import io.bloomery.RangeFilterBuilder;
import io.bloomery.ReadOptions;
import io.bloomery.frame.NodeReader;
import io.bloomery.hash.Hasher;
import io.bloomery.range.DyadicFilter;
import io.bloomery.range.DyadicShape;
import io.bloomery.range.GrafiteFilter;
import io.bloomery.range.GrafiteShape;
import io.bloomery.range.RangeKeys;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every {@link RangeFilter} promises, for numbers and for byte strings. */
final class RangeFilterContractTest {

  private static final String ALL = "subjects";
  private static final int KEYS = 5_000;
  private static final long LONGEST = 64;

  @TempDir Path directory;

  /**
   * A kind of range filter under test, sized for {@link #KEYS} keys and ranges of {@link #LONGEST}.
   */
  record Subject(String name, FilterKind<?> kind, Start start) {
    RangeFilterBuilder builder(RangeKeys keys) {
      return start.builder(keys, Hasher.xxh3(Seeds.of(77)));
    }

    RangeFilter of(long... numbers) {
      RangeFilterBuilder builder = builder(RangeKeys.numbers());
      Arrays.stream(numbers).forEach(builder::add);
      return builder.build();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** Starts building a filter. */
  interface Start {
    RangeFilterBuilder builder(RangeKeys keys, Hasher hasher);
  }

  static List<Subject> subjects() {
    return List.of(
        new Subject(
            "grafite",
            GrafiteFilter.KIND,
            (keys, hasher) ->
                GrafiteFilter.builder(GrafiteShape.forKeys(KEYS, 0.01, LONGEST, keys), hasher)),
        new Subject(
            "dyadic",
            DyadicFilter.KIND,
            (keys, hasher) ->
                DyadicFilter.KIND
                    .variants()
                    .get(0)
                    .rangeBuilder(DyadicShape.forKeys(KEYS, 0.01, LONGEST, keys), hasher)));
  }

  @Test
  void everyKindIsASubject() {
    assertThat(subjects().stream().map(Subject::kind))
        .containsAll(
            Filters.kinds().stream()
                .filter(kind -> RangeFilter.class.isAssignableFrom(kind.type()))
                .toList());
  }

  /** Spread, in runs, and at both ends of all numbers. */
  private static long[] numbers() {
    SplittableRandom random = Seeds.random(11);
    long[] numbers = new long[KEYS];
    for (int i = 0; i < KEYS; i++) {
      numbers[i] = i % 100 == 0 || i < 50 ? random.nextLong() : numbers[i - 1] + 1 + i % 7;
    }
    numbers[0] = Long.MIN_VALUE;
    numbers[1] = Long.MAX_VALUE;
    numbers[2] = -1;
    numbers[3] = 0;
    return numbers;
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void noRangeWithAKeyIsMissed(Subject subject) {
    long[] numbers = numbers();
    RangeFilter filter = subject.of(numbers);
    SplittableRandom random = Seeds.random(12);
    for (long key : numbers) {
      for (int i = 0; i < 20; i++) {
        long most = 1L << random.nextInt(1, 63);
        long below = saturatedDown(key, most, random);
        long above = saturatedUp(key, most, random);
        if (!filter.mightContainRange(below, above)
            || !filter.mightContainRange(key, above)
            || !filter.mightContainRange(below, key)) {
          throw new AssertionError("%d … %d … %d".formatted(below, key, above));
        }
      }
      if (!filter.mightContain(key) || !filter.mightContainRange(key, key)) {
        throw new AssertionError("key " + key);
      }
    }
    assertThat(filter.mightContainRange(Long.MIN_VALUE, Long.MAX_VALUE)).isTrue();
  }

  private static long saturatedDown(long key, long most, SplittableRandom random) {
    long below = key - random.nextLong(most);
    return below > key ? Long.MIN_VALUE : below;
  }

  private static long saturatedUp(long key, long most, SplittableRandom random) {
    long above = key + random.nextLong(most);
    return above < key ? Long.MAX_VALUE : above;
  }

  private static byte[] text(SplittableRandom random, int longest) {
    byte[] bytes = new byte[random.nextInt(longest + 1)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (random.nextInt(4) == 0 ? random.nextInt(256) : 'a' + random.nextInt(3));
    }
    return bytes;
  }

  /** Shorter and longer than what counts, empty ones among them. */
  @ParameterizedTest
  @MethodSource(ALL)
  void noRangeOfByteStringsWithAKeyIsMissed(Subject subject) {
    for (int width : new int[] {1, 3, 8, 11, 255}) {
      SplittableRandom random = Seeds.random(13 + width);
      RangeFilterBuilder builder = subject.builder(RangeKeys.bytes(width));
      List<byte[]> keys = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        byte[] key = text(random, width + 3);
        keys.add(key);
        builder.add(key);
      }
      RangeFilter filter = builder.build();
      for (byte[] key : keys) {
        assertThat(filter.mightContain(key)).isTrue();
        for (int i = 0; i < 20; i++) {
          byte[] other = i == 0 ? key : text(random, width + 3);
          boolean above = Arrays.compareUnsigned(key, other) <= 0;
          assertThat(filter.mightContainRange(above ? key : other, above ? other : key)).isTrue();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void anEmptyFilterHoldsNothing(Subject subject) {
    RangeFilter numbers = subject.of();
    assertThat(numbers.mightContainRange(Long.MIN_VALUE, Long.MAX_VALUE)).isFalse();
    assertThat(numbers.mightContain(0)).isFalse();
    assertThat(numbers.falsePositiveRate()).isZero();
    assertThat(numbers.falsePositiveRate(1L << 40)).isZero();
    RangeFilter bytes = subject.builder(RangeKeys.bytes(5)).build();
    assertThat(bytes.mightContainRange("", "zzzzzzzz")).isFalse();
    assertThat(bytes.mightContain("")).isFalse();
  }

  /** 200,000 random queries of each length against the filter's own word. */
  @ParameterizedTest
  @MethodSource(ALL)
  void theRateIsWhatTheFilterSays(Subject subject) {
    SplittableRandom random = Seeds.random(14);
    RangeFilter filter = subject.of(random.longs(KEYS).toArray());
    int queries = 200_000;
    double before = 0;
    for (long length : new long[] {1, 10, LONGEST, 1_000}) {
      long hits = 0;
      for (int i = 0; i < queries; i++) {
        long from = random.nextLong(Long.MIN_VALUE, Long.MAX_VALUE - length);
        hits += filter.mightContainRange(from, from + length - 1) ? 1 : 0;
      }
      double rate = filter.falsePositiveRate(length);
      assertThat(rate).isBetween(before, 1.0);
      Rates.assertRate(hits, queries, rate, 5);
      before = rate;
    }
    assertThat(filter.falsePositiveRate()).isEqualTo(filter.falsePositiveRate(1));
    assertThat(filter.longestRange()).isEqualTo(LONGEST);
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void allFormsOfAKeyAgree(Subject subject) {
    SplittableRandom random = Seeds.random(15);
    RangeFilter numbers = subject.of(random.longs(KEYS).toArray());
    RangeFilterBuilder some = subject.builder(RangeKeys.bytes(6));
    for (int i = 0; i < 200; i++) {
      some.add(text(random, 8));
    }
    RangeFilter bytes = some.build();
    for (int i = 0; i < 2_000; i++) {
      long number = random.nextLong();
      byte[] form = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
      boolean found = numbers.mightContain(number);
      assertThat(numbers.mightContain(form)).isEqualTo(found);
      assertThat(numbers.mightContainRange(number, number)).isEqualTo(found);
      assertThat(numbers.mightContainRange(form, form)).isEqualTo(found);
      assertThat(bytes.mightContain(number)).isEqualTo(bytes.mightContain(form));
      byte[] key = text(random, 8);
      byte[] inside = new byte[key.length + 5];
      System.arraycopy(key, 0, inside, 2, key.length);
      assertThat(bytes.mightContain(inside, 2, key.length)).isEqualTo(bytes.mightContain(key));
      assertThat(bytes.mightContainRange(key, key)).isEqualTo(bytes.mightContain(key));
    }
    assertThat(numbers.mightContain(new byte[7])).isFalse();
    assertThat(numbers.mightContain("text")).isFalse();
    assertThat(numbers.mightContain('x')).isFalse();
    assertThat(bytes.mightContain("abc")).isEqualTo(bytes.mightContain("abc".getBytes(UTF_8)));
    assertThat(bytes.mightContainRange("abc", "abd"))
        .isEqualTo(bytes.mightContainRange("abc".getBytes(UTF_8), "abd".getBytes(UTF_8)));
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void whatHasNoPlaceInTheOrderIsRefused(Subject subject) {
    RangeFilter numbers = subject.of(1, 2, 3);
    RangeFilter bytes = subject.builder(RangeKeys.bytes(6)).add("key").build();
    assertThatThrownBy(() -> numbers.mightContainRange(5, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("from = 5 is above to = 4");
    assertThatThrownBy(() -> bytes.mightContainRange("b", "a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("above");
    assertThatThrownBy(() -> bytes.mightContainRange(1, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("byte strings");
    assertThatThrownBy(() -> numbers.mightContainRange("a", "b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("8 bytes");
    RangeFilterBuilder ofNumbers = subject.builder(RangeKeys.numbers());
    assertThatThrownBy(() -> ofNumbers.add("text")).isInstanceOf(IllegalArgumentException.class);
    RangeFilterBuilder ofBytes = subject.builder(RangeKeys.bytes(6));
    assertThatThrownBy(() -> ofBytes.add(5)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> numbers.falsePositiveRate(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("length = 0");
    FilterContractTest.assertNamed(
        "from", () -> bytes.mightContainRange((byte[]) null, new byte[1]));
    FilterContractTest.assertNamed("to", () -> bytes.mightContainRange(new byte[1], null));
    FilterContractTest.assertNamed("from", () -> bytes.mightContainRange((String) null, ""));
    FilterContractTest.assertNamed("key", () -> bytes.mightContain((byte[]) null));
    FilterContractTest.assertNamed("key", () -> bytes.mightContain((CharSequence) null));
    FilterContractTest.assertNamed("bytes", () -> bytes.mightContain(null, 0, 0));
    assertThatThrownBy(() -> bytes.mightContain(new byte[4], 3, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void orderAndRepetitionsDoNotMatter(Subject subject) {
    long[] numbers = numbers();
    List<Long> shuffled = new ArrayList<>(Arrays.stream(numbers).boxed().toList());
    shuffled.addAll(shuffled.subList(0, 1_000));
    Seeds.shuffle(shuffled, 16);
    RangeFilter other = subject.of(shuffled.stream().mapToLong(Long::longValue).toArray());
    assertThat(subject.of(numbers).sameContent(other)).isTrue();
  }

  private static List<String> answers(RangeFilter filter, boolean numbers) {
    SplittableRandom random = Seeds.random(17);
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      if (numbers) {
        long from = random.nextLong() >> random.nextInt(60);
        long to = saturatedUp(from, 1L << random.nextInt(1, 63), random);
        answers.add(filter.mightContain(from) + " " + filter.mightContainRange(from, to));
      } else {
        byte[] from = text(random, 9);
        byte[] to = from.clone();
        if (to.length > 0) {
          to[to.length - 1] = -1;
        }
        answers.add(filter.mightContain(from) + " " + filter.mightContainRange(from, to));
      }
    }
    return answers;
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void everyWayBackKeepsEveryAnswer(Subject subject) throws IOException {
    byte[] key = "0123456789abcdef".getBytes(UTF_8);
    Hasher keyed = Hasher.keyed(key);
    for (boolean numbers : new boolean[] {true, false}) {
      for (int count : new int[] {0, 1, 2_000}) {
        SplittableRandom random = Seeds.random(18);
        RangeFilterBuilder builder =
            subject.start.builder(numbers ? RangeKeys.numbers() : RangeKeys.bytes(7), keyed);
        for (int i = 0; i < count; i++) {
          builder.add(numbers ? Arrays.copyOf(text(random, 8), 8) : text(random, 9));
        }
        RangeFilter filter = builder.build();
        Path file = directory.resolve("range.bloom");
        filter.writeTo(file);
        assertThat(filter.storedBytes()).isEqualTo(filter.toBytes().length);
        ReadOptions<Filter> options = ReadOptions.defaults().withHasher(keyed);
        for (Filter again :
            List.of(
                Filters.open(file, options),
                Filters.map(file, options),
                Filters.read(filter.toBytes(), options))) {
          assertThat(again).hasSameClassAs(filter);
          assertThat(answers((RangeFilter) again, numbers)).isEqualTo(answers(filter, numbers));
          assertThat(again.falsePositiveRate()).isEqualTo(filter.falsePositiveRate());
          assertThat(again.sizeInBits()).isEqualTo(filter.sizeInBits());
          assertThat(((RangeFilter) again).toBytes()).isEqualTo(filter.toBytes());
        }
        assertThatThrownBy(() -> Filters.open(file)).isInstanceOf(FilterFormatException.class);
      }
    }
  }

  /** The reader in JavaScript, written from the page of the format alone. */
  @ParameterizedTest
  @MethodSource(ALL)
  void theReaderInJavaScriptAgrees(Subject subject) throws Exception {
    NodeReader.assumeInstalled();
    SplittableRandom random = Seeds.random(19);
    NodeReader reader = new NodeReader(directory);
    List<String> expected = new ArrayList<>();
    for (int width : new int[] {0, 1, 5, 8, 20}) {
      RangeFilterBuilder builder =
          subject.builder(width == 0 ? RangeKeys.numbers() : RangeKeys.bytes(width));
      List<byte[]> keys = new ArrayList<>();
      for (int i = 0; i < Effort.of(2_000); i++) {
        byte[] key = text(random, Math.max(8, width + 2));
        keys.add(width == 0 && i % 9 != 0 ? Arrays.copyOf(key, 8) : key);
        if (i % 2 == 0 && (width > 0 || keys.get(i).length == 8)) {
          builder.add(keys.get(i));
        }
      }
      RangeFilter filter = builder.build();
      reader.keys(keys).file(filter.toBytes());
      expected.add(NodeReader.expected(filter, keys));
    }
    assertThat(reader.run()).isEqualTo(expected);
  }
}
