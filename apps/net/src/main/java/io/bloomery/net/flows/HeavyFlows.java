package io.bloomery.net.flows;

import io.bloomery.Writers;
import io.bloomery.frequency.CountMinFilter;
import io.bloomery.frequency.HeavyHitters;
import io.bloomery.hash.Hasher;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.packet.FlowBytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the flows with the most bytes or packets, in memory that does not grow with the number of
 * flows. Give it each packet; at the end of an interval it reports the flows of that.
 *
 * <p>From the second interval on, flows as large as the last one that the first interval reported
 * are counted in entries of their own (shielding), so that they no longer raise the counters of
 * others.
 *
 * <p>Threads: one.
 */
public final class HeavyFlows {

  /** A flow, and what is known of its amount. */
  public static final class Flow {
    private final byte[] key;
    private final long atMost;
    private final long atLeast;

    Flow(byte[] key, long atMost, long atLeast) {
      this.key = key;
      this.atMost = atMost;
      this.atLeast = atLeast;
    }

    byte[] key() {
      return key;
    }

    /** Its amount is certainly not higher. */
    public long atMost() {
      return atMost;
    }

    /** Its amount is certainly not lower. */
    public long atLeast() {
      return atLeast;
    }

    /** Its addresses, and ports if it has any. */
    public String text() {
      return FlowBytes.text(key);
    }

    /** Whether its amount is known exactly. */
    public boolean isExact() {
      return atMost == atLeast;
    }
  }

  /**
   * What was counted in an interval.
   *
   * @param start when it begins, in nanoseconds since 1970
   * @param packets the packets of all flows
   * @param bytes the bytes of all flows
   * @param flows those with the highest amounts, the highest first
   * @param completeFrom no other flow has this amount or more
   * @param candidates the flows that may be among those with the highest true amounts
   * @param candidatesFrom every flow with this amount or more is a candidate
   */
  public record Interval(
      long start,
      long packets,
      long bytes,
      List<Flow> flows,
      long completeFrom,
      List<Flow> candidates,
      long candidatesFrom) {

    /** Whether these are certainly the flows with the highest amounts. */
    public boolean isCertain() {
      long least = flows.stream().mapToLong(Flow::atLeast).min().orElse(Long.MAX_VALUE);
      return completeFrom - 1 <= least;
    }
  }

  private final FlowOptions options;
  private final FlowKey key;
  private final Hasher hasher;
  private final IntervalClock clock;
  private HeavyHitters<byte[]> heavy;
  private long threshold = Long.MAX_VALUE; // of shielding
  private long packets;
  private long bytes;

  private HeavyFlows(FlowOptions options) {
    this.options = options;
    this.key = new FlowKey(options.by());
    this.hasher = options.hasher();
    this.clock = new IntervalClock(options.every());
    this.heavy = HeavyHitters.ofBytes(filter(), options.capacity());
  }

  /**
   * Starts to count.
   *
   * @param options what is counted
   * @return an object that has no packets yet
   */
  public static HeavyFlows create(FlowOptions options) {
    return new HeavyFlows(options);
  }

  private CountMinFilter filter() {
    return CountMinFilter.create(options.shape(), hasher, Writers.ONE);
  }

  /**
   * Counts a packet.
   *
   * @param packet the packet
   * @return the interval before it, if the packet begins another one; otherwise null
   */
  public @Nullable Interval add(Packet packet) {
    Interval ended = clock.isNext(packet.nanos()) && packets > 0 ? end() : null;
    clock.take(packet.nanos());
    packets++;
    bytes += packet.length();
    byte[] flow = key.of(packet);
    long amount = options.bytes() ? packet.length() : 1;
    heavy.addHash(hasher.hash(flow, 0, flow.length), amount, key::copy);
    return ended;
  }

  /**
   * The interval up to now, which ends with it.
   *
   * @return its flows
   */
  public Interval end() {
    Interval ended = interval();
    if (threshold == Long.MAX_VALUE && !ended.flows.isEmpty()) {
      threshold = Math.max(1, ended.flows.get(ended.flows.size() - 1).atMost);
      heavy = HeavyHitters.ofBytes(filter(), options.capacity()).shielded(threshold);
    } else {
      heavy = heavy.next(filter());
    }
    packets = 0;
    bytes = 0;
    return ended;
  }

  private Interval interval() {
    List<Flow> kept =
        heavy.top(Integer.MAX_VALUE).stream()
            .map(each -> new Flow(each.key(), each.count(), each.least()))
            .toList();
    int listed = Math.min(options.top(), kept.size());
    long missing = heavy.completeFrom(); // whatever is not kept has less
    long completeFrom =
        listed < kept.size() ? Math.max(missing, kept.get(listed).atMost + 1) : missing;
    long[] lower = kept.stream().mapToLong(Flow::atLeast).sorted().toArray();
    long least = listed < options.top() ? 1 : lower[lower.length - listed];
    List<Flow> candidates = kept.stream().filter(flow -> flow.atMost >= least).toList();
    return new Interval(
        clock.start(),
        packets,
        bytes,
        kept.subList(0, listed),
        completeFrom,
        candidates,
        Math.max(missing, least));
  }

  /**
   * The second pass of an iceberg query: give it the same packets again, and it counts the
   * candidates exactly.
   *
   * @param first the intervals of the first pass, all of them in their order
   * @return an object that has no packets yet
   */
  public Recount recount(List<Interval> first) {
    return new Recount(options, first);
  }

  /** The second pass over the same packets. */
  public static final class Recount {
    private final ExactFlows exact;

    private Recount(FlowOptions options, List<Interval> first) {
      this.exact = new ExactFlows(options, first);
    }

    /**
     * Counts a packet.
     *
     * @param packet the packet, as in the first pass
     */
    public void add(Packet packet) {
      exact.add(packet);
    }

    /**
     * The intervals with exact amounts. The flows are certainly those with the highest amounts
     * where {@link Interval#isCertain}.
     *
     * @return as many intervals as the first pass had
     */
    public List<Interval> intervals() {
      return exact.intervals();
    }
  }
}
