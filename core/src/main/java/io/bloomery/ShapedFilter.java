package io.bloomery;

import io.bloomery.hash.Hasher;
import io.bloomery.internal.hash.Xxh3Short;
import io.bloomery.plan.Shape;
import java.util.Objects;

/**
 * The base class of nearly all filters of this library: a {@linkplain Shape shape}, a {@linkplain
 * Hasher hasher}, and cells. Two filters of a class can be combined if their shapes and hashers are
 * equal.
 *
 * <p>For the library's own filters only; query loops stay in the final classes.
 *
 * @param <S> the kind's shape
 */
public abstract class ShapedFilter<S extends Shape> implements HashedFilter, Storable {

  private final S shape;
  private final Hasher hasher;

  // Copied from the hasher, so that hashing a number does not read another object first.
  private final boolean keyed;
  private final long flip;

  /**
   * A filter of a shape.
   *
   * @param shape the parameters
   * @param hasher turns keys into hashes
   */
  protected ShapedFilter(S shape, Hasher hasher) {
    this.shape = Objects.requireNonNull(shape, "shape");
    this.hasher = Objects.requireNonNull(hasher, "hasher");
    this.keyed = hasher.isKeyed();
    this.flip = keyed ? 0 : Xxh3Short.flip(hasher.seedOrKeyCheck());
  }

  /**
   * The parameters of this filter, with its size and its rate formula.
   *
   * @return the shape; for a filter that doubles, the current one
   */
  public S shape() {
    return shape;
  }

  @Override
  public final Hasher hasher() {
    return hasher;
  }

  /**
   * The hash of a number, as {@link #hasher()} computes it, for filters that override the methods
   * for numbers.
   *
   * @param key the number
   * @return 64 bits
   */
  protected final long hash(long key) {
    return keyed ? hasher.hash(key) : Xxh3Short.hash(key, flip);
  }

  /** {@inheritDoc} This is the shape's size. */
  @Override
  public long sizeInBits() {
    return shape().sizeInBits();
  }

  /**
   * What must be equal for two filters to be combined: the shape, unless a kind requires less.
   *
   * @return a value that is compared and shown in messages
   */
  protected Object layout() {
    return shape();
  }

  /**
   * Whether another filter has an equal hasher and layout.
   *
   * @param other another filter of the same class
   * @return true if the two can be combined
   */
  protected final boolean fits(ShapedFilter<S> other) {
    Objects.requireNonNull(other, "other");
    return hasher.equals(other.hasher()) && layout().equals(other.layout());
  }

  /**
   * Throws if the filters have different hashers or shapes.
   *
   * @param other another filter of the same class
   * @throws IncompatibleFiltersException with the first difference, hasher before shape
   */
  protected final void requireFits(ShapedFilter<S> other) {
    Objects.requireNonNull(other, "other");
    if (!hasher.equals(other.hasher())) {
      throw new IncompatibleFiltersException("hasher " + hasher + " != " + other.hasher());
    }
    if (!layout().equals(other.layout())) {
      throw new IncompatibleFiltersException("shape " + layout() + " != " + other.layout());
    }
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "[" + shape() + ", " + hasher + "]";
  }
}
