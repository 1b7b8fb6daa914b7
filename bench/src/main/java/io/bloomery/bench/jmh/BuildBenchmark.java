package io.bloomery.bench.jmh;

import io.bloomery.HashedFilter;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** Builds of a filter of all keys by its builder, from their hashes. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class BuildBenchmark {

  /**
   * One build.
   *
   * @param state keys
   * @return the filter
   * @throws IOException if a temporary file cannot be read
   */
  @Benchmark
  public HashedFilter build(KindState state) throws IOException {
    return state.build();
  }
}
