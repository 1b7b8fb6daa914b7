package io.bloomery.cli;

import io.bloomery.format.FilterKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** What {@code bloom build} says about the filter it built. */
final class BuildReport {

  private final BuildRun.Result result;
  private final Path file;
  private final double promised;
  private final double expected;

  /**
   * Describes a filter that was saved to {@code file} and was to have the rate {@code promised}.
   */
  BuildReport(BuildRun.Result result, Path file, double promised) {
    this.result = result;
    this.file = file;
    this.promised = promised;
    this.expected = result.fresh().filter().falsePositiveRate();
  }

  /** What the user should know even if nothing else is printed. */
  List<String> warnings(Long keysOption) {
    if (keysOption == null || result.keys() <= keysOption || expected <= promised) {
      return List.of();
    }
    return List.of(
        "%s read, more than the %s of -n: expect %s false positives, not %s"
            .formatted(
                Text.count(result.keys(), "key"),
                Text.count(keysOption),
                Text.percent(expected),
                Text.percent(promised)));
  }

  /** For people. */
  String text() {
    FilterKind<?> kind = result.fresh().storable().kind();
    Report report = new Report();
    report.row("kind", kind.name() + ", " + kind.type().getSimpleName());
    if (Files.isRegularFile(file)) {
      report.row("shape", Fields.line(FilterFile.read(file, false).header().numbers()));
    }
    report.row("keys read", Text.count(result.keys()));
    if (result.distinct() >= 0) {
      report.row("different keys", Text.count(result.distinct()));
    }
    if (result.distinct() >= 0 && result.distinct() < result.keys()) {
      report.row("repetitions", Text.count(result.keys() - result.distinct()));
    }
    if (result.skipped() > 0) {
      report.row("empty lines", Text.count(result.skipped()) + " skipped");
    }
    if (result.distinct() < 0) {
      report.row("room for", Text.count(result.sizedFor(), "key"));
    }
    report.row("bits per key", String.format(Locale.ROOT, "%.2f", bitsPerKey()));
    report.row("file size", Text.bytes(result.fresh().storable().storedBytes()));
    report.row("promised rate", Text.rate(promised));
    report.row("expected rate", Text.rate(expected));
    report.row("hash", result.fresh().filter().hasher().toString());
    report.row(
        "time",
        String.format(Locale.ROOT, "%.2f s, ", seconds())
            + Text.count(Math.round(keysPerSecond()))
            + " keys per second");
    return report.text("Built " + file);
  }

  /** For programs. */
  String json() {
    Long distinct = result.distinct() < 0 ? null : result.distinct();
    return new Report()
        .value("file", file.toString())
        .value("kind", result.fresh().storable().kind().name())
        .value("keysRead", result.keys())
        .value("differentKeys", distinct)
        .value("repetitions", distinct == null ? null : result.keys() - distinct)
        .value("emptyLinesSkipped", result.skipped())
        .value("sizedForKeys", result.sizedFor())
        .value("bits", result.fresh().filter().sizeInBits())
        .value("bitsPerKey", bitsPerKey())
        .value("fileBytes", result.fresh().storable().storedBytes())
        .value("promisedRate", promised)
        .value("expectedRate", expected)
        .value("seconds", seconds())
        .value("keysPerSecond", keysPerSecond())
        .json();
  }

  private double bitsPerKey() {
    return (double) result.fresh().filter().sizeInBits() / Math.max(1, result.sizedFor());
  }

  private double seconds() {
    return result.nanos() / 1e9;
  }

  private double keysPerSecond() {
    return result.keys() / seconds();
  }
}
