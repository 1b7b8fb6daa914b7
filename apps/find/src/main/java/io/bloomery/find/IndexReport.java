package io.bloomery.find;

import io.bloomery.tools.name.Octets;
import io.bloomery.tools.report.Report;
import java.nio.file.Path;

/** What became of an index: how large it is, what was read, and what a search will cost. */
public final class IndexReport {

  private final Path file;
  private final Report report;

  /** Describes the index in a file. */
  IndexReport(Path file, Report report) {
    this.file = file;
    this.report = report;
  }

  /** As lines of text below the name of the index. */
  public String text() {
    return report.text(Octets.name(file));
  }

  /** As JSON, in one line. */
  public String json() {
    return report.json();
  }
}
