package io.bloomery.cli.net;

import io.bloomery.cli.option.ReportOptions;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.index.IndexOptions;
import io.bloomery.net.index.TrafficIndex;
import io.bloomery.net.index.TrafficIndex.Facts;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.nio.file.Path;

/** The work of {@code bloom net index}: adds packets, and says what the index then has. */
final class IndexRun {

  private final Console console;
  private final Path index;
  private final IndexOptions options;
  private final ReportOptions reporting;
  private final TrafficIndex.Writer writer;
  private boolean ended;

  IndexRun(Console console, Path index, IndexOptions options, ReportOptions reporting) {
    this.console = console;
    this.index = index;
    this.options = options;
    this.reporting = reporting;
    try {
      this.writer = TrafficIndex.writer(index, options);
    } catch (IOException e) {
      throw Problem.with(index, e);
    }
  }

  void take(Packet packet) {
    if (ended) {
      return;
    }
    try {
      writer.add(packet);
    } catch (IOException e) {
      throw Problem.with(index, e);
    }
  }

  /** Writes the last page and the summary, once. */
  void end(CaptureInput input) {
    if (ended) {
      return;
    }
    ended = true;
    try {
      writer.close();
      if (reporting.isJson()) {
        console.print(json(input));
        console.out().flush();
      } else if (!reporting.isQuiet()) {
        console.say(text(input));
      }
    } catch (IOException e) {
      throw Problem.with(index, e);
    }
  }

  private Facts facts() throws IOException {
    return TrafficIndex.open(index, e -> console.warn(e.getMessage())).facts();
  }

  private String text(CaptureInput input) throws IOException {
    Facts all = facts();
    StringBuilder text =
        new StringBuilder(input.text())
            .append("; ")
            .append(Text.count(writer.written().pages(), "page"))
            .append(" of ")
            .append(Text.bytes(writer.written().bytes()));
    if (writer.written().deleted() > 0) {
      text.append("; deleted ").append(Text.count(writer.written().deleted(), "old page"));
    }
    text.append("; the index has ")
        .append(Text.count(all.pages(), "page"))
        .append(", ")
        .append(Text.bytes(all.bytes()))
        .append(" for ")
        .append(Text.bytes(all.traffic()));
    if (all.tooShort() > 0) {
      text.append("; ")
          .append(Text.count(all.tooShort(), "packet"))
          .append(" with less than a block cannot be found by their bytes")
          .append(options.joined() ? "" : "; --join helps");
    }
    if (all.unlisted() > 0) {
      text.append("; ").append(Text.count(all.unlisted(), "flow")).append(" not listed by name");
    }
    return text.toString();
  }

  private String json(CaptureInput input) throws IOException {
    Facts all = facts();
    return input
        .values(new Report())
        .value("pagesWritten", writer.written().pages())
        .value("bytesWritten", writer.written().bytes())
        .value("pagesDeleted", writer.written().deleted())
        .value("pages", all.pages())
        .value("bytes", all.bytes())
        .value("traffic", all.traffic())
        .value("packetsOfPages", all.packets())
        .value("tooShort", all.tooShort())
        .value("unlistedFlows", all.unlisted())
        .value("memoryBytes", options.memory())
        .json();
  }
}
