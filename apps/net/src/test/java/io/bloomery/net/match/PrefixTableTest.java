package io.bloomery.net.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.FilterFullException;
import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Race;
import io.bloomery.testkit.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PrefixTableTest {

  private static final int SIGMAS = 5;

  private static PrefixOptions options(long seed) {
    return PrefixOptions.standard().withHasher(Hasher.xxh3(Seeds.of(seed)));
  }

  /** An address of which few bits differ from other such addresses. */
  private static Address near(SplittableRandom random, boolean isSix) {
    long high = 0x20010DB8_00000000L;
    long low = 0;
    for (int i = random.nextInt(6); i > 0; i--) {
      high ^= 1L << (isSix ? random.nextInt(64) : 32 + random.nextInt(32));
      low ^= isSix && random.nextBoolean() ? 1L << random.nextInt(64) : 0;
    }
    return new Address(isSix, high, low, isSix ? 128 : 32);
  }

  private static Optional<String> expected(Trie trie, Address address) {
    String found = trie.find(address);
    if (found == null) {
      return Optional.empty();
    }
    int length = Integer.parseInt(found.substring(0, found.indexOf(' ')));
    return Optional.of(address.cut(length) + found.substring(found.indexOf(' ')));
  }

  private static Optional<String> actual(PrefixTable table, Address address) {
    Optional<PrefixTable.Match> match = table.match(address.toString());
    String value =
        address.six()
            ? table.value(address.high(), address.low())
            : table.value((int) (address.high() >>> 32));
    assertThat(value).isEqualTo(match.map(PrefixTable.Match::value).orElse(null));
    return match
        .map(found -> found.prefix().replaceFirst("^[^/]*$", "$0/" + address.width()))
        .map(prefix -> prefix + " " + match.get().value());
  }

  /** Puts and removals in any order, against a plain trie. */
  @ParameterizedTest
  @CsvSource({"1, 8, false", "1, 12, true", "1.5, 20, false", "2, 8, true", "200, 10, false"})
  void updatesAndLookupsAreThoseOfATrie(double expansion, int arrayBits, boolean isSix) {
    SplittableRandom random = Seeds.random(11);
    PrefixTable table =
        PrefixTable.create(options(1).withExpansion(expansion).withArrayBits(arrayBits));
    Trie trie = new Trie();
    List<Address> put = new ArrayList<>();
    Set<Address> known = new HashSet<>();
    for (int step = 0; step < Effort.of(20_000); step++) {
      boolean removes = !put.isEmpty() && random.nextInt(5) < 2;
      if (removes) {
        Address prefix = put.remove(random.nextInt(put.size()));
        known.remove(prefix);
        assertThat(table.remove(text(prefix))).isPresent();
        trie.remove(prefix);
      } else {
        Address any = near(random, isSix);
        Address prefix = any.cut(random.nextInt(any.width() + 1));
        String value = "v" + random.nextInt(50);
        table.put(text(prefix), value);
        trie.put(prefix, value);
        if (known.add(prefix)) {
          put.add(prefix);
        }
      }
      for (int i = 0; i < 4; i++) {
        Address address = near(random, isSix);
        Optional<String> expected = expected(trie, address);
        Optional<String> actual = actual(table, address);
        if (!actual.equals(fullLength(expected, address))) {
          assertThat(actual).as("step %d, %s", step, address).isEqualTo(expected);
        }
      }
    }
    PrefixTable.Facts facts = isSix ? table.ipv6() : table.ipv4();
    assertThat(facts.prefixes()).isEqualTo(put.size());
    put.forEach(prefix -> assertThat(table.remove(text(prefix))).isPresent());
    assertThat(table.bytes()).isPositive();
    for (int i = 0; i < 1_000; i++) {
      assertThat(table.match(near(random, isSix).toString())).isEmpty();
    }
  }

  private static String text(Address prefix) {
    String text = prefix.toString();
    return text.contains("/") ? text : text + "/" + prefix.length();
  }

  private static Optional<String> fullLength(Optional<String> expected, Address address) {
    return expected.map(each -> each.replaceFirst("^([^/ ]*) ", "$1/" + address.width() + " "));
  }

  /**
   * A reader sees a prefix, or the longer one that hides it, but never what is behind both; values
   * that take the number of an earlier one never show; and nothing goes back in time.
   */
  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.0/8 10.1.2.0/24 10.1.2.3", "2001::/16 2001:db8::/46 2001:db8::7"})
  void readersSeeOneMomentOfTheTable(String names) {
    String[] each = names.split(" ", -1);
    PrefixTable table = PrefixTable.create(options(2));
    table.put(each[0], "behind");
    table.put(each[1], "shown 0");
    boolean isSix = each[0].contains(":");
    String host = each[2] + (isSix ? "/128" : "/32");
    AtomicBoolean isDone = new AtomicBoolean();
    Race.run(
        3,
        number -> {
          if (number == 0) {
            try {
              for (int i = 1; i <= Effort.of(200_000); i++) {
                table.put(host, "shown " + (2 * i - 1));
                table.remove(each[1]);
                table.put(isSix ? "3fff::/20" : "192.0.2.0/24", "other " + i);
                table.put(each[1], "shown " + 2 * i);
                table.remove(host);
                if (i % 1_000 == 0) { // now and then the tables are made again
                  for (int j = 0; j < 70; j++) {
                    String other = isSix ? "2002:%x::/48".formatted(j) : "172.16.%d.1".formatted(j);
                    table.put(other, "other");
                  }
                }
              }
            } finally {
              isDone.set(true);
            }
            return;
          }
          int last = 0;
          while (!isDone.get()) {
            String value = table.value(each[2]);
            if (value == null || !value.startsWith("shown ")) {
              throw new AssertionError("torn: " + value);
            }
            int now = Integer.parseInt(value.substring(6));
            if (now < last) {
              throw new AssertionError("back from " + last + " to " + now);
            }
            last = now;
          }
        });
  }

  /** The lengths of a routing table that lie above its array, and so the price of expansion. */
  @Test
  void expansionTakesTheFewestLengthsWithinItsLimit() {
    long[] counts = new long[33];
    int[] real = {37_608, 57_767, 47_375, 269_983, 918, 1_060, 537, 138, 292, 331, 20, 169};
    for (int i = 0; i < real.length; i++) {
      counts[21 + i] = real[i];
    }
    assertThat(LevelPlan.lengths(counts, 20, 1)).hasSize(12);
    assertThat(LevelPlan.lengths(counts, 20, 2)).containsExactly(22, 24, 32);
    assertThat(LevelPlan.lengths(counts, 20, 3)).containsExactly(24, 32);
    assertThat(LevelPlan.lengths(new long[33], 20, 1)).isEmpty();
    long[] far = new long[129];
    far[30] = 1;
    far[39] = 1;
    assertThat(LevelPlan.lengths(far, 20, 256)).containsExactly(30, 39);
  }

  /** Against all choices of levels. */
  @Test
  void noOtherLengthsNeedFewerEntries() {
    SplittableRandom random = Seeds.random(12);
    for (int round = 0; round < Effort.of(400); round++) {
      long[] counts = new long[33];
      for (int length = 21; length <= 28; length++) {
        counts[length] = random.nextInt(3) == 0 ? 0 : random.nextInt(1_000);
      }
      double prefixes = Arrays.stream(counts).sum();
      int[] chosen = LevelPlan.lengths(counts, 20, 1.5);
      double least = entries(counts, chosen);
      assertThat(least).isLessThanOrEqualTo(1.5 * prefixes);
      for (int set = 0; set < 256; set++) {
        int levels = set;
        int[] other =
            IntStream.range(21, 29).filter(length -> (levels >> (length - 21) & 1) != 0).toArray();
        double entries = entries(counts, other);
        if (other.length == chosen.length) {
          assertThat(entries).isGreaterThanOrEqualTo(least);
        } else if (other.length < chosen.length) {
          assertThat(entries).isGreaterThan(1.5 * prefixes);
        }
      }
    }
  }

  private static double entries(long[] counts, int... levels) {
    double entries = 0;
    for (int length = 0; length < counts.length; length++) {
      int found = Arrays.binarySearch(levels, length);
      int level = found < 0 ? -1 - found : found;
      if (counts[length] > 0) {
        entries +=
            level == levels.length
                ? Double.POSITIVE_INFINITY
                : Math.scalb((double) counts[length], levels[level] - length);
      }
    }
    return entries;
  }

  /**
   * The published optimum: with 8 bits per prefix a filter errs by {@code (1/2)^(8 ln 2)}, so a
   * successful lookup reads 1 + B·f tables: 1.685 with 32 lengths, 1.064 with 3 and 1.043 with 2
   * (printed as f alone in the survey of 2012).
   */
  @Test
  void equalLengthsHaveThePublishedProbes() {
    double[][] published = {{32, 1.685}, {3, 1.064}, {2, 1.043}};
    for (double[] each : published) {
      long[] entries = new long[(int) each[0]];
      Arrays.fill(entries, 5_000);
      double probes = 1 + Arrays.stream(LevelPlan.rates(entries, 8)).sum();
      assertThat(probes).isCloseTo(each[1], within(.0006));
    }
  }

  /** Rates in proportion to entries read fewest tables in vain: any other split reads more. */
  @Test
  void memoryIsDividedForTheFewestProbes() {
    SplittableRandom random = Seeds.random(13);
    long[] entries = {200_000, 350_000, 130_000, 900};
    double[] rates = LevelPlan.rates(entries, 10);
    double bits = 0;
    for (int i = 0; i < entries.length; i++) {
      bits -= entries[i] * Math.log(rates[i]) / Math.pow(Math.log(2), 2);
      assertThat(rates[i] / entries[i]).isCloseTo(rates[0] / entries[0], within(1e-12));
    }
    assertThat(bits).isCloseTo(10. * Arrays.stream(entries).sum(), within(1.));
    double least = Arrays.stream(rates).sum();
    for (int round = 0; round < 1_000; round++) {
      int from = random.nextInt(4);
      int to = (from + 1 + random.nextInt(3)) % 4;
      double moved = random.nextDouble(2_000);
      double[] other = rates.clone();
      other[from] *= Math.exp(moved * Math.pow(Math.log(2), 2) / entries[from]);
      other[to] *= Math.exp(-moved * Math.pow(Math.log(2), 2) / entries[to]);
      assertThat(Arrays.stream(other).sum()).isGreaterThanOrEqualTo(least);
    }
  }

  /** 32 lengths without expansion, as in the paper, and few with it. */
  @ParameterizedTest
  @CsvSource({"1, 32", "30, 5", "120, 4"})
  void lookupsReadAsManyTablesAsPredicted(double expansion, int lengths) {
    SplittableRandom random = Seeds.random(14);
    PrefixTable.Builder builder =
        PrefixTable.builder(PrefixOptions.standard().withBitsPerEntry(6).withExpansion(expansion));
    builder.line("2001:db8::/32 shortest");
    for (int length = 80; length < 112; length++) {
      for (int i = 0; i < 250; i++) {
        builder.line(text(under(random).cut(length)) + " longer");
      }
    }
    PrefixTable table = builder.build();
    List<PrefixTable.Length> layout = table.ipv6().lengths();
    assertThat(layout.size()).isBetween(lengths, lengths + 1); // one for the shortest
    double mean = 1;
    double variance = 0;
    for (PrefixTable.Length each : layout.subList(0, layout.size() - 1)) {
      mean += each.falsePositiveRate();
      variance += each.falsePositiveRate() * (1 - each.falsePositiveRate());
    }
    int lookups = 100_000;
    long probes = 0;
    for (int i = 0; i < lookups; i++) {
      Address address = under(random);
      assertThat(table.value(address.high(), address.low())).isEqualTo("shortest");
      probes += table.trace(address).probes();
    }
    assertThat((double) probes / lookups)
        .isCloseTo(mean, within(SIGMAS * Math.sqrt(variance / lookups)));
    assertThat(mean).isGreaterThan(1.01);
  }

  private static Address under(SplittableRandom random) {
    return new Address(
        true, 0x20010DB8_00000000L | random.nextLong() >>> 32, random.nextLong(), 128);
  }

  @Test
  void putAndRemoveSayWhatWasThere() {
    PrefixTable table = PrefixTable.create(options(3));
    assertThat(table.put("192.0.2.0/24", "a")).isEmpty();
    assertThat(table.put("192.0.2.0/24", "b")).contains("a");
    assertThat(table.put("::ffff:192.0.2.0/121", "mapped")).isEmpty();
    assertThat(table.match("192.0.2.1")).contains(new PrefixTable.Match("192.0.2.0/25", "mapped"));
    assertThat(table.value("::ffff:192.0.2.129")).isEqualTo("b");
    assertThat(table.value(0, 0xFFFF_C000_0281L)).isEqualTo("b");
    assertThat(table.remove("192.0.2.0/24")).contains("b");
    assertThat(table.remove("192.0.2.0/24")).isEmpty();
    assertThat(table.value("192.0.2.129")).isNull();
    assertThat(table.put("0.0.0.0/0", "all")).isEmpty();
    assertThat(table.match("203.0.113.9")).contains(new PrefixTable.Match("0.0.0.0/0", "all"));
    assertThat(table.value("2001:db8::1")).isNull();
    assertThat(table.put("::/0", "all six")).isEmpty();
    assertThat(table.value("2001:db8::1")).isEqualTo("all six");
  }

  @Test
  void whatDoesNotFitIsRefusedAndNothingIsLost() {
    PrefixTable table = PrefixTable.create(options(4).withMaxBytes(60_000));
    int put = 0;
    FilterFullException refused = null;
    while (refused == null) {
      try {
        table.put("10.%d.%d.0/24".formatted(put >> 8, put & 255), "net " + put % 10);
        put++;
      } catch (FilterFullException e) {
        refused = e;
      }
    }
    assertThat(refused).hasMessageContaining("maxBytes allows 60000");
    assertThat(table.ipv4().prefixes()).isEqualTo(put);
    assertThat(table.ipv4().bytes()).isLessThanOrEqualTo(60_000);
    for (int i = 0; i < put; i++) {
      assertThat(table.value("10.%d.%d.7".formatted(i >> 8, i & 255))).isEqualTo("net " + i % 10);
    }
    assertThat(table.value("10.%d.%d.7".formatted(put >> 8, put & 255))).isNull();
    assertThat(table.put("10.0.0.0/24", "net 1")).contains("net 0"); // needs no more memory
  }

  @Test
  void optionsOutOfRangeAreRefused() {
    PrefixOptions standard = PrefixOptions.standard();
    assertThatThrownBy(() -> standard.withArrayBits(25))
        .hasMessage("arrayBits = 25 is out of its range");
    assertThatThrownBy(() -> standard.withBitsPerEntry(0.5)).hasMessageContaining("bitsPerEntry");
    assertThatThrownBy(() -> standard.withExpansion(Double.NaN)).hasMessageContaining("expansion");
    assertThatThrownBy(() -> standard.withMaxBytes(0)).hasMessageContaining("maxBytes");
    PrefixTable table = PrefixTable.create(standard);
    for (String bad : List.of("192.0.2.1/24", "192.0.2.0/33", "192.0.2.0/", "::/129", "x", "")) {
      assertThatThrownBy(() -> table.put(bad, "value"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + bad + "'");
    }
    assertThatThrownBy(() -> table.value("192.0.2")).hasMessage("'192.0.2' is not an IP address");
  }
}
