package io.bloomery.cli.net;

import io.bloomery.net.capture.Capture;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.capture.Capture.Reason;
import io.bloomery.net.capture.CaptureOptions;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.KeyStreams;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The packets of captures, one after another, and what was not read of them. */
final class CaptureInput {

  private static final Pattern CAPTURE = Pattern.compile("\\.p?cap(ng)?[^/]*$");

  private static final int LONGEST_LINE = 1 << 20;

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

  /** Names with those of captures in place of their directories, in their order. */
  static List<String> expanded(List<String> names) {
    List<String> files = new ArrayList<>();
    for (String name : names) {
      Path path = Octets.path(name);
      if (name.equals(KeyInput.STANDARD_INPUT) || !Files.isDirectory(path)) {
        files.add(name);
        continue;
      }
      try (Stream<Path> inside = Files.list(path)) {
        List<String> captures =
            inside
                .filter(Files::isRegularFile)
                .map(Octets::name)
                .filter(each -> CAPTURE.matcher(each).find())
                .sorted()
                .toList();
        if (captures.isEmpty()) {
          throw new Problem(path, "is a directory without a file that has pcap or cap in its name");
        }
        files.addAll(captures);
      } catch (IOException e) {
        throw Problem.with(path, e);
      }
    }
    return files;
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

  /** Takes a line without its end. */
  @FunctionalInterface
  interface LineTaker {
    void take(byte[] bytes, int from, int length);
  }

  /** Reads lines instead of packets, under the same lock. */
  void readLines(LineTaker taker, LongConsumer progress) {
    try (KeyStreams streams = new KeyStreams(console, names, progress)) {
      try {
        for (InputStream in = streams.next(); in != null; in = streams.next()) {
          readLines(in, taker);
        }
      } catch (IOException e) {
        throw streams.problem(e);
      }
    } catch (IOException e) {
      throw Problem.with("lines", e);
    }
  }

  private void readLines(InputStream in, LineTaker taker) throws IOException {
    byte[] buffer = new byte[LONGEST_LINE];
    int end = 0;
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer, end, buffer.length - end)) {
      int start = 0;
      for (int i = end; i < end + read; i++) {
        if (buffer[i] == '\n') {
          take(taker, buffer, start, i - start);
          start = i + 1;
        }
      }
      end += read - start;
      System.arraycopy(buffer, start, buffer, 0, end);
      if (end == buffer.length) {
        throw new Problem("a line has more than " + Text.bytes(LONGEST_LINE));
      }
    }
    if (end > 0) {
      take(taker, buffer, 0, end);
    }
  }

  private synchronized void take(LineTaker taker, byte[] bytes, int from, int length) {
    taker.take(bytes, from, length > 0 && bytes[from + length - 1] == '\r' ? length - 1 : length);
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
