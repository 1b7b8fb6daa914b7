package io.bloomery.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.net.capture.Capture;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.capture.CaptureOptions;
import io.bloomery.net.capture.Damage;
import io.bloomery.net.dups.DuplicateFilters;
import io.bloomery.net.dups.DuplicateOptions;
import io.bloomery.net.flows.FlowOptions;
import io.bloomery.net.flows.HeavyFlows;
import io.bloomery.net.index.IndexOptions;
import io.bloomery.net.index.TrafficIndex;
import io.bloomery.net.index.TrafficIndex.Facts;
import io.bloomery.net.index.TrafficIndex.Mark;
import io.bloomery.net.index.TrafficIndex.Period;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** Damaged captures, one after another, through all that takes packets: no error, no growth. */
class HostileTrafficTest {

  private static final long BUDGET = 200_000;

  /** Takes the packets of a capture, as far as it can be read. */
  private static final class Takers implements AutoCloseable {
    private final HeavyFlows flows =
        HeavyFlows.create(
            FlowOptions.of(FlowOptions.By.TUPLE, true, 20).withEvery(Duration.ofSeconds(1)));
    private final DuplicateFilters filters =
        DuplicateFilters.create(DuplicateOptions.of(10_000, .01), false);
    private final TrafficIndex.Writer writer;
    private long packets;
    private long marks;

    Takers(Path directory) throws IOException {
      this.writer =
          TrafficIndex.writer(
              directory,
              new IndexOptions(
                  1 << 20, Duration.ofSeconds(1), 8, 2, .02, BUDGET, true, Seeds.random(9)));
    }

    void take(byte[] bytes) throws IOException {
      Capture capture = open(bytes);
      for (Packet packet = next(capture); packet != null; packet = next(capture)) {
        packets++;
        flows.add(packet);
        filters.add(packet);
        writer.add(packet);
        marks += new Mark(packet).flow().length();
      }
    }

    /** A capture; null if it cannot be read as one. */
    private static @Nullable Capture open(byte[] bytes) {
      try {
        return Capture.open(new ByteArrayInputStream(bytes), CaptureOptions.DEFAULT);
      } catch (IOException e) {
        return null;
      }
    }

    private static @Nullable Packet next(@Nullable Capture capture) {
      try {
        return capture == null ? null : capture.next();
      } catch (IOException e) {
        return null;
      }
    }

    @Override
    public void close() throws IOException {
      flows.end();
      filters.results();
      writer.close();
    }
  }

  private static long used() {
    System.gc();
    Runtime here = Runtime.getRuntime();
    return here.totalMemory() - here.freeMemory();
  }

  /** Runs the captures; returns what happened. */
  private static String run(int captures, long seed, Path directory) throws IOException {
    SplittableRandom random = Seeds.random(seed);
    byte[][] samples = Damage.samples();
    long early = 0;
    long packets;
    try (Takers takers = new Takers(directory)) {
      for (int i = 0; i < captures; i++) {
        byte[] bytes = Damage.damaged(samples[random.nextInt(samples.length)], random);
        try {
          takers.take(bytes);
        } catch (RuntimeException | Error e) {
          throw new AssertionError(i + ": " + HexFormat.of().formatHex(bytes), e);
        }
        if (i == captures / 4) {
          early = used();
        }
      }
      packets = takers.packets;
      assertThat(takers.marks).isGreaterThan(packets);
    }
    long growth = used() - early;
    assertThat(growth).as("growth of the heap").isLessThan(16 << 20);
    TrafficIndex index =
        TrafficIndex.open(
            directory,
            e -> {
              throw new AssertionError(e);
            });
    Facts facts = index.facts();
    assertThat(facts.bytes()).isBetween(1L, BUDGET);
    assertThat(index.find(List.of(new byte[64]), Period.ALL)).hasSize(1);
    return "%d damaged captures, %d packets, heap grew by %d bytes"
        .formatted(captures, packets, growth);
  }

  @Test
  void someDamagedCaptures(@TempDir Path directory) throws IOException {
    assertThat(run(Effort.of(40_000), 1, directory)).contains("damaged captures");
  }

  @Test
  @Tag("long")
  void aMillionDamagedCapturesInASmallHeap(TestReporter report) throws Exception {
    report.publishEntry("traffic", Damage.inASmallHeap(HostileTrafficTest.class));
  }

  /** A million damaged captures; prints what happened. */
  public static void main(String... args) throws IOException {
    Path directory = Files.createTempDirectory("hostile-traffic");
    try {
      System.out.println(run(1_000_000, 2, directory));
    } finally {
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(directory);
    }
  }
}
