package io.bloomery.cli;

import io.bloomery.FrameHeader;
import java.util.Map;
import java.util.stream.Collectors;

/** The fields of a filter's header as text. */
final class Fields {

  private Fields() {}

  /** The value of a field. */
  static String value(String label, Number value) {
    return FrameHeader.meaning(label, value)
        .orElseGet(() -> value instanceof Long whole ? Text.count(whole) : value.toString());
  }

  /** All fields in one line. */
  static String line(Map<String, Number> fields) {
    return fields.entrySet().stream()
        .map(field -> value(field.getKey(), field.getValue()) + " " + field.getKey())
        .collect(Collectors.joining(", "));
  }
}
