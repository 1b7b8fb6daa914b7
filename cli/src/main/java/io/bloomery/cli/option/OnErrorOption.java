package io.bloomery.cli.option;

import io.bloomery.tools.input.BadRows;
import io.bloomery.tools.input.RejectFile;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option for what to do with rows that cannot be read. */
public final class OnErrorOption {

  private static final String NAME = "--on-error";
  private static final String FAIL = "fail";
  private static final String SKIP = "skip";
  private static final String REJECT = "reject=";

  /** The actions, for help and completion. */
  static final class Ways implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of(FAIL, SKIP, REJECT).iterator();
    }
  }

  /** Checks the name of an action. */
  static final class Way implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      if (text.equals(FAIL) || text.equals(SKIP)) {
        return text;
      }
      if (!text.startsWith(REJECT) || text.length() == REJECT.length()) {
        throw new TypeConversionException("'" + text + "' is not one of: fail, skip, reject=FILE");
      }
      return text;
    }
  }

  @Option(
      names = NAME,
      paramLabel = "DO",
      completionCandidates = Ways.class,
      converter = Way.class,
      description =
          "What to do with rows that lack the column, have bad quotes, are not JSON, or whose key"
              + " is not of its type: fail at the first, skip and count them, or reject=FILE: skip"
              + " them and append them to FILE. Default: fail.")
  private String way = FAIL;

  private final List<BadRows> given = new ArrayList<>();
  private @Nullable RejectFile file;

  /**
   * Fails, before anything is read or written, if rejected rows would go to a file that an argument
   * of the command names: its output, its filter, its state.
   */
  public static void check(CommandSpec command) {
    OptionSpec own = command.findOption(NAME);
    if (own == null || !(own.getValue() instanceof String way) || !way.startsWith(REJECT)) {
      return;
    }
    for (ArgSpec arg : command.args()) {
      Object value = arg.getValue();
      for (Object each : value instanceof Collection<?> all ? all : Arrays.asList(value)) {
        if (each instanceof Path path) {
          refuse(way, path);
        }
      }
    }
  }

  /** Fails if rejected rows would go to this file, which the command writes. */
  void refuse(Path written) {
    if (way.startsWith(REJECT)) {
      refuse(way, written);
    }
  }

  private static void refuse(String way, Path written) {
    Path rejected = Octets.path(way.substring(REJECT.length()));
    if (isSameFile(rejected, written)) {
      throw new Problem(
          "%s: is named for something else, too; %s %s needs a file of its own"
              .formatted(Octets.name(written), NAME, REJECT));
    }
  }

  /** Whether two names are of one file, which may not exist yet; not if it is a device or pipe. */
  private static boolean isSameFile(Path one, Path other) {
    try {
      if (Files.exists(one) && Files.exists(other)) {
        return Files.isSameFile(one, other) && Files.isRegularFile(one);
      }
      return Octets.absolute(one).normalize().equals(Octets.absolute(other).normalize());
    } catch (IOException e) {
      throw Problem.with(other, e);
    }
  }

  /** Whether anything but the default is asked for. */
  public boolean isGiven() {
    return !way.equals(FAIL);
  }

  /** The treatment of the bad rows of one input. */
  public BadRows rows() {
    if (way.equals(FAIL)) {
      return BadRows.fail();
    }
    BadRows rows = way.equals(SKIP) ? BadRows.skip() : BadRows.reject(file());
    given.add(rows);
    return rows;
  }

  private RejectFile file() {
    if (file == null) {
      file = new RejectFile(way.substring(REJECT.length()));
    }
    return file;
  }

  /** The number of bad rows in all inputs. */
  public long count() {
    return given.stream().mapToLong(BadRows::count).sum();
  }
}
