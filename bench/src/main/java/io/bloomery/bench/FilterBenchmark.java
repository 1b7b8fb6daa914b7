package io.bloomery.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** The one JMH benchmark: a fork measures one row of one workload. {@link Bench} schedules it. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
public class FilterBenchmark {

  /** The workload's id. */
  @Param("long")
  public String workload;

  /** The row's name. */
  @Param("Blocked")
  public String row;

  /** How many keys are added; 0 for as many as the workload says. */
  @Param("0")
  public int keys;

  /** Which keys. */
  @Param("1")
  public long seed;

  /** How often the build is timed. */
  @Param("3")
  public int builds;

  /** How many absent keys the false-positive rate is counted over, at least. */
  @Param("1048576")
  public int rateKeys;

  /** How long an iteration lasts, at least. */
  @Param("200")
  public int passMillis;

  private Measurement measurement;

  /** Makes keys and filter. */
  @Setup
  public void setUp() {
    Workload chosen = Workload.of(workload);
    measurement =
        Measurement.of(
            Rows.find(chosen, row),
            new Measurement.Settings(
                keys == 0 ? chosen.keys() : keys,
                chosen.rate(),
                chosen.queries(),
                seed,
                builds,
                rateKeys,
                TimeUnit.MILLISECONDS.toNanos(passMillis)));
  }

  /**
   * One iteration: every kind of query over many keys, each timed on its own.
   *
   * @param figures receives the times
   * @param blackhole takes the answers
   */
  @Benchmark
  public void run(Figures figures, Blackhole blackhole) {
    measurement.measure(figures, blackhole);
  }
}
