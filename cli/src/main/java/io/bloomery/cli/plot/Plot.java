package io.bloomery.cli.plot;

import io.bloomery.chart.Chart;
import io.bloomery.chart.Series;
import io.bloomery.chart.Series.Form;
import io.bloomery.chart.Series.Point;
import io.bloomery.cli.option.FilterChoice;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What to plot.
 *
 * @param what which plot
 * @param kinds the kinds of filter
 * @param keys the expected keys of the filters
 * @param rate the target rate of the filters, where the plot does not vary it
 * @param range the horizontal axis
 * @param title a title that replaces the default, or null
 * @param measured whether filters are also built and measured
 */
record Plot(
    What what,
    List<FilterChoice> kinds,
    long keys,
    double rate,
    Range range,
    @Nullable String title,
    boolean measured) {

  /** The available plots. */
  enum What {
    /** The rate over the memory per key. */
    RATE(4, 24, 1_000_000, "bloom,blocked-64,blocked-512,cuckoo,quotient,fuse,ribbon"),
    /** The rate while keys are added, beyond the expected number too. */
    FILL(0, 3, 1_000_000, "bloom,blocked-64,blocked-512,split-block,two-choice,cuckoo"),
    /** Memory and rate while a filter grows. */
    GROWTH(1e5, 1e8, 100_000, "scalable,dynamic,quotient,bloom");

    private final double min;
    private final double max;
    private final long keys;
    private final String kinds;

    What(double min, double max, long keys, String kinds) {
      this.min = min;
      this.max = max;
      this.keys = keys;
      this.kinds = kinds;
    }

    /** The default horizontal axis. */
    Range range() {
      return new Range(min, max);
    }

    /** The default number of keys. */
    long keys() {
      return keys;
    }

    /** The default kinds. */
    List<String> kinds() {
      return List.of(kinds.split(","));
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A range of numbers.
   *
   * @param min the minimum
   * @param max the maximum, above the minimum
   */
  record Range(double min, double max) {
    /** The number at a share of the range, on a logarithmic scale if {@code log}. */
    double at(double share, boolean log) {
      return log ? min * Math.pow(max / min, share) : min + share * (max - min);
    }

    /** Whether a number is in the range. */
    boolean contains(double number) {
      return number >= min && number <= max;
    }
  }

  /** Computes the chart, with measurements if requested. */
  Chart chart() {
    return switch (what) {
      case RATE -> new RatePlot(this).chart();
      case FILL -> new FillPlot(this).chart();
      case GROWTH -> new GrowthPlot(this).chart();
    };
  }

  /** The given title, or {@code usual} if there is none. */
  String titled(String usual) {
    return title == null ? usual : title;
  }

  /** The note of conditions, with an explanation of measured marks. */
  String note(String conditions) {
    return measured
        ? conditions + "; marks: measured with absent keys, bars: 95 % confidence"
        : conditions;
  }

  /** The form of curves, which depends on whether there are measured marks. */
  Form form(Form alone) {
    return measured ? Form.LINE : alone;
  }

  /** The power of ten at or below the smallest positive value, but at least {@code least}. */
  static double decadeBelow(Stream<Series> series, Range range, double least) {
    OptionalDouble low =
        series
            .flatMap(s -> s.points().stream())
            .filter(point -> range.contains(point.x()) && point.y() > 0)
            .mapToDouble(Point::y)
            .min();
    double decade = Math.pow(10, Math.floor(Math.log10(low.orElse(0.1)) + 1e-9));
    return Math.max(least, Math.min(0.1, decade));
  }
}
