package io.bloomery.foreign.bytes;

import io.bloomery.FilterFormatException;
import java.io.IOException;
import java.util.Objects;

/**
 * How the files of a format are recognised and read.
 *
 * @param evidence how much a match proves
 * @param probe checks the header
 * @param reader reads a filter
 * @param <F> the class of the filters
 */
public record FileLayout<F>(Evidence evidence, Probe probe, Reader<F> reader) {

  /** How much a match proves; a match with stronger evidence hides all weaker ones. */
  public enum Evidence {
    /** The file begins with a constant that hardly any other file begins with. */
    MAGIC,
    /** Several header fields are within their ranges and give the exact length of the file. */
    LAYOUT,
    /** Little more than the length fits. */
    LENGTH
  }

  /** Reads a header and compares it with the length of the file. */
  @FunctionalInterface
  public interface Probe {
    /**
     * Reads no more than is needed to recognise the format.
     *
     * @throws FilterFormatException if the file is not in this format
     */
    void check(ForeignBytes in) throws IOException;
  }

  /** Reads a filter. */
  @FunctionalInterface
  public interface Reader<F> {
    /** Reads all bytes; any that are left over are an error. */
    F read(ForeignBytes in) throws IOException;
  }

  /** Checks that nothing is missing. */
  public FileLayout {
    Objects.requireNonNull(evidence, "evidence");
    Objects.requireNonNull(probe, "probe");
    Objects.requireNonNull(reader, "reader");
  }

  /** Whether the bytes look like this format. */
  public boolean matches(ForeignBytes in) throws IOException {
    in.seek(0);
    try {
      probe.check(in);
      return true;
    } catch (FilterFormatException e) {
      return false;
    }
  }

  /** Reads a filter that begins at the first byte and ends at the last. */
  public F read(ForeignBytes in) throws IOException {
    in.seek(0);
    F filter = reader.read(in);
    in.end();
    return filter;
  }
}
