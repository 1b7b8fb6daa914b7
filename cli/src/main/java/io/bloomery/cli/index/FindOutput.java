package io.bloomery.cli.index;

import io.bloomery.cli.option.ReportOptions;
import io.bloomery.find.FileIndex;
import io.bloomery.find.Matches;
import io.bloomery.find.SearchResult;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Visible;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints the results of {@code bloom find}. */
final class FindOutput implements Matches {

  private static final Path HERE = Octets.absolute(Path.of(""));

  private final Console console;
  private final StandardOutput out;
  private final FileIndex index;
  private final boolean grep;
  private final boolean numbered;
  private final boolean withContext;
  private final boolean counting;
  private final boolean unverified;
  private final boolean quiet; // no summary
  private final boolean json;
  private @Nullable Path lastFile; // of the line that was printed last, null before the first
  private long nextNumber; // of the line after it
  private long count;
  private int files;
  private boolean silent; // nothing at all

  /** Prints lines, counts or file names. */
  FindOutput(
      Console console,
      FileIndex index,
      LineOptions lines,
      boolean counting,
      boolean unverified,
      ReportOptions reporting) {
    this.console = console;
    this.out = console.out();
    this.index = index;
    this.grep = lines.isGrep();
    this.numbered = lines.isNumbered();
    this.withContext = lines.isWithContext();
    this.counting = counting;
    this.unverified = unverified;
    this.quiet = reporting.isQuiet();
    this.json = reporting.isJson();
  }

  /** Prints nothing, and stops at the first file that is found. */
  void silence() {
    silent = true;
  }

  /** Whether one matching line per file is enough. */
  boolean isListing() {
    return silent || (!grep && !counting);
  }

  /**
   * A file's name as printed: relative if it is below the current directory, otherwise absolute.
   */
  private static String shown(Path file) {
    return Octets.name(file.startsWith(HERE) ? HERE.relativize(file) : file);
  }

  @Override
  public void changed(List<Path> stale) {
    if (!stale.isEmpty() && !unverified) {
      console.warn(
          "%s since the index was made and %s read: %s; bloom index --update %s brings it up to date"
              .formatted(
                  Text.count(stale.size(), "file")
                      + (stale.size() == 1 ? " was" : " were")
                      + " added or changed",
                  stale.size() == 1 ? "is" : "are",
                  shown(stale.get(0)) + (stale.size() == 1 ? "" : ", …"),
                  Octets.name(index.path())));
    }
  }

  @Override
  public boolean line(Path file, long number, byte[] line) {
    count++;
    if (grep && !silent) {
      printLine(file, number, line, true);
    }
    return !isListing();
  }

  @Override
  public void context(Path file, long number, byte[] line) {
    if (!silent) {
      printLine(file, number, line, false);
    }
  }

  private void printLine(Path file, long number, byte[] line, boolean match) {
    if (json) {
      Map<String, Object> fields = fields(file);
      fields.put("line", number);
      fields.put("text", Octets.text(line));
      if (!match) {
        fields.put("context", true);
      }
      print(new Report().values(fields).json());
      return;
    }
    if (withContext) {
      separate(file, number, line);
    }
    char mark = match ? ':' : '-';
    print(name(file) + mark + (numbered ? "" + number + mark : ""));
    out.write(line, 0, line.length);
    out.write('\n');
  }

  /** Prints {@code --} before a line that does not follow the one before it in its file. */
  private void separate(Path file, long number, byte[] line) {
    if (lastFile != null && !(lastFile.equals(file) && nextNumber == number)) {
      print("--\n");
    }
    lastFile = file;
    nextNumber = number + 1;
    for (byte b : line) {
      nextNumber += b == '\n' ? 1 : 0; // a row may have several lines
    }
  }

  @Override
  public boolean end(Path file) {
    if (count > 0) {
      if (json && !grep && !silent) {
        printJson(file);
      } else if (counting && !json && !silent) {
        print(name(file) + ":" + count + "\n");
      } else if (!grep && !json && !silent) {
        print(name(file) + "\n");
      }
      files++;
    }
    count = 0;
    return !silent || files == 0;
  }

  @Override
  public void candidate(Path file) {
    count = 1;
    end(file);
  }

  private static Map<String, Object> fields(Path file) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("file", shown(file));
    return fields;
  }

  private void printJson(Path file) {
    Map<String, Object> fields = fields(file);
    if (counting) {
      fields.put("count", count);
    }
    print(new Report().values(fields).json());
  }

  private String name(Path file) {
    return out.isTerminal() ? Visible.line(shown(file)) : shown(file);
  }

  private void print(String text) {
    byte[] bytes = Octets.bytes(text);
    out.write(bytes, 0, bytes.length);
  }

  /** Prints the JSON report, if requested, or says how much was read. */
  void finish(List<String> keys, SearchResult result) {
    if (silent || quiet) {
      return;
    }
    if (json) {
      print(
          new Report()
              .value("index", Octets.name(index.path()))
              .value("keys", keys)
              .value("filesFound", files)
              .value("filesChanged", result.filesChanged())
              .value("blocks", index.blocks())
              .value("partsRead", result.partsRead())
              .value("bytesRead", result.bytesRead())
              .json());
    } else {
      out.flush();
      console.say(
          Text.count(files, "file")
              + "; "
              + Text.size(result.bytesRead())
              // The index knows the size of what it covers, not of files that came later.
              + (result.filesChanged() == 0 ? " of " + Text.size(index.contentBytes()) : "")
              + " read");
    }
  }

  /** Whether anything was found. */
  boolean any() {
    return files > 0;
  }
}
