package io.bloomery.find;

import io.bloomery.find.IndexedFile.How;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.nio.file.Path;

/** What became of an index: how large it is, what was read, and what a search will cost. */
public final class IndexReport {

  private final Path target;
  private final IndexBuild run;
  private IndexTable table;

  /** Reports on a run that has not ended yet. */
  IndexReport(Path target, IndexBuild run) {
    this.target = target;
    this.run = run;
  }

  /** Takes the table that the run wrote. */
  void of(IndexTable written) {
    table = written;
  }

  private long binary() {
    return table.files().stream().filter(file -> file.how() == How.BINARY).count();
  }

  private double share() {
    long content = table.contentBytes();
    return content == 0 ? 0 : (double) run.indexBytes() / content;
  }

  /** The expected share of the content that is read for a key that does not occur. */
  private double rate() {
    double bytes = 0;
    for (IndexedBlock block : table.blocks()) {
      bytes += block.rate() * block.length();
    }
    long content = table.contentBytes();
    return content == 0 ? 0 : bytes / content;
  }

  private Report report() {
    long keys = table.blocks().stream().mapToLong(IndexedBlock::keys).sum();
    Report report =
        new Report()
            .row(
                "files",
                "%s: %s read, %s unchanged"
                    .formatted(
                        Text.count(table.files().size()),
                        Text.count(run.read()),
                        Text.count(run.reused())))
            .row("content", Text.bytes(table.contentBytes()))
            .row(
                "index",
                Text.bytes(run.indexBytes())
                    + (table.contentBytes() == 0
                        ? ""
                        : ", " + Text.percent(share()) + " of the content"))
            .row("blocks", Text.count(table.blocks().size()))
            .row("read needlessly", Text.percent(rate()) + " of the content for an absent key");
    if (binary() > 0) {
      report.row(
          "left out", Text.count(binary(), "file") + " that look binary (--text takes them)");
    }
    return report
        .value("file", target.toString())
        .value("files", table.files().size())
        .value("filesRead", run.read())
        .value("filesUnchanged", run.reused())
        .value("filesLeftOut", binary())
        .value("contentBytes", table.contentBytes())
        .value("contentBytesRead", run.readBytes())
        .value("indexBytes", run.indexBytes())
        .value("blocks", table.blocks().size())
        .value("keys", keys)
        .value("readInVain", rate());
  }

  /** As lines of text below the name of the index. */
  public String text() {
    return report().text(target.toString());
  }

  /** As JSON, in one line. */
  public String json() {
    return report().json();
  }
}
