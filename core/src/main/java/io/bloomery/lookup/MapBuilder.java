package io.bloomery.lookup;

import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.SolvedCells;
import io.bloomery.plan.Shape;
import java.util.Arrays;
import java.util.Objects;

/**
 * The common part of map builders: keys and their values, put one at a time or many at once. A key
 * may be put several times with the same value; two values for one key are an error that {@code
 * build()} reports. Values are 0 or more.
 *
 * <p>Each put takes 16 bytes; {@link #expectedKeys} reserves them up front.
 *
 * @param <B> the builder's own type
 */
abstract sealed class MapBuilder<B extends MapBuilder<B>> extends PuttingBuilder<B>
    permits BloomierCascade.Builder, BloomierMap.Builder, MutableBloomierMap.Builder {

  private static final int FIRST_ROOM = 64;

  /** The rate at which keys that were not put get a value; 0 if not set. */
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

  MapBuilder() {}

  /**
   * The expected number of puts, for which memory is reserved up front.
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
   * What turns keys into hashes. Call it before the first key is put.
   *
   * @param hasher {@link Hasher#xxh3()} if never called
   * @return this builder
   * @throws IllegalStateException if keys were put with another hasher
   */
  public final B hasher(Hasher hasher) {
    Objects.requireNonNull(hasher, "hasher");
    if (count > 0 && !hasher.equals(this.hasher)) {
      throw new IllegalStateException("keys were put with " + this.hasher + ", not " + hasher);
    }
    this.hasher = hasher;
    return self();
  }

  @Override
  public final Hasher hasher() {
    return hasher;
  }

  @Override
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
    Arguments.inRange("keys", needed, 0, SolvedCells.Peeled.MAX_KEYS);
    if (needed > hashes.length) {
      long room = Math.max(Math.max(FIRST_ROOM, expectedKeys), Math.max(needed, 2L * count));
      int capacity = (int) Math.min(SolvedCells.Peeled.MAX_KEYS, room);
      hashes = Arrays.copyOf(hashes, capacity);
      values = Arrays.copyOf(values, capacity);
    }
  }
}
