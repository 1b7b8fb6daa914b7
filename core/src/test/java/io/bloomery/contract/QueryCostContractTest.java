package io.bloomery.contract;

import static io.bloomery.hash.IndexScheme.PARTITIONED;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.HashedFilter;
import io.bloomery.QueryCost;
import io.bloomery.Storable;
import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.deletable.CountingBloomGFilter;
import io.bloomery.deletable.CountingShape;
import io.bloomery.deletable.CountingWordShape;
import io.bloomery.deletable.DeletableBloomFilter;
import io.bloomery.deletable.DeletableShape;
import io.bloomery.deletable.OneWordCountingFilter;
import io.bloomery.deletable.OneWordCountingShape;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
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
import io.bloomery.testkit.Keys;
import io.bloomery.weighted.GeneralizedBloomFilter;
import io.bloomery.weighted.GeneralizedShape;
import io.bloomery.weighted.RetouchedBloomFilter;
import io.bloomery.weighted.VariableSignatureFilter;
import io.bloomery.weighted.VariableSignatureShape;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every filter with a {@link QueryCost} promises. */
final class QueryCostContractTest {

  static List<Subject> subjects() {
    return Subjects.all().stream().filter(subject -> subject.is(QueryCost.class)).toList();
  }

  /** Kinds that set bits of keys, and those that count in their place. */
  @Test
  void theKindsThatSetBitsHaveACost() {
    Set<String> kinds = new HashSet<>();
    subjects().forEach(subject -> kinds.add(subject.kind().name()));
    assertThat(kinds)
        .containsExactlyInAnyOrder(
            "bloom",
            "blocked",
            "split-block",
            "bloom-g",
            "bloom-alpha",
            "two-choice",
            "striped",
            "hash-selection",
            "best-of",
            "removed-pair",
            "counting",
            "one-word-counting",
            "counting-bloom-g",
            "deletable",
            "retouched",
            "generalized",
            "weighted",
            "popularity",
            "variable-signature");
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
    HashedFilter filter = subject.of(members);
    Frame frame = Frame.encode((Storable) filter);
    Words words = frame.sections().get(0);
    long[] heap = words.heap();
    int most = 0;
    int[] read = new int[members.length];
    for (int line = 0; line < words.length(); line += 8) {
      int from = Words.BASE + line;
      int to = Math.min(from + 8, Words.BASE + (int) words.length());
      long[] saved = Arrays.copyOfRange(heap, from, to);
      Arrays.fill(heap, from, to, 0);
      for (int i = 0; i < members.length; i++) {
        read[i] += filter.mightContainHash(members[i]) ? 0 : 1;
      }
      System.arraycopy(saved, 0, heap, from, saved.length);
    }
    for (int lines : read) {
      most = Math.max(most, lines);
    }
    int accesses = ((QueryCost) filter).memoryAccesses();
    // Its keys survive the loss of two bits, so that a line alone may take away none.
    int least = subject.kind().name().equals("variable-signature") ? 0 : 1;
    assertThat(most).as("lines that a query reads").isBetween(least, 2 * accesses);
    assertThat(((QueryCost) filter).hashBits()).isGreaterThanOrEqualTo(accesses);
  }
}
