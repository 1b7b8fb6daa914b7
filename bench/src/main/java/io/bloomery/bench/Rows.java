package io.bloomery.bench;

import static io.bloomery.bench.Row.Origin.OURS;
import static io.bloomery.bench.Row.Origin.PEER;
import static io.bloomery.bench.Row.Origin.PHYSICAL;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Funnels;
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

  private Rows() {}

  static List<Row> all() {
    List<Row> rows = new ArrayList<>();
    add(rows, Workload.LONG, OURS, 3, "Blocked 64", "Blocked 128", "Blocked 512", BLOOM);
    add(rows, Workload.LONG, OURS, 1, BLOCKED, "Blocked 256", "SplitBlock");
    add(rows, Workload.LONG, OURS, 1, "Bloom-g 1", "Bloom-g 2", "TwoChoice", "Blocked 64 unshared");
    add(rows, Workload.LONG, OURS, 1, "Blocked 512 unshared");
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
    add(rows, Workload.STRING, OURS, 0, BLOCKED, BLOOM);
    add(rows, Workload.STRING, PEER, 0, GUAVA, "DataSketches", "Spark", "Commons", "Parquet");
    add(rows, Workload.BYTES, OURS, 0, BLOCKED, BLOOM);
    add(rows, Workload.BYTES, PEER, 0, GUAVA);
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
      case BLOCKED -> new OurLongs.Blocked();
      case "Blocked 64" -> new OurLongs.Blocked(64);
      case "Blocked 128" -> new OurLongs.Blocked(128);
      case "Blocked 256" -> new OurLongs.Blocked(256);
      case "Blocked 512" -> new OurLongs.Blocked(512);
      case "Blocked 64 unshared" -> new OurLongs.Blocked(64, false);
      case "Blocked 512 unshared" -> new OurLongs.Blocked(512, false);
      case BLOOM -> new OurLongs.Plain();
      case "SplitBlock" -> new OurLongs.SplitBlock();
      case "Bloom-g 1" -> new OurLongs.WordsOfG(1);
      case "Bloom-g 2" -> new OurLongs.WordsOfG(2);
      case "TwoChoice" -> new OurLongs.TwoChoice();
      case FAST_BLOCKED -> new PeerLongs.FastBlocked();
      case FAST_BLOOM -> new PeerLongs.FastBloom();
      case GUAVA -> new PeerLongs.Guava();
      case "DataSketches" -> new PeerLongs.DataSketches();
      case "Spark" -> new PeerLongs.Spark();
      case "Commons" -> new PeerLongs.Commons();
      case "Parquet" -> new PeerLongs.Parquet();
      case RAW_READ -> new PhysicalRow.RawRead();
      case HASH -> new PhysicalRow.HashAlone();
      default -> throw new IllegalArgumentException("no filter of longs is called " + name);
    };
  }

  static ObjectSubject<String> strings(String name) {
    return switch (name) {
      case BLOCKED -> new ObjectSubjects.BlockedStrings();
      case BLOOM -> new ObjectSubjects.PlainStrings();
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
}
