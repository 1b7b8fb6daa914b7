package io.bloomery.cli.plan;

import io.bloomery.cli.option.NeedOptions;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Table;
import io.bloomery.tools.report.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The output of {@code bloom plan}. */
final class PlanReport {

  private static final int WIDTH = 80;

  private final PlanRun run;

  /** Reports the result of a run. */
  PlanReport(PlanRun run) {
    this.run = run;
  }

  /** As text, with at most {@code most} plans. */
  String text(int most) {
    if (run.plans().isEmpty()) {
      return run.unmet() + "\n";
    }
    StringBuilder out = new StringBuilder(Text.wrap(question(), WIDTH, "")).append('\n');
    Table table = new Table("rllrrrr", "", "kind", "class", "bits/key", "memory", "rate", "query");
    List<Plan> shown = run.plans().subList(0, Math.min(most, run.plans().size()));
    for (int i = 0; i < shown.size(); i++) {
      Plan plan = shown.get(i);
      table
          .row(
              Integer.toString(i + 1),
              plan.name(),
              plan.kind().type().getSimpleName(),
              String.format(Locale.ROOT, "%.2f", plan.bitsPerKey()),
              Text.size(PlanRun.bytes(plan)),
              rate(plan.predictedRate()),
              Math.round(plan.queryNanos()) + " ns")
          .below(plan.why());
    }
    out.append(table.text(WIDTH));
    if (shown.size() < run.plans().size()) {
      out.append("%n%d more with --all%n".formatted(run.plans().size() - shown.size()));
    }
    if (!run.leftOut().isEmpty()) {
      String names = run.leftOut().stream().map(Plan::name).collect(Collectors.joining(", "));
      out.append('\n').append(Text.wrap("Too large: " + names, WIDTH, ""));
    }
    out.append('\n').append(Text.wrap(notes(), WIDTH, ""));
    return out.toString();
  }

  private static String rate(double rate) {
    if (rate == 0) {
      return "exact";
    }
    return rate < 1e-8 ? String.format(Locale.ROOT, "%.2e", rate) : Text.percent(rate);
  }

  /** Where the times come from, and which options a secret requires. */
  private String notes() {
    String times =
        run.isMeasured()
            ? "Times are predicted from the speed of this machine, as bloom bench measured it."
            : "Times are predicted from built-in figures; bloom bench measures this machine.";
    String options =
        Stream.of(Need.HOSTILE_INPUT, Need.PRIVATE)
            .filter(run.needs()::has)
            .map(NeedOptions::option)
            .collect(Collectors.joining(", "));
    return options.isEmpty()
        ? times
        : times + " Build it with " + options + " and --secret-file FILE.";
  }

  private String question() {
    Needs needs = run.needs();
    List<String> parts = new ArrayList<>();
    parts.add(Text.count(needs.keys(), "key"));
    if (needs.rate().isPresent()) {
      parts.add("rate " + Text.rate(needs.rate().getAsDouble()));
    }
    if (run.ram().isPresent()) {
      parts.add("at most " + Text.size(run.ram().getAsLong()));
    }
    needs.universe().ifPresent(size -> parts.add("universe of " + Text.count(size)));
    needs.all().stream().map(Need::words).forEach(parts::add);
    if (needs.preference() != Needs.Preference.BALANCED) {
      parts.add("preferring " + NeedOptions.name(needs.preference()));
    }
    return String.join(", ", parts);
  }

  String json() {
    Needs needs = run.needs();
    return new Report()
        .value("keys", needs.keys())
        .value("rate", needs.rate().isPresent() ? needs.rate().getAsDouble() : null)
        .value("ramBytes", run.ram().isPresent() ? run.ram().getAsLong() : null)
        .value("universe", needs.universe().isPresent() ? needs.universe().getAsLong() : null)
        .value("needs", needs.all().stream().map(n -> NeedOptions.option(n).substring(2)).toList())
        .value("prefer", NeedOptions.name(needs.preference()))
        .value("plans", run.plans().stream().map(PlanReport::facts).toList())
        .value("tooLarge", run.leftOut().stream().map(PlanReport::facts).toList())
        .value("unmet", run.unmet())
        .json();
  }

  /** The JSON fields of a plan. */
  static Map<String, Object> facts(Plan plan) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("kind", plan.name());
    facts.put("class", plan.kind().type().getName());
    facts.put("bitsPerKey", plan.bitsPerKey());
    facts.put("bytes", PlanRun.bytes(plan));
    facts.put("predictedRate", plan.predictedRate());
    facts.put("cacheLines", plan.cacheLines());
    facts.put("words", plan.words());
    facts.put("queryNanos", plan.queryNanos());
    facts.put("addNanos", plan.addNanos());
    facts.put("cost", plan.cost());
    facts.put("shape", plan.shape().toString());
    facts.put("keyed", plan.keyed());
    facts.put("falsePositive", plan.variant().falsePositiveCost());
    facts.put("why", plan.why());
    return facts;
  }
}
