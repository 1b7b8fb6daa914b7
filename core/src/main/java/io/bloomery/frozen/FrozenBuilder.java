package io.bloomery.frozen;

import io.bloomery.BuildProgress;
import io.bloomery.ConstructionException;
import io.bloomery.FilterBuilder;
import io.bloomery.HashedFilter;
import io.bloomery.Storable;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.math.Arguments;
import io.bloomery.internal.solve.KeyHashes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What the builders of filters that are built once have in common: they take all keys first, in any
 * order and any number of times each, and {@link #build()} makes the filter. The same set of keys
 * and the same seed give the same filter.
 *
 * <p>A key costs 8 bytes until the filter is built. A builder is used by one thread; {@link
 * #threads} says how many build. After {@link #build()} the builder is empty and can be used again.
 *
 * @param <B> the builder's own type
 * @param <F> the filter
 */
public abstract sealed class FrozenBuilder<
        B extends FrozenBuilder<B, F>, F extends HashedFilter & Storable>
    extends FilterBuilder<B> permits FuseFilter.Builder, XorFilter.Builder {

  private static final int MAX_THREADS = 1024;

  private KeyHashes hashes = KeyHashes.empty();
  private Hasher used;

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
    hashes.add(hash);
    if (hashes.size() % KeyHashes.PIECE == 0) {
      progress.report(BuildProgress.READ, hashes.size(), expectedKeys);
    }
  }

  /**
   * How many keys were added since the last build, duplicates counted.
   *
   * @return a number of keys
   */
  public final long addedKeys() {
    return hashes.size();
  }

  /**
   * Makes the filter of all keys that were added. The builder is empty then.
   *
   * @return the filter
   * @throws ConstructionException if the random trials were used up, which a set of proper hashes
   *     does not meet
   * @throws IllegalStateException if the hasher was changed after a key had been added
   */
  public final F build() {
    KeyHashes keys = take();
    progress.report(BuildProgress.READ, keys.size(), keys.size());
    return solve(keys);
  }

  private KeyHashes take() {
    if (used != null && !used.equals(hasher)) {
      throw new IllegalStateException("keys were added with " + used + ", not with " + hasher);
    }
    KeyHashes keys = hashes;
    hashes = KeyHashes.empty();
    used = null;
    return keys;
  }
}
