package io.bloomery.net.flows;

import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.flows.HeavyFlows.Flow;
import io.bloomery.net.flows.HeavyFlows.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts the candidates of a first pass exactly, in a table of few flows. */
final class ExactFlows {

  private final FlowOptions options;
  private final FlowKey key;
  private final IntervalClock clock;
  private final List<Interval> first;
  private final List<Map<FlowKey.Boxed, long[]>> counts = new ArrayList<>();
  private int current;
  private boolean begun;

  ExactFlows(FlowOptions options, List<Interval> first) {
    this.options = options;
    this.key = new FlowKey(options.by());
    this.clock = new IntervalClock(options.every());
    this.first = List.copyOf(first);
    for (Interval interval : first) {
      Map<FlowKey.Boxed, long[]> candidates = new HashMap<>();
      interval
          .candidates()
          .forEach(flow -> candidates.put(new FlowKey.Boxed(flow.key()), new long[1]));
      counts.add(candidates);
    }
  }

  void add(Packet packet) {
    if (begun && clock.isNext(packet.nanos())) {
      current++;
    }
    begun = true;
    clock.take(packet.nanos());
    if (current < counts.size()) {
      long[] count = counts.get(current).get(new FlowKey.Boxed(key.of(packet)));
      if (count != null) {
        count[0] += options.bytes() ? packet.length() : 1;
      }
    }
  }

  List<Interval> intervals() {
    List<Interval> exact = new ArrayList<>();
    for (int i = 0; i < first.size(); i++) {
      exact.add(interval(first.get(i), counts.get(i)));
    }
    return exact;
  }

  private Interval interval(Interval before, Map<FlowKey.Boxed, long[]> candidates) {
    List<Flow> flows = new ArrayList<>();
    candidates.forEach((flow, count) -> flows.add(new Flow(flow.bytes(), count[0], count[0])));
    flows.sort(Comparator.comparingLong((Flow flow) -> -flow.atMost()).thenComparing(Flow::text));
    List<Flow> listed = flows.subList(0, Math.min(options.top(), flows.size()));
    long others = before.candidatesFrom();
    if (flows.size() > listed.size()) {
      others = Math.max(others, flows.get(listed.size()).atMost() + 1);
    }
    return new Interval(
        before.start(),
        before.packets(),
        before.bytes(),
        List.copyOf(listed),
        others,
        flows,
        before.candidatesFrom());
  }
}
