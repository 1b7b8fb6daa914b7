package io.bloomery.cli.security;

import io.bloomery.security.deny.DenyList.Built;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code bloom deny build} says of a list.
 *
 * @param file the list
 * @param built what it was built of
 */
record DenyReport(Path file, Built built) {

  /** Which lines were skipped, and which declared items are denied all the same. */
  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    long lines = built.brokenLines();
    if (lines > 0) {
      warnings.add(Text.count(lines, "line") + " skipped: " + shown(lines, built.broken()));
    }
    long denied = built.denied();
    if (denied > 0) {
      warnings.add(
          "rules deny %s of the universe: %s"
              .formatted(Text.count(denied, "item"), shown(denied, built.deniedItems())));
    }
    return warnings;
  }

  private static String shown(long all, List<String> first) {
    return String.join("; ", first) + (all > first.size() ? "; …" : "");
  }

  String text() {
    return "%s: %s%s%s, %s\n"
        .formatted(
            Octets.name(file),
            Text.count(built.rules(), "rule"),
            built.allowRules() == 0 ? "" : ", " + Text.count(built.allowRules()) + " that allow",
            built.universe() == 0
                ? ""
                : ", exact for " + Text.count(built.universe(), "declared item"),
            Text.size(size()));
  }

  String json() {
    return new Report()
        .value("file", Octets.name(file))
        .value("rules", built.rules())
        .value("allowRules", built.allowRules())
        .value("brokenLines", built.brokenLines())
        .value("broken", built.broken())
        .value("universe", built.universe())
        .value("denied", built.denied())
        .value("deniedItems", built.deniedItems())
        .value("exceptions", built.exceptions())
        .value("bytes", size())
        .json();
  }

  private long size() {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
  }
}
