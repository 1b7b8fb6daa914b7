package io.bloomery.net.trace;

import io.bloomery.net.index.TrafficIndex;
import io.bloomery.net.index.TrafficIndex.Mark;
import io.bloomery.net.index.TrafficIndex.Passed;
import io.bloomery.net.index.TrafficIndex.Period;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Follows a packet from router to router against its direction, by the index of each. From the
 * router nearest to the victim on, the neighbours of each router that may have passed it on are
 * asked.
 */
public final class Traceback {

  /**
   * A step of a packet.
   *
   * @param from a router that may have passed it
   * @param to its neighbour, nearer to the start, that may have got it from there
   */
  public record Hop(String from, String to) {}

  /**
   * The routers that a packet may have passed.
   *
   * @param hops from which router to which, the nearest to the start first
   * @param sources routers behind which no other one may have passed it, in order
   * @param unknown routers of the graph that have no index: they may or may not have passed it
   * @param asked how many indexes were asked
   * @param expectedFalse how many of the routers asked are expected in the graph if the packet did
   *     not pass them
   * @param isComplete whether the graph did not end at the most routers
   */
  public record Graph(
      List<Hop> hops,
      List<String> sources,
      List<String> unknown,
      int asked,
      double expectedFalse,
      boolean isComplete) {

    /** Copies the lists. */
    public Graph {
      hops = List.copyOf(hops);
      sources = List.copyOf(sources);
      unknown = List.copyOf(unknown);
    }
  }

  private final Map<String, TrafficIndex> indexes = new HashMap<>();
  private final Map<String, Set<String>> neighbors = new TreeMap<>();
  private final TraceOptions options;

  private Traceback(TraceOptions options) {
    this.options = options;
  }

  /**
   * A topology without routers.
   *
   * @param options how far to go
   * @return a topology to which routers and links are added
   */
  public static Traceback create(TraceOptions options) {
    return new Traceback(options);
  }

  /**
   * Says where the index of a router is. Routers that have links but no index are passed through.
   *
   * @param router any name
   * @param index its index
   */
  public void router(String router, TrafficIndex index) {
    indexes.put(router, index);
    neighbors.computeIfAbsent(router, name -> new TreeSet<>());
  }

  /**
   * Links two routers, in both directions.
   *
   * @param one a router
   * @param other another
   */
  public void link(String one, String other) {
    neighbors.computeIfAbsent(one, name -> new TreeSet<>()).add(other);
    neighbors.computeIfAbsent(other, name -> new TreeSet<>()).add(one);
  }

  /** The names of all routers, in order. */
  public Set<String> routers() {
    return new TreeSet<>(neighbors.keySet());
  }

  /**
   * Follows a packet.
   *
   * @param packet the packet, at its time
   * @param start the router nearest to where it was seen
   * @return the graph; without hops and sources if not even that may have passed it
   * @throws IOException if an index cannot be read
   * @throws IllegalArgumentException if there is no such router
   */
  public Graph trace(Mark packet, String start) throws IOException {
    if (!neighbors.containsKey(start)) {
      throw new IllegalArgumentException("there is no router " + start);
    }
    Run run = new Run(packet);
    if (run.mayHavePassed(start)) {
      run.follow(start);
    }
    return run.graph();
  }

  /** One packet on its way. */
  private final class Run {
    private final Mark packet;
    private final Period period;
    private final Map<String, Boolean> passed = new HashMap<>();
    private final List<Hop> hops = new ArrayList<>();
    private final Set<String> sources = new TreeSet<>();
    private final Set<String> unknown = new TreeSet<>();
    private int asked;
    private double expected;
    private boolean complete = true;

    Run(Mark packet) {
      this.packet = packet;
      long within = options.within().toNanos();
      long time = packet.nanos();
      this.period =
          new Period(
              Math.max(0, time - Math.min(time, within)),
              time + Math.min(within, Long.MAX_VALUE - time));
    }

    /** Asks a router, once. */
    boolean mayHavePassed(String router) throws IOException {
      Boolean known = passed.get(router);
      if (known != null) {
        return known;
      }
      TrafficIndex index = indexes.get(router);
      boolean answer = true; // without an index nothing says that it did not
      if (index == null) {
        unknown.add(router);
      } else {
        Passed found = index.passed(List.of(packet), period).get(0);
        answer = !found.pages().isEmpty();
        expected += Math.min(1, found.expectedFalse());
        asked++;
      }
      passed.put(router, answer);
      return answer;
    }

    void follow(String start) throws IOException {
      Deque<String> open = new ArrayDeque<>(List.of(start));
      Set<String> reached = new HashSet<>(open);
      while (!open.isEmpty()) {
        String router = open.remove();
        boolean isLast = true;
        for (String neighbor : neighbors.getOrDefault(router, Set.of())) {
          if (!reached.contains(neighbor) && mayHavePassed(neighbor)) {
            isLast = false;
            hops.add(new Hop(neighbor, router));
            if (reached.size() == options.mostRouters()) {
              complete = false;
              return;
            }
            reached.add(neighbor);
            open.add(neighbor);
          }
        }
        if (isLast) {
          sources.add(router);
        }
      }
    }

    Graph graph() {
      return new Graph(hops, List.copyOf(sources), List.copyOf(unknown), asked, expected, complete);
    }
  }
}
