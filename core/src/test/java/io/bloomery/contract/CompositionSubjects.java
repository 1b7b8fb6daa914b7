package io.bloomery.contract;

import io.bloomery.Filters;
import io.bloomery.HashedFilter;
import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.deletable.CountingShape;
import io.bloomery.frequency.CompactSpectralFilter;
import io.bloomery.frequency.SpectralFilter;
import io.bloomery.frequency.SpectralShape;
import io.bloomery.frequency.SpectralShape.Method;
import io.bloomery.frozen.FuseFilter;
import io.bloomery.frozen.FuseShape;
import io.bloomery.growing.GrowingFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.lookup.CountedFunction;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Filters without a file format: views, filters of filters, counters of variable length. */
final class CompositionSubjects {

  private static final double RATE = 0.01;
  private static final int VALUES = 7;

  private CompositionSubjects() {}

  static List<Subject> all() {
    List<Subject> all = new ArrayList<>();
    all.add(
        addable(
            "growing of blocked",
            Subjects.filled(
                hasher ->
                    GrowingFilter.create(
                        700,
                        RATE,
                        (n, p) -> BlockedBloomFilter.create(BlockShape.forKeys(n, p), hasher)))));
    all.add(
        addable(
            "growing of counting",
            Subjects.filled(
                hasher ->
                    GrowingFilter.Removable.create(
                        Subject.KEYS,
                        RATE,
                        (n, p) ->
                            CountingBloomFilter.create(CountingShape.forKeys(n, p), hasher)))));
    for (Method method : List.of(Method.MINIMUM_SELECTION, Method.MINIMAL_INCREASE)) {
      SpectralShape shape = SpectralShape.forKeys(Subject.KEYS, RATE, method);
      all.add(
          addable(
              "compact spectral " + method,
              Subjects.filled(hasher -> CompactSpectralFilter.create(shape, hasher))));
    }
    all.add(new Subject("any of", null, CompositionSubjects::anyOf, Map.of(), false));
    all.add(new Subject("except", null, CompositionSubjects::except, Map.of(), false));
    all.add(
        Subject.lookup(
            "counted function",
            null,
            CompositionSubjects::function,
            (hash, value) -> value > Subject.valueOf(hash, VALUES)));
    return all;
  }

  private static Subject addable(String name, Subject.Maker maker) {
    return new Subject(name, null, maker, Map.of(), false);
  }

  /** The first half in a Bloom filter, the others in a static one. */
  private static HashedFilter anyOf(Hasher hasher, long[] hashes) {
    BloomFilter first = BloomFilter.create(BloomShape.forKeys(Subject.KEYS, RATE / 2), hasher);
    int half = hashes.length / 2;
    first.addHashes(hashes, 0, half);
    long[] rest = Arrays.copyOfRange(hashes, half, hashes.length);
    FuseShape shape = FuseShape.forKeys(Math.max(1, rest.length), RATE / 2);
    return Filters.anyOf(List.of(first, FuseFilter.ofHashes(rest, shape, hasher)));
  }

  /** Nothing was removed. */
  private static HashedFilter except(Hasher hasher, long[] hashes) {
    BloomFilter filter = BloomFilter.create(BloomShape.forKeys(Subject.KEYS, RATE), hasher);
    filter.addHashes(hashes, 0, hashes.length);
    return Filters.except(filter, BloomFilter.create(BloomShape.of(64, 1), hasher));
  }

  private static HashedFilter function(Hasher hasher, long[] hashes) {
    SpectralShape shape = SpectralShape.forKeys(Subject.KEYS, RATE, Method.MINIMUM_SELECTION);
    CountedFunction function = new CountedFunction(SpectralFilter.create(shape, hasher));
    for (long hash : hashes) {
      function.putHash(hash, 1 + Subject.valueOf(hash, VALUES));
    }
    return function;
  }
}
