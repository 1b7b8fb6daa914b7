package io.bloomery.net.classify;

import io.bloomery.net.classify.PacketClassifier.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The classes of one field's values: those that the same rules of a subset have. */
final class Field {

  /** How many fields a rule has. */
  static final int FIELDS = 5;

  private final long[] starts; // of intervals, ascending
  private final int[] classes; // of intervals

  /** The classes of a field, by its number, for rules. */
  Field(List<Rule> rules, int field) {
    TreeSet<Long> bounds = new TreeSet<>();
    bounds.add(0L);
    Map<List<Long>, Integer> ranges = new HashMap<>();
    TreeMap<Long, List<Integer>> begins = new TreeMap<>();
    TreeMap<Long, List<Integer>> ends = new TreeMap<>();
    for (Rule rule : rules) {
      long from = rule.from(field);
      long to = rule.to(field) + 1;
      Integer number = ranges.get(List.of(from, to));
      if (number == null) {
        number = ranges.size();
        ranges.put(List.of(from, to), number);
        bounds.add(from);
        bounds.add(to);
        begins.computeIfAbsent(from, any -> new ArrayList<>()).add(number);
        ends.computeIfAbsent(to, any -> new ArrayList<>()).add(number);
      }
    }
    starts = bounds.stream().mapToLong(Long::longValue).toArray();
    classes = new int[starts.length];
    Map<BitSet, Integer> sets = new HashMap<>();
    BitSet active = new BitSet();
    for (int i = 0; i < starts.length; i++) {
      ends.getOrDefault(starts[i], List.of()).forEach(active::clear);
      begins.getOrDefault(starts[i], List.of()).forEach(active::set);
      Integer known = sets.get(active);
      if (known == null) {
        known = sets.size();
        sets.put((BitSet) active.clone(), known);
      }
      classes[i] = known;
    }
  }

  private int interval(long value) {
    int at = Arrays.binarySearch(starts, value);
    return at < 0 ? -at - 2 : at;
  }

  /** The class of a value. */
  int of(long value) {
    return classes[interval(value)];
  }

  /** How many intervals a rule's range has, at least as many as classes. */
  int intervals(long from, long to) {
    return interval(to) - interval(from) + 1;
  }

  /** The classes of a range of a rule. */
  int[] classes(long from, long to) {
    BitSet set = new BitSet();
    for (int i = interval(from); i <= interval(to); i++) {
      set.set(classes[i]);
    }
    return set.stream().toArray();
  }
}
