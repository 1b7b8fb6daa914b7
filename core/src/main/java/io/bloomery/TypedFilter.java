package io.bloomery;

import io.bloomery.hash.Funnel;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A view of a filter for keys of one type, made by {@link Filters#typed}. It holds only a filter
 * and a funnel: a key added through it is in the filter, and the filter's other methods stay
 * available. As safe for threads as the filter is.
 *
 * @param <T> the keys' type
 */
public sealed class TypedFilter<T> implements Predicate<T> permits TypedFilter.Removable {

  private final AddableFilter filter;
  final Funnel<? super T> funnel;

  TypedFilter(AddableFilter filter, Funnel<? super T> funnel) {
    this.filter = Objects.requireNonNull(filter, "filter");
    this.funnel = Objects.requireNonNull(funnel, "funnel");
  }

  /**
   * Adds a key.
   *
   * @param key the key
   * @return {@code true}: certainly not added before the call; {@code false}: probably added before
   */
  public final boolean add(T key) {
    return filter.add(key, funnel);
  }

  /**
   * Adds keys one after another.
   *
   * @param keys the keys
   */
  public final void addAll(Iterable<? extends T> keys) {
    filter.addAll(keys, funnel);
  }

  /**
   * Adds keys one after another, also those of a parallel stream.
   *
   * @param keys the keys; the stream is consumed and stays open
   */
  public final void addAll(Stream<? extends T> keys) {
    filter.addAll(keys, funnel);
  }

  /**
   * Looks up a key.
   *
   * @param key the key
   * @return {@code false}: certainly absent; {@code true}: probably present
   */
  public final boolean mightContain(T key) {
    return filter.mightContain(key, funnel);
  }

  /**
   * Looks up a key, like {@link #mightContain}.
   *
   * @param key the key
   * @return {@code false}: certainly absent; {@code true}: probably present
   */
  @Override
  public final boolean test(T key) {
    return mightContain(key);
  }

  /**
   * Adds every key of another filter to this one, as {@link Mergeable#merge} does.
   *
   * @param other a view of a filter of the same class, shape and hasher
   * @throws IncompatibleFiltersException if the filters differ, or their kind cannot be merged;
   *     nothing has changed
   */
  public final void merge(TypedFilter<T> other) {
    if (!(filter instanceof Mergeable<?>) || filter.getClass() != other.filter.getClass()) {
      throw new IncompatibleFiltersException(
          "a %s cannot be merged with a %s"
              .formatted(
                  filter.getClass().getSimpleName(), other.filter.getClass().getSimpleName()));
    }
    merge(filter, other.filter);
  }

  @SuppressWarnings("unchecked") // filters merge with filters of their own class
  private static <F> void merge(AddableFilter filter, Object other) {
    ((Mergeable<F>) filter).merge((F) other);
  }

  /**
   * The filter behind this view, to save it or to look at it.
   *
   * @return the filter itself
   */
  public AddableFilter filter() {
    return filter;
  }

  @Override
  public final String toString() {
    return "typed " + filter;
  }

  /**
   * A view of a filter with deletes.
   *
   * @param <T> the keys' type
   */
  public static final class Removable<T> extends TypedFilter<T> {

    private final RemovableFilter filter;

    Removable(RemovableFilter filter, Funnel<? super T> funnel) {
      super(filter, funnel);
      this.filter = filter;
    }

    /**
     * Removes a key that was added.
     *
     * @param key the key
     * @return {@code true}: removed; {@code false}: nothing was removed, see {@link
     *     RemovableFilter#removeHash}
     */
    public boolean remove(T key) {
      return filter.remove(key, funnel);
    }

    @Override
    public RemovableFilter filter() {
      return filter;
    }
  }
}
