package io.bloomery.cli.net;

import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.index.TrafficIndex;
import io.bloomery.net.index.TrafficIndex.Attribution;
import io.bloomery.net.index.TrafficIndex.Found;
import io.bloomery.net.index.TrafficIndex.Mark;
import io.bloomery.net.index.TrafficIndex.Period;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Problems;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Looks for bytes, and prints the flows that may have had them. */
final class FoundRun {

  private static final String UNLISTED = "a flow that is not listed";

  private final Console to;
  private final List<Excerpts> excerpts;
  private final Period period;
  private final ProgressOptions reporting;
  private final Problems problems;
  private final List<Set<String>> exact = new ArrayList<>();
  private long confirmed;
  private long printed;

  FoundRun(
      Console to,
      List<Excerpts> excerpts,
      Period period,
      ProgressOptions reporting,
      Problems problems) {
    this.to = to;
    this.excerpts = excerpts;
    this.period = period;
    this.reporting = reporting;
    this.problems = problems;
  }

  /** Whether anything was found. */
  boolean run(TrafficIndex index, List<String> captures, Console console) throws IOException {
    List<Found> found = index.find(excerpts.stream().map(Excerpts::bytes).toList(), period);
    if (!captures.isEmpty()) {
      excerpts.forEach(excerpt -> exact.add(new HashSet<>()));
      CaptureInput input = new CaptureInput(console, CaptureInput.expanded(captures));
      boolean bar = reporting.isBarWanted(console, false);
      try (Progress progress = new Progress(console, bar, input.bytes())) {
        input.read(this::look, progress);
      }
    }
    double expected = 0;
    for (int i = 0; i < excerpts.size(); i++) {
      print(i, found.get(i));
      expected += found.get(i).expectedFalse();
      if (found.get(i).missed()) {
        problems.accept(
            "%s: %d bytes are too short to be found at every place; twice a block less one are"
                    .formatted(excerpts.get(i).name(), excerpts.get(i).bytes().length)
                + " needed");
      }
    }
    if (reporting.isJson()) {
      to.print(
          new Report()
              .value("flows", printed)
              .value("expectedFalse", expected)
              .value("exact", exact.isEmpty() ? null : confirmed)
              .json());
    }
    to.out().flush();
    if (!reporting.isJson() && !reporting.isQuiet()) {
      String text =
          "%s; %s expected to be false".formatted(Text.count(printed, "flow"), expected(expected));
      text += exact.isEmpty() ? "" : "; " + Text.count(confirmed) + " had them in one packet";
      console.say(text);
    }
    return printed > 0;
  }

  private static String expected(double number) {
    return number >= 10
        ? Text.count(Math.round(number))
        : String.format(Locale.ROOT, number == 0 ? "%.0f" : "%.2g", number);
  }

  private void look(Packet packet) {
    if (packet.nanos() < period.from() || packet.nanos() > period.to()) {
      return;
    }
    for (int i = 0; i < exact.size(); i++) {
      if (isIn(excerpts.get(i).bytes(), packet)) {
        exact.get(i).add(new Mark(packet).flow());
      }
    }
  }

  private static boolean isIn(byte[] excerpt, Packet packet) {
    byte[] bytes = packet.bytes();
    int last = packet.payloadOffset() + packet.payloadLength() - excerpt.length;
    for (int at = packet.payloadOffset(); at <= last; at++) {
      int same = 0;
      while (same < excerpt.length && bytes[at + same] == excerpt[same]) {
        same++;
      }
      if (same == excerpt.length) {
        return true;
      }
    }
    return false;
  }

  private void print(int number, Found found) {
    String name = excerpts.size() == 1 ? "" : excerpts.get(number).name() + "\t";
    for (Attribution each : found.flows()) {
      String flow = each.flow() == null ? UNLISTED : each.flow();
      boolean isKnown = !exact.isEmpty() && each.flow() != null;
      @Nullable Boolean had = isKnown ? exact.get(number).contains(flow) : null;
      printed++;
      confirmed += Boolean.TRUE.equals(had) ? 1 : 0;
      String first = PeriodOption.text(each.first());
      String last = PeriodOption.text(each.last());
      if (reporting.isJson()) {
        to.print(
            new Report()
                .value("excerpt", excerpts.get(number).name())
                .value("flow", each.flow())
                .value("first", first)
                .value("last", last)
                .value("exact", had)
                .json());
      } else {
        String answer = exact.isEmpty() ? "" : had == null ? "?\t" : had ? "yes\t" : "no\t";
        to.print(name + answer + first + "\t" + last + "\t" + flow + "\n");
      }
    }
  }
}
