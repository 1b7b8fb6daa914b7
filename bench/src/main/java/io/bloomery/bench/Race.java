package io.bloomery.bench;

import io.bloomery.AddableFilter;
import io.bloomery.deletable.CuckooFilter;
import io.bloomery.deletable.PrefixFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.weighted.PopularityBloomFilter;
import io.bloomery.weighted.WeightedBloomFilter;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Filters that take turns in one JVM, round after round, so that whatever the machine does in
 * between concerns all of them: for ratios that forks, minutes apart, cannot tell. Each ratio is
 * the median of those of the rounds.
 */
final class Race {

  private static final int WARM_UPS = 3;
  private static final int CHUNK = LongSubject.CHUNK;
  private static final int CACHED_KEYS = 200_000;
  private static final int MANY_KEYS = 10_000_000;
  private static final double RATE = 0.01;

  /** Of one filter, in this order. */
  private static final List<String> FIGURES = List.of("add", "addHashes", "positive", "negative");

  /** Loops over the keys of one filter. */
  interface Loops {
    /** Adds keys and returns how many were new. */
    int add(AddableFilter filter, long[] keys, int from, int to);

    /** Asks for keys and returns how many were found. */
    int ask(AddableFilter filter, long[] keys, int from, int to);
  }

  /** One that takes part. */
  private static final class Entry {
    private final String name;
    private final Supplier<? extends AddableFilter> maker;
    private final Loops loops = FilterLoops.anew();
    private final long[] hashes = new long[CHUNK];
    private AddableFilter filter;
    private int hits;

    Entry(String name, Supplier<? extends AddableFilter> maker) {
      this.name = name;
      this.maker = maker;
    }

    /** Nanoseconds for each key of a pass. */
    double time(String figure, long[] present, long[] absent) {
      if (figure.startsWith("add")) {
        filter = maker.get();
      }
      long[] keys = figure.equals("negative") ? absent : present;
      long start = ThreadClock.nanos();
      int yes = 0;
      for (int from = 0; from < keys.length; from += CHUNK) {
        int to = Math.min(from + CHUNK, keys.length);
        switch (figure) {
          case "add" -> yes += loops.add(filter, keys, from, to);
          case "addHashes" -> addHashes(keys, from, to);
          default -> yes += loops.ask(filter, keys, from, to);
        }
      }
      double nanos = (double) (ThreadClock.nanos() - start) / keys.length;
      if (figure.equals("positive") && yes < keys.length) {
        throw new IllegalStateException(name + " has lost " + (keys.length - yes) + " keys");
      }
      hits = yes;
      return nanos;
    }

    private void addHashes(long[] keys, int from, int to) {
      Hasher hasher = filter.hasher();
      for (int i = from; i < to; i++) {
        hashes[i - from] = hasher.hash(keys[i]);
      }
      filter.addHashes(hashes, 0, to - from);
    }
  }

  private final String title;
  private final List<Entry> entries;
  private final int keys;
  private final int rounds;
  private final double[][][] nanos;
  private final double[] rates;

  private Race(String title, List<Entry> entries, int keys, int rounds) {
    this.title = title;
    this.entries = entries;
    this.keys = keys;
    this.rounds = rounds;
    this.nanos = new double[entries.size()][FIGURES.size()][rounds];
    this.rates = new double[entries.size()];
  }

  /** Runs one race or both, with 200,000 and with 10 million keys or as many as are given. */
  static void runAll(String which, int keys, int rounds, PrintStream out) {
    out.println(Machine.describe());
    if (!Boolean.getBoolean(MixedJvm.ALONE)) {
      MixedJvm.warmUp();
    }
    for (int n : keys == 0 ? new int[] {CACHED_KEYS, MANY_KEYS} : new int[] {keys}) {
      int times = rounds > 0 ? rounds : n > 1_000_000 ? 7 : 101;
      if (!which.equals("weighted")) {
        new Race("in equal memory", inserts(n), n, times).run(out);
      }
      // Finding the classes of millions of keys takes minutes.
      if (n <= Math.max(keys, CACHED_KEYS) && !which.equals("inserts")) {
        new Race("1 % by Zipf's law", weighted(n), n, times).run(out);
      }
    }
  }

  private static List<Entry> inserts(int n) {
    CuckooFilter cuckoo = Rows.cuckooAtFullLoad(n);
    PrefixFilter prefix = Rows.prefixAsLarge(n);
    BlockedBloomFilter blocked = Rows.blockedAsLarge(n);
    return List.of(
        new Entry("Cuckoo 11", () -> CuckooFilter.create(cuckoo.shape())),
        new Entry("Prefix", () -> PrefixFilter.create(prefix.shape())),
        new Entry("Blocked 512", blocked::copy));
  }

  private static List<Entry> weighted(int n) {
    BloomFilter bloom = BloomFilter.create(n, RATE);
    WeightedBloomFilter weighted = Rows.weighted(n, RATE);
    PopularityBloomFilter popularity = Rows.popularity(n, RATE);
    return List.of(
        new Entry("Bloom", bloom::copy),
        new Entry("Weighted", weighted::copy),
        new Entry("Popularity", popularity::copy));
  }

  private void run(PrintStream out) {
    for (int round = -WARM_UPS; round < rounds; round++) {
      int seed = round + WARM_UPS;
      long[] present = Keys.range(seed, 0, keys);
      long[] absent = Keys.range(seed, keys, keys);
      for (int figure = 0; figure < FIGURES.size(); figure++) {
        for (int i = 0; i < entries.size(); i++) {
          // Each is the first in its turn.
          int next = Math.floorMod(i + round, entries.size());
          Entry entry = entries.get(next);
          double time = entry.time(FIGURES.get(figure), present, absent);
          if (round >= 0) {
            nanos[next][figure][round] = time;
            rates[next] += FIGURES.get(figure).equals("negative") ? entry.hits : 0;
          }
        }
      }
    }
    print(out);
  }

  private void print(PrintStream out) {
    String first = entries.get(0).name;
    out.printf(
        Locale.ROOT,
        "%n`long` keys, %,d, %s; %d rounds in one JVM; ns, median (least), times as fast as %s%n%n",
        keys,
        title,
        rounds,
        first);
    out.println("| filter | bits/key | rate % | " + String.join(" | ", FIGURES) + " |");
    out.println("|:--|--:|--:|--:|--:|--:|--:|");
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      double bits = (double) entry.filter.sizeInBits() / keys;
      out.printf(
          Locale.ROOT, "| %s | %.2f | %.3f |", entry.name, bits, 100 * rates[i] / keys / rounds);
      for (int figure = 0; figure < FIGURES.size(); figure++) {
        double[] own = nanos[i][figure];
        double[] ratios = new double[rounds];
        for (int round = 0; round < rounds; round++) {
          ratios[round] = nanos[0][figure][round] / own[round];
        }
        double ratio = Measurement.median(ratios);
        out.printf(
            Locale.ROOT,
            " %.1f (%.1f) × %.2f |",
            Measurement.median(own),
            Arrays.stream(own).min().orElseThrow(),
            ratio);
      }
      out.println();
    }
  }
}
