package io.bloomery.weighted;

import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.SolvedCells;
import io.bloomery.plan.Popularity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * How often each key is queried: from a sample of queries, from given weights, or by Zipf's law. A
 * weighted filter needs it only to be built.
 *
 * <pre>{@code
 * Weights weights = Weights.ofQueries(List.of("a", "b", "a"), Hasher.xxh3());
 * WeightedBloomFilter filter = WeightedBloomFilter.create(1_000_000, 0.01, weights);
 * }</pre>
 *
 * <p>The important keys are those that are queried often and mostly <em>not</em> in the set, since
 * only they can be false positives. {@link Builder#members} tells which keys are in the set;
 * otherwise a key is assumed to be in it with probability 1/2, or less if there are more than twice
 * as many keys here as the filter is sized for.
 *
 * <p>A sample never has all keys, and popularity changes. The share of future queries for other
 * keys is estimated from the sample itself: it is the share of its second half for keys that do not
 * occur in its first half. So pass queries in the order in which they occurred. If rates drift,
 * take a new sample and build another filter. Immutable.
 */
public final class Weights {

  private static final int FIRST_ROOM = 64;

  /** A likelihood that is effectively zero. */
  private static final double SURELY = 1e-12;

  /** Makes the logarithm of any importance positive. */
  private static final double LOWEST = 1000;

  private final Hasher hasher;
  private final long[] hashes; // the most important first
  private final Popularity popularity;

  private Weights(Hasher hasher, long[] hashes, Popularity popularity) {
    this.hasher = hasher;
    this.hashes = hashes;
    this.popularity = popularity;
  }

  /**
   * A sample of queries: the weight of a key is how often it occurs.
   *
   * @param queries the keys that were queried, with repetitions
   * @param hasher turns keys into hashes
   * @return the weights
   */
  public static Weights ofQueries(Iterable<? extends CharSequence> queries, Hasher hasher) {
    Builder builder = builder(hasher);
    queries.forEach(builder::query);
    return builder.build();
  }

  /**
   * A sample of queries, by their hashes.
   *
   * @param hashes the hashes of the keys that were queried, with repetitions
   * @param hasher turns keys into hashes
   * @return the weights
   */
  public static Weights ofQueries(long[] hashes, Hasher hasher) {
    Builder builder = builder(hasher);
    for (long hash : hashes) {
      builder.queryHash(hash);
    }
    return builder.build();
  }

  /**
   * Given weights.
   *
   * @param weights how often each key is queried, in any unit, 0 or more
   * @param hasher turns keys into hashes
   * @return the weights
   */
  public static Weights of(Map<? extends CharSequence, ? extends Number> weights, Hasher hasher) {
    Builder builder = builder(hasher);
    weights.forEach((key, weight) -> builder.weight(key, weight.doubleValue()));
    return builder.build();
  }

  /**
   * Zipf's law: key i, counted from 1, is queried in proportion to {@code i^-exponent}.
   *
   * @param hashes the hashes of the keys, the most popular first; each once
   * @param exponent the exponent, 0 … 10
   * @param hasher turns keys into hashes
   * @return the weights
   */
  public static Weights zipf(long[] hashes, double exponent, Hasher hasher) {
    Arguments.inRange("exponent", exponent, 0, 10);
    Builder builder = builder(hasher);
    for (int i = 0; i < hashes.length; i++) {
      builder.weightHash(hashes[i], Math.pow(i + 1.0, -exponent));
    }
    return builder.build();
  }

  /**
   * Takes queries, weights and members one at a time.
   *
   * @param hasher turns keys into hashes
   * @return a builder
   */
  public static Builder builder(Hasher hasher) {
    return new Builder(Objects.requireNonNull(hasher, "hasher"));
  }

  /**
   * Turns keys into hashes, also in the filters that are built from these weights.
   *
   * @return the hasher
   */
  public Hasher hasher() {
    return hasher;
  }

  /**
   * How queries are distributed over the keys, without the keys themselves; filters are sized by
   * it.
   *
   * @return the popularity
   */
  public Popularity popularity() {
    return popularity;
  }

  /**
   * The number of keys that have a weight and may be outside the set.
   *
   * @return 0 … 2^27
   */
  public int keyCount() {
    return hashes.length;
  }

  /** The hash of the key of a rank, the most important first. */
  long hash(int rank) {
    return hashes[rank];
  }

  /** Fails if there are fewer keys than a shape lists. */
  void requireFor(ClassShape shape) {
    long needed = shape.classes().stream().mapToLong(ClassShape.HashClass::keyCount).sum();
    if (needed > hashes.length) {
      throw new IllegalArgumentException(
          "shape lists " + needed + " keys; weights has " + hashes.length);
    }
  }

  @Override
  public String toString() {
    return "Weights[" + keyCount() + " keys, " + hasher + "]";
  }

  /** Collects the queries of a sample, or weights. Not thread-safe. */
  public static final class Builder {

    private final Hasher hasher;
    private long[] hashes = new long[FIRST_ROOM];
    private double[] weights = new double[FIRST_ROOM];
    private double[] likelihoods = new double[FIRST_ROOM];
    private long[] firsts = new long[FIRST_ROOM]; // the number of queries before a key's first
    private int[] slots = new int[2 * FIRST_ROOM]; // place + 1 of a hash, 0 if free
    private int count;
    private long sampled;
    private double others = Double.NaN;
    private boolean membersKnown;

    private Builder(Hasher hasher) {
      this.hasher = hasher;
    }

    /**
     * Counts a query.
     *
     * @param key the key that was queried
     * @return this
     */
    public Builder query(CharSequence key) {
      return queryHash(hasher.hash(key));
    }

    /**
     * Counts a query.
     *
     * @param hash the hash of the key that was queried
     * @return this
     */
    public Builder queryHash(long hash) {
      int place = placeOf(hash); // may grow the arrays
      weights[place]++;
      sampled++;
      return this;
    }

    /**
     * Adds to the weight of a key.
     *
     * @param key the key
     * @param weight how often it is queried, in any unit, 0 or more
     * @return this
     */
    public Builder weight(CharSequence key, double weight) {
      return weightHash(hasher.hash(key), weight);
    }

    /**
     * Adds to the weight of a key.
     *
     * @param hash the hash of the key
     * @param weight how often it is queried, in any unit, 0 or more
     * @return this
     */
    public Builder weightHash(long hash, double weight) {
      Arguments.inRange("weight", weight, 0, Double.MAX_VALUE);
      int place = placeOf(hash);
      weights[place] += weight;
      return this;
    }

    /**
     * Adds to the weight of a key with a known likelihood of being in the set.
     *
     * @param hash the hash of the key
     * @param weight how often it is queried, in any unit, 0 or more
     * @param likelihood how likely it is to be in the set, 0 … 1
     * @return this
     */
    public Builder weightHash(long hash, double weight, double likelihood) {
      Arguments.inRange("likelihood", likelihood, 0, 1);
      weightHash(hash, weight);
      int place = placeOf(hash);
      likelihoods[place] = likelihood;
      return this;
    }

    /**
     * The share of the queries for keys that have no weight here. If never called: 0, or for a
     * sample of queries the share of its second half for keys that its first half lacks.
     *
     * @param share 0 … 1
     * @return this
     */
    public Builder others(double share) {
      this.others = Arguments.inRange("share", share, 0, 1);
      return this;
    }

    /**
     * Declares that the set is known, and adds members of it. Keys with a weight that are never
     * passed here are not in the set. Call it after all weights were added; several calls add up.
     *
     * @param members the hashes of keys of the set, with or without a weight
     * @param from the first of them
     * @param to one past the last
     * @return this
     */
    public Builder members(long[] members, int from, int to) {
      Objects.checkFromToIndex(from, to, members.length);
      if (!membersKnown) {
        Arrays.fill(likelihoods, 0, count, 0);
        membersKnown = true;
      }
      for (int i = from; i < to; i++) {
        int place = slots[slotOf(members[i])] - 1;
        if (place >= 0) {
          likelihoods[place] = 1;
        }
      }
      return this;
    }

    private int placeOf(long hash) {
      int slot = slotOf(hash);
      if (slots[slot] > 0) {
        return slots[slot] - 1;
      }
      Arguments.inRange("keys", count + 1L, 0, SolvedCells.Peeled.MAX_KEYS);
      if (count == hashes.length) {
        grow();
        slot = slotOf(hash);
      }
      slots[slot] = count + 1;
      hashes[count] = hash;
      likelihoods[count] = membersKnown ? 0 : Double.NaN;
      firsts[count] = sampled;
      return count++;
    }

    /** The slot of a hash, or the free slot for it. Hashes chosen to collide only take longer. */
    private int slotOf(long hash) {
      int mask = slots.length - 1;
      int slot = (int) ((hash * 0x9E3779B97F4A7C15L) >>> 33) & mask;
      while (slots[slot] > 0 && hashes[slots[slot] - 1] != hash) {
        slot = (slot + 1) & mask;
      }
      return slot;
    }

    private void grow() {
      int room = (int) Math.min(SolvedCells.Peeled.MAX_KEYS, 2L * count);
      hashes = Arrays.copyOf(hashes, room);
      weights = Arrays.copyOf(weights, room);
      likelihoods = Arrays.copyOf(likelihoods, room);
      firsts = Arrays.copyOf(firsts, room);
      slots = new int[2 * Integer.highestOneBit(room)];
      for (int i = 0; i < count; i++) {
        slots[slotOf(hashes[i])] = i + 1;
      }
    }

    /**
     * The weights so far.
     *
     * @return the weights
     */
    public Weights build() {
      double known = 0;
      double later = 0;
      long half = (sampled + 1) / 2;
      for (int i = 0; i < count; i++) {
        // Queries for members cannot err; shares are relative to the queries for other keys.
        known += likelihoods[i] == 1 ? 0 : weights[i];
        later += firsts[i] >= half ? weights[i] : 0;
      }
      double sample = sampled < 2 ? 1 : later / (sampled - half);
      double rest = !Double.isNaN(others) ? others : sampled == 0 ? 0 : Math.min(1, sample);
      double unit = known == 0 ? 0 : (1 - rest) / known;
      int[] order = byImportance();
      long[] sorted = Arrays.stream(order).mapToLong(i -> hashes[i]).toArray();
      return new Weights(hasher, sorted, Popularity.of(groups(order, unit)));
    }

    /**
     * The indexes of keys that may be outside the set, the most important first; ties go to the
     * earlier key. Takes 8 bytes per key.
     */
    private int[] byImportance() {
      long[] ranked = new long[count];
      int some = 0;
      for (int i = 0; i < count; i++) {
        if (weights[i] > 0 && likelihoods[i] != 1) {
          // Positive floats are in the order of their bits.
          int bits = Float.floatToIntBits((float) (LOWEST + importance(i)));
          ranked[some++] = ((long) ~bits << Integer.SIZE) | i;
        }
      }
      Arrays.sort(ranked, 0, some);
      return Arrays.stream(ranked, 0, some).mapToInt(each -> (int) each).toArray();
    }

    /**
     * The logarithm of q·(1 − x)/x; keys that are certainly outside are compared by their weights.
     */
    private double importance(int i) {
      double likelihood = Double.isNaN(likelihoods[i]) ? 0.5 : likelihoods[i];
      return Math.log(weights[i]) + Math.log((1 - likelihood) / Math.max(SURELY, likelihood));
    }

    private List<Popularity.Group> groups(int[] order, double unit) {
      List<Popularity.Group> groups = new ArrayList<>();
      int from = 0;
      for (long end : Popularity.ends(order.length)) {
        double queries = 0;
        double members = 0;
        for (int rank = from; rank < end; rank++) {
          queries += weights[order[rank]] * unit;
          members += likelihoods[order[rank]];
        }
        long keys = end - from;
        groups.add(new Popularity.Group(keys, Math.min(1, queries), members / keys));
        from = (int) end;
      }
      return groups;
    }
  }
}
