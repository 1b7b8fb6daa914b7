package io.bloomery.weighted;

import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.numeric.SolvedCells;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Popularity;
import io.bloomery.plan.Shape;
import java.util.List;
import java.util.Objects;

/**
 * The shape of a weighted Bloom filter: an array of bits, and a table of the hot keys, which get
 * another number of hashes than all others.
 *
 * @param bits size of the array, 2 … {@link Shape#MAX_BITS}
 * @param scheme how a key's positions are computed; not {@link IndexScheme#PARTITIONED}
 * @param hashesPerKey hashes of a key that is not hot, 1 … {@link Shape#MAX_HASHES_PER_KEY}
 * @param hot the hot keys: how many hashes and how many keys, and their share of members and
 *     queries, by which rates are predicted
 * @param cellBits bits per cell of the table of the hot keys, 1 … 32; 0 if there are none
 * @param layout where the k cells of a key lie: 1, one in each of k equal parts; 2, one in each of
 *     k neighbouring segments (binary fuse filter, Graf and Lemire 2022)
 * @param cells all cells, 3 … 2^30: a multiple of k, or k or more segments; without hot keys those
 *     for one key
 * @param cellsPerKey k, 3 or 4
 * @param segmentLog binary logarithm of the cells of a segment, 0…18; 0 without segments
 */
public record WeightedShape(
    @FieldName("bits") long bits,
    @FieldName("scheme") IndexScheme scheme,
    @FieldName("probes") int hashesPerKey,
    ClassShape.HashClass hot,
    @FieldName("cell bits") int cellBits,
    @FieldName("layout") int layout,
    @FieldName("cells") long cells,
    @FieldName("cells per key") int cellsPerKey,
    @FieldName("segment log") int segmentLog)
    implements ClassShape {

  public WeightedShape {
    ClassTable table =
        new ClassTable(cellBits, new SolvedCells.Peeled(layout, cells, cellsPerKey, segmentLog));
    check(bits, scheme, hashesPerKey, List.of(hot), table);
  }

  /** The shape of a given table. */
  WeightedShape(
      long bits, IndexScheme scheme, int hashesPerKey, ClassShape.HashClass hot, ClassTable table) {
    this(
        bits,
        scheme,
        hashesPerKey,
        hot,
        table.cellBits(),
        table.cells().layout().wireId(),
        table.cells().cells(),
        table.cells().cellsPerKey(),
        table.cells().segmentLog());
  }

  /** Checks the parameters that both shapes of this package share. */
  static void check(
      long bits,
      IndexScheme scheme,
      int hashesPerKey,
      List<ClassShape.HashClass> classes,
      ClassTable table) {
    Arguments.inRange("bits", bits, 2, MAX_BITS);
    Objects.requireNonNull(scheme, "scheme");
    int most = (int) Math.min(MAX_HASHES_PER_KEY, bits);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, most);
    if (scheme == IndexScheme.PARTITIONED) {
      throw new IllegalArgumentException(
          "scheme = PARTITIONED has a slice for each hash, and keys have different numbers of"
              + " them");
    }
    double members = 0;
    double queries = 0;
    long keys = 0;
    for (ClassShape.HashClass each : classes) {
      Arguments.inRange("hashesPerKey of a class", each.hashesPerKey(), 1, most);
      keys += each.keyCount();
      members += each.members();
      queries += each.queries();
    }
    double slack = 1e-9;
    Arguments.inRange("members of all classes", members, 0, 1 + slack);
    Arguments.inRange("queries of all classes", queries, 0, 1 + slack);
    Arguments.inRange("keys of all classes", keys, 0, ClassTable.MAX_KEYS);
    if ((keys == 0) != (table.cellBits() == 0)) {
      throw new IllegalArgumentException(
          keys + " keys are listed in cells of " + table.cellBits() + " bits");
    }
    if (keys > 0 && classes.size() > 1L << table.cellBits()) {
      throw new IllegalArgumentException(
          classes.size() + " classes do not fit into cells of " + table.cellBits() + " bits");
    }
  }

  /**
   * The smallest filter for a rate. Keys are listed only as long as that makes the filter smaller.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate of a query, in (0, 1) and at least {@code expectedKeys ·
   *     2^-57}
   * @param popularity how queries are distributed over keys
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static WeightedShape forKeys(
      long expectedKeys, double falsePositiveRate, Popularity popularity) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    return (WeightedShape)
        new ClassSizing(expectedKeys, popularity, 1, 1).forRate(falsePositiveRate);
  }

  /**
   * The filter with the lowest rate within a memory budget, which includes the table of hot keys.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 … {@link Shape#MAX_BITS}
   * @param popularity how queries are distributed over keys
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static WeightedShape forBudget(long expectedKeys, long bits, Popularity popularity) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    return (WeightedShape) new ClassSizing(expectedKeys, popularity, 1, 1).forBudget(bits);
  }

  /**
   * A filter of given parameters, as papers specify it, with cells of 8 bits.
   *
   * @param bits size of the array, 2 … {@link Shape#MAX_BITS}
   * @param hashesPerKey hashes of a key that is not hot, 1 … {@link Shape#MAX_HASHES_PER_KEY}
   * @param hot the hot keys
   * @return the shape, with {@link IndexScheme#POWERS}
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static WeightedShape of(long bits, int hashesPerKey, ClassShape.HashClass hot) {
    return of(bits, IndexScheme.POWERS, hashesPerKey, hot, 8);
  }

  /**
   * A filter of given parameters.
   *
   * @param bits size of the array, 2 … {@link Shape#MAX_BITS}
   * @param scheme how a key's positions are computed; not {@link IndexScheme#PARTITIONED}
   * @param hashesPerKey hashes of a key that is not hot, 1 … {@link Shape#MAX_HASHES_PER_KEY}
   * @param hot the hot keys
   * @param cellBits bits per cell of the table, 1 … 32: of 2^cellBits keys that are not hot one is
   *     mistaken for a hot one
   * @return the shape with the smallest table for the hot keys
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static WeightedShape of(
      long bits, IndexScheme scheme, int hashesPerKey, ClassShape.HashClass hot, int cellBits) {
    return new WeightedShape(
        bits, scheme, hashesPerKey, hot, ClassTable.forKeys(hot.keyCount(), cellBits));
  }

  /** The shape for the planner. */
  static WeightedShape of(Needs needs) {
    Popularity popularity = popularity(needs);
    return needs.rate().isPresent()
        ? forKeys(needs.keys(), needs.rate().getAsDouble(), popularity)
        : forBudget(needs.keys(), needs.budget().orElseThrow(), popularity);
  }

  /**
   * The popularity to plan for: by default Zipf's law over twice as many keys, if a table can list
   * that many.
   */
  static Popularity popularity(Needs needs) {
    return needs
        .popularity()
        .orElseGet(
            () ->
                Popularity.zipf(
                    2 * Sizing.requireAtMost("keys", needs.keys(), 1, SolvedCells.Peeled.MAX_KEYS),
                    1));
  }

  /** {@inheritDoc} Here: the hot keys. */
  @Override
  public List<ClassShape.HashClass> classes() {
    return List.of(hot);
  }

  @Override
  public WeightedBloomFilter create(Weights weights) {
    return WeightedBloomFilter.create(this, weights);
  }

  /** This array without hot keys. */
  WeightedShape withoutClasses() {
    ClassShape.HashClass none = new ClassShape.HashClass(hashesPerKey, 0, 0, 0);
    return new WeightedShape(bits, scheme, hashesPerKey, none, ClassTable.NONE);
  }
}
