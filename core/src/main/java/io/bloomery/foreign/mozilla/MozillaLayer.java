package io.bloomery.foreign.mozilla;

/** One Bloom filter of a {@link MozillaCascadeFilter}; bit i is bit i mod 8 of byte i / 8. */
final class MozillaLayer {

  private final long bits;
  private final int hashesPerKey;
  private final byte[] bytes;

  MozillaLayer(long bits, int hashesPerKey, byte[] bytes) {
    this.bits = bits;
    this.hashesPerKey = hashesPerKey;
    this.bytes = bytes;
  }

  long bits() {
    return bits;
  }

  int hashesPerKey() {
    return hashesPerKey;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Whether the next bits of a key are all set; leaves the indexes after the first that is not. */
  boolean allSet(MozillaIndexes indexes) {
    for (int i = 0; i < hashesPerKey; i++) {
      long bit = indexes.next(bits);
      if ((bytes[(int) (bit >>> 3)] >>> (bit & 7) & 1) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Sets the next bits of a key. */
  void setAll(MozillaIndexes indexes) {
    for (int i = 0; i < hashesPerKey; i++) {
      long bit = indexes.next(bits);
      bytes[(int) (bit >>> 3)] |= (byte) (1 << (bit & 7));
    }
  }

  /** The probability that any key finds its bits set. */
  double rate() {
    long set = 0;
    for (byte b : bytes) {
      set += Integer.bitCount(b & 0xFF);
    }
    return Math.pow(Math.min(1, (double) set / bits), hashesPerKey);
  }
}
