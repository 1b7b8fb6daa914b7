package io.bloomery.weighted;

import io.bloomery.FilterKind;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * A Bloom filter that gives hot keys more hashes than others, so that it errs less on the most
 * frequent queries. It never reports an added key absent, hot or not. A query for a key that was
 * not added errs with the probability that all bits of its class are set; {@link
 * #falsePositiveRate} is the mean over the queries that its {@link Weights} predict.
 *
 * <p>The hot keys are listed in a table that is part of the filter and its file, so weights are
 * needed only to build the filter, not to use it. The table does not contain keys, only cells of a
 * few bits: another key is mistaken for a hot one at a rate of 2^-cellBits. That costs a few bits
 * of the array and is included in every predicted rate; it loses no key, because the class depends
 * only on the key. Listing pays off for keys that are as likely to be in the set as others but are
 * queried much more often; {@link WeightedShape#forKeys} lists no others, and none at all if it
 * does not pay off.
 *
 * <p>With 10 % of all keys hot and 90 % of the queries for them, the rate falls by a factor of 5.8
 * at 10 bits per key if the table costs nothing. A query costs the same as in a plain filter, plus
 * three cells for keys that are probably present. {@link PopularityBloomFilter} has more than two
 * classes, for a little more memory per listed key.
 *
 * <p>Threads: lock-free. Any number of threads may add and query; once {@code add} has returned,
 * every query that happens after it finds the key. {@link #clear} and {@link #intersect} require
 * that no other thread writes.
 *
 * <p>Bruck, Gao and Jiang, "Weighted Bloom Filter", ISIT 2006. The paper leaves open how a query
 * finds the class of a key; the table (a Bloomier filter, Chazelle et al. 2004) and the choice of
 * how many keys are hot are ours.
 */
public final class WeightedBloomFilter extends ClassedFilter<WeightedShape, WeightedBloomFilter> {

  public static final FilterKind<WeightedBloomFilter> KIND =
      Kind.of(60, "weighted", WeightedBloomFilter.class)
          .question("is x in the set, when some keys are queried most? two classes")
          .codec(WeightedBloomFilter::encode, WeightedBloomFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("weighted", WeightedShape.class)
                          .meets(Need.SKEWED_POPULARITY)
                          .onlyFor(Need.SKEWED_POPULARITY)
                          .sized(WeightedShape::of)
                          .reads(ClassedFilter::usualReads)
                          .why("More hashes for the popular keys, which a small table knows")
                          .needsMore("needs the weights of popular keys")
                          .mergesExactly()
                          .creates(WeightedBloomFilter::create)));

  private WeightedBloomFilter(WeightedShape shape, Hasher hasher, KeyClasses classes, Words words) {
    super(shape, hasher, classes, words);
  }

  /**
   * The smallest filter for a number of keys, a rate and weights.
   *
   * @param expectedKeys how many distinct keys will be added, 1 or more
   * @param falsePositiveRate the highest acceptable rate of a query at that number of keys, above
   *     0, below 1
   * @param weights how often keys are queried
   * @return an empty filter
   */
  public static WeightedBloomFilter create(
      long expectedKeys, double falsePositiveRate, Weights weights) {
    return create(
        WeightedShape.forKeys(expectedKeys, falsePositiveRate, weights.popularity()), weights);
  }

  /**
   * A filter of a given shape, whose hot keys are the most important ones of some weights.
   *
   * @param shape the sizes, and how many keys are hot
   * @param weights how often keys are queried, and the hasher
   * @return an empty filter
   * @throws IllegalArgumentException if the weights have fewer keys than are hot
   */
  public static WeightedBloomFilter create(WeightedShape shape, Weights weights) {
    Objects.requireNonNull(shape, "shape");
    KeyClasses classes = KeyClasses.of(shape, weights);
    return new WeightedBloomFilter(
        shape, weights.hasher(), classes, Words.forBits(shape.bits(), true));
  }

  /**
   * A filter with the array of a shape and without hot keys: every key has the hashes of one that
   * is not hot.
   *
   * @param shape the sizes
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static WeightedBloomFilter create(WeightedShape shape, Hasher hasher) {
    return create(shape.withoutClasses(), Weights.builder(hasher).build());
  }

  private Frame encode() {
    return Frame.of(hasher())
        .put(shape())
        .put("seed", classes.seed())
        .section(words)
        .section(classes.words());
  }

  private static WeightedBloomFilter decode(Frame frame) throws IOException {
    WeightedShape shape = frame.shape(WeightedShape.class);
    long seed = KeyClasses.readSeed(frame, shape.cellBits());
    Words words = frame.bits(0, shape.bits());
    Words cells = frame.bits(1, shape.cells() * shape.cellBits());
    return new WeightedBloomFilter(shape, frame.hasher(), KeyClasses.of(shape, cells, seed), words);
  }

  @Override
  public FilterKind<WeightedBloomFilter> kind() {
    return KIND;
  }

  @Override
  public WeightedBloomFilter copy() {
    return new WeightedBloomFilter(shape(), hasher(), classes, words.copy());
  }
}
