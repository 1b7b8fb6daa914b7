package io.bloomery.tools.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.file.AtomicFile;
import io.bloomery.plan.Planner;
import io.bloomery.tools.name.Octets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The speed of this machine, which {@code bloom bench --save} measures and the planner predicts
 * times by: {@code machine.properties} in {@code $XDG_CONFIG_HOME/bloomery} or {@code
 * ~/.config/bloomery}.
 */
public final class MachineFile {

  /** Names another directory, for tests. */
  public static final String DIRECTORY_PROPERTY = "bloomery.config";

  private static final String NAME = "machine.properties";
  private static final String TABLE = "table.";
  private static final String WINDOW = "window";
  private static final double PLAUSIBLE = 20;
  private static final double USUAL_WINDOW = 14;
  private static final int MOST_BYTES = 10_000;

  private MachineFile() {}

  /** Where the file is. */
  public static Path path() {
    String given = System.getProperty(DIRECTORY_PROPERTY);
    if (given != null) {
      return Path.of(given).resolve(NAME);
    }
    String config = System.getenv("XDG_CONFIG_HOME");
    Path base =
        config == null || !Path.of(config).isAbsolute()
            ? Path.of(System.getProperty("user.home"), ".config")
            : Path.of(config);
    return base.resolve("bloomery").resolve(NAME);
  }

  /** The planner for this machine, with its measured figures or the built-in ones. */
  public static Planner planner(Consumer<String> warnings) {
    return Planner.standard().on(machine(warnings));
  }

  /**
   * The measured figures of the machine; the built-in ones if it was not measured or the file is
   * damaged.
   */
  private static Planner.Machine machine(Consumer<String> warnings) {
    try {
      return read();
    } catch (NoSuchFileException e) {
      return Planner.Machine.BUILT_IN;
    } catch (IOException | IllegalArgumentException e) {
      warnings.accept(
          "%s: not the figures of a machine (%s); times are predicted by built-in ones, and bloom bench --save writes the file again"
              .formatted(Octets.name(path()), e.getMessage()));
      return Planner.Machine.BUILT_IN;
    }
  }

  private static Planner.Machine read() throws IOException {
    Path path = path();
    if (Files.exists(path) && Files.size(path) > MOST_BYTES) {
      throw new IOException("it is too large");
    }
    Map<String, String> fields = new TreeMap<>();
    List<Planner.Machine.Table> tables = new ArrayList<>();
    for (String line : Files.readAllLines(path)) {
      int equals = line.indexOf('=');
      if (equals > 0 && !line.startsWith("#")) {
        String name = line.substring(0, equals).strip();
        String value = line.substring(equals + 1).strip();
        if (name.startsWith(TABLE)) {
          long bytes = Long.parseLong(name.substring(TABLE.length()));
          tables.add(new Planner.Machine.Table(bytes, Double.parseDouble(value)));
        } else {
          fields.put(name, value);
        }
      }
    }
    tables.sort(Comparator.comparingLong(Planner.Machine.Table::bytes));
    double call = number(fields, "call");
    double word = number(fields, "word");
    double overlap = number(fields, "overlap");
    // Files of earlier versions have none.
    double window = fields.containsKey(WINDOW) ? number(fields, WINDOW) : 0;
    return plausible(new Planner.Machine(call, word, overlap, window, tables));
  }

  /**
   * The same figures, unless they are implausible, because the machine was busy or virtual time
   * stood still.
   *
   * @throws IllegalArgumentException if a time is not within a factor of 20 of the built-in one
   */
  public static Planner.Machine plausible(Planner.Machine machine) {
    Planner.Machine usual = Planner.Machine.BUILT_IN;
    requirePlausible("call", machine.callNanos(), usual.callNanos());
    requirePlausible("word", machine.wordNanos(), usual.wordNanos());
    if (machine.windowNanos() != 0) {
      requirePlausible(WINDOW, machine.windowNanos(), USUAL_WINDOW);
    }
    double slowest = usual.tables().get(usual.tables().size() - 1).lineNanos();
    for (Planner.Machine.Table table : machine.tables()) {
      if (table.lineNanos() > PLAUSIBLE * slowest) {
        throw implausible(TABLE + table.bytes(), table.lineNanos());
      }
    }
    return machine;
  }

  private static void requirePlausible(String name, double nanos, double usual) {
    if (!(nanos >= usual / PLAUSIBLE && nanos <= usual * PLAUSIBLE)) {
      throw implausible(name, nanos);
    }
  }

  private static IllegalArgumentException implausible(String name, double nanos) {
    return new IllegalArgumentException(
        String.format(Locale.ROOT, "%s = %.3f ns is not plausible", name, nanos));
  }

  private static double number(Map<String, String> fields, String name) {
    String value = fields.get(name);
    if (value == null) {
      throw new IllegalArgumentException("it lacks " + name);
    }
    return Double.parseDouble(value);
  }

  /** Saves the measured figures atomically. */
  public static void write(Planner.Machine machine) throws IOException {
    StringBuilder text =
        new StringBuilder(
            """
            # How fast this machine is, measured by bloom bench for bloom plan, in nanoseconds.
            # Without this file, times are predicted by built-in figures.
            """);
    line(text, "call", machine.callNanos());
    line(text, "word", machine.wordNanos());
    line(text, "overlap", machine.overlap());
    line(text, WINDOW, machine.windowNanos());
    for (Planner.Machine.Table table : machine.tables()) {
      line(text, TABLE + table.bytes(), table.lineNanos());
    }
    Path path = path();
    Files.createDirectories(path.getParent());
    AtomicFile.write(path, out -> out.write(text.toString().getBytes(UTF_8)));
  }

  private static void line(StringBuilder text, String name, double value) {
    text.append(name).append('=').append(String.format(Locale.ROOT, "%.3f", value)).append('\n');
  }
}
