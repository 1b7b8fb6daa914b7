package io.bloomery.tools.report;

import io.bloomery.Filter;
import io.bloomery.FrameHeader;
import java.util.Map;
import java.util.stream.Collectors;

/** The fields of a filter's header as text. */
public final class Fields {

  /** A payload smaller than this share of the filter is compressed. */
  private static final double CODED = 0.95;

  private Fields() {}

  /** Whether a filter takes clearly more memory than its payload in the file. */
  public static boolean isCoded(FrameHeader header, Filter filter) {
    return header.payloadBytes() * Byte.SIZE < CODED * filter.sizeInBits();
  }

  /** The value of a field as text. */
  public static String value(String label, Number value) {
    return FrameHeader.meaning(label, value)
        .orElseGet(() -> value instanceof Long whole ? Text.count(whole) : value.toString());
  }

  /** The name of a field of which there is one: 1 block, 1 hash per key. */
  private static String one(String label) {
    int per = label.indexOf(" per ");
    String things = per < 0 ? label : label.substring(0, per);
    String rest = label.substring(things.length());
    if (things.endsWith("ss") || !things.endsWith("s")) {
      return label;
    }
    boolean hissing = things.endsWith("shes") || things.endsWith("ches") || things.endsWith("xes");
    return things.substring(0, things.length() - (hissing ? 2 : 1)) + rest;
  }

  /** All fields in one line. */
  public static String line(Map<String, Number> fields) {
    return fields.entrySet().stream()
        .map(field -> words(field.getKey(), field.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** A field as text with its name: 2 blocks, 1 block. */
  public static String words(String label, Number number) {
    String value = value(label, number);
    return value + " " + (value.equals("1") ? one(label) : label);
  }
}
