package io.bloomery.sync;

import io.bloomery.internal.bits.KeyArena;
import io.bloomery.internal.check.Arguments;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reconciles two sets over a pair of streams, such as a socket or the pipes of a process, with
 * traffic in proportion to their difference: a million 8-byte keys of which 1,000 differ take about
 * 32 KB.
 *
 * <pre>{@code
 * var mine = SetReconciliation.builder().add("apple").add("pear").build();
 * Result result = mine.initiate(socket.getInputStream(), socket.getOutputStream());
 * result.onlyThere();   // keys that the peer has and this side lacks
 * }</pre>
 *
 * <p>One side {@linkplain #initiate initiates}, the other {@linkplain #respond responds}. Keys are
 * byte strings of any length; keys of up to {@value #LONGEST_IN_TABLES} bytes are part of the
 * tables that are sent; longer ones are represented there by a hash and then sent once. The {@link
 * Method} is the one that either side insists on, or else the one with the fewest expected bytes
 * ({@link #plan}).
 *
 * <p>The set is a snapshot and is never changed. The result lists the keys that the other side
 * lacked or added; it exists only after both sides have compared a 128-bit hash of the united set
 * (or accepted an approximate method). Damaged, truncated or hostile input from the peer leads to a
 * {@link ReconciliationException}, loses nothing, and takes no more memory than the {@linkplain
 * Builder#limit limit}. The hash does not protect against a peer that lies about its own set. Each
 * run hashes with a new random seed, and tables that a peer fills under a secret of this side, so
 * that keys cannot be chosen to collide.
 *
 * <p>Sides take turns, so that full pipes cannot block both. There is no timeout: set one on the
 * socket, and close the streams to end a run from another thread. The streams stay open.
 *
 * <p>Threads: immutable; each run needs its own streams. A run takes 20 bytes per key besides the
 * keys, and the tables that the method needs.
 */
public final class SetReconciliation {

  /** The length of the longest keys that tables hold themselves. */
  public static final int LONGEST_IN_TABLES = Terms.MOST_DIRECT;

  private static final long LEAST_LIMIT = 1 << 10;

  /** A key of this side besides its bytes: its end, hash and number, and its share of a table. */
  private static final int OWN_KEY = 28;

  private static final SecureRandom RANDOM = new SecureRandom();

  private final KeyArena keys;
  private final @Nullable Method method;
  private final boolean approximate;
  private final long limit;
  private final @Nullable Long seed;

  private SetReconciliation(Builder builder) {
    this.keys = builder.keys;
    this.method = builder.method;
    this.approximate = builder.approximate;
    this.limit = builder.limit > 0 ? builder.limit : defaultLimit(builder.keys);
    this.seed = builder.seed;
  }

  /** Half of the heap that this side's set leaves. */
  private static long defaultLimit(KeyArena keys) {
    long own = keys.bytes().length + (long) OWN_KEY * keys.count();
    return Math.max(LEAST_LIMIT, (Runtime.getRuntime().maxMemory() - own) / 2);
  }

  /**
   * Collects a set.
   *
   * @return a builder of an empty set, with the planner's choice of a method
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * A set of numbers, as keys of 8 bytes little-endian.
   *
   * @param keys the numbers; duplicates count once
   * @return a set to reconcile
   */
  public static SetReconciliation ofLongs(long... keys) {
    Builder builder = builder();
    for (long key : keys) {
      builder.add(key);
    }
    return builder.build();
  }

  /**
   * A set of byte strings.
   *
   * @param keys the keys; duplicates count once
   * @return a set to reconcile
   */
  public static SetReconciliation of(Iterable<byte[]> keys) {
    Builder builder = builder();
    for (byte[] key : keys) {
      builder.add(key);
    }
    return builder.build();
  }

  /**
   * The expected cost of each method, the best one first, by the documented model (docs/sync.md):
   * the fewest bytes, and among methods within a fifth of that the least computing time.
   *
   * @param here distinct keys of this side, 0 … 2^31 - 1
   * @param there distinct keys of the other side, 0 … 2^31 - 1
   * @param difference keys that only one side has, known or estimated, at most all
   * @param keyBytes mean length of keys in bytes
   * @param approximate whether a result that misses some keys is accepted
   * @return a plan for each method
   */
  public static List<Plan> plan(
      long here, long there, double difference, double keyBytes, boolean approximate) {
    return Plan.all(here, there, difference, keyBytes, approximate);
  }

  /**
   * Reconciles with a peer that {@linkplain #respond responds}.
   *
   * @param in from the peer
   * @param out to the peer
   * @return what both sides lacked
   * @throws ReconciliationException if the peer is unsuitable, damaged or hostile
   * @throws IOException if a stream fails
   */
  public Result initiate(InputStream in, OutputStream out) throws IOException {
    long chosen = seed != null ? seed : RANDOM.nextLong();
    return new Initiator(this, required(in, "in"), required(out, "out"), chosen).run();
  }

  /**
   * Reconciles with a peer that {@linkplain #initiate initiates}.
   *
   * @param in from the peer
   * @param out to the peer
   * @return what both sides lacked
   * @throws ReconciliationException if the peer is unsuitable, damaged or hostile
   * @throws IOException if a stream fails
   */
  public Result respond(InputStream in, OutputStream out) throws IOException {
    return new Responder(this, required(in, "in"), required(out, "out")).run();
  }

  private static <T> T required(T stream, String name) {
    return Objects.requireNonNull(stream, name);
  }

  KeyArena keys() {
    return keys;
  }

  /** The method that this side insists on, or null. */
  @Nullable Method method() {
    return method;
  }

  boolean approximate() {
    return approximate;
  }

  long limit() {
    return limit;
  }

  /** Collects a set and options. Not thread-safe. */
  public static final class Builder {

    private KeyArena keys = new KeyArena();
    private @Nullable Method method;
    private boolean approximate;
    private long limit; // 0 for the default
    private @Nullable Long seed;

    private Builder() {}

    /**
     * Adds a key.
     *
     * @param key any bytes; repeated keys count once
     * @return this
     */
    public Builder add(byte[] key) {
      return add(key, 0, key.length);
    }

    /**
     * Adds a key given as a range of an array.
     *
     * @param bytes the array
     * @param offset the index of the key's first byte
     * @param length the key's length
     * @return this
     */
    public Builder add(byte[] bytes, int offset, int length) {
      Objects.checkFromIndexSize(offset, length, bytes.length);
      keys.add(bytes, offset, length);
      return this;
    }

    /**
     * Adds a text as its UTF-8 bytes.
     *
     * @param key the text
     * @return this
     */
    public Builder add(CharSequence key) {
      return add(key.toString().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Adds a number as its 8 bytes little-endian.
     *
     * @param key the number
     * @return this
     */
    public Builder add(long key) {
      byte[] bytes = new byte[Long.BYTES];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) (key >>> (Byte.SIZE * i));
      }
      return add(bytes);
    }

    /**
     * Adds a character as its UTF-8 bytes.
     *
     * @param key the key, which counts as text
     * @return this
     */
    public Builder add(char key) {
      return add(String.valueOf(key));
    }

    /**
     * Insists on a method. A run fails if the other side insists on another one.
     *
     * @param method the method; null for the planner's choice, the default
     * @return this
     */
    public Builder method(@Nullable Method method) {
      this.method = method;
      return this;
    }

    /**
     * Whether a result that misses some keys is accepted, if the other side accepts it too.
     * Otherwise, which is the default, an approximate method is followed by an exact one.
     *
     * @param approximate true to accept it
     * @return this
     */
    public Builder approximate(boolean approximate) {
      this.approximate = approximate;
      return this;
    }

    /**
     * The most memory that a run takes because of the peer: its messages and keys, and the tables
     * of both sides. As many bytes are received in total, and as many sent in tables that the peer
     * requests. The default is half of the heap that the set leaves; divide it if several runs are
     * answered at a time.
     *
     * @param bytes the limit, 1,024 or more
     * @return this
     */
    public Builder limit(long bytes) {
      this.limit = Arguments.inRange("bytes", bytes, LEAST_LIMIT, Long.MAX_VALUE / 4);
      return this;
    }

    /**
     * Fixes the seed of all hashes of an initiator, so that runs are repeatable. Without it every
     * run draws a new seed, which is necessary if an adversary chooses keys.
     *
     * @param seed any number
     * @return this
     */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /**
     * The set, of all keys so far.
     *
     * @return a set to reconcile; the builder is then empty
     */
    public SetReconciliation build() {
      SetReconciliation built = new SetReconciliation(this);
      keys = new KeyArena();
      return built;
    }
  }

  /** How two sides of a {@link SetReconciliation} find their difference. */
  public enum Method {
    /** One side sends all its keys. Exact; best for small sets, or sets that share little. */
    FULL(1, true),
    /**
     * Both send a Bloom filter of 8 bits per key and then the keys that the other's filter lacks:
     * 97.8 % of the difference. An exact reconciliation then continues with {@link #RATELESS} for
     * the rest.
     */
    FILTER(2, false),
    /**
     * Both send the summary of a {@link ReconciliationTree}, 8 bits per key, and then the keys they
     * find: about 83 % of the difference. Continues like {@link #FILTER}.
     */
    TREE(3, false),
    /** One side sends an {@link InvertibleTable} sized for the estimated difference. Exact. */
    INVERTIBLE(4, true),
    /** One side sends symbols of a {@link RatelessTable} until the other has enough. Exact. */
    RATELESS(5, true);

    private final int wireId;
    private final boolean exact;

    Method(int wireId, boolean exact) {
      this.wireId = wireId;
      this.exact = exact;
    }

    /** The number in messages; 0 means any method. */
    int wireId() {
      return wireId;
    }

    static @Nullable Method of(int wireId) {
      for (Method method : values()) {
        if (method.wireId == wireId) {
          return method;
        }
      }
      return null;
    }

    /**
     * Whether the method alone finds all of a difference.
     *
     * @return false: its result is correct, but incomplete
     */
    public boolean isExact() {
      return exact;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The result of a reconciliation for one side. If it is {@linkplain #exact exact}, both sides
   * have the same keys once each has added those it lacked.
   *
   * @param keysHere distinct keys of this side before
   * @param keysThere distinct keys of the peer before, as it reported
   * @param onlyHere keys of this side that the peer lacked and now has; in no particular order
   * @param onlyThere keys of the peer that this side lacks, received; add them to your set
   * @param bytesSent all bytes of messages to the peer
   * @param bytesReceived all bytes of messages from the peer
   * @param rounds messages of the initiator that were answered
   * @param method the method that was used, for an approximate one before the exact rest
   * @param exact true: both sides compared a 128-bit hash of the united set and it is equal; false:
   *     an approximate method was accepted, and both may still lack keys
   */
  public record Result(
      long keysHere,
      long keysThere,
      List<byte[]> onlyHere,
      List<byte[]> onlyThere,
      long bytesSent,
      long bytesReceived,
      int rounds,
      SetReconciliation.Method method,
      boolean exact) {

    /** Copies the lists. */
    public Result {
      onlyHere = List.copyOf(onlyHere);
      onlyThere = List.copyOf(onlyThere);
    }

    /**
     * All bytes of both directions.
     *
     * @return sent and received
     */
    public long bytes() {
      return bytesSent + bytesReceived;
    }

    @Override
    public String toString() {
      return "%s%s: %d only here, %d only there, %d bytes sent, %d received, %d rounds"
          .formatted(
              method,
              exact ? "" : " (approximate)",
              onlyHere.size(),
              onlyThere.size(),
              bytesSent,
              bytesReceived,
              rounds);
    }
  }

  /**
   * The expected cost of a method for two sets. Bytes decide; among methods within a fifth of the
   * fewest bytes, the one with the least computing time wins.
   *
   * @param method the method
   * @param bytes expected bytes of both directions, with the keys that are sent
   * @param millis expected time of computing of both sides, in milliseconds of one core
   * @param exact whether all differences are found
   * @param why one sentence
   */
  public record Plan(
      SetReconciliation.Method method, double bytes, double millis, boolean exact, String why) {

    /** Bytes of the greetings and of the framing of a few messages. */
    private static final double GREETING = 150;

    /** Bytes of the frame of a stored filter around its bits. */
    private static final double FRAME = 4_200;

    /** Checksum and count of a cell. */
    private static final double CELL = 4.7;

    /** Checksum and count of a symbol. */
    private static final double SYMBOL = 8.8;

    /** Cells per key of a table, with the margin for the estimate. */
    private static final double CELLS = 1.62;

    /** Symbols per key, with those that come after the last one needed. */
    private static final double SYMBOLS = 1.42;

    /** The share of a difference that a filter or a tree does not find. */
    private static final double FILTER_MISSES = 0.0216;

    private static final double TREE_MISSES = 0.17;

    /** Methods within this factor of the fewest bytes are compared by computing time. */
    private static final double ALIKE = 1.2;

    // Nanoseconds per key of a set, measured with a million 8-byte keys.
    private static final double HASH = 300;
    private static final double LOOKUP = 100;
    private static final double SORT = 500;
    private static final double INSERT = 150;
    private static final double ENCODE = 1_000;

    /**
     * The methods for two sets, the best one first.
     *
     * @param here distinct keys of one side, 0 or more
     * @param there distinct keys of the other side, 0 or more
     * @param difference keys that only one side has, as far as known, at most all
     * @param keyBytes mean length of keys in bytes
     * @param approximate whether a result that misses some keys is accepted
     * @return a plan for each method
     */
    static List<Plan> all(
        long here, long there, double difference, double keyBytes, boolean approximate) {
      Arguments.inRange("here", here, 0, Greeting.MOST_KEYS);
      Arguments.inRange("there", there, 0, Greeting.MOST_KEYS);
      double keys = (double) here + there;
      Arguments.inRange("difference", difference, 0, keys);
      Arguments.inRange("keyBytes", keyBytes, 0, Integer.MAX_VALUE);
      List<Plan> plans = new ArrayList<>();
      for (SetReconciliation.Method method : SetReconciliation.Method.values()) {
        plans.add(of(method, (double) here, (double) there, difference, keyBytes, approximate));
      }
      double fewest = plans.stream().mapToDouble(Plan::bytes).min().orElseThrow();
      plans.sort(
          Comparator.comparing((Plan plan) -> plan.bytes > ALIKE * fewest)
              .thenComparing(plan -> plan.bytes > ALIKE * fewest ? plan.bytes : plan.millis));
      return List.copyOf(plans);
    }

    static Plan best(
        long here, long there, double difference, double keyBytes, boolean approximate) {
      return all(here, there, difference, keyBytes, approximate).get(0);
    }

    private static Plan of(
        SetReconciliation.Method method,
        double here,
        double there,
        double difference,
        double keyBytes,
        boolean approximate) {
      double keys = here + there;
      double onlyHere = Math.min(here, Math.max(0, (difference + here - there) / 2));
      boolean hashed = keyBytes > Terms.MOST_DIRECT;
      double element = hashed ? Long.BYTES : keyBytes;
      double sketch = 128.0 * ParitySketch.levelsFor((long) keys);
      // Keys that only this side has are sent; the other keys are identified by a hash and, if
      // tables hold no keys, sent too.
      double named = (difference - onlyHere) * (Long.BYTES + (hashed ? keyBytes : 0));
      double settled = onlyHere * keyBytes + named;
      double symbols = difference * SYMBOLS * (element + SYMBOL) + settled;
      double hashing = keys * HASH;
      return switch (method) {
        case FULL ->
            plan(
                method,
                sketch + there * (keyBytes + 0.125) + onlyHere * keyBytes,
                hashing + there * LOOKUP,
                true,
                "all %,.0f keys of one side",
                there);
        case FILTER, TREE -> {
          boolean tree = method == SetReconciliation.Method.TREE;
          double misses = misses(method);
          double summaries = keys + 2 * FRAME;
          double rest = approximate ? 0 : misses * symbols;
          yield plan(
              method,
              sketch + summaries + (1 - misses) * difference * keyBytes + rest,
              hashing + keys * (tree ? SORT : 2 * LOOKUP) + (approximate ? 0 : keys * ENCODE),
              !approximate,
              "8 bits for each of %,.0f keys, then the keys that are not found",
              keys);
        }
        case INVERTIBLE ->
            plan(
                method,
                sketch + settled + (difference * CELLS + 20) * (element + CELL),
                hashing + keys * INSERT,
                true,
                "1.6 cells for each of %,.0f differences",
                difference);
        case RATELESS ->
            plan(
                method,
                sketch + symbols + 8 * (element + SYMBOL),
                hashing + keys * ENCODE,
                true,
                "1.4 symbols for each of %,.0f differences",
                difference);
      };
    }

    /** The share of a difference that an approximate method does not find. */
    static double misses(SetReconciliation.Method method) {
      return method == SetReconciliation.Method.TREE ? TREE_MISSES : FILTER_MISSES;
    }

    private static Plan plan(
        SetReconciliation.Method method,
        double bytes,
        double nanos,
        boolean exact,
        String why,
        double count) {
      return new Plan(
          method, GREETING + bytes, nanos / 1e6, exact, String.format(Locale.ROOT, why, count));
    }
  }
}
