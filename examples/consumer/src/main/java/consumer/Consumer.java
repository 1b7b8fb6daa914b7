package consumer;

import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.MappedFilter;
import io.bloomery.ReadOptions;
import io.bloomery.deletable.CuckooFilter;
import io.bloomery.frequency.CountMinFilter;
import io.bloomery.frozen.FuseFilter;
import io.bloomery.growing.ScalableBloomFilter;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Planner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;

/** The main use cases of other libraries' users, one line of output for each. */
public final class Consumer {
  private Consumer() {}

  /** Prints {@code name: true} for all that works as it should. */
  public static void main(String... args) throws IOException {
    say("modular", Consumer.class.getModule().isNamed() == Boolean.getBoolean("modular"));

    // Guava, DataSketches, Spark: create, put or update, mightContain or query
    BlockedBloomFilter seen = BlockedBloomFilter.create(1_000_000, 0.01);
    say("add", seen.add("https://example.org/"));
    say("present", seen.mightContain("https://example.org/"));
    say("absent", !seen.mightContain("https://example.com/"));

    // RedisBloom: BF.ADD beyond the capacity, CF.DEL
    ScalableBloomFilter growing = ScalableBloomFilter.create(100, 0.001);
    LongStream.range(0, 10_000).forEach(growing::add);
    say("grown", LongStream.range(0, 10_000).allMatch(growing::mightContain));
    CuckooFilter sessions = CuckooFilter.create(1_000, 0.001);
    sessions.add("session");
    say("deleted", sessions.remove("session") && !sessions.mightContain("session"));

    // fastfilter: a static set of numbers
    long[] keys = LongStream.range(0, 10_000).map(i -> i * i).toArray();
    FuseFilter fuse = FuseFilter.ofKeys(keys, 0.01);
    say("static", LongStream.of(keys).allMatch(fuse::mightContain));

    // stream-lib: how often
    CountMinFilter counts = CountMinFilter.create(1_000, 0.01);
    counts.add("/index.html", 3);
    say("counted", counts.count("/index.html") >= 3);

    // files, by the registry of all kinds
    Path file = Files.createTempFile("consumer", ".bloom");
    try {
      seen.writeTo(file);
      Filter again = Filters.open(file);
      say("opened", again.mightContain("https://example.org/"));
      try (var mapped = MappedFilter.map(file, ReadOptions.as(BlockedBloomFilter.class))) {
        say("mapped", mapped.filter().mightContain("https://example.org/"));
      }
      say("unmapped", !isMapped(file) || Runtime.version().feature() < 22);
    } finally {
      Files.delete(file);
    }
    say("planned", Planner.standard().plan(Needs.forKeys(1_000, 0.01)).best().create() != null);
  }

  /** What the system says, if it has such a list. */
  private static boolean isMapped(Path file) throws IOException {
    Path maps = Path.of("/proc/self/maps");
    return Files.exists(maps) && Files.readString(maps).contains(file.getFileName().toString());
  }

  private static void say(String what, boolean works) {
    System.out.println(what + ": " + works);
  }
}
