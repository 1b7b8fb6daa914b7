package io.bloomery.net.match;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.testkit.Seeds;
import io.bloomery.tools.input.KeyStreams;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two tables of the Internet, and the answers of pyasn for one of them. */
final class RoutesTest {

  private static final Path DATA = Path.of("src/test/resources/routes");
  private static final String FOUR = "ipv4-prefix-as-20140513.dat.xz";
  private static final String SIX = "ipv6-prefix-as-20151101.tsv.xz";

  @TempDir private Path directory;

  private static List<String> lines(String file) throws IOException {
    try (KeyStreams streams = new KeyStreams(DATA.resolve(file), bytes -> {});
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(Objects.requireNonNull(streams.next(), "the file"), UTF_8))) {
      return in.lines().toList();
    }
  }

  private static PrefixTable table(List<String> lines) {
    PrefixTable.Builder builder = PrefixTable.builder(PrefixOptions.standard());
    lines.forEach(builder::line);
    return builder.build();
  }

  private static Trie trie(List<String> lines) {
    Trie trie = new Trie();
    for (String line : lines) {
      if (!line.isEmpty() && line.charAt(0) != ';') {
        String[] fields = line.split("\t", -1);
        trie.put(Address.prefix(fields[0], 0, fields[0].length()), fields[1]);
      }
    }
    return trie;
  }

  @Test
  void theAnswersOfPyasn() throws IOException {
    PrefixTable table = table(lines(FOUR));
    assertThat(table.ipv4().prefixes()).isEqualTo(512_490);
    List<String> lookups = lines("lpm-lookups-20140513.tsv.xz");
    assertThat(lookups).hasSize(5_001);
    for (String line : lookups.subList(1, lookups.size())) {
      String[] fields = line.split("\t", -1);
      String answer =
          table.match(fields[0]).map(found -> found.value() + " " + found.prefix()).orElse("- -");
      assertThat(answer).as(fields[0]).isEqualTo(fields[1] + " " + fields[2]);
    }
    assertThat(table.bytes()).isLessThan(27_000_000);
    Path file = directory.resolve("routes.bpfx");
    table.writeTo(file);
    assertThat(Files.size(file)).isEqualTo(3_497_082);
    PrefixTable again = PrefixTable.open(file, PrefixOptions.standard());
    assertThat(again.ipv4().prefixes()).isEqualTo(512_490);
    for (String line : lookups.subList(1, lookups.size())) {
      String[] fields = line.split("\t", -1);
      String value = again.value(fields[0]);
      assertThat(value == null ? "-" : value).isEqualTo(fields[1]);
    }
    again.writeTo(directory.resolve("again.bpfx"));
    assertThat(directory.resolve("again.bpfx")).hasSameBinaryContentAs(file);
  }

  @Test
  void randomAddressesAreThoseOfATrie() throws IOException {
    compare(100_000);
  }

  @Test
  @Tag("long")
  void aMillionRandomAddressesAreThoseOfATrie() throws IOException {
    compare(1_000_000);
  }

  private static void compare(int lookups) throws IOException {
    for (String file : List.of(FOUR, SIX)) {
      List<String> lines = lines(file);
      PrefixTable table = table(lines);
      Trie trie = trie(lines);
      List<Address> prefixes = prefixes(lines);
      SplittableRandom random = Seeds.random(21);
      for (int i = 0; i < lookups; i++) {
        Address prefix = prefixes.get(random.nextInt(prefixes.size()));
        Address address = address(random, prefix, i % 2 == 0 ? prefix.length() : 3);
        String expected = trie.find(address);
        String actual =
            table
                .match(address.toString())
                .map(
                    found ->
                        Address.prefix(found.prefix(), 0, found.prefix().length()).length()
                            + " "
                            + found.value())
                .orElse(null);
        if (!Objects.equals(actual, expected)) {
          assertThat(actual).as(address.toString()).isEqualTo(expected);
        }
      }
    }
  }

  private static List<Address> prefixes(List<String> lines) {
    return lines.stream()
        .filter(line -> !line.isEmpty() && line.charAt(0) != ';')
        .map(line -> Address.prefix(line, 0, line.indexOf('\t')))
        .toList();
  }

  /** A random address with the first bits of another. */
  private static Address address(SplittableRandom random, Address other, int length) {
    long high = random.nextLong() & ~Level.highMask(length);
    long low = random.nextLong() & ~Level.lowMask(length);
    return new Address(
        other.six(),
        ((other.high() & Level.highMask(length)) | high) & (other.six() ? -1 : Level.highMask(32)),
        other.six() ? (other.low() & Level.lowMask(length)) | low : 0,
        other.width());
  }

  /**
   * Tables read in vain by random addresses of a table of the Internet: each key that a filter is
   * asked for and that is no prefix is one draw, however many addresses begin with it.
   */
  @Test
  void probesInVainAreAsPredicted() throws IOException {
    List<String> lines = lines(FOUR);
    PrefixTable.Builder builder = PrefixTable.builder(PrefixOptions.standard().withBitsPerEntry(5));
    lines.forEach(builder::line);
    PrefixTable table = builder.build();
    List<Address> prefixes = prefixes(lines);
    List<PrefixTable.Length> layout = table.ipv4().lengths();
    SplittableRandom random = Seeds.random(22);
    Map<Long, Integer> draws = new HashMap<>();
    double expected = 0;
    long probes = 0;
    long found = 0;
    int lookups = 200_000;
    for (int i = 0; i < lookups; i++) {
      Address prefix = prefixes.get(random.nextInt(prefixes.size()));
      Address address = address(random, prefix, prefix.length());
      Family.Trace trace = table.trace(address);
      probes += trace.probes();
      found += trace.isFound() ? 1 : 0;
      for (int level = 0; level < layout.size(); level++) {
        if ((trace.missed() >> level & 1) != 0) {
          long key = address.cut(layout.get(level).bits()).high() | level;
          draws.merge(key, 1, Integer::sum);
          expected += layout.get(level).falsePositiveRate();
        }
      }
    }
    double variance = 0;
    for (Map.Entry<Long, Integer> draw : draws.entrySet()) {
      double rate = layout.get((int) (draw.getKey() & 7)).falsePositiveRate();
      variance += (double) draw.getValue() * draw.getValue() * rate * (1 - rate);
    }
    assertThat((double) probes - found).isCloseTo(expected, within(5 * Math.sqrt(variance)));
    assertThat(expected).isGreaterThan(100);
  }
}
