package io.bloomery.sync;

import io.bloomery.FilterKind;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Limits;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.probe.CounterProbes;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.Probes;
import io.bloomery.sync.AggregateMessage.Outcome;
import io.bloomery.sync.AggregateShape.Node;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One node of a network whose nodes trust each other and in which every node knows the sum,
 * average, extremes and number of all nodes' values, without a coordinator and without counting any
 * node twice. Nodes exchange messages in pairs ({@link #offer}, {@link #receive}); filters remember
 * which nodes a node has counted and which have counted it.
 *
 * <p>Whoever can send it messages can count itself under many names, speak in those of others, and
 * fill the filters: authenticate senders, and compare {@link AggregateMessage#from} with them. Any
 * message takes a fixed time and no memory.
 *
 * <p>Values are {@linkplain AggregateShape states}: a node's value is rounded to the nearest, and a
 * node knows how many nodes are in each state. All aggregates are exact functions of these counts.
 *
 * <p>Guarantees. As long as no node leaves, no node counts another twice, even if messages are
 * lost, repeated or reordered, and regardless of false positives. A false positive makes a node
 * skip another, at most at the filters' rate on each side; that node then stays uncounted there. A
 * changed value replaces the old one only if the receiver recorded the old one; if the filters
 * cannot determine which one it recorded, the old value stays. A node that leaves sends a {@link
 * #farewell} to every other node; nodes whose filters contradict each other, or that the farewell
 * does not reach, keep its value. A farewell of a node that was never counted, but is a false
 * positive of three filters at once, can make a node forget that it has counted others; for these
 * to be counted again, an answer must also be lost.
 *
 * <p>There are seven filters of equal size: of nodes counted, of their states (a filter per
 * possible state; they share one table, since a node has one state at a time), of nodes that know
 * the current state, all with counters so that nodes can be removed; and of nodes that have counted
 * this one, of the states offered to each, of nodes that have left, and of nodes heard from since
 * the start, the only one that is not stored. Positions depend on this node's id, so different
 * nodes have different false positives.
 *
 * <p>Files. A node that restarts continues from its file: {@link #writeTo}, {@link
 * io.bloomery.Filters#open}. The file may be out of date: a node opened from a file offers its
 * value to every node again, trusts only its own filters, and makes no claim about what it has
 * offered. A node that has lost its file must join under a new name; its old value stays counted.
 * As a filter it holds the nodes that it has counted.
 *
 * <p>Threads: one at a time.
 *
 * <p>After the dynamic aggregation of Pournaras, Warnier and Brazier 2013, "A generic and adaptive
 * aggregation service for large-scale decentralized networks". Deviations: filters per state share
 * a table; an exchange begins if either side has not met the other, so that a false positive of the
 * sender's filter alone skips no node; nodes that left are remembered, so that a late message
 * cannot revive them.
 */
public final class DecentralizedAggregate extends ShapedFilter<AggregateShape> {

  public static final FilterKind<DecentralizedAggregate> KIND =
      Kind.of(85, "aggregate", DecentralizedAggregate.class)
          .question("which nodes are counted here, and what do their values add up to?")
          .codec(DecentralizedAggregate::encode, DecentralizedAggregate::decode)
          .unplanned("is a node of a network that counts others, not a set of keys");

  private static final int COUNTER_BITS = 4;

  // The number of the hash function of each filter; those of states follow the last number.
  private static final int COUNTED = 0;
  private static final int INFORMED = 1;
  private static final int VISITED = 2;
  private static final int LEFT = 3;
  private static final int HEARD = 4;
  private static final int RECORDED = 64;
  private static final int OFFERED = 128;

  private final Probes probes;
  private final CounterProbes counterProbes;
  private final long salt;
  private final long id;
  private int state;
  private long version;
  private long history;
  private boolean left;

  private final Words counts;
  private final Counters counted;
  private final Counters recorded;
  private Counters informed;
  private final Words visited;
  private final Words offered;
  private final Words gone;

  /** Nodes that have made an offer since this node was created or opened; null before the first. */
  private @Nullable Words heard;

  /**
   * Whether this node was opened from a file, which may be older than the state that others
   * remember.
   */
  private final boolean resumed;

  private DecentralizedAggregate(
      AggregateShape shape, Hasher hasher, Node node, List<Words> words, boolean resumed) {
    super(shape, hasher);
    this.probes = new Probes(IndexScheme.INDEPENDENT, shape.cells(), shape.hashesPerKey());
    this.counterProbes = new CounterProbes(probes, COUNTER_BITS);
    this.id = node.id();
    this.salt = Mix.mix(node.id());
    this.state = node.state();
    this.version = node.version();
    this.history = node.history();
    this.counts = words.get(0);
    this.counted = counters(words.get(1));
    this.recorded = counters(words.get(2));
    this.informed = counters(words.get(3));
    this.visited = words.get(4);
    this.offered = words.get(5);
    this.gone = words.get(6);
    this.resumed = resumed;
  }

  private Counters counters(Words words) {
    return new Counters(words, shape().cells(), COUNTER_BITS, true);
  }

  /**
   * A node with a value.
   *
   * @param name the node's name, which no other node of the network has or had
   * @param value its value, between the shape's low and high
   * @param shape equal in all nodes
   * @return a node that knows only itself
   */
  public static DecentralizedAggregate create(
      CharSequence name, double value, AggregateShape shape) {
    return create(name, value, shape, Hasher.xxh3());
  }

  /**
   * A node with a value, in a network with a given hasher.
   *
   * @param name the node's name, which no other node of the network has or had
   * @param value its value, between the shape's low and high
   * @param shape equal in all nodes
   * @param hasher turns names into ids; equal in all nodes
   * @return a node that knows only itself
   */
  public static DecentralizedAggregate create(
      CharSequence name, double value, AggregateShape shape, Hasher hasher) {
    int state = shape.state(value);
    long counters = Counters.wordsFor(shape.cells(), COUNTER_BITS);
    long bits = Words.wordsFor(shape.cells());
    List<Words> words = new ArrayList<>();
    for (long length :
        new long[] {shape.states(), counters, counters, counters, bits, bits, bits}) {
      words.add(Words.allocate(length, false));
    }
    Node node = new Node(hasher.hash(name), state, 0, 1L << state);
    return new DecentralizedAggregate(shape, hasher, node, words, false);
  }

  private Frame encode() {
    Frame frame =
        Frame.of(hasher()).put(shape()).put(new Node(id, state, version, history)).section(counts);
    for (Counters each : List.of(counted, recorded, informed)) {
      frame.section(each.words());
    }
    return frame.section(visited).section(offered).section(gone);
  }

  private static DecentralizedAggregate decode(Frame frame) throws IOException {
    AggregateShape shape = frame.shape(AggregateShape.class);
    Node node = frame.shape(Node.class);
    frame.require(node.state() >= 0 && node.state() < shape.states(), "state is " + node.state());
    frame.require(node.version() >= 0, "version is " + node.version());
    long possible = -1L >>> -shape.states();
    frame.require(
        (node.history() & ~possible) == 0 && (node.history() >>> node.state() & 1) != 0,
        "history has other states, or lacks the present one");
    List<Words> words = new ArrayList<>();
    Words counts = frame.section(0, shape.states());
    frame.requireOfWords(
        () -> total(counts) >= 0, "the numbers of nodes per state are negative or too large");
    words.add(counts);
    for (int i = 1; i <= 3; i++) {
      words.add(frame.counters(i, shape.cells(), COUNTER_BITS, true).words());
    }
    for (int i = 4; i <= 6; i++) {
      words.add(frame.bits(i, shape.cells()));
    }
    return new DecentralizedAggregate(shape, frame.hasher(), node, words, true);
  }

  /** The sum, or -1 if a number is negative or too large. */
  private static long total(Words counts) {
    long total = 0;
    for (long i = 0; i < counts.length(); i++) {
      long count = counts.get(i);
      if (count < 0 || count > Limits.MAX_KEYS) {
        return -1;
      }
      total += count;
    }
    return total;
  }

  @Override
  public FilterKind<DecentralizedAggregate> kind() {
    return KIND;
  }

  /**
   * The id by which other nodes know this one.
   *
   * @return the hash of its name
   */
  public long id() {
    return id;
  }

  /**
   * This node's own value.
   *
   * @return the value of its state
   */
  public double value() {
    return shape().value(state);
  }

  /**
   * Changes this node's value. Other nodes learn of it through further exchanges.
   *
   * @param value between the shape's low and high; rounded to the nearest state
   * @return whether the state has changed
   */
  public boolean setValue(double value) {
    int next = shape().state(value);
    if (next == state) {
      return false;
    }
    counts.writable();
    state = next;
    version++;
    history |= 1L << next;
    informed = Counters.allocate(shape().cells(), COUNTER_BITS, true, false);
    return true;
  }

  private long key(long node, int function) {
    return Mix.stream(node ^ salt, function);
  }

  private boolean has(Counters filter, long node, int function) {
    return counterProbes.allAtLeast(key(node, function), 1, filter);
  }

  private boolean has(Words filter, long node, int function) {
    return probes.allSet(key(node, function), filter);
  }

  private void put(Counters filter, long node, int function) {
    counterProbes.add(key(node, function), 1, filter);
  }

  private void put(Words filter, long node, int function) {
    probes.setAll(key(node, function), filter);
  }

  private void take(Counters filter, long node, int function) {
    counterProbes.subtract(key(node, function), 1, filter);
  }

  /** Whether a node, given by its id, has probably been counted; false means certainly not. */
  @Override
  public boolean mightContainHash(long hash) {
    return has(counted, hash, COUNTED);
  }

  /** {@inheritDoc} Here: that of the filter of counted nodes, from its fill. */
  @Override
  public double falsePositiveRate() {
    long filled = 0;
    for (long i = 0; i < counted.count(); i++) {
      filled += counted.get(i) == 0 ? 0 : 1;
    }
    return Math.pow((double) filled / counted.count(), shape().hashesPerKey());
  }

  /**
   * Whether an exchange with another node is due: it may not know this node's current value, or
   * this node has not counted it. A network in which no exchange is due is quiet; an occasional
   * exchange with any node repairs the effects of reordered messages.
   *
   * @param peer the other node's id
   * @return false if both are probably up to date, or the other has left
   */
  public boolean isDue(long peer) {
    return peer != id && !has(gone, peer, LEFT) && (mustTell(peer) || mustAsk(peer));
  }

  private boolean mustTell(long peer) {
    return !has(informed, peer, INFORMED);
  }

  private boolean mustAsk(long peer) {
    boolean silent = heard == null || !has(heard, peer, HEARD);
    return silent && (resumed || !mightContainHash(peer));
  }

  /**
   * Begins an exchange.
   *
   * @param peer the other node's id
   * @return the message to send
   * @throws IllegalArgumentException if it is this node
   * @throws IllegalStateException if this node has left
   */
  public AggregateMessage offer(long peer) {
    return offer(peer, true);
  }

  private AggregateMessage offer(long peer, boolean initial) {
    requireOther(peer);
    if (left) {
      throw new IllegalStateException("this node has left");
    }
    AggregateMessage message =
        message(AggregateMessage.Type.OFFER, peer, initial, initial && mustAsk(peer));
    put(offered, peer, OFFERED + state);
    return message;
  }

  private AggregateMessage message(
      AggregateMessage.Type type, long peer, boolean initial, boolean asks) {
    return new AggregateMessage(
        type,
        id,
        peer,
        state,
        version,
        offeredTo(peer),
        has(visited, peer, VISITED),
        initial,
        asks,
        Outcome.NONE);
  }

  private void requireOther(long peer) {
    if (peer == id) {
      throw new IllegalArgumentException("peer is this node itself");
    }
  }

  /** The states that may have been offered; all of them if this node was opened from a file. */
  private long offeredTo(long peer) {
    if (resumed) {
      return -1L >>> -shape().states();
    }
    long states = 0;
    for (long some = history; some != 0; some &= some - 1) {
      int each = Long.numberOfTrailingZeros(some);
      states |= has(offered, peer, OFFERED + each) ? 1L << each : 0;
    }
    return states;
  }

  /**
   * Leaves the network: withdraws the value from another node. Send one to every node; afterwards
   * this node makes no more offers.
   *
   * @param peer the other node's id
   * @return the message to send
   * @throws IllegalArgumentException if it is this node
   */
  public AggregateMessage farewell(long peer) {
    requireOther(peer);
    left = true;
    return message(AggregateMessage.Type.FAREWELL, peer, false, false);
  }

  /**
   * Processes a message, which may be repeated or late.
   *
   * @param message from another node
   * @return the messages to send back, in this order
   * @throws IllegalArgumentException if it is for another node or has a state that the shape lacks
   */
  public List<AggregateMessage> receive(AggregateMessage message) {
    Objects.requireNonNull(message, "message");
    requireOther(message.from());
    if (message.to() != id) {
      throw new IllegalArgumentException("the message is for another node");
    }
    shape().value(message.state()); // checks its range
    counts.writable();
    if (message.type() == AggregateMessage.Type.ANSWER) {
      learn(message);
      return List.of();
    }
    if (left) {
      return List.of();
    }
    Outcome outcome =
        message.type() == AggregateMessage.Type.OFFER ? record(message) : remove(message);
    AggregateMessage answer =
        new AggregateMessage(
            AggregateMessage.Type.ANSWER,
            id,
            message.from(),
            message.state(),
            message.version(),
            0,
            false,
            false,
            false,
            outcome);
    boolean tell = message.initial() && (message.asks() || mustTell(message.from()));
    return tell ? List.of(answer, offer(message.from(), false)) : List.of(answer);
  }

  /** Counts a node, or replaces its value. */
  private Outcome record(AggregateMessage offer) {
    long node = offer.from();
    if (heard == null) {
      heard = Words.forBits(shape().cells(), false);
    }
    put(heard, node, HEARD);
    if (has(gone, node, LEFT)) {
      return Outcome.SKIPPED;
    }
    if (!mightContainHash(node)) {
      // Counters are lowered for nodes that leave, so the other side's claim counts too.
      if (offer.visited() && !resumed) {
        return Outcome.SKIPPED;
      }
      put(counted, node, COUNTED);
      put(recorded, node, RECORDED + offer.state());
      count(offer.state(), 1);
      return Outcome.COUNTED;
    }
    int found = recordedState(node, offer.offered());
    if (found == offer.state()) {
      return Outcome.KNOWN;
    }
    if (found >= 0) {
      take(recorded, node, RECORDED + found);
      put(recorded, node, RECORDED + offer.state());
      count(found, -1);
      count(offer.state(), 1);
      return Outcome.REPLACED;
    }
    boolean repeated = found == NONE && has(recorded, node, RECORDED + offer.state());
    return repeated ? Outcome.KNOWN : Outcome.SKIPPED;
  }

  private static final int NONE = -1;
  private static final int SEVERAL = -2;

  /** The state in which a node was recorded, among the only states that can have been offered. */
  private int recordedState(long node, long states) {
    int found = NONE;
    for (long some = states; some != 0; some &= some - 1) {
      int each = Long.numberOfTrailingZeros(some);
      if (each < shape().states() && has(recorded, node, RECORDED + each)) {
        if (found != NONE) {
          return SEVERAL;
        }
        found = each;
      }
    }
    return found;
  }

  private Outcome remove(AggregateMessage farewell) {
    long node = farewell.from();
    boolean again = has(gone, node, LEFT);
    put(gone, node, LEFT);
    if (again || !farewell.visited() || !mightContainHash(node)) {
      return Outcome.SKIPPED;
    }
    int found = recordedState(node, farewell.offered());
    if (found < 0) {
      return Outcome.SKIPPED;
    }
    take(counted, node, COUNTED);
    take(recorded, node, RECORDED + found);
    count(found, -1);
    return Outcome.REMOVED;
  }

  private void count(int which, int by) {
    long old = counts.get(which);
    counts.replace(which, old, Math.max(0, old + by));
  }

  /** Processes another node's answer about this node's value. */
  private void learn(AggregateMessage answer) {
    long peer = answer.from();
    if (answer.outcome() != Outcome.SKIPPED) {
      put(visited, peer, VISITED);
    }
    boolean known = has(informed, peer, INFORMED);
    if (answer.version() == version) {
      if (!known) {
        put(informed, peer, INFORMED);
      }
    } else if (known && answer.outcome() == Outcome.REPLACED) {
      take(informed, peer, INFORMED); // an old offer has overtaken the current one
    }
  }

  // Aggregates.

  /**
   * How many nodes are in each state, including this one unless it has left.
   *
   * @return a number per state
   */
  public long[] histogram() {
    long[] nodes = new long[shape().states()];
    Arrays.setAll(nodes, counts::get);
    nodes[state] += left ? 0 : 1;
    return nodes;
  }

  /**
   * How many nodes are counted, including this one unless it has left.
   *
   * @return a number of nodes
   */
  public long count() {
    return Arrays.stream(histogram()).sum();
  }

  /**
   * The sum of all values.
   *
   * @return 0 if there is no node
   */
  public double sum() {
    double sum = 0;
    long[] nodes = histogram();
    for (int i = 0; i < nodes.length; i++) {
      sum += (double) nodes[i] * shape().value(i);
    }
    return sum;
  }

  /**
   * The mean of all values.
   *
   * @return NaN if there is no node
   */
  public double average() {
    return sum() / count();
  }

  /**
   * The smallest value.
   *
   * @return positive infinity if there is no node
   */
  public double min() {
    long[] nodes = histogram();
    for (int i = 0; i < nodes.length; i++) {
      if (nodes[i] > 0) {
        return shape().value(i);
      }
    }
    return Double.POSITIVE_INFINITY;
  }

  /**
   * The largest value.
   *
   * @return negative infinity if there is no node
   */
  public double max() {
    long[] nodes = histogram();
    for (int i = nodes.length - 1; i >= 0; i--) {
      if (nodes[i] > 0) {
        return shape().value(i);
      }
    }
    return Double.NEGATIVE_INFINITY;
  }
}
