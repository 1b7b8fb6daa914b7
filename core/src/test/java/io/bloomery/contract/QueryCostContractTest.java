package io.bloomery.contract;

import static io.bloomery.hash.IndexScheme.PARTITIONED;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.HashedFilter;
import io.bloomery.QueryCost;
import io.bloomery.Storable;
import io.bloomery.deletable.BlockedCountingFilter;
import io.bloomery.deletable.BlockedCountingShape;
import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.deletable.CountingBloomGFilter;
import io.bloomery.deletable.CountingShape;
import io.bloomery.deletable.CountingWordShape;
import io.bloomery.deletable.DeletableBloomFilter;
import io.bloomery.deletable.DeletableShape;
import io.bloomery.deletable.OneWordCountingFilter;
import io.bloomery.deletable.OneWordCountingShape;
import io.bloomery.frequency.AdaptiveBloomFilter;
import io.bloomery.frequency.AdaptiveShape;
import io.bloomery.frequency.SpaceCodeFilter;
import io.bloomery.frequency.SpaceCodeShape;
import io.bloomery.frozen.CompressedShape;
import io.bloomery.growing.DynamicBloomFilter;
import io.bloomery.growing.DynamicShape;
import io.bloomery.growing.ScalableBloomFilter;
import io.bloomery.growing.ScalableShape;
import io.bloomery.growing.SplitBloomFilter;
import io.bloomery.growing.SplitShape;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.lookup.BankShape;
import io.bloomery.lookup.CombinatorialShape;
import io.bloomery.lookup.CountingBankShape;
import io.bloomery.lookup.FilterBank;
import io.bloomery.membership.AlphaShape;
import io.bloomery.membership.BestOfFilter;
import io.bloomery.membership.BestOfShape;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomAlphaFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomGFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.membership.HashSelectionFilter;
import io.bloomery.membership.HashSelectionShape;
import io.bloomery.membership.RemovedPairFilter;
import io.bloomery.membership.RemovedPairShape;
import io.bloomery.membership.SplitBlockBloomFilter;
import io.bloomery.membership.SplitBlockShape;
import io.bloomery.membership.StripedBloomFilter;
import io.bloomery.membership.StripedShape;
import io.bloomery.membership.TwoChoiceBloomFilter;
import io.bloomery.membership.TwoChoiceShape;
import io.bloomery.membership.WordShape;
import io.bloomery.similarity.CardShape;
import io.bloomery.similarity.SuperimposedCode;
import io.bloomery.sync.ReconciliationShape;
import io.bloomery.testkit.Keys;
import io.bloomery.weighted.GeneralizedBloomFilter;
import io.bloomery.weighted.GeneralizedShape;
import io.bloomery.weighted.RetouchedBloomFilter;
import io.bloomery.weighted.VariableSignatureFilter;
import io.bloomery.weighted.VariableSignatureShape;
import io.bloomery.window.AgingBloomFilter;
import io.bloomery.window.AgingShape;
import io.bloomery.window.DoubleBufferShape;
import io.bloomery.window.DoubleBufferedBloomFilter;
import io.bloomery.window.ExponentialDecayFilter;
import io.bloomery.window.ExponentialDecayShape;
import io.bloomery.window.RecentShape;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every filter with a {@link QueryCost} promises. */
final class QueryCostContractTest {

  static List<Subject> subjects() {
    return Subjects.all().stream().filter(subject -> subject.is(QueryCost.class)).toList();
  }

  /** Kinds of hashed keys without a cost, and what they store instead of bits at positions. */
  private static final Map<String, String> NO_BITS =
      Map.ofEntries(
          entry("sorted-hashes", "hashes in order"),
          entry("golomb-coded", "hashes in order"),
          entry("cuckoo", "fingerprints"),
          entry("quotient", "fingerprints"),
          entry("prefix", "fingerprints"),
          entry("d-left", "fingerprints"),
          entry("d-left-fingerprint", "fingerprints"),
          entry("elastic", "fingerprints"),
          entry("perfect-hash", "fingerprints"),
          entry("fuse", "cells solved for all keys"),
          entry("xor", "cells solved for all keys"),
          entry("ribbon", "cells solved for all keys"),
          entry("sharded", "cells solved for all keys"),
          entry("bloomier", "cells solved for all keys"),
          entry("mutable-bloomier", "cells solved for all keys"),
          entry("variable-increment", "sums"),
          entry("spectral", "counts"),
          entry("count-min", "counts"),
          entry("counter-braids", "counts"),
          entry("aggregate", "counts"),
          entry("stable", "ages"),
          entry("time-decaying", "ages"),
          entry("spatial", "labels"));

  /** Kinds of which a query for a member needs each of its accesses, one 64-bit word each. */
  private static final Set<String> EXACT =
      Set.of(
          "bloom",
          "blocked",
          "striped",
          "hash-selection",
          "best-of",
          "counting",
          "blocked-counting",
          "multilayer",
          "deletable",
          "scalable",
          "split",
          "dynamic",
          "adaptive",
          "layered",
          "decaying",
          "double-buffered",
          "exponential-decay",
          "retouched",
          "generalized",
          "encrypted",
          "oblivious",
          "reconciliation-tree");

  /** Kinds whose members survive the loss of two bits, or whose section is coded. */
  private static final Set<String> ROBUST = Set.of("variable-signature", "compressed-bloom");

  /** A kind whose keys are one hash has a cost, unless it is listed with what it stores instead. */
  @Test
  void everyKindHasACostOrStoresNoBits() {
    Set<String> without = new HashSet<>();
    for (Subject subject : Subjects.all()) {
      if (subject.kind() != null && !subject.is(QueryCost.class)) {
        without.add(subject.kind().name());
      }
    }
    assertThat(without).isEqualTo(NO_BITS.keySet());
  }

  static List<Subject> withoutCost() {
    return Subjects.storable().stream().filter(subject -> !subject.is(QueryCost.class)).toList();
  }

  /**
   * Bits that keys set are, for two sets together, those of one or of the other. No section of a
   * kind without a cost is like that.
   */
  @ParameterizedTest
  @MethodSource("withoutCost")
  void whatHasNoCostSetsNoBits(Subject subject) throws IOException {
    assertThat(bitSections(subject)).as(subject.toString()).isZero();
  }

  /** The rule sees bits where there are some, unless a kind chooses them by those already set. */
  @Test
  void setBitsAreSeen() throws IOException {
    Set<String> seen = new HashSet<>();
    for (Subject subject : subjects()) {
      if (bitSections(subject) > 0) {
        seen.add(subject.kind().name());
      }
    }
    assertThat(seen)
        .contains("bloom", "blocked", "split-block", "bloom-g", "striped", "deletable", "split")
        .contains("multilayer", "layered", "aging", "recent", "filter-bank", "combinatorial")
        .contains("attenuated", "weighted", "encrypted", "oblivious", "reconciliation-tree");
  }

  private static int bitSections(Subject subject) throws IOException {
    long[] both = Keys.members(6_000);
    List<Words> first = sections(subject, Arrays.copyOf(both, 3_000));
    List<Words> second = sections(subject, Arrays.copyOfRange(both, 3_000, both.length));
    List<Words> union = sections(subject, both);
    int bits = 0;
    for (int i = 0; i < Math.min(union.size(), Math.min(first.size(), second.size())); i++) {
      bits += isUnion(first.get(i), second.get(i), union.get(i)) ? 1 : 0;
    }
    return bits;
  }

  private static List<Words> sections(Subject subject, long[] keys) throws IOException {
    return Frame.encode((Storable) subject.of(keys)).sections();
  }

  /** Whether the words are those of two others together, which differ. */
  private static boolean isUnion(Words first, Words second, Words union) {
    if (first.length() != union.length() || second.length() != union.length()) {
      return false;
    }
    boolean differ = false;
    for (long i = 0; i < union.length(); i++) {
      if ((first.get(i) | second.get(i)) != union.get(i)) {
        return false;
      }
      differ |= first.get(i) != second.get(i);
    }
    return differ;
  }

  /** The shapes of the paper's Tables 2, 4 and 6 at m = 2^16 and 2^20, w = 64, k = 3. */
  @Test
  void costsOfThePaper() {
    assertCost(BloomShape.of(1 << 16, 3), 48, 3);
    assertCost(BloomShape.of(1 << 20, 3), 60, 3);
    assertCost(BloomGFilter.create(new WordShape(1 << 10, 64, 1, 3)), 10 + 3 * 6, 1);
    assertCost(BloomGFilter.create(new WordShape(1 << 14, 64, 1, 3)), 14 + 3 * 6, 1);
    assertCost(BloomGFilter.create(new WordShape(1 << 14, 64, 2, 3)), 2 * 14 + 3 * 6, 2);
    assertCost(BloomGFilter.create(new WordShape(1 << 14, 64, 3, 3)), 3 * 14 + 3 * 6, 3);
    AlphaShape alpha = new AlphaShape(1 << 14, 64, 3, .5);
    assertCost(BloomAlphaFilter.ofHashes(new long[0], alpha), 2 * 14 + 3 * 6, 2);
  }

  /** What the literature's formulas give for these shapes, by hand: hash bits and accesses. */
  @Test
  void costsByHand() {
    assertCost(BloomFilter.create(BloomShape.of(95_900, 7)), 7 * 17, 7);
    assertCost(BloomFilter.create(BloomShape.of(95_900, 7, PARTITIONED)), 7 * 14, 7);
    assertCost(BlockedBloomFilter.create(new BlockShape(1_000, 64, 1, 7)), 10 + 10 + 6, 1);
    assertCost(BlockedBloomFilter.create(new BlockShape(2, 128, 2, 6)), 2 + 10 + 12, 2);
    assertCost(BlockedBloomFilter.create(new BlockShape(100, 512, 2, 6)), 10 + 2 + 10 + 12, 2);
    assertCost(BlockedBloomFilter.create(new BlockShape(100, 512, 4, 8)), 10 + 3 + 10 + 24, 4);
    assertCost(SplitBlockBloomFilter.create(new SplitBlockShape(411)), 9 + 32, 1);
    assertCost(BloomGFilter.create(new WordShape(1_000, 72, 2, 5)), 2 * 10 + 5 * 7, 2);
    assertCost(StripedBloomFilter.create(new StripedShape(16, 6_000, 7)), 4 + 7 * 13, 7);
    assertCost(TwoChoiceBloomFilter.create(new TwoChoiceShape(1_000, 5, 3)), 3 * 5 * 10, 15);
    assertCost(RemovedPairFilter.create(new RemovedPairShape(95_900, 7, 1_000, 5)), 119 + 50, 12);
    long[] none = new long[0];
    Hasher hasher = Subject.HASHER;
    assertCost(BloomAlphaFilter.ofHashes(none, new AlphaShape(1_000, 72, 3, .5)), 20 + 21, 2);
    assertCost(BestOfFilter.ofHashes(none, new BestOfShape(95_900, 7, 4), hasher), 119, 7);
    assertCost(
        HashSelectionFilter.ofHashes(none, new HashSelectionShape(80_000, 6, 500, 16), hasher),
        9 + 6 * 17,
        7);
    assertCost(CountingBloomFilter.create(CountingShape.of(1_000, 5)), 50, 5);
    assertCost(
        CountingBloomFilter.create(CountingShape.of(BloomShape.of(1_000, 5, PARTITIONED), 4)),
        5 * 8,
        5);
    assertCost(
        OneWordCountingFilter.create(new OneWordCountingShape(1_000, 512, 4, 5)), 10 + 5 * 7, 1);
    assertCost(
        OneWordCountingFilter.create(new OneWordCountingShape(1_000, 72, 4, 5)), 10 + 5 * 5, 1);
    assertCost(
        CountingBloomGFilter.create(new CountingWordShape(1_000, 512, 4, 2, 5)), 2 * 10 + 5 * 7, 2);
    assertCost(RetouchedBloomFilter.create(BloomShape.of(1_000, 5)), 50, 5);
    assertCost(GeneralizedBloomFilter.create(GeneralizedShape.of(1_000, 2, 4)), 60, 6);
    assertCost(VariableSignatureFilter.create(VariableSignatureShape.of(1_000, 8, 7, 5)), 80, 8);
    assertCost(DeletableBloomFilter.create(new DeletableShape(BloomShape.of(1_000, 5), 40)), 50, 5);
  }

  /** The same for filters of layers, buffers, rows, groups and cards, of 1,000 bits or rows. */
  @Test
  void costsOfCompoundsByHand() {
    assertCost(
        BlockedCountingFilter.create(new BlockedCountingShape(new BlockShape(100, 512, 2, 6), 4)),
        10 + 2 + 10 + 12,
        2);
    assertCost(SplitBloomFilter.create(new SplitShape(8, 1_000, 5, .01)), 3 + 50, 5);
    assertCost(SpaceCodeFilter.create(new SpaceCodeShape(1_000, 3, 32, 2)), 32 * 30, 96);
    assertCost(AdaptiveBloomFilter.create(AdaptiveShape.of(1_000, 5)), 60, 6);
    assertCost(AgingBloomFilter.create(new AgingShape(1_000, 5, 60)), 50, 10);
    assertCost(DoubleBufferedBloomFilter.create(new DoubleBufferShape(1_000, 5, 60)), 50, 5);
    assertCost(ExponentialDecayFilter.create(new ExponentialDecayShape(1_000, 32)), 320, 32);
    assertCost(new RecentShape(100, 4, 5, 1_000, false), 7 + 10 + 12, 1);
    assertCost(CompressedShape.of(100, 1_000, 2), 20, 2);
    assertCost(FilterBank.create(new BankShape(300, BankShape.ONE_HOT, 1_000, 5)), 50, 25);
    assertCost(FilterBank.create(new BankShape(10, BankShape.ONE_HOT, 1_000, 5)), 50, 10);
    assertCost(new CountingBankShape(new BankShape(64, BankShape.ONE_HOT, 1_000, 5), 4), 50, 5);
    assertCost(new CombinatorialShape(1_000, 5, 8, 2, 28), 8 * 50, 40);
    assertCost(new ReconciliationShape(1_000, 5, 500, 3), 50, 5);
    assertCost(SuperimposedCode.create(new CardShape(40, 4)), 24, 4);
  }

  /** Layers of one size have one set of positions, layers of different sizes one each. */
  @Test
  void layersAddUp() {
    DynamicBloomFilter dynamic = DynamicBloomFilter.create(new DynamicShape(1_000, 4, 100, 4));
    ScalableShape shape = ScalableShape.forKeys(100, .01);
    ScalableBloomFilter scalable = ScalableBloomFilter.create(shape);
    long[] keys = Keys.members(2_000);
    dynamic.addHashes(keys, 0, 1_000);
    scalable.addHashes(keys, 0, keys.length);
    assertThat(dynamic.layerCount()).isGreaterThan(5);
    assertCost(dynamic, 40, 4 * dynamic.layerCount());
    assertThat(scalable.layerCount()).isGreaterThan(1);
    int bits = 0;
    int words = 0;
    for (int i = 0; i < scalable.layerCount(); i++) {
      BlockShape layer = (BlockShape) shape.layer(i);
      bits += layer.hashBits();
      words += layer.wordsPerKey();
    }
    assertCost(scalable, bits, words);
  }

  private static void assertCost(QueryCost filter, int hashBits, int accesses) {
    assertThat(filter.hashBits()).as(filter.toString()).isEqualTo(hashBits);
    assertThat(filter.memoryAccesses()).as(filter.toString()).isEqualTo(accesses);
  }

  /**
   * A query depends on no more memory than it may access: clearing a cache line of 64 bytes takes
   * away the answer for one of 40 members only if the query reads it. An access reads one line, or
   * two if its word lies in both.
   */
  @ParameterizedTest
  @MethodSource("subjects")
  void aQueryReadsNoMoreThanItsAccesses(Subject subject) throws IOException {
    long[] members = Keys.members(40);
    Frame frame = Frame.encode((Storable) subject.of(members));
    HashedFilter filter = (HashedFilter) frame.decodeAs(subject.kind());
    int accesses = ((QueryCost) filter).memoryAccesses();
    int least = ROBUST.contains(subject.kind().name()) ? 0 : 1;
    assertThat(mostRead(filter, frame, members, 8))
        .as("lines that a query reads")
        .isBetween(least, 2 * accesses);
    assertThat(((QueryCost) filter).hashBits()).isGreaterThanOrEqualTo(accesses);
    if (EXACT.contains(subject.kind().name())) {
      // Of 40 members one has all its bits in different words.
      assertThat(mostRead(filter, frame, members, 1)).as("words").isEqualTo(accesses);
    }
  }

  /** The most pieces of some words whose loss takes away a member. */
  private static int mostRead(HashedFilter filter, Frame frame, long[] members, int piece) {
    int[] read = new int[members.length];
    for (Words words : frame.sections()) {
      long[] heap = words.heap();
      for (int at = 0; at < words.length(); at += piece) {
        int from = Words.BASE + at;
        int to = Math.min(from + piece, Words.BASE + (int) words.length());
        long[] saved = Arrays.copyOfRange(heap, from, to);
        if (Arrays.stream(saved).anyMatch(word -> word != 0)) {
          Arrays.fill(heap, from, to, 0);
          for (int i = 0; i < members.length; i++) {
            read[i] += filter.mightContainHash(members[i]) ? 0 : 1;
          }
          System.arraycopy(saved, 0, heap, from, saved.length);
        }
      }
    }
    return Arrays.stream(read).max().orElseThrow();
  }
}
