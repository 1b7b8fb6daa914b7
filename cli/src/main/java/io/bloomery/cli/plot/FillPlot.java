package io.bloomery.cli.plot;

import io.bloomery.FilterFullException;
import io.bloomery.chart.Axis;
import io.bloomery.chart.Chart;
import io.bloomery.chart.Series;
import io.bloomery.chart.Series.Form;
import io.bloomery.chart.Series.Point;
import io.bloomery.cli.option.FilterChoice;
import io.bloomery.plan.Shape;
import io.bloomery.tools.report.Text;
import java.util.ArrayList;
import java.util.List;

/** The false-positive rate while keys are added to a filter, up to and beyond its expected keys. */
final class FillPlot {

  private static final int SAMPLES = 160;
  private static final int MEASURED = 8;
  private static final double LOWEST_RATE = 1e-6;

  private final Plot plot;

  FillPlot(Plot plot) {
    this.plot = plot;
  }

  Chart chart() {
    List<Series> series = new ArrayList<>();
    List<Series> measured = new ArrayList<>();
    for (int i = 0; i < plot.kinds().size(); i++) {
      FilterChoice kind = plot.kinds().get(i);
      Shape shape = Filling.shape(kind, plot);
      series.add(new Series(kind.name(), i, plot.form(Form.CURVE), points(shape)));
      if (plot.measured()) {
        measured.add(new Series(kind.name(), i, Form.MEASURED, measure(kind)));
      }
    }
    double lowest = Math.max(LOWEST_RATE, plot.rate() * 1e-3);
    double low = Plot.decadeBelow(series.stream(), plot.range(), lowest);
    series.addAll(measured);
    String planned = Text.count(plot.keys());
    return new Chart(
        plot.titled("False-positive rate while a filter fills"),
        plot.note(
            "made for %s at %s"
                .formatted(Text.count(plot.keys(), "key"), Text.percent(plot.rate()))),
        List.of(
            new Chart.Panel(
                new Axis(
                    "keys added, in multiples of " + planned,
                    plot.range().min(),
                    plot.range().max(),
                    false),
                new Axis("false-positive rate", low, 1, true),
                series)));
  }

  private List<Point> points(Shape shape) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i <= SAMPLES; i++) {
      double share = plot.range().at((double) i / SAMPLES, false);
      long keys = Math.round(share * plot.keys());
      double rate = keys <= shape.maxKeys() ? shape.falsePositiveRate(keys) : 0;
      if (rate > 0) {
        points.add(new Point(share, rate));
      }
    }
    return points;
  }

  private List<Point> measure(FilterChoice kind) {
    Filling filling = new Filling(kind);
    List<Point> points = new ArrayList<>();
    for (int i = 1; i <= MEASURED; i++) {
      double share = plot.range().at((double) i / MEASURED, false);
      try {
        filling.fill(Math.round(share * plot.keys()));
      } catch (FilterFullException e) {
        break;
      }
      filling.rate(share).ifPresent(points::add);
    }
    return points;
  }
}
