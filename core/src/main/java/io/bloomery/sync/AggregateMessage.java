package io.bloomery.sync;

import io.bloomery.FilterFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A message between two nodes of a decentralized aggregation: an offer of a value, an answer to an
 * offer, or a farewell. Any transport may carry it; messages may be lost, repeated and reordered.
 */
public final class AggregateMessage {

  /** The length of a message. */
  public static final int BYTES = 1 + 1 + 1 + 1 + 4 * Long.BYTES;

  private static final int VISITED = 1;
  private static final int INITIAL = 2;
  private static final int ASKS = 4;

  /** The type of a message. */
  enum Type {
    /** A node offers its value. */
    OFFER(1),
    /** An answer to an offer or a farewell. */
    ANSWER(2),
    /** A node leaves and withdraws its value. */
    FAREWELL(3);

    private final int wireId;

    Type(int wireId) {
      this.wireId = wireId;
    }
  }

  /** The outcome of an offer or a farewell. */
  enum Outcome {
    /** No answer. */
    NONE(0),
    /** The value was added. */
    COUNTED(1),
    /** The value has replaced the sender's earlier one. */
    REPLACED(2),
    /** The value was counted before. */
    KNOWN(3),
    /** Filters contradict each other, so nothing was changed. */
    SKIPPED(4),
    /** The value was withdrawn. */
    REMOVED(5);

    private final int wireId;

    Outcome(int wireId) {
      this.wireId = wireId;
    }
  }

  private final Type type;
  private final long from;
  private final long to;
  private final int state;
  private final long version;
  private final long offered;
  private final boolean visited;
  private final boolean initial;
  private final boolean asks;
  private final Outcome outcome;

  AggregateMessage(
      Type type,
      long from,
      long to,
      int state,
      long version,
      long offered,
      boolean visited,
      boolean initial,
      boolean asks,
      Outcome outcome) {
    this.type = type;
    this.from = from;
    this.to = to;
    this.state = state;
    this.version = version;
    this.offered = offered;
    this.visited = visited;
    this.initial = initial;
    this.asks = asks;
    this.outcome = outcome;
  }

  /**
   * The sender.
   *
   * @return its id
   */
  public long from() {
    return from;
  }

  /**
   * The receiver.
   *
   * @return its id
   */
  public long to() {
    return to;
  }

  /** Its type. */
  Type type() {
    return type;
  }

  /** The sender's state; in an answer, the state that was offered. */
  int state() {
    return state;
  }

  /** How often the sender's state had changed; in an answer, that of the offer. */
  long version() {
    return version;
  }

  /** A bit for each state that the sender may have offered the receiver before. */
  long offered() {
    return offered;
  }

  /** Whether the sender has probably been counted by the receiver. */
  boolean visited() {
    return visited;
  }

  /** Whether the receiver may offer its own value in return. */
  boolean initial() {
    return initial;
  }

  /** Whether the sender has not counted the receiver yet. */
  boolean asks() {
    return asks;
  }

  /** The outcome of the offer; {@link Outcome#NONE} if this is not an answer. */
  Outcome outcome() {
    return outcome;
  }

  /**
   * The message as bytes: type, outcome, flags (visited 1, initial 2, asks 4) and state in a byte
   * each, then sender, receiver, version and offered states, 8 bytes little-endian each.
   *
   * @return {@value #BYTES} bytes
   */
  public byte[] toBytes() {
    int flags = (visited ? VISITED : 0) | (initial ? INITIAL : 0) | (asks ? ASKS : 0);
    return ByteBuffer.allocate(BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put((byte) type.wireId)
        .put((byte) outcome.wireId)
        .put((byte) flags)
        .put((byte) state)
        .putLong(from)
        .putLong(to)
        .putLong(version)
        .putLong(offered)
        .array();
  }

  /**
   * Reads a message.
   *
   * @param bytes the result of {@link #toBytes}
   * @return the message
   * @throws FilterFormatException if the bytes are not a message
   */
  public static AggregateMessage read(byte[] bytes) throws FilterFormatException {
    if (bytes.length != BYTES) {
      throw problem(0, bytes.length + " bytes; a message has " + BYTES);
    }
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    Type type = type(in.get());
    Outcome outcome = outcome(in.get());
    if ((type == Type.ANSWER) == (outcome == Outcome.NONE)) {
      throw problem(1, type + " with outcome " + outcome);
    }
    int flags = in.get();
    if ((flags & ~(VISITED | INITIAL | ASKS)) != 0) {
      throw problem(2, "unknown flags " + flags);
    }
    int state = in.get();
    if (state < 0 || state >= AggregateShape.MAX_STATES) {
      throw problem(3, "state " + state);
    }
    long from = in.getLong();
    long to = in.getLong();
    long version = in.getLong();
    if (version < 0) {
      throw problem(20, "version " + version);
    }
    return new AggregateMessage(
        type,
        from,
        to,
        state,
        version,
        in.getLong(),
        (flags & VISITED) != 0,
        (flags & INITIAL) != 0,
        (flags & ASKS) != 0,
        outcome);
  }

  private static Type type(int id) throws FilterFormatException {
    for (Type type : Type.values()) {
      if (type.wireId == id) {
        return type;
      }
    }
    throw problem(0, "unknown type " + id);
  }

  private static Outcome outcome(int id) throws FilterFormatException {
    for (Outcome outcome : Outcome.values()) {
      if (outcome.wireId == id) {
        return outcome;
      }
    }
    throw problem(1, "unknown outcome " + id);
  }

  private static FilterFormatException problem(int offset, String what) {
    return new FilterFormatException("aggregation message", offset, what);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof AggregateMessage same && Arrays.equals(toBytes(), same.toBytes());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(toBytes());
  }

  @Override
  public String toString() {
    return "AggregateMessage[" + type + " from " + from + " to " + to + "]";
  }
}
