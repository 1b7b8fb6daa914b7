package io.bloomery.window;

import io.bloomery.AddableFilter;
import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.SizedBuilder;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.frame.Frame;
import java.io.IOException;
import java.util.Objects;

/**
 * Was x among the latest distinct keys? Keys go to the active buffer, and from half of its capacity
 * on also to a second one that warms up; when the second holds half its capacity it becomes the
 * active one and the other is emptied. At least the last {@code capacity / 2} distinct keys are
 * found, at most {@code capacity}; older ones only by false positives. A key that is seen again
 * stays.
 *
 * <p>A query reads one buffer where {@link AgingBloomFilter} reads two, which remembers 1.7 times
 * as many keys in the same memory.
 *
 * <p>Threads: needs a lock around every call, such as {@link
 * io.bloomery.Filters#locked(AddableFilter)} gives. Changing roles empties a buffer at once, which
 * takes as long as clearing its memory.
 *
 * <p>Chang, Feng and Li 2004, "Approximate Caches for Packet Classification", sec. 4, where "half
 * full" is read as half of the capacity.
 */
public final class DoubleBufferedBloomFilter implements AddableFilter, Storable {

  /** How files name this kind. */
  public static final FilterKind<DoubleBufferedBloomFilter> KIND =
      new FilterKind<>(
          36,
          "double-buffered",
          "was x among the latest distinct keys? two buffers, one asked",
          DoubleBufferedBloomFilter.class,
          DoubleBufferedBloomFilter::encode,
          DoubleBufferedBloomFilter::decode,
          () ->
              FilterRecipe.locked(
                  DoubleBufferShape.class,
                  DoubleBufferShape::forKeys,
                  FilterRecipe.byRate(DoubleBufferShape::forKeys),
                  order -> builder().shape(order.shape()).hasher(order.hasher()).build()));

  private final Hasher hasher;
  private final DoubleBufferShape shape;
  private final BufferPair buffers;

  private DoubleBufferedBloomFilter(Hasher hasher, DoubleBufferShape shape, BufferPair buffers) {
    this.hasher = hasher;
    this.shape = shape;
    this.buffers = buffers;
  }

  /**
   * The smallest filter that remembers a number of keys.
   *
   * @param expectedKeys how many distinct keys are remembered at least
   * @param falsePositiveRate the highest acceptable rate, above 0, below 1
   * @return an empty filter
   */
  public static DoubleBufferedBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return builder().expectedKeys(expectedKeys).falsePositiveRate(falsePositiveRate).build();
  }

  /**
   * A filter of a given shape.
   *
   * @param shape the size of the buffers and how many keys they take
   * @return an empty filter
   */
  public static DoubleBufferedBloomFilter ofShape(DoubleBufferShape shape) {
    return builder().shape(shape).build();
  }

  /**
   * All options.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  private Frame encode() {
    return buffers.encode(
        Frame.of(hasher)
            .put("bits", shape.bits())
            .put("probes", shape.probes())
            .put("capacity", shape.capacity()));
  }

  private static DoubleBufferedBloomFilter decode(Frame frame) throws IOException {
    DoubleBufferShape shape;
    try {
      shape =
          new DoubleBufferShape(
              frame.number("bits", 2, Long.MAX_VALUE),
              (int) frame.number("probes", 1, 255),
              frame.number("capacity", 1, Long.MAX_VALUE));
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    return new DoubleBufferedBloomFilter(
        frame.hasher(),
        shape,
        BufferPair.decode(frame, shape.bits(), shape.probes(), shape.capacity()));
  }

  @Override
  public FilterKind<DoubleBufferedBloomFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The fixed parameters.
   *
   * @return the size of the buffers and how many keys they take
   */
  public DoubleBufferShape shape() {
    return shape;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return buffers.inFirst(hash);
  }

  /**
   * {@inheritDoc}
   *
   * @return {@code true}: certainly not among the latest {@code capacity / 2} keys; {@code false}:
   *     probably among the latest keys
   */
  @Override
  public boolean addHash(long hash) {
    buffers.requireWritable();
    long half = shape.guaranteed();
    boolean absent = buffers.addToFirst(hash);
    if (buffers.firstKeys() > half) {
      buffers.addToSecond(hash);
      if (buffers.secondKeys() >= half) {
        buffers.swap();
        buffers.clearSecond();
      }
    }
    return absent;
  }

  /** {@inheritDoc} Here: from the fill of the active buffer. */
  @Override
  public double falsePositiveRate() {
    return buffers.firstRate();
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  /**
   * An independent heap copy.
   *
   * @return a filter that answers and goes on like this one
   */
  public DoubleBufferedBloomFilter copy() {
    return new DoubleBufferedBloomFilter(hasher, shape, buffers.copy());
  }

  @Override
  public String toString() {
    return "DoubleBufferedBloomFilter[" + shape + ", " + hasher + "]";
  }

  /** Options of a filter: expected keys with a rate, or a shape. */
  public static final class Builder extends SizedBuilder<Builder> {
    private DoubleBufferShape shape;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * The whole shape, instead of keys and a rate.
     *
     * @param shape the shape
     * @return this
     */
    public Builder shape(DoubleBufferShape shape) {
      this.shape = Objects.requireNonNull(shape, "shape");
      return this;
    }

    /**
     * Makes the filter.
     *
     * @return an empty filter
     */
    public DoubleBufferedBloomFilter build() {
      if (shape != null && (expectedKeys != 0 || falsePositiveRate != 0)) {
        throw new IllegalArgumentException("a shape and expectedKeys or a rate exclude each other");
      }
      DoubleBufferShape chosen =
          shape == null ? DoubleBufferShape.forKeys(expectedKeys, falsePositiveRate) : shape;
      return new DoubleBufferedBloomFilter(
          hasher, chosen, BufferPair.allocate(chosen.bits(), chosen.probes()));
    }
  }
}
