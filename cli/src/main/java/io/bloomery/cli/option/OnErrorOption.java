package io.bloomery.cli.option;

import io.bloomery.tools.input.BadRows;
import io.bloomery.tools.input.RejectFile;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option for what to do with rows that cannot be read. */
public final class OnErrorOption {

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
      names = "--on-error",
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
