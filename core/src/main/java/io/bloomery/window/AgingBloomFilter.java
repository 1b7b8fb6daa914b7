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
import io.bloomery.internal.variant.EarlyExit;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.List;

/**
 * Was x among the latest distinct keys? Keys are added to the first of two buffers; when it has
 * reached its capacity, the second is cleared and they swap roles. A query reads both. At least the
 * last {@code capacity} distinct keys are found, at most twice as many; older ones only by false
 * positives. A key that is seen again stays.
 *
 * <p>It needs no clock and no counter of adds, because repeated keys do not age others. {@link
 * RecentFilter} has a window of adds or of time.
 *
 * <p>Threads: needs a lock around every call, which {@link
 * io.bloomery.Filters#locked(AddableFilter)} provides. Swapping roles clears a buffer at once,
 * which takes as long as clearing its memory.
 *
 * <p>Yoon 2010, "Aging Bloom Filter with Two Active Buffers for Dynamic Sets". Deviation: roles are
 * swapped before the key that finds the first buffer full, so that no key is added to both.
 */
public final class AgingBloomFilter extends ShapedFilter<AgingShape>
    implements AddableFilter, CardinalityFilter, QueryCost {

  public static final FilterKind<AgingBloomFilter> KIND =
      Kind.of(35, "aging", AgingBloomFilter.class)
          .question("was x among the latest distinct keys? two buffers, a query reads both")
          .codec(AgingBloomFilter::encode, AgingBloomFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("aging", AgingShape.class)
                          .meets(Need.WINDOW)
                          .onlyFor(Need.WINDOW)
                          .forKeys(AgingShape::forKeys)
                          .searchBudget()
                          .reads(shape -> 2 * shape.hashesPerKey())
                          .works(shape -> 1.6 * shape.hashesPerKey())
                          .absent(shape -> 2 * EarlyExit.byThree(shape.hashesPerKey()), shape -> 15)
                          .fetches(
                              shape -> 2 * shape.hashesPerKey(),
                              shape -> 2 * EarlyExit.fetchesByThree(shape.hashesPerKey()))
                          .why(
                              "Finds the latest distinct keys, however long ago they were added,"
                                  + " and up to twice as many; one thread at a time")
                          .oneWriter()
                          .orderMatters()
                          .creates(AgingBloomFilter::create)));

  private final BufferPair buffers;

  private AgingBloomFilter(AgingShape shape, Hasher hasher, BufferPair buffers) {
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
  public static AgingBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return create(AgingShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape the size of the buffers and their capacity
   * @return an empty filter
   */
  public static AgingBloomFilter create(AgingShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape the size of the buffers and their capacity
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static AgingBloomFilter create(AgingShape shape, Hasher hasher) {
    return new AgingBloomFilter(
        shape, hasher, BufferPair.allocate(shape.bits(), shape.hashesPerKey()));
  }

  private Frame encode() {
    return buffers.encode(Frame.of(hasher()).put(shape()));
  }

  private static AgingBloomFilter decode(Frame frame) throws IOException {
    AgingShape shape = frame.shape(AgingShape.class);
    BufferPair buffers =
        BufferPair.decode(frame, shape.bits(), shape.hashesPerKey(), shape.capacity());
    return new AgingBloomFilter(shape, frame.hasher(), buffers);
  }

  @Override
  public FilterKind<AgingBloomFilter> kind() {
    return KIND;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return buffers.inFirst(hash) || buffers.inSecond(hash);
  }

  /**
   * {@inheritDoc} A key that is only in the second buffer is added to the first, and so stays.
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
    if (buffers.firstKeys() >= shape().capacity()) {
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
  public int hashBits() {
    return shape().hashBits();
  }

  @Override
  public int memoryAccesses() {
    return shape().memoryAccesses();
  }

  /** {@inheritDoc} Here: of both buffers. */
  @Override
  public double fillRatio() {
    return (buffers.firstFill() + buffers.secondFill()) / 2;
  }

  /** {@inheritDoc} Here: from the bits that are set in either buffer. */
  @Override
  public double cardinality() {
    return buffers.cardinality();
  }

  /**
   * An independent heap copy.
   *
   * @return a filter with the same state
   */
  public AgingBloomFilter copy() {
    return new AgingBloomFilter(shape(), hasher(), buffers.copy());
  }
}
