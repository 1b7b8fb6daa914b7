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
public final class TypedFilter<T> implements Predicate<T> {

  private final AddableFilter filter;
  private final Funnel<? super T> funnel;

  TypedFilter(AddableFilter filter, Funnel<? super T> funnel) {
    this.filter = Objects.requireNonNull(filter, "filter");
    this.funnel = Objects.requireNonNull(funnel, "funnel");
  }

  /**
   * Adds a key.
   *
   * @param key the key
   * @return {@code true}: certainly new; {@code false}: probably seen before
   */
  public boolean add(T key) {
    return filter.add(key, funnel);
  }

  /**
   * Adds keys one after another.
   *
   * @param keys the keys
   */
  public void addAll(Iterable<? extends T> keys) {
    filter.addAll(keys, funnel);
  }

  /**
   * Adds keys one after another, also those of a parallel stream.
   *
   * @param keys the keys; the stream is consumed and stays open
   */
  public void addAll(Stream<? extends T> keys) {
    filter.addAll(keys, funnel);
  }

  /**
   * Looks up a key.
   *
   * @param key the key
   * @return {@code false}: certainly absent; {@code true}: probably present
   */
  public boolean mightContain(T key) {
    return filter.mightContain(key, funnel);
  }

  /**
   * Looks up a key, like {@link #mightContain}.
   *
   * @param key the key
   * @return {@code false}: certainly absent; {@code true}: probably present
   */
  @Override
  public boolean test(T key) {
    return mightContain(key);
  }

  @Override
  public String toString() {
    return "typed " + filter;
  }
}
