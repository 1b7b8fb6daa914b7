package io.bloomery.hash;

import static io.bloomery.testkit.Rates.assertRate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.AddableFilter;
import io.bloomery.FilterFullException;
import io.bloomery.deletable.CuckooFilter;
import io.bloomery.deletable.CuckooShape;
import io.bloomery.deletable.QuotientFilter;
import io.bloomery.deletable.QuotientShape;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Seeds;
import io.bloomery.testkit.Xxh3Inverse;
import java.util.Locale;
import java.util.PrimitiveIterator;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What chosen keys do to filters for a million keys at 1 % whose hash function and seed are known,
 * and that the same keys do nothing to filters with a secret key. Prints the figures of
 * docs/threats.md.
 */
final class CraftedKeysTest {

  private static final int KEYS = 1_000_000;
  private static final double RATE = 0.01;
  private static final Hasher PUBLIC = Hasher.xxh3(42);
  private static final Xxh3Inverse INVERSE = new Xxh3Inverse(42);
  private static final Hasher SECRET = Hasher.keyed(secret());

  private static byte[] secret() {
    byte[] secret = new byte[16];
    Seeds.random(5).nextBytes(secret);
    return secret;
  }

  private static void print(String form, Object... values) {
    System.out.printf(Locale.ROOT, form + "%n", values);
  }

  @Test
  void anyHashHasItsKey() {
    for (long seed : new long[] {0, 42, -1, 0x123456789ABCDEFL}) {
      Hasher hasher = Hasher.xxh3(seed);
      Xxh3Inverse inverse = new Xxh3Inverse(seed);
      for (long hash : Keys.members(1_000)) {
        assertThat(hasher.hash(inverse.key(hash))).isEqualTo(hash);
      }
    }
  }

  private static CuckooFilter cuckoo(Hasher hasher) {
    return CuckooFilter.create(CuckooShape.forKeys(KEYS, RATE), hasher);
  }

  /** Eight keys of one fingerprint and bucket fill both buckets that it may lie in. */
  @Test
  void aCuckooFilterIsFullAtTheNinthKey() {
    CuckooFilter filter = cuckoo(PUBLIC);
    long[] crafted = sameBucketsAndFingerprint(9);
    for (int i = 0; i < 8; i++) {
      filter.add(crafted[i]);
    }
    assertThatThrownBy(() -> filter.add(crafted[8])).isInstanceOf(FilterFullException.class);
    assertThat(filter.keyCount()).isEqualTo(8);
    print("cuckoo: refuses key 9 of %,d", filter.shape().capacity());
  }

  /** The secret hash spreads the same keys, as many as the filter is for. */
  @Test
  void aKeyedCuckooFilterTakesCraftedKeys() {
    CuckooFilter filter = cuckoo(SECRET);
    long[] crafted = sameBucketsAndFingerprint(200_000);
    for (long key : crafted) {
      filter.add(key);
    }
    assertThat(filter.keyCount()).isEqualTo(crafted.length);
    print("cuckoo, keyed: takes all %,d crafted keys", crafted.length);
  }

  /** Keys of the lowest hashes, which choose the first bucket, with the fingerprint 1. */
  private static long[] sameBucketsAndFingerprint(int count) {
    long fingerprints = (1L << CuckooShape.forKeys(KEYS, RATE).fingerprintBits()) - 1;
    long[] keys = new long[count];
    int found = 0;
    for (long hash = 0; found < count; hash++) {
      if ((((hash * 0x9E3779B97F4A7C15L) >>> 32) * fingerprints) >>> 32 == 0) {
        keys[found++] = INVERSE.key(hash);
      }
    }
    return keys;
  }

  private static QuotientFilter quotient(Hasher hasher) {
    return QuotientFilter.create(QuotientShape.forKeys(KEYS, RATE), hasher);
  }

  /** The mean distance of a fingerprint from its own slot, over which a query or an add walks. */
  private static double displacement(QuotientFilter filter) {
    int bits = filter.shape().remainderBits();
    long free = 0;
    double sum = 0;
    for (PrimitiveIterator.OfLong all = filter.fingerprints(); all.hasNext(); free++) {
      long slot = all.nextLong() >>> bits;
      free = Math.max(free, slot);
      sum += free - slot;
    }
    return sum / filter.keyCount();
  }

  /**
   * The i-th of keys that crowd at the first slot: as many of each fingerprint as are stored, of
   * the lowest fingerprints.
   */
  private static long crowding(QuotientFilter filter, int i) {
    QuotientShape shape = filter.shape();
    long step = Long.divideUnsigned(-1, shape.slots() << shape.remainderBits());
    int copies = QuotientFilter.MAX_COPIES;
    return INVERSE.key((i / copies) * step + step / 2 + i % copies);
  }

  /** 10,000 keys crowd at one slot, where every add moves all of them. */
  @Test
  void aQuotientFilterWalksOverCraftedKeys() {
    QuotientFilter crafted = quotient(PUBLIC);
    QuotientFilter ordinary = quotient(PUBLIC);
    QuotientFilter keyed = quotient(SECRET);
    for (int i = 0; i < 10_000; i++) {
      long key = crowding(crafted, i);
      crafted.add(key);
      keyed.add(key);
    }
    ordinary.addHashes(Keys.members(KEYS), 0, KEYS);
    double usual = displacement(ordinary);
    print(
        "quotient: %,.0f slots from its place with 10,000 crafted keys, %.2f with %,d others,"
            + " %.4f keyed",
        displacement(crafted), usual, KEYS, displacement(keyed));
    assertThat(displacement(crafted)).isEqualTo(4_999.5);
    // Linear probing: α/(2(1 − α)) in the mean (Knuth vol. 3, 6.4); of few keys by single meetings.
    double load = (double) KEYS / ordinary.shape().slots();
    assertThat(usual).isCloseTo(load / (2 * (1 - load)), within(0.02 * usual));
    load = 10_000.0 / keyed.shape().slots();
    double mean = load / (2 * (1 - load));
    assertThat(displacement(keyed)).isCloseTo(mean, within(5 * Math.sqrt(mean / 10_000)));
  }

  private static BlockedBloomFilter blocked(Hasher hasher) {
    return BlockedBloomFilter.create(BlockShape.forKeys(KEYS, RATE), hasher);
  }

  /** A key of the same hash but for bits that choose nothing sets all bits of another. */
  @Test
  void oneKeyMakesAChosenFalsePositive() {
    BlockedBloomFilter filter = blocked(PUBLIC);
    String victim = "alice@example.org";
    assertThat(filter.mightContain(victim)).isFalse();
    long crafted = INVERSE.key(PUBLIC.hash(victim) ^ (1L << 38));
    filter.add(crafted);
    assertThat(filter.mightContain(victim)).isTrue();
    print("blocked: a chosen text is found after 1 crafted key");
    BlockedBloomFilter keyed = blocked(SECRET);
    keyed.add(crafted);
    assertThat(keyed.mightContain(victim)).isFalse();
  }

  /** How many hashes were tried until a number of keys of a public filter were forged. */
  private static long forge(AddableFilter filter, long[] forged) {
    SplittableRandom random = Seeds.random(17);
    long tried = 0;
    for (int found = 0; found < forged.length; tried++) {
      long hash = random.nextLong();
      if (filter.mightContainHash(hash)) {
        forged[found++] = INVERSE.key(hash);
      }
    }
    return tried;
  }

  private static <F extends AddableFilter> F filled(F filter) {
    for (long key = 0; key < KEYS; key++) {
      filter.add(key);
    }
    return filter;
  }

  /**
   * One guess in a hundred is a member of the public filter, and no better than others of the
   * keyed.
   */
  @Test
  void membersAreForgedAtTheRate() {
    BlockedBloomFilter open = filled(blocked(PUBLIC));
    BlockedBloomFilter keyed = filled(blocked(SECRET));
    long[] forged = new long[20_000];
    long tried = forge(open, forged);
    assertRate(forged.length, tried, open.falsePositiveRate(), 5);
    int found = 0;
    for (long key : forged) {
      assertThat(open.mightContain(key)).isTrue();
      found += keyed.mightContain(key) ? 1 : 0;
    }
    assertRate(found, forged.length, keyed.falsePositiveRate(), 5);
    print(
        "blocked: %,d forged members of %,d guesses; the keyed filter finds %d of them (%.2f %%)",
        forged.length, tried, found, 100.0 * found / forged.length);
  }

  @Test
  @Tag("long")
  void aMillionForgedMembers() {
    BlockedBloomFilter open = filled(blocked(PUBLIC));
    long start = System.nanoTime();
    long tried = forge(open, new long[KEYS]);
    print(
        "blocked: %,d forged members of %,d guesses in %.1f s",
        KEYS, tried, (System.nanoTime() - start) / 1e9);
    assertRate(KEYS, tried, open.falsePositiveRate(), 5);
  }

  /** Adds to the run of one slot: the time grows with the square of their number. */
  @Test
  @Tag("long")
  void timeOfCraftedKeysInAQuotientFilter() {
    nanosPerAdd(false); // warms up
    print(
        "quotient: %,.0f ns per add of 20,000 crafted keys, %,.0f of others",
        nanosPerAdd(true), nanosPerAdd(false));
  }

  private static double nanosPerAdd(boolean crafted) {
    int keys = 20_000;
    QuotientFilter filter = quotient(PUBLIC);
    long start = System.nanoTime();
    for (int i = 0; i < keys; i++) {
      filter.add(crafted ? crowding(filter, i) : i);
    }
    double nanos = System.nanoTime() - start;
    assertThat(filter.keyCount()).isEqualTo(keys);
    return nanos / keys;
  }
}
