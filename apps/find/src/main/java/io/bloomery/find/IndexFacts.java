package io.bloomery.find;

import io.bloomery.find.IndexedFile.How;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.nio.file.Path;

/** The facts about an index of files that was written. */
final class IndexFacts {

  private final Path target;
  private final IndexBuild build;
  private final IndexTable table;

  /** Takes them from a build that has ended. */
  IndexFacts(Path target, IndexBuild build) {
    this.target = target;
    this.build = build;
    this.table = build.table();
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
    return content == 0 ? 0 : (double) build.indexBytes() / content;
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

  /** All of them. */
  IndexReport report() {
    long keys = table.blocks().stream().mapToLong(IndexedBlock::keys).sum();
    Report report =
        new Report()
            .row(
                "files",
                "%s: %s read, %s unchanged"
                    .formatted(
                        Text.count(table.files().size()),
                        Text.count(build.read()),
                        Text.count(build.reused())))
            .row("content", Text.bytes(table.contentBytes()))
            .row(
                "index",
                Text.bytes(build.indexBytes())
                    + (table.contentBytes() == 0
                        ? ""
                        : ", " + Text.percent(share()) + " of the content"))
            .row("blocks", Text.count(table.blocks().size()))
            .row("read needlessly", Text.percent(rate()) + " of the content for an absent key");
    LeftOut leftOut = leftOut();
    leftOut.addRows(report);
    report
        .value("file", Octets.name(target))
        .value("files", table.files().size())
        .value("filesRead", build.read())
        .value("filesUnchanged", build.reused())
        .value("filesLeftOut", leftOut.count())
        .value("contentBytes", table.contentBytes())
        .value("contentBytesRead", build.readBytes())
        .value("indexBytes", build.indexBytes())
        .value("blocks", table.blocks().size())
        .value("keys", keys)
        .value("readInVain", rate())
        .value("leftOut", leftOut.values());
    return new IndexReport(target, report);
  }
}
