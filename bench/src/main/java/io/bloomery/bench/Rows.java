package io.bloomery.bench;

import static io.bloomery.bench.Row.Origin.OURS;
import static io.bloomery.bench.Row.Origin.PEER;
import static io.bloomery.bench.Row.Origin.PHYSICAL;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Funnels;
import io.bloomery.AddableFilter;
import io.bloomery.Writers;
import io.bloomery.deletable.BlockedCountingFilter;
import io.bloomery.deletable.BlockedCountingShape;
import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.deletable.CountingBloomGFilter;
import io.bloomery.deletable.CountingShape;
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
import io.bloomery.weighted.PopularityBloomFilter;
import io.bloomery.weighted.PopularityShape;
import io.bloomery.weighted.WeightedBloomFilter;
import io.bloomery.weighted.WeightedShape;
import io.bloomery.weighted.Weights;
import io.bloomery.window.RecentFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.DoubleFunction;
import java.util.function.UnaryOperator;

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
  static final String BLOCKED_64 = "Blocked 64";
  static final String BLOCKED_128 = "Blocked 128";
  static final String BLOCKED_512 = "Blocked 512";
  static final String CUCKOO_11 = "Cuckoo 11";
  static final String CUCKOO_12 = "Cuckoo 12";
  static final String COUNTING_4 = "Counting 4";
  static final String BLOCKED_COUNTING = "BlockedCounting";
  static final String COUNT_MIN = "CountMin";

  /** Rows of a count-min sketch. */
  static final int DEPTH = 5;

  /** Counters in a row of a count-min sketch: about eight keys share one. */
  static int width(int keys) {
    return Math.max(2, Integer.highestOneBit(keys / 8));
  }

  private Rows() {}

  static List<Row> all() {
    List<Row> rows = new ArrayList<>();
    rows.addAll(membership());
    rows.addAll(objects());
    rows.addAll(dynamic());
    rows.addAll(frozen());
    return rows;
  }

  private static List<Row> membership() {
    Table long1 = new Table(Workload.LONG);
    long1.ours(3, FAST_BLOCKED, BLOCKED_64, BLOCKED_128, BLOCKED_512).ours(3, FAST_BLOOM, BLOOM);
    long1.ours(1, FAST_BLOCKED, BLOCKED, "Blocked 256").ours(1, "Parquet", "SplitBlock");
    long1.ours(1, FAST_BLOOM, "Bloom-g 1", "Bloom-g 2", "TwoChoice");
    long1.ours(1, BLOCKED, BLOCKED_KEYED).ours(1, BLOOM, BLOOM_KEYED);
    long1.peers(3, FAST_BLOCKED, FAST_BLOOM, GUAVA);
    long1.peers(1, "DataSketches", "Spark", "Commons", "Parquet");
    long1.physical(3, RAW_READ).physical(1, HASH);
    Table rare = new Table(Workload.RARE);
    rare.ours(3, FAST_BLOCKED, BLOCKED).ours(0, FAST_BLOCKED, "Blocked 256", BLOCKED_512);
    rare.ours(0, FAST_BLOOM, BLOOM);
    rare.peers(3, FAST_BLOCKED).peers(0, FAST_BLOOM, GUAVA).physical(0, RAW_READ);
    Table large = new Table(Workload.LARGE);
    large.ours(0, FAST_BLOCKED, BLOCKED_64, BLOCKED_128, BLOCKED_512, BLOOM);
    large.peers(0, FAST_BLOCKED).physical(0, RAW_READ);
    Table accesses = new Table(Workload.ACCESSES);
    accesses.ours(0, "", "Bloom k=3", "Bloom-1 k=3", "Bloom-1 k=6");
    accesses.ours(0, "", "Bloom-2 k=5", "Bloom-1 k=3 of 72").physical(0, RAW_READ);
    Table popular = new Table(Workload.POPULAR);
    popular.ours(0, "", BLOOM).ours(0, BLOOM, "Weighted", "Popularity").physical(0, RAW_READ);
    Table threads = new Table(Workload.THREADS);
    threads.ours(0, GUAVA, BLOCKED_64, BLOCKED_512, BLOOM).peers(0, GUAVA);
    return Table.rows(long1, rare, large, accesses, popular, threads);
  }

  private static List<Row> objects() {
    Table string = new Table(Workload.STRING);
    string.ours(0, GUAVA, BLOCKED, BLOOM).ours(0, BLOCKED, BLOCKED_KEYED);
    string.peers(0, GUAVA, "DataSketches", "Spark", "Commons", "Parquet").physical(0, RAW_READ);
    Table bytes = new Table(Workload.BYTES);
    bytes.ours(0, GUAVA, BLOCKED, BLOOM).peers(0, GUAVA).physical(0, RAW_READ);
    Table payloads = new Table(Workload.PAYLOADS);
    payloads.ours(0, "", "BlockDigest", "HierarchicalDigest", "HierarchicalDigest contents");
    Table sync = new Table(Workload.SYNC).ours(0, "", "Invertible", "Rateless");
    Table oblivious = new Table(Workload.OBLIVIOUS);
    oblivious.ours(0, "", ObliviousMeasurement.CLIENT, ObliviousMeasurement.SERVER);
    return Table.rows(string, bytes, payloads, sync, oblivious);
  }

  private static List<Row> dynamic() {
    Table delete = new Table(Workload.DELETE);
    delete.ours(0, FAST_CUCKOO, CUCKOO_12, "Quotient");
    delete.peers(0, FAST_CUCKOO, CUCKOO_4J).physical(0, RAW_READ);
    Table inserts = new Table(Workload.INSERTS);
    inserts.ours(0, CUCKOO_11, "Prefix").ours(0, "", CUCKOO_11);
    inserts.ours(0, CUCKOO_11, "Blocked as large").physical(0, RAW_READ);
    Table counting = new Table(Workload.COUNTING);
    counting.ours(0, FAST_COUNTING, COUNTING_4, "OneWordCounting", BLOCKED_COUNTING);
    counting.ours(0, FAST_COUNTING, "CountingBloomG");
    counting.peers(0, FAST_COUNTING).physical(0, RAW_READ);
    Table growth = new Table(Workload.GROWTH);
    growth.ours(0, BLOCKED, "Scalable", "Scalable 4").ours(0, "", BLOCKED).physical(0, RAW_READ);
    Table recent = new Table(Workload.RECENT);
    recent.ours(0, BLOCKED, "Recent", "Recent by time").ours(0, "", BLOCKED);
    recent.physical(0, RAW_READ);
    Table counts = new Table(Workload.COUNTS);
    counts.ours(0, STREAM_LIB, COUNT_MIN, "CountMin 32", "CountMin conservative");
    counts.peers(0, STREAM_LIB).physical(0, RAW_READ);
    return Table.rows(delete, inserts, counting, growth, recent, counts);
  }

  private static List<Row> frozen() {
    Table frozen = new Table(Workload.STATIC);
    frozen.ours(0, StaticLongs.FAST_XOR8, StaticLongs.FUSE_8);
    frozen.ours(0, StaticLongs.FAST_XOR16, StaticLongs.FUSE_16);
    frozen.ours(0, StaticLongs.FAST_XOR8, "Fuse 7", "Fuse 4-wise", StaticLongs.FUSE_THREADS);
    frozen.ours(0, StaticLongs.FAST_XOR8, "Xor 8", "Ribbon 8");
    frozen
        .ours(0, StaticLongs.FAST_GCS, "Golomb 8")
        .ours(0, StaticLongs.FAST_XOR8, "PerfectHash 8");
    frozen.peers(0, StaticLongs.peers()).physical(0, RAW_READ);
    return Table.rows(frozen);
  }

  /** The rows of one workload, in the order in which they are added. */
  private static final class Table {
    private final Workload workload;
    private final List<Row> rows = new ArrayList<>();

    Table(Workload workload) {
      this.workload = workload;
    }

    static List<Row> rows(Table... tables) {
      return Arrays.stream(tables).flatMap(table -> table.rows.stream()).toList();
    }

    /** Filters of ours that are compared with one row. */
    Table ours(int quickForks, String peer, String... names) {
      return add(OURS, quickForks, peer, names);
    }

    Table peers(int quickForks, String... names) {
      return add(PEER, quickForks, "", names);
    }

    Table physical(int quickForks, String name) {
      return add(PHYSICAL, quickForks, "", name);
    }

    private Table add(Row.Origin origin, int quickForks, String peer, String... names) {
      for (String name : names) {
        rows.add(new Row(workload, name, origin, quickForks, peer));
      }
      return this;
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
      case BLOCKED -> OurLongs.forWriters(Rows::blocked);
      case BLOCKED_64 -> blocked(64);
      case BLOCKED_128 -> blocked(128);
      case "Blocked 256" -> blocked(256);
      case BLOCKED_512 -> blocked(512);
      case BLOOM -> OurLongs.forWriters(Rows::bloom);
      case BLOCKED_KEYED -> OurLongs.of(Rows::blockedKeyed);
      case BLOOM_KEYED ->
          OurLongs.of((keys, rate) -> BloomFilter.create(BloomShape.forKeys(keys, rate), keyed()));
      case "SplitBlock" -> OurLongs.of(SplitBlockBloomFilter::create);
      case "Bloom-g 1" -> wordsOfG(1);
      case "Bloom-g 2" -> wordsOfG(2);
      case "Bloom k=3" ->
          OurLongs.of((keys, rate) -> BloomFilter.create(BloomShape.of(10L * keys, 3)));
      case "Bloom-1 k=3" -> atLoadOneTenth(64, 1, 3);
      case "Bloom-1 k=6" -> atLoadOneTenth(64, 1, 6);
      case "Bloom-2 k=5" -> atLoadOneTenth(64, 2, 5);
      case "Bloom-1 k=3 of 72" -> atLoadOneTenth(72, 1, 3);
      case "TwoChoice" -> OurLongs.of(TwoChoiceBloomFilter::create);
      case "Weighted" -> OurLongs.of(copies(Rows::weighted, WeightedBloomFilter::copy));
      case "Popularity" -> OurLongs.of(copies(Rows::popularity, PopularityBloomFilter::copy));
      case FAST_BLOCKED -> new PeerLongs.FastBlocked();
      case FAST_BLOOM -> new PeerLongs.FastBloom();
      case GUAVA -> new PeerLongs.Guava();
      case "DataSketches" -> new PeerLongs.DataSketches();
      case "Spark" -> new PeerLongs.Spark();
      case "Commons" -> new PeerLongs.Commons();
      case "Parquet" -> new PeerLongs.Parquet();
      case CUCKOO_12 -> OurLongs.of(Rows::cuckoo);
      case "Quotient" -> OurLongs.of(QuotientFilter::create);
      case "Prefix" -> OurLongs.of((keys, rate) -> prefixAsLarge(keys));
      case CUCKOO_11 -> OurLongs.of((keys, rate) -> cuckooAtFullLoad(keys));
      case "Blocked as large" -> OurLongs.of((keys, rate) -> blockedAsLarge(keys));
      case FAST_CUCKOO -> new PeerLongs.FastCuckoo();
      case CUCKOO_4J -> new PeerLongs.Cuckoo4j();
      case COUNTING_4 -> OurLongs.forWriters(Rows::counting);
      case BLOCKED_COUNTING -> OurLongs.forWriters(Rows::blockedCounting);
      case "OneWordCounting" -> OurLongs.of(OneWordCountingFilter::create);
      case "CountingBloomG" -> OurLongs.of(CountingBloomGFilter::create);
      case FAST_COUNTING -> new PeerLongs.FastCounting();
      case "Scalable" -> scalable(rate -> ScalableShape.forKeys(1_000, rate));
      case "Scalable 4" -> scalable(rate -> ScalableShape.forKeys(1_000, rate).withGrowth(4));
      case COUNT_MIN ->
          OurLongs.forWriters((keys, rate, writers) -> countMin(keys, 64, false, writers));
      case "CountMin 32" ->
          OurLongs.forWriters((keys, rate, writers) -> countMin(keys, 32, false, writers));
      case "CountMin conservative" ->
          OurLongs.of((keys, rate) -> countMin(keys, 64, true, Writers.ONE));
      case STREAM_LIB -> new PeerLongs.StreamLib();
      case RAW_READ -> new PhysicalRow.RawRead();
      case HASH -> new PhysicalRow.HashAlone();
      default -> StaticLongs.of(name);
    };
  }

  /** Every key is an event that is queried and added. */
  static LongSubject events(String name) {
    return switch (name) {
      case RAW_READ -> new PhysicalRow.RawRead();
      case BLOCKED -> OurLongs.ofEvents(BlockedBloomFilter::create);
      case "Recent" -> OurLongs.ofEvents((keys, rate) -> RecentFilter.create(keys, rate));
      case "Recent by time" ->
          OurLongs.ofEvents((keys, rate) -> RecentFilter.create(Duration.ofHours(1), keys, rate));
      default -> throw new IllegalArgumentException("no filter of events is called " + name);
    };
  }

  private static LongSubject blocked(int blockBits) {
    return OurLongs.forWriters(
        (keys, rate, writers) ->
            BlockedBloomFilter.create(
                BlockShape.forKeys(keys, rate, blockBits), Hasher.xxh3(), writers));
  }

  private static AddableFilter blocked(int keys, double rate, Writers writers) {
    return BlockedBloomFilter.create(BlockShape.forKeys(keys, rate), Hasher.xxh3(), writers);
  }

  private static AddableFilter bloom(int keys, double rate, Writers writers) {
    return BloomFilter.create(BloomShape.forKeys(keys, rate), Hasher.xxh3(), writers);
  }

  private static AddableFilter counting(int keys, double rate, Writers writers) {
    return CountingBloomFilter.create(CountingShape.forKeys(keys, rate), Hasher.xxh3(), writers);
  }

  private static AddableFilter blockedCounting(int keys, double rate, Writers writers) {
    BlockedCountingShape shape = BlockedCountingShape.forKeys(keys, rate);
    return BlockedCountingFilter.create(shape, Hasher.xxh3(), writers);
  }

  static BlockedBloomFilter blockedKeyed(int keys, double rate) {
    return BlockedBloomFilter.create(BlockShape.forKeys(keys, rate), keyed());
  }

  private static Hasher keyed() {
    try (Secret secret = Secret.generate()) {
      return KeyedFilters.of(secret).newHasher();
    }
  }

  /**
   * For queries by Zipf's law over twice as many keys. The hot keys are others than those of the
   * measurement, so that each of those is looked up in the table and has the usual hashes.
   */
  private static WeightedBloomFilter weighted(int keys, double rate) {
    WeightedShape shape = WeightedShape.forKeys(keys, rate, Popularity.zipf(2L * keys, 1));
    return WeightedBloomFilter.create(shape, weights(shape));
  }

  /** The same with a table that a hundred filters share, which pays for several classes. */
  private static PopularityBloomFilter popularity(int keys, double rate) {
    Popularity zipf = Popularity.zipf(2L * keys, 1);
    PopularityShape shape = PopularityShape.forKeys(keys, rate, zipf, 100);
    return PopularityBloomFilter.create(shape, weights(shape));
  }

  /** Makes one filter of each size and then copies of it: finding its classes takes long. */
  private static <F extends AddableFilter> OurLongs.Maker copies(
      BiFunction<Integer, Double, F> maker, UnaryOperator<F> copy) {
    Map<Integer, F> made = new HashMap<>();
    return (keys, rate) ->
        copy.apply(made.computeIfAbsent(keys, count -> maker.apply(count, rate)));
  }

  private static Weights weights(ClassShape shape) {
    int keys = (int) shape.classes().stream().mapToLong(ClassShape.HashClass::keyCount).sum();
    return Weights.zipf(Keys.range(-1, 0, keys), 1, Hasher.xxh3());
  }

  /** Sized for a load of 95 %. */
  private static AddableFilter cuckoo(int keys, double rate) {
    return CuckooFilter.create(CuckooShape.forFingerprints(keys, 12));
  }

  /** Fingerprints of 11 bits at a load of 95 %, which a prefix filter has most use of. */
  private static CuckooFilter cuckooAtFullLoad(int keys) {
    return CuckooFilter.create(CuckooShape.forFingerprints(keys, 11));
  }

  private static long inserts(int keys) {
    return CuckooShape.forFingerprints(keys, 11).sizeInBits();
  }

  /** The lowest rate in the memory of that. */
  private static PrefixFilter prefixAsLarge(int keys) {
    return PrefixFilter.create(PrefixShape.forBudget(keys, inserts(keys)));
  }

  /** The same, for one writer, as the others. */
  private static BlockedBloomFilter blockedAsLarge(int keys) {
    return BlockedBloomFilter.create(
        BlockShape.forBudget(keys, inserts(keys), 512), Hasher.xxh3(), Writers.ONE);
  }

  private static LongSubject scalable(DoubleFunction<ScalableShape> shape) {
    return OurLongs.forWriters(
        (keys, rate, writers) ->
            ScalableBloomFilter.create(shape.apply(rate), Hasher.xxh3(), writers));
  }

  private static AddableFilter countMin(
      int keys, int counterBits, boolean conservative, Writers writers) {
    return CountMinFilter.create(
        new CountMinShape(DEPTH, width(keys), counterBits, conservative), Hasher.xxh3(), writers);
  }

  private static LongSubject wordsOfG(int groups) {
    return OurLongs.of(
        (keys, rate) -> BloomGFilter.create(WordShape.forKeys(keys, rate, Long.SIZE, groups)));
  }

  private static LongSubject atLoadOneTenth(int wordBits, int groups, int hashesPerKey) {
    return OurLongs.of(
        (keys, rate) ->
            BloomGFilter.create(
                new WordShape(10L * keys / wordBits, wordBits, groups, hashesPerKey)));
  }

  static ObjectSubject<String> strings(String name) {
    return switch (name) {
      case BLOCKED -> new ObjectSubjects.BlockedStrings(false);
      case BLOOM -> new ObjectSubjects.PlainStrings();
      case BLOCKED_KEYED -> new ObjectSubjects.BlockedStrings(true);
      case RAW_READ -> new ObjectSubjects.RawRead<>(Hasher::hash);
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
      case RAW_READ -> new ObjectSubjects.RawRead<>(Hasher::hash);
      case GUAVA -> new ObjectSubjects.Guava<>(Funnels.byteArrayFunnel());
      default -> throw new IllegalArgumentException("no filter of bytes is called " + name);
    };
  }

  static ObjectSubject<byte[]> payloads(String name) {
    return switch (name) {
      case "BlockDigest" -> new ObjectSubjects.Digest(1, false);
      case "HierarchicalDigest" -> new ObjectSubjects.Digest(5, false);
      case "HierarchicalDigest contents" -> new ObjectSubjects.Digest(5, true);
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
