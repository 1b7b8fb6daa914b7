package io.bloomery.cli.net;

import io.bloomery.net.index.TrafficIndex.Period;
import io.bloomery.tools.problem.Problem;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that limit the times of packets. */
final class PeriodOption {

  @Option(
      names = "--from",
      paramLabel = "INSTANT",
      description = "Only packets from then on: 2024-05-01T12:00:00Z.")
  private @Nullable String from;

  @Option(names = "--to", paramLabel = "INSTANT", description = "Only packets until then.")
  private @Nullable String to;

  Period period() {
    Period period =
        new Period(
            from == null ? Period.ALL.from() : nanos("--from", from),
            to == null ? Period.ALL.to() : nanos("--to", to));
    if (period.from() > period.to()) {
      throw new Problem("--from is after --to");
    }
    return period;
  }

  private static long nanos(String option, String text) {
    try {
      return Math.max(0, ChronoUnit.NANOS.between(Instant.EPOCH, Instant.parse(text)));
    } catch (DateTimeException | ArithmeticException e) {
      throw new Problem(option + " '" + text + "' is not a time such as 2024-05-01T12:00:00Z");
    }
  }

  /** A time of a packet. */
  static String text(long nanos) {
    return Instant.EPOCH.plusNanos(nanos).toString();
  }
}
