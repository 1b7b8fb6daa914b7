package io.bloomery.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.IncompatibleFiltersException;
import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.membership.DirectBitSet;
import io.bloomery.membership.DirectShape;
import io.bloomery.sync.transport.Transport;
import io.bloomery.testkit.Keys;
import io.bloomery.theory.DistributedMath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The filter of all processes' elements in each of them.
 *
 * <p>Measured here, of N2 (replicating filter): P = 1 … 16: bit for bit the union, P·log2 P
 * messages; break-even 2.66·10⁷ (P = 16, n = 10⁶, 1 %); for other numbers of processes than powers
 * of two, the extra ones send theirs first: H·log2 H + 2·(P − H) messages. Counting filters add up.
 */
final class ReplicatingFilterTest {

  private static final int EACH = 500;

  private static BloomFilter filter() {
    return BloomFilter.create(BloomShape.of(1 << 16, 7));
  }

  private static void fill(BloomFilter filter, int rank) {
    filter.addHashes(Keys.members(EACH, rank), 0, EACH);
  }

  private static BloomFilter union(int processes) {
    BloomFilter union = filter();
    for (int rank = 0; rank < processes; rank++) {
      fill(union, rank);
    }
    return union;
  }

  private record Result(boolean same, long messages, long bytes) {}

  private static Result replicate(Transport transport) throws IOException {
    BloomFilter own = filter();
    fill(own, transport.rank());
    BloomFilter before = own.copy();
    BloomFilter all = ReplicatingFilter.replicate(own, transport);
    boolean same = all.sameContent(union(transport.size())) && own.sameContent(before);
    return new Result(same, transport.messagesSent(), transport.bytesSent());
  }

  /**
   * Bit for bit the filter of all elements, with P·log2 P messages, for any number of processes.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 11, 16})
  void everyProcessHasTheUnion(int processes) throws IOException {
    List<Result> results = Group.run(processes, ReplicatingFilterTest::replicate);
    assertThat(results).allMatch(Result::same);
    long messages = results.stream().mapToLong(Result::messages).sum();
    assertThat(messages).isEqualTo(DistributedMath.replicatingMessages(processes));
    if (Integer.bitCount(processes) == 1) {
      assertThat(messages).isEqualTo((long) processes * Integer.numberOfTrailingZeros(processes));
    }
    long bytes = results.stream().mapToLong(Result::bytes).sum();
    assertThat(bytes).isEqualTo(messages * filter().storedBytes());
  }

  /** Each contribution is merged once, so that counts add up. */
  @Test
  void countsAddUp() throws IOException {
    for (int processes : new int[] {4, 7}) {
      Group.run(
          processes,
          transport -> {
            CountingBloomFilter own = CountingBloomFilter.create(1_000, 1e-6);
            own.add("everywhere");
            for (int again = 0; again < 2; again++) {
              CountingBloomFilter all = ReplicatingFilter.replicate(own, transport);
              assertThat(all.count("everywhere")).isEqualTo(processes);
            }
            return null;
          });
    }
  }

  /** Other kinds, one with a secret key and one without a hasher. */
  @Test
  void otherKinds() throws IOException {
    Hasher keyed = Hasher.keyed(new byte[16]);
    Group.run(
        4,
        transport -> {
          BlockedBloomFilter own =
              BlockedBloomFilter.create(BlockedBloomFilter.create(1_000, .01).shape(), keyed);
          own.add(transport.rank());
          BlockedBloomFilter all = ReplicatingFilter.replicate(own, transport);
          DirectBitSet numbers = DirectBitSet.create(new DirectShape(100));
          numbers.add(10L * transport.rank());
          DirectBitSet allNumbers = ReplicatingFilter.replicate(numbers, transport);
          for (int rank = 0; rank < 4; rank++) {
            assertThat(all.mightContain(rank)).isTrue();
            assertThat(allNumbers.contains(10L * rank)).isTrue();
          }
          return null;
        });
  }

  @Test
  void othersAreRefused() {
    for (int processes = 2; processes <= 3; processes++) {
      int size = processes;
      assertThatThrownBy(
              () ->
                  Group.run(
                      size,
                      transport ->
                          ReplicatingFilter.replicate(
                              BloomFilter.create(BloomShape.of(1000 + transport.rank(), 3)),
                              transport)))
          .hasRootCauseInstanceOf(IncompatibleFiltersException.class);
    }
    assertThatThrownBy(
            () ->
                Group.run(
                    2,
                    transport ->
                        ReplicatingFilter.replicate(
                            BloomFilter.create(
                                BloomShape.of(1000, 3), Hasher.xxh3(transport.rank())),
                            transport)))
        .isInstanceOf(Transport.PeerException.class)
        .hasMessageContaining("wrong hasher");
    assertThatThrownBy(
            () ->
                Group.run(
                    2,
                    transport ->
                        transport.rank() == 0
                            ? ReplicatingFilter.replicate(filter(), transport).sizeInBits()
                            : ReplicatingFilter.replicate(
                                    CountingBloomFilter.create(100, .01), transport)
                                .sizeInBits()))
        .isInstanceOf(Transport.PeerException.class)
        .hasMessageContaining("sent no such filter");
  }

  /** Garbage, a filter cut short, and bytes after a filter. */
  @Test
  void garbageIsRefused() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter().writeTo(out);
    byte[] whole = out.toByteArray();
    for (byte[] message :
        List.of(
            new byte[0],
            new byte[100],
            Arrays.copyOf(whole, whole.length - 1),
            Arrays.copyOf(whole, whole.length + 1))) {
      List<Transport.InMemory> pair = Transport.InMemory.group(2, Group.TIMEOUT);
      pair.get(1).send(0, message);
      BloomFilter own = filter();
      assertThatThrownBy(() -> ReplicatingFilter.replicate(own, pair.get(0)))
          .isInstanceOf(Transport.PeerException.class)
          .hasMessageStartingWith("process 1 sent ");
      assertThat(own.sameContent(filter())).isTrue();
    }
  }
}
