package io.bloomery.secure;

import io.bloomery.FilterKind;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.frame.WordAccess;
import io.bloomery.membership.BloomFilter;
import java.io.IOException;
import java.util.Objects;

/**
 * A Bloom filter of encrypted words, which others query through a third party. Its owner does not
 * see who asks, the third party does not see words, and the client sees nothing but answers.
 *
 * <p>The keys of this filter are encryptions under the owner's key ({@link EncryptionKey#encrypt}),
 * as bytes; the word itself is not a key, and {@code mightContain("word")} answers for it as for
 * any bytes that were not added. Without the key no one can test guesses, so the file may be stored
 * where the owner would not leave a plain filter. The parties, each with its own part:
 *
 * <ul>
 *   <li>{@link EncryptedOwner} (B) has a key and this filter, and answers with bits.
 *   <li>{@link EncryptedClient} (A) has another key, and asks.
 *   <li>{@link ThirdParty} (Ted) has the ratio of the keys. It turns a query into the owner's
 *       encryption, refuses what is not allowed, and asks the owner for positions, among decoys.
 * </ul>
 *
 * <p>No word is lost: false means certainly absent. The rate is that of a plain Bloom filter. Each
 * of the parties does about one exponentiation per word, some milliseconds; a filter of a million
 * words takes more than an hour to build. {@link ObliviousFilter} needs no third party and is
 * faster, but its filter is public. What the parties learn by working together: docs/threats.md.
 *
 * <p>Threads: as the {@link BloomFilter} that it consists of.
 *
 * <p>Bellovin and Cheswick 2004, "Privacy-Enhanced Searches Using Encrypted Bloom Filters".
 * Deviations: words are mapped to squares modulo p, and positions come from a hash of the
 * encryption, not from slices of its bits, so that any number of hashes fits any group.
 */
public final class EncryptedFilter extends ShapedFilter<EncryptedShape> {

  public static final FilterKind<EncryptedFilter> KIND =
      Kind.of(78, "encrypted", EncryptedFilter.class)
          .question("is the word in it whose encryption is x? asked through a third party")
          .codec(EncryptedFilter::encode, EncryptedFilter::decode)
          .derivedKeys("encryptions of words")
          .unplanned("holds encryptions of words, which its owner makes one by one");

  private final BloomFilter bloom;
  private final long keyCheck;
  private final Words words;

  private EncryptedFilter(EncryptedShape shape, long keyCheck, BloomFilter bloom) {
    super(shape, bloom.hasher());
    this.bloom = bloom;
    this.keyCheck = keyCheck;
    this.words = WordAccess.of(bloom, BloomFilter.KIND);
  }

  /** An empty filter of an owner. */
  static EncryptedFilter create(EncryptedShape shape, Hasher hasher, long keyCheck) {
    Objects.requireNonNull(shape, "shape");
    return new EncryptedFilter(shape, keyCheck, BloomFilter.create(shape.bloom(), hasher));
  }

  /**
   * A filter of words that were encrypted elsewhere, on several machines for example.
   *
   * @param shape the parameters
   * @param hasher what hashed the encryptions
   * @param keyCheck {@link EncryptionKey#check()} of the key
   * @param hashes hashes of encryptions of the words
   * @return the filter
   */
  public static EncryptedFilter ofHashes(
      EncryptedShape shape, Hasher hasher, long keyCheck, long... hashes) {
    EncryptedFilter filter = create(shape, hasher, keyCheck);
    filter.bloom.addHashes(hashes, 0, hashes.length);
    return filter;
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).put("key check", keyCheck).section(words);
  }

  private static EncryptedFilter decode(Frame frame) throws IOException {
    EncryptedShape shape = frame.shape(EncryptedShape.class);
    long keyCheck = frame.number("key check", Long.MIN_VALUE, Long.MAX_VALUE);
    BloomFilter bloom = frame.decodePart(BloomFilter.KIND, shape.bloom(), 0, shape.bloom().bits());
    return new EncryptedFilter(shape, keyCheck, bloom);
  }

  @Override
  public FilterKind<EncryptedFilter> kind() {
    return KIND;
  }

  /**
   * Under which key the words are encrypted.
   *
   * @return {@link EncryptionKey#check()} of the owner's key
   */
  public long keyCheck() {
    return keyCheck;
  }

  /** Sets the positions of a hash; false proves nothing, true that it is new. */
  boolean insert(long hash) {
    return bloom.addHash(hash);
  }

  /** Whether a position is set. */
  boolean isSet(long position) {
    return words.getBit(position);
  }

  @Override
  public boolean mightContainHash(long hash) {
    return bloom.mightContainHash(hash);
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    return bloom.mightContainHashes(hashes, from, to, hits);
  }

  /** {@inheritDoc} Here: that of the Bloom filter. */
  @Override
  public double falsePositiveRate() {
    return bloom.falsePositiveRate();
  }
}
