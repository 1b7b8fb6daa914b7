package io.bloomery.net.match;

import java.util.ArrayList;
import java.util.List;

/** Adds what the lines of a list say to a table that is being built. */
final class TableLines {

  private static final int ROUTE_TYPE = 2; // the fields of bgpdump -m
  private static final int ROUTE_PEER = 4;
  private static final int ROUTE_PREFIX = 5;
  private static final int ROUTE_PATH = 6;

  private final Tables tables;
  private String name = "listed";
  private int valueColumn;
  private boolean isFirst = true;

  TableLines(Tables tables) {
    this.tables = tables;
  }

  void begin(String list, int column) {
    if (column < 0) {
      throw new IllegalArgumentException("valueColumn = " + column + " is negative");
    }
    name = list;
    valueColumn = column;
    isFirst = true;
  }

  void line(String line) {
    String text = line.strip();
    if (text.isEmpty() || text.charAt(0) == '#' || text.charAt(0) == ';') {
      return;
    }
    boolean mayBeHeader = isFirst;
    isFirst = false;
    if (text.startsWith("TABLE_DUMP") || text.startsWith("BGP4MP")) {
      route(text.split("\\|", -1));
      return;
    }
    List<String> fields = fields(text);
    String first = fields.get(0);
    if (mayBeHeader && fields.size() > 1 && first.indexOf('.') < 0 && first.indexOf(':') < 0) {
      return;
    }
    Address from = first.indexOf('/') >= 0 ? null : Address.parse(first, 0, first.length());
    Address to =
        from == null || fields.size() == 1
            ? null
            : Address.parse(fields.get(1), 0, fields.get(1).length());
    if (from == null || to == null) {
      tables.note(Address.prefix(first, 0, first.length()), value(fields, 1), false);
    } else {
      range(from, to, value(fields, 2));
    }
  }

  private String value(List<String> fields, int usual) {
    int column = valueColumn == 0 ? usual : valueColumn - 1;
    if (column >= fields.size() && valueColumn > 0) {
      throw new IllegalArgumentException("there is no field " + valueColumn);
    }
    return column >= fields.size() || fields.get(column).isEmpty() ? name : fields.get(column);
  }

  /** The fields of a line; those between blanks end where a comment begins. */
  private static List<String> fields(String line) {
    if (line.indexOf('\t') >= 0) {
      return split(line, '\t');
    }
    if (line.indexOf(',') >= 0) {
      return split(line, ',');
    }
    List<String> fields = new ArrayList<>();
    for (String field : line.split(" +", -1)) {
      if (field.charAt(0) == ';' || field.charAt(0) == '#') {
        break;
      }
      fields.add(field);
    }
    return fields;
  }

  /** Fields between separators, without blanks and quotes around them. */
  private static List<String> split(String line, char separator) {
    List<String> fields = new ArrayList<>();
    int at = 0;
    while (at <= line.length()) {
      int end;
      if (separator == ',' && at < line.length() && line.charAt(at) == '"') {
        StringBuilder field = new StringBuilder();
        int close = at + 1;
        while (close < line.length()
            && (line.charAt(close) != '"' || line.startsWith("\"\"", close))) {
          field.append(line.charAt(close));
          close += line.charAt(close) == '"' ? 2 : 1;
        }
        end = close + 1;
        if (close >= line.length() || (end < line.length() && line.charAt(end) != separator)) {
          throw new IllegalArgumentException("a quote is not closed at the end of a field");
        }
        fields.add(field.toString());
      } else {
        int next = line.indexOf(separator, at);
        end = next < 0 ? line.length() : next;
        fields.add(line.substring(at, end).strip());
      }
      at = end + 1;
    }
    return fields;
  }

  /** A route: B of a routing table, A announced, W withdrawn; other lines are no routes. */
  private void route(String[] fields) {
    String type = fields.length > ROUTE_PREFIX ? fields[ROUTE_TYPE] : "";
    if (!type.equals("B") && !type.equals("A") && !type.equals("W")) {
      return;
    }
    String text = fields[ROUTE_PREFIX];
    Address prefix = Address.prefix(text, 0, text.length());
    if (type.equals("W")) {
      tables.forget(prefix);
      return;
    }
    if (fields.length <= Math.max(ROUTE_PATH, valueColumn - 1)) {
      throw new IllegalArgumentException("the route to " + text + " is cut short");
    }
    String path = fields[ROUTE_PATH].strip();
    String origin = path.isEmpty() ? fields[ROUTE_PEER] : path.substring(path.lastIndexOf(' ') + 1);
    tables.note(prefix, valueColumn == 0 ? origin : fields[valueColumn - 1], type.equals("B"));
  }

  /** The fewest prefixes that are together all addresses of a range. */
  private void range(Address from, Address to, String value) {
    if (from.six() != to.six() || compare(from.high(), from.low(), to.high(), to.low()) > 0) {
      throw new IllegalArgumentException("the range from %s to %s is empty".formatted(from, to));
    }
    int width = from.width();
    long high = from.high();
    long low = from.low();
    while (true) {
      int length = width;
      while (length > 0 && isPrefix(high, low, length - 1, width, to)) {
        length--;
      }
      tables.note(new Address(from.six(), high, low, length), value, false);
      long lastHigh = high | hostHigh(length, width);
      long lastLow = low | hostLow(length, width);
      if (lastHigh == to.high() && lastLow == to.low()) {
        return;
      }
      long step = width == 32 ? 1L << Integer.SIZE : 0;
      low = width == 32 ? 0 : lastLow + 1;
      high = lastHigh + step + (width > 32 && low == 0 ? 1 : 0);
    }
  }

  /** Whether a prefix of this length begins with an address and does not go beyond another. */
  private static boolean isPrefix(long high, long low, int length, int width, Address to) {
    long hostHigh = hostHigh(length, width);
    long hostLow = hostLow(length, width);
    return (high & hostHigh) == 0
        && (low & hostLow) == 0
        && compare(high | hostHigh, low | hostLow, to.high(), to.low()) <= 0;
  }

  private static long hostHigh(int length, int width) {
    return ~Level.highMask(length) & (width == 32 ? Level.highMask(32) : -1);
  }

  private static long hostLow(int length, int width) {
    return width == 32 ? 0 : ~Level.lowMask(length);
  }

  private static int compare(long high, long low, long otherHigh, long otherLow) {
    int first = Long.compareUnsigned(high, otherHigh);
    return first != 0 ? first : Long.compareUnsigned(low, otherLow);
  }
}
