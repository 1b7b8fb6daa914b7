package io.bloomery.internal.layer;

import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.probe.BlockProbes;
import io.bloomery.internal.probe.Probes;
import io.bloomery.plan.BlockShape;
import io.bloomery.plan.BloomShape;
import io.bloomery.plan.Shape;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One plain filter inside another: bits, the kernel that tests and sets them, and what its owner
 * knows of it: a number, how many keys it is for, and how many it has.
 *
 * <p>The kernel is data, not a subclass: {@link BlockProbes} for a {@link BlockShape}, {@link
 * Probes} for a {@link BloomShape} (independent indexes, or partitioned if the shape is). So a loop
 * over layers calls no virtual method.
 *
 * <p>Threads: as the words. The number of keys is counted atomically.
 */
public final class Layer {

  private static final VarHandle KEYS;

  static {
    try {
      KEYS = MethodHandles.lookup().findVarHandle(Layer.class, "keys", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Shape shape;
  private final BlockProbes blocks;
  private final Probes probes;
  private final Words words;
  private final int number;
  private final long capacity;
  private volatile long keys;

  /** Bits of a shape, {@link BlockShape} or {@link BloomShape}, that are in use already. */
  public Layer(Shape shape, Words words, int number, long capacity, long keys) {
    this.shape = shape;
    this.words = words;
    this.number = number;
    this.capacity = capacity;
    this.keys = keys;
    if (shape instanceof BlockShape block) {
      blocks =
          new BlockProbes(
              block.blocks(),
              block.blockBits() / Long.SIZE,
              block.wordsPerKey(),
              block.bitsPerWord());
      probes = null;
    } else if (shape instanceof BloomShape bloom) {
      blocks = null;
      probes =
          new Probes(
              bloom.partitioned() ? IndexScheme.PARTITIONED : IndexScheme.INDEPENDENT,
              bloom.bits(),
              bloom.probes());
    } else {
      throw new IllegalArgumentException("no layer is a " + shape);
    }
  }

  /** An empty layer on the heap that any number of threads may write to. */
  public static Layer empty(Shape shape, int number, long capacity) {
    return new Layer(shape, Words.forBits(shape.sizeInBits(), true), number, capacity, 0);
  }

  /** The shape of the bits. */
  public Shape shape() {
    return shape;
  }

  /** The number that the owner gave it. */
  public int number() {
    return number;
  }

  /** How many keys it is for. */
  public long capacity() {
    return capacity;
  }

  /** How many keys its owner has counted. */
  public long keys() {
    return keys;
  }

  /** Whether it has as many keys as it is for. */
  public boolean isFull() {
    return keys >= capacity;
  }

  /** Counts keys that were put in. */
  public void count(long more) {
    KEYS.getAndAdd(this, more);
  }

  /** The bits. */
  public Words words() {
    return words;
  }

  /** The kernel of a layer of blocks, otherwise null. */
  BlockProbes blocks() {
    return blocks;
  }

  /** Whether both are on the heap and have blocks of one kind, whatever their number. */
  boolean hasBlocksLike(Layer other) {
    return shape instanceof BlockShape mine
        && other.shape instanceof BlockShape theirs
        && mine.blockBits() == theirs.blockBits()
        && mine.wordsPerKey() == theirs.wordsPerKey()
        && mine.probes() == theirs.probes()
        && !words.isReadOnly()
        && !other.words.isReadOnly();
  }

  /** Whether all bits of a hash are set. */
  public boolean allSet(long hash) {
    return blocks != null ? blocks.allSet(hash, words) : probes.allSet(hash, words);
  }

  /** The batch form of {@link #allSet(long)}, as in {@link io.bloomery.HashedFilter}. */
  public int allSet(long[] hashes, int from, int to, long[] hits) {
    return blocks != null
        ? blocks.allSet(hashes, from, to, hits, words)
        : probes.allSet(hashes, from, to, hits, words);
  }

  /** Sets all bits of a hash; true if one of them was 0. Counts nothing. */
  public boolean setAll(long hash) {
    return blocks != null ? blocks.setAll(hash, words) : probes.setAll(hash, words);
  }

  /** The probability that a uniform hash finds all its bits set, as they are now. */
  public double rate() {
    if (blocks != null) {
      return blocks.coveredShare(words);
    }
    int count = probes.count();
    if (probes.scheme() != IndexScheme.PARTITIONED) {
      return Math.pow((double) words.bitCount() / probes.bits(), count);
    }
    long slice = probes.bits() / count;
    double rate = 1;
    for (long from = 0; from < probes.bits(); from += slice) {
      rate *= (double) words.bitCountOfBits(from, from + slice) / slice;
    }
    return rate;
  }

  /** Whether every bit that is set in a layer of the same shape is set here too. */
  public boolean covers(Layer other) {
    for (long i = 0; i < words.length(); i++) {
      if ((other.words.get(i) & ~words.get(i)) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Takes in the bits and counts the keys of a layer of the same shape. */
  public void merge(Layer other) {
    words.orAll(other.words);
    count(other.keys);
  }

  /** A layer on the heap with the same bits; the keys are counted after the bits are copied. */
  public Layer copy() {
    Words copied = words.copy();
    return new Layer(shape, copied, number, capacity, keys);
  }
}
