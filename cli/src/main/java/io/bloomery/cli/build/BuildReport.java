package io.bloomery.cli.build;

import io.bloomery.FilterKind;
import io.bloomery.FrameHeader;
import io.bloomery.cli.file.FilterFile;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.report.Fields;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import io.bloomery.weighted.ClassShape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The summary of {@code bloom build}. */
final class BuildReport {

  private final BuildRun.Result result;
  private final long badRows;
  private final Path file;
  private final long sizedFor;
  private final double promised;
  private final double expected;
  private final @Nullable FrameHeader header; // null if the output is not a regular file

  /** Describes a filter that was saved to {@code file}. */
  BuildReport(BuildRun.Result result, long badRows, Path file) {
    this.result = result;
    this.badRows = badRows;
    this.file = file;
    this.sizedFor = result.choice().needs().keys();
    this.promised = result.choice().promisedRate();
    this.expected = result.expectedRate();
    this.header = Files.isRegularFile(file) ? FilterFile.read(file, false).header() : null;
  }

  /** Warnings, which are printed even with {@code --quiet}. */
  List<String> warnings(@Nullable Long keysOption) {
    if (keysOption == null || result.keys() <= keysOption) {
      return List.of();
    }
    String more =
        "%s read, more than the %s of -n: "
            .formatted(Text.count(result.keys(), "key"), Text.count(keysOption));
    if (result.choice().forgets()) {
      return List.of(more + "the oldest of them are forgotten");
    }
    return expected <= promised
        ? List.of()
        : List.of(
            more
                + "expect %s false positives, not %s"
                    .formatted(Text.percent(expected), Text.percent(promised)));
  }

  String text() {
    FilterKind<?> kind = result.storable().kind();
    Report report = new Report();
    report.row("kind", kind.name() + ", " + kind.type().getSimpleName());
    String why = result.choice().why();
    if (why != null) {
      report.row("why", why);
    }
    if (header != null) {
      report.row("shape", Fields.line(header.fields()));
    }
    report.row("keys read", Text.count(result.keys()));
    if (result.distinct() >= 0) {
      report.row("distinct keys", Text.count(result.distinct()));
    }
    if (result.distinct() >= 0 && result.distinct() < result.keys()) {
      report.row("repetitions", Text.count(result.keys() - result.distinct()));
    }
    if (result.skipped() > 0) {
      report.row("empty keys", Text.count(result.skipped()) + " skipped");
    }
    if (badRows > 0) {
      report.row("bad rows", Text.count(badRows) + " skipped");
    }
    if (sizedFor != result.distinct()) {
      report.row("room for", Text.count(sizedFor, "key"));
    }
    report.row("bits per key", bitsPerKeyText());
    report.row("file size", Text.bytes(fileBytes()));
    report.row("promised rate", Text.rate(promised));
    report.row("expected rate", Text.rate(expected));
    ClassShape weighted = weighted();
    if (weighted != null) {
      report.row("plain filter", Text.rate(plainRate(weighted)) + " in the same memory");
      report.row("listed keys", Text.count(listed(weighted)));
    }
    report.row("hash", result.hasher().toString());
    report.row(
        "time",
        String.format(Locale.ROOT, "%.2f s, ", seconds())
            + Text.count(Math.round(keysPerSecond()), "key")
            + " per second");
    return report.text("Built " + Octets.name(file));
  }

  String json() {
    ClassShape weighted = weighted();
    Long distinct = result.distinct() < 0 ? null : result.distinct();
    return new Report()
        .value("file", Octets.name(file))
        .value("kind", result.storable().kind().name())
        .value("why", result.choice().why())
        .value("keysRead", result.keys())
        .value("distinctKeys", distinct)
        .value("repetitions", distinct == null ? null : result.keys() - distinct)
        .value("emptyKeysSkipped", result.skipped())
        .value("badRows", badRows)
        .value("sizedForKeys", sizedFor)
        .value("bits", result.filter().sizeInBits())
        .value("bitsPerKey", bitsPerKey())
        .value("storedBitsPerKey", header == null ? null : storedBitsPerKey(header))
        .value("fileBytes", fileBytes())
        .value("promisedRate", promised)
        .value("expectedRate", expected)
        .value("plainRate", weighted == null ? null : plainRate(weighted))
        .value("listedKeys", weighted == null ? null : listed(weighted))
        .value("seconds", seconds())
        .value("keysPerSecond", keysPerSecond())
        .json();
  }

  private long fileBytes() {
    return header == null ? result.storable().storedBytes() : header.frameBytes();
  }

  /** The shape of a filter that weights its keys; null for all others. */
  private @Nullable ClassShape weighted() {
    return result.choice().shape() instanceof ClassShape shape ? shape : null;
  }

  /** The rate of a filter of the same size that treats all keys alike. */
  private double plainRate(ClassShape weighted) {
    return weighted.gain(sizedFor) * weighted.falsePositiveRate(sizedFor);
  }

  private static long listed(ClassShape weighted) {
    return weighted.classes().stream().mapToLong(ClassShape.HashClass::keyCount).sum();
  }

  private double bitsPerKey() {
    return (double) result.filter().sizeInBits() / Math.max(1, sizedFor);
  }

  private double storedBitsPerKey(FrameHeader stored) {
    return (double) stored.payloadBytes() * Byte.SIZE / Math.max(1, sizedFor);
  }

  /** Bits per key in memory and, for kinds that are compressed in the file, also in the file. */
  private String bitsPerKeyText() {
    String memory = String.format(Locale.ROOT, "%.2f", bitsPerKey());
    return header == null || !Fields.isCoded(header, result.filter())
        ? memory
        : memory
            + String.format(
                Locale.ROOT, " in memory, %.2f stored in the file", storedBitsPerKey(header));
  }

  private double seconds() {
    return result.nanos() / 1e9;
  }

  private double keysPerSecond() {
    return result.keys() / seconds();
  }
}
