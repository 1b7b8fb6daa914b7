package io.bloomery.weighted;

import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.SolvedCells;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Popularity;
import io.bloomery.plan.Shape;
import java.util.List;

/**
 * The shape of a popularity-conscious Bloom filter: an array of bits, and a table of keys in
 * classes, each with its own number of hashes.
 *
 * @param bits size of the array, 2 … {@link Shape#MAX_BITS}
 * @param scheme how a key's positions are computed; not {@link IndexScheme#PARTITIONED}
 * @param hashesPerKey hashes of a key that is not listed, 1 … {@link Shape#MAX_HASHES_PER_KEY}
 * @param classes the classes of listed keys, {@link #MAX_CLASSES} at most, the most important first
 * @param cellBits bits per cell of the table of the listed keys, 1 … 32; 0 if there are none
 * @param layout where the k cells of a key lie: 1, one in each of k equal parts; 2, one in each of
 *     k neighbouring segments (binary fuse filter, Graf and Lemire 2022)
 * @param cells all cells, 3 … 2^30: a multiple of k, or k or more segments; without listed keys
 *     those for one key
 * @param cellsPerKey k, 3 or 4
 * @param segmentLog binary logarithm of the cells of a segment, 0…18; 0 without segments
 */
public record PopularityShape(
    long bits,
    IndexScheme scheme,
    int hashesPerKey,
    List<ClassShape.HashClass> classes,
    int cellBits,
    int layout,
    long cells,
    int cellsPerKey,
    int segmentLog)
    implements ClassShape {

  /** The most classes of listed keys. */
  public static final int MAX_CLASSES = Popularity.MAX_GROUPS;

  private static final int MAX_FILTERS = 1 << 20;

  public PopularityShape {
    classes = List.copyOf(classes);
    Arguments.inRange("classes", classes.size(), 0, MAX_CLASSES);
    ClassTable table =
        new ClassTable(cellBits, new SolvedCells.Peeled(layout, cells, cellsPerKey, segmentLog));
    WeightedShape.check(bits, scheme, hashesPerKey, classes, table);
  }

  /** The shape of a given table. */
  PopularityShape(
      long bits,
      IndexScheme scheme,
      int hashesPerKey,
      List<ClassShape.HashClass> classes,
      ClassTable table) {
    this(
        bits,
        scheme,
        hashesPerKey,
        classes,
        table.cellBits(),
        table.cells().layout().wireId(),
        table.cells().cells(),
        table.cells().cellsPerKey(),
        table.cells().segmentLog());
  }

  /**
   * The smallest filter for a rate: the dual of the problem that Zhong et al. solve. Keys are
   * listed only as long as that makes the filter smaller.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate of a query, in (0, 1) and at least {@code expectedKeys ·
   *     2^-57}
   * @param popularity how queries are distributed over keys
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static PopularityShape forKeys(
      long expectedKeys, double falsePositiveRate, Popularity popularity) {
    return forKeys(expectedKeys, falsePositiveRate, popularity, 1);
  }

  /**
   * The smallest filter for a rate, where several filters {@linkplain PopularityBloomFilter#another
   * share} one table.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate of a query, in (0, 1) and at least {@code expectedKeys ·
   *     2^-57}
   * @param popularity how queries are distributed over keys
   * @param filters how many filters share the table, 1 … 2^20: each is charged its share
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static PopularityShape forKeys(
      long expectedKeys, double falsePositiveRate, Popularity popularity, int filters) {
    return (PopularityShape) sizing(expectedKeys, popularity, filters).forRate(falsePositiveRate);
  }

  /**
   * The filter with the lowest rate within a memory budget, which includes the table of listed
   * keys.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 … {@link Shape#MAX_BITS}
   * @param popularity how queries are distributed over keys
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static PopularityShape forBudget(long expectedKeys, long bits, Popularity popularity) {
    return forBudget(expectedKeys, bits, popularity, 1);
  }

  /**
   * The filter with the lowest rate within a memory budget, where several filters {@linkplain
   * PopularityBloomFilter#another share} one table.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget of each filter, 64 … {@link Shape#MAX_BITS}
   * @param popularity how queries are distributed over keys
   * @param filters how many filters share the table, 1 … 2^20: each is charged its share
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static PopularityShape forBudget(
      long expectedKeys, long bits, Popularity popularity, int filters) {
    return (PopularityShape) sizing(expectedKeys, popularity, filters).forBudget(bits);
  }

  private static ClassSizing sizing(long expectedKeys, Popularity popularity, int filters) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    Arguments.inRange("filters", filters, 1, MAX_FILTERS);
    return new ClassSizing(expectedKeys, popularity, MAX_CLASSES, filters);
  }

  /**
   * A filter of given parameters, as papers specify it, with cells that mistake 1 in 256 unlisted
   * keys for a listed one.
   *
   * @param bits size of the array, 2 … {@link Shape#MAX_BITS}
   * @param hashesPerKey hashes of a key that is not listed, 1 … {@link Shape#MAX_HASHES_PER_KEY}
   * @param classes the classes of listed keys, {@link #MAX_CLASSES} at most
   * @return the shape, with {@link IndexScheme#POWERS}
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static PopularityShape of(
      long bits, int hashesPerKey, List<ClassShape.HashClass> classes) {
    int codeBits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, classes.size() - 1));
    return of(bits, IndexScheme.POWERS, hashesPerKey, classes, 8 + codeBits);
  }

  /**
   * A filter of given parameters.
   *
   * @param bits size of the array, 2 … {@link Shape#MAX_BITS}
   * @param scheme how a key's positions are computed; not {@link IndexScheme#PARTITIONED}
   * @param hashesPerKey hashes of a key that is not listed, 1 … {@link Shape#MAX_HASHES_PER_KEY}
   * @param classes the classes of listed keys, {@link #MAX_CLASSES} at most
   * @param cellBits bits per cell of the table, 1 … 32: of 2^cellBits keys that are not listed one
   *     is mistaken for one of a given class
   * @return the shape with the smallest table for the listed keys
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static PopularityShape of(
      long bits,
      IndexScheme scheme,
      int hashesPerKey,
      List<ClassShape.HashClass> classes,
      int cellBits) {
    long keys = classes.stream().mapToLong(ClassShape.HashClass::keyCount).sum();
    return new PopularityShape(
        bits, scheme, hashesPerKey, classes, ClassTable.forKeys(keys, cellBits));
  }

  /** The shape for the planner. */
  static PopularityShape of(Needs needs) {
    Popularity popularity = WeightedShape.popularity(needs);
    return needs.rate().isPresent()
        ? forKeys(needs.keys(), needs.rate().getAsDouble(), popularity)
        : forBudget(needs.keys(), needs.budget().orElseThrow(), popularity);
  }

  @Override
  public PopularityBloomFilter create(Weights weights) {
    return PopularityBloomFilter.create(this, weights);
  }

  /** This array without listed keys. */
  PopularityShape withoutClasses() {
    return new PopularityShape(bits, scheme, hashesPerKey, List.of(), ClassTable.NONE);
  }
}
