package io.bloomery.internal.probe;

import static java.math.BigInteger.ONE;
import static java.math.BigInteger.TWO;
import static java.math.BigInteger.ZERO;

import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** The closed forms of {@link IndexScheme}'s documentation in unbounded integers. Slow, simple. */
final class ReferenceIndexes {

  private static final BigInteger WORD = ONE.shiftLeft(64);
  private static final BigInteger GOLDEN = new BigInteger("9E3779B97F4A7C15", 16);
  private static final BigInteger FIRST = new BigInteger("BF58476D1CE4E5B9", 16);
  private static final BigInteger SECOND = new BigInteger("94D049BB133111EB", 16);

  private static final BigInteger MULTIPLIER = new BigInteger("D1342543DE82EF95", 16);

  private ReferenceIndexes() {}

  static long[] of(IndexScheme scheme, long hash, long bits, int count) {
    BigInteger h = new BigInteger(Long.toUnsignedString(hash));
    BigInteger m = BigInteger.valueOf(bits);
    long[] indexes = new long[count];
    for (int i = 0; i < count; i++) {
      BigInteger n = BigInteger.valueOf(i);
      BigInteger index =
          switch (scheme) {
            case INDEPENDENT -> stream(h, i).mod(m);
            case DOUBLE -> h.add(n.multiply(nonZeroStep(stream(h, 1).mod(m), m))).mod(m);
            case ENHANCED_DOUBLE ->
                h.add(n.multiply(stream(h, 1)))
                    .add(n.pow(3).subtract(n).divide(BigInteger.valueOf(6)))
                    .mod(m);
            case TRIPLE ->
                h.add(n.multiply(stream(h, 1)))
                    .add(n.multiply(n.subtract(ONE)).divide(TWO).multiply(stream(h, 2)))
                    .mod(m);
            case PARTITIONED -> {
              BigInteger slice = BigInteger.valueOf(bits / count);
              yield n.multiply(slice).add(stream(h, i).mod(slice));
            }
            case QUADRATIC -> h.add(n.multiply(stream(h, 1))).add(n.pow(2)).mod(m);
            case SLICES -> slice(h, m, i);
            case POWERS ->
                h.multiply(MULTIPLIER.pow(i + 1))
                    .mod(WORD)
                    .shiftRight(22)
                    .multiply(m)
                    .shiftRight(42);
            case PRF -> sipHash(hash, i).mod(m);
          };
      indexes[i] = index.longValueExact();
    }
    return indexes;
  }

  /** The field below m with number i, in a list of all that some outputs have. */
  private static BigInteger slice(BigInteger h, BigInteger m, int i) {
    int bits = m.subtract(ONE).bitLength();
    List<BigInteger> below = new ArrayList<>();
    for (int output = 0; below.size() <= i; output++) {
      BigInteger rest = stream(h, output);
      for (int used = bits; used <= 64; used += bits) {
        BigInteger[] parts = rest.divideAndRemainder(ONE.shiftLeft(64 - used));
        rest = parts[1];
        if (parts[0].compareTo(m) < 0) {
          below.add(parts[0]);
        }
      }
    }
    return below.get(i);
  }

  /** SipHash-2-4 of 8 bytes by the keyed hasher, which published vectors test. */
  private static BigInteger sipHash(long key, int i) {
    byte[] bytes = new byte[16];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(key);
    return new BigInteger(Long.toUnsignedString(Hasher.keyed(bytes).hash((long) i)));
  }

  private static BigInteger nonZeroStep(BigInteger step, BigInteger m) {
    if (!m.testBit(0)) {
      return step.setBit(0);
    }
    return step.equals(ZERO) ? ONE : step;
  }

  /** Output {@code i} of the SplitMix64 stream that starts at {@code h}. */
  static BigInteger stream(BigInteger h, int i) {
    BigInteger x = h.add(GOLDEN.multiply(BigInteger.valueOf(i))).mod(WORD);
    x = x.xor(x.shiftRight(30)).multiply(FIRST).mod(WORD);
    x = x.xor(x.shiftRight(27)).multiply(SECOND).mod(WORD);
    return x.xor(x.shiftRight(31));
  }
}
