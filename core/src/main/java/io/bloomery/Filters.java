package io.bloomery;

import io.bloomery.file.AtomicFile;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.frame.FrameReader;
import io.bloomery.internal.frame.FrameWriter;
import io.bloomery.internal.frame.Registry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collector;

/**
 * Opens saved filters of every kind, lists the kinds, and wraps filters in a lock.
 *
 * <p>{@link #open} reads a file into the heap and checks every byte. {@link #map} maps it into
 * memory: it opens instantly whatever the file's size, several processes share one copy, and the
 * filter is read-only. {@link #read} reads one filter from a stream or an array. Each takes {@link
 * ReadOptions}: the type that is expected, the key, a limit for untrusted input. Any defect throws
 * a {@link FilterFormatException}; a filter is never partly loaded. Unless a limit is given, a file
 * that needs more than three quarters of the heap counts as a defect; for a mapped file only the
 * part that must be decoded counts.
 *
 * <p>{@link #open} and {@link #map} also open files of other systems, in the {@link
 * io.bloomery.foreign.registry.ForeignFormats} detected from their content, and always read those
 * into the heap. A file that matches several formats is an error that names them; open it with
 * {@link io.bloomery.foreign.ForeignFormat#open}.
 *
 * <p>A filter created with {@link Hasher#keyed(byte[])} opens only with that hasher, since files
 * never contain the key; a filter of {@link io.bloomery.secure.KeyedFilters} opens with the same
 * secret. All methods are thread-safe.
 */
public final class Filters {

  private static final Registry REGISTRY = registry();
  private static final List<FilterKind<?>> KINDS = REGISTRY.kinds();

  /** Knows all kinds. */
  static final FrameReader READER = new FrameReader(KINDS);

  private Filters() {}

  /** Loaded as a service, because the packages that it lists depend on this one. */
  private static Registry registry() {
    return ServiceLoader.load(Registry.class, Filters.class.getClassLoader())
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no kinds of filters: the jar has lost META-INF/services/"
                        + Registry.class.getName()
                        + "; a build that shades and relocates has to keep service files"));
  }

  /**
   * Whether a file is a filter of this library, possibly a damaged one: its first 8 bytes, or at
   * least half of them, are the magic bytes of a frame. Any other file can only be a filter of
   * another system.
   *
   * @param file the file
   * @return true: {@link #open}, {@link #map} and {@link #header} read it as a frame
   * @throws IOException if it cannot be read
   */
  public static boolean isNative(Path file) throws IOException {
    return FrameReader.isFrame(file);
  }

  /**
   * Reads a file into the heap and checks all of it.
   *
   * @param file a file that {@link Storable#writeTo(Path)} or another system wrote
   * @return the filter
   * @throws FilterFormatException if the file is damaged, of an unknown kind or format, or needs a
   *     key
   * @throws IOException if it cannot be read
   */
  public static Filter open(Path file) throws IOException {
    return open(file, ReadOptions.defaults());
  }

  /**
   * Reads a file into the heap like {@link #open(Path)}, with options.
   *
   * @param file a file that {@link Storable#writeTo(Path)} or another system wrote
   * @param options its type, its key, the most memory that it may take
   * @param <F> the filter's type
   * @return the filter
   * @throws FilterFormatException if the file is damaged, of an unknown kind or format, of another
   *     type, beyond the limit, or was created with another hasher or key
   * @throws IOException if it cannot be read
   */
  public static <F extends Filter> F open(Path file, ReadOptions<F> options) throws IOException {
    Objects.requireNonNull(options, "options");
    return isForeign(file, options)
        ? openForeign(file, options)
        : READER.open(file, options.hashers(), options.type(), options.limitBytes());
  }

  /**
   * Maps a file into memory; words are read when a query needs them. Header, padding and the file's
   * length are checked; the pages of the payload are not, see {@link ReadOptions#verified} and
   * {@link #verify}.
   *
   * <p>The filter is read-only: adding to it throws an {@link IllegalStateException}. The memory is
   * released when the filter is garbage-collected; close a {@link MappedFilter} to release it
   * earlier.
   *
   * <p>Replacing the file with {@link Storable#writeTo(Path)} leaves the mapped filter as it is. A
   * file must not be truncated or overwritten in place while it is mapped. A query that reads a
   * missing part of a truncated file throws an {@link java.io.UncheckedIOException}, so that its
   * keys do not become absent; only the last 7 bytes that are left may be taken for a whole word.
   * Before Java 22 the thread also gets an {@link InternalError} at some later point, and an answer
   * {@code true} before it means nothing. Other content of the same length is not detected reliably
   * on any version. {@link #open} is for files that others may write in place.
   *
   * @param file a file that {@link Storable#writeTo(Path)} or another system wrote
   * @return the filter
   * @throws FilterFormatException if what is checked is damaged, of an unknown kind or format, or
   *     needs a key
   * @throws IOException if it cannot be mapped
   */
  public static Filter map(Path file) throws IOException {
    return map(file, ReadOptions.defaults());
  }

  /**
   * Maps a file into memory like {@link #map(Path)}, with options.
   *
   * @param file a file that {@link Storable#writeTo(Path)} or another system wrote
   * @param options its type, its key, the most memory for what is decoded, whether all is checked
   * @param <F> the filter's type
   * @return the filter
   * @throws FilterFormatException if what is checked is damaged, of an unknown kind or format, of
   *     another type, beyond the limit, or was created with another hasher or key
   * @throws IOException if it cannot be mapped
   */
  public static <F extends Filter> F map(Path file, ReadOptions<F> options) throws IOException {
    Objects.requireNonNull(options, "options");
    return isForeign(file, options)
        ? openForeign(file, options)
        : READER.map(
            file, options.hashers(), options.type(), options.limitBytes(), options.isVerified());
  }

  /**
   * Reads a filter that {@link Storable#toBytes()} returned.
   *
   * @param bytes one frame
   * @return the filter, which does not share the array
   * @throws FilterFormatException if the bytes are damaged, not one frame, of an unknown kind, or
   *     need a key
   */
  public static Storable read(byte[] bytes) throws FilterFormatException {
    return read(bytes, ReadOptions.as(Storable.class));
  }

  /**
   * Reads a filter that {@link Storable#toBytes()} returned, with options.
   *
   * @param bytes one frame
   * @param options its type, its key, the most memory that it may take
   * @param <F> the filter's type
   * @return the filter, which does not share the array
   * @throws FilterFormatException as {@link #read(byte[])}, or for another type, hasher or key, or
   *     for a frame beyond the limit
   */
  public static <F extends Filter> F read(byte[] bytes, ReadOptions<F> options)
      throws FilterFormatException {
    Objects.requireNonNull(bytes, "bytes");
    Objects.requireNonNull(options, "options");
    return READER.read(bytes, options.limitBytes(), options.hashers(), options.type());
  }

  /**
   * Reads the next filter of a stream and leaves the stream after its last byte, so that filters
   * written one after another are read one after another. Memory is allocated as bytes arrive, so a
   * header that promises more than the stream holds costs little; untrusted input still needs a
   * limit of its own: {@link #read(InputStream, ReadOptions)}.
   *
   * @param in the stream; it stays open
   * @return the filter
   * @throws java.io.EOFException if the stream has ended before the first byte
   * @throws FilterFormatException if the frame is damaged, of an unknown kind, or needs a key
   * @throws IOException if the stream cannot be read
   */
  public static Storable read(InputStream in) throws IOException {
    return read(in, ReadOptions.as(Storable.class));
  }

  /**
   * Reads the next filter of a stream like {@link #read(InputStream)}, with options.
   *
   * @param in the stream; it stays open
   * @param options its type, its key, the longest frame that is accepted
   * @param <F> the filter's type
   * @return the filter
   * @throws java.io.EOFException if the stream has ended before the first byte
   * @throws FilterFormatException if the frame is damaged, beyond the limit, of an unknown kind, of
   *     another type, or was created with another hasher or key
   * @throws IOException if the stream cannot be read
   */
  public static <F extends Filter> F read(InputStream in, ReadOptions<F> options)
      throws IOException {
    Objects.requireNonNull(in, "in");
    Objects.requireNonNull(options, "options");
    return READER.read(in, options.limitBytes(), options.hashers(), options.type());
  }

  /**
   * Reads the header of a file; needs no key. Header, padding and the file's length are checked.
   *
   * @param file a file that {@link Storable#writeTo(Path)} wrote
   * @return the header
   * @throws FilterFormatException if what is checked is damaged or of an unknown kind
   * @throws IOException if it cannot be read
   */
  public static FrameHeader header(Path file) throws IOException {
    return READER.header(file);
  }

  /**
   * Reads the header of a frame in memory; needs no key. Only the header is checked.
   *
   * @param bytes a frame, of which the header suffices
   * @return the header
   * @throws FilterFormatException if the header is damaged, incomplete or of an unknown kind
   */
  public static FrameHeader header(byte[] bytes) throws FilterFormatException {
    return READER.header(Objects.requireNonNull(bytes, "bytes"));
  }

  /**
   * Checks every byte of a file and every rule of its kind that {@link #open} checks, without
   * loading it; needs no key and little memory.
   *
   * @param file a file that {@link Storable#writeTo(Path)} wrote
   * @return the header of the valid file
   * @throws FilterFormatException if the file is damaged or of an unknown kind
   * @throws IOException if it cannot be read
   */
  public static FrameHeader verify(Path file) throws IOException {
    return READER.verify(file);
  }

  /**
   * Saves a filter as {@link Storable#writeTo(Path)} does, with a description in its header, which
   * {@link #header} reads. Without facts the file is that of {@code writeTo}.
   *
   * @param filter the filter
   * @param description what the file says of its keys and of itself
   * @param file the target
   * @throws IOException if writing fails; the target is then unchanged
   */
  public static void write(Storable filter, FrameHeader.Description description, Path file)
      throws IOException {
    Objects.requireNonNull(filter, "filter");
    Objects.requireNonNull(description, "description");
    AtomicFile.write(file, out -> FrameWriter.write(filter, description, out));
  }

  /**
   * A filter as {@link Storable#toBytes()} returns it, with a description in its header. Without
   * facts the bytes are those of {@code toBytes}.
   *
   * @param filter the filter
   * @param description what the bytes say of the keys and of themselves
   * @return one frame
   * @throws IllegalStateException if it is too long for an array
   */
  public static byte[] toBytes(Storable filter, FrameHeader.Description description) {
    Objects.requireNonNull(filter, "filter");
    Objects.requireNonNull(description, "description");
    return FrameWriter.toBytes(filter, description);
  }

  /**
   * A view of a filter for several threads: queries share a read lock, changes take the write lock,
   * and each call, including a batch, is atomic to other threads. Keys are hashed outside the lock.
   * For filters documented to need a lock; lock-free filters are faster without one. From then on,
   * use only the view. For a view that is always {@link Storable}, or that shares a lock with other
   * code, use {@link AddableFilter.Locked#of}. Cast a filter with several capabilities to the one
   * that is needed.
   *
   * @param filter an addable filter
   * @return a filter that any number of threads may use; it is {@link Storable} if the filter is
   */
  public static AddableFilter locked(AddableFilter filter) {
    ReadWriteLock lock = new ReentrantReadWriteLock();
    return filter instanceof Storable
        ? new AddableFilter.Locked(filter, lock)
        : new LockedFilter.Unsaved(filter, lock);
  }

  /**
   * A view of a filter for several threads, like {@link #locked(AddableFilter)}.
   *
   * @param filter a filter with deletes
   * @return a filter that any number of threads may use; it is {@link Storable} if the filter is
   */
  public static RemovableFilter locked(RemovableFilter filter) {
    ReadWriteLock lock = new ReentrantReadWriteLock();
    return filter instanceof Storable
        ? new RemovableFilter.Locked(filter, lock)
        : new LockedFilter.UnsavedWithDeletes(filter, lock);
  }

  /**
   * A view of a filter for several threads, like {@link #locked(AddableFilter)}, with counts.
   *
   * @param filter a filter that counts keys
   * @return a filter that any number of threads may use; it is {@link Storable} if the filter is
   */
  public static FrequencyFilter locked(FrequencyFilter filter) {
    ReadWriteLock lock = new ReentrantReadWriteLock();
    return filter instanceof Storable
        ? new FrequencyFilter.Locked(filter, lock)
        : new LockedFilter.UnsavedWithCounts(filter, lock);
  }

  /**
   * A view of a filter in which exactly one thread wins: of any number of threads that add the same
   * new key, at the same time or one after another, {@code add} returns true to one, and to none if
   * the key is a false positive. A lock among 1,024 is held while a key is added, chosen by its
   * hash; decision 050 says what that costs. Adds through other views do not take part. To save the
   * filter, save the one that was given.
   *
   * @param filter a filter that several threads may add to
   * @return a view, not a copy
   */
  public static AddableFilter oneWinner(AddableFilter filter) {
    return new OneWinnerFilter(filter);
  }

  /**
   * A view of a filter for keys of one type.
   *
   * @param filter an addable filter
   * @param funnel writes a key's fields; for single values {@link Funnel#text()} and the like
   * @param <T> the keys' type
   * @return a view, not a copy, which adds and is a predicate
   */
  public static <T> TypedFilter<T> typed(AddableFilter filter, Funnel<? super T> funnel) {
    return new TypedFilter<>(filter, funnel);
  }

  /**
   * A view of a filter with deletes for keys of one type.
   *
   * @param filter a filter with deletes
   * @param funnel writes a key's fields; for single values {@link Funnel#text()} and the like
   * @param <T> the keys' type
   * @return a view, not a copy, which adds, removes and is a predicate
   */
  public static <T> TypedFilter.Removable<T> typed(
      RemovableFilter filter, Funnel<? super T> funnel) {
    return new TypedFilter.Removable<>(filter, funnel);
  }

  /**
   * A filter as a predicate on keys of one type.
   *
   * @param filter any filter
   * @param funnel writes a key's fields; for single values {@link Funnel#text()} and the like
   * @param <T> the keys' type
   * @return false: certainly absent; true: probably present
   */
  public static <T> Predicate<T> typed(Filter filter, Funnel<? super T> funnel) {
    Objects.requireNonNull(filter, "filter");
    Objects.requireNonNull(funnel, "funnel");
    return key -> filter.mightContain(key, funnel);
  }

  /**
   * Collects a stream of texts in a filter: {@code Filters.collector(() -> BloomFilter.create(n,
   * p))}. A parallel stream fills a filter per thread and merges them.
   *
   * @param empty creates an empty filter, always of the same shape
   * @param <F> the filter's class
   * @return a collector
   */
  public static <F extends AddableFilter & Mergeable<F>> Collector<CharSequence, ?, F> collector(
      Supplier<F> empty) {
    return collector(empty, Funnel.text());
  }

  /**
   * Collects a stream in a filter, like {@link #collector(Supplier)}, for keys of any type.
   *
   * @param empty creates an empty filter, always of the same shape
   * @param funnel writes a key's fields; for single values {@link Funnel#longs()} and the like
   * @param <T> the keys' type
   * @param <F> the filter's class
   * @return a collector
   */
  public static <T, F extends AddableFilter & Mergeable<F>> Collector<T, ?, F> collector(
      Supplier<F> empty, Funnel<? super T> funnel) {
    Objects.requireNonNull(funnel, "funnel");
    return Collector.of(
        empty,
        (filter, key) -> filter.add(key, funnel),
        (one, other) -> {
          one.merge(other);
          return one;
        },
        Collector.Characteristics.UNORDERED);
  }

  /**
   * A view of several filters as one: a key is in it if it is in any of them. Filters may be of
   * different kinds and sizes, may grow, and may be views themselves; each is queried in the order
   * given until one has the key, so put the fullest first. Its rate is 1 − ∏(1 − rate) for filters
   * of different keys, and lower for filters that share keys. Merging filters of equal shapes takes
   * less memory and time but has a higher rate.
   *
   * @param filters one or more filters with equal hashers
   * @return a view, not a copy; as safe for threads as the filters are
   * @throws IncompatibleFiltersException if hashers differ
   */
  public static HashedFilter anyOf(List<? extends HashedFilter> filters) {
    return new AnyOfFilter(List.copyOf(filters));
  }

  /**
   * A view of a filter without the keys of another: deletes for any filter, even a static or a
   * mapped one. To delete a key, add it to the second filter; to restore it, remove it there, if
   * that is a {@link RemovableFilter}. Deleted keys are always reported absent. False positives of
   * the second filter are false negatives of the view: keys are lost at the second filter's rate,
   * so size it for a low one. The view's own rate is the first filter's rate times 1 − the
   * second's.
   *
   * @param filter holds the keys
   * @param removed holds the deleted keys; must have an equal hasher
   * @return a view, not a copy; as safe for threads as the filters are
   * @throws IncompatibleFiltersException if hashers differ
   */
  public static HashedFilter except(HashedFilter filter, HashedFilter removed) {
    Objects.requireNonNull(filter, "filter");
    Objects.requireNonNull(removed, "removed");
    return new ExceptFilter(filter, removed);
  }

  /**
   * Every kind of filter that this library reads and writes.
   *
   * @return an unmodifiable list in the order of their numbers
   */
  public static List<FilterKind<?>> kinds() {
    return KINDS;
  }

  /**
   * The kind with a name.
   *
   * @param name such as {@code "bloom"}
   * @return the kind
   * @throws IllegalArgumentException if there is none
   */
  public static FilterKind<?> kind(String name) {
    Objects.requireNonNull(name, "name");
    return KINDS.stream()
        .filter(kind -> kind.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("no kind is named \"" + name + "\": " + KINDS));
  }

  /**
   * The kind with a number.
   *
   * @param id the number used in files
   * @return the kind
   * @throws IllegalArgumentException if there is none
   */
  public static FilterKind<?> kind(int id) {
    return KINDS.stream()
        .filter(kind -> kind.id() == id)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no kind has number " + id + ": " + KINDS));
  }

  /** Filters of other systems have none of our hashers, so a hasher implies a frame. */
  private static boolean isForeign(Path file, ReadOptions<?> options) throws IOException {
    return options.hashers() == null && !isNative(file);
  }

  private static <F extends Filter> F openForeign(Path file, ReadOptions<F> options)
      throws IOException {
    Filter filter;
    try {
      filter = REGISTRY.openForeign(file, options.limitBytes());
    } catch (IOException e) {
      throw FrameReader.named(file, e);
    }
    Class<F> type = options.type();
    if (!type.isInstance(filter)) {
      throw new FilterFormatException(
          file.toString(),
          0,
          "a %s, not a %s".formatted(filter.getClass().getSimpleName(), type.getSimpleName()));
    }
    return type.cast(filter);
  }
}
