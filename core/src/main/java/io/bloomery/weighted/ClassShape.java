package io.bloomery.weighted;

import io.bloomery.AddableFilter;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Occupancy;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.numeric.SolvedCells;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import java.util.List;

/**
 * The common part of shapes whose keys have different numbers of hashes: an array of bits, classes
 * of listed keys, a table of them, and a number of hashes for all other keys.
 *
 * <p>Rates are those of a query with the shares that the classes state, including keys that are
 * mistaken for a listed one.
 */
public sealed interface ClassShape extends Shape permits WeightedShape, PopularityShape {

  /**
   * The size of the array.
   *
   * @return bits
   */
  long bits();

  /**
   * How the positions of a key are computed.
   *
   * @return a scheme whose first positions do not depend on the number of hashes
   */
  IndexScheme scheme();

  /**
   * The hashes of a key that is not listed.
   *
   * @return 1 … {@link Shape#MAX_HASHES_PER_KEY}
   */
  int hashesPerKey();

  /**
   * The classes of listed keys.
   *
   * @return an unmodifiable list
   */
  List<HashClass> classes();

  /**
   * Bits per cell of the table of listed keys. A key that is not listed is mistaken for one of a
   * given class with probability 2^-cellBits.
   *
   * @return 1 … 32; 0 without a table, because no key is listed
   */
  int cellBits();

  /**
   * The layout of the k cells of a key in the table.
   *
   * @return 1: one in each of k equal parts; 2: one in each of k neighbouring segments
   */
  int layout();

  /**
   * The number of cells of the table.
   *
   * @return 3 … 2^30; that for one key without a table
   */
  long cells();

  /**
   * k, the cells of a key in the table.
   *
   * @return 3 or 4
   */
  int cellsPerKey();

  /**
   * The binary logarithm of the cells of a segment.
   *
   * @return 0 … 18; 0 without segments
   */
  int segmentLog();

  /**
   * A filter of this shape, whose listed keys are the most important ones of some weights.
   *
   * @param weights how often keys are queried, and the hasher
   * @return an empty filter
   * @throws IllegalArgumentException if the weights have fewer keys than are listed
   */
  AddableFilter create(Weights weights);

  /** {@inheritDoc} Here: the array and the table. */
  @Override
  default long sizeInBits() {
    return bits() + cells() * cellBits();
  }

  /**
   * The most words that a query reads: the bits of the class with the most hashes, and three cells.
   *
   * @return 1 or more
   */
  default int memoryAccesses() {
    int most = hashesPerKey();
    for (HashClass each : classes()) {
      most = Math.max(most, each.hashesPerKey());
    }
    return cellBits() == 0 ? most : most + cellsPerKey();
  }

  /**
   * The number of hashes of a member, on average.
   *
   * @return 1 … {@link Shape#MAX_HASHES_PER_KEY}
   */
  default double hashesPerMember() {
    double confusion = ClassTable.confusion(cellBits());
    double listed = classes().stream().mapToDouble(HashClass::members).sum();
    double mean = (1 - listed) * (1 - confusion * classes().size()) * hashesPerKey();
    for (HashClass each : classes()) {
      mean += (each.members() + (1 - listed) * confusion) * each.hashesPerKey();
    }
    return mean;
  }

  /**
   * The share of the queries for keys that take a number of hashes, whether they are of that class
   * or mistaken for one of it; {@code which} is the number of a class, -1 for all other keys.
   */
  private double queries(int which) {
    double confusion = ClassTable.confusion(cellBits());
    double others = 1 - classes().stream().mapToDouble(HashClass::queries).sum();
    return which < 0
        ? others * (1 - confusion * classes().size())
        : classes().get(which).queries() + others * confusion;
  }

  /**
   * The rate of a query if a share of the bits is set.
   *
   * @param fill the share, 0 … 1
   * @return Σ r·fill^k over the classes and all other keys
   */
  default double rateAt(double fill) {
    double rate = queries(-1) * Math.pow(fill, hashesPerKey());
    for (int i = 0; i < classes().size(); i++) {
      rate += queries(i) * Math.pow(fill, classes().get(i).hashesPerKey());
    }
    return Math.min(1, rate);
  }

  /** {@inheritDoc} Here: the rate of a query, distributed over the classes as they state. */
  @Override
  default double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    long throwsOfAll = Math.round(Math.min(0x1p62, keys * hashesPerMember()));
    double rate = queries(-1) * Occupancy.allHit(bits(), throwsOfAll, hashesPerKey());
    for (int i = 0; i < classes().size(); i++) {
      rate += queries(i) * Occupancy.allHit(bits(), throwsOfAll, classes().get(i).hashesPerKey());
    }
    return Math.min(1, rate);
  }

  /**
   * How many times more often a plain Bloom filter of the same size errs.
   *
   * @param keys number of distinct keys, 1 … {@link Shape#MAX_KEYS}
   * @return the rate of the plain filter divided by that of this shape
   */
  default double gain(long keys) {
    long budget = Math.max(Long.SIZE, sizeInBits());
    return BloomShape.forBudget(keys, budget).falsePositiveRate(keys) / falsePositiveRate(keys);
  }

  /**
   * Keys that a filter lists and gives another number of hashes than all others.
   *
   * @param hashesPerKey the number of hashes, 1 … {@link Shape#MAX_HASHES_PER_KEY}
   * @param keyCount how many keys there are in this class, 0 … 2^27
   * @param members the share of the members that are expected to be of this class, 0 … 1
   * @param queries the share of the queries for keys outside the set that are for this class, 0 … 1
   */
  public record HashClass(
      @FieldName("hot probes") int hashesPerKey,
      @FieldName("hot keys") long keyCount,
      @FieldName("hot members") double members,
      @FieldName("hot queries") double queries) {

    public HashClass {
      Arguments.inRange("hashesPerKey", hashesPerKey, 1, Shape.MAX_HASHES_PER_KEY);
      Arguments.inRange("keyCount", keyCount, 0, SolvedCells.Peeled.MAX_KEYS);
      Arguments.inRange("members", members, 0, 1);
      Arguments.inRange("queries", queries, 0, 1);
    }
  }
}
