package io.bloomery.sync;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;

/**
 * The shape of a {@link DecentralizedAggregate}, equal in all nodes of a network: the size of each
 * of its filters, and the possible states, which are evenly spaced values.
 *
 * @param cells size of each filter, in counters or bits, 2 … 2^31
 * @param hashesPerKey hashes per node, 1 … {@link Shape#MAX_HASHES_PER_KEY} and at most {@code
 *     cells}
 * @param states how many values a node can have, 1 … 64
 * @param low the value of the first state
 * @param high the value of the last state, at least {@code low}
 */
public record AggregateShape(
    @FieldName("cells") long cells,
    @FieldName("probes") int hashesPerKey,
    @FieldName("states") int states,
    @FieldName("low") double low,
    @FieldName("high") double high)
    implements Shape {

  /** The fields of a file of {@link DecentralizedAggregate} besides the shape. */
  record Node(
      @FieldName("id") long id,
      @FieldName("state") int state,
      @FieldName("version") long version,
      @FieldName("history") long history) {}

  /** The most states. */
  public static final int MAX_STATES = 64;

  /** The largest filter. */
  public static final long MAX_CELLS = 1L << 31;

  /** Three filters of 4-bit counters and four of bits. */
  private static final int BITS_PER_CELL = 3 * 4 + 4;

  public AggregateShape {
    Arguments.inRange("cells", cells, 2, MAX_CELLS);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, (int) Math.min(cells, MAX_HASHES_PER_KEY));
    Arguments.inRange("states", states, 1, MAX_STATES);
    Arguments.inRange("low", low, -Double.MAX_VALUE / 4, Double.MAX_VALUE / 4);
    Arguments.inRange("high", high, low, Double.MAX_VALUE / 4);
  }

  /**
   * The smallest shape for a number of nodes.
   *
   * @param expectedNodes how many nodes the network will have, including those that join later
   * @param falsePositiveRate the highest rate of each filter when all nodes are in it, in (0, 1)
   * @param states how many values a node can have, 1 … 64
   * @param low the value of the first state
   * @param high the value of the last state
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static AggregateShape forNodes(
      long expectedNodes, double falsePositiveRate, int states, double low, double high) {
    BloomShape filter = BloomShape.forKeys(expectedNodes, falsePositiveRate);
    return new AggregateShape(filter.bits(), filter.hashesPerKey(), states, low, high);
  }

  /**
   * The value of a state.
   *
   * @param state 0 … states − 1
   * @return low + state·(high − low)/(states − 1); low if there is one state
   */
  public double value(int state) {
    Arguments.inRange("state", state, 0, states - 1);
    return states == 1 ? low : low + (high - low) * ((double) state / (states - 1));
  }

  /**
   * The state nearest to a value.
   *
   * @param value a number between low and high
   * @return 0 … states − 1
   * @throws IllegalArgumentException if the value is outside
   */
  public int state(double value) {
    Arguments.inRange("value", value, low, high);
    return high == low ? 0 : (int) Math.round((value - low) / (high - low) * (states - 1));
  }

  @Override
  public long sizeInBits() {
    return cells * BITS_PER_CELL;
  }

  /** {@inheritDoc} Here: the rate of one filter of that many nodes, with independent positions. */
  @Override
  public double falsePositiveRate(long keys) {
    return BloomMath.exactRate(cells, keys, hashesPerKey);
  }
}
