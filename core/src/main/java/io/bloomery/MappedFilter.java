package io.bloomery;

import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Memory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A file mapped into memory as a filter, until it is closed. For programs that map many files or
 * replace them; {@link Filters#map(Path)} leaves the end to the garbage collector.
 *
 * <pre>{@code
 * try (var mapped = MappedFilter.map(file, BloomFilter.class)) {
 *   mapped.filter().mightContain("key");
 * }
 * }</pre>
 *
 * <p>Any number of threads may use the filter, and any thread may close it at any time: a query
 * that finds it closed throws an {@link IllegalStateException} and never reads memory that is gone.
 * On Java 22 and later closing unmaps the file at once, and only closing does: one that is never
 * closed stays mapped until the program ends. Before Java 22 the garbage collector unmaps it, when
 * it finds that no query is using it. What a kind has decoded into the heap, such as a compressed
 * filter, was never mapped and keeps answering.
 *
 * @param <F> the filter's type
 */
public final class MappedFilter<F extends Storable> implements AutoCloseable {

  private final String file;
  private final List<Words> words;
  private volatile F filter; // null: closed

  private MappedFilter(Path file, HasherSource hashers, Class<F> type) throws IOException {
    this.file = Objects.requireNonNull(file, "file").toString();
    this.words = new ArrayList<>();
    this.filter = Filters.READER.map(file, hashers, type, Memory.budget(), words);
  }

  /**
   * Maps a file as {@link Filters#map(Path, Class)} does.
   *
   * @param file a file that {@link Storable#writeTo(Path)} wrote
   * @param type the filter's class, or {@link Storable} for any
   * @param <F> the filter's type
   * @return the mapped filter
   * @throws FilterFormatException if what is checked is damaged, of another type, or needs a key
   * @throws IOException if it cannot be mapped
   */
  public static <F extends Storable> MappedFilter<F> map(Path file, Class<F> type)
      throws IOException {
    return new MappedFilter<>(file, null, Objects.requireNonNull(type, "type"));
  }

  /**
   * Maps a file as {@link #map(Path, Class)} does, for a filter created with this hasher.
   *
   * @param file a file that {@link Storable#writeTo(Path)} wrote
   * @param hasher the hasher with the secret key
   * @param type the filter's class, or {@link Storable} for any
   * @param <F> the filter's type
   * @return the mapped filter
   * @throws FilterFormatException if what is checked is damaged, of another type, or was created
   *     with another hasher or key
   * @throws IOException if it cannot be mapped
   */
  public static <F extends Storable> MappedFilter<F> map(Path file, Hasher hasher, Class<F> type)
      throws IOException {
    Objects.requireNonNull(hasher, "hasher");
    return new MappedFilter<>(file, header -> hasher, Objects.requireNonNull(type, "type"));
  }

  /**
   * The filter, which is read-only.
   *
   * @return the filter
   * @throws IllegalStateException if it was closed
   */
  public F filter() {
    F open = filter;
    if (open == null) {
      throw new IllegalStateException("the mapped filter is closed: " + file);
    }
    return open;
  }

  /** Ends all access to the file; closing twice does nothing. */
  @Override
  public void close() {
    filter = null;
    words.forEach(Words::close);
  }

  @Override
  public String toString() {
    F open = filter;
    return "mapped " + file + (open == null ? ", closed" : ": " + open);
  }
}
