package io.bloomery.net.index;

import io.bloomery.hash.Hasher;
import io.bloomery.membership.BloomFilter;
import io.bloomery.net.index.TrafficIndex.Attribution;
import io.bloomery.net.index.TrafficIndex.Period;
import io.bloomery.net.packet.FlowBytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is kept of the traffic of some time. */
final class Page {

  /**
   * What was counted.
   *
   * @param start the earliest time, in nanoseconds since 1970
   * @param end the latest time
   * @param traffic bytes of IP packets
   * @param packets how many
   * @param payload bytes above TCP, UDP and ICMP
   * @param tooShort packets whose payload is shorter than a block and is in no digest
   * @param unlisted flows with a payload that are not in the list
   * @param joined whether payloads were joined
   */
  record Facts(
      long start,
      long end,
      long traffic,
      long packets,
      long payload,
      long tooShort,
      long unlisted,
      boolean joined) {}

  /** What stands for all flows that are not in the list. */
  static final byte[] UNLISTED = {};

  private final Facts facts;
  private final Hasher hasher;
  private final int blockBytes;
  private final int levels;
  private final FlowList flows;
  private final @Nullable BloomFilter payloads; // null if there are none
  private final BloomFilter packets;

  Page(
      Facts facts,
      Hasher hasher,
      int blockBytes,
      int levels,
      FlowList flows,
      @Nullable BloomFilter payloads,
      BloomFilter packets) {
    this.facts = facts;
    this.hasher = hasher;
    this.blockBytes = blockBytes;
    this.levels = levels;
    this.flows = flows;
    this.payloads = payloads;
    this.packets = packets;
  }

  Facts facts() {
    return facts;
  }

  int blockBytes() {
    return blockBytes;
  }

  int levels() {
    return levels;
  }

  FlowList flows() {
    return flows;
  }

  @Nullable BloomFilter payloads() {
    return payloads;
  }

  BloomFilter packets() {
    return packets;
  }

  /** Whether it has traffic of a period. */
  boolean isIn(Period period) {
    return facts.start <= period.to() && facts.end >= period.from();
  }

  /** The flows that may have had an excerpt in a period. */
  List<Attribution> find(byte[] excerpt, Period period) {
    List<Attribution> found = new ArrayList<>();
    if (payloads == null) {
      return found;
    }
    PayloadKeys keys = new PayloadKeys(hasher, blockBytes, levels);
    for (int i = 0; i < flows.size(); i++) {
      FlowList.Flow flow = flows.get(i);
      if (flow.first() <= period.to()
          && flow.last() >= period.from()
          && keys.mightContain(excerpt, FlowList.id(flow.bytes(), hasher), payloads)) {
        found.add(new Attribution(FlowBytes.text(flow.bytes()), flow.first(), flow.last()));
      }
    }
    if (facts.unlisted > 0 && keys.mightContain(excerpt, FlowList.id(UNLISTED, hasher), payloads)) {
      found.add(new Attribution(null, facts.start, facts.end));
    }
    return found;
  }

  /** How many flows that did not have an excerpt of random bytes are expected to be found. */
  double expected(int excerptBytes) {
    if (payloads == null) {
      return 0;
    }
    double rate =
        new PayloadKeys(hasher, blockBytes, levels)
            .rate(excerptBytes, payloads.falsePositiveRate());
    return rate * (flows.size() + (facts.unlisted > 0 ? 1 : 0));
  }

  /** Whether a packet may have passed. */
  boolean mayHavePassed(byte[] unchanged, int length) {
    return packets.mightContainHash(hasher.hash(unchanged, 0, length));
  }
}
