package io.bloomery.foreign;

import io.bloomery.FilterFormatException;
import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A file format of another system: its name, and how its files are recognised and read.
 *
 * @param <F> the class of its filters
 */
public final class ForeignFormat<F extends ForeignFilter> {

  /** Creates empty filters of a format. */
  @FunctionalInterface
  public interface Maker {
    /**
     * An empty filter of the size that the other system would choose.
     *
     * @param expectedKeys how many distinct keys will be added, at least 1
     * @param falsePositiveRate above 0 and below 1
     * @return an empty filter
     * @throws IllegalArgumentException if the format has no filter of that size
     */
    AddableForeignFilter create(long expectedKeys, double falsePositiveRate);
  }

  private final String name;
  private final String title;
  private final Class<F> type;
  private final FileLayout<F> layout;
  private final KeyCoding keyCoding;
  private final @Nullable Maker maker; // null: an empty filter cannot be created

  private ForeignFormat(
      String name,
      String title,
      Class<F> type,
      FileLayout<F> layout,
      KeyCoding keyCoding,
      @Nullable Maker maker) {
    this.name = Objects.requireNonNull(name, "name");
    this.title = Objects.requireNonNull(title, "title");
    this.type = Objects.requireNonNull(type, "type");
    this.layout = Objects.requireNonNull(layout, "layout");
    this.keyCoding = Objects.requireNonNull(keyCoding, "keyCoding");
    this.maker = maker;
  }

  /**
   * Describes a format whose filters are read and written, but cannot be created empty.
   *
   * @param name short name in lower case, for command lines and messages
   * @param title the system it belongs to, in a few words
   * @param type the class of its filters
   * @param layout how files are recognised and read
   * @param <F> the class of its filters
   * @return the format
   */
  public static <F extends ForeignFilter> ForeignFormat<F> of(
      String name, String title, Class<F> type, FileLayout<F> layout) {
    return new ForeignFormat<>(name, title, type, layout, KeyCoding.Standard.BYTES, null);
  }

  /**
   * The same format with a way to create empty filters.
   *
   * @param maker creates them
   * @return a new description
   */
  public ForeignFormat<F> madeBy(Maker maker) {
    return new ForeignFormat<>(
        name, title, type, layout, keyCoding, Objects.requireNonNull(maker, "maker"));
  }

  /**
   * The same format with keys of other types than texts and bytes.
   *
   * @param coding what is hashed for them
   * @return a new description
   */
  public ForeignFormat<F> withKeys(KeyCoding coding) {
    return new ForeignFormat<>(name, title, type, layout, coding, maker);
  }

  /**
   * The short name, as command lines and messages use it.
   *
   * @return lower-case words joined by hyphens
   */
  public String name() {
    return name;
  }

  /**
   * The system it belongs to.
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
   * What is hashed for keys of each type, where a file does not state the type.
   *
   * @return the coding
   */
  public KeyCoding keyCoding() {
    return keyCoding;
  }

  /**
   * Creates new filters.
   *
   * @return empty if keys cannot be added to filters of this format one by one
   */
  public Optional<Maker> maker() {
    return Optional.ofNullable(maker);
  }

  /**
   * Whether a file's content can identify this format, because its files have a magic number. Files
   * of other formats are read only if the format is named.
   *
   * @return whether {@link io.bloomery.Filters#open} reads files of this format
   */
  public boolean isRecognised() {
    return layout.evidence() == FileLayout.Evidence.MAGIC;
  }

  /**
   * How files are recognised and read.
   *
   * @return the layout
   */
  public FileLayout<F> layout() {
    return layout;
  }

  /**
   * Reads a file of this format into the heap, with three quarters of the heap as the budget.
   *
   * @param file the file
   * @return its filter
   * @throws FilterFormatException if the file is damaged or in another format
   * @throws IOException if it cannot be read
   */
  public F open(Path file) throws IOException {
    return open(file, Memory.budget());
  }

  /**
   * Reads a file of this format into the heap within a budget.
   *
   * @param file the file
   * @param budgetBytes as {@link #read(byte[], long)} takes it
   * @return its filter
   * @throws FilterFormatException if the file is damaged, in another format, claims more than the
   *     budget, or the heap has no room for it
   * @throws IOException if it cannot be read
   */
  public F open(Path file, long budgetBytes) throws IOException {
    Arguments.inRange("budgetBytes", budgetBytes, 0, Long.MAX_VALUE);
    Objects.requireNonNull(file, "file");
    try (ForeignBytes in = ForeignBytes.of(file, budgetBytes)) {
      return layout.read(in);
    } catch (OutOfMemoryError e) { // of a large array, which leaves the rest as it was
      throw new FilterFormatException(file.toString(), 0, Memory.shortage(Files.size(file)));
    }
  }

  /**
   * Reads the bytes of a file of this format, with three quarters of the heap as its budget.
   *
   * @param bytes the whole file
   * @return its filter, which does not share the array
   * @throws FilterFormatException if the bytes are damaged, in another format, or claim more than
   *     the budget
   */
  public F read(byte[] bytes) throws FilterFormatException {
    return read(bytes, Memory.budget());
  }

  /**
   * Reads the bytes of a file of this format. Allocates only for bytes that are present; later adds
   * allocate what the file claims beyond them, within the budget.
   *
   * @param bytes the whole file
   * @param budgetBytes the most memory for bits that the file claims and does not hold: those of an
   *     empty DataSketches filter, and each further layer of a RedisBloom filter
   * @return its filter, which does not share the array
   * @throws FilterFormatException if the bytes are damaged, in another format, or claim more than
   *     the budget
   */
  public F read(byte[] bytes, long budgetBytes) throws FilterFormatException {
    Arguments.inRange("budgetBytes", budgetBytes, 0, Long.MAX_VALUE);
    Objects.requireNonNull(bytes, "bytes");
    try (ForeignBytes in = ForeignBytes.of(bytes, budgetBytes)) {
      return layout.read(in);
    } catch (FilterFormatException e) {
      throw e;
    } catch (IOException e) {
      throw new IllegalStateException("an array cannot fail", e);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
