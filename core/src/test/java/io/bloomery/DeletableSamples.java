package io.bloomery;

import io.bloomery.deletable.BlockedCountingFilter;
import io.bloomery.deletable.BlockedCountingShape;
import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.deletable.CountingBloomGFilter;
import io.bloomery.deletable.CountingShape;
import io.bloomery.deletable.CountingWordShape;
import io.bloomery.deletable.CuckooFilter;
import io.bloomery.deletable.CuckooShape;
import io.bloomery.deletable.DLeftCountingFilter;
import io.bloomery.deletable.DLeftShape;
import io.bloomery.deletable.DeletableBloomFilter;
import io.bloomery.deletable.DeletableShape;
import io.bloomery.deletable.MultilayerCountingFilter;
import io.bloomery.deletable.MultilayerShape;
import io.bloomery.deletable.OneWordCountingFilter;
import io.bloomery.deletable.OneWordCountingShape;
import io.bloomery.deletable.PrefixFilter;
import io.bloomery.deletable.PrefixShape;
import io.bloomery.deletable.QuotientFilter;
import io.bloomery.deletable.QuotientShape;
import io.bloomery.deletable.VariableIncrementCountingFilter;
import io.bloomery.deletable.VariableIncrementShape;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BloomShape;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** A small filter of every kind of {@code io.bloomery.deletable}. */
final class DeletableSamples {

  private static final CountingShape COUNTING =
      CountingShape.of(BloomShape.of(230, 6, IndexScheme.ENHANCED_DOUBLE), 3);
  private static final OneWordCountingShape ONE_WORD = new OneWordCountingShape(5, 128, 4, 8);
  private static final BlockedCountingShape BLOCKED =
      new BlockedCountingShape(new BlockShape(2, 128, 2, 6), 3);
  private static final VariableIncrementShape SUMS = new VariableIncrementShape(115, 6, 5, 4);
  private static final MultilayerShape MULTILAYER =
      new MultilayerShape(BloomShape.of(1_200, 4, IndexScheme.ENHANCED_DOUBLE), 0);
  private static final DeletableShape DELETABLE =
      new DeletableShape(BloomShape.of(230, 5, IndexScheme.ENHANCED_DOUBLE), 40);
  private static final DLeftShape D_LEFT = new DLeftShape(4, 2, 1, 7, 2);
  private static final CuckooShape CUCKOO = CuckooShape.of(10, 7);
  private static final QuotientShape QUOTIENT = QuotientShape.of(64, 5);
  private static final CountingWordShape COUNTING_G = new CountingWordShape(4, 128, 4, 2, 5);
  private static final PrefixShape PREFIX = new PrefixShape(1, 8, CuckooShape.of(2, 9));

  private DeletableSamples() {}

  /** Groups that are not whole words, and the default index scheme. */
  static Map<String, Function<Hasher, Filter>> otherLayouts() {
    BloomShape powers = BloomShape.of(256, 5, IndexScheme.POWERS);
    return Map.of(
        "one-word-counting-32",
        hasher ->
            SampleFilters.filled(
                OneWordCountingFilter.create(new OneWordCountingShape(19, 32, 4, 3), hasher)),
        "one-word-counting-72",
        hasher ->
            SampleFilters.filled(
                OneWordCountingFilter.create(new OneWordCountingShape(7, 72, 4, 5), hasher)),
        "counting-powers",
        hasher ->
            SampleFilters.filled(CountingBloomFilter.create(CountingShape.of(powers, 4), hasher)),
        "multilayer-powers",
        hasher ->
            SampleFilters.filled(
                MultilayerCountingFilter.create(new MultilayerShape(powers, 20), hasher)),
        "deletable-powers",
        hasher ->
            SampleFilters.filled(
                DeletableBloomFilter.create(new DeletableShape(powers, 40), hasher)));
  }

  static Map<String, Function<Hasher, Filter>> all() {
    Map<String, Function<Hasher, Filter>> makers = new TreeMap<>(fingerprints());
    makers.putAll(counters());
    return makers;
  }

  private static Map<String, Function<Hasher, Filter>> counters() {
    return Map.of(
        "counting",
        hasher -> SampleFilters.filled(CountingBloomFilter.create(COUNTING, hasher)),
        "one-word-counting",
        hasher -> SampleFilters.filled(OneWordCountingFilter.create(ONE_WORD, hasher)),
        "blocked-counting",
        hasher -> SampleFilters.filled(BlockedCountingFilter.create(BLOCKED, hasher)),
        "variable-increment",
        hasher -> SampleFilters.filled(VariableIncrementCountingFilter.create(SUMS, hasher)),
        "multilayer",
        hasher -> SampleFilters.filled(MultilayerCountingFilter.create(MULTILAYER, hasher)),
        "deletable",
        hasher -> SampleFilters.filled(DeletableBloomFilter.create(DELETABLE, hasher)),
        "counting-bloom-g",
        hasher -> SampleFilters.filled(CountingBloomGFilter.create(COUNTING_G, hasher)));
  }

  private static Map<String, Function<Hasher, Filter>> fingerprints() {
    return Map.of(
        "d-left",
        hasher -> SampleFilters.filled(DLeftCountingFilter.create(D_LEFT, hasher)),
        "cuckoo",
        hasher -> SampleFilters.filled(CuckooFilter.create(CUCKOO, hasher)),
        "quotient",
        hasher -> SampleFilters.filled(QuotientFilter.create(QUOTIENT, hasher)),
        "prefix",
        hasher -> SampleFilters.filled(PrefixFilter.create(PREFIX, hasher)));
  }
}
