package io.bloomery.cli.security;

import io.bloomery.security.version.ReleaseFinder.Match;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;

/** What {@code bloom known version} prints for a release. */
final class ReleaseLine {

  private ReleaseLine() {}

  /** A line for people and for {@code cut}. */
  static String text(Match match) {
    String range =
        match.least() == match.most()
            ? ""
            : " (%s to %s)".formatted(Text.count(match.least()), Text.count(match.most()));
    return "%d%s\t%s\t%s\t%s%s of %s, %s of the library there"
        .formatted(
            match.rank(),
            match.isTied() ? "=" : "",
            match.library(),
            match.release(),
            Text.count(match.found()),
            range,
            Text.count(match.classes()),
            Text.percent(match.cover()));
  }

  /** A line of JSON. */
  static String json(Match match) {
    return new Report()
        .value("rank", match.rank())
        .value("tied", match.isTied())
        .value("library", match.library())
        .value("release", match.release())
        .value("jar", Octets.name(match.jar()))
        .value("classes", match.classes())
        .value("found", match.found())
        .value("least", match.least())
        .value("most", match.most())
        .value("ofLibrary", match.ofLibrary())
        .json();
  }
}
