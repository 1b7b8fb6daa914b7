package io.bloomery.cli.combine;

import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The summary of {@code bloom merge} and {@code bloom intersect}. */
final class CombinationReport {

  private final Report report = new Report();

  /** Describes the kind, the shape and the input filters. */
  CombinationReport(Combination combination) {
    Operand like = combination.like();
    report.row("kind", like.kind()).row("shape", like.shape());
    if (combination.isFolded()) {
      report.row("folded to", Text.count(combination.sizeInBits()) + " bits");
    }
    if (like.fields().containsKey("hash")) {
      report.row("hash", like.fields().get("hash").toString());
    }
    report.value("kind", like.kind()).value("fields", like.fields());
    List<Map<String, @Nullable Object>> inputs = new ArrayList<>();
    for (Combination.Part part : combination.parts()) {
      report.row(Octets.name(part.path()), inWords(part));
      Map<String, @Nullable Object> input = new LinkedHashMap<>();
      input.put("file", Octets.name(part.path()));
      input.put("estimatedKeys", part.keys());
      input.put("expectedRate", part.rate());
      inputs.add(input);
    }
    report.value("inputs", inputs).value("sizeInBits", combination.sizeInBits());
    Combination.Part result = combination.result();
    if (result.fill() != null) {
      report.row("fill", Text.percent(result.fill()) + " of the bits are set");
    }
    report.row("expected rate", Text.rate(result.rate()));
    report.value("fillRatio", result.fill()).value("expectedRate", result.rate());
  }

  private static String inWords(Combination.Part part) {
    String rate = "rate " + Text.percent(part.rate());
    return part.keys() == null ? rate : about(part.keys(), "key") + ", " + rate;
  }

  /** An estimated number of things in words. */
  static String about(double number, String thing) {
    return Double.isInfinite(number)
        ? "too many " + thing + "s to tell: every bit is set"
        : "about " + Text.count(Math.round(number), thing);
  }

  /** Adds an estimate; null if it is not known. */
  void estimate(String label, String name, @Nullable Double number, String thing) {
    if (number != null) {
      report.row(label, about(number, thing));
    }
    report.value(name, number);
  }

  /** Adds a fact to both the text and the JSON. */
  void fact(String label, String text, String name, @Nullable Object value) {
    report.row(label, text).value(name, value);
  }

  /** Adds the file that was written and its size. */
  void describeFile(Path file) {
    long bytes;
    try {
      bytes = Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
    report
        .row("file size", Text.bytes(bytes))
        .value("file", Octets.name(file))
        .value("fileBytes", bytes);
  }

  String text(String title) {
    return report.text(title);
  }

  String json() {
    return report.json();
  }
}
