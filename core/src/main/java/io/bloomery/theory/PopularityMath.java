package io.bloomery.theory;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How many hashes each key of a Bloom filter gets when some keys are queried more often than
 * others: minimise the rate Σ q_i·2^−k_i under Σ p_i·k_i ≤ m·ln 2, with q_i the share of the
 * queries for key i and p_i the probability that it is in the set. The <em>importance</em> of a key
 * is q_i/p_i, and no key gets more hashes than one of higher importance.
 *
 * <p>Sources: Bruck, Gao and Jiang, "Weighted Bloom Filter", ISIT 2006 (the closed form); Zhong,
 * Lu, Shen and Seiferas, "Optimizing data popularity conscious Bloom filters", PODC 2008 (the
 * program in whole numbers). Keys with equal numbers may be combined into one element with the sums
 * of their shares and probabilities.
 *
 * <p>Unless a method says otherwise: shares and probabilities are 0 or more, and the two arrays
 * have equal length, 1 or more.
 */
public final class PopularityMath {

  /** The most groups of keys that {@link #exactHashes} takes. */
  public static final int MAX_GROUPS = 64;

  /** How many partial solutions {@link #exactHashes} keeps; fewer than a thousand are usual. */
  private static final int MAX_PARTIAL = 1 << 16;

  private static final double LN2 = Math.log(2);
  private static final int BISECTIONS = 80;

  private PopularityMath() {}

  /**
   * The expected number of bits that the members of a set may set so that half of a filter stays
   * clear, m·ln 2.
   *
   * @param bits m, 1 or more
   * @return the budget of hashes
   */
  public static double budget(long bits) {
    return Arguments.inRange("bits", bits, 1, Long.MAX_VALUE) * LN2;
  }

  /**
   * The weighted filter's hashes per key, (m/n)·ln 2 + log2(r_e/x_e) − (1/n)·Σ x_i·log2(r_i/x_i)
   * with n = Σ x_i (Bruck, Gao and Jiang). Real numbers, which may be below 1.
   *
   * @param queries r, above 0
   * @param members x, above 0
   * @param bitsPerKey m/n, positive
   * @return k for each key
   */
  public static double[] weightedHashes(double[] queries, double[] members, double bitsPerKey) {
    check(queries, members);
    Arguments.positive("bitsPerKey", bitsPerKey);
    double n = Arrays.stream(members).sum();
    double mean = 0;
    double[] hashes = new double[queries.length];
    for (int i = 0; i < hashes.length; i++) {
      Arguments.positive("queries", queries[i]);
      Arguments.positive("members", members[i]);
      hashes[i] = log2(queries[i] / members[i]);
      mean += members[i] * hashes[i] / n;
    }
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] += bitsPerKey * LN2 - mean;
    }
    return hashes;
  }

  /**
   * The factor by which the rate falls when each key gets {@link #weightedHashes}: 2^D, D the
   * Kullback–Leibler divergence of the shares of queries from those of members, in bits. 1 if both
   * are equal.
   *
   * @param queries r, above 0 where there are members
   * @param members x
   * @return the gain, 1 or more
   */
  public static double gain(double[] queries, double[] members) {
    check(queries, members);
    double allQueries = Arrays.stream(queries).sum();
    double allMembers = Arrays.stream(members).sum();
    double divergence = 0;
    for (int i = 0; i < queries.length; i++) {
      double share = members[i] / allMembers;
      if (share > 0) {
        divergence += share * log2(share / (queries[i] / allQueries));
      }
    }
    return Math.pow(2, divergence);
  }

  /**
   * The rate of a half-full filter, Σ q_i·2^−k_i.
   *
   * @param queries q
   * @param hashes k
   * @return the rate
   */
  public static double rate(double[] queries, double[] hashes) {
    check(queries, hashes);
    return IntStream.range(0, queries.length)
        .mapToDouble(i -> queries[i] * Math.pow(2, -hashes[i]))
        .sum();
  }

  /**
   * The rate of a half-full filter, Σ q_i·2^−k_i.
   *
   * @param queries q
   * @param hashes k
   * @return the rate
   */
  public static double rate(double[] queries, int[] hashes) {
    return rate(queries, Arrays.stream(hashes).asDoubleStream().toArray());
  }

  /**
   * The bits that members are expected to set, Σ p_i·k_i.
   *
   * @param members p
   * @param hashes k
   * @return the cost, to be compared with {@link #budget}
   */
  public static double cost(double[] members, int[] hashes) {
    double cost = 0;
    for (int i = 0; i < members.length; i++) {
      cost += members[i] * hashes[i];
    }
    return cost;
  }

  /**
   * The real-valued optimum with 1 ≤ k_i ≤ most, by bisection on the multiplier: {@link
   * #weightedHashes} where those bounds hold anyway.
   *
   * @param queries q
   * @param members p
   * @param budget m·ln 2, at least Σ p_i
   * @param most the most hashes of a key, 1 … 255
   * @return k for each key
   */
  public static double[] realHashes(double[] queries, double[] members, double budget, int most) {
    check(queries, members, budget, most);
    double[] importance = new double[queries.length];
    double low = 0;
    double high = 0;
    for (int i = 0; i < importance.length; i++) {
      importance[i] = importance(queries[i], members[i]);
      if (Double.isFinite(importance[i])) {
        low = Math.min(low, 1 - importance[i]);
        high = Math.max(high, most - importance[i]);
      }
    }
    for (int i = 0; i < BISECTIONS && high - low > 1e-12; i++) {
      double middle = (low + high) / 2;
      double spent = 0;
      for (int j = 0; j < importance.length; j++) {
        spent += members[j] * bounded(importance[j] + middle, most);
      }
      if (spent <= budget) {
        low = middle;
      } else {
        high = middle;
      }
    }
    double multiplier = low;
    return Arrays.stream(importance).map(x -> bounded(x + multiplier, most)).toArray();
  }

  private static double bounded(double hashes, int most) {
    return Math.max(1, Math.min(most, hashes));
  }

  /**
   * log2(q/p): infinite for a key that is never in the set, −infinite for one that is never
   * queried.
   */
  private static double importance(double queries, double members) {
    return queries == 0
        ? Double.NEGATIVE_INFINITY
        : members == 0 ? Double.POSITIVE_INFINITY : log2(queries / members);
  }

  /**
   * Solver A of Zhong et al.: {@link #realHashes} rounded down, whose rate is less than twice the
   * lowest.
   *
   * @param queries q
   * @param members p
   * @param budget m·ln 2, at least Σ p_i
   * @param most the most hashes of a key, 1 … 255
   * @return k for each key
   */
  public static int[] flooredHashes(double[] queries, double[] members, double budget, int most) {
    return Arrays.stream(realHashes(queries, members, budget, most))
        .mapToInt(k -> (int) Math.floor(k + 1e-9))
        .toArray();
  }

  /**
   * {@link #realHashes} to the nearest whole numbers, then lowered or raised one at a time, where
   * it costs least or gains most per bit, until the budget is met and nothing more fits.
   *
   * @param queries q
   * @param members p
   * @param budget m·ln 2, at least Σ p_i
   * @param most the most hashes of a key, 1 … 255
   * @return k for each key
   */
  public static int[] roundedHashes(double[] queries, double[] members, double budget, int most) {
    int[] hashes =
        Arrays.stream(realHashes(queries, members, budget, most))
            .mapToInt(k -> (int) Math.round(k))
            .toArray();
    double spent = cost(members, hashes);
    PriorityQueue<Step> steps = new PriorityQueue<>(Comparator.comparingDouble(Step::worth));
    for (int i = 0; i < hashes.length && spent > budget; i++) {
      add(steps, i, hashes[i] - 1, queries, members, 1);
    }
    while (spent > budget && !steps.isEmpty()) {
      int i = steps.poll().key;
      if (hashes[i] > 1) {
        hashes[i]--;
        spent -= members[i];
        add(steps, i, hashes[i] - 1, queries, members, 1);
      }
    }
    steps.clear();
    for (int i = 0; i < hashes.length; i++) {
      add(steps, i, hashes[i], queries, members, -1);
    }
    while (!steps.isEmpty()) {
      int i = steps.poll().key;
      if (hashes[i] < most && spent + members[i] <= budget) {
        hashes[i]++;
        spent += members[i];
        add(steps, i, hashes[i], queries, members, -1);
      }
    }
    return hashes;
  }

  /** One hash more or fewer, and its worth: rate per bit. */
  private record Step(int key, double worth) {}

  private static void add(
      PriorityQueue<Step> steps, int i, int hashes, double[] queries, double[] members, int sign) {
    if (members[i] > 0) {
      steps.add(new Step(i, sign * queries[i] * Math.pow(2, -hashes - 1.0) / members[i]));
    }
  }

  /**
   * Solver B: the lowest rate in whole numbers, by dynamic programming over the groups. The states
   * after each group are the partial solutions that no other beats in both cost and rate and that
   * can still lead to the optimum by a Lagrangian bound. At most 65,536 of them are kept.
   *
   * @param queries q, 64 groups at most
   * @param members p
   * @param budget m·ln 2, at least Σ p_i
   * @param most the most hashes of a key, 1 … 255
   * @return k for each group
   */
  public static int[] exactHashes(double[] queries, double[] members, double budget, int most) {
    check(queries, members, budget, most);
    int groups = Arguments.inRange("groups", queries.length, 1, MAX_GROUPS);
    int[] known = roundedHashes(queries, members, budget, most);
    double price = price(queries, members, budget, most);
    // At that price the groups cost at least this much, rate plus price times bits; a number of
    // hashes that costs more than the known solution allows cannot be part of a better one.
    double[] least = new double[groups];
    double gap = rate(queries, known) * (1 + 1e-12) + price * budget;
    for (int i = 0; i < groups; i++) {
      least[i] =
          priced(queries[i], members[i], cheapest(queries[i], members[i], price, most), price);
      gap -= least[i];
    }
    List<Partial> states = List.of(new Partial(null, 0, 0, 0, 0));
    for (int i = 0; i < groups; i++) {
      List<Partial> next = new ArrayList<>();
      for (int k = 1; k <= most; k++) {
        double excess = priced(queries[i], members[i], k, price) - least[i];
        if (excess > gap) {
          continue;
        }
        double cost = members[i] * k;
        double rate = queries[i] * Math.pow(2, -k);
        for (Partial state : states) {
          if (state.excess + excess <= gap && state.cost + cost <= budget * (1 + 1e-12)) {
            next.add(
                new Partial(state, k, state.cost + cost, state.rate + rate, state.excess + excess));
          }
        }
      }
      states = undominated(next);
    }
    Partial best = states.stream().min(Comparator.comparingDouble(Partial::rate)).orElse(null);
    if (best == null || best.rate >= rate(queries, known)) {
      return known;
    }
    int[] hashes = new int[groups];
    for (int i = groups - 1; best != null && i >= 0; i--) {
      hashes[i] = best.hashes;
      best = best.before;
    }
    return hashes;
  }

  private static double priced(double queries, double members, int hashes, double price) {
    return queries * Math.pow(2, -hashes) + price * members * hashes;
  }

  /** The number of hashes with the lowest rate plus price. */
  private static int cheapest(double queries, double members, double price, int most) {
    // One more hash pays off as long as it halves a rate of more than twice its price.
    double worth = queries / (2 * price * members);
    int k = (int) (worth > 1 ? Math.min(most, 1 + Math.floor(log2(worth))) : 1);
    return members == 0 || price == 0 ? most : k;
  }

  /** The price of a bit at which the cheapest whole numbers of hashes just fit the budget. */
  private static double price(double[] queries, double[] members, double budget, int most) {
    double low = 0;
    double high = 1;
    while (spent(queries, members, high, most) > budget) {
      low = high;
      high *= 16;
    }
    for (int i = 0; i < 2 * BISECTIONS && high - low > 1e-14 * high; i++) {
      double middle = low == 0 ? high / 16 : (low + high) / 2;
      if (spent(queries, members, middle, most) > budget) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  private static double spent(double[] queries, double[] members, double price, int most) {
    double spent = 0;
    for (int i = 0; i < queries.length; i++) {
      spent += members[i] * cheapest(queries[i], members[i], price, most);
    }
    return spent;
  }

  /** Numbers for the first groups. */
  private record Partial(
      @Nullable Partial before, int hashes, double cost, double rate, double excess) {}

  private static List<Partial> undominated(List<Partial> states) {
    states.sort(Comparator.comparingDouble(Partial::cost).thenComparingDouble(Partial::rate));
    List<Partial> kept = new ArrayList<>();
    double lowest = Double.POSITIVE_INFINITY;
    for (Partial state : states) {
      if (state.rate < lowest) {
        lowest = state.rate;
        kept.add(state);
      }
    }
    return kept.size() <= MAX_PARTIAL
        ? kept
        : IntStream.range(0, MAX_PARTIAL)
            .mapToObj(i -> kept.get((int) ((long) i * kept.size() / MAX_PARTIAL)))
            .toList();
  }

  private static double log2(double x) {
    return Math.log(x) / LN2;
  }

  private static void check(double[] queries, double[] members) {
    if (queries.length != members.length || queries.length == 0) {
      throw new IllegalArgumentException(
          "queries has " + queries.length + " elements and members has " + members.length);
    }
    for (int i = 0; i < queries.length; i++) {
      Arguments.inRange("queries", queries[i], 0, Double.MAX_VALUE);
      Arguments.inRange("members", members[i], 0, Double.MAX_VALUE);
    }
  }

  private static void check(double[] queries, double[] members, double budget, int most) {
    check(queries, members);
    Arguments.inRange("most", most, 1, Limits.MAX_HASHES_PER_KEY);
    Arguments.inRange("budget", budget, Arrays.stream(members).sum(), Double.MAX_VALUE);
  }
}
