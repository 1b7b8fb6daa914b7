package io.bloomery.cli.net;

import io.bloomery.chart.Axis;
import io.bloomery.chart.Chart;
import io.bloomery.chart.Series;
import io.bloomery.chart.Series.Form;
import io.bloomery.chart.Series.Point;
import io.bloomery.net.flows.FlowOptions;
import io.bloomery.net.flows.HeavyFlows.Flow;
import io.bloomery.net.flows.HeavyFlows.Interval;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The largest flows over time, as a chart. A pause of more than nine tenths of the time, as where
 * captures of different days were joined, would squeeze the rest to a line, so only the side of it
 * with more packets is drawn, and the chart says so.
 */
final class FlowsPicture {

  private static final int SHOWN = 7;
  private static final double SECOND = 1e9;
  private static final double MOST_PAUSE = 0.9;

  private FlowsPicture() {}

  static Chart chart(List<Interval> all, FlowOptions options) {
    List<Interval> intervals = withoutLongPauses(all);
    if (intervals.size() < 2) {
      throw new Problem("--plot needs packets of two intervals; shorten --every");
    }
    Map<String, Long> totals = new HashMap<>();
    List<Map<String, Long>> amounts = new ArrayList<>();
    for (Interval interval : intervals) {
      Map<String, Long> each = new HashMap<>();
      for (Flow flow : interval.flows()) {
        each.put(flow.text(), flow.atMost());
        totals.merge(flow.text(), flow.atMost(), Long::sum);
      }
      amounts.add(each);
    }
    List<String> largest =
        totals.entrySet().stream()
            .sorted(
                Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                    .thenComparing(Map.Entry.comparingByKey()))
            .limit(SHOWN)
            .map(Map.Entry::getKey)
            .toList();
    double length = options.every().toNanos() / SECOND;
    long start = intervals.get(0).start();
    List<Series> series = new ArrayList<>();
    double highest = 1;
    for (String flow : largest) {
      List<Point> points = new ArrayList<>();
      double before = 0;
      for (int i = 0; i < intervals.size(); i++) {
        double time = (intervals.get(i).start() - start) / SECOND;
        if (time > before + length * 1.5) { // nothing was sent in between
          points.add(new Point(before + length, 0));
          points.add(new Point(time - length, 0));
        }
        double rate = amounts.get(i).getOrDefault(flow, 0L) / length;
        highest = Math.max(highest, rate);
        points.add(new Point(time, rate));
        before = time;
      }
      series.add(new Series(flow, series.size(), Form.STEPS, points));
    }
    double end = (intervals.get(intervals.size() - 1).start() - start) / SECOND;
    long missing = packets(all) - packets(intervals);
    String leftOut =
        missing == 0
            ? ""
            : "; without %s beyond a long pause".formatted(Text.count(missing, "packet"));
    String unit = options.bytes() ? "bytes per second" : "packets per second";
    return new Chart(
        "The largest flows",
        "means of %s; 0 where a flow is not among the %s largest of an interval%s"
            .formatted(words(options.every()), Text.count(options.top()), leftOut),
        List.of(
            new Chart.Panel(
                new Axis("seconds since " + Instant.EPOCH.plusNanos(start), 0, end, false),
                new Axis(unit, 0, highest * 1.05, false),
                series)));
  }

  private static List<Interval> withoutLongPauses(List<Interval> intervals) {
    int after = 0;
    long longest = 0;
    for (int i = 1; i < intervals.size(); i++) {
      long pause = intervals.get(i).start() - intervals.get(i - 1).start();
      if (pause > longest) {
        after = i;
        longest = pause;
      }
    }
    long span =
        after == 0 ? 0 : intervals.get(intervals.size() - 1).start() - intervals.get(0).start();
    List<Interval> before = intervals.subList(0, after);
    List<Interval> rest = intervals.subList(after, intervals.size());
    List<Interval> kept = packets(before) > packets(rest) ? before : rest;
    return longest <= span * MOST_PAUSE || kept.size() < 2 ? intervals : withoutLongPauses(kept);
  }

  private static long packets(List<Interval> intervals) {
    return intervals.stream().mapToLong(Interval::packets).sum();
  }

  private static String words(Duration every) {
    return every.toString().substring(2).toLowerCase(Locale.ROOT);
  }
}
