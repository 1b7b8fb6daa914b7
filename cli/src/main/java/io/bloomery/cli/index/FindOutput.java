package io.bloomery.cli.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.cli.index.FindRun.Candidate;
import io.bloomery.cli.option.ReportOptions;
import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.problem.Visible;
import io.bloomery.tools.report.JsonBytes;
import io.bloomery.tools.report.Report;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Prints the results of {@code bloom find}. */
final class FindOutput implements Searching.Sink {

  private static final Path HERE = Path.of("").toAbsolutePath();

  private final StandardOutput out;
  private final boolean grep;
  private final boolean numbered;
  private final boolean counting;
  private final boolean quiet;
  private final boolean json;
  private final List<Map<String, Object>> found = new ArrayList<>();
  private List<Map<String, Object>> lines = new ArrayList<>();
  private long count;
  private int files;

  /** Prints lines, counts or file names. */
  FindOutput(
      StandardOutput out,
      boolean grep,
      boolean numbered,
      boolean counting,
      ReportOptions reporting) {
    this.out = out;
    this.grep = grep;
    this.numbered = numbered;
    this.counting = counting;
    this.quiet = reporting.isQuiet();
    this.json = reporting.isJson();
  }

  /** Whether one matching line per file is enough. */
  boolean isListing() {
    return quiet || (!grep && !counting);
  }

  /**
   * A file's name as printed: relative if it is below the current directory, otherwise absolute.
   */
  static String shown(Path file) {
    return file.startsWith(HERE) ? HERE.relativize(file).toString() : file.toString();
  }

  @Override
  public boolean line(Candidate file, long number, byte[] line) {
    count++;
    if (grep && json) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("line", number);
      JsonBytes.put(fields, "text", line, 0, line.length);
      lines.add(fields);
    } else if (grep && !quiet) {
      print(name(file.path()) + (numbered ? ":" + number + ":" : ":"));
      out.write(line, 0, line.length);
      out.write('\n');
    }
    return !isListing();
  }

  @Override
  public boolean end(Candidate file) {
    if (count > 0) {
      if (json) {
        addJson(file);
      } else if (counting && !quiet) {
        print(name(file.path()) + ":" + count + "\n");
      } else if (!grep && !quiet) {
        print(name(file.path()) + "\n");
      }
      files++;
    }
    count = 0;
    return !quiet || files == 0;
  }

  /** Prints a file that may contain a key, without its lines. */
  void name(Candidate file) {
    count = 1;
    end(file);
  }

  private void addJson(Candidate file) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("file", file.path().toString());
    if (counting) {
      fields.put("count", count);
    }
    if (grep) {
      fields.put("lines", lines);
      lines = new ArrayList<>();
    }
    found.add(fields);
  }

  private String name(Path file) {
    return out.isTerminal() ? Visible.line(shown(file)) : shown(file);
  }

  private void print(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    out.write(bytes, 0, bytes.length);
  }

  /** Prints the JSON report, if requested. */
  void finish(List<String> keys, IndexFile index, FindRun run, Searching searching) {
    if (json && !quiet) {
      print(
          new Report()
              .value("index", index.path().toString())
              .value("keys", keys)
              .value("files", found)
              .value("filesChanged", run.stale().size())
              .value("blocks", index.table().blocks().size())
              .value("partsRead", searching.readParts())
              .value("bytesRead", searching.readBytes())
              .json());
    }
  }

  /** Whether anything was found. */
  boolean any() {
    return files > 0;
  }

  /** The number of files that contain a key. */
  int files() {
    return files;
  }
}
