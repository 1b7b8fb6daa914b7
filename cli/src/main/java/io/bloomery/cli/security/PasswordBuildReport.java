package io.bloomery.cli.security;

import io.bloomery.security.password.PasswordList.Built;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What {@code bloom password build} says of a list.
 *
 * @param file the list
 * @param built what it was built of
 */
record PasswordBuildReport(Path file, Built built) {

  /** Which lines were skipped; null if none was. */
  @Nullable String broken() {
    long lines = built.brokenLines();
    return lines == 0
        ? null
        : "%s skipped: %s%s"
            .formatted(
                Text.count(lines, "line"),
                String.join("; ", built.broken()),
                lines > built.broken().size() ? "; …" : "");
  }

  String text() {
    return "%s: %s, %s\n"
        .formatted(Octets.name(file), Text.count(built.passwords(), "password"), Text.size(size()));
  }

  String json() {
    return new Report()
        .value("file", Octets.name(file))
        .value("passwords", built.passwords())
        .value("brokenLines", built.brokenLines())
        .value("broken", built.broken())
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
