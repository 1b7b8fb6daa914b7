package io.bloomery.cli;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.format.ForeignFilter;
import io.bloomery.format.FrameHeader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A filter that is combined with others, native or of another system, every byte of it checked.
 *
 * @param path its file
 * @param filter the filter
 * @param kind the name of its kind or format
 * @param fields what its header says, the hash function included
 */
record Operand(Path path, Filter filter, String kind, Map<String, Object> fields) {

  /** Reads a filter to the heap, where it can be changed. */
  static Operand open(Path path, KeyFileOption key) {
    return read(path, key, false);
  }

  /** Maps a filter, or reads it where it cannot be mapped. */
  static Operand map(Path path, KeyFileOption key) {
    return read(path, key, true);
  }

  private static Operand read(Path path, KeyFileOption key, boolean mapped) {
    if (Files.isDirectory(path)) {
      throw new Problem(path + ": is a directory, not a filter");
    }
    try {
      FrameHeader header = header(path);
      if (header == null) {
        return foreign(path, key);
      }
      FilterFile file = FilterFile.read(path, mapped);
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("hash", header.hash());
      fields.putAll(header.numbers());
      Filter filter = mapped ? file.map(key) : file.open(key);
      return new Operand(path, filter, header.kind().name(), fields);
    } catch (IOException e) {
      throw Problem.with(path, e);
    }
  }

  private static FrameHeader header(Path path) throws IOException {
    try {
      return Filters.header(path);
    } catch (FilterFormatException e) {
      return null; // another system's, or damaged: opening it tells
    }
  }

  private static Operand foreign(Path path, KeyFileOption key) throws IOException {
    ForeignFilter filter = Filters.open(path, ForeignFilter.class);
    if (key.isGiven()) {
      throw new Problem(path + ": made without a secret key; leave out --key-file");
    }
    return new Operand(path, filter, filter.format().name(), filter.fields());
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

  /** What the headers of two filters of one kind say differently; empty if nothing. */
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
    return value instanceof Number number
        ? Fields.value(name, number) + " " + Fields.label(name)
        : name + " " + value;
  }
}
