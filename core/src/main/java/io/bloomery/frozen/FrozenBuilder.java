package io.bloomery.frozen;

import io.bloomery.BuildProgress;
import io.bloomery.ConstructionException;
import io.bloomery.FilterBuilder;
import io.bloomery.HashedFilter;
import io.bloomery.Storable;
import io.bloomery.Variant;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.KeyHashes;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Limits;
import io.bloomery.internal.solve.Peeling;
import io.bloomery.internal.solve.SolveProgress;
import io.bloomery.internal.spill.HashSpill;
import io.bloomery.internal.spill.TemporaryFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Collects the keys of a static set, in any order and with duplicates; {@link #build()} then makes
 * the filter. The same set of keys and the same seed give the same filter.
 *
 * <p>A key costs 8 bytes until the filter is built, on the heap, or above {@link #heapKeys} in a
 * temporary file, from which {@link #buildSharded} makes a filter in shards. A builder is used by
 * one thread; {@link #threads} says how many build. After {@link #build()} the builder is empty and
 * can be used again.
 *
 * @param <S> the filter's shape
 * @param <F> the filter
 */
public final class FrozenBuilder<S extends StaticShape<S>, F extends HashedFilter & Storable> {

  private static final int MAX_THREADS = 1024;

  /** Builds the filter for a set of keys. */
  @FunctionalInterface
  interface Solver<S, F> {
    /**
     * The filter.
     *
     * @param hashes hashes with duplicates; may be emptied
     * @param shapes the shape for a number of different keys, at one rate
     */
    F solve(KeyHashes hashes, LongFunction<S> shapes, Construction construction);
  }

  /** What the shape does not decide. */
  record Construction(Hasher hasher, long seed, int threads, SolveProgress progress) {}

  private final Variant.ForKeys<S> forKeys;
  private final S defaultShape;
  private final Solver<S, F> solver;

  private KeyHashes hashes = KeyHashes.empty();
  private HashSpill spill;
  private Hasher hasher = Hasher.xxh3();
  private double falsePositiveRate;
  private S shape;
  private long expectedKeys;
  private long heapKeys = Peeling.MAX_KEYS;
  private Path temporaryDirectory = TemporaryFile.directory();
  private long seed;
  private int threads = 1;
  private BuildProgress progress = BuildProgress.NONE;

  /**
   * For the filters of this package.
   *
   * @param defaultShape if neither a rate nor a shape is given; null if one must be
   */
  FrozenBuilder(Variant.ForKeys<S> forKeys, S defaultShape, Solver<S, F> solver) {
    this.forKeys = forKeys;
    this.defaultShape = defaultShape;
    this.solver = solver;
  }

  /**
   * A builder of a planned filter; more keys than fit in one filter give a {@link ShardedFilter}.
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
        return spill == null ? FrozenBuilder.this.build() : buildSharded();
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
    this.falsePositiveRate = Arguments.rate("falsePositiveRate", falsePositiveRate);
    return this;
  }

  /**
   * The width of fingerprints and whatever else a shape decides, instead of a rate. Its number of
   * keys does not matter: the filter is as large as the keys that were added need.
   *
   * @param shape a shape for any number of keys
   * @return this builder
   */
  public FrozenBuilder<S, F> shape(S shape) {
    this.shape = Objects.requireNonNull(shape, "shape");
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
   * The keys that will be added, for {@link #progress} only.
   *
   * @param expectedKeys 1 … 2^36; 0, unknown, if never called
   * @return this builder
   */
  public FrozenBuilder<S, F> expectedKeys(long expectedKeys) {
    this.expectedKeys = Arguments.inRange("expectedKeys", expectedKeys, 1, Limits.MAX_KEYS);
    return this;
  }

  /**
   * Which random choices are tried first. Not a secret: against adversarial keys, use {@link
   * Hasher#keyed}.
   *
   * @param seed any number; 0 if never called
   * @return this builder
   */
  public FrozenBuilder<S, F> seed(long seed) {
    this.seed = seed;
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
    this.threads = Arguments.inRange("threads", threads, 1, MAX_THREADS);
    return this;
  }

  /**
   * The most keys that are kept on the heap, at 8 bytes each, and the most keys of a shard. When
   * more come, the hashes of all keys go to a temporary file, and {@link #buildSharded} must be
   * called instead of {@link #build()}.
   *
   * @param heapKeys 1 … 2^27, which it is if never called
   * @return this builder
   */
  public FrozenBuilder<S, F> heapKeys(long heapKeys) {
    this.heapKeys = Arguments.inRange("heapKeys", heapKeys, 1, Peeling.MAX_KEYS);
    return this;
  }

  /**
   * Where hashes are kept that do not fit on the heap, in one file of 8 bytes per key. It is
   * removed when the filter is built or could not be built, or with {@link #discard}, or when the
   * process ends.
   *
   * @param directory an existing directory; the system's for temporary files if never called
   * @return this builder
   */
  public FrozenBuilder<S, F> temporaryDirectory(Path directory) {
    this.temporaryDirectory = Objects.requireNonNull(directory, "directory");
    return this;
  }

  /**
   * A listener for the progress of the build.
   *
   * @param progress called now and then by the thread that adds or builds
   * @return this builder
   */
  public FrozenBuilder<S, F> progress(BuildProgress progress) {
    this.progress = Objects.requireNonNull(progress, "progress");
    return this;
  }

  /**
   * Adds a key by its hash.
   *
   * @param hash the key's hash by the builder's hasher
   * @return this builder
   */
  public FrozenBuilder<S, F> addHash(long hash) {
    put(hash);
    return this;
  }

  /**
   * Adds many keys by their hashes.
   *
   * @param hashes keys' hashes by the builder's hasher; copied
   * @param from the first to add
   * @param to one past the last to add
   * @return this builder
   */
  public FrozenBuilder<S, F> addHashes(long[] hashes, int from, int to) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromToIndex(from, to, hashes.length);
    for (int i = from; i < to; i++) {
      put(hashes[i]);
    }
    return this;
  }

  /**
   * Adds a text key, which is hashed as its UTF-8 bytes.
   *
   * @param key the key
   * @return this builder
   */
  public FrozenBuilder<S, F> add(CharSequence key) {
    return addHash(hasher.hash(key));
  }

  /**
   * Adds a byte-string key.
   *
   * @param key the key
   * @return this builder
   */
  public FrozenBuilder<S, F> add(byte[] key) {
    return addHash(hasher.hash(key));
  }

  /**
   * Adds a byte-string key given as a range of an array.
   *
   * @param bytes the array
   * @param offset where the key begins
   * @param length how many bytes it has
   * @return this builder
   */
  public FrozenBuilder<S, F> add(byte[] bytes, int offset, int length) {
    return addHash(hasher.hash(bytes, offset, length));
  }

  /**
   * Adds a number, which is hashed as its 8 bytes little-endian.
   *
   * @param key the key
   * @return this builder
   */
  public FrozenBuilder<S, F> add(long key) {
    return addHash(hasher.hash(key));
  }

  /**
   * Adds a character, which is hashed as text.
   *
   * @param key the key, which counts as text
   * @return this builder
   */
  public FrozenBuilder<S, F> add(char key) {
    return addHash(hasher.hash(key));
  }

  /**
   * Adds a UUID, which is hashed as its 16 bytes, most significant first.
   *
   * @param key the key
   * @return this builder
   */
  public FrozenBuilder<S, F> add(UUID key) {
    return addHash(hasher.hash(key));
  }

  /**
   * Adds a byte-string key, given as the bytes between a buffer's position and its limit, neither
   * of which changes.
   *
   * @param key the key; its position and limit stay as they are
   * @return this builder
   */
  public FrozenBuilder<S, F> add(ByteBuffer key) {
    return addHash(hasher.hash(key));
  }

  /**
   * Adds an object.
   *
   * @param key the object
   * @param funnel writes the object's fields
   * @param <T> the object's type
   * @return this builder
   */
  public <T> FrozenBuilder<S, F> add(T key, Funnel<? super T> funnel) {
    return addHash(hasher.hash(key, funnel));
  }

  /**
   * Adds all text keys of an iterator.
   *
   * @param keys the keys
   * @return this builder
   */
  public FrozenBuilder<S, F> addAll(Iterator<? extends CharSequence> keys) {
    Objects.requireNonNull(keys, "keys");
    while (keys.hasNext()) {
      add(keys.next());
    }
    return this;
  }

  /**
   * Adds all text keys of a collection.
   *
   * @param keys the keys
   * @return this builder
   */
  public FrozenBuilder<S, F> addAll(Iterable<? extends CharSequence> keys) {
    return addAll(Objects.requireNonNull(keys, "keys").iterator());
  }

  /**
   * Adds all text keys of a stream, in its order even if it is parallel.
   *
   * @param keys the keys; left for the caller to close
   * @return this builder
   */
  public FrozenBuilder<S, F> addAll(Stream<? extends CharSequence> keys) {
    return addAll(Objects.requireNonNull(keys, "keys").iterator());
  }

  /**
   * Adds all numbers of a stream, each hashed as its 8 bytes little-endian.
   *
   * @param keys the keys; left for the caller to close
   * @return this builder
   */
  public FrozenBuilder<S, F> addAll(LongStream keys) {
    keys.sequential().forEach(this::add);
    return this;
  }

  /**
   * Adds all objects of a collection.
   *
   * @param keys the objects
   * @param funnel writes an object's fields
   * @param <T> the objects' type
   * @return this builder
   */
  public <T> FrozenBuilder<S, F> addAll(Iterable<? extends T> keys, Funnel<? super T> funnel) {
    return addAll(Objects.requireNonNull(keys, "keys").iterator(), funnel);
  }

  /**
   * Adds all objects of an iterator.
   *
   * @param keys the objects
   * @param funnel writes an object's fields
   * @param <T> the objects' type
   * @return this builder
   */
  public <T> FrozenBuilder<S, F> addAll(Iterator<? extends T> keys, Funnel<? super T> funnel) {
    Objects.requireNonNull(keys, "keys");
    while (keys.hasNext()) {
      add(keys.next(), funnel);
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

  /** All adds end here. */
  private void put(long hash) {
    if (spill != null || hashes.size() == heapKeys) {
      spill(hash);
    } else {
      hashes.add(hash);
    }
    if (addedKeys() % KeyHashes.PIECE == 0) {
      progress.report(BuildProgress.READ, addedKeys(), expectedKeys);
    }
  }

  private void spill(long hash) {
    try {
      if (spill == null) {
        spill = new HashSpill(temporaryDirectory);
        for (int i = 0; i < hashes.pieces(); i++) {
          spill.add(hashes.piece(i), 0, hashes.length(i));
        }
        hashes.clear();
      }
      spill.add(hash);
    } catch (IOException e) {
      discard();
      throw new UncheckedIOException("the keys are lost: no temporary file of hashes", e);
    }
  }

  /**
   * The keys that were added since the last build, duplicates counted.
   *
   * @return a number of keys
   */
  public long addedKeys() {
    return spill == null ? hashes.size() : spill.size();
  }

  /** Discards all keys and deletes the temporary file if there is one. */
  public void discard() {
    HashSpill file = spill;
    spill = null;
    hashes = KeyHashes.empty();
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        throw new UncheckedIOException("the temporary file of hashes cannot be removed", e);
      }
    }
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
    if (spill != null) {
      throw new IllegalStateException(
          addedKeys() + " keys are more than heapKeys = " + heapKeys + "; call buildSharded()");
    }
    KeyHashes keys = hashes;
    hashes = KeyHashes.empty();
    progress.report(BuildProgress.READ, keys.size(), keys.size());
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
    long total = addedKeys();
    int shardLog = 0;
    // Shard sizes vary by a few times the square root of their keys.
    while (Math.scalb((double) total, -shardLog) > heapKeys - 4 * Math.sqrt((double) heapKeys)
        && Math.scalb((double) total, -shardLog) > 1) {
      shardLog++;
    }
    if (shardLog > HashSpill.MAX_SHARD_LOG) {
      throw new IllegalStateException(
          total + " keys in shards of heapKeys = " + heapKeys + " are more than 4096 shards");
    }
    try {
      LongFunction<S> shapes = shapes();
      Construction construction = construction();
      progress.report(BuildProgress.READ, total, total);
      List<F> shards = new ArrayList<>();
      for (int i = 0; i < 1 << shardLog; i++) {
        KeyHashes part = part(i, shardLog);
        part.replaceAll(ShardedFilter::inner);
        shards.add(solver.solve(part, shapes, construction));
      }
      return ShardedFilter.of(hasher, shardLog, shards);
    } finally {
      discard();
    }
  }

  /** The filter of hashes that the builder does not hold. */
  F buildOf(KeyHashes keys) {
    return solver.solve(keys, shapes(), construction());
  }

  private Construction construction() {
    BuildProgress listener = progress;
    return new Construction(
        hasher, seed, threads, (phase, done, total) -> listener.report(name(phase), done, total));
  }

  private static String name(SolveProgress.Phase phase) {
    return switch (phase) {
      case ORDER -> BuildProgress.ORDER;
      case SOLVE -> BuildProgress.SOLVE;
      case FILL -> BuildProgress.FILL;
    };
  }

  /** The filter of keys that are numbers, for a builder without others. */
  F buildOfKeys(long[] keys) {
    Objects.requireNonNull(keys, "keys");
    for (long key : keys) {
      add(key);
    }
    return build();
  }

  /** The shape for a number of different keys. */
  private LongFunction<S> shapes() {
    if (shape != null && falsePositiveRate != 0) {
      throw new IllegalArgumentException(
          "falsePositiveRate and shape were given; only one of them can be");
    }
    S form = shape == null ? defaultShape : shape;
    return falsePositiveRate == 0 && form != null
        ? form::withKeys
        : keys -> forKeys.shape(Math.max(1, keys), falsePositiveRate).withKeys(keys);
  }

  private KeyHashes part(int shard, int shardLog) throws IOException {
    KeyHashes part = KeyHashes.empty();
    if (spill != null) {
      spill.read(shard, shardLog, part::add);
      return part;
    }
    for (int i = 0; i < hashes.pieces(); i++) {
      long[] piece = hashes.piece(i);
      for (int j = 0; j < hashes.length(i); j++) {
        if (ShardedFilter.shard(piece[j], shardLog) == shard) {
          part.add(piece[j]);
        }
      }
    }
    return part;
  }
}
