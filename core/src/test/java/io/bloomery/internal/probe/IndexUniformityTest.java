package io.bloomery.internal.probe;

import static io.bloomery.testkit.Rates.assertDistribution;
import static io.bloomery.testkit.Rates.assertRate;
import static io.bloomery.testkit.Rates.assertUniform;
import static io.bloomery.testkit.Rates.ofFarthest;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Seeds;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Positions of consecutive numbers, hashed, look random: at m = 2^10, 2^32+1 and 2^40 (2^32+8 for
 * slices of 2^29+1 bits), with 8 probes, and without memory for the bits.
 */
final class IndexUniformityTest {

  private static final int PROBES = 8;

  static Stream<Arguments> shapes() {
    return Stream.of(IndexScheme.values())
        .flatMap(
            scheme ->
                Stream.of(1L << 10, (1L << 32) + 1, 1L << 40)
                    .map(bits -> Arguments.of(scheme, sized(scheme, bits))));
  }

  private static long sized(IndexScheme scheme, long bits) {
    return scheme == IndexScheme.PARTITIONED ? (bits + PROBES - 1) / PROBES * PROBES : bits;
  }

  /** 131 072 keys: each probe number falls evenly into 128 parts of the range. */
  @ParameterizedTest
  @MethodSource("shapes")
  void everyProbeCoversTheRangeEvenly(IndexScheme scheme, long bits) {
    int parts = 128;
    long range = range(scheme, bits);
    long[][] counts = new long[PROBES][parts];
    forEachKey(
        scheme,
        bits,
        1 << 17,
        indexes -> {
          for (int i = 0; i < PROBES; i++) {
            counts[i][part(indexes[i], range, parts)]++;
          }
        });
    double[] probabilities = new double[parts];
    for (int part = 0; part < parts; part++) {
      long from = ceilDiv(part * range, parts);
      long to = ceilDiv((part + 1) * range, parts);
      probabilities[part] = (double) (to - from) / range;
    }
    for (long[] probe : counts) {
      assertDistribution(probe, probabilities, 5);
    }
  }

  /** 131 072 keys: the same for the remainders by 127, in which low bits count. */
  @ParameterizedTest
  @MethodSource("shapes")
  void everyProbeHasEvenRemainders(IndexScheme scheme, long bits) {
    int divisor = 127;
    long range = range(scheme, bits);
    long[][] counts = new long[PROBES][divisor];
    forEachKey(
        scheme,
        bits,
        1 << 17,
        indexes -> {
          for (int i = 0; i < PROBES; i++) {
            counts[i][(int) (indexes[i] % divisor)]++;
          }
        });
    double[] probabilities = new double[divisor];
    for (int rest = 0; rest < divisor; rest++) {
      probabilities[rest] = (double) ceilDiv(range - rest, divisor) / range;
    }
    for (long[] probe : counts) {
      assertDistribution(probe, probabilities, 5);
    }
  }

  /** 65 536 keys: any two probes of a key fall evenly into 16 by 16 fields. */
  @ParameterizedTest
  @MethodSource("shapes")
  void twoProbesOfAKeyAreIndependent(IndexScheme scheme, long bits) {
    int parts = 16;
    long range = range(scheme, bits);
    long[][] counts = new long[PROBES * PROBES][parts * parts];
    forEachKey(
        scheme,
        bits,
        1 << 16,
        indexes -> {
          for (int i = 0; i < PROBES; i++) {
            int row = part(indexes[i], range, parts) * parts;
            for (int j = 0; j < i; j++) {
              counts[i * PROBES + j][row + part(indexes[j], range, parts)]++;
            }
          }
        });
    for (int i = 0; i < PROBES; i++) {
      for (int j = 0; j < i; j++) {
        assertUniform(counts[i * PROBES + j], 5);
      }
    }
  }

  /**
   * 262 144 keys at m = 1024: two probes of a key meet as often as the closed form says, which for
   * double hashing with odd steps is never.
   */
  @ParameterizedTest
  @EnumSource
  void probesOfAKeyMeetAsPredicted(IndexScheme scheme) {
    int bits = 1024;
    int keys = 1 << 18;
    long[] meetings = new long[PROBES * PROBES];
    Probes probes = new Probes(scheme, bits, PROBES);
    long[] indexes = new long[PROBES];
    for (int key = 0; key < keys; key++) {
      probes.indexes(Hasher.xxh3(Seeds.of(0)).hash((long) key), indexes);
      for (int i = 0; i < PROBES; i++) {
        for (int j = 0; j < i; j++) {
          meetings[i * PROBES + j] += indexes[i] == indexes[j] ? 1 : 0;
        }
      }
    }
    for (int i = 0; i < PROBES; i++) {
      for (int j = 0; j < i; j++) {
        assertRate(meetings[i * PROBES + j], keys, meetingProbability(scheme, i, j, bits), 5);
      }
    }
  }

  private static double meetingProbability(IndexScheme scheme, int i, int j, int bits) {
    int step = gcd(i - j, bits);
    return switch (scheme) {
      case INDEPENDENT, SLICES, POWERS, PRF -> 1.0 / bits;
      case DOUBLE, PARTITIONED -> 0;
      case ENHANCED_DOUBLE -> {
        int fixed = (i * i * i - i) / 6 - (j * j * j - j) / 6;
        yield fixed % step == 0 ? (double) step / bits : 0;
      }
      case QUADRATIC -> (double) step / bits;
      case TRIPLE -> (double) gcd(step, i * (i - 1) / 2 - j * (j - 1) / 2) / bits;
    };
  }

  /**
   * 400 keys, each of whose 64 bits is flipped: every bit of every probe's index flips in half of
   * the cases, and the numbers of a probe are as uneven as those of independent flips.
   */
  @ParameterizedTest
  @MethodSource("shapes")
  void oneBitOfAKeyFlipsHalfOfEveryIndex(IndexScheme scheme, long bits) {
    int keys = 400;
    for (Hasher hasher : List.of(Hasher.xxh3(Seeds.of(9)), Hasher.keyed(new byte[16]))) {
      long[] flips = flips(scheme, bits, keys, hasher);
      int width = 63 - Long.numberOfLeadingZeros(range(scheme, bits));
      assertThat(width).isBetween(7, 40);
      long worst = keys / 2;
      for (int i = 0; i < PROBES; i++) {
        double chiSquare = 0;
        for (int keyBit = 0; keyBit < 64; keyBit++) {
          for (int bit = 0; bit < width; bit++) {
            long count = flips[(keyBit * PROBES + i) * 64 + bit];
            worst = farther(worst, count, keys / 2);
            chiSquare += (count - keys / 2.0) * (count - keys / 2.0) / (keys / 4.0);
          }
        }
        double z = Math.sqrt(2 * chiSquare) - Math.sqrt(2.0 * 64 * width - 1);
        assertThat(Math.abs(z)).isLessThanOrEqualTo(5);
      }
      assertRate(worst, keys, 0.5, ofFarthest(5, 64L * PROBES * width));
    }
  }

  private static long farther(long x, long y, long from) {
    return Math.abs(y - from) > Math.abs(x - from) ? y : x;
  }

  private static long[] flips(IndexScheme scheme, long bits, int keys, Hasher hasher) {
    Probes probes = new Probes(scheme, bits, PROBES);
    long start = scheme == IndexScheme.PARTITIONED ? bits / PROBES : 0;
    long[] flips = new long[64 * PROBES * 64];
    long[] before = new long[PROBES];
    long[] after = new long[PROBES];
    for (long key : Keys.members(keys)) {
      probes.indexes(hasher.hash(key), before);
      for (int keyBit = 0; keyBit < 64; keyBit++) {
        probes.indexes(hasher.hash(key ^ 1L << keyBit), after);
        for (int i = 0; i < PROBES; i++) {
          long changed = (before[i] - i * start) ^ (after[i] - i * start);
          for (; changed != 0; changed &= changed - 1) {
            flips[(keyBit * PROBES + i) * 64 + Long.numberOfTrailingZeros(changed)]++;
          }
        }
      }
    }
    return flips;
  }

  private interface IndexesConsumer {
    void accept(long[] indexesInRange);
  }

  /** Indexes of keys 0…keys-1; those of slices count from the beginning of their slice. */
  private static void forEachKey(
      IndexScheme scheme, long bits, int keys, IndexesConsumer consumer) {
    Probes probes = new Probes(scheme, bits, PROBES);
    long[] indexes = new long[PROBES];
    for (long key = 0; key < keys; key++) {
      probes.indexes(Hasher.xxh3(Seeds.of(0)).hash(key), indexes);
      if (scheme == IndexScheme.PARTITIONED) {
        for (int i = 0; i < PROBES; i++) {
          indexes[i] -= i * (bits / PROBES);
        }
      }
      consumer.accept(indexes);
    }
  }

  private static long range(IndexScheme scheme, long bits) {
    return scheme == IndexScheme.PARTITIONED ? bits / PROBES : bits;
  }

  private static int part(long index, long range, int parts) {
    return (int) (index * parts / range);
  }

  private static long ceilDiv(long x, long y) {
    return (x + y - 1) / y;
  }

  private static int gcd(int a, int b) {
    return b == 0 ? Math.abs(a) : gcd(b, a % b);
  }
}
