package io.bloomery.tools.distinct;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;

/**
 * What a sketch keeps of a key: an address of 26 bits below a value of 6 bits, which is {@code v}
 * for a share of 2<sup>-v</sup> of all keys. Both come from MurmurHash3 (x64, 128 bits) with the
 * seed that DataSketches uses unless told otherwise, so that a key has the same coupon there.
 */
public final class Coupon {

  /** The largest value. */
  static final int MOST_VALUE = 63;

  /** How many bits an address has. */
  static final int ADDRESS_BITS = 26;

  private static final int ADDRESSES = (1 << ADDRESS_BITS) - 1;
  private static final Hasher128 HASHER = Hashing.murmur3_128(9001);

  private Coupon() {}

  /** The coupon of a key. */
  public static int of(byte[] bytes, int offset, int length) {
    HashValue128 hash = HASHER.hashBytesTo128Bits(bytes, offset, length);
    int zeros = Long.numberOfLeadingZeros(hash.getMostSignificantBits());
    return of((int) hash.getLeastSignificantBits(), Math.min(zeros, MOST_VALUE - 1) + 1);
  }

  /** The coupon with the lower bits of an address and a value of 1 to 63. */
  static int of(int address, int value) {
    return value << ADDRESS_BITS | (address & ADDRESSES);
  }

  /** Its value; 0 is none of a key. */
  static int value(int coupon) {
    return coupon >>> ADDRESS_BITS;
  }

  /** Its address. */
  static int address(int coupon) {
    return coupon & ADDRESSES;
  }
}
