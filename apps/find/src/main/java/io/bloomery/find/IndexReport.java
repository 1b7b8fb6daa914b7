package io.bloomery.find;

import io.bloomery.tools.name.Octets;
import io.bloomery.tools.report.Report;
import java.nio.file.Path;

/** The result of a build: the size of the index, the content read, and the cost of a search. */
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
