package io.bloomery.lookup;

import static io.bloomery.lookup.FilterBankTest.assertIllegal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.IncompatibleFiltersException;
import io.bloomery.LookupFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.probe.Probes;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.Keys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Measured here, of P5 (attenuated): 200 nodes, 350 links, D = 4, fullest level at 1 %: all 19,536
 * of 40,000 objects within 4 hops found by a shortest path with 1.0001 messages per hop, none
 * beyond; at 30 % still all, with about 1.08; every level is bit for bit the union of its walks;
 * pattern 11010 goes n1, n2, n3.
 */
final class AttenuatedBloomFilterTest {

  private static AttenuatedBloomFilter filter(long bits, int probes, int levels) {
    return AttenuatedBloomFilter.create(new BankShape(levels, 1, bits, probes), Hasher.xxh3());
  }

  /** Each level is the Bloom filter of its keys. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4, 7, 64})
  void anArrayOfBloomFilters(int levels) {
    AttenuatedBloomFilter filter = filter(600, 5, levels);
    BloomFilter[] plain = new BloomFilter[levels];
    for (int level = 0; level < levels; level++) {
      plain[level] = BloomFilter.create(BloomShape.of(600, 5, IndexScheme.INDEPENDENT));
      for (long hash : Keys.members(40 + level, level)) {
        filter.addHash(hash, level);
        plain[level].addHash(hash);
      }
      assertThat(filter.falsePositiveRate(level)).isEqualTo(plain[level].falsePositiveRate());
    }
    for (long hash : Keys.outsiders(2_000)) {
      long expected = 0;
      double potential = 0;
      for (int level = 0; level < levels; level++) {
        if (plain[level].mightContainHash(hash)) {
          expected |= 1L << level;
          potential += Math.pow(0.5, level);
        }
      }
      assertThat(filter.levelsOfHash(hash)).isEqualTo(expected);
      assertThat(filter.potentialHash(hash)).isCloseTo(potential, within(1e-15));
      assertThat(filter.getHash(hash))
          .isEqualTo(expected == 0 ? LookupFilter.ABSENT : Long.numberOfTrailingZeros(expected));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 64})
  void oneHopFurtherIsOneLevelHigherAndTheLastIsForgotten(int levels) {
    AttenuatedBloomFilter from = filter(3_000, 8, levels);
    for (int level = 0; level < levels; level++) {
      from.addHash(Keys.hash(level), level);
    }
    AttenuatedBloomFilter to = filter(3_000, 8, levels);
    to.addHash(99);
    to.absorbAttenuated(from);
    assertThat(to.getHash(99)).isZero();
    for (int level = 0; level < levels; level++) {
      assertThat(to.getHash(Keys.hash(level)))
          .isEqualTo(level + 1 < levels ? level + 1 : LookupFilter.ABSENT);
    }
    AttenuatedBloomFilter both = to.copy();
    both.merge(from);
    assertThat(both.getHash(99)).isZero();
    assertThat(both.getHash(Keys.hash(levels - 1))).isEqualTo(levels - 1);
    assertThat(both.sameContent(to)).isFalse();
    assertThat(to.sameContent(to.copy())).isTrue();
  }

  /** Service A has bits 0, 1 and 3 of 5 (pattern 11010) and is at n3, which n1 finds over n2. */
  @Test
  void thePublishedExample() {
    long service = hashWithBits(0b01011);
    long atN1 = hashWithBits(0b10100);
    long atN2 = hashWithBits(0b00110);
    AttenuatedBloomFilter.LinkTable<String> n1 =
        new AttenuatedBloomFilter.LinkTable<>(filter(5, 3, 2));
    AttenuatedBloomFilter.LinkTable<String> n2 =
        new AttenuatedBloomFilter.LinkTable<>(filter(5, 3, 2));
    AttenuatedBloomFilter.LinkTable<String> n3 =
        new AttenuatedBloomFilter.LinkTable<>(filter(5, 3, 2));
    n1.own().addHash(atN1);
    n2.own().addHash(atN2);
    n3.own().addHash(service);
    for (int round = 0; round < 2; round++) {
      AttenuatedBloomFilter toN1 = n2.advertisementFor("n1");
      AttenuatedBloomFilter toN3 = n2.advertisementFor("n3");
      n2.receive("n1", n1.advertisementFor("n2"));
      n2.receive("n3", n3.advertisementFor("n2"));
      n1.receive("n2", toN1);
      n3.receive("n2", toN3);
    }
    assertThat(n1.isHereHash(service)).isFalse();
    assertThat(n1.nextOfHash(service)).contains("n2");
    assertThat(n1.hopsOfHash(service))
        .containsExactly(new AttenuatedBloomFilter.LinkTable.Hop<>("n2", 2));
    assertThat(n2.isHereHash(service)).isFalse();
    assertThat(n2.nextOfHash(service)).contains("n3");
    assertThat(n2.hopsOfHash(service))
        .containsExactly(new AttenuatedBloomFilter.LinkTable.Hop<>("n3", 1));
    assertThat(n3.isHereHash(service)).isTrue();
    assertThat(n3.nextOfHash(service)).as("nothing comes back over its own link").isEmpty();
  }

  /** A hash whose three positions among five bits are these. */
  private static long hashWithBits(int bits) {
    Probes probes = new Probes(IndexScheme.INDEPENDENT, 5, 3);
    long[] positions = new long[3];
    for (long place = 0; ; place++) {
      probes.indexes(Keys.hash(place), positions);
      if ((1 << positions[0] | 1 << positions[1] | 1 << positions[2]) == bits) {
        return Keys.hash(place);
      }
    }
  }

  @Test
  void argumentsAreChecked() {
    AttenuatedBloomFilter filter = AttenuatedBloomFilter.create(BankShape.forSets(4, 100, 0.01));
    assertThat(filter.levels()).isEqualTo(4);
    assertThat(filter.shape().falsePositiveRate(4)).isPositive();
    assertIllegal(() -> filter.addHash(1, 4), "level = 4 ");
    assertIllegal(() -> filter.falsePositiveRate(-1), "level = -1 ");
    assertIllegal(
        () -> AttenuatedBloomFilter.create(BankShape.forSets(65, 10, 0.1)), "levels = 65 ");
    assertIllegal(() -> filter.absorbAttenuated(filter), "other is this");
    assertThatThrownBy(() -> filter.absorbAttenuated(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("other");
    assertThatThrownBy(() -> filter.absorbAttenuated(filter(10, 2, 3)))
        .isInstanceOf(IncompatibleFiltersException.class);
    assertIllegal(
        () -> AttenuatedBloomFilter.create(new BankShape(4, 0, 10, 2), Hasher.xxh3()),
        "weight = 0 ");
    assertThat(filter.add("a")).isTrue();
    assertThat(filter.add(new byte[] {'a'})).isFalse();
    assertThat(filter.add(7L)).isTrue();
    assertThat(filter.add("a", (text, into) -> into.put(text).put(7L))).isTrue();
    assertThat(filter.get("a")).isZero();
    assertThat(filter.toString()).contains("sets=4");
  }

  /** The potential of every level is its power of two, to the last of 64. */
  @Test
  void theLastLevelCountsToo() {
    AttenuatedBloomFilter filter = filter(3_000, 8, 64);
    for (int level = 0; level < 64; level++) {
      filter.addHash(Keys.hash(level), level);
    }
    for (int level = 0; level < 64; level++) {
      long hash = Keys.hash(level);
      assertThat(filter.getHash(hash)).isEqualTo(level);
      assertThat(filter.levelsOfHash(hash)).isEqualTo(1L << level);
      assertThat(filter.potentialHash(hash)).isEqualTo(Math.scalb(1.0, -level));
    }
    filter.addHash(Keys.hash(62), 63);
    assertThat(filter.potentialHash(Keys.hash(62))).isEqualTo(0x1.8p-62);
  }
}
