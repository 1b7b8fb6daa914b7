package io.bloomery;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.hash.Hasher;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every variant takes the number of keys that it is planned for in any order of their hashes, and
 * keeps its rate. Sorted hashes are not a rare case: spilled, merged and split filters have them.
 */
final class OrdersTest {

  private static final double RATE = 0.01;
  private static final int QUERIES = 50_000;
  private static final long[] OUTSIDERS = Keys.outsiders(QUERIES);
  private static final Map<Order, Map<Integer, long[]>> SORTED = new EnumMap<>(Order.class);
  private static final Planner PLANNER = Planner.standard();

  /** Most kinds take the larger number; those that hold a few thousand keys only, the smaller. */
  private static final List<Integer> SIZES = List.of(20_000, 4_000);

  /**
   * Its window is divided into slices of which each third of the keys has one; keys in the order of
   * their hashes are a burst in each cache line, for which the class asks for three times the keys.
   */
  private static final String SLICED = "recent";

  private static final int SLICES = 3;

  /** Forgets keys by design. */
  private static final List<String> LOSSY = List.of("stable");

  enum Order {
    ASCENDING,
    DESCENDING,
    BY_LOWEST_BITS,
    CLUSTERED,
    CLUSTERED_BY_LOWEST_BITS;

    /** What hashes are sorted by. */
    private long rank(long hash) {
      return switch (this) {
        case ASCENDING -> hash + Long.MIN_VALUE;
        case DESCENDING -> ~(hash + Long.MIN_VALUE);
        case BY_LOWEST_BITS -> Long.reverse(hash);
        case CLUSTERED -> hash >>> 55;
        case CLUSTERED_BY_LOWEST_BITS -> hash & 0x1FF;
      };
    }

    private long[] sort(int keys) {
      return Arrays.stream(Keys.members(keys))
          .boxed()
          .sorted(Comparator.comparingLong(this::rank))
          .mapToLong(Long::longValue)
          .toArray();
    }

    /** The members, sorted once for all plans. */
    long[] members(int keys) {
      return SORTED
          .computeIfAbsent(this, order -> new HashMap<>())
          .computeIfAbsent(keys, this::sort);
    }
  }

  static Stream<Plan> plans() {
    return PLANNER.variants().stream()
        .filter(variant -> variant.refusal().isEmpty())
        .map(OrdersTest::plan);
  }

  @ParameterizedTest
  @MethodSource("plans")
  void promisedKeysFitInAnyOrder(Plan plan) throws IOException {
    for (Order order : Order.values()) {
      check(plan, order);
    }
  }

  private static void check(Plan plan, Order order) throws IOException {
    int planned = (int) Math.round(plan.shape().sizeInBits() / plan.bitsPerKey());
    int keys = plan.name().equals(SLICED) ? planned / SLICES : planned;
    long[] members = order.members(keys);
    FilterBuilder builder = plan.builder(Hasher.xxh3(), 1);
    builder.addHashes(members, 0, keys);
    HashedFilter filter = builder.build();
    if (!LOSSY.contains(plan.name())) {
      assertThat(LongStream.of(members).filter(hash -> !filter.mightContainHash(hash)).count())
          .as("keys of %s that are lost in %s order", plan.name(), order)
          .isZero();
    }
    int hits = filter.mightContainHashes(OUTSIDERS, 0, QUERIES, new long[QUERIES / 64 + 1]);
    Rates.assertRateAtMost(hits, QUERIES, RATE, 5);
  }

  private static Plan plan(Variant variant) {
    IllegalArgumentException problem = null;
    for (int keys : SIZES) {
      try {
        return PLANNER.named(variant.name(), Needs.forKeys(keys, RATE).withUniverse(2L * keys));
      } catch (IllegalArgumentException e) {
        problem = e;
      }
    }
    throw problem;
  }
}
