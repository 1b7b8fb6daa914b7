package io.bloomery.bench;

import io.bloomery.AddableFilter;
import io.bloomery.Filters;
import io.bloomery.HashedFilter;
import io.bloomery.Storable;
import io.bloomery.Writers;
import io.bloomery.frozen.FuseFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomGFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.membership.SplitBlockBloomFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.CharBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a JVM like that of a program which uses many of our kinds. A call site that has seen one
 * type is compiled for that type, and a benchmark that uses one filter only would flatter us; after
 * {@link #warmUp} the library's shared code has been compiled for several kinds, for heap and
 * mapped words, and for all types of keys.
 */
public final class MixedJvm {

  /** Names the system property that leaves the warm-up out, to see what it costs us. */
  static final String ALONE = "bench.alone";

  private static final int KEYS = 4096;
  private static final int ROUNDS = 12;

  private MixedJvm() {}

  /**
   * Uses many kinds.
   *
   * @return the number of hits, which keeps the work alive
   */
  public static int warmUp() {
    List<AddableFilter> filters = filters();
    long[] keys = Keys.range(0, 0, KEYS);
    for (AddableFilter filter : filters) {
      add(filter, keys);
    }
    List<HashedFilter> all = new ArrayList<>();
    filters.forEach(filter -> all.add(mapped(filter)));
    filters.addAll(forOneWriter());
    all.addAll(filters);
    all.addAll(frozen(keys));
    int hits = 0;
    for (int round = 0; round < ROUNDS; round++) {
      for (AddableFilter filter : filters) {
        add(filter, keys);
      }
      for (HashedFilter filter : all) {
        hits += ask(filter, keys, round);
      }
    }
    return hits;
  }

  private static List<AddableFilter> filters() {
    List<AddableFilter> filters = new ArrayList<>();
    filters.add(BloomFilter.create(KEYS, 0.01));
    for (int width = 64; width <= 512; width *= 2) {
      filters.add(BlockedBloomFilter.create(BlockShape.forKeys(KEYS, 0.01, width)));
    }
    filters.add(SplitBlockBloomFilter.create(KEYS, 0.01));
    filters.add(BloomGFilter.create(KEYS, 0.01));
    return filters;
  }

  private static List<AddableFilter> forOneWriter() {
    List<AddableFilter> filters = new ArrayList<>();
    filters.add(BloomFilter.create(BloomShape.forKeys(KEYS, 0.01), Hasher.xxh3(), Writers.ONE));
    for (int width = 64; width <= 512; width *= 2) {
      BlockShape shape = BlockShape.forKeys(KEYS, 0.01, width);
      filters.add(BlockedBloomFilter.create(shape, Hasher.xxh3(), Writers.ONE));
    }
    return filters;
  }

  /** Filters of all keys that {@link #add} adds. */
  private static List<HashedFilter> frozen(long[] keys) {
    List<HashedFilter> frozen = new ArrayList<>();
    for (int bits : new int[] {7, 8, 16}) {
      frozen.add(FuseFilter.ofKeys(keys, Math.scalb(1.0, -bits)));
    }
    return frozen;
  }

  private static void add(AddableFilter filter, long[] keys) {
    for (long key : keys) {
      filter.add(key);
    }
    for (int i = 0; i < keys.length; i += 16) {
      filter.add(Keys.url(keys[i]));
      filter.add(Keys.bytes16(keys[i]));
    }
    filter.addHashes(keys, 0, keys.length);
  }

  private static int ask(HashedFilter filter, long[] keys, int round) {
    int hits = 0;
    for (long key : keys) {
      hits += filter.mightContain(key) ? 1 : 0;
      hits += filter.mightContain(key + round) ? 1 : 0;
    }
    for (int i = 0; i < keys.length; i += 8) {
      String url = Keys.url(keys[i]);
      CharSequence text = i % 64 == 0 ? CharBuffer.wrap(url) : url;
      hits += filter.mightContain(text) ? 1 : 0;
      hits += filter.mightContain(Keys.bytes16(keys[i])) ? 1 : 0;
    }
    return hits + filter.mightContainHashes(keys, 0, keys.length, new long[keys.length / 64]);
  }

  /** The same filter again, from a mapped file. */
  private static HashedFilter mapped(AddableFilter filter) {
    try {
      Path file = Files.createTempFile("bench", ".bloom");
      try {
        ((Storable) filter).writeTo(file);
        return (HashedFilter) Filters.map(file);
      } finally {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
