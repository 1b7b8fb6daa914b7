package io.bloomery.transfer.group;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.membership.BloomFilter;
import io.bloomery.sync.AggregateShape;
import io.bloomery.sync.DecentralizedAggregate;
import io.bloomery.sync.SetReconciliation;
import io.bloomery.sync.transport.Transport;
import io.bloomery.transfer.Peer;
import io.bloomery.transfer.PeerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples of docs/sync.md. */
final class SyncPageTest {

  private static final Path SOURCES = Path.of("src/test/java/io/bloomery/transfer/group");

  /** Every Java of the page is part of a program that is compiled, line by line. */
  @Test
  void thePageShowsWhatIsCompiled() throws IOException {
    List<String> compiled = new ArrayList<>();
    for (String name : List.of("DistributedExample.java", "SyncPageTest.java")) {
      Files.readAllLines(SOURCES.resolve(name)).forEach(line -> compiled.add(line.strip()));
    }
    List<List<String>> examples =
        Pattern.compile("(?ms)^```java\n(.*?)^```$")
            .matcher(Files.readString(Path.of("../../docs/sync.md")))
            .results()
            .map(block -> block.group(1).lines().map(String::strip).toList())
            .toList();
    assertThat(examples).hasSize(6);
    assertThat(examples).allSatisfy(lines -> assertThat(compiled).containsSubsequence(lines));
  }

  @Test
  void aPeer() throws Exception {
    SetReconciliation other = SetReconciliation.builder().add("pear").add("fig").build();
    CompletableFuture<String> listening = new CompletableFuture<>();
    Thread there =
        new Thread(
            () -> {
              try (Peer peer =
                  Peer.listen("0", PeerOptions.DEFAULT.withListening(listening::complete))) {
                peer.respond(other);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    there.start();
    reconcile(listening.join());
    there.join();
  }

  private static void reconcile(String address) throws IOException {
    SetReconciliation mine = SetReconciliation.builder().add("apple").add("pear").build();
    try (Peer peer = Peer.connect(address, PeerOptions.DEFAULT)) { // "example.org:7000"
      SetReconciliation.Result result = peer.initiate(mine);
      result.onlyThere(); // keys of the peer that this side lacks: add them
      result.onlyHere(); // keys of this side that the peer lacked, and now has
      result.bytes(); // all bytes, both directions
      assertThat(result.onlyThere()).containsExactly("fig".getBytes(UTF_8));
      assertThat(result.onlyHere()).containsExactly("apple".getBytes(UTF_8));
    }
  }

  @Test
  void threeProcesses() throws Exception {
    List<List<String>> lines =
        List.of(List.of("a", "b", "a"), List.of("b", "c"), List.of("c", "d"));
    Map<Integer, List<String>> left = new ConcurrentHashMap<>();
    List<Thread> threads = new ArrayList<>();
    for (Transport transport : Transport.InMemory.group(3, Duration.ofSeconds(60))) {
      Thread thread =
          new Thread(
              () -> {
                try (transport) {
                  List<String> own = lines.get(transport.rank());
                  List<String> mine = DistributedExample.deduplicate(transport, own);
                  BloomFilter all = DistributedExample.share(transport, own);
                  if (all.mightContain("a") && all.mightContain("d") && !all.mightContain("e")) {
                    left.put(transport.rank(), mine);
                  }
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(left).isEqualTo(Map.of(0, List.of("a", "b"), 1, List.of("c"), 2, List.of("d")));
  }

  @Test
  void twoNodes() {
    AggregateShape shape = AggregateShape.forNodes(500, 0.01, 64, 0, 100); // nodes, rate, states
    DecentralizedAggregate node = DecentralizedAggregate.create("node 17", 42.0, shape);
    DecentralizedAggregate peer = DecentralizedAggregate.create("node 18", 64.0, shape);
    if (node.isDue(peer.id())) {
      for (var answer : peer.receive(node.offer(peer.id()))) {
        node.receive(answer).forEach(peer::receive);
      }
    }
    assertThat(node.count()).isEqualTo(2);
    assertThat(node.average()).isBetween(52.0, 54.0).isEqualTo(peer.average());
  }
}
