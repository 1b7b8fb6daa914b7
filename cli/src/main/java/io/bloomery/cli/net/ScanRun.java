package io.bloomery.cli.net;

import io.bloomery.FilterFullException;
import io.bloomery.cli.option.ReportOptions;
import io.bloomery.hash.Hasher;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.scan.TrafficScanner;
import io.bloomery.net.scan.TrafficScanner.Counts;
import io.bloomery.net.scan.TrafficScanner.Hit;
import io.bloomery.net.scan.TrafficScanner.Kind;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.input.BadRows;
import io.bloomery.tools.input.BlockReader;
import io.bloomery.tools.input.CheckedSplitter;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.LineSplitter;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import io.bloomery.tools.spill.RunHash;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The work of {@code bloom net scan}: prints each indicator once per flow. */
final class ScanRun {

  private static final int MOST_KNOWN =
      1 << 18; // pairs of indicator and flow; then all are printed

  private final Console results;
  private final ReportOptions reporting;
  private final TrafficScanner scanner;
  private final Hasher hasher = RunHash.hasher();
  private final Set<Long> known = new HashSet<>();
  private final Map<Kind, Set<Long>> found = new TreeMap<>();
  private long printed;
  private boolean ended;

  ScanRun(Console results, TrafficScanner.Builder builder, ReportOptions reporting) {
    this.results = results;
    this.reporting = reporting;
    try {
      this.scanner = builder.build(this::print);
    } catch (FilterFullException e) {
      throw new Problem("the addresses take more than the heap; BLOOM_JAVA_OPTS=-Xmx8g gives more");
    }
  }

  /** Adds the indicators of a file. */
  static void read(
      Console console, String list, TrafficScanner.Builder builder, BadRows badRows, boolean bar) {
    KeyInput input = new KeyInput(console, List.of(list));
    CheckedSplitter lines =
        new CheckedSplitter(
            new LineSplitter(),
            (bytes, from, length) -> builder.line(Octets.text(bytes, from, length)));
    Reading reading = new Reading(lines, null, false, 1).withBadRows(badRows);
    try (Progress progress = new Progress(console, bar, input.bytes());
        BlockReader reader = input.open(reading, progress)) {
      while (reader.next() != null) {
        // the check of a line adds it
      }
    }
  }

  void take(Packet packet) {
    scanner.take(packet);
  }

  private void print(Hit hit) {
    long indicator = hasher.hash(hit.kind() + hit.indicator());
    found.computeIfAbsent(hit.kind(), any -> new HashSet<>());
    if (known.size() < MOST_KNOWN) {
      found.get(hit.kind()).add(indicator);
      if (!known.add(hasher.hash(indicator ^ hasher.hash(hit.flow())))) {
        return;
      }
    }
    printed++;
    String time = Instant.EPOCH.plus(Duration.ofNanos(hit.nanos())).toString();
    String kind = hit.kind().name().toLowerCase(Locale.ROOT);
    if (reporting.isJson()) {
      Report report = new Report().value("time", time).value("kind", kind);
      report.value("indicator", hit.indicator()).value("flow", hit.flow());
      report.value("position", hit.position() < 0 ? null : hit.position());
      results.print(report.value("choice", hit.isChoice()).json());
    } else {
      results.print(time + "\t" + kind + "\t" + hit.indicator() + "\t" + hit.flow() + "\n");
    }
    results.out().flush();
  }

  /** What scanning takes. */
  String memory() {
    List<String> kinds = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      if (scanner.indicators(kind) > 0) {
        kinds.add(
            Text.count(scanner.indicators(kind)) + " " + kind.name().toLowerCase(Locale.ROOT));
      }
    }
    return "scanning takes up to %s; indicators: %s"
        .formatted(
            Text.bytes(scanner.memory()), kinds.isEmpty() ? "none" : String.join(", ", kinds));
  }

  /** Scans what was held, and prints the summary, once. */
  void end(CaptureInput input) {
    if (ended) {
      return;
    }
    ended = true;
    scanner.finish();
    Counts counts = scanner.counts();
    if (reporting.isJson()) {
      results.print(json(input, counts));
    }
    results.out().flush();
    if (!reporting.isJson() && !reporting.isQuiet()) {
      results.say(input.text() + "; " + text(counts));
    }
  }

  private String text(Counts counts) {
    StringBuilder text = new StringBuilder();
    text.append(Text.count(counts.bytes(), "byte")).append(" of content; ");
    text.append(Text.count(found.values().stream().mapToLong(Set::size).sum()));
    text.append(" of the indicators found, ").append(Text.count(counts.hits(), "hit"));
    append(text, counts.missing(), " bytes of streams are in no packet");
    append(text, counts.dropped(), " streams were dropped for others; more --memory helps");
    append(text, counts.incomplete(), " packets lack fragments");
    append(text, counts.variants(), " times other bytes were sent for the same place");
    append(text, counts.unchecked(), " times not all choices were checked");
    return text.toString();
  }

  private static void append(StringBuilder text, long count, String words) {
    if (count > 0) {
      text.append("; ").append(Text.count(count)).append(words);
    }
  }

  private String json(CaptureInput input, Counts counts) {
    Map<String, Long> indicators = new TreeMap<>();
    found.forEach((kind, each) -> indicators.put(kind.name(), (long) each.size()));
    return input
        .values(new Report())
        .value("bytes", counts.bytes())
        .value("indicatorsFound", indicators)
        .value("hits", counts.hits())
        .value("printed", printed)
        .value("streams", counts.streams())
        .value("droppedStreams", counts.dropped())
        .value("missingBytes", counts.missing())
        .value("incompletePackets", counts.incomplete())
        .value("variants", counts.variants())
        .value("uncheckedVariants", counts.unchecked())
        .value("memoryBytes", scanner.memory())
        .json();
  }
}
