package io.bloomery.find;

import io.bloomery.tools.name.Octets;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The files that an index leaves out. Reports name the first of them, and all of them as JSON. */
final class LeftOut {

  private static final int SHOWN = 5;
  private static final Path HERE = Octets.absolute(Path.of(""));

  private final List<String> binary = new ArrayList<>();
  private final List<String> unread = new ArrayList<>();

  /** Leaves out a file that looks binary. */
  void addBinary(String file) {
    binary.add(shown(file));
  }

  /** Leaves out a file of a format that is not read. */
  void addUnread(String file) {
    unread.add(shown(file));
  }

  private static String shown(String file) {
    Path path = Octets.path(file);
    return path.startsWith(HERE) ? Octets.name(HERE.relativize(path)) : file;
  }

  /** How many there are. */
  int count() {
    return binary.size() + unread.size();
  }

  /** Adds rows for the groups that are not empty, for people. */
  void addRows(Report report) {
    if (!binary.isEmpty()) {
      String look = binary.size() == 1 ? " that looks" : " that look";
      report.row("left out", named(binary, look + " binary (--text takes them)"));
    }
    if (!unread.isEmpty()) {
      report.row("not read", named(unread, " in a format that is not read"));
    }
  }

  private static String named(List<String> files, String what) {
    int more = files.size() - SHOWN;
    return Text.count(files.size(), "file")
        + what
        + ": "
        + String.join(", ", files.subList(0, Math.min(SHOWN, files.size())))
        + (more > 0 ? " and " + Text.count(more) + " more" : "");
  }

  /** All of them, each with the reason, for programs. */
  List<Map<String, String>> values() {
    return Stream.concat(
            binary.stream().map(file -> value(file, "binary")),
            unread.stream().map(file -> value(file, "format")))
        .toList();
  }

  private static Map<String, String> value(String file, String why) {
    return new TreeMap<>(Map.of("file", file, "why", why));
  }
}
