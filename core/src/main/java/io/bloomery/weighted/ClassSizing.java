package io.bloomery.weighted;

import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.numeric.SizeSearch;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.numeric.SolvedCells;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Popularity;
import io.bloomery.plan.Shape;
import io.bloomery.theory.PopularityMath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides how many keys to list, in how many classes, how wide the cells of their table are, and
 * how many hashes each class gets. The first groups of a popularity are listed, the rest are not.
 *
 * <p>Listing a key costs cells, which a plain filter would spend on more bits. For a given size,
 * the listing is chosen by the rate that fractional numbers of hashes would reach; the whole
 * numbers are then chosen by their actual rate.
 */
final class ClassSizing {

  /**
   * The likelihood of membership assumed for keys without a stated one, capped by the share of keys
   * that can be members.
   */
  private static final double LIKELIHOOD = 0.5;

  /** The numbers of classes to try; beyond a few, more classes cost more than they gain. */
  private static final int[] CLASSES = {1, 2, 3, 4, 6, 8, 12};

  private static final int MAX_CELL_BITS = 24;
  private static final int USUAL_CELL_BITS = 6;
  private static final int MOST = Shape.MAX_HASHES_PER_KEY;
  private static final double LN2 = Math.log(2);

  /** Bits per key of a plain filter for a rate, divided by its logarithm. */
  private static final double BITS_PER_NAT = 1 / (LN2 * LN2);

  /** The number of times that a listing is chosen again for the size of the previous one. */
  private static final int ROUNDS = 2;

  /** The listed keys: the first groups, the width of their cells, and their number of classes. */
  private record Listing(int groups, int cellBits, int classes) {
    static final Listing NONE = new Listing(0, 1, 0);
  }

  private final long keys;
  private final int mostClasses;
  private final int filters; // that share a table
  private final long[] listed; // keys of the first i groups
  private final long[] cells; // cells of the table that lists these keys
  private final double[] members; // expected, of each group and of all other keys
  private final double[] queries; // the share of queries for keys outside of the set
  private final double[] importance; // of each group, a logarithm

  ClassSizing(long keys, Popularity popularity, int mostClasses, int filters) {
    this.keys = keys;
    this.mostClasses = mostClasses;
    this.filters = filters;
    List<Popularity.Group> groups = popularity.groups();
    int count = groups.size();
    this.listed = new long[count + 1];
    this.cells = new long[count + 1];
    this.members = new double[count + 1];
    this.queries = new double[count + 1];
    this.importance = new double[count];
    double unknown = Math.min(LIKELIHOOD, (double) keys / Math.max(1, popularity.keyCount()));
    double known = 0;
    double asked = 0;
    for (int i = 0; i < count; i++) {
      Popularity.Group group = groups.get(i);
      double likelihood = Double.isNaN(group.likelihood()) ? unknown : group.likelihood();
      listed[i + 1] = listed[i] + group.keyCount();
      cells[i + 1] =
          listed[i + 1] > SolvedCells.Peeled.MAX_KEYS
              ? Shape.MAX_BITS
              : ClassTable.forKeys(listed[i + 1], 1).sizeInBits();
      members[i] = group.keyCount() * likelihood;
      queries[i] = group.queries() * (1 - likelihood);
      // Keys certainly outside the set would be infinitely important.
      double costs = Math.max(likelihood, 1.0 / keys);
      importance[i] = Math.log(Math.max(Double.MIN_NORMAL, queries[i] / group.keyCount()) / costs);
      known += members[i];
      asked += queries[i];
    }
    if (known > keys) {
      double fewer = keys / known;
      Arrays.setAll(members, i -> members[i] * fewer);
      known = keys;
    }
    // Keys in no group are as likely to be outside the set as those in the groups.
    double outside = popularity.others() == 1 ? 1 : asked / (1 - popularity.others());
    members[count] = keys - known;
    queries[count] = asked == 0 ? 1 : popularity.others() * outside;
    double all = asked + queries[count];
    Arrays.setAll(queries, i -> queries[i] / all);
  }

  /** The share of the table charged to one filter. */
  private long tableBits(Listing listing) {
    return (cells[listing.groups] * listing.cellBits + filters - 1) / filters;
  }

  private long size(ClassShape shape) {
    return shape.bits() + (shape.cells() * shape.cellBits() + filters - 1) / filters;
  }

  /** The class of a listed group: classes are equally wide on the scale of importance. */
  private int classOf(int group, Listing listing) {
    double first = importance[0];
    double width = (first - importance[listing.groups - 1]) / listing.classes;
    return width > 0 ? (int) Math.min(listing.classes - 1, (first - importance[group]) / width) : 0;
  }

  /** Members or queries by class: the classes of listed keys, then all other keys. */
  private double[] byClass(double[] values, Listing listing) {
    double[] byClass = new double[listing.classes + 1];
    for (int i = 0; i < listing.groups; i++) {
      byClass[classOf(i, listing)] += values[i];
    }
    double others = 0;
    for (int i = listing.groups; i < values.length; i++) {
      others += values[i];
    }
    double confused = others * Math.scalb(1.0, -listing.cellBits);
    for (int i = 0; i < listing.classes; i++) {
      byClass[i] += confused;
    }
    byClass[listing.classes] = others - listing.classes * confused;
    return byClass;
  }

  /** The logarithm of the rate that fractional numbers of hashes would reach. */
  private double ideal(Listing listing, long total) {
    double budget = (total - tableBits(listing)) * LN2;
    if (budget < keys || listing.classes > 1L << listing.cellBits) {
      return Double.POSITIVE_INFINITY;
    }
    if (listing.groups == 0) {
      return -Math.min(MOST, budget / keys) * LN2;
    }
    double[] x = byClass(members, listing);
    double[] r = byClass(queries, listing);
    double[] k = unboundedHashes(r, x, budget);
    for (double each : k) {
      if (!(each >= 1 && each <= MOST)) {
        k = PopularityMath.realHashes(r, x, Math.max(budget, sum(x)), MOST);
        break;
      }
    }
    return Math.log(rate(r, k, 0.5));
  }

  /** The optimum without bounds on the number of hashes; faster than a search. */
  private static double[] unboundedHashes(double[] r, double[] x, double budget) {
    double[] k = new double[r.length];
    double left = budget;
    for (int i = 0; i < k.length; i++) {
      k[i] = Math.log(r[i] / x[i]) / LN2;
      left -= x[i] * k[i];
    }
    double each = left / sum(x);
    for (int i = 0; i < k.length; i++) {
      k[i] += each;
    }
    return k;
  }

  private static double rate(double[] r, double[] k, double fill) {
    double rate = 0;
    for (int i = 0; i < r.length; i++) {
      rate += r[i] * Math.pow(fill, k[i]);
    }
    return rate;
  }

  private static double sum(double[] values) {
    double sum = 0;
    for (double each : values) {
      sum += each;
    }
    return sum;
  }

  /** The best listing for a size in bits. */
  private Listing choose(long total) {
    Listing best = Listing.NONE;
    double lowest = ideal(best, total);
    int width = USUAL_CELL_BITS;
    for (int i = 1; i < cells.length && cells[i] / filters <= total; i++) {
      double before = Double.POSITIVE_INFINITY;
      for (int classes : CLASSES) {
        if (classes > i || classes > mostClasses) {
          break;
        }
        int first = i;
        width =
            new Sizing.Probes(width, 1, MAX_CELL_BITS, 1)
                .best(bits -> ideal(new Listing(first, bits, classes), total));
        Listing listing = new Listing(i, width, classes);
        double rate = ideal(listing, total);
        if (rate < lowest) {
          lowest = rate;
          best = listing;
        }
        if (rate >= before) {
          break;
        }
        before = rate;
      }
    }
    return best;
  }

  /** The whole numbers of hashes by class, for an array of a listing. */
  private final class Hashes {
    private final double[] x;
    private final double[] r;
    private final long bits;
    private final double[] best;
    private double lowest;

    Hashes(Listing listing, long bits) {
      this.x = byClass(members, listing);
      this.r = byClass(queries, listing);
      this.bits = bits;
      double budget = Math.max(PopularityMath.budget(bits), sum(x));
      int[] start =
          listing.groups == 0
              ? new int[] {BloomShape.forBudget(keys, bits).hashesPerKey()}
              : PopularityMath.roundedHashes(r, x, budget, (int) Math.min(MOST, bits));
      this.best = Arrays.stream(start).asDoubleStream().toArray();
      this.lowest = rate();
      if (listing.groups > 0) {
        improve();
      }
    }

    /** Replaces the rounded numbers by the exact solution if that is better. */
    Hashes solved() {
      double budget = Math.max(PopularityMath.budget(bits), sum(x));
      int[] exact = PopularityMath.exactHashes(r, x, budget, (int) Math.min(MOST, bits));
      double[] before = best.clone();
      Arrays.setAll(best, i -> exact[i]);
      double rate = rate();
      if (rate < lowest) {
        lowest = rate;
        improve();
      } else {
        System.arraycopy(before, 0, best, 0, before.length);
      }
      return this;
    }

    /** The rate at the expected fill, by the classic formula. */
    double rate() {
      double thrown = 0;
      for (int i = 0; i < x.length; i++) {
        thrown += x[i] * best[i];
      }
      return ClassSizing.rate(r, best, -Math.expm1(-thrown / bits));
    }

    /** Adds or removes one hash, for one class or for all, as long as the rate falls. */
    private void improve() {
      boolean better = true;
      while (better) {
        better = false;
        for (int which = -1; which < best.length; which++) {
          better |= tried(which, 1) || tried(which, -1);
        }
      }
    }

    private boolean tried(int which, int more) {
      double most = Math.min(MOST, bits);
      for (int i = 0; i < best.length; i++) {
        boolean allowed = best[i] + more >= 1 && best[i] + more <= most;
        if ((which < 0 || which == i) && !allowed) {
          return false;
        }
      }
      shift(which, more);
      double rate = rate();
      if (rate < lowest) {
        lowest = rate;
        return true;
      }
      shift(which, -more);
      return false;
    }

    private void shift(int which, int more) {
      for (int i = 0; i < best.length; i++) {
        best[i] += which < 0 || which == i ? more : 0;
      }
    }
  }

  /** The shape of a listing with given numbers of hashes. */
  private ClassShape shape(Listing listing, Hashes hashes) {
    long[] counts = new long[listing.classes];
    double[] x = new double[listing.classes];
    double[] r = new double[listing.classes];
    for (int i = 0; i < listing.groups; i++) {
      int at = classOf(i, listing);
      counts[at] += listed[i + 1] - listed[i];
      x[at] += members[i] / keys;
      r[at] += queries[i];
    }
    List<ClassShape.HashClass> classes = new ArrayList<>();
    for (int i = 0; i < listing.classes; i++) {
      int k = (int) hashes.best[i];
      ClassShape.HashClass before = classes.isEmpty() ? null : classes.get(classes.size() - 1);
      if (counts[i] > 0 && before != null && before.hashesPerKey() == k) {
        counts[i] += before.keyCount();
        x[i] += before.members();
        r[i] += before.queries();
        classes.remove(classes.size() - 1);
      }
      if (counts[i] > 0) {
        classes.add(new ClassShape.HashClass(k, counts[i], rounded(x[i]), rounded(r[i])));
      }
    }
    return shape(hashes.bits, (int) hashes.best[listing.classes], classes, listing.cellBits);
  }

  /** Rounds to six digits, which is more precise than any prediction of future queries. */
  private static double rounded(double share) {
    return Math.min(1, Math.rint(share * 1e6) / 1e6);
  }

  private ClassShape shape(
      long bits, int hashesPerKey, List<ClassShape.HashClass> classes, int cellBits) {
    IndexScheme scheme = IndexScheme.POWERS;
    if (mostClasses > 1) {
      return PopularityShape.of(bits, scheme, hashesPerKey, classes, cellBits);
    }
    ClassShape.HashClass hot =
        classes.isEmpty() ? new ClassShape.HashClass(hashesPerKey, 0, 0, 0) : classes.get(0);
    return WeightedShape.of(bits, scheme, hashesPerKey, hot, cellBits);
  }

  /** The shape with the lowest rate within a budget. */
  ClassShape forBudget(long bits) {
    Sizing.requireBudget(bits, Long.SIZE);
    Listing listing = choose(bits);
    long whole = bits / Long.SIZE * Long.SIZE;
    ClassShape plain = shape(Listing.NONE, new Hashes(Listing.NONE, whole));
    long left = (bits - tableBits(listing)) / Long.SIZE * Long.SIZE;
    if (listing.groups == 0 || left < Long.SIZE) {
      return plain;
    }
    ClassShape shape = shape(listing, new Hashes(listing, left).solved());
    boolean better = shape.falsePositiveRate(keys) < plain.falsePositiveRate(keys);
    return better ? shape : plain;
  }

  /** The smallest shape for a rate. */
  ClassShape forRate(double rate) {
    Sizing.requireTarget(keys, rate);
    Listing listing = Listing.NONE;
    ClassShape best = forRate(listing, rate);
    for (int round = 0; round < ROUNDS; round++) {
      Listing next = choose(best == null ? Shape.MAX_BITS : size(best));
      ClassShape shape = next.equals(listing) ? null : forRate(next, rate);
      if (shape != null && (best == null || size(shape) < size(best))) {
        best = shape;
      }
      listing = next;
    }
    if (best == null) {
      throw Sizing.tooLarge("a weighted Bloom filter", keys, rate);
    }
    return best;
  }

  /**
   * The smallest shape with a listing for a rate, or null if it would be too large. The search
   * starts with the classic formula, whose rate is slightly too low, and ends with the exact one.
   */
  private @Nullable ClassShape forRate(Listing listing, double rate) {
    long most = Shape.MAX_BITS / Long.SIZE;
    double guess = Math.min((double) most, -Math.log(rate) * BITS_PER_NAT * keys / Long.SIZE);
    long words =
        SizeSearch.smallest(
            w -> new Hashes(listing, w * Long.SIZE).rate(), rate, (long) Math.max(1, guess), most);
    if (words > 0) {
      words =
          SizeSearch.smallest(
              w -> shape(listing, new Hashes(listing, w * Long.SIZE)).falsePositiveRate(keys),
              rate,
              words,
              most);
    }
    return words < 0 ? null : shape(listing, new Hashes(listing, words * Long.SIZE).solved());
  }
}
