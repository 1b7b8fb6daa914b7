package io.bloomery.frozen;

import io.bloomery.ConstructionException;
import io.bloomery.FilterBuilder;
import io.bloomery.HashedFilter;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.KeyHashes;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Limits;
import io.bloomery.internal.solve.Peeling;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Collects the keys of a static set, in any order and with duplicates; {@link #build()} then builds
 * the filter. The same set of keys and the same seed produce the same filter.
 *
 * <p>Until the filter is built, a key takes 8 bytes on the heap, or above {@link #heapKeys} in a
 * temporary file, from which {@link #buildSharded} builds a filter in shards. A builder is not
 * thread-safe; {@link #threads} sets the number of threads that build. After {@link #build()} the
 * builder is empty and can be used again.
 *
 * @param <S> the filter's shape
 * @param <F> the filter
 */
public final class FrozenBuilder<S extends Shape, F extends HashedFilter & Storable>
    extends AddingBuilder<FrozenBuilder<S, F>> {

  private static final int MAX_THREADS = 1024;

  private final CollectedHashes hashes = new CollectedHashes();
  private final FrozenSolver<S, F> solver;

  private Hasher hasher = Hasher.xxh3();
  private long expectedKeys;
  private FilterBuilder.Progress progress = FilterBuilder.Progress.NONE;

  /** For the filters of this package. */
  FrozenBuilder(FrozenSolver<S, F> solver) {
    this.solver = solver;
  }

  @Override
  protected FrozenBuilder<S, F> self() {
    return this;
  }

  /**
   * A builder of a planned filter; with more keys than fit in one filter it builds a {@link
   * ShardedFilter}.
   */
  FilterBuilder planned(S shape, Hasher hasher, int threads) {
    shape(shape).hasher(hasher).threads(Math.min(MAX_THREADS, threads));
    return new FilterBuilder() {
      @Override
      public void addHashes(long[] more, int from, int to) {
        FrozenBuilder.this.addHashes(more, from, to);
      }

      @Override
      public HashedFilter build() throws IOException {
        return hashes.isSpilled() ? buildSharded() : FrozenBuilder.this.build();
      }
    };
  }

  /**
   * The highest acceptable rate, instead of a shape.
   *
   * @param falsePositiveRate above 0, below 1
   * @return this builder
   */
  public FrozenBuilder<S, F> falsePositiveRate(double falsePositiveRate) {
    solver.falsePositiveRate(Arguments.rate("falsePositiveRate", falsePositiveRate));
    return this;
  }

  /**
   * The width of fingerprints and the other parameters of a shape, instead of a rate. The shape's
   * number of keys is ignored: the filter is sized for the keys that were added.
   *
   * @param shape a shape for any number of keys
   * @return this builder
   */
  public FrozenBuilder<S, F> shape(S shape) {
    solver.shape(Objects.requireNonNull(shape, "shape"));
    return this;
  }

  /**
   * What turns keys into hashes. Call it before the first key is added.
   *
   * @param hasher {@link Hasher#xxh3()} if never called
   * @return this builder
   * @throws IllegalStateException if keys were added with another hasher
   */
  public FrozenBuilder<S, F> hasher(Hasher hasher) {
    Objects.requireNonNull(hasher, "hasher");
    if (addedKeys() > 0 && !hasher.equals(this.hasher)) {
      throw new IllegalStateException("keys were added with " + this.hasher + ", not " + hasher);
    }
    this.hasher = hasher;
    return this;
  }

  /**
   * The number of keys that will be added, used only for {@link #progress}.
   *
   * @param expectedKeys 1 … 2^36; 0, unknown, if never called
   * @return this builder
   */
  public FrozenBuilder<S, F> expectedKeys(long expectedKeys) {
    this.expectedKeys = Arguments.inRange("expectedKeys", expectedKeys, 1, Limits.MAX_KEYS);
    return this;
  }

  /**
   * The seed of the random choices. Not a secret: against adversarial keys, use {@link
   * Hasher#keyed}.
   *
   * @param seed any number; 0 if never called
   * @return this builder
   */
  public FrozenBuilder<S, F> seed(long seed) {
    solver.seed(seed);
    return this;
  }

  /**
   * The most threads that build. Kinds that do not benefit use fewer; the resulting filter is the
   * same.
   *
   * @param threads 1 … 1024; 1 if never called
   * @return this builder
   */
  public FrozenBuilder<S, F> threads(int threads) {
    solver.threads(Arguments.inRange("threads", threads, 1, MAX_THREADS));
    return this;
  }

  /**
   * The most keys that are kept on the heap, at 8 bytes each, and the most keys of a shard. Beyond
   * that, the hashes of all keys go to a temporary file, and {@link #buildSharded} must be called
   * instead of {@link #build()}.
   *
   * @param heapKeys 1 … 2^27, which it is if never called
   * @return this builder
   */
  public FrozenBuilder<S, F> heapKeys(long heapKeys) {
    hashes.heapKeys(Arguments.inRange("heapKeys", heapKeys, 1, Peeling.MAX_KEYS));
    return this;
  }

  /**
   * The directory for hashes that do not fit on the heap, in one file of 8 bytes per key. The file
   * is removed when the build ends, successfully or not, by {@link #discard}, or when the process
   * ends.
   *
   * @param directory an existing directory; the system's for temporary files if never called
   * @return this builder
   */
  public FrozenBuilder<S, F> temporaryDirectory(Path directory) {
    hashes.temporaryDirectory(Objects.requireNonNull(directory, "directory"));
    return this;
  }

  /**
   * A listener for the progress of the build.
   *
   * @param progress called periodically by the thread that adds or builds
   * @return this builder
   */
  public FrozenBuilder<S, F> progress(FilterBuilder.Progress progress) {
    this.progress = Objects.requireNonNull(progress, "progress");
    return this;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  @Override
  public FrozenBuilder<S, F> addHash(long hash) {
    put(hash);
    return this;
  }

  @Override
  public FrozenBuilder<S, F> addHashes(long[] hashes, int from, int to) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromToIndex(from, to, hashes.length);
    for (int i = from; i < to; i++) {
      put(hashes[i]);
    }
    return this;
  }

  /**
   * Adds every line of a file: its bytes, without its end, which is {@code \n} or {@code \r\n} and
   * may be missing after the last line. Nothing is decoded; an empty line is the empty key.
   *
   * @param file the file
   * @return this builder
   * @throws IOException if the file cannot be read; lines before the failure were added
   */
  public FrozenBuilder<S, F> addLines(Path file) throws IOException {
    LineKeys.read(file, this::add);
    return this;
  }

  /** Adds a hash; all other methods call this one. */
  private void put(long hash) {
    hashes.add(hash);
    if (hashes.size() % KeyHashes.PIECE == 0) {
      progress.report(FilterBuilder.Progress.READ, hashes.size(), expectedKeys);
    }
  }

  /**
   * The number of keys added since the last build, including duplicates.
   *
   * @return a number of keys
   */
  public long addedKeys() {
    return hashes.size();
  }

  /** Discards all keys and deletes the temporary file if there is one. */
  public void discard() {
    hashes.discard();
  }

  /**
   * Builds the filter from all keys added so far. Afterwards the builder is empty.
   *
   * @return the filter
   * @throws ConstructionException if every random trial failed, which is not expected with
   *     well-mixed hashes
   * @throws IllegalStateException if more keys than {@link #heapKeys} were added, which are kept
   *     for {@link #buildSharded}
   */
  public F build() {
    if (hashes.isSpilled()) {
      throw new IllegalStateException(
          addedKeys()
              + " keys are more than heapKeys = "
              + hashes.heapKeys()
              + "; call buildSharded()");
    }
    KeyHashes keys = hashes.take();
    progress.report(FilterBuilder.Progress.READ, keys.size(), keys.size());
    return buildOf(keys);
  }

  /**
   * Builds a filter in shards of at most about {@link #heapKeys} keys, one after the other, from
   * the temporary file if there is one. Afterwards the builder is empty and the file deleted.
   *
   * @return the filter
   * @throws ConstructionException if every random trial for a shard failed
   * @throws IllegalStateException if the keys need more than 4096 shards
   * @throws IOException if the temporary file cannot be read
   */
  public ShardedFilter buildSharded() throws IOException {
    int shardLog = hashes.shardLog();
    try {
      progress.report(FilterBuilder.Progress.READ, addedKeys(), addedKeys());
      List<F> shards = new ArrayList<>();
      for (int i = 0; i < 1 << shardLog; i++) {
        KeyHashes part = hashes.shard(i, shardLog);
        part.replaceAll(ShardedFilter::inner);
        shards.add(buildOf(part));
      }
      return ShardedFilter.of(hasher, shardLog, shards);
    } finally {
      discard();
    }
  }

  /** Builds the filter of the given hashes. */
  F buildOf(KeyHashes keys) {
    return solver.solve(keys, hasher, progress);
  }

  /** Builds the filter of the given numbers; the builder must be empty. */
  F buildOfKeys(long[] keys) {
    Objects.requireNonNull(keys, "keys");
    for (long key : keys) {
      add(key);
    }
    return build();
  }
}
