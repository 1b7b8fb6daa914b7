package io.bloomery.contract;

import io.bloomery.deletable.BlockedCountingFilter;
import io.bloomery.deletable.BlockedCountingShape;
import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.deletable.OneWordCountingFilter;
import io.bloomery.deletable.OneWordCountingShape;
import io.bloomery.deletable.OverflowPolicy;
import io.bloomery.deletable.VariableIncrementCountingFilter;
import io.bloomery.deletable.VariableIncrementShape;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.membership.BlockShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The counting filters that the contracts run over. */
final class CountingSubjects {

  private CountingSubjects() {}

  static List<Subject> all() {
    List<Subject> all = new ArrayList<>();
    all.add(counting(IndexScheme.ENHANCED_DOUBLE, 4, OverflowPolicy.STICKY));
    all.add(counting(IndexScheme.INDEPENDENT, 5, OverflowPolicy.STICKY));
    all.add(counting(IndexScheme.PARTITIONED, 8, OverflowPolicy.DECREMENT));
    all.add(counting(IndexScheme.TRIPLE, 16, OverflowPolicy.STICKY));
    all.add(oneWord(new OneWordCountingShape(1_000, 512, 4, 5)));
    all.add(oneWord(new OneWordCountingShape(40_000, 64, 4, 4)));
    all.add(oneWord(new OneWordCountingShape(2_000, 512, 8, 9)));
    all.add(blocked(new BlockedCountingShape(new BlockShape(220, 512, 2, 6), 4)));
    all.add(blocked(new BlockedCountingShape(new BlockShape(220, 512, 4, 8), 6)));
    all.add(blocked(new BlockedCountingShape(new BlockShape(2_000, 64, 1, 4), 8)));
    all.add(variableIncrement(new VariableIncrementShape(60_000, 6, 6, 4)));
    all.add(variableIncrement(new VariableIncrementShape(60_000, 8, 5, 8)));
    return all;
  }

  private static Subject variableIncrement(VariableIncrementShape shape) {
    return Subjects.addable(
        "variable-increment " + shape.base(),
        VariableIncrementCountingFilter.KIND,
        hasher -> variableIncrement(hasher, shape),
        Map.of(
            "base=2",
            hasher ->
                variableIncrement(
                    hasher,
                    new VariableIncrementShape(60_000, shape.counterBits(), shape.probes(), 2))),
        true);
  }

  private static VariableIncrementCountingFilter variableIncrement(
      Hasher hasher, VariableIncrementShape shape) {
    return VariableIncrementCountingFilter.builder().shape(shape).hasher(hasher).build();
  }

  private static Subject oneWord(OneWordCountingShape shape) {
    return Subjects.addable(
        "one-word-counting " + shape.groupBits() + " " + shape.counterBits(),
        OneWordCountingFilter.KIND,
        hasher -> oneWord(hasher, shape),
        Map.of(
            "groups=77",
            hasher ->
                oneWord(
                    hasher,
                    new OneWordCountingShape(
                        77, shape.groupBits(), shape.counterBits(), shape.probes()))),
        true);
  }

  private static OneWordCountingFilter oneWord(Hasher hasher, OneWordCountingShape shape) {
    return OneWordCountingFilter.builder().shape(shape).hasher(hasher).build();
  }

  private static Subject blocked(BlockedCountingShape shape) {
    BlockShape cells = shape.cells();
    return Subjects.addable(
        "blocked-counting " + cells.blockBits() + " " + shape.counterBits(),
        BlockedCountingFilter.KIND,
        hasher -> blocked(hasher, shape),
        Map.of(
            "counterBits=3",
            hasher -> blocked(hasher, new BlockedCountingShape(cells, 3)),
            "blocks=77",
            hasher ->
                blocked(
                    hasher,
                    new BlockedCountingShape(
                        new BlockShape(77, cells.blockBits(), cells.wordsPerKey(), cells.probes()),
                        shape.counterBits()))),
        true);
  }

  private static BlockedCountingFilter blocked(Hasher hasher, BlockedCountingShape shape) {
    return BlockedCountingFilter.builder().shape(shape).hasher(hasher).build();
  }

  private static Subject counting(IndexScheme scheme, int counterBits, OverflowPolicy overflow) {
    return Subjects.addable(
        "counting " + scheme + " " + counterBits,
        CountingBloomFilter.KIND,
        hasher -> counting(hasher, scheme, 95_900, 7, counterBits, overflow),
        Map.of(
            "95907", hasher -> counting(hasher, scheme, 95_907, 7, counterBits, overflow),
            "counterBits", hasher -> counting(hasher, scheme, 95_900, 7, 6, overflow),
            "DECREMENT",
                hasher ->
                    counting(
                        hasher,
                        scheme,
                        95_900,
                        7,
                        counterBits,
                        overflow == OverflowPolicy.STICKY
                            ? OverflowPolicy.DECREMENT
                            : OverflowPolicy.STICKY)),
        true);
  }

  private static CountingBloomFilter counting(
      Hasher hasher,
      IndexScheme scheme,
      long counters,
      int probes,
      int counterBits,
      OverflowPolicy overflow) {
    return CountingBloomFilter.builder()
        .hasher(hasher)
        .scheme(scheme)
        .counters(counters)
        .probes(probes)
        .counterBits(counterBits)
        .overflow(overflow)
        .build();
  }
}
