package io.bloomery.internal.frame;

import io.bloomery.FilterKind;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import java.util.function.Function;

/**
 * Gives the packages of this module access to the words of filters of other packages, without
 * exposing them outside. A kind grants it by {@link Kind.Builder#sharesWords}.
 *
 * @param <F> the filter's class
 * @param <S> the class of its shapes
 */
public final class WordAccess<F extends Storable, S extends Record> {

  /**
   * Makes a filter over words.
   *
   * @param <F> the filter's class
   * @param <S> the class of its shapes
   */
  @FunctionalInterface
  public interface Maker<F, S> {
    /** The filter, which keeps the words that it is given. */
    F make(S shape, Hasher hasher, Words words);
  }

  private final Function<F, Words> words;
  private final Class<S> shapes;
  private final Maker<F, S> maker;

  WordAccess(Function<F, Words> words, Class<S> shapes, Maker<F, S> maker) {
    this.words = words;
    this.shapes = shapes;
    this.maker = maker;
  }

  /** The words of a filter, not copied: changing them changes the filter. */
  public static <F extends Storable> Words of(F filter, FilterKind<F> kind) {
    return ((Kind<F>) kind).words().words.apply(filter);
  }

  /** A filter of a kind over words, which are not copied and must have the right number. */
  public static <F extends Storable> F over(
      FilterKind<F> kind, Record shape, Hasher hasher, Words words) {
    return ((Kind<F>) kind).words().make(shape, hasher, words);
  }

  private F make(Record shape, Hasher hasher, Words words) {
    return maker.make(shapes.cast(shape), hasher, words);
  }
}
