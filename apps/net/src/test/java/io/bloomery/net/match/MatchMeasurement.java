package io.bloomery.net.match;

import inet.ipaddr.IPAddressString;
import inet.ipaddr.ipv4.IPv4Address;
import inet.ipaddr.ipv4.IPv4AddressAssociativeTrie;
import inet.ipaddr.ipv6.IPv6Address;
import inet.ipaddr.ipv6.IPv6AddressAssociativeTrie;
import io.bloomery.testkit.Seeds;
import io.bloomery.tools.input.KeyStreams;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Compares {@link PrefixTable} with the trie of {@code com.github.seancfoley:ipaddress} and with a
 * {@link FlatTrie}, in one run, by the CPU time of this thread: bench/net-match. Each figure is the
 * least of all rounds, in which the subjects take turns; memory is what the heap grows by.
 */
final class MatchMeasurement {

  private static final Path DATA = Path.of("apps/net/src/test/resources/routes");
  private static final int QUERIES = 1 << 18;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static long sink; // keeps answers alive

  /** Looks up all addresses of a sample and returns how many have a prefix. */
  private interface Lookups {
    int run(int sample);
  }

  private static final class Subject {
    private final String name;
    private final Lookups lookups;
    private final long heap;
    private final double seconds;
    private final double[] nanos = {Double.MAX_VALUE, Double.MAX_VALUE};
    private final int[] found = new int[2];

    Subject(String name, Supplier<Lookups> build) {
      this.name = name;
      long before = used();
      long start = THREADS.getCurrentThreadCpuTime();
      lookups = build.get();
      seconds = (THREADS.getCurrentThreadCpuTime() - start) / 1e9;
      heap = used() - before;
    }

    void round() {
      for (int sample = 0; sample < 2; sample++) {
        long start = THREADS.getCurrentThreadCpuTime();
        found[sample] = lookups.run(sample);
        double each = (THREADS.getCurrentThreadCpuTime() - start) / (double) QUERIES;
        nanos[sample] = Math.min(nanos[sample], each);
        sink += found[sample];
      }
    }

    String row(Subject slowest) {
      return "| %s | %.1f MB | %.2f s | %.0f ns | %.0f ns | %.1f million | %.0f | %.0f |"
          .formatted(
              name,
              heap / 1e6,
              seconds,
              nanos[0],
              nanos[1],
              1e3 / nanos[1],
              slowest.nanos[1] / nanos[1],
              (double) slowest.heap / heap);
    }
  }

  private MatchMeasurement() {}

  private static long used() {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  /** Takes the number of rounds. */
  public static void main(String[] args) throws IOException {
    int rounds = args.length == 0 ? 7 : Integer.parseInt(args[0]);
    System.out.printf(
        "Java %s, %d processors, load %.1f, %d rounds%n",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        rounds);
    measure("ipv4-prefix-as-20140513.dat.xz", rounds);
    measure("ipv6-prefix-as-20151101.tsv.xz", rounds);
    if (sink == 0) {
      throw new IllegalStateException("nothing was found");
    }
  }

  private static void measure(String file, int rounds) throws IOException {
    List<String[]> routes = routes(file);
    List<Address> prefixes = new ArrayList<>();
    Map<String, Integer> numbers = new HashMap<>();
    int[] values = new int[routes.size()];
    for (int i = 0; i < values.length; i++) {
      prefixes.add(Address.prefix(routes.get(i)[0], 0, routes.get(i)[0].length()));
      values[i] = numbers.computeIfAbsent(routes.get(i)[1], any -> numbers.size() + 1);
    }
    boolean isSix = prefixes.get(0).six();
    long[][] high = new long[2][QUERIES];
    long[][] low = new long[2][QUERIES];
    SplittableRandom random = Seeds.random(7);
    for (int sample = 0; sample < 2; sample++) {
      for (int i = 0; i < QUERIES; i++) {
        Address prefix = prefixes.get(random.nextInt(values.length));
        int length = sample == 1 ? prefix.length() : isSix ? 3 : 0;
        long highMask = Level.highMask(length);
        long lowMask = Level.lowMask(length);
        high[sample][i] = (prefix.high() & highMask) | (random.nextLong() & ~highMask);
        low[sample][i] = (prefix.low() & lowMask) | (random.nextLong() & ~lowMask);
      }
    }
    List<Subject> subjects = new ArrayList<>();
    subjects.add(
        new Subject(
            "ipaddress 5.6.2",
            () -> isSix ? theirsSix(routes, high, low) : theirsFour(routes, high)));
    PrefixTable[] table = new PrefixTable[1];
    subjects.add(
        new Subject(
            "PrefixTable",
            () -> {
              table[0] = table(routes);
              return ours(table[0], isSix, high, low);
            }));
    subjects.add(
        new Subject(
            "flat trie 16-8-8-…",
            () -> {
              FlatTrie trie = new FlatTrie(prefixes, values);
              return flat(trie, isSix, high, low);
            }));
    for (int round = 0; round < rounds; round++) {
      subjects.forEach(Subject::round);
    }
    for (Subject subject : subjects) {
      for (int sample = 0; sample < 2; sample++) {
        if (subject.found[sample] != subjects.get(0).found[sample]) {
          throw new IllegalStateException(subject.name + " found another number of addresses");
        }
      }
    }
    System.out.printf(
        "%n%s: %,d prefixes; %,d random addresses, %.0f %% with a prefix, and as many of random"
            + " prefixes%n%n",
        file, values.length, QUERIES, 100. * subjects.get(0).found[0] / QUERIES);
    System.out.println(
        "| | memory | made in | random address | address of a prefix | of these per second"
            + " | times the speed | times less memory |");
    System.out.println("|---|---|---|---|---|---|---|---|");
    subjects.forEach(subject -> System.out.println(subject.row(subjects.get(0))));
    probes(table[0], isSix, high[1], low[1]);
  }

  private static void probes(PrefixTable table, boolean isSix, long[] high, long... low) {
    PrefixTable.Facts facts = isSix ? table.ipv6() : table.ipv4();
    long probes = 0;
    double predicted = 0;
    for (int i = 0; i < QUERIES; i++) {
      long first = isSix ? high[i] : high[i] & Level.highMask(32);
      Family.Trace trace = table.trace(new Address(isSix, first, low[i], isSix ? 128 : 32));
      probes += trace.probes();
      predicted += trace.isFound() ? 1 : 0;
      for (int level = 0; level < facts.lengths().size(); level++) {
        boolean isMissed = (trace.missed() >> level & 1) != 0;
        predicted += isMissed ? facts.lengths().get(level).falsePositiveRate() : 0;
      }
    }
    System.out.printf(
        "%nlengths %s, array %d bits, %,d bytes with values; %.4f tables read per lookup of an"
            + " address of a prefix, %.4f predicted%n",
        facts.lengths().stream().map(PrefixTable.Length::bits).toList(),
        facts.arrayBits(),
        table.bytes(),
        (double) probes / QUERIES,
        predicted / QUERIES);
  }

  private static List<String[]> routes(String file) throws IOException {
    try (KeyStreams streams = new KeyStreams(DATA.resolve(file), bytes -> {});
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(
                    Objects.requireNonNull(streams.next(), "the file"), StandardCharsets.UTF_8))) {
      return in.lines()
          .filter(line -> !line.isEmpty() && line.charAt(0) != ';')
          .map(line -> line.split("\t", -1))
          .toList();
    }
  }

  private static PrefixTable table(List<String[]> routes) {
    PrefixTable.Builder builder = PrefixTable.builder(PrefixOptions.standard());
    routes.forEach(route -> builder.line(route[0] + "\t" + route[1]));
    return builder.build();
  }

  private static Lookups ours(PrefixTable table, boolean isSix, long[][] high, long[]... low) {
    return sample -> {
      int found = 0;
      for (int i = 0; i < QUERIES; i++) {
        String value =
            isSix
                ? table.value(high[sample][i], low[sample][i])
                : table.value((int) (high[sample][i] >>> Integer.SIZE));
        found += value == null ? 0 : 1;
      }
      return found;
    };
  }

  private static Lookups flat(FlatTrie trie, boolean isSix, long[][] high, long[]... low) {
    return sample -> {
      int found = 0;
      for (int i = 0; i < QUERIES; i++) {
        int value =
            isSix
                ? trie.find(high[sample][i], low[sample][i])
                : trie.find((int) (high[sample][i] >>> Integer.SIZE));
        found += value == 0 ? 0 : 1;
      }
      return found;
    };
  }

  /** A lookup begins with the bits of an address, as those of the others do. */
  private static Lookups theirsFour(List<String[]> routes, long[]... high) {
    IPv4AddressAssociativeTrie<String> trie = new IPv4AddressAssociativeTrie<>();
    for (String[] route : routes) {
      trie.put(new IPAddressString(route[0]).getAddress().toIPv4(), route[1]);
    }
    return sample -> {
      int found = 0;
      for (int i = 0; i < QUERIES; i++) {
        IPv4Address address = new IPv4Address((int) (high[sample][i] >>> Integer.SIZE));
        found += trie.longestPrefixMatchNode(address) == null ? 0 : 1;
      }
      return found;
    };
  }

  private static Lookups theirsSix(List<String[]> routes, long[][] high, long[]... low) {
    IPv6AddressAssociativeTrie<String> trie = new IPv6AddressAssociativeTrie<>();
    for (String[] route : routes) {
      trie.put(new IPAddressString(route[0]).getAddress().toIPv6(), route[1]);
    }
    return sample -> {
      int found = 0;
      for (int i = 0; i < QUERIES; i++) {
        byte[] bytes =
            ByteBuffer.allocate(16).putLong(high[sample][i]).putLong(low[sample][i]).array();
        IPv6Address address = new IPv6Address(bytes);
        found += trie.longestPrefixMatchNode(address) == null ? 0 : 1;
      }
      return found;
    };
  }
}
