package io.bloomery.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.AddableFilter;
import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.SampleFilters;
import io.bloomery.Storable;
import io.bloomery.frequency.SpaceCodeFilter;
import io.bloomery.frequency.SpaceCodeShape;
import io.bloomery.growing.DynamicBloomFilter;
import io.bloomery.growing.DynamicShape;
import io.bloomery.growing.ScalableBloomFilter;
import io.bloomery.growing.ScalableShape;
import io.bloomery.growing.SplitBloomFilter;
import io.bloomery.growing.SplitShape;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.similarity.BlockDigest;
import io.bloomery.similarity.DistanceSensitiveFilter;
import io.bloomery.similarity.HierarchicalDigest;
import io.bloomery.similarity.NoveltyFilter;
import io.bloomery.similarity.NoveltyShape;
import io.bloomery.similarity.SuperimposedCode;
import io.bloomery.sync.AggregateMessage;
import io.bloomery.sync.AggregateShape;
import io.bloomery.sync.DecentralizedAggregate;
import io.bloomery.sync.Difference;
import io.bloomery.sync.InvertibleShape;
import io.bloomery.sync.InvertibleTable;
import io.bloomery.sync.ReconciliationShape;
import io.bloomery.sync.ReconciliationTree;
import io.bloomery.sync.TreeSummary;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Seeds;
import io.bloomery.weighted.VariableSignatureFilter;
import io.bloomery.weighted.VariableSignatureShape;
import io.bloomery.window.AgingBloomFilter;
import io.bloomery.window.DecayingBloomFilter;
import io.bloomery.window.DoubleBufferedBloomFilter;
import io.bloomery.window.ExponentialDecayFilter;
import io.bloomery.window.RecentFilter;
import io.bloomery.window.StableBloomFilter;
import io.bloomery.window.TimeDecayingFilter;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Attacks that the first table of docs/threats.md names for few kinds, or for one. */
final class SpecialThreatsTest {

  private static long bits(Filter filter) {
    return Frame.encode((Storable) filter).sections().stream().mapToLong(Words::bitCount).sum();
  }

  /** Adds keys: random ones, or of each eight the one that sets the most bits. */
  private static <F extends AddableFilter> F filled(
      F filter, UnaryOperator<F> copy, int keys, boolean chosen) {
    SplittableRandom random = Seeds.random(31);
    for (int i = 0; i < keys; i++) {
      long best = random.nextLong();
      long most = -1;
      for (int other = 1; chosen && other < 8; other++) {
        long hash = random.nextLong();
        F more = copy.apply(filter);
        more.addHash(hash);
        if (bits(more) > most) {
          most = bits(more);
          best = hash;
        }
      }
      filter.addHash(best);
    }
    return filter;
  }

  private static ScalableBloomFilter scalable(boolean chosen) {
    ScalableBloomFilter empty =
        ScalableBloomFilter.create(
            ScalableShape.forKeys(200, 0.01, ScalableShape.LayerKind.PARTITIONED));
    return filled(empty, ScalableBloomFilter::copy, 200, chosen);
  }

  private static DynamicBloomFilter dynamic(boolean chosen) {
    DynamicBloomFilter empty = DynamicBloomFilter.create(new DynamicShape(2_000, 7, 200, 4));
    return filled(empty, DynamicBloomFilter::copy, 1_000, chosen);
  }

  @Test
  void chosenKeysFillALayerMoreThanPlanned() {
    assertThat(scalable(true).falsePositiveRate())
        .isGreaterThan(1.5 * scalable(false).falsePositiveRate());
  }

  /** Keys of one of eight layers. */
  @Test
  void chosenKeysMakeItOverfull() {
    SplitShape shape = new SplitShape(8, 600, 7, 0.05);
    SplitBloomFilter crowded = SplitBloomFilter.create(shape);
    SplitBloomFilter even = SplitBloomFilter.create(shape);
    for (long hash : Keys.members(4_000)) {
      SplitBloomFilter one = SplitBloomFilter.create(shape);
      one.addHash(hash);
      if (one.layerFill(0) > 0 && crowded.keyCount() < 240) {
        crowded.addHash(hash);
      }
      if (even.keyCount() < 240) {
        even.addHash(hash);
      }
    }
    assertThat(crowded.isOverfull()).isTrue();
    assertThat(even.isOverfull()).isFalse();
  }

  @Test
  void chosenKeysMakeLayersOfAFixedFillGrow() {
    assertThat(dynamic(true).layerCount()).isGreaterThan(dynamic(false).layerCount());
  }

  static List<AddableFilter> windowsOfAdds() {
    return List.of(
        StableBloomFilter.create(1_000, 0.01),
        DecayingBloomFilter.create(1_000, 0.01),
        AgingBloomFilter.create(1_000, 0.01),
        DoubleBufferedBloomFilter.create(1_000, 0.01),
        RecentFilter.create(1_000, 0.01));
  }

  /** Whoever adds decides what is forgotten, and whoever reads sees which guesses are recent. */
  @ParameterizedTest
  @MethodSource("windowsOfAdds")
  void addsMakeOthersForgotten(AddableFilter filter) {
    long[] members = Keys.members(500);
    filter.addHashes(members, 0, members.length);
    assertThat(Subject.hits(filter, members)).isGreaterThan(450);
    long[] flood = Keys.outsiders(20_000);
    filter.addHashes(flood, 0, flood.length);
    assertThat(Subject.hits(filter, members)).isLessThan(50);
    assertThat(Subject.hits(filter, Arrays.copyOfRange(flood, 19_500, 20_000))).isGreaterThan(450);
  }

  static List<AddableFilter> windowsOfTime() {
    return List.of(
        TimeDecayingFilter.create(1_000, 0.01), ExponentialDecayFilter.create(1_000, 0.01));
  }

  /** Adds fill the others, but do not make them forget. */
  @ParameterizedTest
  @MethodSource("windowsOfTime")
  void addsMakeNothingForgotten(AddableFilter filter) {
    long[] members = Keys.members(500);
    filter.addHashes(members, 0, members.length);
    long[] flood = Keys.outsiders(20_000);
    filter.addHashes(flood, 0, flood.length);
    assertThat(Subject.hits(filter, members)).isEqualTo(500);
  }

  /**
   * Another odour makes one new again; one that shares its strongest receptors makes it familiar.
   */
  @Test
  void odoursAreForgottenAndFeigned() {
    SplittableRandom random = Seeds.random(5);
    double[] odour = random.doubles(50).toArray();
    NoveltyFilter filter = NoveltyFilter.create(NoveltyShape.fly(0, 0.01), Seeds.of(6));
    double[] feigned = Arrays.stream(odour).map(rate -> rate * 1.001).toArray();
    filter.learn(feigned);
    assertThat(filter.novelty(odour)).isLessThan(0.1);
    double[] other = random.doubles(50).toArray();
    for (int i = 0; i < 100; i++) {
      filter.learn(other);
    }
    assertThat(filter.novelty(odour)).isGreaterThan(0.7);
  }

  /** The groups of other keys have bits of a group of the chosen key. */
  @Test
  void fewKeysRaiseTheCountOfAnother() {
    SpaceCodeShape shape = new SpaceCodeShape(4_096, 3, 32, 1);
    long target = Keys.outsiders(1)[0];
    SpaceCodeFilter alone = SpaceCodeFilter.create(shape, Hasher.xxh3(), 1);
    alone.addHash(target, 1_000);
    SpaceCodeFilter filter = SpaceCodeFilter.create(shape, Hasher.xxh3(), 2);
    int added = 0;
    for (long hash : Keys.members(2_000)) {
      SpaceCodeFilter more = filter.copy();
      more.addHash(hash, 1_000);
      if (common(alone, more) > common(alone, filter) + 2 && !filter.mightContainHash(target)) {
        filter = more;
        added++;
      }
    }
    assertThat(filter.countHash(target)).isPositive();
    assertThat(added).isLessThanOrEqualTo(20);
  }

  private static long common(Storable one, Storable other) {
    Words ours = Frame.encode(one).sections().get(0);
    Words theirs = Frame.encode(other).sections().get(0);
    long bits = 0;
    for (long i = 0; i < ours.length(); i++) {
      bits += Long.bitCount(ours.get(i) & theirs.get(i));
    }
    return bits;
  }

  static List<FilterKind<?>> ofSimilarity() {
    return List.of(
        DistanceSensitiveFilter.KIND,
        BlockDigest.KIND,
        HierarchicalDigest.KIND,
        NoveltyFilter.KIND,
        SuperimposedCode.KIND);
  }

  /** Guesses show in the file what it has, and also what merely looks like it. */
  @ParameterizedTest
  @MethodSource("ofSimilarity")
  void partsAreGuessedAndFeigned(FilterKind<?> kind) throws Exception {
    Filter read = (Filter) Filters.read(SampleFilters.bytes(SampleFilters.of(kind)));
    assertThat(SampleFilters.hasAllKeys(read)).isTrue();
    SplittableRandom random = Seeds.random(7);
    byte[] guess = new byte[8];
    int guesses = 0;
    do {
      random.nextBytes(guess);
    } while (!read.mightContain(guess) && ++guesses < 1_000_000);
    assertThat(guesses).isLessThan(1_000_000);
  }

  /** Two keys with the same cells: neither they nor what shares these cells can be decoded. */
  @Test
  void chosenKeysAreNotDecoded() {
    InvertibleShape shape = InvertibleShape.forDifference(2);
    long honest = -1;
    for (long first = 0; first < 1_000; first++) {
      for (long second = 0; second < first; second++) {
        InvertibleTable table = InvertibleTable.create(shape);
        table.add(first);
        table.add(second);
        if (!table.decode().isComplete()) {
          table.add(honest);
          assertThat(table.decode().isComplete()).isFalse();
          return;
        }
      }
    }
    throw new AssertionError("no such keys");
  }

  /** A file of few keys lists them, without a guess. */
  @Test
  void fewKeysAreListed() throws Exception {
    InvertibleTable table = InvertibleTable.create(InvertibleShape.forDifference(20));
    long[] keys = Keys.members(10);
    Arrays.stream(keys).forEach(table::add);
    InvertibleTable read = (InvertibleTable) Filters.read(SampleFilters.bytes(table));
    Difference found = read.decode();
    assertThat(found.isComplete()).isTrue();
    assertThat(found.longsOnlyHere()).containsExactlyInAnyOrder(keys);
  }

  /** Keys that the peer's summary takes for present are not found to be missing there. */
  @Test
  void chosenKeysAreNotFoundMissing() {
    long[] shared = Keys.members(1_000);
    TreeSummary summary =
        ReconciliationTree.ofHashes(shared).summary(new ReconciliationShape(9_600, 7, 5_000, 3));
    long[] hidden =
        Arrays.stream(Keys.outsiders(20_000)).filter(summary::mightContainHash).toArray();
    assertThat(hidden).hasSizeGreaterThan(50);
    long[] ours = Arrays.copyOf(shared, shared.length + hidden.length);
    System.arraycopy(hidden, 0, ours, shared.length, hidden.length);
    assertThat(ReconciliationTree.ofHashes(ours).missingFrom(summary)).isEmpty();
  }

  /** A node that comes under ten names counts ten times. */
  @Test
  void aNodeIsCountedOften() {
    AggregateShape shape = AggregateShape.forNodes(100, 0.001, 2, 0, 1);
    DecentralizedAggregate node = DecentralizedAggregate.create("node", 0, shape);
    for (int i = 0; i < 10; i++) {
      DecentralizedAggregate liar = DecentralizedAggregate.create("liar " + i, 1, shape);
      for (AggregateMessage message : node.receive(liar.offer(node.id()))) {
        liar.receive(message).forEach(node::receive);
      }
    }
    assertThat(node.count()).isEqualTo(11);
    assertThat(node.sum()).isEqualTo(10);
  }

  /** The file of variable signatures shows which guessed keys have long ones. */
  @Test
  void lengthsOfSignaturesAreRead() throws Exception {
    VariableSignatureFilter filter =
        VariableSignatureFilter.create(new VariableSignatureShape(20_000, 14, 12, 2));
    long[] keys = Keys.members(200);
    for (int i = 0; i < keys.length; i++) {
      filter.addHash(keys[i], i < 100 ? 12 : 6);
    }
    VariableSignatureFilter read =
        (VariableSignatureFilter) Filters.read(SampleFilters.bytes(filter));
    for (int i = 0; i < keys.length; i++) {
      assertThat(read.signatureBitsHash(keys[i]) >= 12).isEqualTo(i < 100);
    }
  }
}
