package io.bloomery.cli.option;

import io.bloomery.FrameHeader.Description;
import io.bloomery.cli.console.Version;
import io.bloomery.tools.problem.Problem;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for the creation time that is stored in a new filter's file. */
public final class StampOption {

  private static final String EPOCH = "SOURCE_DATE_EPOCH";

  @Option(
      names = "--created",
      paramLabel = "TIME",
      description =
          "Time to store in the file: now, seconds since 1970, or 2026-01-31T12:00:00Z. Default:"
              + " $SOURCE_DATE_EPOCH if it is set, else none, so that equal keys give equal files.")
  private @Nullable String created;

  /** The description with the creation time, if there is one, and this program's version. */
  public Description stamp(Description description) {
    Long seconds = seconds();
    Description stamped =
        seconds == null ? description : description.with(Description.CREATED, seconds);
    return stamped.with(Description.TOOL, Version.tool());
  }

  /** Fails, before anything is read, if the time is invalid. */
  public void check() {
    stamp(Description.NONE);
  }

  private @Nullable Long seconds() {
    String variable = System.getenv(EPOCH);
    String text = created == null ? variable : created;
    if (text == null || text.isEmpty()) {
      return null;
    }
    String source = created == null ? EPOCH : "--created";
    try {
      long seconds = text.equals("now") ? Instant.now().getEpochSecond() : parse(text);
      return Description.NONE
          .with(Description.CREATED, seconds)
          .number(Description.CREATED)
          .orElseThrow()
          .longValue();
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new Problem(
          "%s is '%s'; it must be a time such as 2026-01-31T12:00:00Z, or seconds since 1970"
              .formatted(source, text));
    }
  }

  private static long parse(String text) {
    return text.matches("[0-9]{1,12}")
        ? Long.parseLong(text)
        : Instant.parse(text).getEpochSecond();
  }
}
