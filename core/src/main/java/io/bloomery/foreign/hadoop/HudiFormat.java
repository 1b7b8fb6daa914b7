package io.bloomery.foreign.hadoop;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomery.FilterFormatException;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;

/**
 * The strings in which Hudi keeps its filters, in the footers of its files and in its metadata
 * table: Base64 of what Hadoop writes. They are only read; a filter that was read is written as
 * Hadoop's bytes.
 */
final class HudiFormat {

  /** The version of the header, −1, and the upper half of the number of hashes. */
  private static final String MAGIC = "/////wAA";

  private HudiFormat() {}

  /** The format around the bytes of {@code inner}. */
  static <F extends ForeignFilter> ForeignFormat<F> around(
      String name, String title, ForeignFormat<F> inner) {
    return ForeignFormat.of(
        name,
        title,
        inner.type(),
        new FileLayout<>(
                FileLayout.Evidence.MAGIC,
                in -> {
                  ForeignBytes decoded = decoded(in);
                  if (!inner.layout().matches(decoded)) {
                    throw in.problem(0, "Base64, but not of format %s", inner);
                  }
                },
                in -> read(in, inner))
            .knownBy(MAGIC.length()));
  }

  private static <F extends ForeignFilter> F read(ForeignBytes in, ForeignFormat<F> inner)
      throws IOException {
    ForeignBytes decoded = decoded(in);
    try {
      return inner.layout().read(decoded);
    } catch (FilterFormatException e) {
      throw in.problem(0, "in the Base64 text, %s", decoded.withoutOrigin(e));
    }
  }

  /** The bytes of a text that may end with a line end. */
  private static ForeignBytes decoded(ForeignBytes in) throws IOException {
    byte[] magic = in.bytes(MAGIC.length(), "the first letters");
    if (!new String(magic, ISO_8859_1).equals(MAGIC)) {
      throw in.problem(0, "the first letters are not %s", MAGIC);
    }
    in.seek(0);
    byte[] text = in.bytes(in.remaining(), "the text");
    int end = text.length;
    while (end > 0 && (text[end - 1] == '\n' || text[end - 1] == '\r')) {
      end--;
    }
    if (end % 4 != 0) {
      throw in.wrongLength(end, "%d letters of Base64 are not a multiple of 4", end);
    }
    try {
      byte[] bytes = Base64.getDecoder().decode(Arrays.copyOf(text, end));
      return ForeignBytes.of(bytes, in.budget());
    } catch (IllegalArgumentException e) {
      throw in.problem(0, "not Base64: %s", e.getMessage());
    }
  }
}
