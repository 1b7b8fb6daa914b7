package io.bloomery.cli.net;

import io.bloomery.cli.option.ReportOptions;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.flows.FlowOptions;
import io.bloomery.net.flows.HeavyFlows;
import io.bloomery.net.flows.HeavyFlows.Flow;
import io.bloomery.net.flows.HeavyFlows.Interval;
import io.bloomery.net.flows.HeavyFlows.Recount;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The work of {@code bloom net flows}: counts, and prints each interval when it ends. */
final class FlowsRun {

  /** What is printed, and whether intervals are kept. */
  record Form(boolean exact, boolean plotted, ReportOptions reporting) {
    boolean isKept() {
      return exact || plotted;
    }
  }

  private final Console console;
  private final FlowOptions options;
  private final Form form;
  private final HeavyFlows flows;
  private final List<Interval> intervals = new ArrayList<>();
  private List<Interval> exact = List.of();
  private long uncertain;
  private long largestMissing;
  private long count;
  private long bytes;
  private boolean ended;

  FlowsRun(Console console, FlowOptions options, Form form) {
    this.console = console;
    this.options = options;
    this.form = form;
    this.flows = HeavyFlows.create(options);
  }

  /** Takes a packet of the first pass. */
  void take(Packet packet) {
    Interval interval = flows.add(packet);
    if (interval != null) {
      finish(interval);
    }
  }

  private void finish(Interval interval) {
    if (form.isKept()) {
      intervals.add(interval);
    }
    if (!form.exact) {
      print(interval, Map.of());
      console.out().flush();
    }
  }

  /** Reads the packets again and counts the candidates exactly. */
  void recount(CaptureInput input) {
    intervals.add(flows.end());
    Recount recount = flows.recount(intervals);
    input.read(recount::add, read -> {});
    exact = recount.intervals();
  }

  /** Prints what was counted up to now and the summary, once. */
  void end(CaptureInput input) {
    if (ended) {
      return;
    }
    ended = true;
    if (form.exact) {
      for (int i = 0; i < exact.size(); i++) {
        Map<String, Long> before = new HashMap<>();
        intervals.get(i).candidates().forEach(flow -> before.put(flow.text(), flow.atMost()));
        print(exact.get(i), before);
      }
    } else {
      finish(flows.end());
    }
    if (form.reporting.isJson()) {
      console.print(json(input));
    }
    console.out().flush();
    if (!form.reporting.isJson() && !form.reporting.isQuiet()) {
      console.say(input.text() + "; " + Text.count(bytes, "byte") + "; " + certainty());
    }
  }

  /** The intervals that were kept: the exact ones if there are any. */
  List<Interval> intervals() {
    return form.exact ? exact : intervals;
  }

  private void print(Interval interval, Map<String, Long> before) {
    count++;
    bytes += interval.bytes();
    if (!interval.isCertain()) {
      uncertain++;
      largestMissing = Math.max(largestMissing, interval.completeFrom() - 1);
    }
    Instant start = Instant.EPOCH.plus(Duration.ofNanos(interval.start()));
    for (Flow flow : interval.flows()) {
      long second =
          form.exact ? before.getOrDefault(flow.text(), 0L) : flow.atMost() - flow.atLeast();
      if (form.reporting.isJson()) {
        Report report = new Report().value("start", start.toString()).value("flow", flow.text());
        report.value("atMost", form.exact ? second : flow.atMost());
        report.value("atLeast", flow.atLeast());
        console.print(report.value("exact", flow.isExact() ? flow.atMost() : null).json());
      } else {
        String time = options.every().isZero() ? "" : start + "\t";
        console.print(time + flow.atMost() + "\t" + second + "\t" + flow.text() + "\n");
      }
    }
  }

  private String certainty() {
    return uncertain == 0
        ? "certainly no other flow is larger than a listed one"
        : "flows of up to "
            + Text.count(largestMissing)
            + " may be missing from the list"
            + (count > 1 ? " of %d intervals".formatted(uncertain) : "")
            + (form.exact ? "; more --memory helps" : "; --exact or more --memory helps");
  }

  private String json(CaptureInput input) {
    return input
        .values(new Report())
        .value("bytes", bytes)
        .value("intervals", count)
        .value("uncertainIntervals", uncertain)
        .value("completeFrom", uncertain == 0 ? null : largestMissing + 1)
        .value("memoryBytes", options.memory())
        .json();
  }
}
