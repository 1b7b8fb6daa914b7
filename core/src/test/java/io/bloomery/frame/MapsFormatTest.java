package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.LookupFilter;
import io.bloomery.Storable;
import io.bloomery.frozen.PerfectHashFilter;
import io.bloomery.frozen.PerfectHashShape;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.numeric.SolvedCells;
import io.bloomery.internal.numeric.SolvedCells.Peeled.Layout;
import io.bloomery.lookup.BloomierMap;
import io.bloomery.lookup.LookupCells;
import io.bloomery.lookup.MutableBloomierMap;
import io.bloomery.testkit.Keys;
import java.io.IOException;
import java.math.BigInteger;
import java.util.function.LongFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A second reader of maps and perfect hashes, written from docs/format alone. */
final class MapsFormatTest {

  private static final int N = 500;

  private static BigInteger unsigned(long x) {
    return new BigInteger(Long.toUnsignedString(x));
  }

  private static long mix(long x) {
    x = (x ^ (x >>> 30)) * 0xBF58476D1CE4E5B9L;
    x = (x ^ (x >>> 27)) * 0x94D049BB133111EBL;
    return x ^ (x >>> 31);
  }

  /** The fields of a frame and its sections as one long number each. */
  private static final class Reader {
    private final Frame frame;
    private final long seed;
    private final long m;
    private final int k;
    private final boolean parts;
    private final long segment;

    Reader(LookupFilter filter) throws IOException {
      frame = Frame.encode((Storable) filter);
      seed = field("seed");
      m = field("cells");
      k = (int) field("cells per key");
      parts = field("layout") == 1;
      segment = 1L << field("segment log");
    }

    long field(String name) throws IOException {
      return frame.number(name, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    long number(int section, long words, int width, long i) throws IOException {
      BigInteger found = BigInteger.ZERO;
      for (long word = i * width / 64; word <= (i * width + width - 1) / 64; word++) {
        long shift = 64 * (word - i * width / 64);
        found = found.or(unsigned(frame.section(section, words).get(word)).shiftLeft((int) shift));
      }
      BigInteger mask = BigInteger.ONE.shiftLeft(width).subtract(BigInteger.ONE);
      return found.shiftRight((int) (i * width % 64)).and(mask).longValue();
    }

    long cell(long hash, int i) {
      long p = (hash ^ seed) * 0xD6E8FEB86659FD93L;
      long x = p ^ (p >>> 32);
      if (parts) {
        long w = i < 3 ? Long.rotateLeft(x, 21 * i) : mix(p + 0x9E3779B97F4A7C15L);
        return i * (m / k) + (((w >>> 32) * (m / k)) >>> 32);
      }
      long first = ((x >>> 32) * (m - (k - 1) * segment)) >>> 32;
      long offset = i == 1 ? x >>> 18 : i == 2 ? x : (x * 0x9E3779B97F4A7C15L) >>> 46;
      return i == 0 ? first : (first + i * segment) ^ (offset & (segment - 1));
    }

    long mask(long hash, int width) {
      return mix(hash ^ seed) >>> (64 - width);
    }

    long xor(long hash, int width) throws IOException {
      long number = mask(hash, width);
      for (int i = 0; i < k; i++) {
        number ^= number(0, (m * width + 63) / 64, width, cell(hash, i));
      }
      return number;
    }
  }

  @ParameterizedTest
  @CsvSource({"PARTS, 3", "PARTS, 4", "SEGMENTS, 3", "SEGMENTS, 4"})
  void bloomierMaps(Layout layout, int k) throws IOException {
    long[] hashes = Keys.members(N);
    LongFunction<SolvedCells.Peeled> cells = keys -> SolvedCells.Peeled.forKeys(keys, k, layout);
    BloomierMap.Builder fixed = LookupCells.fixed(cells).falsePositiveRate(0.1);
    MutableBloomierMap.Builder mutable = LookupCells.mutable(cells).falsePositiveRate(0.1);
    for (int i = 0; i < N; i++) {
      fixed.putHash(hashes[i], 1_000_000_007L * (i % 5));
      mutable.putHash(hashes[i], i);
    }
    BloomierMap map = fixed.build();
    Reader reader = new Reader(map);
    assertThat(reader.field("listed")).isOne();
    MutableBloomierMap changing = mutable.build();
    Reader second = new Reader(changing);
    int v = (int) second.field("value bits");
    long words = (second.m + 64 / v - 1) / (64 / v);
    for (long[] all : new long[][] {hashes, Keys.outsiders(N)}) {
      for (long hash : all) {
        long number = reader.xor(hash, (int) reader.field("cell bits"));
        long value = number < reader.field("values") ? reader.frame.section(1, 5).get(number) : -1;
        assertThat(map.getHash(hash)).isEqualTo(value);
        long which = second.xor(hash, (int) second.field("cell bits"));
        long now = -1;
        if (which < k) {
          long cell = second.cell(hash, (int) which);
          long word = second.frame.section(1, words).get(cell / (64 / v));
          now = word >>> (cell % (64 / v) * v) & ((1L << v) - 1);
        }
        assertThat(changing.getHash(hash)).isEqualTo(now);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"500, 5", "30000, 11"})
  void perfectHashes(int n, int f) throws IOException {
    PerfectHashFilter filter =
        PerfectHashFilter.ofHashes(
            Keys.members(n), PerfectHashShape.forFingerprints(1, f), Hasher.xxh3());
    Reader reader = new Reader(filter);
    long words = (reader.m * 2 + 63) / 64;
    int[] before = new int[(int) reader.m + 1];
    for (int i = 0; i < reader.m; i++) {
      before[i + 1] = before[i] + (reader.number(0, words, 2, i) == 3 ? 0 : 1);
    }
    for (int j = 0; 256L * j < reader.m; j++) {
      assertThat(reader.number(1, ((reader.m + 255) / 256 + 1) / 2, 32, j))
          .isEqualTo(before[256 * j]);
    }
    for (long[] all : new long[][] {Keys.members(N), Keys.outsiders(N)}) {
      for (long hash : all) {
        int sum = 0;
        for (int i = 0; i < 3; i++) {
          sum += (int) reader.number(0, words, 2, reader.cell(hash, i));
        }
        long index = Math.min(n - 1, before[(int) reader.cell(hash, sum % 3)]);
        long found = reader.number(2, ((long) n * f + 63) / 64, f, index);
        assertThat(filter.getHash(hash)).isEqualTo(found == reader.mask(hash, f) ? index : -1);
      }
    }
  }
}
