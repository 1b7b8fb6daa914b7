package io.bloomery;

import io.bloomery.hash.Hasher;
import io.bloomery.plan.Shape;
import java.util.Objects;

/**
 * What nearly all filters of this library are: a {@linkplain Shape shape}, a {@linkplain Hasher
 * hasher}, and cells. Two filters of a class can be combined if shape and hasher are equal.
 *
 * <p>For the library's own filters; queries and their loops stay in the final classes.
 *
 * @param <S> the kind's shape
 */
public abstract class ShapedFilter<S extends Shape> implements HashedFilter, Storable {

  private final S shape;
  private final Hasher hasher;

  /**
   * A filter of a shape.
   *
   * @param shape the parameters
   * @param hasher turns keys into hashes
   */
  protected ShapedFilter(S shape, Hasher hasher) {
    this.shape = Objects.requireNonNull(shape, "shape");
    this.hasher = Objects.requireNonNull(hasher, "hasher");
  }

  /**
   * The parameters of this filter, with its size and its rate formula.
   *
   * @return the shape; of a filter that doubles, the present one
   */
  public S shape() {
    return shape;
  }

  @Override
  public final Hasher hasher() {
    return hasher;
  }

  /** {@inheritDoc} Here: that of the shape. */
  @Override
  public long sizeInBits() {
    return shape().sizeInBits();
  }

  /**
   * What must be equal in filters that are combined: the shape, unless a kind needs less.
   *
   * @return a value that is compared and named in messages
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
   * Refuses to combine filters of different hashers or shapes.
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
