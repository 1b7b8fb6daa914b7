package io.bloomery.cli.combine;

import io.bloomery.Filter;
import io.bloomery.FrameHeader.Description;
import io.bloomery.cli.file.FilterFile;
import io.bloomery.cli.file.FormatOption;
import io.bloomery.cli.file.KeyFileOption;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Fields;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A filter to combine with others, native or of another system, with every byte verified.
 *
 * @param path its file
 * @param filter the filter
 * @param kind the name of its kind or format
 * @param fields the fields of its header, including the hash function
 * @param description what its file records about its keys
 */
record Operand(
    Path path, Filter filter, String kind, Map<String, Object> fields, Description description) {

  /** Reads a filter into the heap, where it can be changed. */
  static Operand open(Path path, KeyFileOption key, FormatOption format) {
    return read(path, key, format, false);
  }

  /** Maps a filter, or reads it if it cannot be mapped. */
  static Operand map(Path path, KeyFileOption key, FormatOption format) {
    return read(path, key, format, true);
  }

  private static Operand read(Path path, KeyFileOption key, FormatOption format, boolean mapped) {
    if (format.isForeign(path)) {
      return foreign(path, key, format);
    }
    FilterFile file = FilterFile.read(path, false);
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("hash", file.header().hash());
    fields.putAll(file.header().fields());
    Filter filter = mapped ? file.map(key, true) : file.open(key);
    return new Operand(
        path, filter, file.header().kind().name(), fields, file.header().description());
  }

  private static Operand foreign(Path path, KeyFileOption key, FormatOption format) {
    if (key.isGiven()) {
      throw new Problem(path, "of another system, without a secret key; leave out --secret-file");
    }
    ForeignFilter filter = format.open(path);
    return new Operand(path, filter, filter.format().name(), filter.fields(), Description.NONE);
  }

  /** The type of its keys; null if its file does not say. */
  @Nullable String type() {
    return description.text(Description.KEY_TYPE).orElse(null);
  }

  /** The shape in one line. */
  String shape() {
    StringBuilder line = new StringBuilder();
    fields.forEach(
        (name, value) -> {
          if (!name.equals("hash")) {
            line.append(line.isEmpty() ? "" : ", ").append(words(name, value));
          }
        });
    return line.toString();
  }

  /** The differences between the headers of two filters of one kind; empty if there are none. */
  String differences(Operand other) {
    StringBuilder all = new StringBuilder();
    fields.forEach(
        (name, value) -> {
          Object theirs = other.fields.get(name);
          if (!value.equals(theirs)) {
            all.append(all.isEmpty() ? "" : ", ")
                .append(words(name, value))
                .append(" against ")
                .append(theirs instanceof Number number ? Fields.value(name, number) : theirs);
          }
        });
    return all.toString();
  }

  private static String words(String name, Object value) {
    return value instanceof Number number ? Fields.words(name, number) : name + " " + value;
  }
}
