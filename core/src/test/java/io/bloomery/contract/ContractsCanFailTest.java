package io.bloomery.contract;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.AddableFilter;
import io.bloomery.hash.Hasher;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Each contract notices a filter that breaks it; the model without the defect passes. */
final class ContractsCanFailTest {

  private static Subject subject(Function<Hasher, AddableFilter> empty) {
    return new Subject(
        "broken",
        null,
        (hasher, hashes) -> {
          AddableFilter filter = empty.apply(hasher);
          filter.addHashes(hashes, 0, hashes.length);
          return filter;
        },
        Map.of(),
        true);
  }

  private static void assertNotices(
      Consumer<Subject> contract, Function<Hasher, AddableFilter> broken) {
    assertThatCode(() -> contract.accept(subject(ModelFilter::new))).doesNotThrowAnyException();
    assertThatThrownBy(() -> contract.accept(subject(broken))).isInstanceOf(AssertionError.class);
  }

  private static class Forgetful extends ModelFilter {
    Forgetful(Hasher hasher) {
      super(hasher);
    }

    @Override
    public boolean mightContainHash(long hash) {
      return super.mightContainHash(hash) && hash % 1_000 != 0;
    }
  }

  @Test
  void aForgottenKey() {
    assertNotices(new FilterContractTest()::noMemberIsMissed, Forgetful::new);
    assertNotices(new AddableFilterContractTest()::addSaysWhetherTheKeyWasNew, Forgetful::new);
  }

  private static final class Boasting extends ModelFilter {
    Boasting(Hasher hasher) {
      super(hasher);
    }

    @Override
    public boolean mightContainHash(long hash) {
      return super.mightContainHash(hash) || hash % 100 == 0;
    }

    @Override
    public double falsePositiveRate() {
      return 0.011; // it is 0.01
    }
  }

  @Test
  void aRateThatIsTooHighByATenth() {
    assertNotices(new FilterContractTest()::theRateIsWhatTheFilterSays, Boasting::new);
    assertNotices(new FilterContractTest()::anEmptyFilterHoldsNothing, Boasting::new);
  }

  private static final class AlwaysNew extends ModelFilter {
    AlwaysNew(Hasher hasher) {
      super(hasher);
    }

    @Override
    public boolean addHash(long hash) {
      super.addHash(hash);
      return true;
    }
  }

  @Test
  void aBooleanThatProvesNothing() {
    assertNotices(new AddableFilterContractTest()::addingAgainChangesNothing, AlwaysNew::new);
    assertNotices(new AddableFilterContractTest()::theEmptyKeyIsAKey, AlwaysNew::new);
    assertNotices(new AddableFilterContractTest()::noHistoryLosesAKey, AlwaysNew::new);
  }

  private static final class DirtyBatch extends ModelFilter {
    DirtyBatch(Hasher hasher) {
      super(hasher);
    }

    @Override
    public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
      int count = super.mightContainHashes(hashes, from, to, hits);
      if ((to - from) % 64 == 63) {
        hits[(to - from) / 64] |= Long.MIN_VALUE; // a bit beyond the last answer
      }
      return count;
    }
  }

  @Test
  void aBatchThatLeavesBitsBehind() {
    assertNotices(new HashedFilterContractTest()::aBatchAnswersLikeSingleQueries, DirtyBatch::new);
  }

  private static final class CarelessMerge extends ModelFilter {
    CarelessMerge(Hasher hasher) {
      super(hasher);
    }

    @Override
    public boolean isCompatible(ModelFilter other) {
      return true;
    }
  }

  @Test
  void aMergeOfDifferentHashers() {
    assertNotices(new MergeableContractTest()::otherHashersAreRefusedByName, CarelessMerge::new);
  }

  private static final class SharedCopy extends ModelFilter {
    SharedCopy(Hasher hasher) {
      super(hasher);
    }

    @Override
    public ModelFilter copy() {
      return this;
    }
  }

  @Test
  void aCopyThatIsNone() {
    assertNotices(new MergeableContractTest()::aCopyIsIndependent, SharedCopy::new);
  }

  private static void assertNoticesCounts(
      Consumer<Subject> contract, Function<Hasher, AddableFilter> broken) {
    assertThatCode(() -> contract.accept(subject(ModelCounts::new))).doesNotThrowAnyException();
    assertThatThrownBy(() -> contract.accept(subject(broken))).isInstanceOf(AssertionError.class);
  }

  private static final class CountsToThree extends ModelCounts {
    CountsToThree(Hasher hasher) {
      super(hasher);
    }

    @Override
    public long countHash(long hash) {
      return Math.min(3, super.countHash(hash));
    }
  }

  @Test
  void aCountThatIsTooLow() {
    assertNoticesCounts(new FrequencyFilterContractTest()::noCountIsTooLow, CountsToThree::new);
    assertNoticesCounts(
        new FrequencyFilterContractTest()::noHistoryCountsTooLow, CountsToThree::new);
  }

  private static final class OnceAtMost extends ModelCounts {
    OnceAtMost(Hasher hasher) {
      super(hasher);
    }

    @Override
    public boolean addHash(long hash, long times) {
      return super.addHash(hash, Math.min(times, 1));
    }
  }

  @Test
  void timesThatAreForgotten() {
    assertNoticesCounts(
        new FrequencyFilterContractTest()::addingSeveralTimesIsAddingOneByOne, OnceAtMost::new);
  }

  private static final class NeverZero extends ModelCounts {
    NeverZero(Hasher hasher) {
      super(hasher);
    }

    @Override
    public long countHash(long hash) {
      return super.countHash(hash) + (hash % 100 == 0 ? 1 : 0);
    }

    @Override
    public boolean mightContainHash(long hash) {
      return super.countHash(hash) > 0;
    }
  }

  @Test
  void aCountForAKeyThatIsAbsent() {
    assertNoticesCounts(
        new FrequencyFilterContractTest()::theCountIsZeroIfAndOnlyIfTheKeyIsAbsent, NeverZero::new);
  }

  private static void assertNoticesValues(Consumer<Subject> contract, Subject.MapMaker broken) {
    assertThatCode(() -> contract.accept(Subject.map("model", null, 100, ModelMap::new)))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> contract.accept(Subject.map("broken", null, 100, broken)))
        .isInstanceOf(AssertionError.class);
  }

  private static final class SomeZeros extends ModelMap {
    SomeZeros(Hasher hasher, long[] hashes, long[] values) {
      super(hasher, hashes, values);
    }

    @Override
    public long getHash(long hash) {
      return hash % 1_000 == 1 ? 0 : super.getHash(hash);
    }

    @Override
    public boolean mightContainHash(long hash) {
      return super.getHash(hash) != ABSENT;
    }
  }

  @Test
  void aValueThatIsWrong() {
    LookupFilterContractTest contract = new LookupFilterContractTest();
    assertNoticesValues(contract::everyMemberHasItsValue, SomeZeros::new);
    assertNoticesValues(contract::aKeyIsAbsentIfAndOnlyIfItHasNoValue, SomeZeros::new);
  }
}
