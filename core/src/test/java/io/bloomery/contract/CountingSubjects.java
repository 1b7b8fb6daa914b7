package io.bloomery.contract;

import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.deletable.OverflowPolicy;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
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
    return all;
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
