package io.bloomery.cli.plot;

import io.bloomery.FilterFullException;
import io.bloomery.chart.Axis;
import io.bloomery.chart.Chart;
import io.bloomery.chart.Series;
import io.bloomery.chart.Series.Form;
import io.bloomery.chart.Series.Point;
import io.bloomery.cli.option.FilterChoice;
import io.bloomery.plan.Shape;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import java.util.ArrayList;
import java.util.List;

/** Memory and false-positive rate of filters as keys are added beyond the expected number. */
final class GrowthPlot {

  private static final int SAMPLES = 150;
  private static final int MEASURED = 8;
  private static final long MOST_MEASURED_KEYS = 20_000_000;
  private static final double LOWEST_RATE = 1e-6;

  private final Plot plot;
  private final List<Series> memory = new ArrayList<>();
  private final List<Series> rates = new ArrayList<>();

  GrowthPlot(Plot plot) {
    this.plot = plot;
    if (plot.range().min() < 1) {
      throw new Problem("--range of growth begins at 1 key or more");
    }
  }

  Chart chart() {
    for (int i = 0; i < plot.kinds().size(); i++) {
      compute(plot.kinds().get(i), i);
    }
    double low = Plot.decadeBelow(rates.stream(), plot.range(), LOWEST_RATE);
    Plot.Range bits = memoryRange();
    if (plot.measured()) {
      for (int i = 0; i < plot.kinds().size(); i++) {
        measure(plot.kinds().get(i), i);
      }
    }
    Axis keys = new Axis("keys added", plot.range().min(), plot.range().max(), true);
    return new Chart(
        plot.titled("Memory and false-positive rate while a filter grows"),
        plot.note(
            "made for %s at %s"
                .formatted(Text.count(plot.keys(), "key"), Text.percent(plot.rate()))),
        List.of(
            new Chart.Panel(keys, new Axis("bits per key", bits.min(), bits.max(), true), memory),
            new Chart.Panel(keys, new Axis("false-positive rate", low, 1, true), rates)));
  }

  private Plot.Range memoryRange() {
    double[] bits =
        memory.stream().flatMap(s -> s.points().stream()).mapToDouble(Point::y).sorted().toArray();
    return new Plot.Range(Math.max(4, 0.8 * bits[0]), Math.max(20, 1.25 * bits[bits.length - 1]));
  }

  private void compute(FilterChoice kind, int look) {
    Shape shape = Filling.shape(kind, plot);
    List<Point> bits = new ArrayList<>();
    List<Point> rate = new ArrayList<>();
    for (int i = 0; i <= SAMPLES; i++) {
      long keys = keys(i, SAMPLES);
      try {
        Shape grown = shape.grownTo(keys);
        bits.add(new Point(keys, (double) grown.sizeInBits() / keys));
        rate.add(new Point(keys, grown.falsePositiveRate(keys)));
      } catch (IllegalArgumentException | IllegalStateException e) {
        break; // it cannot grow any further
      }
    }
    memory.add(new Series(kind.name(), look, plot.form(Form.CURVE), bits));
    rates.add(new Series(kind.name(), look, plot.form(Form.CURVE), rate));
  }

  private long keys(int index, int count) {
    return Math.round(plot.range().at((double) index / count, true));
  }

  private void measure(FilterChoice kind, int look) {
    Filling filling = new Filling(kind);
    List<Point> bits = new ArrayList<>();
    List<Point> rate = new ArrayList<>();
    for (int i = 0; i <= MEASURED && keys(i, MEASURED) <= MOST_MEASURED_KEYS; i++) {
      long keys = keys(i, MEASURED);
      try {
        filling.fill(keys);
      } catch (FilterFullException e) {
        break; // not every kind of filter grows by itself
      }
      bits.add(new Point(keys, filling.bitsPerKey()));
      filling.rate((double) keys).ifPresent(rate::add);
    }
    memory.add(new Series(kind.name(), look, Form.MEASURED, bits));
    rates.add(new Series(kind.name(), look, Form.MEASURED, rate));
  }
}
