package io.bloomery.bench;

import io.bloomery.AddableFilter;
import io.bloomery.hash.Hasher;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Adds, queries and bulk adds on one shared filter by one thread and by two, each doing its share
 * of the same keys. After every parallel build all keys must be found.
 */
final class ThreadMeasurement implements Measurement {

  private static final int BULK_CHUNK = 1 << 13;

  private final LongSubject.Filling subject;
  private final Settings settings;
  private final long[] keys;
  private final long[] absent;
  private final long[] hashes;
  private final ExecutorService workers =
      Executors.newFixedThreadPool(
          2,
          task -> {
            Thread thread = new Thread(task, "worker");
            thread.setDaemon(true);
            return thread;
          });

  ThreadMeasurement(LongSubject.Filling subject, Settings settings) {
    this.subject = subject;
    this.settings = settings;
    keys = Keys.range(settings.seed(), 0, settings.keys());
    absent = Keys.range(settings.seed(), settings.keys(), 4 * settings.queries());
    subject.create(settings.keys(), settings.rate());
    hashes = subject instanceof OurLongs ours ? hash(ours.filter().hasher()) : new long[0];
  }

  private long[] hash(Hasher hasher) {
    long[] result = new long[keys.length];
    for (int i = 0; i < keys.length; i++) {
      result[i] = hasher.hash(keys[i]);
    }
    return result;
  }

  @Override
  public void measure(Figures figures, Blackhole blackhole) {
    figures.clear();
    figures.bits = (double) subject.sizeInBits() / settings.keys();
    figures.adds1 = adds(1);
    figures.adds2 = adds(2);
    Measurement.checkFound(subject.count(keys, 0, keys.length), keys.length);
    figures.queries1 = queries(1, blackhole);
    figures.queries2 = queries(2, blackhole);
    if (subject instanceof OurLongs ours) {
      figures.bulk1 = bulk(ours, 1);
      figures.bulk2 = bulk(ours, 2);
      Measurement.checkFound(subject.count(keys, 0, keys.length), keys.length);
    }
  }

  private double adds(int threads) {
    subject.create(settings.keys(), settings.rate());
    return share(threads, keys.length, (from, to) -> subject.addAll(keys, from, to));
  }

  private double queries(int threads, Blackhole blackhole) {
    int[] hits = new int[2];
    double time =
        share(
            threads,
            absent.length,
            (from, to) -> hits[from == 0 ? 0 : 1] = subject.count(absent, from, to));
    blackhole.consume(hits);
    return time;
  }

  private double bulk(OurLongs ours, int threads) {
    ours.create(settings.keys(), settings.rate());
    AddableFilter filter = ours.filter();
    return share(
        threads,
        hashes.length,
        (from, to) -> {
          for (int start = from; start < to; start += BULK_CHUNK) {
            filter.addHashes(hashes, start, Math.min(start + BULK_CHUNK, to));
          }
        });
  }

  /** A part of the work. */
  private interface Part {
    void run(int from, int to);
  }

  /** Wall time per item when the items are divided among some threads. */
  private double share(int threads, int items, Part part) {
    List<Future<?>> futures = new ArrayList<>();
    long start = System.nanoTime();
    for (int i = 0; i < threads; i++) {
      int from = (int) ((long) items * i / threads);
      int to = (int) (items * (i + 1L) / threads);
      futures.add(workers.submit(() -> part.run(from, to)));
    }
    try {
      for (Future<?> future : futures) {
        future.get();
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException("a worker failed", e);
    }
    return (double) (System.nanoTime() - start) / items;
  }
}
