package io.bloomery.cli.net;

import io.bloomery.net.match.PrefixTable;
import io.bloomery.net.match.PrefixTable.Match;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.BlockSink;
import io.bloomery.tools.input.Bytes;
import io.bloomery.tools.input.KeyPrinter;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.input.RowLayout;
import io.bloomery.tools.input.Splitter;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks up addresses and prints them with their values. */
final class MatchOutput implements BlockSink {

  /** Which addresses are printed. */
  enum Mode {
    ALL,
    MATCHED,
    UNMATCHED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final String NONE = "-";

  private final PrefixTable table;
  private final Splitter splitter;
  private final StandardOutput out;
  private final Mode mode;
  private final boolean withPrefix;
  private final @Nullable KeyPrinter json; // null: text
  private final Bytes row = new Bytes();
  private boolean headerPrinted;
  private long matched;
  private long unmatched;
  private long empty;

  MatchOutput(
      PrefixTable table,
      Reading reading,
      StandardOutput out,
      Mode mode,
      boolean withPrefix,
      boolean json) {
    this.table = table;
    this.splitter = reading.splitter();
    this.out = out;
    this.mode = mode;
    this.withPrefix = withPrefix;
    this.json = json ? new KeyPrinter(out, splitter) : null;
  }

  @Override
  public boolean take(Block block) {
    if (block.headerEnd() > block.headerStart() && json == null && !headerPrinted) {
      headerPrinted = true;
      printHeader(block);
    }
    for (int i = 0; i < block.count(); i++) {
      int start = block.keyStarts()[i];
      int length = block.keyEnds()[i] - start;
      Match match = null;
      if (length == 0) {
        empty++;
      } else {
        match = match(Octets.text(block.bytes(), start, length).strip());
        matched += match == null ? 0 : 1;
        unmatched += match == null ? 1 : 0;
      }
      if (mode == Mode.ALL || (match == null) == (mode == Mode.UNMATCHED)) {
        print(block, i, match);
      }
    }
    empty += block.skipped();
    if (block.isPaused()) {
      flush();
    }
    return true;
  }

  private @Nullable Match match(String address) {
    if (withPrefix || json != null) {
      return table.match(address).orElse(null);
    }
    String value = table.value(address);
    return value == null ? null : new Match("", value);
  }

  private void printHeader(Block block) {
    row.clear();
    row.key(block.bytes(), 0, block.headerStart());
    byte separator = block.printedSeparator();
    append("value", separator);
    if (withPrefix) {
      append("prefix", separator);
    }
    int start = block.headerStart();
    row.key(block.bytes(), start, block.headerEnd() - start);
    if (block.bytes()[block.headerEnd() - 1] != '\n') {
      row.add('\n');
    }
    out.write(row.array(), 0, row.length());
  }

  private void print(Block block, int key, @Nullable Match match) {
    int start = block.keyStarts()[key];
    if (json != null) {
      Map<String, Object> fields = json.json(block.bytes(), start, block.keyEnds()[key] - start);
      if (match != null) {
        fields.put("value", match.value());
        fields.put("prefix", match.prefix());
      }
      if (splitter.isRow()) {
        fields.putAll(json.json(block, key));
      }
      json.printJson(fields);
      return;
    }
    byte separator = block.printedSeparator();
    row.clear();
    append(match == null ? NONE : match.value(), separator);
    if (withPrefix) {
      append(match == null ? NONE : match.prefix(), separator);
    }
    int from = splitter.isRow() ? block.starts()[key] : start;
    int to = splitter.isRow() ? block.ends()[key] : block.keyEnds()[key];
    row.key(block.bytes(), from, to - from);
    byte[] end = splitter.recordEnd();
    if (to == from || end.length == 0 || row.array()[row.length() - 1] != end[end.length - 1]) {
      row.key(end, 0, end.length);
    }
    out.write(row.array(), 0, row.length());
  }

  /** Adds a field, in which a tab or line end becomes a blank where fields cannot be quoted. */
  private void append(String field, byte separator) {
    byte[] bytes = Octets.bytes(field);
    if (!RowLayout.quotes(separator)) {
      for (int i = 0; i < bytes.length; i++) {
        if (bytes[i] == '\t' || bytes[i] == '\n' || bytes[i] == '\r') {
          bytes[i] = ' ';
        }
      }
    }
    RowLayout.append(bytes, 0, bytes.length, separator, row);
    row.add(separator);
  }

  void flush() {
    out.flush();
  }

  /** Says how many addresses were looked up. */
  void report(Console console, String name, long badRows) {
    if (json == null) {
      console.say(text());
    } else {
      console.print(json(name, badRows));
    }
  }

  private String text() {
    String text =
        "%s addresses: %s matched, %s not"
            .formatted(Text.count(matched + unmatched), Text.count(matched), Text.count(unmatched));
    return empty == 0 ? text : text + "; " + Text.count(empty, "empty line");
  }

  private String json(String name, long badRows) {
    return new Report()
        .value("table", name)
        .value("prefixesIpv4", table.ipv4().prefixes())
        .value("prefixesIpv6", table.ipv6().prefixes())
        .value("bytes", table.bytes())
        .value("addresses", matched + unmatched)
        .value("matched", matched)
        .value("unmatched", unmatched)
        .value("empty", empty)
        .value("badRows", badRows)
        .json();
  }
}
