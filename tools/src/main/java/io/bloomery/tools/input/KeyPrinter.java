package io.bloomery.tools.input;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Visible;
import io.bloomery.tools.report.Report;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/** Prints keys, alone or after something about them, with the ends that they had in the input. */
public final class KeyPrinter {

  private final StandardOutput out;
  private final Splitter splitter;

  /** Prints keys that {@code splitter} found. */
  public KeyPrinter(StandardOutput out, Splitter splitter) {
    this.out = out;
    this.splitter = splitter;
  }

  /** Prints a key as it is, to a terminal on one line. */
  public void print(byte[] bytes, int offset, int length) {
    byte[] end = splitter.recordEnd();
    if (out.isTerminal()) {
      byte[] shown = Visible.line(bytes, offset, length);
      out.write(shown, 0, shown.length);
    } else {
      out.write(bytes, offset, length);
    }
    out.write(end, 0, end.length);
  }

  /** Prints a text and a key; keys that are not text are printed in hexadecimal, one per line. */
  public void print(String before, byte[] bytes, int offset, int length) {
    write(before);
    if (splitter.isText()) {
      print(bytes, offset, length);
    } else {
      write(hex(bytes, offset, length));
      out.write('\n');
    }
  }

  /** A key for programs: its text, or its hexadecimal digits. */
  public Map<String, Object> json(byte[] bytes, int offset, int length) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (splitter.isText()) {
      fields.put("key", Octets.text(bytes, offset, length));
    } else {
      fields.put("key", hex(bytes, offset, length));
    }
    return fields;
  }

  /** A record for programs: its text without its end, or its hexadecimal digits. */
  public Map<String, Object> json(Block block, int record) {
    byte[] bytes = block.bytes();
    int start = block.textStart(record);
    int end = block.ends()[record];
    byte[] last = block.recordEnd();
    if (last.length > 0 && end > start && bytes[end - 1] == last[last.length - 1]) {
      end--;
      end -= bytes[end] == '\n' && end > start && bytes[end - 1] == '\r' ? 1 : 0;
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(
        "text",
        splitter.isText()
            ? Octets.text(bytes, start, end - start)
            : hex(bytes, start, end - start));
    return fields;
  }

  /** Prints facts about a key, for programs: one object in a line. */
  public void printJson(Map<String, Object> fields) {
    byte[] line = jsonLine(fields);
    out.write(line, 0, line.length);
  }

  /** The line that {@link #printJson} prints. */
  public byte[] jsonLine(Map<String, Object> fields) {
    return new Report().values(fields).json().getBytes(UTF_8);
  }

  private static String hex(byte[] bytes, int offset, int length) {
    return HexFormat.of().formatHex(bytes, offset, offset + length);
  }

  private void write(String text) {
    byte[] bytes = text.getBytes(US_ASCII);
    out.write(bytes, 0, bytes.length);
  }

  /** Flushes the output. */
  public void flush() {
    out.flush();
  }
}
