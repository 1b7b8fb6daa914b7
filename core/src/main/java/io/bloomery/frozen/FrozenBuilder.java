package io.bloomery.frozen;

import io.bloomery.BuildProgress;
import io.bloomery.ConstructionException;
import io.bloomery.FilterRecipe;
import io.bloomery.HashedFilter;
import io.bloomery.SizedBuilder;
import io.bloomery.Storable;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.solve.KeyHashes;
import io.bloomery.internal.solve.Peeling;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What the builders of filters that are built once have in common: they take all keys first, in any
 * order and any number of times each, and {@link #build()} makes the filter. The same set of keys
 * and the same seed give the same filter.
 *
 * <p>A key costs 8 bytes until the filter is built, on the heap, or above {@link #heapKeys} in a
 * temporary file, from which {@link #buildSharded} makes a filter in shards. A builder is used by
 * one thread; {@link #threads} says how many build. After {@link #build()} the builder is empty and
 * can be used again.
 *
 * @param <B> the builder's own type
 * @param <F> the filter
 */
public abstract sealed class FrozenBuilder<
        B extends FrozenBuilder<B, F>, F extends HashedFilter & Storable>
    extends SizedBuilder<B>
    permits FuseFilter.Builder,
        GolombCodedSet.Builder,
        PerfectHashFilter.Builder,
        RibbonFilter.Builder,
        XorFilter.Builder {

  private static final int MAX_THREADS = 1024;

  private KeyHashes hashes = KeyHashes.empty();
  private HashSpill spill;
  private Hasher used;
  private long heapKeys = Peeling.MAX_KEYS;
  private Path temporaryDirectory;

  /** Decides which random choices are tried. */
  long seed;

  /** How many threads may work. */
  int threads = 1;

  /** Told of every step. */
  BuildProgress progress = BuildProgress.NONE;

  /** Only for the builders of this package. */
  FrozenBuilder() {}

  /**
   * The filter of some keys.
   *
   * @param keys hashes with duplicates; the builder does not look at them again
   */
  abstract F solve(KeyHashes keys);

  /**
   * Which random choices are tried first. Not a secret: to keep others from aiming at the filter,
   * use {@link Hasher#keyed}.
   *
   * @param seed any number; 0 if never called
   * @return this builder
   */
  public final B seed(long seed) {
    this.seed = seed;
    return self();
  }

  /**
   * How many threads may build. Kinds that gain nothing from more use fewer; the filter is the
   * same.
   *
   * @param threads 1 … 1024; 1 if never called
   * @return this builder
   */
  public final B threads(int threads) {
    this.threads = Arguments.inRange("threads", threads, 1, MAX_THREADS);
    return self();
  }

  /**
   * How many keys may wait on the heap, at 8 bytes each, and how many a shard may have. When more
   * come, the hashes of all keys go to a temporary file, and {@link #buildSharded} must be called
   * instead of {@link #build()}.
   *
   * @param heapKeys 1 … 2^27, which it is if never called
   * @return this builder
   */
  public final B heapKeys(long heapKeys) {
    this.heapKeys = Arguments.inRange("heapKeys", heapKeys, 1, Peeling.MAX_KEYS);
    return self();
  }

  /**
   * Where hashes wait that do not fit on the heap, in one file of 8 bytes per key. It is removed
   * when the filter is built or could not be built, or with {@link #discard}, or when the process
   * ends.
   *
   * @param directory an existing directory; the system's for temporary files if never called
   * @return this builder
   */
  public final B temporaryDirectory(Path directory) {
    this.temporaryDirectory = Objects.requireNonNull(directory, "directory");
    return self();
  }

  /**
   * Who is told how far the build has come.
   *
   * @param progress called now and then by the thread that adds or builds
   * @return this builder
   */
  public final B progress(BuildProgress progress) {
    this.progress = Objects.requireNonNull(progress, "progress");
    return self();
  }

  /**
   * Adds a key by its hash.
   *
   * @param hash the key's hash by the builder's hasher
   * @return this builder
   */
  public final B addHash(long hash) {
    put(hash);
    return self();
  }

  /**
   * Adds many keys by their hashes.
   *
   * @param hashes keys' hashes by the builder's hasher; copied
   * @param from the first to add
   * @param to one past the last to add
   * @return this builder
   */
  public final B addHashes(long[] hashes, int from, int to) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromToIndex(from, to, hashes.length);
    for (int i = from; i < to; i++) {
      put(hashes[i]);
    }
    return self();
  }

  /**
   * Adds a text key, which is hashed as its UTF-8 bytes.
   *
   * @param key the key
   * @return this builder
   */
  public final B add(CharSequence key) {
    return addHash(hasher.hash(key));
  }

  /**
   * Adds a byte-string key.
   *
   * @param key the key
   * @return this builder
   */
  public final B add(byte[] key) {
    return addHash(hasher.hash(key));
  }

  /**
   * Adds a key that is a part of an array.
   *
   * @param bytes the array
   * @param offset where the key begins
   * @param length how many bytes it has
   * @return this builder
   */
  public final B add(byte[] bytes, int offset, int length) {
    return addHash(hasher.hash(bytes, offset, length));
  }

  /**
   * Adds a number, which is hashed as its 8 bytes little-endian.
   *
   * @param key the key
   * @return this builder
   */
  public final B add(long key) {
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
  public final <T> B add(T key, Funnel<? super T> funnel) {
    return addHash(hasher.hash(key, funnel));
  }

  /**
   * Adds all text keys of an iterator.
   *
   * @param keys the keys
   * @return this builder
   */
  public final B addAll(Iterator<? extends CharSequence> keys) {
    Objects.requireNonNull(keys, "keys");
    while (keys.hasNext()) {
      add(keys.next());
    }
    return self();
  }

  /**
   * Adds all text keys of a collection.
   *
   * @param keys the keys
   * @return this builder
   */
  public final B addAll(Iterable<? extends CharSequence> keys) {
    return addAll(Objects.requireNonNull(keys, "keys").iterator());
  }

  /**
   * Adds all text keys of a stream, in its order even if it is parallel.
   *
   * @param keys the keys; left for the caller to close
   * @return this builder
   */
  public final B addAll(Stream<? extends CharSequence> keys) {
    return addAll(Objects.requireNonNull(keys, "keys").iterator());
  }

  /**
   * Adds all objects of an iterator.
   *
   * @param keys the objects
   * @param funnel writes an object's fields
   * @param <T> the objects' type
   * @return this builder
   */
  public final <T> B addAll(Iterator<? extends T> keys, Funnel<? super T> funnel) {
    Objects.requireNonNull(keys, "keys");
    while (keys.hasNext()) {
      add(keys.next(), funnel);
    }
    return self();
  }

  /**
   * Adds every line of a file: its bytes, without its end, which is {@code \n} or {@code \r\n} and
   * may be missing after the last line. Nothing is decoded; an empty line is the empty key.
   *
   * @param file the file
   * @return this builder
   * @throws IOException if the file cannot be read; lines before the failure were added
   */
  public final B addLines(Path file) throws IOException {
    LineKeys.read(file, this::add);
    return self();
  }

  /** Every key comes through here. */
  private void put(long hash) {
    if (used == null) {
      used = hasher;
    }
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
          long[] piece = hashes.piece(i);
          for (int j = 0; j < hashes.length(i); j++) {
            spill.add(piece[j]);
          }
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
   * How many keys were added since the last build, duplicates counted.
   *
   * @return a number of keys
   */
  public final long addedKeys() {
    return spill == null ? hashes.size() : spill.size();
  }

  /** Forgets all keys and removes the temporary file if there is one. */
  public final void discard() {
    HashSpill file = spill;
    spill = null;
    hashes = KeyHashes.empty();
    used = null;
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        throw new UncheckedIOException("the temporary file of hashes cannot be removed", e);
      }
    }
  }

  /**
   * Makes the filter of all keys that were added. The builder is empty then.
   *
   * @return the filter
   * @throws ConstructionException if the random trials were used up, which a set of proper hashes
   *     does not meet
   * @throws IllegalStateException if more keys than {@link #heapKeys} were added, which are kept
   *     for {@link #buildSharded}, or if the hasher was changed after a key had been added
   */
  public final F build() {
    checkHasher();
    if (spill != null) {
      throw new IllegalStateException(
          addedKeys() + " keys are more than heapKeys = " + heapKeys + "; call buildSharded()");
    }
    KeyHashes keys = hashes;
    hashes = KeyHashes.empty();
    used = null;
    progress.report(BuildProgress.READ, keys.size(), keys.size());
    return solve(keys);
  }

  /**
   * Makes a filter in shards of at most about {@link #heapKeys} keys, one after the other, from the
   * temporary file if there is one. The builder is empty then, and the file is gone.
   *
   * @return the filter
   * @throws ConstructionException if the random trials for a shard were used up
   * @throws IllegalStateException if the hasher was changed after a key had been added, or if the
   *     keys need more than 4096 shards
   * @throws IOException if the temporary file cannot be read
   */
  public final ShardedFilter buildSharded() throws IOException {
    checkHasher();
    long total = addedKeys();
    int shardLog = 0;
    // Shards differ by a few times the square root of their keys.
    while (Math.scalb((double) total, -shardLog) > heapKeys - 4 * Math.sqrt((double) heapKeys)
        && Math.scalb((double) total, -shardLog) > 1) {
      shardLog++;
    }
    if (shardLog > HashSpill.MAX_SHARD_LOG) {
      throw new IllegalStateException(
          total + " keys in shards of heapKeys = " + heapKeys + " are more than 4096 shards");
    }
    try {
      progress.report(BuildProgress.READ, total, total);
      List<F> shards = new ArrayList<>();
      for (int i = 0; i < 1 << shardLog; i++) {
        KeyHashes part = spill == null ? part(i, shardLog) : spill.shard(i, shardLog);
        part.replaceAll(ShardedFilter::inner);
        shards.add(solve(part));
      }
      return ShardedFilter.of(hasher, shardLog, shards);
    } finally {
      discard();
    }
  }

  private KeyHashes part(int shard, int shardLog) {
    KeyHashes part = KeyHashes.empty();
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

  /** This builder behind the methods that all kinds have in common. */
  final FilterRecipe.Making making(FilterRecipe.Order<?> order) {
    hasher(order.hasher()).threads(Math.min(MAX_THREADS, order.threads()));
    return new FilterRecipe.Making() {
      @Override
      public void addHashes(long[] more, int from, int to) {
        FrozenBuilder.this.addHashes(more, from, to);
      }

      @Override
      public FilterRecipe.Made finish() throws IOException {
        return spill == null ? FilterRecipe.Made.of(build()) : FilterRecipe.Made.of(buildSharded());
      }
    };
  }

  private void checkHasher() {
    if (used != null && !used.equals(hasher)) {
      throw new IllegalStateException("keys were added with " + used + ", not with " + hasher);
    }
  }
}
