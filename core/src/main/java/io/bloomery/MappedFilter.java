package io.bloomery;

import io.bloomery.internal.bits.Words;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file mapped into memory as a filter, until it is closed. For programs that map many files or
 * replace them; {@link Filters#map(Path)} leaves unmapping to the garbage collector.
 *
 * <pre>{@code
 * try (var mapped = MappedFilter.map(file, ReadOptions.as(BloomFilter.class))) {
 *   mapped.filter().mightContain("key");
 * }
 * }</pre>
 *
 * <p>Any number of threads may use the filter, and any thread may close it at any time: a query
 * that finds it closed throws an {@link IllegalStateException} and never reads unmapped memory. On
 * Java 22 and later, closing unmaps the file at once, and nothing else does: a filter that is never
 * closed stays mapped until the program ends. Before Java 22 the garbage collector unmaps it once
 * no query uses it. Data decoded into the heap, such as that of a compressed filter, was never
 * mapped and still answers queries after closing.
 *
 * @param <F> the filter's type
 */
public final class MappedFilter<F extends Storable> implements AutoCloseable {

  private final String file;
  private final List<Words> words;
  private volatile @Nullable F filter; // null: closed

  private MappedFilter(Path file, ReadOptions<F> options) throws IOException {
    this.file = Objects.requireNonNull(file, "file").toString();
    this.words = new ArrayList<>();
    this.filter =
        Filters.READER.map(
            file,
            options.hashers(),
            options.type(),
            options.limitBytes(),
            options.isVerified(),
            words);
  }

  /**
   * Maps a file as {@link Filters#map(Path)} does.
   *
   * @param file a file that {@link Storable#writeTo(Path)} wrote
   * @return the mapped filter
   * @throws FilterFormatException if what is checked is damaged, of an unknown kind, or needs a key
   * @throws IOException if it cannot be mapped
   */
  public static MappedFilter<Storable> map(Path file) throws IOException {
    return map(file, ReadOptions.as(Storable.class));
  }

  /**
   * Maps a file as {@link Filters#map(Path, ReadOptions)} does.
   *
   * @param file a file that {@link Storable#writeTo(Path)} wrote
   * @param options its type, its key, the most memory for what is decoded, whether all is checked
   * @param <F> the filter's type
   * @return the mapped filter
   * @throws FilterFormatException if what is checked is damaged, of an unknown kind, of another
   *     type, beyond the limit, or was created with another hasher or key
   * @throws IOException if it cannot be mapped
   */
  public static <F extends Storable> MappedFilter<F> map(Path file, ReadOptions<F> options)
      throws IOException {
    return new MappedFilter<>(file, Objects.requireNonNull(options, "options"));
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
