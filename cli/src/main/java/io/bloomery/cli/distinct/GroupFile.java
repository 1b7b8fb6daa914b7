package io.bloomery.cli.distinct;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomery.file.AtomicFile;
import io.bloomery.tools.distinct.HllFormat;
import io.bloomery.tools.distinct.HllSketch;
import io.bloomery.tools.file.Saving;
import io.bloomery.tools.input.Bytes;
import io.bloomery.tools.input.CsvRows;
import io.bloomery.tools.input.KeyStreams;
import io.bloomery.tools.input.RowLayout;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.spill.CountedKeys;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;

/**
 * The sketches of groups in a file of CSV with the header {@code group,sketch}: the bytes of each
 * sketch in Base64, as databases load them.
 */
final class GroupFile {

  private static final byte SEPARATOR = ',';
  private static final byte[] HEADER = "group,sketch\n".getBytes(US_ASCII);
  private static final int LONGEST = 2 * HllFormat.MOST_BYTES;

  private GroupFile() {}

  /** Whether a file begins with the header of these. */
  static boolean is(Path file) {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      return false;
    }
    KeyStreams streams = new KeyStreams(file, bytes -> {});
    try (streams) {
      InputStream in = Objects.requireNonNull(streams.next(), "one file");
      return Arrays.equals(in.readNBytes(HEADER.length), HEADER);
    } catch (IOException e) {
      throw streams.problem(e);
    }
  }

  /** Adds the sketches of a file to those of their groups. */
  static void read(Path file, SketchTally tally) {
    KeyStreams streams = new KeyStreams(file, bytes -> {});
    try (streams) {
      InputStream in = Objects.requireNonNull(streams.next(), "one file");
      CsvRows rows = new CsvRows(in, SEPARATOR, LONGEST);
      rows.next();
      while (rows.next()) {
        merge(rows, tally);
      }
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
  }

  private static void merge(CsvRows rows, SketchTally tally) throws IOException {
    if (rows.fields() != 2) {
      throw new IOException("line %d: a group and a sketch are two fields".formatted(rows.line()));
    }
    HllSketch sketch;
    try {
      sketch = HllFormat.read(Base64.getDecoder().decode(value(rows, 1)));
    } catch (IllegalArgumentException e) {
      throw new IOException("line %d: the sketch is not Base64".formatted(rows.line()), e);
    } catch (IOException e) {
      throw new IOException("line %d: %s".formatted(rows.line(), e.getMessage()), e);
    }
    byte[] group = value(rows, 0);
    tally.merge(tally.groups().add(group, 0, group.length), sketch);
  }

  private static byte[] value(CsvRows rows, int field) {
    Bytes value = new Bytes();
    rows.value(field, value::key);
    return Arrays.copyOf(value.array(), value.length());
  }

  /** Writes the sketches of all groups, in the order of their names. */
  static void write(SketchTally tally, Path file) {
    Saving.save(target -> AtomicFile.write(target, out -> write(tally, out)), file);
  }

  private static void write(SketchTally tally, OutputStream stream) throws IOException {
    OutputStream out = new BufferedOutputStream(stream);
    out.write(HEADER);
    Bytes row = new Bytes();
    for (int group : tally.groups().ordered(CountedKeys.Order.KEY)) {
      row.clear();
      tally
          .groups()
          .name(
              group,
              (bytes, offset, length) -> RowLayout.append(bytes, offset, length, SEPARATOR, row));
      out.write(row.array(), 0, row.length());
      out.write(SEPARATOR);
      byte[] sketch = HllFormat.write(tally.sketch(group), HllFormat.Width.HLL_4);
      out.write(Base64.getEncoder().encode(sketch));
      out.write('\n');
    }
    out.flush();
  }
}
