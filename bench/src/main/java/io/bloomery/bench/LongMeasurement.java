package io.bloomery.bench;

import org.openjdk.jmh.infra.Blackhole;

/** Build, positive, negative and batch queries of {@code long} keys by one thread. */
final class LongMeasurement implements Measurement {

  private static final int WARM_UP_STEP = 1 << 16;

  private final LongSubject subject;
  private final Settings settings;
  private final long[] present;
  private final long[] absent;
  private double build = Figures.ABSENT;
  private double adds = Figures.ABSENT;
  private double rate = Figures.ABSENT;

  LongMeasurement(LongSubject subject, Settings settings) {
    this.subject = subject;
    this.settings = settings;
    long[] keys = Keys.range(settings.seed(), 0, settings.keys());
    present = new long[Math.min(settings.queries(), keys.length)];
    int[] sample = Keys.sample(settings.seed(), keys.length, present.length);
    for (int i = 0; i < present.length; i++) {
      present[i] = keys[sample[i]];
    }
    absent = Keys.range(settings.seed(), keys.length, settings.queries());
    if (subject instanceof LongSubject.Filling filling) {
      build(filling, keys);
      rate = rate();
    } else {
      subject.create(keys.length, settings.rate());
    }
  }

  private void build(LongSubject.Filling filling, long[] keys) {
    warmUpAdds(filling, keys);
    double[] builds = new double[settings.builds()];
    double[] fills = new double[settings.builds()];
    for (int i = 0; i < builds.length; i++) {
      long start = ThreadClock.nanos();
      subject.create(keys.length, settings.rate());
      long created = ThreadClock.nanos();
      filling.addAll(keys, 0, keys.length);
      finish();
      long end = ThreadClock.nanos();
      builds[i] = (double) (end - start) / keys.length;
      fills[i] = (double) (end - created) / keys.length;
    }
    build = Measurement.median(builds);
    adds = Measurement.median(fills);
  }

  /** Adds fresh keys to filters of the real size for a while. */
  private void warmUpAdds(LongSubject.Filling filling, long[] keys) {
    long spent = 0;
    while (spent < Settings.WARM_UP_NANOS) {
      subject.create(keys.length, settings.rate());
      long start = ThreadClock.nanos();
      for (int from = 0;
          from < keys.length && spent + ThreadClock.nanos() - start < Settings.WARM_UP_NANOS;
          from += WARM_UP_STEP) {
        filling.addAll(keys, from, Math.min(from + WARM_UP_STEP, keys.length));
      }
      finish();
      spent += ThreadClock.nanos() - start;
    }
  }

  private void finish() {
    if (subject instanceof LongSubject.Building building) {
      building.build();
    }
  }

  private double rate() {
    long hits = 0;
    long asked = 0;
    while (asked < settings.rateKeys()) {
      long first = settings.keys() + settings.queries() + asked;
      long[] fresh = Keys.range(settings.seed(), first, settings.queries());
      hits += subject.count(fresh, 0, fresh.length);
      asked += fresh.length;
    }
    return (double) hits / asked;
  }

  @Override
  public void measure(Figures figures, Blackhole blackhole) {
    figures.clear();
    long positive = 0;
    long negative = 0;
    long batch = 0;
    long garbage = 0;
    int passes = 0;
    long begin = ThreadClock.nanos();
    do {
      long start = ThreadClock.nanos();
      int found = subject.count(present, 0, present.length);
      positive += ThreadClock.nanos() - start;
      if (subject instanceof LongSubject.Filling) {
        Measurement.checkFound(found, present.length);
      }
      long allocated = ThreadClock.allocatedBytes();
      start = ThreadClock.nanos();
      blackhole.consume(subject.count(absent, 0, absent.length));
      negative += ThreadClock.nanos() - start;
      garbage += ThreadClock.allocatedBytes() - allocated;
      if (subject instanceof LongSubject.Batches batches) {
        start = ThreadClock.nanos();
        blackhole.consume(batches.countByBatches(absent, 0, absent.length));
        batch += ThreadClock.nanos() - start;
      }
      passes++;
    } while (ThreadClock.nanos() - begin < settings.passNanos());
    double asked = (double) passes * absent.length;
    figures.positive = positive / ((double) passes * present.length);
    figures.negative = negative / asked;
    figures.garbage = garbage / asked;
    if (subject instanceof LongSubject.Batches) {
      figures.batch = batch / asked;
    }
    figures.build = build;
    figures.adds = adds;
    figures.rate = rate;
    figures.bits = (double) subject.sizeInBits() / settings.keys();
  }
}
