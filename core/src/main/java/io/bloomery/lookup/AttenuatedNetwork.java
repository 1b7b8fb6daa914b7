package io.bloomery.lookup;

import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A simulated network whose nodes find each other's keys by attenuated Bloom filters: how large
 * must filters be, how many messages does a search take, how fast do changes spread? With
 * up-to-date filters of D levels, a key of a node within D hops is always found, by a shortest
 * path; false positives cost additional messages. Keys farther away are not found: a real system
 * then falls back to a more expensive search.
 *
 * <p>A search first checks the node itself, then follows the filters of its links in order of hops,
 * and at each further node those links that may have the key within the remaining hops. It
 * backtracks from a dead end, never re-enters a node on its path, and never retries a node with no
 * more remaining hops than before.
 *
 * <p>Nodes are numbered from 0, links go both ways. Threads: needs a lock.
 *
 * <p>Rhea and Kubiatowicz 2002, "Probabilistic Location and Routing"; Broder and Mitzenmacher 2004,
 * sec. 6.2. Deviation: backtracking and breaking ties by node number are ours.
 */
final class AttenuatedNetwork {

  /** The most nodes. */
  public static final int MAX_NODES = 1 << 20;

  /**
   * The result of a search.
   *
   * @param found whether the last node of the path has the key
   * @param path the nodes from the first to the one that has the key; the first alone if not found
   * @param messages hops that were made, including those into dead ends and back
   */
  public record Route(boolean found, List<Integer> path, int messages) {

    /** Copies the path. */
    public Route {
      path = List.copyOf(path);
    }

    /**
     * The length of the path.
     *
     * @return hops from the first node to the last
     */
    public int hops() {
      return path.size() - 1;
    }
  }

  private static final class Node {
    private final AttenuatedBloomFilter.LinkTable<Integer> table;
    private final Set<Integer> neighbors = new TreeSet<>();
    private final Set<Long> keys = new HashSet<>();

    Node(AttenuatedBloomFilter own) {
      this.table = new AttenuatedBloomFilter.LinkTable<>(own);
    }
  }

  private final List<Node> nodes = new ArrayList<>();
  private final int levels;

  /**
   * A network without links and keys.
   *
   * @param nodes number of nodes, 1 … {@link #MAX_NODES}
   * @param shape of the filters: one set per level
   * @param hasher turns keys into hashes
   */
  public AttenuatedNetwork(int nodes, BankShape shape, Hasher hasher) {
    Arguments.inRange("nodes", nodes, 1, MAX_NODES);
    for (int i = 0; i < nodes; i++) {
      this.nodes.add(new Node(AttenuatedBloomFilter.create(shape, hasher)));
    }
    this.levels = shape.sets();
  }

  /**
   * How many nodes there are.
   *
   * @return 1 or more
   */
  public int nodes() {
    return nodes.size();
  }

  /**
   * Links two nodes. Filters reflect it after {@link #refresh}.
   *
   * @param one a node
   * @param other another node
   * @return whether they were not linked before
   */
  public boolean link(int one, int other) {
    Node first = node(one);
    Node second = node(other);
    if (one == other) {
      throw new IllegalArgumentException("node " + one + " cannot be linked with itself");
    }
    second.neighbors.add(one);
    return first.neighbors.add(other);
  }

  /**
   * Removes the link of two nodes, and the filters they sent over it. Other nodes learn of it by
   * {@link #refresh}.
   *
   * @param one a node
   * @param other another node
   * @return whether they were linked
   */
  public boolean unlink(int one, int other) {
    Node first = node(one);
    Node second = node(other);
    first.table.remove(other);
    second.table.remove(one);
    second.neighbors.remove(one);
    return first.neighbors.remove(other);
  }

  /**
   * The neighbours of a node.
   *
   * @param node the node
   * @return an ordered copy
   */
  public Set<Integer> neighbors(int node) {
    return new TreeSet<>(node(node).neighbors);
  }

  /**
   * Adds a key to a node. Other nodes learn of it by {@link #refresh}.
   *
   * @param node the node
   * @param hash the key's hash
   */
  public void store(int node, long hash) {
    node(node).keys.add(hash);
    node(node).table.own().addHash(hash);
  }

  /**
   * Removes a key from a node, whose filter is rebuilt from its remaining keys. Other nodes learn
   * of it by {@link #refresh}, one hop per round; until then searches may follow them without
   * success.
   *
   * @param node the node
   * @param hash the key's hash
   * @return whether the node had it
   */
  public boolean remove(int node, long hash) {
    Node from = node(node);
    if (!from.keys.remove(hash)) {
      return false;
    }
    AttenuatedBloomFilter own = from.table.own();
    AttenuatedBloomFilter remaining = AttenuatedBloomFilter.create(own.shape(), own.hasher());
    from.keys.forEach(remaining::addHash);
    from.table.replaceOwn(remaining);
    return true;
  }

  /**
   * Moves a key, such as a replica of an object, from one node to another.
   *
   * @param from the node that has it
   * @param to the node that gets it
   * @param hash the key's hash
   * @return whether {@code from} had it; otherwise nothing changes
   */
  public boolean move(int from, int to, long hash) {
    node(to);
    boolean had = remove(from, hash);
    if (had) {
      store(to, hash);
    }
    return had;
  }

  /**
   * Whether a node has a key, exactly.
   *
   * @param node the node
   * @param hash the key's hash
   * @return whether it was stored there
   */
  public boolean has(int node, long hash) {
    return node(node).keys.contains(hash);
  }

  /**
   * The links of a node and their filters.
   *
   * @param node the node
   * @return its table, not a copy
   */
  public AttenuatedBloomFilter.LinkTable<Integer> table(int node) {
    return node(node).table;
  }

  /**
   * Runs one round: every node sends each neighbour what it knew before the round.
   *
   * @return whether any filter changed
   */
  public boolean refresh() {
    List<List<AttenuatedBloomFilter>> sent = new ArrayList<>();
    for (Node node : nodes) {
      List<AttenuatedBloomFilter> advertisements = new ArrayList<>();
      for (int neighbor : node.neighbors) {
        advertisements.add(node.table.advertisementFor(neighbor));
      }
      sent.add(advertisements);
    }
    boolean changed = false;
    for (int i = 0; i < nodes.size(); i++) {
      int number = 0;
      for (int neighbor : nodes.get(i).neighbors) {
        AttenuatedBloomFilter advertisement = sent.get(i).get(number++);
        AttenuatedBloomFilter.LinkTable<Integer> table = nodes.get(neighbor).table;
        changed |= table.filter(i).map(old -> !old.sameContent(advertisement)).orElse(true);
        table.receive(i, advertisement);
      }
    }
    return changed;
  }

  /**
   * Runs rounds until nothing changes: one per level and one that finds no change. Then all filters
   * are up to date.
   *
   * @return how many rounds were made
   */
  public int refreshAll() {
    int rounds = 1;
    while (refresh()) {
      rounds++;
    }
    return rounds;
  }

  /**
   * Searches for a key.
   *
   * @param from the node that searches
   * @param hash the key's hash
   * @return the route
   */
  public Route route(int from, long hash) {
    return route(from, hash, Integer.MAX_VALUE);
  }

  /**
   * Searches for a key with a limited number of messages.
   *
   * @param from the node that searches
   * @param hash the key's hash
   * @param maxMessages hops that the search may make, including those into dead ends and back
   * @return the route
   */
  public Route route(int from, long hash, int maxMessages) {
    Arguments.inRange("maxMessages", maxMessages, 0, Integer.MAX_VALUE);
    node(from);
    Search search = new Search(hash, maxMessages);
    boolean found = search.enter(from, levels);
    return new Route(found, found ? search.path : List.of(from), search.messages);
  }

  /** One search: its path, and the remaining hops with which it has failed at each node. */
  private final class Search {
    private final long hash;
    private final int maxMessages;
    private final List<Integer> path = new ArrayList<>();
    private final int[] failed = new int[nodes.size()];
    private int messages;

    Search(long hash, int maxMessages) {
      this.hash = hash;
      this.maxMessages = maxMessages;
      Arrays.fill(failed, -1);
    }

    boolean enter(int number, int hopsLeft) {
      Node node = nodes.get(number);
      path.add(number);
      if (node.table.isHereHash(hash) && node.keys.contains(hash)) {
        return true;
      }
      for (AttenuatedBloomFilter.LinkTable.Hop<Integer> hop : node.table.hopsOfHash(hash)) {
        if (hop.hops() > hopsLeft || messages >= maxMessages) {
          break;
        }
        if (failed[hop.link()] >= hop.hops() - 1 || path.contains(hop.link())) {
          continue;
        }
        messages++;
        if (enter(hop.link(), hop.hops() - 1)) {
          return true;
        }
        messages++;
      }
      failed[number] = Math.max(failed[number], hopsLeft);
      path.remove(path.size() - 1);
      return false;
    }
  }

  /**
   * The true distance of the nearest node that has a key, by a search of the whole network.
   *
   * @param from the node that searches
   * @param hash the key's hash
   * @return hops, or -1 if no reachable node has it
   */
  public int distance(int from, long hash) {
    node(from);
    int[] distance = new int[nodes.size()];
    Arrays.fill(distance, -1);
    distance[from] = 0;
    Deque<Integer> queue = new ArrayDeque<>(List.of(from));
    while (!queue.isEmpty()) {
      int at = queue.remove();
      if (nodes.get(at).keys.contains(hash)) {
        return distance[at];
      }
      for (int neighbor : nodes.get(at).neighbors) {
        if (distance[neighbor] < 0) {
          distance[neighbor] = distance[at] + 1;
          queue.add(neighbor);
        }
      }
    }
    return -1;
  }

  private Node node(int node) {
    return nodes.get(Arguments.inRange("node", node, 0, nodes.size() - 1));
  }

  @Override
  public String toString() {
    return "AttenuatedNetwork[" + nodes.size() + " nodes, " + levels + " levels]";
  }
}
