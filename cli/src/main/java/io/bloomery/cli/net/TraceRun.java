package io.bloomery.cli.net;

import io.bloomery.cli.option.ReportOptions;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.index.TrafficIndex.Mark;
import io.bloomery.net.trace.Traceback;
import io.bloomery.net.trace.Traceback.Graph;
import io.bloomery.net.trace.Traceback.Hop;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.problem.Visible;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Follows packets one after another, and prints their graphs. */
final class TraceRun {

  private final Console console;
  private final Traceback network;
  private final String start;
  private final ReportOptions reporting;
  private final Set<String> unknown = new TreeSet<>();
  private long packets;
  private long traced;
  private long asked;
  private double expected;
  private boolean complete = true;

  TraceRun(Console console, Traceback network, String start, ReportOptions reporting) {
    this.console = console;
    this.network = network;
    this.start = start;
    this.reporting = reporting;
  }

  void take(Packet packet) {
    packets++;
    Mark mark = new Mark(packet);
    try {
      Graph graph = network.trace(mark, start);
      traced += graph.sources().isEmpty() ? 0 : 1;
      asked += graph.asked();
      expected += graph.expectedFalse();
      complete &= graph.isComplete();
      unknown.addAll(graph.unknown());
      if (reporting.isJson()) {
        console.print(json(mark, graph));
      } else {
        print(graph);
      }
    } catch (IOException e) {
      throw Problem.with("an index", e);
    }
  }

  private void print(Graph graph) {
    for (Hop hop : graph.hops()) {
      line(hop.from(), hop.to());
    }
    for (String source : graph.sources()) {
      line(source, "-");
    }
  }

  private void line(String from, String to) {
    console.print(packets + "\t" + Visible.line(from) + "\t" + Visible.line(to) + "\n");
  }

  private String json(Mark mark, Graph graph) {
    return new Report()
        .value("packet", packets)
        .value("time", PeriodOption.text(mark.nanos()))
        .value("flow", mark.flow())
        .value("hops", graph.hops().stream().map(hop -> List.of(hop.from(), hop.to())).toList())
        .value("sources", graph.sources())
        .value("unknown", graph.unknown())
        .value("asked", graph.asked())
        .value("expectedFalse", graph.expectedFalse())
        .value("complete", graph.isComplete())
        .json();
  }

  /** Prints the summary; whether a packet was traced. */
  boolean end(CaptureInput input) {
    if (reporting.isJson()) {
      console.print(input.values(new Report()).value("traced", traced).json());
    }
    console.out().flush();
    if (!reporting.isJson() && !reporting.isQuiet()) {
      String text =
          "%s; %s passed %s; %s asked, of which %s that did not are expected in the graphs"
              .formatted(
                  input.text(),
                  Text.count(traced),
                  start,
                  Text.count(asked, "router"),
                  String.format(Locale.ROOT, "%.1f", expected));
      text += unknown.isEmpty() ? "" : "; without an index: " + String.join(", ", unknown);
      console.say(text + (complete ? "" : "; graphs end at too many routers"));
    }
    return traced > 0;
  }
}
