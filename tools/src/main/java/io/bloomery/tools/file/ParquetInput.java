package io.bloomery.tools.file;

import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.KeyCoding;
import io.bloomery.foreign.parquet.ParquetFile;
import io.bloomery.foreign.parquet.ParquetFile.Column;
import io.bloomery.foreign.parquet.ParquetFile.Presence;
import io.bloomery.foreign.registry.ForeignFormats;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A Parquet file and the filters in it, with errors reported as messages for the user. */
public final class ParquetInput {

  private final Path path;
  private final ParquetFile file;

  private ParquetInput(Path path, ParquetFile file) {
    this.path = path;
    this.file = file;
  }

  /** Whether a file begins and ends as Parquet files do. */
  public static boolean isParquet(Path path) {
    try {
      return Files.isRegularFile(path)
          && ForeignFormats.candidates(path).equals(List.of(ParquetFile.FORMAT));
    } catch (IOException e) {
      throw Problem.with(path, e);
    }
  }

  /** Reads the footer. */
  public static ParquetInput open(Path path) {
    try {
      return new ParquetInput(path, ParquetFile.open(path));
    } catch (IOException e) {
      throw Problem.with(path, e);
    }
  }

  /** The file. */
  public Path path() {
    return path;
  }

  /** All columns of all row groups, in the order of the file. */
  public List<Column> columns() {
    return file.columns();
  }

  /** The columns of row groups that have a filter. */
  public List<Column> filters() {
    return columns().stream().filter(column -> column.presence() == Presence.PRESENT).toList();
  }

  /** How many row groups there are. */
  public int rowGroups() {
    return (int) columns().stream().mapToInt(Column::rowGroup).distinct().count();
  }

  /** What is hashed for the values of a column; its text names their type. */
  public KeyCoding typeOf(Column column) {
    return file.typeOf(column);
  }

  /** Reads a filter. */
  public ForeignBloomFilter filter(Column column) {
    try {
      return file.filter(column.rowGroup(), column.path());
    } catch (IOException e) {
      throw Problem.with(path, e);
    }
  }
}
