package io.bloomery.tools.input;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How rows of one file are printed under the header of another.
 *
 * @param width the number of fields that every row of the file must have
 * @param separator what separates fields in print
 * @param fields the field of the file at each printed position
 */
public record RowOrder(int width, byte separator, List<Integer> fields) {

  /** A field that is empty in print. */
  public static final int EMPTY = -1;

  /** Copies the list. */
  public RowOrder {
    fields = List.copyOf(fields);
  }

  /**
   * Compares the headers of two files.
   *
   * @return null if rows can be printed as they are
   * @throws IOException if the columns are not the same
   */
  static @Nullable RowOrder of(
      List<String> printed, byte printedSeparator, List<String> names, byte separator)
      throws IOException {
    boolean same = printed.equals(names);
    if (same && printedSeparator == separator) {
      return null;
    }
    List<Integer> fields =
        same
            ? IntStream.range(0, names.size()).boxed().toList()
            : printed.stream().map(names::indexOf).toList();
    boolean allDiffer = new HashSet<>(fields).size() == names.size();
    if (printed.size() != names.size() || !allDiffer || fields.contains(-1)) {
      throw new IOException(
          "the columns are %s, and those of the first file %s; rows of both cannot share one header"
              .formatted(String.join(", ", names), String.join(", ", printed)));
    }
    return new RowOrder(names.size(), printedSeparator, fields);
  }
}
