package io.bloomery.find;

import io.bloomery.find.IndexedFile.How;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.nio.file.Path;
import java.util.List;

/** The facts about an index of files. */
final class IndexFacts {

  private final Path target;
  private final IndexTable table;
  private final long indexBytes;

  /** Takes them from all of an index but its filters. */
  IndexFacts(Path target, IndexTable table, long indexBytes) {
    this.target = target;
    this.table = table;
    this.indexBytes = indexBytes;
  }

  private LeftOut leftOut() {
    LeftOut leftOut = new LeftOut();
    for (IndexedFile file : table.files()) {
      if (file.how() == How.BINARY) {
        leftOut.addBinary(file.path());
      } else if (file.how() == How.UNREAD) {
        leftOut.addUnread(file.path());
      }
    }
    return leftOut;
  }

  private double share() {
    long content = table.contentBytes();
    return content == 0 ? 0 : (double) indexBytes / content;
  }

  /** The expected share of the content that is read for a key that does not occur. */
  private double rate() {
    double bytes = 0;
    for (IndexedBlock block : table.blocks()) {
      bytes += block.rate() * block.length();
    }
    for (IndexedFile file : table.files()) {
      if (file.how() == How.PACKED) {
        bytes += unpackedToo(file);
      }
    }
    long content = table.contentBytes();
    return content == 0 ? 0 : bytes / content;
  }

  /**
   * What is expected to be read of a packed file in addition to the blocks whose filters err: a
   * block is read if its own filter errs or that of a later one, up to which the file must be
   * unpacked.
   */
  private double unpackedToo(IndexedFile file) {
    double more = 0;
    double noneLater = 1;
    for (int i = file.firstBlock() + file.blocks() - 1; i >= file.firstBlock(); i--) {
      IndexedBlock block = table.blocks().get(i);
      double none = noneLater * (1 - block.rate());
      more += (1 - none - block.rate()) * block.length();
      noneLater = none;
    }
    return more;
  }

  /** Those of an index that was just written. */
  IndexReport report(IndexBuild build) {
    Report report =
        new Report()
            .row(
                "files",
                "%s: %s read, %s unchanged"
                    .formatted(
                        Text.count(table.files().size()),
                        Text.count(build.read()),
                        Text.count(build.reused())));
    if (build.badRows() > 0) {
      report.row("bad rows", Text.count(build.badRows()) + " skipped");
    }
    LeftOut leftOut = addRows(report);
    report
        .value("file", Octets.name(target))
        .value("files", table.files().size())
        .value("filesRead", build.read())
        .value("filesUnchanged", build.reused())
        .value("filesLeftOut", leftOut.count())
        .value("contentBytes", table.contentBytes())
        .value("contentBytesRead", build.readBytes())
        .value("badRows", build.badRows());
    return addValues(report, leftOut);
  }

  /** Those of an index in a file of some version of the format. */
  IndexReport report(int version) {
    List<String> roots = table.roots().stream().map(Octets::name).toList();
    String keys = keys(table.options().rule());
    Report report =
        new Report()
            .row("format", "index of files, version " + version)
            .row("keys", keys)
            .row("roots", String.join(", ", roots))
            .row("files", Text.count(table.files().size()));
    LeftOut leftOut = addRows(report);
    report
        .value("file", Octets.name(target))
        .value("format", "index")
        .value("version", version)
        .value("keyRule", keys)
        .value("roots", roots)
        .value("files", table.files().size())
        .value("filesLeftOut", leftOut.count())
        .value("contentBytes", table.contentBytes());
    return addValues(report, leftOut);
  }

  private static String keys(KeyRule rule) {
    return exactKeys(rule) + (rule.folded() ? "; case is ignored" : "");
  }

  private static String exactKeys(KeyRule rule) {
    KeyRule.Columns columns = rule.columns();
    if (columns != null) {
      return "columns: " + String.join(", ", columns.names());
    }
    if (rule.kind() == KeyRule.Kind.JSON) {
      return "JSON: " + String.join(", ", rule.places());
    }
    return rule.kind() == KeyRule.Kind.LINES
        ? "whole lines"
        : rule.joints().isEmpty() ? "tokens" : "tokens, joined by " + rule.joints();
  }

  private LeftOut addRows(Report report) {
    report
        .row("content", Text.bytes(table.contentBytes()))
        .row(
            "index",
            Text.bytes(indexBytes)
                + (table.contentBytes() == 0
                    ? ""
                    : ", " + Text.percent(share()) + " of the content"))
        .row("blocks", Text.count(table.blocks().size()))
        .row("read needlessly", Text.percent(rate()) + " of the content for an absent key");
    LeftOut leftOut = leftOut();
    leftOut.addRows(report);
    return leftOut;
  }

  private IndexReport addValues(Report report, LeftOut leftOut) {
    report
        .value("indexBytes", indexBytes)
        .value("blocks", table.blocks().size())
        .value("keys", table.blocks().stream().mapToLong(IndexedBlock::keys).sum())
        .value("readInVain", rate())
        .value("leftOut", leftOut.values());
    return new IndexReport(target, report);
  }
}
