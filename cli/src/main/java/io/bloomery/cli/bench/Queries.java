package io.bloomery.cli.bench;

import io.bloomery.FilterBuilder;
import io.bloomery.HashedFilter;
import io.bloomery.cli.option.FilterChoice;
import io.bloomery.plan.Needs;
import io.bloomery.tools.measure.RandomHashes;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;

/**
 * The loop that is timed. One for all filters, so that what {@link Calibration} measures and what
 * is compared with it are called alike.
 */
final class Queries {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static final List<String> KINDS = List.of("blocked-64", "bloom", "cuckoo", "fuse");
  private static final int FEW_KEYS = 1000;
  private static final int FEW_HASHES = 1 << 13;
  private static final int ROUNDS = 30;

  private Queries() {}

  /**
   * Lets the compiler see several kinds in the loop, as it does in a program that uses several.
   * What it compiles for one kind alone takes half of the time, and none of the others would then
   * be comparable.
   */
  static void prepare() {
    long[] hashes = new long[FEW_HASHES];
    new RandomHashes(RandomHashes.OTHERS).next(hashes, FEW_HASHES);
    List<HashedFilter> filters = new ArrayList<>();
    for (String kind : KINDS) {
      FilterChoice choice = FilterChoice.named(kind, Needs.forKeys(FEW_KEYS, 0.01));
      FilterBuilder builder = choice.builder(choice.shape());
      RandomHashes.members(FEW_KEYS, builder::addHashes);
      filters.add(FilterChoice.build(builder));
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (HashedFilter filter : filters) {
        if (hits(filter, hashes) > FEW_HASHES) {
          throw new AssertionError(filter);
        }
      }
    }
  }

  /** Processor time of this thread in nanoseconds, which other programs do not add to. */
  static long now() {
    return THREADS.isCurrentThreadCpuTimeSupported()
        ? THREADS.getCurrentThreadCpuTime()
        : System.nanoTime();
  }

  /** Looks up hashes one by one; how many were found. */
  static int hits(HashedFilter filter, long[] hashes) {
    int hits = 0;
    for (long hash : hashes) {
      hits += filter.mightContainHash(hash) ? 1 : 0;
    }
    return hits;
  }
}
