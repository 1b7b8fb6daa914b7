package io.bloomery.cli;

import io.bloomery.hash.IndexScheme;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The fields of a filter's shape in words. */
final class Fields {

  private static final Map<String, String> LABELS =
      Map.of(
          "bits", "bits in all",
          "probes", "bits set per key",
          "block bits", "bits per block",
          "bank bits", "bits per bank",
          "word bits", "bits per word",
          "hashBits", "bits per hash",
          "groups", "words per key",
          "scheme", "index scheme");

  private Fields() {}

  /** The name of a field; one that nobody gave a name here has its own, in lower case. */
  static String label(String name) {
    String known = LABELS.get(name);
    return known != null ? known : name.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
  }

  /** The value of a field. */
  static String value(String name, Number value) {
    if (name.equals("scheme")) {
      String scheme = IndexScheme.ofWireId(value.intValue()).name();
      return scheme.toLowerCase(Locale.ROOT).replace('_', ' ');
    }
    return value instanceof Long whole ? Text.count(whole) : value.toString();
  }

  /** All fields in one line. */
  static String line(Map<String, Number> numbers) {
    return numbers.entrySet().stream()
        .map(field -> value(field.getKey(), field.getValue()) + " " + label(field.getKey()))
        .collect(Collectors.joining(", "));
  }
}
