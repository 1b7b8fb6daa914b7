package io.bloomery.cli.build;

import io.bloomery.AddableFilter;
import io.bloomery.Filter;
import io.bloomery.FilterBuilder;
import io.bloomery.FilterFullException;
import io.bloomery.RangeFilter;
import io.bloomery.RangeFilterBuilder;
import io.bloomery.Storable;
import io.bloomery.cli.option.FilterChoice;
import io.bloomery.hash.Hasher;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.BlockSink;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import io.bloomery.tools.spill.HashStore;
import io.bloomery.weighted.ClassShape;
import io.bloomery.weighted.Weights;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** The work of {@code bloom build}: reads keys once and builds a filter of the right size. */
final class BuildRun {

  /**
   * The result.
   *
   * @param filter the filter
   * @param hasher its hasher
   * @param choice the choice that it was built from
   * @param keys the number of keys read
   * @param distinct the number of distinct keys, -1 if they were not counted
   * @param skipped the number of empty keys skipped
   * @param nanos the time it took, in nanoseconds
   */
  record Result(
      Filter filter,
      Hasher hasher,
      FilterChoice choice,
      long keys,
      long distinct,
      long skipped,
      long nanos) {

    /** The filter as it is saved. */
    Storable storable() {
      return (Storable) filter;
    }

    /** The rate to expect, of the longest range if ranges are queried. */
    double expectedRate() {
      return filter instanceof RangeFilter ordered
          ? ordered.falsePositiveRate(ordered.longestRange())
          : filter.falsePositiveRate();
    }
  }

  private final KeyInput input;
  private final Reading reading;
  private final Progress progress;
  private final long start = System.nanoTime();

  /** Reads {@code input}. */
  BuildRun(KeyInput input, Reading reading, Progress progress) {
    this.input = input;
    this.reading = reading;
    this.progress = progress;
  }

  /** Reads the keys and builds the filter that suits them. */
  Result run(BuildChoice wanted) {
    Optional<FilterChoice> early = wanted.early();
    if (early.isPresent()) {
      FilterChoice choice = early.get();
      if (wanted.keys().isEmpty() && choice.forgets()) {
        throw new Problem(
            "kind %s needs -n: how many of the latest keys it remembers"
                .formatted(choice.kind().name()));
      }
      if (wanted.keys().isPresent() && (wanted.isRepeated(early) || !choice.holdsEachKeyOnce())) {
        return streaming(choice);
      }
    }
    return counting(wanted, wanted.isRepeated(early));
  }

  /**
   * Builds a filter of ordered keys. Numbers are kept and counted; the number of byte strings must
   * be given.
   */
  Result ordered(BuildChoice wanted) {
    if (wanted.purpose().keyBytes().isPresent()) {
      FilterChoice choice =
          wanted.forKeys(
              wanted
                  .keys()
                  .orElseThrow(
                      () ->
                          new Problem(
                              "--ranges with keys in the order of their bytes needs -n, the number"
                                  + " of keys")));
      RangeFilterBuilder builder = choice.rangeBuilder(hasher());
      Counting counting = ofKeys(builder::add);
      input.read(reading, counting, progress);
      return ordered(builder, choice, counting, -1);
    }
    try (HashStore store = HashStore.temporary(false)) {
      long[] number = new long[1];
      Counting counting =
          ofKeys(
              key -> {
                number[0] = ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN).getLong();
                store.add(number, 0, 1);
              });
      input.read(reading, counting, progress);
      progress.phase("counting");
      long distinct = store.distinct();
      FilterChoice choice = wanted.forKeys(distinct);
      progress.phase("adding");
      RangeFilterBuilder builder = choice.rangeBuilder(hasher());
      full(
          choice,
          () ->
              store.forEach(
                  (numbers, from, to) -> {
                    for (int i = from; i < to; i++) {
                      builder.add(numbers[i]);
                    }
                  }));
      return ordered(builder, choice, counting, distinct);
    }
  }

  private Counting ofKeys(Consumer<byte[]> target) {
    return new Counting() {
      @Override
      void add(Block block) {
        for (int i = 0; i < block.count(); i++) {
          int start = block.keyStarts()[i];
          try {
            target.accept(reading.keys().bytes(block.bytes(), start, block.keyEnds()[i] - start));
          } catch (IllegalArgumentException e) {
            throw Reading.problem(block, i, e);
          }
        }
      }
    };
  }

  private Result ordered(
      RangeFilterBuilder builder, FilterChoice choice, Counting counting, long distinct) {
    progress.phase("building");
    return new Result(
        builder.build(),
        hasher(),
        choice,
        counting.keys,
        distinct,
        counting.skipped,
        System.nanoTime() - start);
  }

  /** Keeps the hashes of all keys, counts the distinct ones, and builds a filter from them. */
  private Result counting(BuildChoice wanted, boolean repeated) {
    try (HashStore store = HashStore.temporary(repeated)) {
      Counting counting =
          new Counting() {
            @Override
            void add(Block block) {
              store.add(block.hashes(), 0, block.count());
            }
          };
      input.read(reading, counting, progress);
      progress.phase("counting");
      long distinct = store.distinct();
      FilterChoice choice = wanted.forKeys(distinct);
      progress.phase("adding");
      FilterBuilder builder = choice.builder(hasher(), reading.threads());
      full(choice, () -> store.forEach(builder::addHashes));
      return result(builder, choice, counting, distinct);
    }
  }

  /**
   * Keeps the hashes of all keys, tells the weights which keys are in the set, and builds a filter
   * from both.
   *
   * @param wanted the filter, as far as the command line determines it
   * @param weights how often keys are queried
   */
  Result weighted(BuildChoice wanted, Weights.Builder weights) {
    try (HashStore store = HashStore.temporary(false)) {
      Counting counting =
          new Counting() {
            @Override
            void add(Block block) {
              store.add(block.hashes(), 0, block.count());
            }
          };
      input.read(reading, counting, progress);
      progress.phase("counting");
      long distinct = store.distinct();
      weights.members(new long[0], 0, 0);
      store.forEach(weights::members);
      Weights known = weights.build();
      FilterChoice choice = wanted.forKeys(distinct, known);
      progress.phase("adding");
      AddableFilter filter = ((ClassShape) choice.shape()).create(known);
      full(choice, () -> store.forEach(filter::addHashes));
      progress.phase("building");
      return new Result(
          filter,
          hasher(),
          choice,
          counting.keys,
          distinct,
          counting.skipped,
          System.nanoTime() - start);
    }
  }

  /**
   * Adds keys as they are read, on all cores if the kind allows it and the order does not matter.
   */
  private Result streaming(FilterChoice choice) {
    FilterBuilder builder = choice.builder(hasher(), reading.threads());
    boolean anyOrder = choice.isParallel();
    Counting counting =
        new Counting() {
          @Override
          public void prepare(Block block) {
            if (anyOrder) {
              builder.addHashes(block.hashes(), 0, block.count());
            }
          }

          @Override
          void add(Block block) {
            if (!anyOrder) {
              builder.addHashes(block.hashes(), 0, block.count());
            }
          }
        };
    full(choice, () -> input.read(reading, counting, progress));
    return result(builder, choice, counting, -1);
  }

  private Hasher hasher() {
    return Objects.requireNonNull(reading.hasher(), "hasher");
  }

  private Result result(
      FilterBuilder builder, FilterChoice choice, Counting counting, long distinct) {
    progress.phase("building");
    return new Result(
        FilterChoice.build(builder),
        hasher(),
        choice,
        counting.keys,
        distinct,
        counting.skipped,
        System.nanoTime() - start);
  }

  private static void full(FilterChoice choice, Runnable adding) {
    try {
      adding.run();
    } catch (FilterFullException e) {
      throw new Problem(
          "the filter of kind %s is full (it was made for %s): give a larger -n, or a kind that grows"
              .formatted(choice.kind().name(), Text.count(choice.needs().keys(), "key")));
    } catch (UncheckedIOException e) {
      throw Problem.with("temporary file of hashes", Objects.requireNonNull(e.getCause()));
    }
  }

  /** Counts the keys that are read. */
  private abstract static class Counting implements BlockSink {
    private long keys;
    private long skipped;

    /** Adds the keys of a block; called for one block at a time. */
    abstract void add(Block block);

    @Override
    public boolean take(Block block) {
      add(block);
      keys += block.count();
      skipped += block.skipped();
      return true;
    }
  }
}
