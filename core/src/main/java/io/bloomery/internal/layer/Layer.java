package io.bloomery.internal.layer;

import io.bloomery.QueryCost;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.probe.BlockProbes;
import io.bloomery.internal.probe.CounterProbes;
import io.bloomery.internal.probe.PairProbes;
import io.bloomery.internal.probe.Probes;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One plain filter inside another: bits or counters, the kernel that tests and sets them, and what
 * its owner knows about it: a number, how many keys it holds, and how many it has (with counters,
 * how many of them are in use).
 *
 * <p>The kernel is data, not a subclass: {@link BlockProbes} for a {@link BlockShape}, {@link
 * Probes} for a {@link BloomShape} (independent indexes, or partitioned if the shape is). So a loop
 * over layers calls no virtual method.
 *
 * <p>As thread-safe as the words. The number of keys is counted atomically if the words are shared.
 */
@SuppressWarnings("NullAway") // the shape determines which are not null
public final class Layer implements QueryCost {

  private static final VarHandle KEYS;

  static {
    try {
      KEYS = MethodHandles.lookup().findVarHandle(Layer.class, "keys", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Shape shape;
  private final @Nullable BlockProbes blocks;
  private final @Nullable Probes probes;
  private final @Nullable CounterProbes counterProbes;
  private final @Nullable Counters counters;
  private final Words words;
  private final int number;
  private final long capacity;
  private volatile long keys;

  /** Bits of a shape, {@link BlockShape} or {@link BloomShape}, that are in use already. */
  public Layer(Shape shape, Words words, int number, long capacity, long keys) {
    this(shape, words, null, number, capacity, keys);
  }

  /** Counters instead of bits; the owner counts cells in use instead of keys. */
  public Layer(BloomShape shape, Counters counters, int number, long capacity, long used) {
    this(shape, counters.words(), counters, number, capacity, used);
  }

  private Layer(
      Shape shape, Words words, @Nullable Counters counters, int number, long capacity, long keys) {
    this.shape = shape;
    this.words = words;
    this.counters = counters;
    this.number = number;
    this.capacity = capacity;
    this.keys = keys;
    blocks = shape instanceof BlockShape block ? probes(block) : null;
    probes = shape instanceof BloomShape bloom ? probes(bloom) : null;
    counterProbes = counters == null ? null : new CounterProbes(probes, counters.width());
    if (blocks == null && probes == null) {
      throw new IllegalArgumentException("no layer is a " + shape);
    }
  }

  private static BlockProbes probes(BlockShape shape) {
    return new BlockProbes(
        shape.blocks(), shape.blockBits() / Long.SIZE, shape.wordsPerKey(), shape.bitsPerWord());
  }

  private static Probes probes(BloomShape shape) {
    IndexScheme scheme = shape.partitioned() ? IndexScheme.PARTITIONED : IndexScheme.INDEPENDENT;
    return new Probes(scheme, shape.bits(), shape.hashesPerKey());
  }

  /** An empty layer on the heap that any number of threads may write to. */
  public static Layer empty(Shape shape, int number, long capacity) {
    return empty(shape, number, capacity, true);
  }

  /** An empty layer on the heap; {@code shared} for any number of writers, otherwise one. */
  public static Layer empty(Shape shape, int number, long capacity, boolean shared) {
    return new Layer(shape, Words.forBits(shape.sizeInBits(), shared), number, capacity, 0);
  }

  /** The shape of the bits. */
  public Shape shape() {
    return shape;
  }

  /** The number assigned by the owner. */
  public int number() {
    return number;
  }

  /** Its capacity in keys. */
  public long capacity() {
    return capacity;
  }

  /** How many keys its owner has counted. */
  public long keys() {
    return keys;
  }

  /** Whether it has reached its capacity in keys. */
  public boolean isFull() {
    return keys >= capacity;
  }

  /** Counts keys that were added. */
  public void count(long more) {
    if (words.isShared()) {
      KEYS.getAndAdd(this, more);
    } else {
      KEYS.setOpaque(this, keys + more);
    }
  }

  /** The bits. */
  public Words words() {
    return words;
  }

  /** The kernel of a layer of blocks, otherwise null. */
  @Nullable BlockProbes blocks() {
    return blocks;
  }

  /** Probes of several arrays with blocks as here, if a key has two words in them; or null. */
  @Nullable PairProbes pairs(long[][] heaps) {
    return shape instanceof BlockShape block && block.wordsPerKey() == 2
        ? new PairProbes(block.blockBits() / Long.SIZE, block.bitsPerWord(), heaps)
        : null;
  }

  /** Whether both are on the heap and have blocks of one kind, whatever their number. */
  boolean hasBlocksLike(Layer other) {
    return shape instanceof BlockShape mine
        && other.shape instanceof BlockShape theirs
        && mine.blockBits() == theirs.blockBits()
        && mine.wordsPerKey() == theirs.wordsPerKey()
        && mine.hashesPerKey() == theirs.hashesPerKey()
        && !words.isReadOnly()
        && !other.words.isReadOnly();
  }

  /** Whether all bits of a hash are set, or all its counters above 0. */
  public boolean allSet(long hash) {
    if (blocks != null) {
      return blocks.allSet(hash, words);
    }
    return counters == null
        ? probes.allSet(hash, words)
        : counterProbes.allAtLeast(hash, 1, counters);
  }

  /** The batch form of {@link #allSet(long)}, as in {@code HashedFilter}. */
  public int allSet(long[] hashes, int from, int to, long[] hits) {
    if (blocks != null) {
      return blocks.allSet(hashes, from, to, hits, words);
    }
    return counters == null
        ? probes.allSet(hashes, from, to, hits, words)
        : countersAllSet(hashes, from, to, hits);
  }

  private int countersAllSet(long[] hashes, int from, int to, long[] hits) {
    int total = 0;
    for (int start = from, word = 0; start < to; start += Long.SIZE, word++) {
      long answers = 0;
      for (int i = start; i < Math.min(start + Long.SIZE, to); i++) {
        answers |= (counterProbes.allAtLeast(hashes[i], 1, counters) ? 1L : 0L) << (i - start);
      }
      hits[word] = answers;
      total += Long.bitCount(answers);
    }
    return total;
  }

  /** Sets all bits of a hash; true if one of them was 0. Counts nothing. */
  public boolean setAll(long hash) {
    return blocks != null ? blocks.setAll(hash, words) : probes.setAll(hash, words);
  }

  /** Raises all counters of a hash; returns how many of them were 0. */
  public int fill(long hash) {
    return counterProbes.fill(hash, 1, counters);
  }

  /** Lowers all counters of a hash; returns how many of them became 0. */
  public int drain(long hash) {
    return counterProbes.subtract(hash, 1, counters);
  }

  /** How many bits are set, or counters above 0. Reads the whole layer. */
  public long used() {
    return counters == null ? words.bitCount() : counters.nonZero();
  }

  /** The probability that a uniform hash finds all its bits currently set. */
  public double rate() {
    if (blocks != null) {
      return blocks.coveredShare(words);
    }
    int count = probes.count();
    if (probes.scheme() != IndexScheme.PARTITIONED) {
      return Math.pow((double) used() / probes.bits(), count);
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

  /** How many counters are above 0 here or in a layer of the same shape. */
  public long usedWith(Layer other) {
    long used = 0;
    for (long i = 0; i < counters.count(); i++) {
      used += (counters.get(i) | other.counters.get(i)) != 0 ? 1 : 0;
    }
    return used;
  }

  /** Adds the bits or counters of a layer of the same shape, and counts its keys or cells. */
  public void merge(Layer other) {
    if (counters != null) {
      long used = usedWith(other);
      counters.addAll(other.counters);
      count(used - keys);
    } else {
      words.orAll(other.words);
      count(other.keys);
    }
  }

  /** A layer on the heap with the same content; the count is read after the content is copied. */
  public Layer copy() {
    if (counters != null) {
      Counters copied = counters.copy();
      return new Layer(shape, copied.words(), copied, number, capacity, copied.nonZero());
    }
    Words copied = words.copy();
    return new Layer(shape, copied, number, capacity, keys);
  }

  @Override
  public int hashBits() {
    return ((QueryCost) shape).hashBits();
  }

  @Override
  public int memoryAccesses() {
    return ((QueryCost) shape).memoryAccesses();
  }

  /** The hash bits of a query that reads several layers; null stands for an empty one. */
  public static int hashBits(@Nullable Layer[] layers) {
    int sum = 0;
    for (Layer layer : layers) {
      sum += layer == null ? 0 : layer.hashBits();
    }
    return sum;
  }

  /** The accesses of a query that reads several layers; null stands for an empty one. */
  public static int memoryAccesses(@Nullable Layer[] layers) {
    int sum = 0;
    for (Layer layer : layers) {
      sum += layer == null ? 0 : layer.memoryAccesses();
    }
    return sum;
  }
}
