package io.bloomery.cli.security;

import io.bloomery.cli.option.ReportOptions;
import io.bloomery.cli.security.KnownCheckCommand.Mode;
import io.bloomery.security.known.KnownFiles.Checked;
import io.bloomery.security.known.KnownFiles.Found;
import io.bloomery.security.known.KnownFiles.Info;
import io.bloomery.security.known.KnownFiles.Status;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.util.function.Consumer;

/** Prints the answers of {@code bloom known check} and its summary. */
final class KnownAnswers implements Consumer<Found> {

  /** The exit code if a file could not be read. */
  static final int INCOMPLETE = 2;

  private static final int SHOWN = 10;

  private final Console console;
  private final Info info;
  private final Mode mode;
  private final boolean zero;
  private final ReportOptions reporting;
  private int unread;

  KnownAnswers(Console console, Info info, Mode mode, boolean zero, ReportOptions reporting) {
    this.console = console;
    this.info = info;
    this.mode = mode;
    this.zero = zero;
    this.reporting = reporting;
  }

  private String word(Status status) {
    return switch (status) {
      case KNOWN -> info.places() ? "unchanged" : "known";
      case UNKNOWN -> info.places() ? "changed" : "unknown";
      case UNREAD -> "unread";
    };
  }

  @Override
  public void accept(Found found) {
    if (found.status() == Status.UNREAD) {
      warn(String.valueOf(found.problem()));
      return;
    }
    boolean isKnown = found.status() == Status.KNOWN;
    if (mode != Mode.ANNOTATE && (mode == Mode.KNOWN) != isKnown) {
      return;
    }
    String name = Octets.name(found.file());
    if (reporting.isJson()) {
      console.print(
          new Report()
              .value("file", name)
              .value("status", word(found.status()))
              .value("digest", found.digest())
              .json());
      return;
    }
    String answer = mode == Mode.ANNOTATE ? word(found.status()) + "\t" : "";
    console.print(answer + (zero ? name + "\0" : console.shown(name) + "\n"));
  }

  private void warn(String problem) {
    unread++;
    if (unread <= SHOWN) {
      console.warn(problem);
    }
  }

  /** Files of the set that were not found unchanged, if it knows places. */
  private long gone(Checked checked) {
    return info.places() ? Math.max(0, info.files() - checked.known()) : 0;
  }

  /** Whether a file could not be read. */
  boolean isIncomplete(Checked checked) {
    return checked.unread() > 0;
  }

  /** Whether all files are known, and all that were recorded are there. */
  boolean isClean(Checked checked) {
    return checked.unknown() == 0 && gone(checked) == 0;
  }

  /** Prints the summary. */
  void end(Checked checked) {
    if (unread > SHOWN) {
      console.warn(Text.count(unread - SHOWN, "more file") + " could not be read");
    }
    if (reporting.isQuiet()) {
      return;
    }
    if (reporting.isJson()) {
      console.print(json(checked));
    } else {
      console.say(text(checked));
    }
  }

  private String text(Checked checked) {
    StringBuilder text =
        new StringBuilder(
            "%s: %s %s, %s %s"
                .formatted(
                    Text.count(checked.known() + checked.unknown(), "file"),
                    Text.count(checked.known()),
                    word(Status.KNOWN),
                    Text.count(checked.unknown()),
                    info.places() ? "changed or new" : word(Status.UNKNOWN)));
    if (info.places() && gone(checked) > 0) {
      text.append(", %s of the set changed or gone".formatted(Text.count(gone(checked))));
    }
    if (checked.unread() > 0) {
      text.append(", %s could not be read".formatted(Text.count(checked.unread())));
    }
    if (checked.links() > 0) {
      text.append("; %s not followed".formatted(Text.count(checked.links(), "link")));
    }
    return text.toString();
  }

  private String json(Checked checked) {
    Report report =
        new Report()
            .value("files", checked.known() + checked.unknown())
            .value(word(Status.KNOWN), checked.known())
            .value(word(Status.UNKNOWN), checked.unknown());
    if (info.places()) {
      report.value("changedOrGone", gone(checked));
    }
    return report
        .value("unread", checked.unread())
        .value("linksNotFollowed", checked.links())
        .value("rate", info.rate())
        .json();
  }
}
