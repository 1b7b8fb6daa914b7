package io.bloomery.transfer.group;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.sync.ReplicatingFilter;
import io.bloomery.sync.SingleShotFilter;
import io.bloomery.sync.SingleShotFilter.Marks;
import io.bloomery.sync.transport.Transport;
import io.bloomery.testkit.Keys;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A process of {@link ProcessesTest}. Prints the port at which it listens, reads the ports of all,
 * looks for duplicates, shares a filter and prints the result. Elements are numbers: process r has
 * r·each … r·each + each − 1, and the first of its successor.
 */
final class ProcessMain {

  private ProcessMain() {}

  /** Number of the process, number of processes, elements of each, and whether to end early. */
  public static void main(String[] args) throws IOException {
    int rank = Integer.parseInt(args[0]);
    int size = Integer.parseInt(args[1]);
    int each = Integer.parseInt(args[2]);
    boolean fails = Boolean.parseBoolean(args[3]);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    try (ServerSocket server = new ServerSocket(0, size, InetAddress.getLoopbackAddress())) {
      System.out.println(server.getLocalPort());
      List<InetSocketAddress> addresses = new ArrayList<>();
      for (String port : in.readLine().split(" ", -1)) {
        addresses.add(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port)));
      }
      GroupOptions options = new GroupOptions(Duration.ofSeconds(60), 8 << 20);
      try (Transport transport = SocketTransport.connect(rank, addresses, server, options)) {
        if (fails) {
          Runtime.getRuntime().halt(3);
        }
        System.out.println(run(transport, each));
      } catch (Transport.PeerException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  /** Marks, messages and bytes of the search, whether the union is right, and its messages. */
  static String run(Transport transport, int each) throws IOException {
    int rank = transport.rank();
    int size = transport.size();
    long[] hashes = new long[each + 1];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = element((rank * each + i) % (size * each));
    }
    SingleShotFilter filter = SingleShotFilter.create(transport, 64L * size * each);
    BitSet marked = filter.add(hashes, Marks.ALL);
    long searched = transport.messagesSent();
    long bytes = transport.bytesSent();
    boolean found = marked.get(0) && marked.get(each);
    BloomFilter own = filter(hashes);
    BloomFilter all = ReplicatingFilter.replicate(own, transport);
    long[] everything = new long[size * each];
    for (int i = 0; i < everything.length; i++) {
      everything[i] = element(i);
    }
    return "%b %d %d %d %b %d"
        .formatted(
            found,
            marked.cardinality(),
            searched,
            bytes,
            all.sameContent(filter(everything)),
            transport.messagesSent() - searched);
  }

  private static long element(int i) {
    return Keys.pinned(i);
  }

  private static BloomFilter filter(long[] hashes) {
    BloomFilter filter = BloomFilter.create(BloomShape.of(1 << 17, 5));
    filter.addHashes(hashes, 0, hashes.length);
    return filter;
  }
}
