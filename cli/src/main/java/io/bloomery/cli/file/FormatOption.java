package io.bloomery.cli.file;

import io.bloomery.foreign.ForeignFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.registry.ForeignFormats;
import io.bloomery.tools.distinct.SketchFile;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.problem.Suggestion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names the format of another system's file. */
public final class FormatOption {

  /** The formats' names, for help and completion. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return names().iterator();
    }
  }

  private static List<String> names() {
    return ForeignFormats.all().stream().<String>map(ForeignFormat::name).toList();
  }

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      completionCandidates = Names.class,
      description =
          "Format of FILTER if it is a file of another system: ${COMPLETION-CANDIDATES}. Default:"
              + " detected from its magic number.")
  private @Nullable String name;

  /** Whether a format is given. */
  public boolean isGiven() {
    return name != null;
  }

  /**
   * Whether a file is opened with this option: a format is given, or the file is not one of
   * Bloomery's own.
   */
  public boolean isForeign(Path path) {
    return isGiven() || FilterFile.isForeign(path);
  }

  /** Opens a file of another system. */
  public ForeignFilter open(Path path) {
    return open(path, name, "--format");
  }

  /**
   * Opens a file in the format that an option names, or in the one detected from its magic number
   * if the name is null.
   */
  public static ForeignFilter open(Path path, @Nullable String name, String option) {
    if (Files.isDirectory(path)) {
      throw new Problem(path, "is a directory, not a filter");
    }
    if (name != null && name.indexOf(':') < 0 && !names().contains(name)) {
      throw new Problem(Suggestion.unknown("format", name, names()));
    }
    try {
      if (name != null) {
        return ForeignFormats.open(path, name);
      }
      if (SketchFile.is(path)) {
        throw new Problem(
            Octets.name(path)
                + ": is not a filter but a sketch of different keys, which cannot be asked for one;"
                + " bloom distinct reads and merges sketches");
      }
      OtherLists.refuse(path);
      return ForeignFormats.open(path);
    } catch (IOException e) {
      throw Problem.with(path, e).renamed("name that format", "name it with " + option);
    }
  }
}
