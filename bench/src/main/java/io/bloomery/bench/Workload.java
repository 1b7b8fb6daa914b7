package io.bloomery.bench;

import java.util.Arrays;
import java.util.Locale;

/** What is measured: which keys, how many, at which rate. */
enum Workload {
  /** The main table. */
  LONG("long", "`long` keys, {}, 1 %", 10_000_000, 0.01, 1 << 20, "1g"),
  /** The same at a tenth of the rate. */
  RARE("rare", "`long` keys, {}, 0.1 %", 10_000_000, 0.001, 1 << 20, "1g"),
  /** A filter that no cache holds. */
  LARGE("large", "`long` keys, {}, 1 %", 100_000_000, 0.01, 1 << 22, "4g"),
  /** Qiao, Li and Chen's filters, in an array that no cache holds. */
  ACCESSES(
      "accesses",
      "`long` keys, {} at load .1 (10 bits per key), by memory accesses",
      50_000_000,
      0.01,
      1 << 22,
      "3g"),
  /** Keys that are not equally popular, in a filter that the cache holds. */
  POPULAR("popular", "`long` keys, {}, 1 % by Zipf's law", 200_000, 0.01),
  /** Text keys. */
  STRING("string", "`String` keys (URLs of 30–60 characters), {}, 1 %", 1_000_000, 0.01),
  /** Short byte strings. */
  BYTES("bytes", "`byte[16]` keys, {}, 1 %", 1_000_000, 0.01),
  /** Payloads of packets: a build adds them, a query is an excerpt of 100 bytes. */
  PAYLOADS("payloads", "payloads of 1,460 bytes, {}, 1 % per lookup", 40_000, 0.01, 1 << 10, "1g"),
  /** Two sets: a build encodes one, a query decodes a difference of 1,000 keys. */
  SYNC("sync", "`long` keys, {} to encode, 1,000 to decode", 1_000_000, 0.01, 1 << 6, "1g"),
  /** Filters with deletes, of fingerprints. */
  DELETE("delete", "`long` keys with deletes, {}, 0.2 %", 10_000_000, 0.002),
  /** Filters that take keys one at a time, all in the memory of a full cuckoo filter. */
  INSERTS("inserts", "`long` keys, {}, in equal memory", 10_000_000, 0.0039),
  /** Filters with deletes, of counters. */
  COUNTING("counting", "`long` keys with deletes, {}, 1 %", 10_000_000, 0.01),
  /** Filters that start at 1,000 keys. */
  GROWTH("growth", "`long` keys, from 1,000 to {}, 1 %", 10_000_000, 0.01),
  /** Events in a window: a build queries each key, then adds it. */
  RECENT("recent", "events with `long` keys, {} in the window, 1 %", 10_000_000, 0.01),
  /** Counts instead of answers. */
  COUNTS("counts", "counts of `long` keys, {}, 5 rows", 10_000_000, 0.01),
  /** Filters that are built once. */
  STATIC("static", "`long` keys, all known, {}, 0.4 %", 10_000_000, 1 / 256.0, 1 << 20, "2g"),
  /** Words looked up with the help of a server, which does not learn them. */
  OBLIVIOUS("oblivious", "oblivious queries, {} words, 1 %", 2_000, 0.01, 1 << 8, "1g"),
  /** One filter shared by two threads. */
  THREADS("threads", "one shared filter, `long` keys, {}, 1 %", 10_000_000, 0.01);

  private final String id;
  private final String title;
  private final int keys;
  private final double rate;
  private final int queries;
  private final String heap;

  Workload(String id, String title, int keys, double rate) {
    this(id, title, keys, rate, 1 << 20, "1g");
  }

  Workload(String id, String title, int keys, double rate, int queries, String heap) {
    this.id = id;
    this.title = title;
    this.keys = keys;
    this.rate = rate;
    this.queries = queries;
    this.heap = heap;
  }

  static Workload of(String id) {
    return Arrays.stream(values())
        .filter(workload -> workload.id.equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no workload is called " + id));
  }

  /** The word that selects it on the command line and names it in result files. */
  String id() {
    return id;
  }

  /** What is measured, and with how many keys. */
  String title(int count) {
    boolean millions = count >= 1_000_000 && count % 1_000_000 == 0;
    String text =
        millions ? count / 1_000_000 + " million" : String.format(Locale.ROOT, "%,d", count);
    return title.replace("{}", text);
  }

  /** How many keys are added. */
  int keys() {
    return keys;
  }

  double rate() {
    return rate;
  }

  /** How many distinct keys one pass asks for. */
  int queries() {
    return queries;
  }

  /** The fork's heap, as {@code -Xms} and {@code -Xmx} take it. */
  String heap() {
    return heap;
  }
}
