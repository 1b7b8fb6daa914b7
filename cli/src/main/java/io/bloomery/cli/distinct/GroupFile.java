package io.bloomery.cli.distinct;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomery.file.AtomicFile;
import io.bloomery.tools.distinct.HllFormat;
import io.bloomery.tools.distinct.HllSketch;
import io.bloomery.tools.file.Saving;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.BlockReader;
import io.bloomery.tools.input.Bytes;
import io.bloomery.tools.input.ColumnSplitter;
import io.bloomery.tools.input.KeyStreams;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.input.RowLayout;
import io.bloomery.tools.spill.CountedKeys;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
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
    ColumnSplitter rows =
        new ColumnSplitter(List.of("sketch"), SEPARATOR, true)
            .withGroup("group")
            .ofTable(layout -> null);
    Reading reading = new Reading(rows, null, true, 1).limited(LONGEST);
    try (BlockReader reader = BlockReader.open(file, reading)) {
      for (Block block = reader.next(); block != null; block = reader.next()) {
        for (int i = 0; i < block.count(); i++) {
          merge(block, i, tally);
        }
      }
    }
  }

  private static void merge(Block block, int row, SketchTally tally) {
    byte[] text = Arrays.copyOfRange(block.bytes(), block.keyStarts()[row], block.keyEnds()[row]);
    int group = block.groupStarts()[row];
    try {
      HllSketch sketch = HllFormat.read(Base64.getDecoder().decode(text));
      tally.merge(tally.groups().add(block.bytes(), group, block.groupEnds()[row] - group), sketch);
    } catch (IOException e) {
      throw Reading.problem(block, row, new IllegalArgumentException(e.getMessage(), e));
    } catch (IllegalArgumentException e) {
      throw Reading.problem(
          block, row, new IllegalArgumentException("the sketch is not Base64", e));
    }
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
