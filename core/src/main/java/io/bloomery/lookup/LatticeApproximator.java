package io.bloomery.lookup;

import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Modulus;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * An upper bound on the value of a key in a {@link Lattice}. The answer is the key's value or one
 * above it. Keys are put one at a time; a key with several values has their join.
 *
 * <p>Values are objects of any type: numbers by divisibility, intervals, sets, versions. It exists
 * only in memory and cannot be saved; {@link CompactApproximator} holds numbers and sets in few
 * bits. A put joins the value into k cells, a query takes the meet of the k cells. The meet of
 * cells with incomparable values may be the bottom, which is then a correct answer: the value of a
 * key is below all its cells, and so below their meet.
 *
 * <p>Threads: lock-free. Any number of threads may put and query; a value whose {@code put}
 * returned is part of every answer that happens after that return.
 *
 * <p>Boldi and Vigna 2004, "Compact Approximation of Lattice Functions with Applications to
 * Large-Alphabet Text Search", sec. 2.
 *
 * @param <V> the values' type
 */
public final class LatticeApproximator<V> {

  private final Lattice<V> lattice;
  private final Hasher hasher;
  private final int hashesPerKey;
  private final Modulus modulus;
  private final AtomicReferenceArray<V> cells; // null: the bottom

  private LatticeApproximator(Lattice<V> lattice, long cells, int hashesPerKey, Hasher hasher) {
    this.lattice = lattice;
    this.hasher = hasher;
    this.hashesPerKey = hashesPerKey;
    this.modulus = new Modulus(cells);
    this.cells = new AtomicReferenceArray<>((int) cells);
  }

  /**
   * An approximator in which every key has the bottom.
   *
   * @param lattice the values
   * @param expectedKeys how many different keys will get a value, 1 or more
   * @param falsePositiveRate the highest acceptable share of values that are too high at that
   *     number of keys, above 0, below 1
   * @param hasher hashes the keys
   * @param <V> the values' type
   * @return the approximator, with the cells of {@link ApproximatorShape}
   * @throws IllegalArgumentException if that takes more than 2^31 - 9 cells
   */
  public static <V> LatticeApproximator<V> create(
      Lattice<V> lattice, long expectedKeys, double falsePositiveRate, Hasher hasher) {
    ApproximatorShape shape = ApproximatorShape.forKeys(expectedKeys, falsePositiveRate, 1);
    return create(lattice, shape.cells(), shape.hashesPerKey(), hasher);
  }

  /**
   * An approximator of a given size in which every key has the bottom.
   *
   * @param lattice the values
   * @param cells 2 … 2^31 - 9
   * @param hashesPerKey hashes per key, as in {@link ApproximatorShape}
   * @param hasher hashes the keys
   * @param <V> the values' type
   * @return the approximator
   */
  public static <V> LatticeApproximator<V> create(
      Lattice<V> lattice, long cells, int hashesPerKey, Hasher hasher) {
    Objects.requireNonNull(lattice, "lattice");
    Objects.requireNonNull(hasher, "hasher");
    Arguments.inRange("cells", cells, 2, Integer.MAX_VALUE - 8);
    ApproximatorShape shape = new ApproximatorShape(cells, hashesPerKey, 1, false);
    return new LatticeApproximator<>(lattice, shape.cells(), shape.hashesPerKey(), hasher);
  }

  /**
   * The hasher of the keys.
   *
   * @return the hasher
   */
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The value of a key.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @return a value that is not below the one put for the key; the bottom if it has none
   */
  public V getHash(long hash) {
    V meet = cells.get((int) Draws.index(hash, 0, modulus));
    for (int i = 1; meet != null && i < hashesPerKey; i++) {
      V cell = cells.get((int) Draws.index(hash, i, modulus));
      meet = cell == null ? null : lattice.meet(meet, cell);
    }
    return meet == null ? lattice.bottom() : meet;
  }

  /**
   * Gives a key a value, which is joined with its existing ones.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @param value a value; the bottom changes nothing
   * @return true: the key's answer may have been below the value before; false: it was not, and
   *     nothing changed
   */
  public boolean putHash(long hash, V value) {
    Objects.requireNonNull(value, "value");
    if (value.equals(lattice.bottom())) {
      return false;
    }
    boolean changed = false;
    for (int i = 0; i < hashesPerKey; i++) {
      changed |= join((int) Draws.index(hash, i, modulus), value);
    }
    return changed;
  }

  private boolean join(int cell, V value) {
    while (true) {
      V old = cells.get(cell);
      V next = old == null ? value : lattice.join(old, value);
      if (next.equals(old)) {
        return false;
      }
      if (cells.compareAndSet(cell, old, next)) {
        return true;
      }
    }
  }

  /**
   * The value of a text key.
   *
   * @param key the key
   * @return as {@link #getHash}
   */
  public V get(CharSequence key) {
    return getHash(hasher.hash(key));
  }

  /**
   * The value of a byte-string key.
   *
   * @param key the key
   * @return as {@link #getHash}
   */
  public V get(byte[] key) {
    return getHash(hasher.hash(key));
  }

  /**
   * The value of a number.
   *
   * @param key the key
   * @return as {@link #getHash}
   */
  public V get(long key) {
    return getHash(hasher.hash(key));
  }

  /**
   * The value of a character.
   *
   * @param key the key, which counts as text
   * @return as {@link #getHash}
   */
  public V get(char key) {
    return getHash(hasher.hash(key));
  }

  /**
   * The value of an object.
   *
   * @param key the object
   * @param funnel writes its fields
   * @param <T> the object's type
   * @return as {@link #getHash}
   */
  public <T> V get(T key, Funnel<? super T> funnel) {
    return getHash(hasher.hash(key, funnel));
  }

  /**
   * Gives a text key a value.
   *
   * @param key the key
   * @param value the value
   * @return as {@link #putHash}
   */
  public boolean put(CharSequence key, V value) {
    return putHash(hasher.hash(key), value);
  }

  /**
   * Gives a byte-string key a value.
   *
   * @param key the key
   * @param value the value
   * @return as {@link #putHash}
   */
  public boolean put(byte[] key, V value) {
    return putHash(hasher.hash(key), value);
  }

  /**
   * Gives a number a value.
   *
   * @param key the key
   * @param value the value
   * @return as {@link #putHash}
   */
  public boolean put(long key, V value) {
    return putHash(hasher.hash(key), value);
  }

  /**
   * Gives a character a value.
   *
   * @param key the key, which counts as text
   * @param value the value
   * @return as {@link #putHash}
   */
  public boolean put(char key, V value) {
    return putHash(hasher.hash(key), value);
  }

  /**
   * Gives an object a value.
   *
   * @param key the object
   * @param funnel writes its fields
   * @param value the value
   * @param <T> the object's type
   * @return as {@link #putHash}
   */
  public <T> boolean put(T key, Funnel<? super T> funnel, V value) {
    return putHash(hasher.hash(key, funnel), value);
  }

  /**
   * An upper bound on the probability that a key without a value gets one: that all its cells are
   * in use.
   *
   * @return a probability, 0 while no key has a value
   */
  public double falsePositiveRate() {
    long used = 0;
    for (int i = 0; i < cells.length(); i++) {
      used += cells.get(i) == null ? 0 : 1;
    }
    return Math.pow((double) used / cells.length(), hashesPerKey);
  }

  @Override
  public String toString() {
    return "LatticeApproximator["
        + cells.length()
        + " cells, "
        + hashesPerKey
        + " hashes per key, "
        + hasher
        + "]";
  }

  /**
   * A lattice: partially ordered values, any two of which have a least upper bound and a greatest
   * lower bound. Both operations must be associative and commutative, and {@code join(a, meet(a,
   * b))} and {@code meet(a, join(a, b))} must equal {@code a}. Values are compared with {@code
   * equals} and never changed.
   *
   * @param <V> the values' type
   */
  public interface Lattice<V> {

    /**
     * The least value, which represents no value.
     *
     * @return the bottom
     */
    V bottom();

    /**
     * The least value above both.
     *
     * @param a a value
     * @param b a value
     * @return their join
     */
    V join(V a, V b);

    /**
     * The greatest value below both; the bottom if there is no other.
     *
     * @param a a value
     * @param b a value
     * @return their meet
     */
    V meet(V a, V b);
  }
}
