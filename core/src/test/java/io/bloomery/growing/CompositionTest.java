package io.bloomery.growing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.AddableFilter;
import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.HashedFilter;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.ReadOptions;
import io.bloomery.RemovableFilter;
import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.deletable.CuckooFilter;
import io.bloomery.deletable.DLeftCountingFilter;
import io.bloomery.deletable.DLeftShape;
import io.bloomery.deletable.QuotientFilter;
import io.bloomery.frozen.FuseFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Catalogue A.12: filters made of filters, and the rates that follow; D4: doubling and stash.
 *
 * <p>Measured here, of A.12 (composition, with the rate 1 - ∏(1 - f)): filters of four kinds at 0.4
 * to 5 % as one: 1 - ∏(1 - f) met over 300,000 outsiders. Scalable of counting: 60,000 keys in 5
 * layers at 2 %, half removed, no other lost; deletes of a static filter cost live keys at the rate
 * of the filter of deleted ones.
 */
final class CompositionTest {

  private static final int OUTSIDERS = 300_000;
  private static final Hasher SECRET =
      Hasher.keyed(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});

  private static long hits(HashedFilter filter, long[] hashes) {
    return Arrays.stream(hashes).filter(filter::mightContainHash).count();
  }

  private static <F extends AddableFilter> F filled(F filter, long[] hashes) {
    filter.addHashes(hashes, 0, hashes.length);
    return filter;
  }

  /** Batches answer as single queries do, from any start. */
  private static void assertBatches(HashedFilter filter, long[] hashes) {
    long[] hits = new long[8];
    for (int from : new int[] {0, 1, 70}) {
      int count = filter.mightContainHashes(hashes, from, from + 400, hits);
      int single = 0;
      for (int i = 0; i < 400; i++) {
        boolean there = filter.mightContainHash(hashes[from + i]);
        assertThat((hits[i >>> 6] >>> i & 1) != 0).isEqualTo(there);
        single += there ? 1 : 0;
      }
      assertThat(count).isEqualTo(single);
    }
    assertThat(filter.mightContainHashes(hashes, 5, 5, new long[0])).isZero();
  }

  /** Four kinds as one: 1 - ∏(1 - f) of rates from 0.4 to 5 %. */
  @Test
  void theRateOfAUnionIsCompound() {
    long[][] sets = new long[4][];
    Arrays.setAll(sets, i -> Keys.members(5_000, i));
    List<HashedFilter> filters =
        List.of(
            filled(BloomFilter.create(5_000, 0.05), sets[0]),
            filled(CuckooFilter.create(5_000, 0.02), sets[1]),
            FuseFilter.ofHashes(sets[2], 0.01),
            filled(QuotientFilter.create(5_000, 0.01), sets[3]));
    HashedFilter union = Filters.anyOf(filters);
    for (long[] set : sets) {
      assertThat(hits(union, set)).isEqualTo(set.length);
    }
    double none = 1;
    for (HashedFilter filter : filters) {
      none *= 1 - filter.falsePositiveRate();
    }
    assertThat(union.falsePositiveRate()).isCloseTo(1 - none, within(1e-12)).isGreaterThan(0.06);
    assertThat(union.sizeInBits())
        .isEqualTo(filters.stream().mapToLong(HashedFilter::sizeInBits).sum());
    Rates.assertRate(
        hits(union, Keys.outsiders(OUTSIDERS)), OUTSIDERS, union.falsePositiveRate(), 5);
    long[] mixed = Keys.outsiders(500);
    System.arraycopy(sets[2], 0, mixed, 0, 100);
    assertBatches(union, mixed);
    assertThat(Filters.anyOf(List.of(BloomFilter.create(10, 0.1))).falsePositiveRate()).isZero();
  }

  /** Filters of the same keys err together: the compound rate is a bound, not an estimate. */
  @Test
  void sharedKeysLowerTheRate() {
    BloomFilter one = filled(BloomFilter.create(5_000, 0.05), Keys.members(5_000));
    HashedFilter twice = Filters.anyOf(List.of(one, one));
    double rate = one.falsePositiveRate();
    assertThat(twice.falsePositiveRate()).isCloseTo(rate * (2 - rate), within(1e-12));
    Rates.assertRate(hits(twice, Keys.outsiders(OUTSIDERS)), OUTSIDERS, rate, 5);
  }

  @Test
  void viewsNeedEqualHashers() {
    BloomFilter one = BloomFilter.create(10, 0.1);
    BloomFilter keyed = BloomFilter.create(one.shape(), SECRET);
    assertThatThrownBy(() -> Filters.anyOf(List.of(one, keyed)))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageStartingWith("hasher ");
    assertThatThrownBy(() -> Filters.except(one, keyed))
        .isInstanceOf(IncompatibleFiltersException.class);
    assertThatThrownBy(() -> Filters.anyOf(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("filters is empty; there must be one or more");
    assertThatThrownBy(() -> Filters.except(null, one)).hasMessage("filter");
    assertThatThrownBy(() -> Filters.except(one, null)).hasMessage("removed");
    assertThat(Filters.anyOf(List.of(one, one)).toString()).startsWith("any of [BloomFilter");
    assertThat(Filters.except(one, one).toString()).contains(" except ");
  }

  /** Deletes of a static filter: deleted keys are gone, live keys are lost at the other rate. */
  @Test
  void aStaticFilterWithDeletes() {
    long[] members = Keys.members(60_000);
    FuseFilter fuse = FuseFilter.ofHashes(members, 0.05);
    CuckooFilter removed = CuckooFilter.create(10_000, 0.01);
    HashedFilter live = Filters.except(fuse, removed);
    for (int i = 0; i < 10_000; i++) {
      removed.addHash(members[i]);
    }
    long[] deleted = Arrays.copyOf(members, 10_000);
    long[] others = Arrays.copyOfRange(members, 10_000, 60_000);
    assertThat(hits(live, deleted)).isZero();
    Rates.assertRate(50_000 - hits(live, others), 50_000, removed.falsePositiveRate(), 5);
    Rates.assertRate(hits(live, Keys.outsiders(OUTSIDERS)), OUTSIDERS, live.falsePositiveRate(), 5);
    assertBatches(live, members);
    assertBatches(live, Keys.outsiders(500));
    removed.removeHash(members[7]);
    assertThat(live.mightContainHash(members[7])).isTrue();
    assertThat(live.sizeInBits()).isEqualTo(fuse.sizeInBits() + removed.sizeInBits());
  }

  /**
   * Scalable of counting: 2,000 expected, 60,000 added, 5 layers, each within its share; half are
   * removed and no other is lost.
   */
  @Test
  void scalableOfCounting() {
    GrowingFilter.Removable<CountingBloomFilter> filter =
        GrowingFilter.Removable.create(2_000, 0.02, CountingBloomFilter::create);
    long[] members = Keys.members(60_000);
    int seen = 0;
    for (long hash : members) {
      seen += filter.addHash(hash) ? 0 : 1;
    }
    assertThat(filter.layers()).hasSize(5);
    assertThat(filter.keyCount()).isEqualTo(60_000 - seen);
    assertThat(hits(filter, members)).isEqualTo(members.length);
    double rate = filter.falsePositiveRate();
    assertThat(rate).isBetween(0.014, 0.02);
    Rates.assertRate(hits(filter, Keys.outsiders(OUTSIDERS)), OUTSIDERS, rate, 5);
    for (int i = 0; i < 4; i++) {
      // Keys that a layer reports present are not added to it.
      CountingBloomFilter layer = filter.layers().get(i);
      BloomShape cells = layer.shape().cells();
      double share = 0.02 * Math.scalb(1.0, -i - 1);
      long offered = Math.round((2_000 << i) / (1 - share));
      double expected = cells.falsePositiveRate(offered);
      double deviation =
          Rates.rateDeviation((double) cells.bits(), (double) offered, cells.hashesPerKey());
      assertThat(layer.falsePositiveRate()).isCloseTo(expected, within(5 * deviation * expected));
    }
    // A key that is in a layer was in none before; later ones block its removal.
    double expected = 0;
    for (int i = 0; i < 4; i++) {
      double blocks = 0;
      for (int j = i + 1; j < 5; j++) {
        blocks += filter.layers().get(j).falsePositiveRate();
      }
      expected += (2_000 << i) * blocks / 30_000;
    }
    List<Long> stuck = new ArrayList<>();
    for (int i = 0; i < 30_000; i++) {
      if (!filter.removeHash(members[i])) {
        stuck.add(members[i]);
      }
    }
    assertThat(filter.blockedRemovals()).isEqualTo(stuck.size());
    Rates.assertRate(stuck.size(), 30_000, expected, 5);
    assertThat(hits(filter, Arrays.copyOfRange(members, 30_000, 60_000))).isEqualTo(30_000);
    assertThat(stuck).allMatch(filter::mightContainHash);
    long left = hits(filter, Arrays.copyOf(members, 30_000)) - stuck.size();
    assertThat(left / 30_000.0).isLessThan(rate);
  }

  /** Added keys use the room of removed ones. */
  @Test
  void churnDoesNotGrow() {
    GrowingFilter.Removable<CuckooFilter> filter =
        GrowingFilter.Removable.create(1_000, 0.001, CuckooFilter::create);
    for (int round = 0; round < 20; round++) {
      long[] keys = Keys.members(900, round);
      for (long hash : keys) {
        filter.addHash(hash);
      }
      assertThat(hits(filter, keys)).isEqualTo(900);
      for (long hash : keys) {
        filter.removeHash(hash);
      }
      assertThat(hits(filter, keys)).isLessThanOrEqualTo(filter.blockedRemovals());
    }
    assertThat(filter.layers()).hasSizeLessThanOrEqualTo(2);
    assertThat(filter.keyCount()).isLessThan(50);
    // A key that was added twice is removed twice.
    long hash = Keys.hash(1L << 50);
    assertThat(filter.addHash(hash)).isTrue();
    assertThat(filter.addHash(hash)).isFalse();
    assertThat(filter.removeHash(hash)).isTrue();
    assertThat(filter.mightContainHash(hash)).isTrue();
    assertThat(filter.removeHash(hash)).isTrue();
    assertThat(filter.mightContainHash(hash)).isFalse();
    assertThat(filter.removeHash(hash)).isFalse();
  }

  /** D4: beyond its capacity a d-left filter goes on in tables of twice the size. */
  @Test
  void dLeftDoubles() {
    GrowingFilter.Removable<DLeftCountingFilter> filter =
        GrowingFilter.Removable.create(3_000, 0.004, DLeftCountingFilter::create);
    long[] members = Keys.members(20_000);
    for (long hash : members) {
      filter.addHash(hash);
    }
    assertThat(hits(filter, members)).isEqualTo(members.length);
    assertThat(filter.layers()).hasSize(3);
    assertThat(filter.falsePositiveRate()).isLessThan(0.004);
    Rates.assertRate(
        hits(filter, Keys.outsiders(OUTSIDERS)), OUTSIDERS, filter.falsePositiveRate(), 5);
  }

  /** D4: a stash takes what all buckets of a key refuse; at 100 % of all cells none is lost. */
  @Test
  void dLeftWithAStash() {
    DLeftShape shape = new DLeftShape(4, 256, 2, 14, 2);
    long cells = 4L * 256 * shape.cells();
    int[] made = new int[1];
    GrowingFilter.Removable<DLeftCountingFilter> filter =
        GrowingFilter.Removable.create(
            cells,
            0.05,
            1.0 / 64,
            (keys, rate) ->
                made[0]++ == 0
                    ? DLeftCountingFilter.create(shape)
                    : DLeftCountingFilter.create(keys, rate));
    long[] members = Keys.members((int) cells);
    for (long hash : members) {
      filter.addHash(hash);
    }
    assertThat(hits(filter, members)).isEqualTo(members.length);
    assertThat(filter.layers()).hasSizeBetween(2, 5);
    long first = filter.layers().get(0).keyCount();
    assertThat(first / (double) cells).isBetween(0.94, 0.9999);
    assertThat(filter.sizeInBits()).isLessThan(shape.sizeInBits() * 5 / 4);
    Rates.assertRate(
        hits(filter, Keys.outsiders(OUTSIDERS)), OUTSIDERS, filter.falsePositiveRate(), 5);
  }

  /** Keyed of growing of blocked: three add-ons at once, under the rate; kept by its layers. */
  @Test
  void keyedAndGrowingAndSaved(@TempDir Path directory) throws IOException {
    GrowingFilter.Source<BlockedBloomFilter> source =
        (n, p) -> BlockedBloomFilter.create(BlockShape.forKeys(n, p), SECRET);
    GrowingFilter<BlockedBloomFilter> filter = GrowingFilter.create(1_000, 0.01, source);
    assertThat(filter.hasher()).isEqualTo(SECRET);
    for (long key = 0; key < 12_000; key++) {
      filter.add(key);
      filter.add(key);
    }
    assertThat(filter.layers()).hasSize(4);
    assertThat(filter.keyCount()).isBetween(11_800L, 12_000L);
    assertThat(filter.falsePositiveRate()).isLessThan(0.01);
    Rates.assertRate(
        hits(filter, Keys.outsiders(OUTSIDERS)), OUTSIDERS, filter.falsePositiveRate(), 5);
    List<BlockedBloomFilter> opened = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Path file = directory.resolve(i + ".bloom");
      filter.layers().get(i).writeTo(file);
      opened.add(
          (BlockedBloomFilter) Filters.open(file, ReadOptions.defaults().withHasher(SECRET)));
    }
    GrowingFilter<BlockedBloomFilter> again = GrowingFilter.reopen(1_000, 0.01, 2, source, opened);
    // Estimates, whose deviation under 200 other keys is .17 %.
    assertThat(again.keyCount() / (double) filter.keyCount()).isCloseTo(1, within(0.009));
    for (long key = 0; key < 20_000; key++) {
      assertThat(again.mightContain(key)).isEqualTo(filter.mightContain(key));
    }
    assertThat(again.add(1L << 40 | 5)).isTrue();
    assertThat(again.layers()).hasSize(4);
    assertBatches(again, Keys.outsiders(500));
    opened.set(0, BlockedBloomFilter.create(100, 0.1));
    assertThatThrownBy(() -> GrowingFilter.reopen(1_000, 0.01, 2, source, opened))
        .isInstanceOf(IncompatibleFiltersException.class);
    assertThat(GrowingFilter.reopen(10, 0.1, 2, source, List.of()).layers()).hasSize(1);
  }

  /**
   * Compressed of any: counters take 4 bits and hold 1.6; what any compressor makes of the stream
   * is read as it comes.
   */
  @Test
  void anyFilterIsSentCompressed() throws IOException {
    CountingBloomFilter filter =
        filled(CountingBloomFilter.create(20_000, 0.01), Keys.members(20_000));
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(sent)) {
      filter.writeTo(out);
    }
    // The entropy of the counters is .40; the deviation of what the code makes of them is .0003.
    assertThat(sent.size() / (double) filter.storedBytes()).isCloseTo(0.4703, within(0.0015));
    Filter read =
        Filters.read(
            new InflaterInputStream(new ByteArrayInputStream(sent.toByteArray())),
            ReadOptions.defaults().withLimit(1 << 20));
    assertThat(((CountingBloomFilter) read).sameContent(filter)).isTrue();
  }

  @Test
  void whatCannotBeMadeIsSaid() {
    GrowingFilter.Source<BloomFilter> source = BloomFilter::create;
    assertThatThrownBy(() -> GrowingFilter.create(0, 0.1, source))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> GrowingFilter.create(10, 0.1, 65, source))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("growth = 65.0 ");
    assertThatThrownBy(() -> GrowingFilter.create(10, 0.1, null)).hasMessage("source");
    RemovableFilter locked =
        Filters.locked(
            (RemovableFilter) GrowingFilter.Removable.create(10, 0.1, CuckooFilter::create));
    assertThat(locked.add("x")).isTrue();
    assertThat(locked.toString()).startsWith("locked GrowingFilter.Removable[CuckooFilter[");
    assertThat(GrowingFilter.create(10, 0.1, source).toString()).startsWith("GrowingFilter[Bloom");
  }
}
