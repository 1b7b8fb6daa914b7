package io.bloomery.cli.net;

import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.index.TrafficIndex;
import io.bloomery.net.index.TrafficIndex.Mark;
import io.bloomery.net.index.TrafficIndex.Passed;
import io.bloomery.net.index.TrafficIndex.Period;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Looks for packets, and prints whether and when each may have passed. */
final class PassedRun {

  private static final int BATCH = 100_000; // packets per reading of the index

  private final Console console;
  private final TrafficIndex index;
  private final Period period;
  private final ProgressOptions reporting;
  private final List<Mark> marks = new ArrayList<>();
  private long count;
  private long passed;
  private double expected;

  PassedRun(Console console, TrafficIndex index, Period period, ProgressOptions reporting) {
    this.console = console;
    this.index = index;
    this.period = period;
    this.reporting = reporting;
  }

  /** Whether any packet may have passed. */
  boolean run(CaptureInput input) {
    boolean bar = reporting.isBarWanted(console, true);
    try (Progress progress = new Progress(console, bar, input.bytes())) {
      input.read(this::take, progress);
    }
    ask();
    if (reporting.isJson()) {
      console.print(
          input
              .values(new Report())
              .value("passed", passed)
              .value("expectedFalse", expected * count)
              .json());
    }
    console.out().flush();
    if (!reporting.isJson() && !reporting.isQuiet()) {
      console.say(
          "%s; %s may have passed; %s of packets that did not are expected to seem so"
              .formatted(input.text(), Text.count(passed), Text.percent(Math.min(1, expected))));
    }
    return passed > 0;
  }

  private void take(Packet packet) {
    marks.add(new Mark(packet));
    if (marks.size() == BATCH) {
      ask();
    }
  }

  private void ask() {
    try {
      List<Passed> answers = index.passed(marks, period);
      for (int i = 0; i < answers.size(); i++) {
        print(marks.get(i), answers.get(i));
        expected = answers.get(i).expectedFalse();
      }
    } catch (IOException e) {
      throw Problem.with("the index", e);
    }
    marks.clear();
  }

  private void print(Mark mark, Passed answer) {
    boolean isFound = !answer.pages().isEmpty();
    count++;
    passed += isFound ? 1 : 0;
    String time = PeriodOption.text(mark.nanos());
    if (reporting.isJson()) {
      List<List<String>> pages =
          answer.pages().stream()
              .map(each -> List.of(PeriodOption.text(each.from()), PeriodOption.text(each.to())))
              .toList();
      console.print(
          new Report()
              .value("passed", isFound)
              .value("packet", time)
              .value("flow", mark.flow())
              .value("pages", pages)
              .json());
      return;
    }
    StringBuilder line = new StringBuilder(isFound ? "yes\t" : "no\t");
    line.append(time).append('\t').append(mark.flow());
    for (Period page : answer.pages()) {
      line.append('\t').append(PeriodOption.text(page.from()));
      line.append('\t').append(PeriodOption.text(page.to()));
    }
    console.print(line.append('\n').toString());
  }
}
