package io.bloomery.cli.net;

import io.bloomery.cli.option.ReportOptions;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.state.ConnectionStates;
import io.bloomery.net.state.ConnectionStates.State;
import io.bloomery.net.state.StateOptions;
import io.bloomery.net.state.StateOptions.BackEnd;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The work of {@code bloom net state}: follows connections, and prints what it counted. */
final class StateRun {

  private static final List<BackEnd> COMPARED =
      List.of(BackEnd.FINGERPRINT, BackEnd.STATEFUL, BackEnd.DIRECT);

  /** The structures, for completion. */
  static final class Structures implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return COMPARED.stream().map(StateRun::words).iterator();
    }
  }

  /** Reads a structure. */
  static final class Structure implements ITypeConverter<BackEnd> {
    @Override
    public BackEnd convert(String text) {
      for (BackEnd each : COMPARED) {
        if (words(each).equals(text)) {
          return each;
        }
      }
      throw new TypeConversionException("'" + text + "' is not fingerprint, stateful or direct");
    }
  }

  /** A structure beside an exact table. */
  private static final class Compared {
    private final BackEnd backEnd;
    private final ConnectionStates states;
    private long wrong;
    private long unknown;

    Compared(BackEnd backEnd, ConnectionStates states) {
      this.backEnd = backEnd;
      this.states = states;
    }

    State take(Packet packet) {
      return states.take(packet);
    }

    void compare(State own, State truth) {
      unknown += own == State.UNKNOWN ? 1 : 0;
      wrong += own != truth && own != State.UNKNOWN ? 1 : 0;
    }
  }

  private final Console console;
  private final StateOptions options;
  private final ReportOptions reporting;
  private final ConnectionStates states;
  private final ConnectionStates truth;
  private final boolean isCompared;
  private final List<Compared> compared = new ArrayList<>();
  private final Map<State, Long> packets = new EnumMap<>(State.class);
  private long segments;
  private boolean ended;

  StateRun(
      Console console,
      StateOptions options,
      Duration timeout,
      boolean exact,
      ReportOptions reporting) {
    this.console = console;
    this.options = options;
    this.reporting = reporting;
    this.states = ConnectionStates.create(options, timeout);
    this.truth = ConnectionStates.create(options.with(BackEnd.EXACT), timeout);
    this.isCompared = exact;
    for (BackEnd each : exact ? COMPARED : List.<BackEnd>of()) {
      boolean isOwn = each == options.backEnd();
      compared.add(
          new Compared(
              each, isOwn ? states : ConnectionStates.create(options.with(each), timeout)));
    }
  }

  private static String words(Enum<?> each) {
    return each.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What following takes. */
  String memory() {
    return "following %s connections takes %s"
            .formatted(Text.count(options.flows()), Text.bytes(states.memory()))
        + (isCompared ? ", thrice to compare, and some 100 bytes per connection" : "");
  }

  void take(Packet packet) {
    if (packet.protocol() != Packet.TCP || packet.isLaterFragment() || packet.isTransportCut()) {
      return;
    }
    segments++;
    State own = State.ABSENT;
    if (isCompared) {
      State exact = truth.take(packet);
      for (Compared each : compared) {
        State state = each.take(packet);
        each.compare(state, exact);
        own = each.states == states ? state : own;
      }
    } else {
      own = states.take(packet);
    }
    packets.merge(own, 1L, Long::sum);
  }

  /** Prints what was counted, once. */
  void end(CaptureInput input) {
    if (ended) {
      return;
    }
    ended = true;
    Map<State, Long> entered = states.entered();
    if (reporting.isJson()) {
      console.print(json(input, entered));
    } else {
      for (State state : State.values()) {
        long count = packets.getOrDefault(state, 0L);
        long times = entered.getOrDefault(state, 0L);
        if (count > 0 || times > 0) {
          console.print(words(state) + "\t" + times + "\t" + count + "\n");
        }
      }
      for (Compared each : compared) {
        console.print(
            "%s\t%s wrong\t%s unknown%n"
                .formatted(words(each.backEnd), share(each.wrong), share(each.unknown))
                .replace(System.lineSeparator(), "\n"));
      }
    }
    console.out().flush();
    if (!reporting.isJson() && !reporting.isQuiet()) {
      String lost =
          states.lost() == 0
              ? ""
              : "; no room for " + Text.count(states.lost(), "connection") + ", more --flows helps";
      console.say(input.text() + "; " + Text.count(segments, "segment") + " of TCP" + lost);
    }
  }

  private String share(long count) {
    return Text.percent(segments == 0 ? 0 : (double) count / segments);
  }

  private String json(CaptureInput input, Map<State, Long> entered) {
    Map<String, Long> counts = new TreeMap<>();
    Map<String, Long> times = new TreeMap<>();
    packets.forEach((state, count) -> counts.put(state.name(), count));
    entered.forEach((state, count) -> times.put(state.name(), count));
    Report report =
        input
            .values(new Report())
            .value("segments", segments)
            .value("entered", times)
            .value("packetsByState", counts)
            .value("lostConnections", states.lost())
            .value("memoryBytes", states.memory());
    for (Compared each : compared) {
      Map<String, Long> errors = new TreeMap<>();
      errors.put("wrong", each.wrong);
      errors.put("unknown", each.unknown);
      report.value(words(each.backEnd), errors);
    }
    return report.json();
  }
}
