package io.bloomery.bench;

import java.util.function.IntFunction;
import java.util.function.LongFunction;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Build and single queries of keys that are objects. The queried keys are fresh objects in memory
 * in query order, like keys that a program has just read.
 *
 * @param <K> the type of the keys
 */
final class ObjectMeasurement<K> implements Measurement {

  private final ObjectSubject<K> subject;
  private final Settings settings;
  private final K[] present;
  private final K[] absent;
  private final double build;
  private final double rate;

  ObjectMeasurement(
      ObjectSubject<K> subject,
      Settings settings,
      IntFunction<K[]> newArray,
      LongFunction<K> newKey) {
    this.subject = subject;
    this.settings = settings;
    int n = settings.keys();
    K[] keys = newArray.apply(n);
    for (int i = 0; i < n; i++) {
      keys[i] = newKey.apply(Keys.at(settings.seed(), i));
    }
    int[] sample = Keys.sample(settings.seed(), n, Math.min(settings.queries(), n));
    present = newArray.apply(sample.length);
    for (int i = 0; i < sample.length; i++) {
      present[i] = newKey.apply(Keys.at(settings.seed(), sample[i]));
    }
    absent = newArray.apply(settings.queries());
    for (int i = 0; i < absent.length; i++) {
      absent[i] = newKey.apply(Keys.at(settings.seed(), (long) n + i));
    }
    build = build(keys);
    rate = (double) subject.count(absent) / absent.length;
  }

  private double build(K[] keys) {
    for (long start = ThreadClock.nanos(); ThreadClock.nanos() - start < Settings.WARM_UP_NANOS; ) {
      subject.create(keys.length, settings.rate());
      subject.addAll(keys);
    }
    double[] times = new double[settings.builds()];
    for (int i = 0; i < times.length; i++) {
      long start = ThreadClock.nanos();
      subject.create(keys.length, settings.rate());
      subject.addAll(keys);
      times[i] = (double) (ThreadClock.nanos() - start) / keys.length;
    }
    return Measurement.median(times);
  }

  @Override
  public void measure(Figures figures, Blackhole blackhole) {
    figures.clear();
    long positive = 0;
    long negative = 0;
    long garbage = 0;
    int passes = 0;
    long begin = ThreadClock.nanos();
    do {
      long start = ThreadClock.nanos();
      Measurement.checkFound(subject.count(present), present.length);
      positive += ThreadClock.nanos() - start;
      long allocated = ThreadClock.allocatedBytes();
      start = ThreadClock.nanos();
      blackhole.consume(subject.count(absent));
      negative += ThreadClock.nanos() - start;
      garbage += ThreadClock.allocatedBytes() - allocated;
      passes++;
    } while (ThreadClock.nanos() - begin < settings.passNanos());
    double asked = (double) passes * absent.length;
    figures.positive = positive / ((double) passes * present.length);
    figures.negative = negative / asked;
    figures.garbage = garbage / asked;
    figures.build = build;
    figures.rate = rate;
    figures.bits = (double) subject.sizeInBits() / settings.keys();
  }
}
