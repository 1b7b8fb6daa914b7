package io.bloomery.cli.report;

import io.bloomery.FrameHeader;
import java.util.Map;
import java.util.stream.Collectors;

/** The fields of a filter's header as text. */
public final class Fields {

  private Fields() {}

  /** The value of a field. */
  public static String value(String label, Number value) {
    return FrameHeader.meaning(label, value)
        .orElseGet(() -> value instanceof Long whole ? Text.count(whole) : value.toString());
  }

  /** All fields in one line. */
  public static String line(Map<String, Number> fields) {
    return fields.entrySet().stream()
        .map(field -> value(field.getKey(), field.getValue()) + " " + field.getKey())
        .collect(Collectors.joining(", "));
  }
}
