package io.bloomery.contract;

import io.bloomery.Filters;
import io.bloomery.deletable.BlockedCountingFilter;
import io.bloomery.deletable.BlockedCountingShape;
import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.deletable.CountingBloomGFilter;
import io.bloomery.deletable.CountingShape;
import io.bloomery.deletable.CountingWordShape;
import io.bloomery.deletable.CuckooFilter;
import io.bloomery.deletable.CuckooShape;
import io.bloomery.deletable.CuckooShape.Partner;
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
import io.bloomery.hash.IndexScheme;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BloomShape;
import java.util.List;
import java.util.Map;

/**
 * The filters with deletes that the contracts run over. Tables have room for four times the keys,
 * since the contracts add keys again and again.
 */
final class DeletableSubjects {

  private DeletableSubjects() {}

  static List<Subject> all() {
    return List.of(
        counting(IndexScheme.ENHANCED_DOUBLE, 4, CountingShape.Overflow.STICKY),
        counting(IndexScheme.INDEPENDENT, 5, CountingShape.Overflow.STICKY),
        counting(IndexScheme.PARTITIONED, 8, CountingShape.Overflow.DECREMENT),
        counting(IndexScheme.TRIPLE, 16, CountingShape.Overflow.STICKY),
        counting(IndexScheme.SLICES, 4, CountingShape.Overflow.STICKY),
        counting(IndexScheme.POWERS, 4, CountingShape.Overflow.STICKY),
        oneWord(new OneWordCountingShape(1_000, 512, 4, 5)),
        oneWord(new OneWordCountingShape(40_000, 64, 4, 4)),
        oneWord(new OneWordCountingShape(2_000, 512, 8, 9)),
        oneWord(new OneWordCountingShape(80_000, 32, 4, 4)),
        oneWord(new OneWordCountingShape(30_000, 72, 4, 4)),
        countingG(new CountingWordShape(900, 512, 4, 2, 6)),
        countingG(new CountingWordShape(30_000, 64, 4, 3, 8)),
        countingG(new CountingWordShape(3_000, 256, 8, 1, 9)),
        blocked(new BlockedCountingShape(new BlockShape(220, 512, 2, 6), 4)),
        blocked(new BlockedCountingShape(new BlockShape(220, 512, 4, 8), 6)),
        blocked(new BlockedCountingShape(new BlockShape(2_000, 64, 1, 4), 8)),
        variableIncrement(new VariableIncrementShape(60_000, 6, 6, 4)),
        variableIncrement(new VariableIncrementShape(60_000, 8, 5, 8)),
        multilayer(IndexScheme.ENHANCED_DOUBLE, 7),
        multilayer(IndexScheme.INDEPENDENT, 4),
        multilayer(IndexScheme.PARTITIONED, 7),
        dLeft(new DLeftShape(4, 1_024, 2, 10, 2)),
        dLeft(new DLeftShape(4, 700, 4, 14, 4)),
        dLeft(new DLeftShape(3, 2_500, 1, 9, 2)),
        deletable(IndexScheme.ENHANCED_DOUBLE),
        deletable(IndexScheme.INDEPENDENT),
        deletable(IndexScheme.PARTITIONED),
        cuckoo(CuckooShape.of(11_002, 8)),
        cuckoo(CuckooShape.of(11_002, 12)),
        cuckoo(CuckooShape.of(11_002, 19)),
        cuckoo(new CuckooShape(1 << 14, 9, Partner.XOR)),
        quotient(QuotientShape.of(45_056, 7), QuotientShape.of(45_056, 8)),
        quotient(
            QuotientShape.of(1_024, 14).withGrowth(), QuotientShape.of(1_024, 15).withGrowth()),
        prefix(PrefixShape.of(950, 8, 12)),
        prefix(PrefixShape.of(850, 16, 18)),
        Subjects.addable(
            "locked cuckoo",
            null,
            hasher -> Filters.locked(CuckooFilter.create(CuckooShape.of(11_002, 8), hasher)),
            Map.of(),
            true));
  }

  private static Subject counting(
      IndexScheme scheme, int counterBits, CountingShape.Overflow overflow) {
    CountingShape shape =
        CountingShape.of(BloomShape.of(95_900, 7, scheme), counterBits).withOverflow(overflow);
    CountingShape larger =
        CountingShape.of(BloomShape.of(95_907, 7, scheme), counterBits).withOverflow(overflow);
    CountingShape other =
        shape.withOverflow(
            overflow == CountingShape.Overflow.STICKY
                ? CountingShape.Overflow.DECREMENT
                : CountingShape.Overflow.STICKY);
    CountingShape six = CountingShape.of(shape.cells(), 6).withOverflow(overflow);
    return Subjects.addable(
        "counting " + scheme + " " + counterBits,
        CountingBloomFilter.KIND,
        hasher -> CountingBloomFilter.create(shape, hasher),
        Map.of(
            "95907", hasher -> CountingBloomFilter.create(larger, hasher),
            "counterBits", hasher -> CountingBloomFilter.create(six, hasher),
            "DECREMENT", hasher -> CountingBloomFilter.create(other, hasher)),
        true);
  }

  private static Subject oneWord(OneWordCountingShape shape) {
    OneWordCountingShape smaller =
        new OneWordCountingShape(77, shape.groupBits(), shape.counterBits(), shape.hashesPerKey());
    return Subjects.addable(
        "one-word-counting " + shape.groupBits() + " " + shape.counterBits(),
        OneWordCountingFilter.KIND,
        hasher -> OneWordCountingFilter.create(shape, hasher),
        Map.of("groups=77", hasher -> OneWordCountingFilter.create(smaller, hasher)),
        true);
  }

  private static Subject countingG(CountingWordShape shape) {
    CountingWordShape smaller =
        new CountingWordShape(
            77, shape.wordBits(), shape.counterBits(), shape.groups(), shape.hashesPerKey());
    CountingWordShape spread =
        new CountingWordShape(
            shape.words(), shape.wordBits(), shape.counterBits(), 5, shape.hashesPerKey());
    return Subjects.addable(
        "counting-bloom-g " + shape.wordBits() + " " + shape.groups(),
        CountingBloomGFilter.KIND,
        hasher -> CountingBloomGFilter.create(shape, hasher),
        Map.of(
            "words=77", hasher -> CountingBloomGFilter.create(smaller, hasher),
            "groups=5", hasher -> CountingBloomGFilter.create(spread, hasher)),
        true);
  }

  private static Subject prefix(PrefixShape shape) {
    return Subjects.addable(
        "prefix " + shape.remainderBits(),
        PrefixFilter.KIND,
        hasher -> PrefixFilter.create(shape, hasher),
        Map.of(),
        false);
  }

  private static Subject blocked(BlockedCountingShape shape) {
    BlockShape cells = shape.cells();
    BlockedCountingShape narrow = new BlockedCountingShape(cells, 3);
    BlockedCountingShape smaller =
        new BlockedCountingShape(
            new BlockShape(77, cells.blockBits(), cells.wordsPerKey(), cells.hashesPerKey()),
            shape.counterBits());
    return Subjects.addable(
        "blocked-counting " + cells.blockBits() + " " + shape.counterBits(),
        BlockedCountingFilter.KIND,
        hasher -> BlockedCountingFilter.create(shape, hasher),
        Map.of(
            "counterBits=3", hasher -> BlockedCountingFilter.create(narrow, hasher),
            "blocks=77", hasher -> BlockedCountingFilter.create(smaller, hasher)),
        true);
  }

  private static Subject variableIncrement(VariableIncrementShape shape) {
    VariableIncrementShape two =
        new VariableIncrementShape(60_000, shape.counterBits(), shape.hashesPerKey(), 2);
    return Subjects.addable(
        "variable-increment " + shape.base(),
        VariableIncrementCountingFilter.KIND,
        hasher -> VariableIncrementCountingFilter.create(shape, hasher),
        Map.of("base=2", hasher -> VariableIncrementCountingFilter.create(two, hasher)),
        true);
  }

  private static Subject multilayer(IndexScheme scheme, int probes) {
    MultilayerShape shape = new MultilayerShape(BloomShape.of(95_900, probes, scheme), 10_000);
    MultilayerShape larger = new MultilayerShape(BloomShape.of(95_907, probes, scheme), 10_000);
    MultilayerShape fewer = new MultilayerShape(BloomShape.of(95_900, probes - 1, scheme), 10_000);
    return Subjects.addable(
        "multilayer " + scheme,
        MultilayerCountingFilter.KIND,
        hasher -> MultilayerCountingFilter.create(shape, hasher),
        Map.of(
            "bits=95907",
            hasher -> MultilayerCountingFilter.create(larger, hasher),
            "hashesPerKey=" + (probes - 1),
            hasher -> MultilayerCountingFilter.create(fewer, hasher)),
        false);
  }

  private static Subject dLeft(DLeftShape shape) {
    return Subjects.addable(
        "d-left " + shape,
        DLeftCountingFilter.KIND,
        hasher -> DLeftCountingFilter.create(shape, hasher),
        Map.of(),
        false);
  }

  private static Subject deletable(IndexScheme scheme) {
    BloomShape array = BloomShape.of(95_900, 7, scheme);
    DeletableShape larger = new DeletableShape(BloomShape.of(95_907, 7, scheme), 48_000);
    return Subjects.addable(
        "deletable " + scheme,
        DeletableBloomFilter.KIND,
        hasher -> DeletableBloomFilter.create(new DeletableShape(array, 48_000), hasher),
        Map.of(
            "regions=24000",
            hasher -> DeletableBloomFilter.create(new DeletableShape(array, 24_000), hasher),
            "bits=95907",
            hasher -> DeletableBloomFilter.create(larger, hasher)),
        true);
  }

  private static Subject cuckoo(CuckooShape shape) {
    return Subjects.addable(
        "cuckoo " + shape.fingerprintBits() + " " + shape.partner(),
        CuckooFilter.KIND,
        hasher -> CuckooFilter.create(shape, hasher),
        Map.of(),
        false);
  }

  private static Subject quotient(QuotientShape shape, QuotientShape other) {
    return Subjects.addable(
        (shape.growing() ? "growing " : "") + "quotient",
        QuotientFilter.KIND,
        hasher -> QuotientFilter.create(shape, hasher),
        Map.of("fingerprints", hasher -> QuotientFilter.create(other, hasher)),
        false);
  }
}
