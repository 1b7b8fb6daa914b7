package io.bloomery.lookup;

import io.bloomery.LookupFilter;
import io.bloomery.hash.Funnel;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A view of a lookup filter as a map to objects: value i represents object i of a list. A key
 * without a value has no object, or, at the filter's {@link LookupFilter#falsePositiveRate()}, a
 * wrong one.
 *
 * <p>As thread-safe as the filter; the list is copied.
 *
 * @param <V> the objects' type
 */
public final class TypedLookup<V> {

  private final LookupFilter filter;
  private final List<V> values;

  private TypedLookup(LookupFilter filter, List<V> values) {
    this.filter = filter;
    this.values = values;
  }

  /**
   * A view of a filter.
   *
   * @param filter maps keys to numbers
   * @param values the object of each number, starting with 0; none is null
   * @param <V> the objects' type
   * @return the view
   */
  public static <V> TypedLookup<V> of(LookupFilter filter, List<? extends V> values) {
    return new TypedLookup<>(Objects.requireNonNull(filter, "filter"), List.copyOf(values));
  }

  /**
   * The filter behind this view.
   *
   * @return the filter
   */
  public LookupFilter filter() {
    return filter;
  }

  /**
   * The objects.
   *
   * @return an unmodifiable list, by number
   */
  public List<V> values() {
    return values;
  }

  /**
   * The object of a text key.
   *
   * @param key the key
   * @return its object, or null if it has none
   */
  public @Nullable V get(CharSequence key) {
    return value(filter.get(key));
  }

  /**
   * The object of a byte-string key.
   *
   * @param key the key
   * @return its object, or null if it has none
   */
  public @Nullable V get(byte[] key) {
    return value(filter.get(key));
  }

  /**
   * The object of a byte-string key given as a range of an array.
   *
   * @param bytes the array
   * @param offset the index of the key's first byte
   * @param length the key's length in bytes
   * @return its object, or null if it has none
   */
  public @Nullable V get(byte[] bytes, int offset, int length) {
    return value(filter.get(bytes, offset, length));
  }

  /**
   * The object of a number.
   *
   * @param key the key
   * @return its object, or null if it has none
   */
  public @Nullable V get(long key) {
    return value(filter.get(key));
  }

  /**
   * The object of a character.
   *
   * @param key the key, which counts as text
   * @return its object, or null if it has none
   */
  public @Nullable V get(char key) {
    return value(filter.get(key));
  }

  /**
   * The object of a key that is an object.
   *
   * @param key the key
   * @param funnel writes its fields
   * @param <T> the key's type
   * @return its object, or null if it has none
   */
  public <T> @Nullable V get(T key, Funnel<? super T> funnel) {
    return value(filter.get(key, funnel));
  }

  /**
   * The object of a key by the key's hash.
   *
   * @param hash the key's hash by the filter's hasher
   * @return its object, or null if it has none
   */
  public @Nullable V getHash(long hash) {
    return value(filter.getHash(hash));
  }

  private @Nullable V value(long number) {
    return number >= 0 && number < values.size() ? values.get((int) number) : null;
  }
}
