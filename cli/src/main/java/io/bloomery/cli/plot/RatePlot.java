package io.bloomery.cli.plot;

import io.bloomery.FilterBuilder;
import io.bloomery.HashedFilter;
import io.bloomery.chart.Axis;
import io.bloomery.chart.Chart;
import io.bloomery.chart.Series;
import io.bloomery.chart.Series.Form;
import io.bloomery.chart.Series.Point;
import io.bloomery.cli.option.FilterChoice;
import io.bloomery.plan.Shape;
import io.bloomery.tools.measure.Interval;
import io.bloomery.tools.measure.MeasuredRate;
import io.bloomery.tools.measure.RandomHashes;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The rate over the memory per key: the best shapes of each kind for decreasing rates. */
final class RatePlot {

  private static final double HIGHEST_RATE = 0.7;
  private static final double LOWEST_RATE = 1e-12;
  private static final int SAMPLES_PER_DECADE = 16;
  private static final int MEASURED_SHAPES = 6;
  private static final long QUERIES = 2_000_000;
  private static final double EXPECTED_HITS = 50;
  private static final double TOLERANCE = 1.3;

  private record Sample(Shape shape, Point point) {}

  private final Plot plot;

  RatePlot(Plot plot) {
    this.plot = plot;
  }

  Chart chart() {
    List<Series> series = new ArrayList<>();
    List<Series> measured = new ArrayList<>();
    for (int i = 0; i < plot.kinds().size(); i++) {
      FilterChoice kind = plot.kinds().get(i);
      List<Sample> all = samples(kind);
      boolean stepped = isStepped(all);
      List<Sample> samples = stepped ? worthwhile(all) : all;
      if (samples.isEmpty()) {
        throw new Problem(
            "kind %s has no rate above 0 for %s with %s…%s bits per key"
                .formatted(
                    kind.name(),
                    Text.count(plot.keys(), "key"),
                    plot.range().min(),
                    plot.range().max()));
      }
      series.add(
          new Series(
              kind.name(),
              i,
              plot.form(stepped ? Form.STEPS : Form.CURVE),
              samples.stream().map(Sample::point).toList()));
      if (plot.measured()) {
        measured.add(new Series(kind.name(), i, Form.MEASURED, measure(kind, samples)));
      }
    }
    double low = Plot.decadeBelow(series.stream(), plot.range(), LOWEST_RATE);
    series.addAll(measured);
    return new Chart(
        plot.titled("False-positive rate and memory"),
        plot.note(Text.count(plot.keys(), "key") + "; curves: each kind's own formula"),
        List.of(
            new Chart.Panel(
                new Axis("memory, bits per key", plot.range().min(), plot.range().max(), false),
                new Axis("false-positive rate", low, 1, true),
                series)));
  }

  /** Distinct shapes of increasing size, from the last before the range to the first after it. */
  private List<Sample> samples(FilterChoice kind) {
    List<Sample> samples = new ArrayList<>();
    double least = Math.max(LOWEST_RATE, plot.keys() * Math.pow(2, -57));
    double factor = Math.pow(10, -1.0 / SAMPLES_PER_DECADE);
    boolean beyond = false;
    for (double wanted = HIGHEST_RATE; wanted >= least && !beyond; wanted *= factor) {
      Optional<Shape> shape = kind.shape(wanted);
      if (shape.isPresent()) {
        double bits = (double) shape.get().sizeInBits() / plot.keys();
        double rate = shape.get().falsePositiveRate(plot.keys());
        boolean larger = samples.isEmpty() || bits > samples.get(samples.size() - 1).point.x();
        if (rate > 0 && larger) {
          if (bits < plot.range().min()) {
            samples.clear();
          }
          samples.add(new Sample(shape.get(), new Point(bits, rate)));
          beyond = bits > plot.range().max();
        }
      }
    }
    return samples.stream().anyMatch(s -> plot.range().contains(s.point.x())) ? samples : List.of();
  }

  /** Whether there are only a few sizes, such as one per whole number of bits. */
  private static boolean isStepped(List<Sample> samples) {
    if (samples.isEmpty()) {
      return false;
    }
    double first = samples.get(0).point.y();
    double last = samples.get(samples.size() - 1).point.y();
    return samples.size() < 0.7 * SAMPLES_PER_DECADE * Math.log10(first / last);
  }

  /** Drops sizes that are clearly worse than a mixture of a smaller and a larger one. */
  private static List<Sample> worthwhile(List<Sample> samples) {
    List<Sample> hull = new ArrayList<>();
    for (Sample next : samples) {
      while (hull.size() > 1
          && above(hull.get(hull.size() - 2), hull.get(hull.size() - 1), next) >= 0) {
        hull.remove(hull.size() - 1);
      }
      hull.add(next);
    }
    List<Sample> kept = new ArrayList<>();
    int right = 1;
    for (Sample sample : samples) {
      while (right < hull.size() - 1 && hull.get(right).point.x() < sample.point.x()) {
        right++;
      }
      if (hull.size() < 2
          || above(hull.get(right - 1), sample, hull.get(right)) < Math.log(TOLERANCE)) {
        kept.add(sample);
      }
    }
    return kept;
  }

  /** How far the logarithm of a rate lies above the line between two others. */
  private static double above(Sample left, Sample middle, Sample right) {
    double share = (middle.point.x() - left.point.x()) / (right.point.x() - left.point.x());
    double line = (1 - share) * Math.log(left.point.y()) + share * Math.log(right.point.y());
    return Math.log(middle.point.y()) - line;
  }

  private List<Point> measure(FilterChoice kind, List<Sample> samples) {
    List<Sample> worth =
        samples.stream()
            .filter(s -> plot.range().contains(s.point.x()))
            .filter(s -> s.point.y() * QUERIES >= EXPECTED_HITS)
            .toList();
    List<Point> points = new ArrayList<>();
    int shapes = Math.min(MEASURED_SHAPES, worth.size());
    for (int i = 0; i < shapes; i++) {
      Sample sample = worth.get(shapes == 1 ? 0 : i * (worth.size() - 1) / (shapes - 1));
      HashedFilter filter = build(kind, sample);
      long hits = new RandomHashes(RandomHashes.OTHERS).hits(filter, QUERIES);
      MeasuredRate measured = new MeasuredRate(hits, QUERIES);
      Interval interval = measured.interval();
      double bits = (double) filter.sizeInBits() / plot.keys();
      points.add(new Point(bits, measured.rate(), interval.low(), interval.high()));
    }
    return points;
  }

  private HashedFilter build(FilterChoice kind, Sample sample) {
    FilterBuilder builder = kind.builder(sample.shape);
    RandomHashes.members(plot.keys(), builder::addHashes);
    return FilterChoice.build(builder);
  }
}
