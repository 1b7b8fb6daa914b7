package io.bloomery.secure;

import io.bloomery.QueryCost;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import java.util.Objects;

/**
 * The shape of an {@link EncryptedFilter}: a Bloom filter, and the group of its elements.
 *
 * @param bloom bits, hashes per key and index scheme, which is {@link IndexScheme#PRF} but in old
 *     files
 * @param group {@link EncryptionKey.SafePrime#number()}: 14, 15, or 0 for a prime that the parties
 *     agreed on
 */
public record EncryptedShape(BloomShape bloom, @FieldName("group") int group)
    implements Shape, QueryCost {

  public EncryptedShape {
    Objects.requireNonNull(bloom, "bloom");
    Arguments.inRange("bits", bloom.bits(), 2, MAX_BITS);
    Arguments.inRange(
        "hashesPerKey", bloom.hashesPerKey(), 1, (int) Math.min(bloom.bits(), MAX_HASHES_PER_KEY));
    Arguments.oneOf("group", group, 0, 14, 15);
  }

  /**
   * The smallest filter for a number of words and a rate.
   *
   * @param expectedWords how many distinct words will be added, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the highest acceptable rate, in (0, 1)
   * @param group the group in which words are encrypted
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static EncryptedShape forKeys(
      long expectedWords, double falsePositiveRate, EncryptionKey.SafePrime group) {
    return new EncryptedShape(
        BloomShape.forKeys(expectedWords, falsePositiveRate, IndexScheme.PRF), group.number());
  }

  /**
   * Refuses shapes whose positions reveal the hash of a word, even among decoys. Filters of such
   * shapes were written before there was {@link IndexScheme#PRF}; they open, but are not used.
   */
  void requirePseudorandom() {
    if (bloom.scheme() != IndexScheme.PRF) {
      throw new IllegalArgumentException(
          "shape.bloom.scheme = "
              + bloom.scheme()
              + ": its positions reveal the hash of a word; encrypt the words again into a filter"
              + " of scheme PRF");
    }
  }

  @Override
  public long sizeInBits() {
    return bloom.sizeInBits();
  }

  @Override
  public double falsePositiveRate(long keys) {
    return bloom.falsePositiveRate(keys);
  }

  /** {@inheritDoc} Here: that of the Bloom filter. */
  @Override
  public int hashBits() {
    return bloom.hashBits();
  }

  /** {@inheritDoc} Here: that of the Bloom filter. */
  @Override
  public int memoryAccesses() {
    return bloom.memoryAccesses();
  }
}
