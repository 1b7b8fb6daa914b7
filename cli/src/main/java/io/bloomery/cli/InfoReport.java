package io.bloomery.cli;

import io.bloomery.CardinalityFilter;
import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.FrameHeader;
import io.bloomery.FrameHeader.Description;
import io.bloomery.RangeFilter;
import io.bloomery.cli.file.FilterFile;
import io.bloomery.cli.option.TypeOption;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.report.Fields;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The output of {@code bloom info} for a saved filter. */
final class InfoReport {

  private final FilterFile file;
  private final FrameHeader header;
  private final Report report = new Report();

  /**
   * Describes a file; {@code filter} is null if it could not be opened because a key is missing.
   */
  InfoReport(FilterFile file, boolean verified, @Nullable Filter filter) {
    this.file = file;
    this.header = file.header();
    describeHeader();
    describeKeys();
    describeLayout(verified);
    describeBits(filter, verified);
  }

  String text() {
    return report.text(Octets.name(file.path()));
  }

  String json() {
    return report.json();
  }

  private void describeHeader() {
    FilterKind<?> kind = header.kind();
    report
        .row("kind", kind.name() + ", " + kind.type().getSimpleName() + " (kind " + kind.id() + ")")
        .row("answers", kind.question())
        .row("hash", header.hash())
        .value("file", Octets.name(file.path()))
        .value("kind", kind.name())
        .value("kindId", kind.id())
        .value("class", kind.type().getName())
        .value("question", kind.question())
        .value("formatVersion", header.version())
        .value("hashId", header.hashId())
        .value("keyed", header.isKeyed())
        .value(
            header.isKeyed() ? "keyCheck" : "seed",
            header.isKeyed()
                ? "%016x".formatted(header.seedOrKeyCheck())
                : Long.toString(header.seedOrKeyCheck()))
        .value("fields", header.fields());
    header.fields().forEach((label, value) -> report.row(label, Fields.value(label, value)));
  }

  /** What the file records about its keys and itself, which cannot be verified. */
  private void describeKeys() {
    Description said = header.description();
    String type = said.text(Description.KEY_TYPE).orElse(null);
    String column = said.text(Description.COLUMN).orElse(null);
    Number keys = said.number(Description.EXPECTED_KEYS).orElse(null);
    Number rate = said.number(Description.PROMISED_RATE).orElse(null);
    Number created = said.number(Description.CREATED).orElse(null);
    String time = created == null ? null : Instant.ofEpochSecond(created.longValue()).toString();
    String tool = said.text(Description.TOOL).orElse(null);
    String blanks = said.text(TypeOption.BLANKS).orElse(null);
    String letters = said.text(TypeOption.CASE).orElse(null);
    report.row("key type", type == null ? "the file does not say" : type);
    if (column != null) {
      report.row("key column", column);
    }
    if (blanks != null) {
      report.row("key blanks", blanks);
    }
    if (letters != null) {
      report.row("key case", letters);
    }
    if (keys != null) {
      report.row("made for", Text.count(keys.longValue(), "key"));
    }
    if (rate != null) {
      report.row("promised rate", Text.rate(rate.doubleValue()));
    }
    if (time != null) {
      report.row("created", time);
    }
    if (tool != null) {
      report.row("made by", tool);
    }
    report
        .value("keyType", type)
        .value("keyColumn", column)
        .value("keyBlanks", blanks)
        .value("keyCase", letters)
        .value("madeForKeys", keys)
        .value("promisedRate", rate)
        .value("created", time)
        .value("tool", tool);
  }

  private void describeLayout(boolean verified) {
    String checked =
        verified ? "header and all pages are sound" : "header is sound; the pages were not read";
    report
        .row("format version", Integer.toString(header.version()))
        .row("header", Text.bytes(header.headerBytes()) + " with its CRC32C")
        .row(
            "payload",
            Text.bytes(header.payloadBytes()) + " from byte " + Text.count(header.payloadOffset()));
    if (header.sectionWords().size() != 1) {
      report.row("sections", header.sectionWords() + " words of 64 bits");
    }
    report
        .row("checksums", "CRC32C of " + Text.count(header.pages(), "page") + " of up to 64 KiB")
        .row("file size", Text.bytes(header.frameBytes()))
        .row("checked", checked)
        .value("sectionWords", header.sectionWords())
        .value("headerBytes", header.headerBytes())
        .value("payloadOffset", header.payloadOffset())
        .value("payloadBytes", header.payloadBytes())
        .value("pageBytes", FrameHeader.PAGE_BYTES)
        .value("pages", header.pages())
        .value("fileBytes", header.frameBytes())
        .value("verified", verified);
  }

  private void describeBits(@Nullable Filter filter, boolean verified) {
    if (filter == null) {
      report.row(
          "expected rate",
          verified ? "needs the secret key: --secret-file" : "not computed: --no-verify");
      return;
    }
    if (filter instanceof CardinalityFilter cells) {
      fill(cells.fillRatio());
      estimate(cells.cardinality());
    }
    if (Fields.isCoded(header, filter)) {
      report.row(
          "memory",
          Text.bytes(filter.sizeInBits() / Byte.SIZE) + " while it is queried: the file is coded");
    }
    double rate = filter.falsePositiveRate();
    report
        .row("expected rate", Text.rate(rate) + " of false positives, as full as it is now")
        .value("sizeInBits", filter.sizeInBits())
        .value("expectedRate", rate);
    if (filter instanceof RangeFilter ordered) {
      double ofRanges = ordered.falsePositiveRate(ordered.longestRange());
      String length = Text.count(ordered.longestRange(), "key");
      report
          .row("rate of ranges", Text.rate(ofRanges) + " for ranges of " + length)
          .value("rangeRate", ofRanges);
    }
  }

  private void fill(double share) {
    report.row("fill", Text.percent(share) + " of the bits are set").value("fillRatio", share);
  }

  private void estimate(double keys) {
    String text =
        Double.isFinite(keys) ? Text.count(Math.round(keys)) : "not known: every bit is set";
    report.row("estimated keys", text).value("estimatedKeys", keys);
  }
}
