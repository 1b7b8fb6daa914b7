package io.bloomery.bench.jmh;

import io.bloomery.HashedFilter;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Queries of a chunk of keys; times are per key. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(KindState.CHUNK)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public abstract class ChunkBenchmark {

  /** Counts the keys of the chunk that begins at an index. */
  abstract int count(HashedFilter filter, long[] keys, int from);

  /**
   * Queries of added keys.
   *
   * @param state filter and keys
   * @return how many were found
   */
  @Benchmark
  public int hit(KindState state) {
    return count(state.filter(), state.present(), state.nextChunk());
  }

  /**
   * Queries of keys that were not added.
   *
   * @param state filter and keys
   * @return how many were found
   */
  @Benchmark
  public int miss(KindState state) {
    return count(state.filter(), state.absent(), state.nextChunk());
  }
}
