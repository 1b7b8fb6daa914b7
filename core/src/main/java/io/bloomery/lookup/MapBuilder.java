package io.bloomery.lookup;

import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import io.bloomery.plan.PeeledCells;
import io.bloomery.plan.Shape;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * What the builders of maps have in common: keys and their values, one by one or many at once. A
 * key may be put several times with the same value; two values for one key are an error that {@code
 * build()} reports. Values are 0 or more.
 *
 * <p>Takes 16 bytes per put; {@link #expectedKeys} reserves them at once. Set the hasher before the
 * first key.
 *
 * @param <B> the builder's own type
 */
public abstract sealed class MapBuilder<B extends MapBuilder<B>>
    permits BloomierCascade.Builder, BloomierMap.Builder, MutableBloomierMap.Builder {

  private static final int FIRST_ROOM = 64;

  /** The rate at which keys that were not put get a value, 0 if never set. */
  double falsePositiveRate;

  /** Turns keys into hashes. */
  Hasher hasher = Hasher.xxh3();

  /** Hashes of the keys that were put, {@link #count} of them. */
  long[] hashes = {};

  /** Their values. */
  long[] values = {};

  /** How many puts there were. */
  int count;

  /** The seeds of all trials are derived from it. */
  long seed;

  private long expectedKeys;
  private Hasher used;

  MapBuilder() {}

  abstract B self();

  /**
   * How many keys will be put, so that memory for them is reserved at once.
   *
   * @param expectedKeys 1 … 2^36; more or fewer may follow
   * @return this builder
   */
  public final B expectedKeys(long expectedKeys) {
    this.expectedKeys = Arguments.inRange("expectedKeys", expectedKeys, 1, Shape.MAX_KEYS);
    return self();
  }

  /**
   * The highest acceptable rate at which a key that was not put gets a value.
   *
   * @param falsePositiveRate above 0, below 1
   * @return this builder
   */
  public final B falsePositiveRate(double falsePositiveRate) {
    this.falsePositiveRate = Arguments.rate("falsePositiveRate", falsePositiveRate);
    return self();
  }

  /**
   * Turns keys into hashes.
   *
   * @param hasher {@link Hasher#xxh3()} if never called
   * @return this builder
   */
  public final B hasher(Hasher hasher) {
    this.hasher = Objects.requireNonNull(hasher, "hasher");
    return self();
  }

  /**
   * Gives a text key a value.
   *
   * @param key the key
   * @param value 0 or more
   * @return this builder
   */
  public final B put(CharSequence key, long value) {
    return putHash(hasherOfKeys().hash(key), value);
  }

  /**
   * Gives a byte-string key a value.
   *
   * @param key the key
   * @param value 0 or more
   * @return this builder
   */
  public final B put(byte[] key, long value) {
    return putHash(hasherOfKeys().hash(key), value);
  }

  /**
   * Gives a value to a byte-string key given as a range of an array.
   *
   * @param bytes the array
   * @param offset where the key begins
   * @param length how many bytes it has
   * @param value 0 or more
   * @return this builder
   */
  public final B put(byte[] bytes, int offset, int length, long value) {
    return putHash(hasherOfKeys().hash(bytes, offset, length), value);
  }

  /**
   * Gives a number a value.
   *
   * @param key the key
   * @param value 0 or more
   * @return this builder
   */
  public final B put(long key, long value) {
    return putHash(hasherOfKeys().hash(key), value);
  }

  /**
   * Gives a character a value.
   *
   * @param key the key, which counts as text
   * @param value 0 or more
   * @return this builder
   */
  public final B put(char key, long value) {
    return putHash(hasherOfKeys().hash(key), value);
  }

  /**
   * Gives a UUID a value.
   *
   * @param key the key
   * @param value 0 or more
   * @return this builder
   */
  public final B put(UUID key, long value) {
    return putHash(hasherOfKeys().hash(key), value);
  }

  /**
   * Gives the bytes that remain in a buffer a value.
   *
   * @param key the key; its position and limit stay as they are
   * @param value 0 or more
   * @return this builder
   */
  public final B put(ByteBuffer key, long value) {
    return putHash(hasherOfKeys().hash(key), value);
  }

  /**
   * Gives an object a value.
   *
   * @param key the object
   * @param funnel writes its fields
   * @param value 0 or more
   * @param <T> the object's type
   * @return this builder
   */
  public final <T> B put(T key, Funnel<? super T> funnel, long value) {
    return putHash(hasherOfKeys().hash(key, funnel), value);
  }

  /**
   * Gives text keys their values.
   *
   * @param map keys and values, which are whole numbers, 0 or more
   * @return this builder
   */
  public final B putAll(Map<? extends CharSequence, ? extends Number> map) {
    map.forEach((key, value) -> put(key, exact(value)));
    return self();
  }

  private static long exact(Number value) {
    long whole = Objects.requireNonNull(value, "value").longValue();
    if ((double) whole != value.doubleValue()) {
      throw new IllegalArgumentException("value = " + value + " is not a whole number");
    }
    return whole;
  }

  /**
   * Gives a key a value by the key's hash.
   *
   * @param hash the key's hash by the hasher of this builder
   * @param value 0 or more
   * @return this builder
   */
  public final B putHash(long hash, long value) {
    Arguments.inRange("value", value, 0, Long.MAX_VALUE);
    reserve(1);
    hashes[count] = hash;
    values[count++] = value;
    return self();
  }

  /**
   * Gives keys their values by the keys' hashes.
   *
   * @param hashes the keys' hashes by the hasher of this builder
   * @param values as many values, each 0 or more
   * @return this builder
   */
  public final B putHashes(long[] hashes, long[] values) {
    if (hashes.length != values.length) {
      throw new IllegalArgumentException(
          "hashes has " + hashes.length + " elements and values has " + values.length);
    }
    for (long value : values) {
      Arguments.inRange("value", value, 0, Long.MAX_VALUE);
    }
    reserve(hashes.length);
    System.arraycopy(hashes, 0, this.hashes, count, hashes.length);
    System.arraycopy(values, 0, this.values, count, values.length);
    count += hashes.length;
    return self();
  }

  /**
   * The seed of the random choices. Equal keys, values and options give equal bytes.
   *
   * @param seed any number; 0 if never called
   * @return this builder
   */
  public final B seed(long seed) {
    this.seed = seed;
    return self();
  }

  private void reserve(int more) {
    long needed = (long) count + more;
    Arguments.inRange("keys", needed, 0, PeeledCells.MAX_KEYS);
    if (needed > hashes.length) {
      long room = Math.max(Math.max(FIRST_ROOM, expectedKeys), Math.max(needed, 2L * count));
      int capacity = (int) Math.min(PeeledCells.MAX_KEYS, room);
      hashes = Arrays.copyOf(hashes, capacity);
      values = Arrays.copyOf(values, capacity);
    }
  }

  private Hasher hasherOfKeys() {
    if (used == null) {
      used = hasher;
    }
    requireOneHasher();
    return hasher;
  }

  /** Fails if the hasher was changed after a key was hashed. */
  final void requireOneHasher() {
    if (used != null && !used.equals(hasher)) {
      throw new IllegalStateException("the hasher was set after the first key: " + hasher);
    }
  }
}
