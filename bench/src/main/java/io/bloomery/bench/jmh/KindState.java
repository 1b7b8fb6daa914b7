package io.bloomery.bench.jmh;

import io.bloomery.FilterBuilder;
import io.bloomery.HashedFilter;
import io.bloomery.bench.MixedJvm;
import io.bloomery.hash.Hasher;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import java.io.IOException;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A filter of any kind of the registry that can be built from keys, and keys for it. */
@State(Scope.Benchmark)
public class KindState {

  /** Keys or hashes in one call of a benchmark. */
  public static final int CHUNK = 1024;

  private static final int QUERIES = 1 << 18;

  /** A kind or variant, as {@code bloom plan} names it. */
  @Param("blocked")
  public String kind;

  /** How many keys are added. */
  @Param({"200000", "10000000"})
  public int keys;

  /** The false-positive rate. */
  @Param("0.01")
  public double rate;

  /** Whether the JVM has used other kinds before. */
  @Param("true")
  public boolean mixed;

  private final Hasher hasher = Hasher.xxh3();
  private Plan plan;
  private long[] hashes;
  private long[] present;
  private long[] absent;
  private HashedFilter filter;
  private int next;

  /**
   * Makes keys and filter.
   *
   * @throws IOException if a temporary file cannot be read
   */
  @Setup
  public void setUp() throws IOException {
    if (mixed && MixedJvm.warmUp() == 0) {
      throw new IllegalStateException("the warm-up found no key");
    }
    plan = Planner.standard().named(kind, Needs.forKeys(keys, rate));
    SplittableRandom random = new SplittableRandom(1);
    hashes = new long[keys];
    present = new long[QUERIES];
    for (int i = 0; i < keys; i++) {
      long key = random.nextLong();
      hashes[i] = hasher.hash(key);
      if (i < QUERIES) {
        present[i] = key;
      }
    }
    for (int i = keys; i < QUERIES; i++) {
      present[i] = present[i - keys];
    }
    absent = random.longs(QUERIES).toArray();
    filter = build();
  }

  /** Builds a filter of all keys. */
  HashedFilter build() throws IOException {
    FilterBuilder builder = plan.builder(hasher, 1);
    builder.addHashes(hashes, 0, hashes.length);
    return builder.build();
  }

  /** The filter of all keys. */
  HashedFilter filter() {
    return filter;
  }

  /** Keys that are in the filter. */
  long[] present() {
    return present;
  }

  /** Keys that are not, but for a few in 2^64. */
  long[] absent() {
    return absent;
  }

  /** Where the next chunk of keys begins. */
  int nextChunk() {
    next = (next + CHUNK) % QUERIES;
    return next;
  }
}
