package io.bloomery.cli.check;

import io.bloomery.RangeFilter;
import io.bloomery.cli.file.OpenFilter;
import io.bloomery.cli.option.TypeOption;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.util.ArrayList;
import java.util.List;

/** Looks up ranges in a filter of ordered keys. */
final class RangeAnswers {

  private record Answer(String from, String to, boolean hit) {
    String words() {
      return hit ? Answers.Words.PROBABLE.present() : Answers.Words.PROBABLE.absent();
    }
  }

  private final OpenFilter opened;
  private final RangeFilter filter;
  private final TypeOption typing;
  private final Answers.Mode mode;
  private final List<Answer> answers = new ArrayList<>();

  /** Asks an opened filter, which must be one of ranges. */
  RangeAnswers(OpenFilter opened, TypeOption typing, Answers.Mode mode) {
    if (!(opened.filter() instanceof RangeFilter ordered)) {
      throw new Problem(
          opened.path(),
          "its kind does not keep the order of keys; --from and --to need a filter of ranges, see"
              + " bloom build --ranges");
    }
    this.opened = opened;
    this.filter = ordered;
    this.typing = typing;
    this.mode = mode;
  }

  /** Looks up a range by its ends as the user wrote them. */
  void ask(String from, String to) {
    try {
      byte[] first = typing.encoded(opened, Octets.bytes(from));
      byte[] last = typing.encoded(opened, Octets.bytes(to));
      answers.add(new Answer(from, to, filter.mightContainRange(first, last)));
    } catch (IllegalArgumentException e) {
      throw new Problem("--from %s --to %s: %s".formatted(from, to, e.getMessage()));
    }
  }

  /** How many ranges certainly hold no key. */
  long absent() {
    return answers.stream().filter(answer -> !answer.hit).count();
  }

  private boolean prints(Answer answer) {
    return mode == Answers.Mode.ANNOTATE || (mode == Answers.Mode.PRESENT) == answer.hit;
  }

  /** A line for each range: the answer, its ends. */
  String lines(boolean json) {
    StringBuilder lines = new StringBuilder();
    answers.stream().filter(this::prints).forEach(answer -> lines.append(line(answer, json)));
    return lines.toString();
  }

  private String line(Answer answer, boolean json) {
    if (json) {
      return new Report()
          .value("from", answer.from)
          .value("to", answer.to)
          .value("answer", answer.words())
          .json();
    }
    String ends = answer.from + "\t" + answer.to + "\n";
    return mode == Answers.Mode.ANNOTATE ? answer.words() + "\t" + ends : ends;
  }

  /** The counts. */
  String text() {
    return "%s: %s probably present, %s certainly absent"
        .formatted(
            Text.count(answers.size(), "range"),
            Text.count(answers.size() - absent()),
            Text.count(absent()));
  }

  /** The counts as JSON. */
  String json(String file) {
    return new Report()
        .value("file", file)
        .value("ranges", answers.size())
        .value("probablyPresent", answers.size() - absent())
        .value("certainlyAbsent", absent())
        .value("longestRange", filter.longestRange())
        .value("expectedRate", filter.falsePositiveRate(filter.longestRange()))
        .json();
  }
}
