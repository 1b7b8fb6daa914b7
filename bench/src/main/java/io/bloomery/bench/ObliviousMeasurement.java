package io.bloomery.bench;

import io.bloomery.hash.Hasher;
import io.bloomery.membership.BloomShape;
import io.bloomery.secure.ObliviousFilter;
import io.bloomery.secure.ObliviousKey;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Oblivious queries; a row counts the time of one side. Both sides alternate in one thread, without
 * a network. A batch has {@link #BATCH} words, with one proof for all.
 */
final class ObliviousMeasurement implements Measurement {

  static final String CLIENT = "Oblivious client";
  static final String SERVER = "Oblivious server";

  private static final int BATCH = 64;

  private final Settings settings;
  private final boolean clientSide;
  private final ObliviousFilter.Server server =
      ObliviousFilter.Server.create(ObliviousKey.generate(), Long.MAX_VALUE);
  private final ObliviousFilter filter;
  private final ObliviousFilter.Client client;
  private final List<byte[]> present;
  private final List<byte[]> absent;
  private final double build;
  private final double rate;
  private long clientNanos;
  private long serverNanos;

  ObliviousMeasurement(String row, Settings settings) {
    this.settings = settings;
    this.clientSide = row.equals(CLIENT);
    List<byte[]> words = words(0, settings.keys());
    this.present = words.subList(0, Math.min(settings.queries(), words.size()));
    this.absent = words(settings.keys(), settings.queries());
    BloomShape shape = BloomShape.forKeys(settings.keys(), settings.rate());
    long start = ThreadClock.nanos();
    this.filter = server.filter(words, shape, Hasher.xxh3());
    this.build = (double) (ThreadClock.nanos() - start) / words.size();
    this.client = ObliviousFilter.Client.of(filter);
    this.rate = (double) count(absent, 1) / absent.size();
  }

  private List<byte[]> words(int from, int count) {
    List<byte[]> words = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      words.add(Keys.bytes16(Keys.at(settings.seed(), (long) from + i)));
    }
    return words;
  }

  /** Looks up words, several in one exchange, while both sides' clocks run. */
  private int count(List<byte[]> words, int batch) {
    int hits = 0;
    for (int i = 0; i < words.size(); i += batch) {
      List<byte[]> some = words.subList(i, Math.min(i + batch, words.size()));
      long start = ThreadClock.nanos();
      ObliviousFilter.Query query = client.ask(some);
      byte[] request = query.request();
      long asked = ThreadClock.nanos();
      byte[] response = server.evaluate("bench", request);
      long evaluated = ThreadClock.nanos();
      for (boolean found : query.answers(response)) {
        hits += found ? 1 : 0;
      }
      clientNanos += asked - start + (ThreadClock.nanos() - evaluated);
      serverNanos += evaluated - asked;
    }
    return hits;
  }

  /** What the row's side took per word since the last call. */
  private double perWord(int words) {
    double nanos = (double) (clientSide ? clientNanos : serverNanos) / words;
    clientNanos = 0;
    serverNanos = 0;
    return nanos;
  }

  @Override
  public void measure(Figures figures, Blackhole blackhole) {
    figures.clear();
    double positive = 0;
    double negative = 0;
    double batch = 0;
    int passes = 0;
    perWord(1);
    long begin = ThreadClock.nanos();
    do {
      Measurement.checkFound(count(present, 1), present.size());
      positive += perWord(present.size());
      blackhole.consume(count(absent, 1));
      negative += perWord(absent.size());
      blackhole.consume(count(absent, BATCH));
      batch += perWord(absent.size());
      passes++;
    } while (ThreadClock.nanos() - begin < settings.passNanos());
    figures.positive = positive / passes;
    figures.negative = negative / passes;
    figures.batch = batch / passes;
    figures.build = build;
    figures.rate = rate;
    figures.bits = (double) filter.sizeInBits() / settings.keys();
  }
}
