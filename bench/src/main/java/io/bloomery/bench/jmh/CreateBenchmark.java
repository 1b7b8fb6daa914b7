package io.bloomery.bench.jmh;

import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Empty blocked filters, each for another number of keys and another rate, since shapes are
 * remembered. Samples: the least is little disturbed by other programs.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class CreateBenchmark {

  /** The most keys that a filter is made for. */
  @Param("1000")
  public long keys;

  private final SplittableRandom random = new SplittableRandom(1);

  /**
   * One filter, with its words.
   *
   * @return the filter
   */
  @Benchmark
  public BlockedBloomFilter create() {
    return BlockedBloomFilter.create(nextKeys(), nextRate());
  }

  /**
   * One shape.
   *
   * @return the shape
   */
  @Benchmark
  public BlockShape shape() {
    return BlockShape.forKeys(nextKeys(), nextRate());
  }

  private long nextKeys() {
    return random.nextLong(1, keys + 1);
  }

  /** From one in three down to one in a million. */
  private double nextRate() {
    return Math.pow(10, -0.5 - 5.5 * random.nextDouble());
  }
}
