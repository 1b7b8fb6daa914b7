package io.bloomery;

import io.bloomery.internal.check.Memory;
import io.bloomery.internal.frame.FrameWriter;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes a filter serializable by Java serialization, for closures and broadcast variables of Spark,
 * Flink and Beam. The serialized form is the native frame with all its checks. {@link #filter()} is
 * the original filter on the sending side, and a copy on the heap on the receiving side.
 *
 * <pre>{@code
 * SerializableFilter<BloomFilter> known = SerializableFilter.of(filter);
 * lines.filter(line -> !known.filter().mightContain(line));
 * }</pre>
 *
 * <p>A secret key is never serialized. A filter with a keyed hasher is refused by {@link
 * #of(Storable)}; with {@link #of(Storable, ReadOptions.HasherSource)} the other side finds the key
 * itself, for example in its own configuration.
 *
 * <p>Keys added before serialization begins arrive; keys that other threads add during it may or
 * may not.
 *
 * @param <F> the filter's type
 */
public final class SerializableFilter<F extends Storable> implements Serializable {

  @Serial private static final long serialVersionUID = 1;

  @SuppressWarnings("serial") // always serializable by its type, or null
  private final ReadOptions.@Nullable HasherSource hashers;

  private transient F filter;

  private SerializableFilter(F filter, ReadOptions.@Nullable HasherSource hashers) {
    this.filter = filter;
    this.hashers = hashers;
  }

  /**
   * Wraps a filter that opens without a secret.
   *
   * @param filter the filter; not copied
   * @param <F> the filter's type
   * @return a holder that can be serialized
   * @throws IllegalArgumentException if the filter has a keyed hasher or is a locked view
   */
  public static <F extends Storable> SerializableFilter<F> of(F filter) {
    requireNoView(filter);
    if (FrameWriter.isKeyed(filter)) {
      throw new IllegalArgumentException(
          "the filter has a secret key, which is never serialized; say how the other side finds it:"
              + " SerializableFilter.of(filter, header -> hasher)");
    }
    return new SerializableFilter<>(filter, null);
  }

  /**
   * Wraps a filter whose hasher the receiving side finds by itself.
   *
   * @param filter the filter; not copied
   * @param hashers finds the hasher where the filter arrives; it is serialized, so it must not hold
   *     the secret itself, only the means to find it
   * @param <F> the filter's type
   * @param <H> a serializable function; a lambda is one
   * @return a holder that can be serialized
   * @throws IllegalArgumentException if the filter is a locked view
   */
  public static <F extends Storable, H extends ReadOptions.HasherSource & Serializable>
      SerializableFilter<F> of(F filter, H hashers) {
    requireNoView(filter);
    return new SerializableFilter<>(filter, Objects.requireNonNull(hashers, "hashers"));
  }

  private static void requireNoView(Storable filter) {
    if (!Objects.requireNonNull(filter, "filter").kind().type().isInstance(filter)) {
      throw new IllegalArgumentException(
          "a view arrives without its lock; serialize the filter itself: " + filter);
    }
  }

  /**
   * The filter.
   *
   * @return the original, or the deserialized copy
   */
  public F filter() {
    return filter;
  }

  @Serial
  private void writeObject(ObjectOutputStream out) throws IOException {
    out.defaultWriteObject();
    filter.writeTo(out);
  }

  @Serial
  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    filter = read(in);
  }

  /** The cast is safe: the frame names the filter's class. */
  @SuppressWarnings("unchecked")
  private F read(ObjectInputStream in) throws IOException {
    return (F) Filters.READER.read(in, Memory.budget(), hashers, Storable.class);
  }

  @Override
  public String toString() {
    return "serializable " + filter;
  }
}
