package io.bloomery.bench;

import static io.bloomery.bench.Row.Origin.OURS;
import static io.bloomery.bench.Row.Origin.PEER;
import static io.bloomery.bench.Row.Origin.PHYSICAL;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Funnels;
import io.bloomery.AddableFilter;
import io.bloomery.Writers;
import io.bloomery.deletable.BlockedCountingFilter;
import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.deletable.CountingBloomGFilter;
import io.bloomery.deletable.CuckooFilter;
import io.bloomery.deletable.CuckooShape;
import io.bloomery.deletable.OneWordCountingFilter;
import io.bloomery.deletable.PrefixFilter;
import io.bloomery.deletable.PrefixShape;
import io.bloomery.deletable.QuotientFilter;
import io.bloomery.frequency.CountMinFilter;
import io.bloomery.frequency.CountMinShape;
import io.bloomery.growing.ScalableBloomFilter;
import io.bloomery.growing.ScalableShape;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomGFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.membership.SplitBlockBloomFilter;
import io.bloomery.membership.TwoChoiceBloomFilter;
import io.bloomery.membership.WordShape;
import io.bloomery.plan.Popularity;
import io.bloomery.secure.KeyedFilters;
import io.bloomery.secure.Secret;
import io.bloomery.weighted.ClassShape;
import io.bloomery.weighted.HashClass;
import io.bloomery.weighted.PopularityBloomFilter;
import io.bloomery.weighted.PopularityShape;
import io.bloomery.weighted.WeightedBloomFilter;
import io.bloomery.weighted.WeightedShape;
import io.bloomery.weighted.Weights;
import io.bloomery.window.RecentFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Every row of the table, in its order, and how to make what it measures. */
final class Rows {

  static final String GUAVA = "Guava";
  static final String FAST_BLOCKED = "fastfilter blocked";
  static final String FAST_BLOOM = "fastfilter Bloom";
  static final String RAW_READ = "raw read";
  static final String HASH = "hash alone";
  static final String BLOCKED = "Blocked";
  static final String BLOOM = "Bloom";
  static final String BLOCKED_KEYED = "Blocked keyed";
  static final String BLOOM_KEYED = "Bloom keyed";
  static final String FAST_CUCKOO = "fastfilter Cuckoo16";
  static final String CUCKOO_4J = "cuckoofilter4j";
  static final String FAST_COUNTING = "fastfilter counting";
  static final String STREAM_LIB = "stream-lib";

  /** Rows of a count-min sketch. */
  static final int DEPTH = 5;

  /** Counters in a row of a count-min sketch. */
  static final int WIDTH = 1 << 20;

  private Rows() {}

  static List<Row> all() {
    List<Row> rows = new ArrayList<>();
    add(rows, Workload.LONG, OURS, 3, "Blocked 64", "Blocked 128", "Blocked 512", BLOOM);
    add(rows, Workload.LONG, OURS, 1, BLOCKED, "Blocked 256", "SplitBlock");
    add(rows, Workload.LONG, OURS, 1, "Bloom-g 1", "Bloom-g 2", "TwoChoice", "Blocked 64 unshared");
    add(rows, Workload.LONG, OURS, 1, "Blocked 512 unshared", BLOCKED_KEYED, BLOOM_KEYED);
    add(rows, Workload.LONG, PEER, 3, FAST_BLOCKED, FAST_BLOOM, GUAVA);
    add(rows, Workload.LONG, PEER, 1, "DataSketches", "Spark", "Commons", "Parquet");
    add(rows, Workload.LONG, PHYSICAL, 3, RAW_READ);
    add(rows, Workload.LONG, PHYSICAL, 1, HASH);
    add(rows, Workload.RARE, OURS, 3, BLOCKED);
    add(rows, Workload.RARE, OURS, 0, "Blocked 256", "Blocked 512", BLOOM);
    add(rows, Workload.RARE, PEER, 3, FAST_BLOCKED);
    add(rows, Workload.RARE, PEER, 0, FAST_BLOOM, GUAVA);
    add(rows, Workload.RARE, PHYSICAL, 0, RAW_READ);
    add(rows, Workload.LARGE, OURS, 0, "Blocked 64", "Blocked 128", "Blocked 512", BLOOM);
    add(rows, Workload.LARGE, PEER, 0, FAST_BLOCKED);
    add(rows, Workload.LARGE, PHYSICAL, 0, RAW_READ);
    add(rows, Workload.ACCESSES, OURS, 0, "Bloom k=3", "Bloom-1 k=3", "Bloom-1 k=6");
    add(rows, Workload.ACCESSES, OURS, 0, "Bloom-2 k=5", "Bloom-1 k=3 of 72");
    add(rows, Workload.ACCESSES, PHYSICAL, 0, RAW_READ);
    add(rows, Workload.POPULAR, OURS, 0, BLOOM, "Weighted", "Popularity");
    add(rows, Workload.STRING, OURS, 0, BLOCKED, BLOOM, BLOCKED_KEYED);
    add(rows, Workload.STRING, PEER, 0, GUAVA, "DataSketches", "Spark", "Commons", "Parquet");
    add(rows, Workload.BYTES, OURS, 0, BLOCKED, BLOOM);
    add(rows, Workload.BYTES, PEER, 0, GUAVA);
    add(rows, Workload.PAYLOADS, OURS, 0, "BlockDigest", "HierarchicalDigest");
    add(rows, Workload.PAYLOADS, OURS, 0, "HierarchicalDigest contents");
    add(rows, Workload.SYNC, OURS, 0, "Invertible", "Rateless");
    add(rows, Workload.DELETE, OURS, 0, "Cuckoo 12", "Quotient");
    add(rows, Workload.DELETE, PEER, 0, FAST_CUCKOO, CUCKOO_4J);
    add(rows, Workload.INSERTS, OURS, 0, "Prefix", "Cuckoo 11", "Blocked as large");
    add(rows, Workload.INSERTS, OURS, 0, "Prefix by batches", "Cuckoo 11 by batches");
    add(rows, Workload.COUNTING, OURS, 0, "Counting 4", "OneWordCounting", "BlockedCounting");
    add(rows, Workload.COUNTING, OURS, 0, "CountingBloomG");
    add(rows, Workload.COUNTING, PEER, 0, FAST_COUNTING);
    add(rows, Workload.GROWTH, OURS, 0, "Scalable", "Scalable 4", BLOCKED);
    add(rows, Workload.RECENT, OURS, 0, "Recent", "Recent by time", BLOCKED);
    add(rows, Workload.COUNTS, OURS, 0, "CountMin", "CountMin 32", "CountMin conservative");
    add(rows, Workload.COUNTS, PEER, 0, STREAM_LIB);
    add(rows, Workload.STATIC, OURS, 0, StaticLongs.ours());
    add(rows, Workload.STATIC, PEER, 0, StaticLongs.peers());
    add(rows, Workload.STATIC, PHYSICAL, 0, RAW_READ);
    add(rows, Workload.OBLIVIOUS, OURS, 0, ObliviousMeasurement.CLIENT);
    add(rows, Workload.OBLIVIOUS, OURS, 0, ObliviousMeasurement.SERVER);
    add(rows, Workload.THREADS, OURS, 0, "Blocked 64", "Blocked 512", BLOOM);
    add(rows, Workload.THREADS, PEER, 0, GUAVA);
    return rows;
  }

  private static void add(
      List<Row> rows, Workload workload, Row.Origin origin, int quickForks, String... names) {
    for (String name : names) {
      rows.add(new Row(workload, name, origin, quickForks));
    }
  }

  static Row find(Workload workload, String name) {
    return all().stream()
        .filter(row -> row.workload() == workload && row.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no row " + workload.id() + " " + name));
  }

  static LongSubject longs(String name) {
    return switch (name) {
      case BLOCKED -> new OurLongs(BlockedBloomFilter::create);
      case "Blocked 64" -> blocked(64, true);
      case "Blocked 128" -> blocked(128, true);
      case "Blocked 256" -> blocked(256, true);
      case "Blocked 512" -> blocked(512, true);
      case "Blocked 64 unshared" -> blocked(64, false);
      case "Blocked 512 unshared" -> blocked(512, false);
      case BLOOM -> new OurLongs(BloomFilter::create);
      case BLOCKED_KEYED -> new OurLongs(Rows::blockedKeyed);
      case BLOOM_KEYED ->
          new OurLongs((keys, rate) -> BloomFilter.create(BloomShape.forKeys(keys, rate), keyed()));
      case "SplitBlock" -> new OurLongs(SplitBlockBloomFilter::create);
      case "Bloom-g 1" -> wordsOfG(1);
      case "Bloom-g 2" -> wordsOfG(2);
      case "Bloom k=3" ->
          new OurLongs((keys, rate) -> BloomFilter.create(BloomShape.of(10L * keys, 3)));
      case "Bloom-1 k=3" -> atLoadOneTenth(64, 1, 3);
      case "Bloom-1 k=6" -> atLoadOneTenth(64, 1, 6);
      case "Bloom-2 k=5" -> atLoadOneTenth(64, 2, 5);
      case "Bloom-1 k=3 of 72" -> atLoadOneTenth(72, 1, 3);
      case "TwoChoice" -> new OurLongs(TwoChoiceBloomFilter::create);
      case "Weighted" -> new OurLongs(Rows::weighted);
      case "Popularity" -> new OurLongs(Rows::popularity);
      case FAST_BLOCKED -> new PeerLongs.FastBlocked();
      case FAST_BLOOM -> new PeerLongs.FastBloom();
      case GUAVA -> new PeerLongs.Guava();
      case "DataSketches" -> new PeerLongs.DataSketches();
      case "Spark" -> new PeerLongs.Spark();
      case "Commons" -> new PeerLongs.Commons();
      case "Parquet" -> new PeerLongs.Parquet();
      case "Cuckoo 12" -> new OurLongs(Rows::cuckoo);
      case "Quotient" -> new OurLongs(QuotientFilter::create);
      case "Prefix" -> new OurLongs((keys, rate) -> prefixAsLarge(keys));
      case "Prefix by batches" -> new OurLongs.ByBatches((keys, rate) -> prefixAsLarge(keys));
      case "Cuckoo 11" -> new OurLongs((keys, rate) -> cuckooAtFullLoad(keys));
      case "Cuckoo 11 by batches" -> new OurLongs.ByBatches((keys, rate) -> cuckooAtFullLoad(keys));
      case "Blocked as large" -> new OurLongs((keys, rate) -> blockedAsLarge(keys));
      case FAST_CUCKOO -> new PeerLongs.FastCuckoo();
      case CUCKOO_4J -> new PeerLongs.Cuckoo4j();
      case "Counting 4" -> new OurLongs(CountingBloomFilter::create);
      case "BlockedCounting" -> new OurLongs(BlockedCountingFilter::create);
      case "OneWordCounting" -> new OurLongs(OneWordCountingFilter::create);
      case "CountingBloomG" -> new OurLongs(CountingBloomGFilter::create);
      case FAST_COUNTING -> new PeerLongs.FastCounting();
      case "Scalable" -> new OurLongs((keys, rate) -> ScalableBloomFilter.create(1_000, rate));
      case "Scalable 4" -> new OurLongs(Rows::scalableByFour);
      case "CountMin" -> new OurLongs((keys, rate) -> countMin(64, false));
      case "CountMin 32" -> new OurLongs((keys, rate) -> countMin(32, false));
      case "CountMin conservative" -> new OurLongs((keys, rate) -> countMin(64, true));
      case STREAM_LIB -> new PeerLongs.StreamLib();
      case RAW_READ -> new PhysicalRow.RawRead();
      case HASH -> new PhysicalRow.HashAlone();
      default -> StaticLongs.of(name);
    };
  }

  /** Every key is an event that is asked for and added. */
  static LongSubject events(String name) {
    return switch (name) {
      case BLOCKED -> new OurLongs.Events(BlockedBloomFilter::create);
      case "Recent" -> new OurLongs.Events((keys, rate) -> RecentFilter.remember(keys, rate));
      case "Recent by time" ->
          new OurLongs.Events(
              (keys, rate) -> RecentFilter.remember(Duration.ofHours(1), keys, rate));
      default -> throw new IllegalArgumentException("no filter of events is called " + name);
    };
  }

  private static LongSubject blocked(int blockBits, boolean shared) {
    return new OurLongs(
        (keys, rate) ->
            BlockedBloomFilter.create(
                BlockShape.forKeys(keys, rate, blockBits),
                Hasher.xxh3(),
                shared ? Writers.MANY : Writers.ONE));
  }

  static BlockedBloomFilter blockedKeyed(int keys, double rate) {
    return BlockedBloomFilter.create(BlockShape.forKeys(keys, rate), keyed());
  }

  private static Hasher keyed() {
    try (Secret secret = Secret.random()) {
      return KeyedFilters.of(secret).newHasher();
    }
  }

  /**
   * For queries by Zipf's law over twice as many keys. The hot keys are others than those of the
   * measurement, so that each of those is looked up in the table and has the usual hashes.
   */
  static WeightedBloomFilter weighted(int keys, double rate) {
    WeightedShape shape = WeightedShape.forKeys(keys, rate, Popularity.zipf(2L * keys, 1));
    return WeightedBloomFilter.create(shape, weights(shape));
  }

  /** The same with a table that a hundred filters share, which pays for several classes. */
  static PopularityBloomFilter popularity(int keys, double rate) {
    Popularity zipf = Popularity.zipf(2L * keys, 1);
    PopularityShape shape = PopularityShape.forKeys(keys, rate, zipf, 100);
    return PopularityBloomFilter.create(shape, weights(shape));
  }

  private static Weights weights(ClassShape shape) {
    int keys = (int) shape.classes().stream().mapToLong(HashClass::keys).sum();
    return Weights.zipf(Keys.range(-1, 0, keys), 1, Hasher.xxh3());
  }

  /** Sized for a load of 95 %. */
  private static AddableFilter cuckoo(int keys, double rate) {
    return CuckooFilter.create(CuckooShape.forFingerprints(keys, 12));
  }

  /** Fingerprints of 11 bits at a load of 95 %, which a prefix filter has most use of. */
  static CuckooFilter cuckooAtFullLoad(int keys) {
    return CuckooFilter.create(CuckooShape.forFingerprints(keys, 11));
  }

  private static long inserts(int keys) {
    return CuckooShape.forFingerprints(keys, 11).sizeInBits();
  }

  /** The lowest rate in the memory of that. */
  static PrefixFilter prefixAsLarge(int keys) {
    return PrefixFilter.create(PrefixShape.forBudget(keys, inserts(keys)));
  }

  /** The same, for one writer, as the others. */
  static BlockedBloomFilter blockedAsLarge(int keys) {
    return BlockedBloomFilter.create(
        BlockShape.forBudget(keys, inserts(keys), 512), Hasher.xxh3(), Writers.ONE);
  }

  private static AddableFilter scalableByFour(int keys, double rate) {
    return ScalableBloomFilter.create(ScalableShape.forKeys(1_000, rate).withGrowth(4));
  }

  private static AddableFilter countMin(int counterBits, boolean conservative) {
    return CountMinFilter.create(
        new CountMinShape(DEPTH, WIDTH, counterBits, conservative), Hasher.xxh3(), Writers.ONE);
  }

  private static LongSubject wordsOfG(int groups) {
    return new OurLongs(
        (keys, rate) -> BloomGFilter.create(WordShape.forKeys(keys, rate, Long.SIZE, groups)));
  }

  private static LongSubject atLoadOneTenth(int wordBits, int groups, int hashesPerKey) {
    return new OurLongs(
        (keys, rate) ->
            BloomGFilter.create(
                new WordShape(10L * keys / wordBits, wordBits, groups, hashesPerKey)));
  }

  static ObjectSubject<String> strings(String name) {
    return switch (name) {
      case BLOCKED -> new ObjectSubjects.BlockedStrings(false);
      case BLOOM -> new ObjectSubjects.PlainStrings();
      case BLOCKED_KEYED -> new ObjectSubjects.BlockedStrings(true);
      case GUAVA -> new ObjectSubjects.Guava<>(Funnels.stringFunnel(UTF_8));
      case "DataSketches" -> new ObjectSubjects.DataSketchesStrings();
      case "Spark" -> new ObjectSubjects.SparkStrings();
      case "Commons" -> new ObjectSubjects.CommonsStrings();
      case "Parquet" -> new ObjectSubjects.ParquetStrings();
      default -> throw new IllegalArgumentException("no filter of texts is called " + name);
    };
  }

  static ObjectSubject<byte[]> bytes(String name) {
    return switch (name) {
      case BLOCKED -> new ObjectSubjects.BlockedBytes();
      case BLOOM -> new ObjectSubjects.PlainBytes();
      case GUAVA -> new ObjectSubjects.Guava<>(Funnels.byteArrayFunnel());
      default -> throw new IllegalArgumentException("no filter of bytes is called " + name);
    };
  }

  static ObjectSubject<byte[]> payloads(String name) {
    return switch (name) {
      case "BlockDigest" -> new DigestSubject(1, false);
      case "HierarchicalDigest" -> new DigestSubject(5, false);
      case "HierarchicalDigest contents" -> new DigestSubject(5, true);
      default -> throw new IllegalArgumentException("no digest is called " + name);
    };
  }

  static ObjectSubject<Long> sync(String name) {
    return switch (name) {
      case "Invertible" -> new SyncSubject.Invertible();
      case "Rateless" -> new SyncSubject.Rateless();
      default -> throw new IllegalArgumentException("no table is called " + name);
    };
  }
}
