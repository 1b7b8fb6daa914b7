package io.bloomery.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.membership.BloomFilter;
import io.bloomery.sync.AggregateShape;
import io.bloomery.sync.DecentralizedAggregate;
import io.bloomery.sync.transport.MemoryTransport;
import io.bloomery.sync.transport.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** The examples of docs/sync.md on filters that are spread over processes. */
final class SyncPageTest {

  private static final Path SOURCES = Path.of("src", "test", "java", "io", "bloomery", "docs");

  /** Every line of the section's Java is a line of a program that is compiled, in order. */
  @Test
  void thePageShowsWhatIsCompiled() throws IOException {
    List<String> shown = shownLines();
    assertThat(shown).hasSizeGreaterThan(15);
    List<String> compiled = new ArrayList<>();
    for (String name : List.of("DistributedExample.java", "SyncPageTest.java")) {
      Files.readAllLines(SOURCES.resolve(name)).forEach(line -> compiled.add(line.strip()));
    }
    assertThat(compiled).containsSubsequence(shown);
  }

  private static List<String> shownLines() throws IOException {
    List<String> lines = new ArrayList<>();
    boolean section = false;
    boolean java = false;
    for (String line : Files.readAllLines(Path.of("..", "docs", "sync.md"))) {
      if (line.startsWith("## ")) {
        section = line.equals("## Distributed filters");
      } else if (line.startsWith("```")) {
        java = line.equals("```java");
      } else if (section && java && !line.isBlank()) {
        lines.add(line.strip());
      }
    }
    return lines;
  }

  @Test
  void threeProcesses() throws Exception {
    List<List<String>> lines =
        List.of(List.of("a", "b", "a"), List.of("b", "c"), List.of("c", "d"));
    Map<Integer, List<String>> left = new ConcurrentHashMap<>();
    List<Thread> threads = new ArrayList<>();
    for (Transport transport : MemoryTransport.group(3, Duration.ofSeconds(60))) {
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
