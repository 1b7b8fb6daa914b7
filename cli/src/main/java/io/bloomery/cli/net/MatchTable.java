package io.bloomery.cli.net;

import io.bloomery.FilterFullException;
import io.bloomery.cli.option.InputOptions;
import io.bloomery.net.match.PrefixOptions;
import io.bloomery.net.match.PrefixTable;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.input.BlockReader;
import io.bloomery.tools.input.CheckedSplitter;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.LineSplitter;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The table of {@code bloom net match}: lists as others publish them, or a saved table. */
final class MatchTable {

  private final String name;
  private final int valueColumn;
  private final Console console;
  private final KeyInput input;
  private final long maxBytes = Runtime.getRuntime().maxMemory() / 3;

  MatchTable(Console console, String name, int valueColumn) {
    if (valueColumn < 0) {
      throw new Problem("--value-column is " + valueColumn + "; fields are numbered from 1");
    }
    this.name = name;
    this.valueColumn = valueColumn;
    this.console = console;
    this.input = new KeyInput(console, List.of(name));
  }

  /** Reads the table, and shows a bar if one is wanted. */
  PrefixTable open(InputOptions options, boolean bar) {
    try (Progress progress = new Progress(console, bar, input.bytes())) {
      Path file = Octets.path(name);
      PrefixOptions layout = PrefixOptions.standard().withMaxBytes(maxBytes);
      boolean isSaved = !name.equals(KeyInput.STANDARD_INPUT) && PrefixTable.isStored(file);
      return isSaved ? PrefixTable.open(file, layout) : read(layout, options, progress);
    } catch (FilterFullException e) {
      throw new Problem(
          "%s: takes more than %s, a third of the heap; BLOOM_JAVA_OPTS=-Xmx8g gives more"
              .formatted(name, Text.size(maxBytes)));
    } catch (IOException e) {
      throw Problem.with(name, e);
    }
  }

  private PrefixTable read(PrefixOptions layout, InputOptions options, Progress progress) {
    PrefixTable.Builder builder = PrefixTable.builder(layout).list(listName(), valueColumn);
    CheckedSplitter lines =
        new CheckedSplitter(
            new LineSplitter(),
            (bytes, from, length) -> builder.line(Octets.text(bytes, from, length)));
    Reading reading = options.reading(null).of(lines, null);
    try (BlockReader reader = input.open(reading, progress)) {
      while (reader.next() != null) {
        // the check of a line adds it
      }
    }
    return builder.build();
  }

  /** The name of the file without its endings. */
  private String listName() {
    String file = name.substring(name.lastIndexOf('/') + 1);
    int dot = file.indexOf('.', 1);
    return name.equals(KeyInput.STANDARD_INPUT)
        ? "listed"
        : dot < 0 ? file : file.substring(0, dot);
  }

  /** What a table takes. */
  String memory(PrefixTable table) {
    return "%s: %s prefixes of IPv4, %s of IPv6, %s of memory"
        .formatted(
            name,
            Text.count(table.ipv4().prefixes()),
            Text.count(table.ipv6().prefixes()),
            Text.size(table.bytes()));
  }
}
