package io.bloomery.secure;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;

/**
 * The parameters of a {@link SecureIndex}. All documents have filters of this one shape, as full as
 * if they had {@code maxWords} words.
 *
 * @param bits m, the bits of a document's filter, 1 … {@link Shape#MAX_BITS}
 * @param hashesPerWord r, the number of keys, each of which sets one bit per word, 1 … {@link
 *     Shape#MAX_HASHES_PER_KEY}
 * @param maxWords u, the most distinct words of a document, 1 … 2^27
 */
public record SecureIndexShape(
    @FieldName("bits") long bits,
    @FieldName("hashes per word") int hashesPerWord,
    @FieldName("max words") int maxWords) {

  /** The most words that a document may be allowed to have. */
  public static final int MAX_WORDS = 1 << 27;

  public SecureIndexShape {
    Arguments.inRange("bits", bits, 1, Shape.MAX_BITS);
    Arguments.inRange("hashesPerWord", hashesPerWord, 1, Shape.MAX_HASHES_PER_KEY);
    Arguments.inRange("maxWords", maxWords, 1, MAX_WORDS);
  }

  /**
   * The smallest filters for which a word is found in a document that does not contain it at a rate
   * of at most {@code falsePositiveRate}.
   *
   * @param maxWords the most distinct words of a document, 1 … 2^27
   * @param falsePositiveRate the rate for one document, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static SecureIndexShape forWords(int maxWords, double falsePositiveRate) {
    Arguments.inRange("maxWords", maxWords, 1, MAX_WORDS);
    BloomShape filter = BloomShape.forKeys(maxWords, falsePositiveRate);
    return new SecureIndexShape(filter.bits(), filter.hashesPerKey(), maxWords);
  }

  /**
   * The rate at which a document that does not contain the word is found. Blinding makes it the
   * same for all documents, regardless of their number of words.
   *
   * @return the exact expected rate after {@code maxWords · hashesPerWord} random insertions
   */
  public double falsePositiveRate() {
    return BloomMath.exactRate(bits, maxWords, hashesPerWord);
  }
}
