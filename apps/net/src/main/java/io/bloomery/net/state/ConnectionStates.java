package io.bloomery.net.state;

import io.bloomery.net.capture.Capture.Packet;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * Follows the states of TCP connections in an approximate table: what each packet does to that of
 * its connection, both directions together.
 *
 * <p><b>Guarantee.</b> Memory does not grow. Answers may be wrong, or {@link State#UNKNOWN}; {@link
 * StateOptions.BackEnd} says how.
 *
 * <p>Threads: one.
 */
public final class ConnectionStates {

  /** What is known of a connection. */
  public enum State {
    /** Nothing was seen. */
    ABSENT(0),
    /** One end asked for it. */
    ASKED(1),
    /** The other end agreed. */
    ANSWERED(2),
    /** Both did. */
    OPEN(3),
    /** The end with the lower address or port closed its direction. */
    LOWER_CLOSED(4),
    /** The other end closed its direction. */
    UPPER_CLOSED(5),
    /** Both directions are closed. */
    CLOSED(6),
    /** One end reset it. */
    RESET(7),
    /** It goes on, and its beginning was not seen. */
    UNSEEN_START(8),
    /** The table does not know. */
    UNKNOWN(StateTable.UNKNOWN);

    private final int number; // in tables

    State(int number) {
      this.number = number;
    }

    static State of(int number) {
      return NUMBERED[number];
    }

    private static final State[] NUMBERED = new State[StateTable.UNKNOWN + 1];

    static {
      for (State state : values()) {
        NUMBERED[state.number] = state;
      }
    }
  }

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final int FIN = 1;
  private static final int SYN = 2;
  private static final int RST = 4;
  private static final int ACK = 16;

  private final StateOptions options;
  private final StateTable table;
  private final long timeout;
  private final byte[] key = new byte[4 * Long.BYTES + 5];
  private final Map<State, Long> entered = new EnumMap<>(State.class);
  private boolean isLower; // whether the last packet came from the lower end
  private boolean isTimed;
  private long aged;

  private ConnectionStates(StateOptions options, Duration timeout) {
    this.options = options;
    this.timeout = timeout.toNanos();
    long bits = options.flows() * options.bitsPerFlow();
    this.table =
        switch (options.backEnd()) {
          case FINGERPRINT -> new FingerprintTable(options.flows(), bits);
          case STATEFUL -> new StatefulTable(options.flows(), bits);
          case DIRECT -> new DirectTable(options.flows(), bits);
          case EXACT -> new ExactTable();
        };
  }

  /**
   * Starts without connections.
   *
   * @param options the structure and its memory
   * @param timeout connections without packets for so long are forgotten, at the latest after twice
   *     as long; zero: never
   * @return an object that has seen no packet
   */
  public static ConnectionStates create(StateOptions options, Duration timeout) {
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("timeout = " + timeout + " is negative");
    }
    return new ConnectionStates(options, timeout);
  }

  /** The memory of the table in bytes; of an exact one, about, at this time. */
  public long memory() {
    return table.bits() / Byte.SIZE;
  }

  /** How many connections had no room in the table. */
  public long lost() {
    return table.lost();
  }

  /** How often connections came into each state. */
  public Map<State, Long> entered() {
    return Map.copyOf(entered);
  }

  /**
   * Takes a packet.
   *
   * @param packet the packet; what is not TCP, or has no whole header, changes nothing
   * @return the state of its connection afterwards
   */
  public State take(Packet packet) {
    if (packet.protocol() != Packet.TCP || packet.isLaterFragment() || packet.isTransportCut()) {
      return State.ABSENT;
    }
    age(packet.nanos());
    long hash = hash(packet);
    int before = table.get(hash);
    State state = next(State.of(before), packet.tcpFlags(), isLower);
    if (state != State.ABSENT && state != State.UNKNOWN) {
      table.put(hash, before, state.number);
    }
    if (state.number != before) {
      entered.merge(state, 1L, Long::sum);
    }
    return state;
  }

  /**
   * The state of a packet's connection.
   *
   * @param packet the packet, which changes nothing
   * @return the state
   */
  public State state(Packet packet) {
    return State.of(table.get(hash(packet)));
  }

  private void age(long nanos) {
    if (!isTimed) {
      aged = nanos;
      isTimed = true;
    } else if (timeout > 0 && nanos - aged >= timeout) {
      table.age();
      aged = nanos;
    }
  }

  /** What a packet does to a state. */
  static State next(State state, int flags, boolean isLower) {
    boolean isAbsent = state == State.ABSENT;
    if ((flags & RST) != 0) {
      return isAbsent ? State.ABSENT : State.RESET;
    }
    boolean isOver = isAbsent || state == State.CLOSED || state == State.RESET;
    if ((flags & SYN) != 0) {
      boolean isAnswer = (flags & ACK) != 0;
      return switch (state) {
        case ASKED -> isAnswer ? State.ANSWERED : State.ASKED;
        case UNKNOWN -> isAnswer ? State.UNKNOWN : State.ASKED;
        default -> !isOver ? state : isAnswer ? State.UNSEEN_START : State.ASKED;
      };
    }
    if ((flags & FIN) != 0) {
      return switch (state) {
        case CLOSED, RESET, UNKNOWN -> state;
        case LOWER_CLOSED -> isLower ? state : State.CLOSED;
        case UPPER_CLOSED -> isLower ? State.CLOSED : state;
        default -> isLower ? State.LOWER_CLOSED : State.UPPER_CLOSED;
      };
    }
    return switch (state) {
      case ABSENT, ASKED -> State.UNSEEN_START;
      case ANSWERED -> State.OPEN;
      default -> state;
    };
  }

  /** The hash of a connection, the same for both directions. */
  private long hash(Packet packet) {
    int order = Long.compareUnsigned(packet.sourceHigh(), packet.destinationHigh());
    order = order != 0 ? order : Long.compareUnsigned(packet.sourceLow(), packet.destinationLow());
    order = order != 0 ? order : Integer.compare(packet.sourcePort(), packet.destinationPort());
    isLower = order <= 0;
    int from = isLower ? 0 : 2 * Long.BYTES;
    LONGS.set(key, from, packet.sourceHigh());
    LONGS.set(key, from + Long.BYTES, packet.sourceLow());
    LONGS.set(key, 2 * Long.BYTES - from, packet.destinationHigh());
    LONGS.set(key, 3 * Long.BYTES - from, packet.destinationLow());
    int lower = isLower ? packet.sourcePort() : packet.destinationPort();
    int upper = isLower ? packet.destinationPort() : packet.sourcePort();
    int at = 4 * Long.BYTES;
    key[at] = (byte) (lower >> Byte.SIZE);
    key[at + 1] = (byte) lower;
    key[at + 2] = (byte) (upper >> Byte.SIZE);
    key[at + 3] = (byte) upper;
    key[at + 4] = (byte) packet.version();
    return options.hasher().hash(key, 0, key.length);
  }
}
