package io.bloomery.cli.report;

import java.util.LinkedHashMap;
import java.util.Map;

/** Facts in order, to be printed for people, aligned, or for programs, as JSON. */
public final class Report {

  private final Map<String, String> rows = new LinkedHashMap<>();
  private final Map<String, Object> values = new LinkedHashMap<>();

  /** A fact for people. */
  public Report row(String label, String text) {
    rows.put(label, text);
    return this;
  }

  /** A fact for programs; {@code null} for one that is not known. */
  public Report value(String name, Object value) {
    values.put(name, value);
    return this;
  }

  /** The facts for people, below a title. */
  public String text(String title) {
    int width = rows.keySet().stream().mapToInt(String::length).max().orElse(0);
    StringBuilder out = new StringBuilder(title).append('\n');
    rows.forEach(
        (label, text) ->
            out.append("  ")
                .append(label)
                .append(" ".repeat(width - label.length() + 2))
                .append(text)
                .append('\n'));
    return out.toString();
  }

  /** The facts for programs, in one line. */
  public String json() {
    return Json.of(values) + "\n";
  }
}
