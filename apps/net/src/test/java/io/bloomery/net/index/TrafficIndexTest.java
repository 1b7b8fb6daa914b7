package io.bloomery.net.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.net.index.TrafficIndex.Attribution;
import io.bloomery.net.index.TrafficIndex.Facts;
import io.bloomery.net.index.TrafficIndex.Found;
import io.bloomery.net.index.TrafficIndex.Mark;
import io.bloomery.net.index.TrafficIndex.Passed;
import io.bloomery.net.index.TrafficIndex.Period;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrafficIndexTest {

  private static final int FLOWS = 200;
  private static final int PACKETS = 800;
  private static final int LENGTH = 1000;
  private static final long SECOND = 1_000_000_000;

  @TempDir private Path directory;

  private static byte[] bytes(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static IndexOptions options(long seed) {
    return IndexOptions.of(1 << 30)
        .withPages(1 << 24, Duration.ZERO, IndexOptions.SHARE)
        .withRandom(Seeds.random(seed));
  }

  private static String flow(int from, int to) {
    return "10.0.%d.%d:1 > 10.0.0.%d:2 udp".formatted(from >> 8, from & 0xFF, to);
  }

  private static List<String> names(Found found) {
    return found.flows().stream().map(Attribution::flow).toList();
  }

  private static Found one(TrafficIndex index, byte[] excerpt) {
    try {
      return index.find(List.of(excerpt), Period.ALL).get(0);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private long pageBytes() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  /**
   * No excerpt from twice a block less one on is missed, whatever its place; others are found in as
   * many flows as is said. Lookups in flows that did not have an excerpt are independent, so the
   * number of false flows is a sum of independent draws with the rate of each query.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void excerptsAreFoundAndOthersAtTheRate(int levels) throws IOException {
    SplittableRandom random = Seeds.random(levels);
    Traffic traffic = new Traffic();
    List<byte[]> payloads = new ArrayList<>();
    for (int i = 0; i < PACKETS; i++) {
      byte[] payload = bytes(random, LENGTH);
      payloads.add(payload);
      traffic.udp(i % FLOWS, 1, payload);
    }
    TrafficIndex index =
        traffic.index(
            directory,
            options(7).withBlocks(8, levels).withPages(1 << 20, Duration.ZERO, 1.0 / 20));
    Facts facts = index.facts();
    assertThat(facts.pages()).isEqualTo(1);
    assertThat(facts.traffic()).isEqualTo(PACKETS * (LENGTH + 28L));
    assertThat(facts.bytes()).isLessThanOrEqualTo(facts.traffic() / 20).isEqualTo(pageBytes());
    double before = FLOWS + 1;
    for (int length : new int[] {15, 16, 32, 48, 64, 96}) {
      List<byte[]> present = new ArrayList<>();
      List<byte[]> absent = new ArrayList<>();
      List<String> flows = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        int packet = random.nextInt(PACKETS);
        int from = random.nextInt(LENGTH - length + 1);
        present.add(Arrays.copyOfRange(payloads.get(packet), from, from + length));
        flows.add(flow(packet % FLOWS, 1));
        absent.add(bytes(random, length));
      }
      List<Found> answers = index.find(present, Period.ALL);
      double expected = 0;
      double variance = 0;
      long hits = 0;
      for (int i = 0; i < present.size(); i++) {
        assertThat(names(answers.get(i))).contains(flows.get(i));
        assertThat(answers.get(i).missed()).isFalse();
        double rate = answers.get(i).expectedFalse() / FLOWS;
        hits += answers.get(i).flows().size() - 1L;
        expected += rate * (FLOWS - 1);
        variance += rate * (1 - rate) * (FLOWS - 1);
      }
      for (Found found : index.find(absent, Period.ALL)) {
        double rate = found.expectedFalse() / FLOWS;
        hits += found.flows().size();
        expected += rate * FLOWS;
        variance += rate * (1 - rate) * FLOWS;
      }
      // 1 for rates so small that the number is not normal
      assertThat((double) hits)
          .isBetween(
              expected - 5 * Math.sqrt(variance) - 1, expected + 5 * Math.sqrt(variance) + 1);
      double rate = answers.get(0).expectedFalse();
      assertThat(rate).isLessThan(before);
      before = rate;
    }
    assertThat(before).isLessThan(.01);
  }

  @Test
  void timesAreThoseOfTheFlow() throws IOException {
    byte[] planted = bytes(Seeds.random(1), 100);
    TrafficIndex index =
        new Traffic()
            .udp(1, 1, bytes(Seeds.random(2), 9000))
            .udp(2, 1, planted)
            .udp(3, 1, bytes(Seeds.random(3), 9000))
            .udp(2, 1, bytes(Seeds.random(4), 100))
            .index(directory, options(5));
    assertThat(one(index, planted).flows())
        .containsExactly(new Attribution(flow(2, 1), SECOND, 3 * SECOND + 1_000_000));
    List<byte[]> asked = List.of(planted);
    assertThat(index.find(asked, new Period(0, SECOND - 1)).get(0).flows()).isEmpty();
    assertThat(index.find(asked, new Period(2 * SECOND, 2 * SECOND)).get(0).flows()).hasSize(1);
    assertThat(index.find(asked, new Period(4 * SECOND, 5 * SECOND)).get(0).flows()).isEmpty();
  }

  /** The budget holds at all times, and what is deleted is the oldest. */
  @Test
  void theOldestPagesGo() throws IOException {
    SplittableRandom random = Seeds.random(1);
    IndexOptions options =
        new IndexOptions(1 << 16, Duration.ZERO, 8, 1, 1.0 / 20, 20_000, false, Seeds.random(2));
    List<byte[]> payloads = new ArrayList<>();
    TrafficIndex index = null;
    for (int part = 0; part < 10; part++) {
      Traffic traffic = new Traffic();
      for (int i = 0; i < 63; i++) {
        byte[] payload = bytes(random, LENGTH);
        payloads.add(payload);
        traffic.udp(payloads.size(), 1, payload);
      }
      index = traffic.index(directory, options);
      assertThat(pageBytes()).isLessThanOrEqualTo(20_000);
    }
    assertThat(index.facts().pages()).isBetween(5, 7);
    byte[] oldest = Arrays.copyOf(payloads.get(0), 200);
    byte[] newest = Arrays.copyOf(payloads.get(payloads.size() - 1), 200);
    assertThat(one(index, oldest).flows()).isEmpty();
    assertThat(names(one(index, newest))).containsExactly(flow(630, 1));
  }

  /** Pages end by time too, but not for less than 1 MiB, whatever times strangers invent. */
  @Test
  void pagesEndByTime() throws IOException {
    Traffic traffic = new Traffic();
    SplittableRandom random = Seeds.random(1);
    for (int i = 0; i < 5000; i++) {
      traffic.udp(i, 1, bytes(random, 1000));
    }
    IndexOptions options = options(1).withPages(1 << 24, Duration.ofSeconds(2000), .05);
    assertThat(traffic.index(directory, options).facts().pages()).isEqualTo(3);
    Path other = directory.resolve("other");
    options = options.withPages(1 << 24, Duration.ofMillis(1), .05);
    assertThat(traffic.index(other, options).facts().pages()).isEqualTo(5);
  }

  /** The gaps of the paper: packets below a block, and excerpts across packets. */
  @Test
  void joiningClosesTheGapsBetweenPackets() throws IOException {
    byte[] worm = bytes(Seeds.random(1), 600);
    Traffic traffic = new Traffic();
    int[] starts = {-300, -296, -100, -103, -50, 0, 7, 200};
    for (int i : new int[] {0, 1, 2, 4, 3, 5, 5, 6}) { // wraps around 0, out of order, one repeated
      int to = starts[i + 1] + (i == 2 ? 3 : 0);
      int from = starts[i] + 300;
      traffic.tcp(1, 2, starts[i], Arrays.copyOfRange(worm, from, Math.max(from, to + 300)));
    }
    for (int i = 0; i < 70; i++) {
      traffic.tcp(3, 4, i * 7, Arrays.copyOfRange(worm, i * 7, i * 7 + 7));
      traffic.udp(5, 6, Arrays.copyOfRange(worm, i * 7, i * 7 + 7));
      traffic.udp(7, 8, bytes(Seeds.random(i + 9), 1000));
    }
    TrafficIndex apart = traffic.index(directory.resolve("apart"), options(1));
    TrafficIndex joined = traffic.index(directory.resolve("joined"), options(1).withJoined());
    byte[] across = Arrays.copyOfRange(worm, 220, 450);
    assertThat(one(apart, across).flows()).isEmpty();
    assertThat(apart.facts().tooShort()).isGreaterThanOrEqualTo(140);
    assertThat(names(one(joined, across)))
        .contains("10.0.0.1:1 > 10.0.0.2:2 tcp", "10.0.0.3:1 > 10.0.0.4:2 tcp", flow(5, 6));
    assertThat(joined.facts().tooShort()).isZero();
  }

  /** Another order of blocks is told apart by the hierarchy, from three blocks on. */
  @Test
  void theHierarchyKnowsTheOrderOfBlocks() throws IOException {
    byte[] blocks = bytes(Seeds.random(1), 5 * 8);
    byte[] swapped = blocks.clone();
    System.arraycopy(blocks, 8, swapped, 24, 8);
    System.arraycopy(blocks, 24, swapped, 8, 8);
    Traffic traffic = new Traffic().udp(1, 2, blocks);
    for (int i = 0; i < 100; i++) {
      traffic.udp(3, 4, bytes(Seeds.random(i + 2), 1000));
    }
    IndexOptions options = options(1).withPages(1 << 24, Duration.ZERO, .2);
    TrafficIndex flat = traffic.index(directory.resolve("1"), options);
    TrafficIndex high = traffic.index(directory.resolve("2"), options.withBlocks(8, 2));
    assertThat(names(one(flat, swapped))).contains(flow(1, 2));
    assertThat(names(one(high, swapped))).doesNotContain(flow(1, 2));
    assertThat(names(one(high, blocks))).contains(flow(1, 2));
  }

  /** Stuffing hides what it interrupts; what is left between is found in pieces. */
  @Test
  void stuffingHidesTheWholeAndNotThePieces() {
    byte[] worm = bytes(Seeds.random(1), 400);
    byte[] stuffed = new byte[500];
    for (int i = 0; i < 4; i++) {
      System.arraycopy(worm, 100 * i, stuffed, 120 * i, 100);
    }
    Traffic traffic = new Traffic().udp(1, 2, stuffed);
    for (int i = 0; i < 50; i++) {
      traffic.udp(3, 4, bytes(Seeds.random(i + 2), 1000));
    }
    TrafficIndex index = traffic.index(directory, options(1).withPages(1 << 24, Duration.ZERO, .1));
    assertThat(one(index, worm).flows()).isEmpty();
    assertThat(names(one(index, Arrays.copyOfRange(worm, 110, 190)))).contains(flow(1, 2));
  }

  /** Invented hosts overflow the list; the bytes are still found, as of a flow without a name. */
  @Test
  void tooManyHostsLoseTheirNamesOnly() throws IOException {
    SplittableRandom random = Seeds.random(1);
    byte[] planted = bytes(random, 200);
    byte[] large = bytes(random, 1400);
    Traffic traffic = new Traffic().udp(1 << 20, 1, planted).udp(1 << 21, 2, large);
    for (int i = 0; i < 20_000; i++) {
      traffic.udp(random.nextInt(1 << 24), random.nextInt(1 << 24), bytes(random, 12));
    }
    TrafficIndex index = traffic.index(directory, options(1));
    Facts facts = index.facts();
    assertThat(facts.bytes()).isLessThanOrEqualTo(facts.traffic() / 50);
    assertThat(facts.unlisted()).isGreaterThan(15_000);
    assertThat(names(one(index, large))).contains("10.32.0.0:1 > 10.0.0.2:2 udp");
    List<String> found = names(one(index, planted));
    assertThat(found.contains(null) || found.contains("10.16.0.0:1 > 10.0.0.1:2 udp")).isTrue();
  }

  /** What routers change does not matter; other packets are found at the rate that is said. */
  @Test
  void packetsAreRecognized() throws IOException {
    SplittableRandom random = Seeds.random(1);
    Traffic passed = new Traffic();
    Traffic others = new Traffic();
    for (int i = 0; i < 5_000; i++) {
      passed.udp(i, 1, bytes(random, 60));
      others.udp(i, 2, bytes(random, 60));
    }
    TrafficIndex index = passed.index(directory, options(1));
    byte[] file = passed.capture();
    int record = 16 + 14 + 20 + 8 + 60;
    for (int at = 24; at < file.length; at += record) {
      file[at + 16 + 14 + 1] ^= 7; // type of service
      file[at + 16 + 14 + 8]--; // time to live
      file[at + 16 + 14 + 10] ^= 1; // checksum
    }
    assertThat(index.passed(Traffic.marks(file), Period.ALL))
        .allMatch(answer -> answer.pages().size() == 1);
    List<Mark> absent = Traffic.marks(others.capture());
    List<Passed> answers = index.passed(absent, Period.ALL);
    double rate = answers.get(0).expectedFalse();
    long hits = answers.stream().filter(answer -> !answer.pages().isEmpty()).count();
    double mean = rate * absent.size();
    double deviation = Math.sqrt(mean * (1 - rate));
    assertThat(rate).isBetween(.001, .2);
    assertThat((double) hits).isBetween(mean - 5 * deviation, mean + 5 * deviation);
    assertThat(index.passed(Traffic.marks(file), new Period(1L << 60, 1L << 60)).get(0).pages())
        .isEmpty();
  }

  /** A page with any bit flipped is named, and never taken for another; the others answer. */
  @Test
  void damagedPagesAreNamed() throws IOException {
    byte[] planted = bytes(Seeds.random(1), 1000);
    IndexOptions options = options(1);
    new Traffic().udp(1, 2, planted).index(directory, options);
    new Traffic().udp(3, 4, planted).index(directory, options);
    Path first = directory.resolve("000000000001.page");
    byte[] sound = Files.readAllBytes(first);
    SplittableRandom random = Seeds.random(2);
    for (int i = 0; i < 5000; i++) {
      byte[] damaged = sound.clone();
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      Files.write(first, random.nextBoolean() ? damaged : Arrays.copyOf(sound, i % sound.length));
      Set<String> unread = new HashSet<>();
      TrafficIndex index =
          TrafficIndex.open(directory, e -> unread.add(String.valueOf(e.getMessage())));
      List<String> found = names(index.find(List.of(planted), Period.ALL).get(0));
      assertThat(unread).singleElement().asString().startsWith("000000000001.page, byte ");
      assertThat(found).contains(flow(3, 4)).doesNotContain(flow(1, 2));
    }
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThatThrownBy(() -> IndexOptions.of(1000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("budgetBytes = 1000 is below two pages, ");
    assertThatThrownBy(() -> options(1).withBlocks(3, 1))
        .hasMessage("blockBytes = 3 is not between 4 and 512");
    assertThatThrownBy(() -> options(1).withPages(1, Duration.ZERO, .1))
        .hasMessage("pageBytes = 1 is not between 65536 and 536870912");
    assertThatThrownBy(() -> options(1).withPages(1 << 20, Duration.ZERO, 2))
        .hasMessage("share = 2.0 is not between 0.0001 and 1");
    assertThatThrownBy(() -> TrafficIndex.open(directory.resolve("none"), e -> {}))
        .isInstanceOf(IOException.class);
  }
}
