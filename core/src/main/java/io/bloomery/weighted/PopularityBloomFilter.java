package io.bloomery.weighted;

import io.bloomery.FilterKind;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A Bloom filter in which the number of hashes of a key depends on its popularity: the lowest rate
 * that an array of bits can have for given queries. It never reports an added key absent. A query
 * for a key that was not added errs with the probability that all bits of its class are set; {@link
 * #falsePositiveRate} is the mean over the queries that its {@link Weights} predict.
 *
 * <p>Popular keys, in up to 63 classes of equal numbers of hashes, are listed in a table that is
 * part of the filter and its file, as in {@link WeightedBloomFilter}, which documents its cost; all
 * other keys have the same number of hashes. {@link io.bloomery.theory.PopularityMath} has the
 * solvers; {@link PopularityShape#forKeys} is the dual, the smallest array for a rate.
 *
 * <p>Few members are hot keys, so two classes already spend almost nothing on them; more classes
 * pay off only where the cells of the table cost little, because many filters share it ({@link
 * #another}), as in the paper's cooperative caches.
 *
 * <p>Threads: lock-free. Any number of threads may add and query; once {@code add} has returned,
 * every query that happens after it finds the key. {@link #clear} and {@link #intersect} require
 * that no other thread writes.
 *
 * <p>Zhong, Lu, Shen and Seiferas, "Optimizing data popularity conscious Bloom filters", PODC 2008.
 * Deviations: keys are solved in groups of similar importance, and solved exactly, where the paper
 * has approximation factors of 2 and 2 + ε; the table, which the paper leaves to the application,
 * is part of the filter and its size.
 */
public final class PopularityBloomFilter
    extends ClassedFilter<PopularityShape, PopularityBloomFilter> {

  public static final FilterKind<PopularityBloomFilter> KIND =
      Kind.of(61, "popularity", PopularityBloomFilter.class)
          .question("is x in the set, when some keys are queried most? many classes: the smallest")
          .codec(PopularityBloomFilter::encode, PopularityBloomFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("popularity", PopularityShape.class)
                          .meets(Need.SKEWED_POPULARITY)
                          .onlyFor(Need.SKEWED_POPULARITY)
                          .sized(PopularityShape::of)
                          .reads(ClassedFilter::usualReads)
                          .why("As many hashes as the popularity of each key deserves")
                          .needsMore("needs the weights of popular keys")
                          .mergesExactly()
                          .creates(PopularityBloomFilter::create)));

  private static final int WORDS_PER_CLASS = 4;

  private PopularityBloomFilter(
      PopularityShape shape, Hasher hasher, KeyClasses classes, Words words) {
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
  public static PopularityBloomFilter create(
      long expectedKeys, double falsePositiveRate, Weights weights) {
    return create(
        PopularityShape.forKeys(expectedKeys, falsePositiveRate, weights.popularity()), weights);
  }

  /**
   * A filter of a given shape, whose listed keys are the most important ones of some weights, in
   * the order of the classes.
   *
   * @param shape the sizes, and how many keys are of each class
   * @param weights how often keys are queried, and the hasher
   * @return an empty filter
   * @throws IllegalArgumentException if the weights have fewer keys than are listed
   */
  public static PopularityBloomFilter create(PopularityShape shape, Weights weights) {
    Objects.requireNonNull(shape, "shape");
    KeyClasses classes = KeyClasses.of(shape, weights);
    return new PopularityBloomFilter(
        shape, weights.hasher(), classes, Words.forBits(shape.bits(), true));
  }

  /**
   * A filter with the array of a shape and without listed keys: all keys have the same number of
   * hashes.
   *
   * @param shape the sizes
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static PopularityBloomFilter create(PopularityShape shape, Hasher hasher) {
    return create(shape.withoutClasses(), Weights.builder(hasher).build());
  }

  /**
   * An empty filter that shares the shape, the hasher and the table of this one, for many sets of
   * the same objects, such as the caches of many peers. Filters that share a table can be merged.
   * Each file holds its own copy.
   *
   * @return an empty filter
   */
  public PopularityBloomFilter another() {
    return new PopularityBloomFilter(
        shape(), hasher(), classes, Words.forBits(shape().bits(), true));
  }

  /** The fields of a file; those of the table follow. */
  private record Header(
      @FieldName("bits") long bits,
      @FieldName("scheme") IndexScheme scheme,
      @FieldName("probes") int hashesPerKey,
      @FieldName("classes") int classes) {
    Header {
      Arguments.inRange("bits", bits, 2, Shape.MAX_BITS);
      Arguments.inRange("classes", classes, 0, PopularityShape.MAX_CLASSES);
    }
  }

  private Frame encode() {
    PopularityShape shape = shape();
    Words rows = Words.allocate((long) WORDS_PER_CLASS * shape.classes().size(), false);
    long[] table = rows.writable();
    int at = Words.BASE;
    for (ClassShape.HashClass each : shape.classes()) {
      table[at++] = each.hashesPerKey();
      table[at++] = each.keyCount();
      table[at++] = Double.doubleToLongBits(each.members());
      table[at++] = Double.doubleToLongBits(each.queries());
    }
    return Frame.of(hasher())
        .put(new Header(shape.bits(), shape.scheme(), shape.hashesPerKey(), shape.classes().size()))
        .put(ClassTable.of(shape))
        .put("seed", classes.seed())
        .section(words)
        .section(rows)
        .section(classes.words());
  }

  private static PopularityBloomFilter decode(Frame frame) throws IOException {
    Header header = frame.shape(Header.class);
    ClassTable table = frame.shape(ClassTable.class);
    long seed = KeyClasses.readSeed(frame, table.cellBits());
    Words words = frame.bits(0, header.bits);
    List<ClassShape.HashClass> classes = new ArrayList<>();
    Words rows = frame.section(1, (long) WORDS_PER_CLASS * header.classes);
    for (long at = 0; at < rows.length(); at += WORDS_PER_CLASS) {
      long row = at;
      classes.add(frame.make(() -> readClass(rows, row)));
    }
    PopularityShape shape =
        frame.make(
            () ->
                new PopularityShape(
                    header.bits, header.scheme, header.hashesPerKey, classes, table));
    Words cells = frame.bits(2, table.sizeInBits());
    return new PopularityBloomFilter(
        shape, frame.hasher(), KeyClasses.of(shape, cells, seed), words);
  }

  private static ClassShape.HashClass readClass(Words rows, long at) {
    long hashes = Arguments.inRange("hashes", rows.get(at), 1, Shape.MAX_HASHES_PER_KEY);
    return new ClassShape.HashClass(
        (int) hashes,
        rows.get(at + 1),
        Double.longBitsToDouble(rows.get(at + 2)),
        Double.longBitsToDouble(rows.get(at + 3)));
  }

  @Override
  public FilterKind<PopularityBloomFilter> kind() {
    return KIND;
  }

  @Override
  public PopularityBloomFilter copy() {
    return new PopularityBloomFilter(shape(), hasher(), classes, words.copy());
  }
}
