package io.bloomery.cli.plan;

import io.bloomery.FilterKind;
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

  private static final int CLASS_COLUMN = 2;
  private static final int ADD_COLUMN = 7;

  /** More columns than a terminal usually has. */
  private static final int WIDE = 100;

  private final PlanRun run;
  private final int columns;

  /** Reports the result of a run in lines of at most {@code columns} columns. */
  PlanReport(PlanRun run, int columns) {
    this.run = run;
    this.columns = columns;
  }

  /** As text, with all plans. */
  String all() {
    return text(run.plans(), Map.of());
  }

  /** As text, with the best plan of each of the first {@code most} kinds. */
  String kinds(int most) {
    Map<FilterKind<?>, List<Plan>> kinds = new LinkedHashMap<>();
    run.plans()
        .forEach(plan -> kinds.computeIfAbsent(plan.kind(), kind -> new ArrayList<>()).add(plan));
    List<Plan> shown = kinds.values().stream().limit(most).map(plans -> plans.get(0)).toList();
    return text(shown, kinds);
  }

  private String text(List<Plan> shown, Map<FilterKind<?>, List<Plan>> kinds) {
    if (run.plans().isEmpty()) {
      return run.unmet() + "\n";
    }
    StringBuilder out = new StringBuilder(Text.wrap(question(), columns, "")).append('\n');
    Table table =
        new Table("rllrrrrr", "", "kind", "class", "bits/key", "memory", "rate", "query", "add")
            .optional(ADD_COLUMN, CLASS_COLUMN)
            .from(ADD_COLUMN, WIDE);
    run.hashList()
        .filter(list -> shown.stream().noneMatch(plan -> plan.name().equals(list.name())))
        .ifPresent(list -> row(table, "", list).below(hashList()));
    for (int i = 0; i < shown.size(); i++) {
      Plan plan = shown.get(i);
      row(table, Integer.toString(i + 1), plan)
          .below(plan.why() + inShards(plan) + others(plan, kinds));
    }
    out.append(table.text(columns));
    if (shown.size() < run.plans().size()) {
      out.append("%n%d more with --all%n".formatted(run.plans().size() - shown.size()));
    }
    if (!run.leftOut().isEmpty()) {
      String names = run.leftOut().stream().map(Plan::name).collect(Collectors.joining(", "));
      out.append('\n').append(Text.wrap("Too large: " + names, columns, ""));
    }
    for (String note : otherNotes()) {
      out.append('\n').append(Text.wrap(note, columns, ""));
    }
    return out.toString();
  }

  private Table row(Table table, String rank, Plan plan) {
    return table.row(
        rank,
        plan.name(),
        plan.kind().type().getSimpleName(),
        String.format(Locale.ROOT, "%.2f", plan.bitsPerKey()),
        Text.size(run.filters() * PlanRun.bytes(plan)),
        rate(plan.predictedRate()),
        Math.round(plan.queryNanos()) + " ns",
        Math.round(plan.addNanos()) + " ns");
  }

  private static String inShards(Plan plan) {
    return plan.shards() == 1
        ? ""
        : " Built in %d shards or more, in one file.".formatted(plan.shards());
  }

  private static String others(Plan plan, Map<FilterKind<?>, List<Plan>> kinds) {
    String names =
        kinds.getOrDefault(plan.kind(), List.of()).stream()
            .skip(1)
            .map(Plan::name)
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "" : " Variants: " + names + ".";
  }

  private static String rate(double rate) {
    if (rate == 0) {
      return "exact";
    }
    return rate < 1e-8 ? String.format(Locale.ROOT, "%.2e", rate) : Text.percent(rate);
  }

  /** Notes for the user besides the plans. */
  private List<String> notes() {
    List<String> notes = new ArrayList<>();
    run.hashList().ifPresent(list -> notes.add(list.name() + ": " + hashList()));
    notes.addAll(otherNotes());
    return notes;
  }

  private List<String> otherNotes() {
    List<String> notes = new ArrayList<>();
    if (run.filters() > 1) {
      notes.add(
          ("One filter cannot hold that many keys. Divide them by their hashes among %d files with bloom"
                  + " partition --by key -n %d, and build a filter of each; memory is that of all.")
              .formatted(run.filters(), run.filters()));
    }
    if (run.needs().has(Need.MOSTLY_PRESENT)) {
      notes.add(
          "Nine of ten queries count as those of present keys. A filter saves only lookups of absent"
              + " keys: it pays if these cost more than querying the filter for every key.");
    }
    notes.add(
        run.isMeasured()
            ? "Times are predicted from the speed of this machine, as bloom bench measured it."
            : "Times are predicted from built-in figures; bloom bench --save measures this machine.");
    String options =
        Stream.of(Need.HOSTILE_INPUT, Need.PRIVATE)
            .filter(run.needs()::has)
            .map(NeedOptions::option)
            .collect(Collectors.joining(", "));
    if (!options.isEmpty()) {
      notes.add("Build it with " + options + " and --secret-file FILE.");
    }
    return notes;
  }

  private String hashList() {
    String list = "A list of hashes: no filter that answers as fast is smaller.";
    return run.needs().has(Need.FROZEN_SET)
        ? list
        : list
            + " It takes no more keys (--frozen); if there will be some, a set of 64-bit hashes"
            + " takes %s and has a rate of %.1e."
                .formatted(
                    Text.size(Long.BYTES * run.keys()), Math.scalb((double) run.keys(), -64));
  }

  private String question() {
    Needs needs = run.needs();
    List<String> parts = new ArrayList<>();
    parts.add(Text.count(run.keys(), "key"));
    if (run.filters() > 1) {
      parts.add("in %d filters".formatted(run.filters()));
    }
    if (needs.rate().isPresent()) {
      parts.add("rate " + Text.rate(needs.rate().getAsDouble()));
    }
    if (run.ram().isPresent()) {
      parts.add("at most " + Text.size(run.ram().getAsLong()));
    }
    needs.universe().ifPresent(size -> parts.add("universe of " + Text.count(size)));
    needs.all().stream().map(need -> words(need, needs)).forEach(parts::add);
    if (needs.preference() != Needs.Preference.BALANCED) {
      parts.add("preferring " + NeedOptions.name(needs.preference()));
    }
    return String.join(", ", parts);
  }

  private static String words(Need need, Needs needs) {
    return need == Need.RANGES
        ? "ranges of up to " + Text.count(needs.longestRange(), "key")
        : need.words();
  }

  String json() {
    Needs needs = run.needs();
    return new Report()
        .value("keys", run.keys())
        .value("filters", run.filters())
        .value("rate", needs.rate().isPresent() ? needs.rate().getAsDouble() : null)
        .value("ramBytes", run.ram().isPresent() ? run.ram().getAsLong() : null)
        .value("universe", needs.universe().isPresent() ? needs.universe().getAsLong() : null)
        .value("needs", needs.all().stream().map(n -> NeedOptions.option(n).substring(2)).toList())
        .value("longestRange", needs.has(Need.RANGES) ? needs.longestRange() : null)
        .value("prefer", NeedOptions.name(needs.preference()))
        .value("plans", run.plans().stream().map(PlanReport::facts).toList())
        .value("tooLarge", run.leftOut().stream().map(PlanReport::facts).toList())
        .value("unmet", run.unmet())
        .value("notes", run.plans().isEmpty() ? List.of() : notes())
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
    facts.put("presentNanos", plan.presentNanos());
    facts.put("absentNanos", plan.absentNanos());
    facts.put("queryNanos", plan.queryNanos());
    facts.put("addNanos", plan.addNanos());
    facts.put("cost", plan.cost());
    facts.put("shape", plan.shape().toString());
    facts.put("shards", plan.shards());
    facts.put("keyed", plan.keyed());
    facts.put("falsePositive", plan.variant().falsePositiveCost());
    facts.put("why", plan.why());
    return facts;
  }
}
