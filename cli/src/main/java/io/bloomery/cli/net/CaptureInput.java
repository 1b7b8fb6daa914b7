package io.bloomery.cli.net;

import io.bloomery.net.capture.Capture;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.capture.Capture.Reason;
import io.bloomery.net.capture.CaptureOptions;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.KeyStreams;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.io.InputStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/** The packets of captures, one after another, and what was not read of them. */
final class CaptureInput {

  private final Console console;
  private final List<String> names;
  private final KeyInput input;
  private final Map<Reason, Long> skipped = new EnumMap<>(Reason.class);
  private long packets;

  /** Reads these files; none means standard input. */
  CaptureInput(Console console, List<String> files) {
    this.console = console;
    this.names = files.isEmpty() ? List.of(KeyInput.STANDARD_INPUT) : files;
    if (names.contains(KeyInput.STANDARD_INPUT) && console.typed().getAsBoolean()) {
      throw new Problem("captures come from files or a pipe: tcpdump -w - | bloom net …");
    }
    this.input = new KeyInput(console, names);
  }

  /** The size of the input before it is unpacked; -1 if unknown. */
  long bytes() {
    return input.bytes();
  }

  /** Reads all packets; only one thread is in {@code taker} or in {@link #hold} at a time. */
  void read(Consumer<Packet> taker, LongConsumer progress) {
    try (KeyStreams streams = new KeyStreams(console, names, progress)) {
      try {
        for (InputStream in = streams.next(); in != null; in = streams.next()) {
          read(Capture.open(in, CaptureOptions.DEFAULT), taker);
        }
      } catch (IOException e) {
        throw streams.problem(e);
      }
    } catch (IOException e) {
      throw Problem.with("captures", e);
    }
  }

  private void read(Capture capture, Consumer<Packet> taker) throws IOException {
    try {
      for (Packet packet = capture.next(); packet != null; packet = capture.next()) {
        synchronized (this) {
          packets++;
          taker.accept(packet);
        }
      }
    } finally {
      synchronized (this) {
        capture.skipped().forEach((reason, count) -> skipped.merge(reason, count, Long::sum));
      }
    }
  }

  /** Does something between two packets, in whatever thread. */
  synchronized void hold(Runnable work) {
    work.run();
  }

  /** How many packets were read, and how many records were skipped for which reasons. */
  String text() {
    String text = Text.count(packets, "packet");
    return skipped.isEmpty()
        ? text
        : skipped.entrySet().stream()
            .map(each -> Text.count(each.getValue()) + " " + each.getKey())
            .collect(Collectors.joining(", ", text + "; skipped: ", ""));
  }

  /** The same as values of a report. */
  Report values(Report report) {
    Map<String, Long> reasons = new TreeMap<>();
    skipped.forEach((reason, count) -> reasons.put(reason.name(), count));
    return report.value("packets", packets).value("skipped", reasons);
  }
}
