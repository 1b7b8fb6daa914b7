package io.bloomery.transfer.group;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.hash.Hasher;
import io.bloomery.membership.BloomFilter;
import io.bloomery.sync.ReplicatingFilter;
import io.bloomery.sync.SingleShotFilter;
import io.bloomery.sync.SingleShotFilter.Marks;
import io.bloomery.sync.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;

/** The program of docs/sync.md: {@link SyncPageTest} compares the page with it. */
public final class DistributedExample {

  private DistributedExample() {}

  /**
   * One process of a group.
   *
   * @param args its number, its file, and the addresses of all processes
   */
  public static void main(String[] args) throws IOException {
    int rank = Integer.parseInt(args[0]);
    List<String> lines = Files.readAllLines(Path.of(args[1]));
    List<InetSocketAddress> addresses =
        Stream.of(args).skip(2).map(DistributedExample::address).toList();
    try (Transport transport = SocketTransport.connect(rank, addresses)) {
      deduplicate(transport, lines).forEach(System.out::println);
    }
  }

  @SuppressWarnings("AddressSelection") // a process has one address
  private static InetSocketAddress address(String text) {
    int colon = text.lastIndexOf(':');
    return new InetSocketAddress(
        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }

  /** The lines of this process that no earlier one has. */
  public static List<String> deduplicate(Transport transport, List<String> lines)
      throws IOException {
    List<byte[]> elements = lines.stream().map(line -> line.getBytes(UTF_8)).toList();
    long[] hashes = elements.stream().mapToLong(Hasher.xxh3()::hash).toArray();
    SingleShotFilter filter = SingleShotFilter.create(transport, 64_000_000);
    BitSet marked = filter.add(hashes, Marks.ALL); // misses none, 1 in 64 is wrong
    BitSet repeated = filter.confirm(elements, hashes, marked, Marks.LATER); // exact
    return Stream.iterate(0, i -> i < lines.size(), i -> i + 1)
        .filter(i -> !repeated.get(i))
        .map(lines::get)
        .toList();
  }

  /** A filter of the lines of all processes. */
  public static BloomFilter share(Transport transport, List<String> lines) throws IOException {
    BloomFilter own = BloomFilter.create(1_000_000, 0.01);
    lines.forEach(own::add);
    BloomFilter all = ReplicatingFilter.replicate(own, transport);
    return all;
  }
}
