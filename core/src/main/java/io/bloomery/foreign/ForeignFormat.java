package io.bloomery.foreign;

import io.bloomery.FilterFormatException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * One file format of another system: its name, how its files are recognised and read.
 *
 * @param <F> the class of its filters
 */
public final class ForeignFormat<F extends ForeignFilter> {

  /** How sure a match is; a surer one wins over all that are less sure. */
  enum Evidence {
    /** The bytes begin with a constant that hardly anything else begins with. */
    MAGIC,
    /** Several header fields are within their ranges and give the length exactly. */
    LAYOUT,
    /** Little more than the length speaks for it. */
    LENGTH
  }

  /** Reads a header and compares it with the length of the bytes. */
  @FunctionalInterface
  interface Probe {
    /**
     * Reads as little as shows whether this is the format.
     *
     * @throws FilterFormatException if it is not
     */
    void check(ForeignBytes in) throws IOException;
  }

  /** Reads a filter. */
  @FunctionalInterface
  interface Reader<F> {
    /** Reads all bytes; what is left over is an error. */
    F read(ForeignBytes in) throws IOException;
  }

  /** Makes empty filters of a format. */
  @FunctionalInterface
  public interface Maker {
    /**
     * An empty filter of the size that the other system would choose.
     *
     * @param expectedKeys how many different keys will be added, 1 or more
     * @param falsePositiveRate above 0 and below 1
     * @return a filter that takes keys
     * @throws IllegalArgumentException if the format has no filter of that size
     */
    AddableForeignFilter create(long expectedKeys, double falsePositiveRate);
  }

  private final String name;
  private final String title;
  private final Class<F> type;
  private final Evidence evidence;
  private final Probe probe;
  private final Reader<F> reader;
  private final Maker maker; // null: its filters cannot be made empty and filled

  /**
   * Describes a format whose filters are only read and written again.
   *
   * @param name short name, lower case, for command lines and messages
   * @param title whose format it is, in a few words
   * @param type the class of its filters
   * @param evidence how sure a match of {@code probe} is
   * @param probe tells whether bytes are of this format
   * @param reader reads a filter
   */
  ForeignFormat(
      String name, String title, Class<F> type, Evidence evidence, Probe probe, Reader<F> reader) {
    this(name, title, type, evidence, probe, reader, null);
  }

  private ForeignFormat(
      String name,
      String title,
      Class<F> type,
      Evidence evidence,
      Probe probe,
      Reader<F> reader,
      Maker maker) {
    this.name = name;
    this.title = title;
    this.type = type;
    this.evidence = evidence;
    this.probe = probe;
    this.reader = reader;
    this.maker = maker;
  }

  /** The same format, whose filters {@code maker} makes. */
  ForeignFormat<F> madeBy(Maker maker) {
    return new ForeignFormat<>(name, title, type, evidence, probe, reader, maker);
  }

  /**
   * The short name, as command lines and messages use it.
   *
   * @return lower case words joined by hyphens
   */
  public String name() {
    return name;
  }

  /**
   * Whose format it is.
   *
   * @return a few words
   */
  public String title() {
    return title;
  }

  /**
   * The class of its filters.
   *
   * @return a final class
   */
  public Class<F> type() {
    return type;
  }

  /**
   * What makes new filters.
   *
   * @return empty if filters of this format cannot be filled key by key
   */
  public Optional<Maker> maker() {
    return Optional.ofNullable(maker);
  }

  /** How sure a match is. */
  Evidence evidence() {
    return evidence;
  }

  /** Whether bytes have the form of this format. */
  boolean matches(ForeignBytes in) throws IOException {
    in.seek(0);
    try {
      probe.check(in);
      return true;
    } catch (FilterFormatException e) {
      return false;
    }
  }

  /**
   * Reads a file of this format to the heap.
   *
   * @param file the file
   * @return its filter
   * @throws FilterFormatException if it is not sound
   * @throws IOException if it cannot be read
   */
  public F open(Path file) throws IOException {
    try (ForeignBytes in = ForeignBytes.of(Objects.requireNonNull(file, "file"))) {
      return read(in);
    }
  }

  /**
   * Reads the bytes of a file of this format. Memory is taken only for what the bytes hold.
   *
   * @param bytes the whole file
   * @return its filter, which does not share the array
   * @throws FilterFormatException if they are not sound
   */
  public F read(byte[] bytes) throws FilterFormatException {
    try (ForeignBytes in = ForeignBytes.of(Objects.requireNonNull(bytes, "bytes"))) {
      return read(in);
    } catch (FilterFormatException e) {
      throw e;
    } catch (IOException e) {
      throw new IllegalStateException("an array cannot fail", e);
    }
  }

  /** Reads a filter from the beginning of the bytes to their end. */
  F read(ForeignBytes in) throws IOException {
    in.seek(0);
    F filter = reader.read(in);
    in.end();
    return filter;
  }

  @Override
  public String toString() {
    return name;
  }
}
