package io.bloomery.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.membership.DirectBitSet;
import io.bloomery.sync.SingleShotFilter.Marks;
import io.bloomery.sync.transport.Transport;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import io.bloomery.theory.DistributedMath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Duplicates among the elements of several processes.
 *
 * <p>Measured here, of N1 (distributed single-shot filter): P = 8, 10⁵ elements, s = 64·n: all
 * duplicates, 1.35 % false marks, 14.8 % of 8-byte hashes; false marks within 5 σ of 1 − (1 −
 * 1/s)^(n·(P − 1)/P) = 1.344 % (1.55 % if processes did not compare their own elements by whole
 * hashes); volume within 5 σ of the Rice code's mean for P = 2, 5, 8; the article's figure as an
 * exact vector, with both senders or the later one marked. Steps of 12 and 128 bits per element
 * send 68 % of one step of 1024; a third step gains nothing. On P = 2 … 16 processes by TCP.
 */
final class SingleShotFilterTest {

  private static final int PROCESSES = 8;

  /** A hash whose position of 12 is this. */
  private static long at(int position) {
    return Long.divideUnsigned(-1L, 12) * position + position + 1;
  }

  /** The figure: 6 elements on 3 processes, 4 bits each; hash 2 arrives twice at the first. */
  private static final long[][] FIGURE = {{at(5), at(9)}, {at(2), at(7)}, {at(2) + 1, at(11)}};

  @Test
  void theFigureMarksBothSenders() throws IOException {
    assertThat(markFigure(Marks.ALL)).isEqualTo(List.of("{}", "{0}", "{0}"));
  }

  /** "… sends it back to either PE 2 or 3, depending on who sent it later." */
  @Test
  void theFigureMarksTheLaterSender() throws IOException {
    assertThat(markFigure(Marks.LATER)).isEqualTo(List.of("{}", "{}", "{0}"));
  }

  private static List<String> markFigure(Marks marks) throws IOException {
    return Group.run(
        3,
        transport -> {
          SingleShotFilter filter = SingleShotFilter.create(transport, 12);
          assertThat(filter.part().shape().universe()).isEqualTo(4);
          BitSet marked = filter.add(FIGURE[transport.rank()], marks);
          List<Integer> set =
              List.of(List.of(2), List.of(1, 3), List.of(1, 3)).get(transport.rank());
          for (int i = 0; i < 4; i++) {
            assertThat(filter.part().contains(i)).isEqualTo(set.contains(i));
          }
          return marked.toString();
        });
  }

  /** What the second process sends the first: position 2 of 4, as the code of a gap of 2. */
  @Test
  void theFigureAsBytes() {
    byte[] bytes = new Messages(12, 0).encode((byte) 1, new long[] {2}, 4);
    // Kind 1, agreement, remainders of 2 bits, one number, then 0 10: quotient 0, remainder 2.
    assertThat(HexFormat.of().formatHex(bytes)).isEqualTo("01a2de074b020140");
    assertThat(bytes).hasSize(Messages.HEADER_BYTES + 2);
  }

  /** P = 8, 10^5 elements of which 1 % are duplicates, s = 64·n. */
  @Test
  void acceptance() throws IOException {
    int n = 100_000;
    long s = 64L * n;
    long[][] elements = withDuplicates(n, n / 100, 8);
    Map<Long, Integer> owners = owners(elements);
    List<Result> results =
        Group.run(
            PROCESSES,
            transport -> {
              BitSet marked =
                  SingleShotFilter.create(transport, s).add(elements[transport.rank()], Marks.ALL);
              return new Result(marked, transport.messagesSent(), transport.bytesSent());
            });
    long falseMarks = 0;
    long unique = 0;
    long bytes = 0;
    for (int rank = 0; rank < PROCESSES; rank++) {
      bytes += results.get(rank).bytes;
      assertThat(results.get(rank).messages).isEqualTo(2L * (PROCESSES - 1));
      for (int i = 0; i < elements[rank].length; i++) {
        boolean marked = results.get(rank).marked.get(i);
        if (owners.get(elements[rank][i]) > 1) {
          assertThat(marked).isTrue();
        } else {
          unique++;
          falseMarks += marked ? 1 : 0;
        }
      }
    }
    double rate = DistributedMath.falseDuplicateRate(owners.size(), s, PROCESSES);
    assertThat((double) falseMarks / unique).isLessThanOrEqualTo(.018);
    // Marks come in pairs, so that the variance is twice the binomial one.
    assertThat(Math.abs(falseMarks - unique * rate)).isLessThan(5 * Math.sqrt(2 * unique * rate));
    assertThat(bytes / (8.0 * n)).isLessThan(.25).isCloseTo(.1479, within(.001));
  }

  private record Result(BitSet marked, long messages, long bytes) {}

  /** Elements on random processes, the first few on two different ones. */
  private static long[][] withDuplicates(int n, int pairs, int seed) {
    SplittableRandom random = Seeds.random(seed);
    List<List<Long>> lists = new ArrayList<>();
    for (int i = 0; i < PROCESSES; i++) {
      lists.add(new ArrayList<>());
    }
    long[] keys = Keys.members(n - pairs, seed);
    for (int i = 0; i < keys.length; i++) {
      int rank = random.nextInt(PROCESSES);
      lists.get(rank).add(keys[i]);
      if (i < pairs) {
        lists.get((rank + 1 + random.nextInt(PROCESSES - 1)) % PROCESSES).add(keys[i]);
      }
    }
    return lists.stream()
        .map(list -> list.stream().mapToLong(x -> x).toArray())
        .toArray(long[][]::new);
  }

  private static Map<Long, Integer> owners(long[][] elements) {
    Map<Long, Integer> owners = new HashMap<>();
    for (long[] list : elements) {
      for (long element : list) {
        owners.merge(element, 1, Integer::sum);
      }
    }
    return owners;
  }

  /** The codes that all processes send, against the formula from both sides. */
  @ParameterizedTest
  @ValueSource(ints = {2, 5, 8})
  void volumeIsAsPredicted(int processes) throws IOException {
    int each = 12_000;
    int n = each * processes;
    long s = 40L * n;
    List<Long> sent =
        Group.run(
            processes,
            transport -> {
              SingleShotFilter filter = SingleShotFilter.create(transport, s);
              long[] queries = Keys.outsiders(each, transport.rank());
              long before = transport.bytesSent();
              // Of an empty filter: every answer is one byte of codes.
              assertThat(filter.mightContain(queries).cardinality()).isZero();
              return transport.bytesSent() - before;
            });
    long bytes = sent.stream().mapToLong(x -> x).sum();
    int pairs = processes * (processes - 1);
    // Header and number of codes of a request (1 or 3 bytes), and an answer without codes.
    double overhead = (double) pairs * (Messages.HEADER_BYTES + 3 + Messages.HEADER_BYTES + 1);
    double padding = pairs * 3.5 / 8;
    double expected = DistributedMath.singleShotBits(n, s, processes) / 8 + overhead + padding;
    double density = DistributedMath.singleShotDensity(n, s, processes);
    long codes = (long) n * (processes - 1) / processes;
    double variance =
        codes * DistributedMath.riceCodeVariance(density, DistributedMath.riceBits(each, s))
            + pairs * 8.0
            // How many of its elements a process owns itself is random.
            + Math.pow(12, 2) * n * (processes - 1) / processes / processes;
    assertThat(Math.abs(bytes - expected)).isLessThan(5 * Math.sqrt(variance) / 8 + pairs * .2);
  }

  /**
   * All copies but one are marked: the unmarked elements are every element once, except false
   * marks.
   */
  @Test
  void laterMarksLeaveOneOfEach() throws IOException {
    int n = 4_000;
    long[][] elements = withDuplicates(n, n / 2, 9);
    elements[0] = concat(elements[0], elements[0]);
    long s = 1L << 24;
    List<BitSet> marks =
        Group.run(
            PROCESSES,
            transport ->
                SingleShotFilter.create(transport, s).add(elements[transport.rank()], Marks.LATER));
    Set<Long> left = new HashSet<>();
    for (int rank = 0; rank < PROCESSES; rank++) {
      for (int i = 0; i < elements[rank].length; i++) {
        if (!marks.get(rank).get(i)) {
          assertThat(left.add(elements[rank][i])).isTrue();
        }
      }
    }
    Set<Long> all = owners(elements).keySet();
    assertThat(all).containsAll(left);
    Rates.assertRateAtMost(all.size() - left.size(), all.size(), (double) n / s, 5);
  }

  private static long[] concat(long[] a, long[] b) {
    long[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    return both;
  }

  /** The exact phase, on a filter so small that most marks are false. */
  @ParameterizedTest
  @EnumSource(Marks.class)
  void theExactPhaseLeavesNoError(Marks wanted) throws IOException {
    int n = 3_000;
    long[][] elements = withDuplicates(n, n / 10, 10);
    elements[3] = concat(elements[3], Arrays.copyOf(elements[3], 20));
    Map<Long, Integer> owners = owners(elements);
    List<BitSet> found =
        Group.run(
            PROCESSES,
            transport -> {
              long[] own = elements[transport.rank()];
              SingleShotFilter filter = SingleShotFilter.create(transport, n);
              BitSet marked = filter.add(own, Marks.ALL);
              return filter.confirm(keys(own), own, marked, wanted);
            });
    Map<Long, Integer> seen = new HashMap<>();
    for (int rank = 0; rank < PROCESSES; rank++) {
      for (int i = 0; i < elements[rank].length; i++) {
        int before = seen.merge(elements[rank][i], 1, Integer::sum) - 1;
        boolean expected = wanted == Marks.ALL ? owners.get(elements[rank][i]) > 1 : before > 0;
        assertThat(found.get(rank).get(i)).isEqualTo(expected);
      }
    }
  }

  private static List<byte[]> keys(long[] numbers) {
    List<byte[]> keys = new ArrayList<>();
    for (long number : numbers) {
      // Elements of different length, the empty one included.
      int length = Math.floorMod(number, 3) * 8;
      keys.add(ByteBuffer.allocate(Math.max(8, length)).putLong(number).array());
    }
    return keys;
  }

  /** First coarse, then fine: the same rate with less to send than in one step. */
  @Test
  void twoStepsSendLess() throws IOException {
    int n = 40_000;
    long[][] elements = withDuplicates(n, n / 100, 11);
    Map<Long, Integer> owners = owners(elements);
    long one = search(elements, owners, 1024);
    long two = search(elements, owners, 12, 128);
    assertThat((double) two / one).isLessThan(.75);
    long three = search(elements, owners, 8, 16, 128);
    assertThat((double) three / two).as("more steps gain little").isGreaterThan(.75);
  }

  private static long search(long[][] elements, Map<Long, Integer> owners, double... bits)
      throws IOException {
    List<Result> results =
        Group.run(
            PROCESSES,
            transport -> {
              BitSet marked =
                  SingleShotFilter.findDuplicates(
                      transport, elements[transport.rank()], Marks.ALL, bits);
              return new Result(marked, transport.messagesSent(), transport.bytesSent());
            });
    int falseMarks = 0;
    for (int rank = 0; rank < PROCESSES; rank++) {
      for (int i = 0; i < elements[rank].length; i++) {
        boolean marked = results.get(rank).marked.get(i);
        if (owners.get(elements[rank][i]) > 1) {
          assertThat(marked).isTrue();
        } else {
          falseMarks += marked ? 1 : 0;
        }
      }
    }
    Rates.assertRateAtMost(falseMarks / 2, owners.size() / 2, 1.0 / 512, 5);
    return results.stream().mapToLong(Result::bytes).sum();
  }

  /** Elements of earlier calls count, queries find all of them, and others at the rate of s. */
  @Test
  void laterBatchesAndQueries() throws IOException {
    int each = 5_000;
    int processes = 4;
    long s = 200_000;
    List<Integer> hits =
        Group.run(
            processes,
            transport -> {
              SingleShotFilter filter = SingleShotFilter.create(transport, s, 77);
              long[] own = Keys.members(each, transport.rank());
              filter.add(own, Marks.ALL);
              long[] theirs = Keys.members(each, (transport.rank() + 1) % processes);
              assertThat(filter.mightContain(theirs).cardinality()).isEqualTo(each);
              assertThat(filter.add(own, Marks.LATER).cardinality()).isEqualTo(each);
              long[] others = Keys.outsiders(20_000, transport.rank());
              return filter.mightContain(others).cardinality();
            });
    double fill = -Math.expm1((double) each * processes * Math.log1p(-1.0 / s));
    double deviation = Rates.rateDeviation((double) s, (double) each * processes, 1) * fill;
    long total = hits.stream().mapToLong(x -> x).sum();
    double error = Math.sqrt(fill * (1 - fill) / 80_000 + deviation * deviation);
    assertThat(Math.abs(total / 80_000.0 - fill)).isLessThan(5 * error);
  }

  /** The part of a process is saved as the kind that it is. */
  @Test
  void partsAreSavedAndResumed(@TempDir Path directory) throws IOException {
    Group.run(
        3,
        transport -> {
          Path file = directory.resolve(transport.rank() + ".bloom");
          SingleShotFilter filter = SingleShotFilter.create(transport, 10_000, 3);
          filter.add(Keys.members(100, transport.rank()), Marks.ALL);
          filter.part().writeTo(file);
          return null;
        });
    Group.run(
        3,
        transport -> {
          Path file = directory.resolve(transport.rank() + ".bloom");
          SingleShotFilter filter =
              SingleShotFilter.resume(
                  transport, 10_000, 3, Filters.open(file, ReadOptions.as(DirectBitSet.class)));
          long[] theirs = Keys.members(100, (transport.rank() + 2) % 3);
          assertThat(filter.mightContain(theirs).cardinality()).isEqualTo(100);
          assertThat(filter.sizeInBits()).isEqualTo(10_000);
          assertThatThrownBy(() -> SingleShotFilter.resume(transport, 9_000, 3, filter.part()))
              .hasMessageContaining("owns 3000 of 9000");
          return null;
        });
  }

  @Test
  void processesMustAgree() {
    assertThatThrownBy(
            () ->
                Group.run(
                    2,
                    transport ->
                        SingleShotFilter.create(transport, 100 + transport.rank())
                            .add(Keys.members(5), Marks.ALL)))
        .isInstanceOf(Transport.PeerException.class)
        .hasMessageEndingWith("has a filter of another size or seed");
    assertThatThrownBy(
            () ->
                Group.run(
                    2,
                    transport -> {
                      SingleShotFilter filter = SingleShotFilter.create(transport, 100);
                      return transport.rank() == 0
                          ? filter.mightContain(Keys.members(5))
                          : filter.add(Keys.members(5), Marks.ALL);
                    }))
        .isInstanceOf(Transport.PeerException.class)
        .hasMessageContaining("is at another step");
  }

  @Test
  void argumentsAreChecked() {
    Transport transport = Transport.InMemory.group(4, Group.TIMEOUT).get(0);
    assertThatThrownBy(() -> SingleShotFilter.create(transport, 3))
        .hasMessage("bits = 3 is outside the allowed range 4 … 9007199254740992");
    SingleShotFilter filter = SingleShotFilter.create(transport, 10);
    assertThatThrownBy(() -> filter.add(null, Marks.ALL)).hasMessage("hashes");
    assertThatThrownBy(() -> filter.add(new long[1], null)).hasMessage("marks");
    assertThatThrownBy(() -> filter.confirm(List.of(), new long[1], new BitSet(), Marks.ALL))
        .hasMessage("0 elements and 1 hashes");
    assertThatThrownBy(() -> SingleShotFilter.findDuplicates(transport, new long[0], Marks.ALL))
        .hasMessageContaining("steps = 0");
  }
}
