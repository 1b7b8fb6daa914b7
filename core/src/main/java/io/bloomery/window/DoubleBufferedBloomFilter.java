package io.bloomery.window;

import io.bloomery.AddableFilter;
import io.bloomery.CardinalityFilter;
import io.bloomery.FilterKind;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.List;

/**
 * Was x among the latest distinct keys? Keys are added to the active buffer and, from half of its
 * capacity, also to a second one that warms up; when the second has reached half of its capacity,
 * it becomes the active one and the other is cleared. At least the last {@code capacity / 2}
 * distinct keys are found, at most {@code capacity}; older ones only by false positives. A key that
 * is seen again stays.
 *
 * <p>A query reads one buffer. {@link AgingBloomFilter} reads two, but remembers 1.7 times as many
 * keys in the same memory.
 *
 * <p>Threads: needs a lock around every call, which {@link
 * io.bloomery.Filters#locked(AddableFilter)} provides. Swapping roles clears a buffer at once,
 * which takes as long as clearing its memory.
 *
 * <p>Chang, Feng and Li 2004, "Approximate Caches for Packet Classification", sec. 4, where "half
 * full" is read as half of the capacity.
 */
public final class DoubleBufferedBloomFilter extends ShapedFilter<DoubleBufferShape>
    implements AddableFilter, CardinalityFilter, QueryCost {

  public static final FilterKind<DoubleBufferedBloomFilter> KIND =
      Kind.of(36, "double-buffered", DoubleBufferedBloomFilter.class)
          .question("was x among the latest distinct keys? two buffers, a query reads one")
          .codec(DoubleBufferedBloomFilter::encode, DoubleBufferedBloomFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("double-buffered", DoubleBufferShape.class)
                          .meets(Need.WINDOW)
                          .onlyFor(Need.WINDOW)
                          .forKeys(DoubleBufferShape::forKeys)
                          .searchBudget()
                          .reads(DoubleBufferShape::hashesPerKey)
                          .works(shape -> 1.7 * shape.hashesPerKey())
                          .absentByThree(shape -> shape.hashesPerKey(), shape -> 6)
                          .why(
                              "Finds the latest distinct keys, however long ago they were added,"
                                  + " and a query reads one buffer; one thread at a time")
                          .oneWriter()
                          .orderMatters()
                          .creates(DoubleBufferedBloomFilter::create)));

  private final BufferPair buffers;

  private DoubleBufferedBloomFilter(DoubleBufferShape shape, Hasher hasher, BufferPair buffers) {
    super(shape, hasher);
    this.buffers = buffers;
  }

  /**
   * The smallest filter that remembers a number of keys.
   *
   * @param expectedKeys the minimum number of distinct keys remembered
   * @param falsePositiveRate the highest acceptable rate, above 0, below 1
   * @return an empty filter
   */
  public static DoubleBufferedBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return create(DoubleBufferShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape the size of the buffers and their capacity
   * @return an empty filter
   */
  public static DoubleBufferedBloomFilter create(DoubleBufferShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape the size of the buffers and their capacity
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static DoubleBufferedBloomFilter create(DoubleBufferShape shape, Hasher hasher) {
    return new DoubleBufferedBloomFilter(
        shape, hasher, BufferPair.allocate(shape.bits(), shape.hashesPerKey()));
  }

  private Frame encode() {
    return buffers.encode(Frame.of(hasher()).put(shape()));
  }

  private static DoubleBufferedBloomFilter decode(Frame frame) throws IOException {
    DoubleBufferShape shape = frame.shape(DoubleBufferShape.class);
    BufferPair buffers =
        BufferPair.decode(frame, shape.bits(), shape.hashesPerKey(), shape.capacity());
    return new DoubleBufferedBloomFilter(shape, frame.hasher(), buffers);
  }

  @Override
  public FilterKind<DoubleBufferedBloomFilter> kind() {
    return KIND;
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
    long half = shape().guaranteed();
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
  public int hashBits() {
    return shape().hashBits();
  }

  @Override
  public int memoryAccesses() {
    return shape().memoryAccesses();
  }

  /** {@inheritDoc} Here: of the active buffer. */
  @Override
  public double fillRatio() {
    return buffers.firstFill();
  }

  /** {@inheritDoc} Here: of the active buffer, which has all keys of the other. */
  @Override
  public double cardinality() {
    return buffers.firstCardinality();
  }

  /**
   * An independent heap copy.
   *
   * @return a filter with the same state
   */
  public DoubleBufferedBloomFilter copy() {
    return new DoubleBufferedBloomFilter(shape(), hasher(), buffers.copy());
  }
}
