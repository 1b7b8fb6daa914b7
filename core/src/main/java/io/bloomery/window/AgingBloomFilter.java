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
 * Was x among the latest distinct keys? Two buffers, both asked: a key goes to the first, and when
 * that has taken its capacity the second is emptied and they change roles. At least the last {@code
 * capacity} distinct keys are found, at most twice as many; older ones only by false positives. A
 * key that is seen again stays.
 *
 * <p>Needs no clock and no counter of adds, because keys that are there already do not age others.
 * {@link RecentFilter} has the window by adds or by time.
 *
 * <p>Threads: needs a lock around every call, such as {@link
 * io.bloomery.Filters#locked(AddableFilter)} gives. Changing roles empties a buffer at once, which
 * takes as long as clearing its memory.
 *
 * <p>Yoon 2010, "Aging Bloom Filter with Two Active Buffers for Dynamic Sets". Deviation: roles
 * change before the key that finds the first buffer full, so that no key is added to both.
 */
public final class AgingBloomFilter implements AddableFilter, Storable {

  /** How files name this kind. */
  public static final FilterKind<AgingBloomFilter> KIND =
      new FilterKind<>(
          35,
          "aging",
          "was x among the latest distinct keys? two buffers, both asked",
          AgingBloomFilter.class,
          AgingBloomFilter::encode,
          AgingBloomFilter::decode,
          () ->
              FilterRecipe.locked(
                  AgingShape.class,
                  AgingShape::forKeys,
                  FilterRecipe.byRate(AgingShape::forKeys),
                  order -> builder().shape(order.shape()).hasher(order.hasher()).build()));

  private final Hasher hasher;
  private final AgingShape shape;
  private final BufferPair buffers;

  private AgingBloomFilter(Hasher hasher, AgingShape shape, BufferPair buffers) {
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
  public static AgingBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return builder().expectedKeys(expectedKeys).falsePositiveRate(falsePositiveRate).build();
  }

  /**
   * A filter of a given shape.
   *
   * @param shape the size of the buffers and how many keys they take
   * @return an empty filter
   */
  public static AgingBloomFilter ofShape(AgingShape shape) {
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

  private static AgingBloomFilter decode(Frame frame) throws IOException {
    AgingShape shape;
    try {
      shape =
          new AgingShape(
              frame.number("bits", 2, Long.MAX_VALUE),
              (int) frame.number("probes", 1, 255),
              frame.number("capacity", 1, Long.MAX_VALUE));
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    return new AgingBloomFilter(
        frame.hasher(),
        shape,
        BufferPair.decode(frame, shape.bits(), shape.probes(), shape.capacity()));
  }

  @Override
  public FilterKind<AgingBloomFilter> kind() {
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
  public AgingShape shape() {
    return shape;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return buffers.inFirst(hash) || buffers.inSecond(hash);
  }

  /**
   * {@inheritDoc} A key that only the second buffer has is added to the first, and so stays.
   *
   * @return {@code true}: certainly not among the latest {@code capacity} keys; {@code false}:
   *     probably among the latest keys
   */
  @Override
  public boolean addHash(long hash) {
    buffers.requireWritable();
    if (buffers.inFirst(hash)) {
      return false;
    }
    boolean absent = !buffers.inSecond(hash);
    if (buffers.firstKeys() >= shape.capacity()) {
      buffers.clearSecond();
      buffers.swap();
    }
    buffers.addToFirst(hash);
    return absent;
  }

  /** {@inheritDoc} Here: from the fill of both buffers. */
  @Override
  public double falsePositiveRate() {
    return 1 - (1 - buffers.firstRate()) * (1 - buffers.secondRate());
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
  public AgingBloomFilter copy() {
    return new AgingBloomFilter(hasher, shape, buffers.copy());
  }

  @Override
  public String toString() {
    return "AgingBloomFilter[" + shape + ", " + hasher + "]";
  }

  /** Options of a filter: expected keys with a rate, or a shape. */
  public static final class Builder extends SizedBuilder<Builder> {
    private AgingShape shape;

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
    public Builder shape(AgingShape shape) {
      this.shape = Objects.requireNonNull(shape, "shape");
      return this;
    }

    /**
     * Makes the filter.
     *
     * @return an empty filter
     */
    public AgingBloomFilter build() {
      if (shape != null && (expectedKeys != 0 || falsePositiveRate != 0)) {
        throw new IllegalArgumentException("a shape and expectedKeys or a rate exclude each other");
      }
      AgingShape chosen =
          shape == null ? AgingShape.forKeys(expectedKeys, falsePositiveRate) : shape;
      return new AgingBloomFilter(
          hasher, chosen, BufferPair.allocate(chosen.bits(), chosen.probes()));
    }
  }
}
