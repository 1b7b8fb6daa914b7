package io.bloomery.frozen;

/** What the builders of solved filters share. */
final class Fingerprints {

  private static final int DEFAULT_BITS = 8;

  private Fingerprints() {}

  /** The width of fingerprints that was asked for, directly or by a rate, or 8. */
  static int bits(int fingerprintBits, double rate, long keys) {
    if (fingerprintBits != 0 && rate != 0) {
      throw new IllegalArgumentException(
          "falsePositiveRate and fingerprintBits were given; only one of them can be");
    }
    if (rate != 0) {
      return FuseShape.forKeys(Math.max(1, keys), rate).fingerprintBits();
    }
    return fingerprintBits == 0 ? DEFAULT_BITS : fingerprintBits;
  }
}
