package io.bloomery.sync;

import io.bloomery.internal.bits.KeyArena;
import io.bloomery.internal.check.Arguments;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes two sets equal over a pair of streams, such as a socket or the pipes of a process, and
 * sends about as much as they differ: a million 8-byte keys of which 1,000 differ take about 32 KB.
 *
 * <pre>{@code
 * var mine = SetReconciliation.builder().add("apple").add("pear").build();
 * ReconciliationResult result = mine.initiate(socket.getInputStream(), socket.getOutputStream());
 * result.onlyThere();   // keys that the peer has and this side lacks
 * }</pre>
 *
 * <p>One side {@linkplain #initiate initiates}, the other {@linkplain #respond responds}. Keys are
 * byte strings of any length; up to {@value #LONGEST_IN_TABLES} bytes they are themselves in the
 * tables that are sent, longer ones are represented there by a hash and then sent once. The {@link
 * ReconciliationMethod} is the one that either side insists on, or else that of the fewest expected
 * bytes ({@link #plan}).
 *
 * <p>The set is a snapshot and is never changed. The result lists what the other side has; it
 * exists only after both sides have compared a 128-bit hash of the united set (or accepted an
 * approximate method). A peer that is damaged, truncated or hostile leads to a {@link
 * ReconciliationException}, with nothing lost, and takes no more memory than the {@linkplain
 * Builder#limit limit}. The hash does not protect against a peer that lies about its own set. Each
 * run hashes with a new random seed, so that keys cannot be chosen to collide.
 *
 * <p>Sides take turns, so that no full pipe stops both. There is no timeout here: set one on the
 * socket, and close the streams to end a run from another thread. The streams stay open.
 *
 * <p>Threads: immutable; each run needs its own streams. A run takes 20 bytes per key besides the
 * keys, and the tables that the method needs.
 */
public final class SetReconciliation {

  /** The length of the longest keys that tables hold themselves. */
  public static final int LONGEST_IN_TABLES = Terms.MOST_DIRECT;

  /** The default of {@link Builder#limit}: 256 MiB. */
  public static final long DEFAULT_LIMIT = 1L << 28;

  private static final SecureRandom RANDOM = new SecureRandom();

  private final KeyArena keys;
  private final ReconciliationMethod method;
  private final boolean approximate;
  private final long limit;
  private final Long seed;

  private SetReconciliation(Builder builder) {
    this.keys = builder.keys;
    this.method = builder.method;
    this.approximate = builder.approximate;
    this.limit = builder.limit;
    this.seed = builder.seed;
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
   * What each method is expected to cost, the best one first, by the documented model
   * (docs/sync.md): the fewest bytes, and of methods within a fifth of that the least computing.
   *
   * @param here distinct keys of this side, 0 … 2^31 - 1
   * @param there distinct keys of the other side, 0 … 2^31 - 1
   * @param difference keys that only one side has, known or guessed, at most all
   * @param keyBytes mean length of keys in bytes
   * @param approximate whether a result that misses some keys is accepted
   * @return a plan for each method
   */
  public static List<ReconciliationPlan> plan(
      long here, long there, double difference, double keyBytes, boolean approximate) {
    return ReconciliationPlan.all(here, there, difference, keyBytes, approximate);
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
  public ReconciliationResult initiate(InputStream in, OutputStream out) throws IOException {
    long chosen = seed != null ? seed : RANDOM.nextLong();
    return new Initiator(this, wire(in, out), chosen).run();
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
  public ReconciliationResult respond(InputStream in, OutputStream out) throws IOException {
    return new Responder(this, wire(in, out)).run();
  }

  private Wire wire(InputStream in, OutputStream out) {
    Objects.requireNonNull(in, "in");
    Objects.requireNonNull(out, "out");
    return new Wire(in, out, limit);
  }

  KeyArena keys() {
    return keys;
  }

  /** The method that this side insists on, or null. */
  ReconciliationMethod method() {
    return method;
  }

  boolean approximate() {
    return approximate;
  }

  long limit() {
    return limit;
  }

  /** Collects a set and options. Not for several threads. */
  public static final class Builder {

    private KeyArena keys = new KeyArena();
    private ReconciliationMethod method;
    private boolean approximate;
    private long limit = DEFAULT_LIMIT;
    private Long seed;

    private Builder() {}

    /**
     * Adds a key.
     *
     * @param key any bytes; one that is there already counts once
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
    public Builder method(@Nullable ReconciliationMethod method) {
      this.method = method;
      return this;
    }

    /**
     * Whether a result that misses some keys is accepted, if the other side accepts it too. If not,
     * the default, an approximate method is followed by an exact one.
     *
     * @param approximate true to accept it
     * @return this
     */
    public Builder approximate(boolean approximate) {
      this.approximate = approximate;
      return this;
    }

    /**
     * The most bytes that are accepted from a peer, and the size of tables made for it.
     *
     * @param bytes the limit, 1,024 or more
     * @return this
     */
    public Builder limit(long bytes) {
      this.limit = Arguments.inRange("bytes", bytes, 1 << 10, Long.MAX_VALUE);
      return this;
    }

    /**
     * Fixes the seed of all hashes of an initiator, so that runs are repeatable. Without it every
     * run draws another, which keys from an adversary need.
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
}
