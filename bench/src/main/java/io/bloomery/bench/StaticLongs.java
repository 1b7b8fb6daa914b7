package io.bloomery.bench;

import io.bloomery.HashedFilter;
import io.bloomery.frozen.FuseFilter;
import io.bloomery.frozen.FuseShape;
import io.bloomery.frozen.GolombCodedSet;
import io.bloomery.frozen.PerfectHashFilter;
import io.bloomery.frozen.RibbonFilter;
import io.bloomery.frozen.XorFilter;
import io.bloomery.hash.Hasher;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.fastfilter.Filter;
import org.fastfilter.gcs.GolombCompressedSet;
import org.fastfilter.xor.Xor16;
import org.fastfilter.xor.Xor8;
import org.fastfilter.xor.XorFuse8;

/** Filters that are built once from all keys: adding keeps the keys, finishing builds. */
final class StaticLongs {

  static final String FUSE_8 = "Fuse 8";
  static final String FUSE_16 = "Fuse 16";
  static final String FUSE_THREADS = "Fuse 8 by 2 threads";
  static final String FAST_XOR8 = "fastfilter xor8";
  static final String FAST_XOR16 = "fastfilter xor16";
  static final String FAST_FUSE8 = "fastfilter xorfuse8";
  static final String FAST_GCS = "fastfilter GCS";

  private static final Map<String, Function<long[], HashedFilter>> OURS = new LinkedHashMap<>();
  private static final Map<String, Function<long[], Filter>> PEERS = new LinkedHashMap<>();

  static {
    OURS.put(FUSE_8, hashes -> fuse(hashes, 8, 3));
    OURS.put(FUSE_16, hashes -> fuse(hashes, 16, 3));
    OURS.put("Fuse 7", hashes -> fuse(hashes, 7, 3));
    OURS.put("Fuse 4-wise", hashes -> fuse(hashes, 8, 4));
    OURS.put(FUSE_THREADS, StaticLongs::fuseOfTwoThreads);
    OURS.put("Xor 8", hashes -> XorFilter.ofHashes(hashes, 1 / 256.0));
    OURS.put("Ribbon 8", hashes -> RibbonFilter.ofHashes(hashes, 1 / 256.0));
    OURS.put("Golomb 8", hashes -> GolombCodedSet.ofHashes(hashes, 1 / 256.0));
    OURS.put("PerfectHash 8", hashes -> PerfectHashFilter.ofHashes(hashes, 1 / 256.0));
    PEERS.put(FAST_XOR8, Xor8::construct);
    PEERS.put(FAST_XOR16, Xor16::construct);
    PEERS.put(FAST_FUSE8, XorFuse8::construct);
    PEERS.put(FAST_GCS, keys -> GolombCompressedSet.construct(keys, 8));
  }

  private StaticLongs() {}

  private static HashedFilter fuse(long[] hashes, int bits, int arity) {
    FuseShape shape = FuseShape.forFingerprints(hashes.length, bits, arity);
    return FuseFilter.ofHashes(hashes, shape, Hasher.xxh3());
  }

  private static HashedFilter fuseOfTwoThreads(long[] hashes) {
    return FuseFilter.builder().threads(2).addHashes(hashes, 0, hashes.length).build();
  }

  static String[] peers() {
    return PEERS.keySet().toArray(String[]::new);
  }

  static LongSubject of(String name) {
    if (OURS.containsKey(name)) {
      return new Ours(OURS.get(name));
    }
    if (PEERS.containsKey(name)) {
      return new Peer(PEERS.get(name));
    }
    throw new IllegalArgumentException("no filter of longs is called " + name);
  }

  /** One of our filters; hashing is a part of its build. */
  private static final class Ours extends LongSubject.Building implements LongSubject.Batches {

    private final Function<long[], HashedFilter> build;
    private final Hasher hasher = Hasher.xxh3();
    private final long[] batch = new long[CHUNK];
    private final long[] hits = new long[CHUNK / Long.SIZE];
    private long[] hashes;
    private int added;
    private HashedFilter filter;

    Ours(Function<long[], HashedFilter> build) {
      this.build = build;
    }

    @Override
    void create(int keys, double rate) {
      filter = null;
      hashes = new long[keys];
      added = 0;
    }

    @Override
    void add(long key) {
      hashes[added++] = hasher.hash(key);
    }

    @Override
    void build() {
      filter = build.apply(hashes);
      OwnCalls.bind(filter);
      hashes = null;
    }

    @Override
    boolean query(long key) {
      return OwnCalls.mightContain(filter, key);
    }

    @Override
    long sizeInBits() {
      return filter.sizeInBits();
    }

    /** Hashes a chunk of keys, then queries all of them in one call. */
    @Override
    public int countBatch(long[] keys, int from, int to) {
      int size = to - from;
      for (int i = 0; i < size; i++) {
        batch[i] = hasher.hash(keys[from + i]);
      }
      return filter.mightContainHashes(batch, 0, size, hits);
    }
  }

  /** One of fastfilter's, which hash by themselves. */
  private static final class Peer extends LongSubject.Building {

    private final Function<long[], Filter> build;
    private long[] keys;
    private int added;
    private Filter filter;

    Peer(Function<long[], Filter> build) {
      this.build = build;
    }

    @Override
    void create(int count, double rate) {
      filter = null;
      keys = new long[count];
      added = 0;
    }

    @Override
    void add(long key) {
      keys[added++] = key;
    }

    @Override
    void build() {
      filter = build.apply(keys);
      OwnCalls.bind(filter);
      keys = null;
    }

    @Override
    boolean query(long key) {
      return OwnCalls.mayContain(filter, key);
    }

    @Override
    long sizeInBits() {
      return filter.getBitCount();
    }
  }
}
