package io.bloomery.foreign.registry;

import io.bloomery.FilterFormatException;
import io.bloomery.foreign.BloomfilterJsFormat;
import io.bloomery.foreign.CassandraFormat;
import io.bloomery.foreign.DataSketchesFormat;
import io.bloomery.foreign.EthereumFormat;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.GuavaFormat;
import io.bloomery.foreign.HiveFormat;
import io.bloomery.foreign.OrcFormat;
import io.bloomery.foreign.SparkFormat;
import io.bloomery.foreign.SquidFilter;
import io.bloomery.foreign.XorSingleHeaderFilter;
import io.bloomery.foreign.bitcoin.Bip158Filter;
import io.bloomery.foreign.bitcoin.Bip37Format;
import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.foreign.gnutella.GnutellaFormat;
import io.bloomery.foreign.hadoop.HadoopCountingFilter;
import io.bloomery.foreign.hadoop.HadoopDynamicFilter;
import io.bloomery.foreign.hadoop.HadoopFormat;
import io.bloomery.foreign.mozilla.MozillaCascadeFilter;
import io.bloomery.foreign.parquet.ParquetFile;
import io.bloomery.foreign.parquet.ParquetFormat;
import io.bloomery.foreign.redis.RedisBloomFilter;
import io.bloomery.foreign.redis.RedisCuckooFilter;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Memory;
import io.bloomery.internal.frame.FrameReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The list of formats of other systems, and detection of a file's format. */
public final class ForeignFormats {

  private static final List<ForeignFormat<?>> ALL =
      List.of(
          GuavaFormat.FORMAT,
          SparkFormat.FORMAT,
          HadoopFormat.FORMAT,
          HadoopCountingFilter.FORMAT,
          HadoopDynamicFilter.FORMAT,
          HadoopFormat.HUDI,
          HadoopDynamicFilter.HUDI,
          DataSketchesFormat.FORMAT,
          MozillaCascadeFilter.FORMAT,
          Bip37Format.FORMAT,
          Bip158Filter.FORMAT,
          EthereumFormat.FORMAT,
          SquidFilter.FORMAT,
          DcsoFilter.FORMAT,
          GnutellaFormat.FORMAT,
          ParquetFormat.FORMAT,
          ParquetFile.FORMAT,
          RedisBloomFilter.FORMAT,
          RedisCuckooFilter.FORMAT,
          RedisBloomFilter.DUMP,
          RedisCuckooFilter.DUMP,
          HiveFormat.FORMAT,
          OrcFormat.FORMAT,
          BloomfilterJsFormat.FORMAT,
          XorSingleHeaderFilter.FORMAT_XOR8,
          XorSingleHeaderFilter.FORMAT_FUSE8,
          XorSingleHeaderFilter.FORMAT_FUSE16,
          CassandraFormat.FORMAT,
          CassandraFormat.FORMAT_3,
          CassandraFormat.FORMAT_2);

  /** Formats that are also read with a parameter, which follows their name and a colon. */
  private static final Map<String, Function<String, ForeignFormat<?>>> VARIANTS =
      Map.of(
          ParquetFile.FORMAT.name(), ForeignFormats::parquetColumn,
          OrcFormat.FORMAT.name(), ForeignFormats::orcBitset);

  private ForeignFormats() {}

  /**
   * All formats that can be read and written.
   *
   * @return an unmodifiable list
   */
  public static List<ForeignFormat<?>> all() {
    return ALL;
  }

  /**
   * The format of a name. If the file does not determine what to read, append a colon and the
   * missing part to the name: {@code parquet:0:city} reads the filter of a column of the first row
   * group, {@code orc:4} a bit set without a header, with 4 hashes per key.
   *
   * @param name a short name, such as {@code guava}
   * @return the format
   * @throws IllegalArgumentException if there is none
   */
  public static ForeignFormat<?> named(String name) {
    int colon = Objects.requireNonNull(name, "name").indexOf(':');
    Function<String, ForeignFormat<?>> variant =
        colon < 0 ? null : VARIANTS.get(name.substring(0, colon));
    if (variant != null) {
      return variant.apply(name.substring(colon + 1));
    }
    return ALL.stream()
        .filter(format -> format.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException("no format is named \"" + name + "\": " + names(ALL)));
  }

  /**
   * The formats that a file may be in, detected from its content: those with the strongest
   * evidence. There may be several, because most formats have no magic number; such a file need not
   * be a filter at all.
   *
   * @param file the file
   * @return zero, one or several formats
   * @throws FilterFormatException if the heap has no room for what recognising it takes
   * @throws IOException if it cannot be read
   */
  public static List<ForeignFormat<?>> candidates(Path file) throws IOException {
    try (ForeignBytes in = ForeignBytes.of(Objects.requireNonNull(file, "file"))) {
      return candidates(in);
    } catch (OutOfMemoryError e) {
      throw tooLarge(file);
    }
  }

  /**
   * Reads a file in a named format.
   *
   * @param file the file
   * @param name the format's name, as {@link #named} takes it
   * @return its filter
   * @throws IllegalArgumentException if there is no such format
   * @throws FilterFormatException if the content is recognised as that of another format or of
   *     Bloomery, the file is damaged, or the heap has no room for it
   * @throws IOException if it cannot be read
   */
  public static ForeignFilter open(Path file, String name) throws IOException {
    ForeignFormat<?> format = named(name);
    try (ForeignBytes in = ForeignBytes.of(Objects.requireNonNull(file, "file"))) {
      boolean fits = isTelling(format) && format.layout().matches(in);
      if (!fits) {
        requireUnknown(file, in, name);
      }
      return format.layout().read(in);
    } catch (OutOfMemoryError e) {
      throw tooLarge(file);
    }
  }

  /** For a file that some format has to hold twice to recognise or read it. */
  private static FilterFormatException tooLarge(Path file) throws IOException {
    return new FilterFormatException(file.toString(), 0, Memory.shortage(Files.size(file)));
  }

  private static void requireUnknown(Path file, ForeignBytes in, String name) throws IOException {
    if (FrameReader.isFrame(file)) {
      throw in.problem(0, "is a filter of Bloomery, not of format %s", name);
    }
    List<ForeignFormat<?>> recognised =
        candidates(in).stream().filter(ForeignFormats::isTelling).toList();
    if (!recognised.isEmpty()) {
      throw in.problem(0, "is of format %s, not %s", names(recognised), name);
    }
  }

  /** Whether a match is strong enough to contradict the name of another format. */
  private static boolean isTelling(ForeignFormat<?> format) {
    return format.layout().evidence() != FileLayout.Evidence.LENGTH;
  }

  /**
   * Reads a file in the only format that fits its content. Formats without a magic number are never
   * chosen: {@link #open(Path, String)} reads those.
   *
   * @param file the file
   * @return its filter
   * @throws FilterFormatException if no format or more than one fits, the file is damaged, or the
   *     heap has no room for it
   * @throws IOException if it cannot be read
   */
  public static ForeignFilter open(Path file) throws IOException {
    return open(file, Memory.budget());
  }

  /**
   * Reads a file like {@link #open(Path)}, within a budget.
   *
   * @param file the file
   * @param budgetBytes as {@link ForeignFormat#open(Path, long)} takes it
   * @return its filter
   * @throws FilterFormatException if no format or more than one fits, the file is damaged, it
   *     claims more than the budget, or the heap has no room for it
   * @throws IOException if it cannot be read
   */
  public static ForeignFilter open(Path file, long budgetBytes) throws IOException {
    Arguments.inRange("budgetBytes", budgetBytes, 0, Long.MAX_VALUE);
    try (ForeignBytes in = ForeignBytes.of(Objects.requireNonNull(file, "file"), budgetBytes)) {
      return only(candidates(in), in).layout().read(in);
    } catch (OutOfMemoryError e) {
      throw tooLarge(file);
    }
  }

  /** {@code GROUP:COLUMN}. */
  private static ForeignFormat<?> parquetColumn(String choice) {
    int colon = choice.indexOf(':');
    int rowGroup;
    try {
      rowGroup = Integer.parseInt(choice.substring(0, Math.max(colon, 0)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "parquet:" + choice + " names no filter; write parquet:GROUP:COLUMN, as parquet:0:city",
          e);
    }
    return ParquetFile.column(rowGroup, choice.substring(colon + 1));
  }

  private static ForeignFormat<?> orcBitset(String hashesPerKey) {
    try {
      return OrcFormat.bitset(Integer.parseInt(hashesPerKey));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "orc:"
              + hashesPerKey
              + " names no format; write orc:4 for a bit set with 4 hashes per key",
          e);
    }
  }

  private static List<ForeignFormat<?>> candidates(ForeignBytes in) throws IOException {
    for (FileLayout.Evidence evidence : FileLayout.Evidence.values()) {
      List<ForeignFormat<?>> found = new ArrayList<>();
      for (ForeignFormat<?> format : ALL) {
        if (format.layout().evidence() == evidence && format.layout().matches(in)) {
          found.add(format);
        }
      }
      if (!found.isEmpty()) {
        return found;
      }
    }
    return List.of();
  }

  private static ForeignFormat<?> only(List<ForeignFormat<?>> found, ForeignBytes in)
      throws IOException {
    boolean recognised = !found.isEmpty() && found.get(0).isRecognised();
    if (found.size() == 1 && recognised) {
      return found.get(0);
    }
    if (recognised) {
      throw in.problem(0, "several formats fit; name one of them: %s", names(found));
    }
    List<ForeignFormat<?>> begun = new ArrayList<>();
    String damage = null;
    for (ForeignFormat<?> format : ALL) {
      FilterFormatException problem = format.layout().damage(in);
      if (problem != null) {
        begun.add(format);
        damage = damage == null ? in.withoutOrigin(problem) : damage;
      }
    }
    if (found.stream().noneMatch(ForeignFormats::isTelling) && !begun.isEmpty()) {
      throw in.problem(
          0,
          "begins like a filter of format %s, but is cut short or damaged: %s",
          names(begun).replace(", ", " or "),
          damage);
    }
    if (found.isEmpty()) {
      throw in.problem(
          0,
          "not a filter: its first bytes are %s; a filter of Bloomery begins with %s, and no other"
              + " format fits (%s)",
          in.head(),
          FrameReader.magic(),
          names(ALL));
    }
    throw in.problem(
        0,
        "its content does not say what it is; it could be %s: name that format to read it as such",
        names(found).replace(", ", " or "));
  }

  private static String names(List<ForeignFormat<?>> formats) {
    return formats.stream().map(ForeignFormat::name).collect(Collectors.joining(", "));
  }
}
