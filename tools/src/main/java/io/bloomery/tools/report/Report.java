package io.bloomery.tools.report;

import io.bloomery.tools.problem.Visible;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Facts in order, printed as aligned text or as JSON. */
public final class Report {

  private final Map<String, String> rows = new LinkedHashMap<>();
  private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

  /** Adds a fact to the text. */
  public Report row(String label, String text) {
    rows.put(Visible.line(label), Visible.line(text));
    return this;
  }

  /** Adds a fact to the JSON; {@code null} if it is unknown. */
  public Report value(String name, @Nullable Object value) {
    values.put(name, value);
    return this;
  }

  /** Adds facts to the JSON. */
  public Report values(Map<String, ?> more) {
    values.putAll(more);
    return this;
  }

  /** The facts as text, below a title. */
  public String text(String title) {
    int width = rows.keySet().stream().mapToInt(String::length).max().orElse(0);
    StringBuilder out = new StringBuilder(Visible.line(title)).append('\n');
    rows.forEach(
        (label, text) ->
            out.append("  ")
                .append(label)
                .append(" ".repeat(width - label.length() + 2))
                .append(text)
                .append('\n'));
    return out.toString();
  }

  /** The facts as JSON, in one line. */
  public String json() {
    return Json.of(values) + "\n";
  }
}
