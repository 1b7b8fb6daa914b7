package io.bloomery.weighted;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Fill;
import io.bloomery.internal.numeric.Pmf;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;

/**
 * The shape of a Bloom filter with signatures of variable length: a key has k positions, an add
 * sets the first t of them, and a key is reported present if q of the k are set. The difference t −
 * q is the slack: as many of its bits may be lost before a key is.
 *
 * @param bits m, 2 or more
 * @param hashesPerKey k, positions of a key, 1 … 255 and at most the bits
 * @param signatureBits t, positions that an add sets, q … k
 * @param threshold q, positions that must be set, 1 … k
 */
public record VariableSignatureShape(
    @FieldName("bits") long bits,
    @FieldName("probes") int hashesPerKey,
    @FieldName("signature bits") int signatureBits,
    @FieldName("threshold") int threshold)
    implements Shape {

  /** Bits of a key that may be lost, unless another number is given. */
  public static final int DEFAULT_SLACK = 2;

  public VariableSignatureShape {
    Arguments.inRange("bits", bits, 2, MAX_BITS);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, (int) Math.min(MAX_HASHES_PER_KEY, bits));
    Arguments.inRange("threshold", threshold, 1, hashesPerKey);
    Arguments.inRange("signatureBits", signatureBits, threshold, hashesPerKey);
  }

  /**
   * The smallest shape with a slack of 2 whose adds set all positions.
   *
   * @param expectedKeys distinct keys at a time, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is too large
   */
  public static VariableSignatureShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forKeys(expectedKeys, falsePositiveRate, DEFAULT_SLACK);
  }

  /**
   * The smallest shape of a given slack whose adds set all positions.
   *
   * @param expectedKeys distinct keys at a time, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @param slack bits of a key that may be lost before the key is, 0 … 64
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is too large
   */
  public static VariableSignatureShape forKeys(
      long expectedKeys, double falsePositiveRate, int slack) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    Sizing.Probes probes = probes(slack, BloomMath.informationBound(falsePositiveRate));
    double perKey = BloomMath.bitsForRate(expectedKeys, falsePositiveRate, probes.start());
    Sizing.Choice choice =
        Sizing.smallest(
            (words, k) ->
                words * Long.SIZE < k
                    ? 1
                    : new VariableSignatureShape(words * Long.SIZE, k, k, k - slack)
                        .falsePositiveRate(expectedKeys),
            falsePositiveRate,
            (long) (perKey * (1 + slack / 4.0) / Long.SIZE) + 1,
            MAX_BITS / Long.SIZE,
            probes);
    if (choice == null) {
      throw Sizing.tooLarge(
          "a Bloom filter of variable signatures", expectedKeys, falsePositiveRate);
    }
    int k = choice.hashesPerKey();
    return new VariableSignatureShape(choice.size() * Long.SIZE, k, k, k - slack);
  }

  private static Sizing.Probes probes(int slack, double ideal) {
    Arguments.inRange("slack", slack, 0, 64);
    int start = (int) Math.min(MAX_HASHES_PER_KEY, slack + Math.max(1, Math.round(ideal)));
    return new Sizing.Probes(start, slack + 1, MAX_HASHES_PER_KEY, 2);
  }

  /**
   * The best shape with a slack of 2 within a memory budget.
   *
   * @param expectedKeys distinct keys at a time, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 … {@link Shape#MAX_BITS}; rounded down to whole 64-bit words
   * @return the shape with the lowest rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static VariableSignatureShape forBudget(long expectedKeys, long bits) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    long whole = Sizing.requireBudget(bits, Long.SIZE) / Long.SIZE * Long.SIZE;
    int start = BloomMath.optimalProbes(whole, expectedKeys);
    int most = (int) Math.min(MAX_HASHES_PER_KEY, whole);
    int k =
        new Sizing.Probes(start + DEFAULT_SLACK, DEFAULT_SLACK + 1, most, 2)
            .best(
                p ->
                    new VariableSignatureShape(whole, p, p, p - DEFAULT_SLACK)
                        .falsePositiveRate(expectedKeys));
    return new VariableSignatureShape(whole, k, k, k - DEFAULT_SLACK);
  }

  /**
   * A shape of given parameters, as papers specify it.
   *
   * @param bits m, 2 or more
   * @param hashesPerKey k, positions of a key
   * @param signatureBits t, positions that an add sets
   * @param threshold q, positions that must be set
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static VariableSignatureShape of(
      long bits, int hashesPerKey, int signatureBits, int threshold) {
    return new VariableSignatureShape(bits, hashesPerKey, signatureBits, threshold);
  }

  /**
   * The bits of a key that may be lost before the key is.
   *
   * @return t − q
   */
  public int slack() {
    return signatureBits - threshold;
  }

  @Override
  public long sizeInBits() {
    return bits;
  }

  /** {@inheritDoc} Here: the mean of {@link #rateAtFill} after adds of t bits each. */
  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    double thrown = Math.min((double) keys * signatureBits, MAX_LOAD);
    return Fill.expect(bits, (long) thrown, 0, 0, this::rateAtFill);
  }

  /**
   * The false-positive rate at a fill: P[Bin(k, fill) ≥ q].
   *
   * @param fill the share of bits that are set, 0 … 1
   * @return the probability that a random key is reported present
   */
  public double rateAtFill(double fill) {
    Arguments.inRange("fill", fill, 0, 1);
    return atLeast(threshold, hashesPerKey, fill);
  }

  /**
   * The probability that a key whose t bits were set is reported absent after bits were cleared
   * independently of it, by the removal of others or by ageing: the probability that Bin(t, 1 − c)
   * + Bin(k − t, fill) is below q.
   *
   * @param cleared c, the share of all positions that were cleared and not set again, 0 … 1
   * @param fill the share of bits that are set now, 0 … 1
   * @return the false-negative rate
   */
  public double falseNegativeRate(double cleared, double fill) {
    Arguments.inRange("cleared", cleared, 0, 1);
    Arguments.inRange("fill", fill, 0, 1);
    double lost = 0;
    for (int noise = 0; noise <= hashesPerKey - signatureBits; noise++) {
      lost +=
          at(noise, hashesPerKey - signatureBits, fill)
              * atLeast(slack() + noise + 1, signatureBits, cleared);
    }
    return Math.min(1, lost);
  }

  private static double atLeast(int least, int trials, double p) {
    double sum = 0;
    for (int x = least; x <= trials; x++) {
      sum += at(x, trials, p);
    }
    return Math.min(1, sum);
  }

  private static double at(int successes, int trials, double p) {
    if (p == 0 || p == 1) {
      return successes == (p == 0 ? 0 : trials) ? 1 : 0;
    }
    return Pmf.binomialAt(successes, trials, p);
  }
}
