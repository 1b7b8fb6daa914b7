package io.bloomery.cli.security;

import io.bloomery.cli.option.ReportOptions;
import io.bloomery.security.known.KnownFiles.Built;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What {@code bloom known build} says of a set.
 *
 * @param file the set
 * @param built what it was built of
 */
record KnownReport(Path file, Built built) {

  private static final int SHOWN = 3;
  private static final int UNREAD = 2;

  /** Prints it with its warnings, and returns the exit code. */
  int print(Console console, ReportOptions reporting) {
    if (built.brokenLines() > 0) {
      console.warn(
          "%s skipped: %s%s"
              .formatted(
                  Text.count(built.brokenLines(), "line"),
                  String.join("; ", built.broken()),
                  built.brokenLines() > built.broken().size() ? "; …" : ""));
    }
    warn(console, built.unread());
    reporting.print(console, this::text, this::json);
    return built.unread().isEmpty() ? 0 : UNREAD;
  }

  private static void warn(Console console, List<String> unread) {
    unread.stream().limit(SHOWN).forEach(console::warn);
    if (unread.size() > SHOWN) {
      console.warn(Text.count(unread.size() - SHOWN, "more file") + " could not be read");
    }
  }

  private String text() {
    return "%s: %s by %s, %s\n"
        .formatted(
            Octets.name(file),
            Text.count(built.files(), "file"),
            built.digest().label(),
            Text.size(size()));
  }

  private String json() {
    return new Report()
        .value("file", Octets.name(file))
        .value("files", built.files())
        .value("digest", built.digest().label())
        .value("linksNotFollowed", built.links())
        .value("unread", built.unread().size())
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
