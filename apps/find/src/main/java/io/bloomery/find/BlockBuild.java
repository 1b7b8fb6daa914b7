package io.bloomery.find;

import io.bloomery.find.text.DistinctHashes;
import io.bloomery.frozen.RibbonFilter;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Builds the filter of a block, independently of all others. */
final class BlockBuild implements Callable<BlockBuild.Built> {

  /**
   * Whole records of a file.
   *
   * @param records where their keys are
   * @param bytes the array that starts with them
   * @param length the number of bytes
   * @param line the number of the first line, from 1, if records are rows
   * @param first whether it is the beginning of the file
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Part(Records records, byte[] bytes, int length, long line, boolean first) {}

  /**
   * The result.
   *
   * @param filter the filter, null if none fits or the keys are not known
   * @param lines the number of lines that end in the block
   * @param problem why the keys are not known, null if they are
   * @param bad the rows of which some could not be read and are left out
   */
  record Built(
      RibbonFilter.@Nullable Embedded filter,
      long lines,
      @Nullable Problem problem,
      List<Block> bad) {}

  private final IndexOptions options;
  private final List<Part> parts;
  private final long maxBytes;

  /** Builds the filter of some parts, of at most {@code maxBytes}. */
  BlockBuild(IndexOptions options, List<Part> parts, long maxBytes) {
    this.options = options;
    this.parts = parts;
    this.maxBytes = maxBytes;
  }

  @Override
  public Built call() {
    long lines = 0;
    for (Part part : parts) {
      lines += lineEnds(part.bytes, part.length);
    }
    DistinctHashes hashes = new DistinctHashes();
    List<Block> bad = new ArrayList<>();
    try {
      for (Part part : parts) {
        Block rows = part.records.hash(part.bytes, part.length, part.line, part.first, hashes);
        if (rows != null && rows.badCount() > 0) {
          bad.add(rows);
        }
      }
    } catch (Problem e) {
      return new Built(null, lines, e, List.of());
    }
    long[] all = hashes.toArray();
    return new Built(
        RibbonFilter.Embedded.build(all, all.length, options.rate(), Math.max(0, maxBytes)),
        lines,
        null,
        bad);
  }

  /** The number of lines that end among the first {@code length} bytes of an array. */
  static long lineEnds(byte[] bytes, int length) {
    long count = 0;
    for (int i = 0; i < length; i++) {
      count += bytes[i] == '\n' ? 1 : 0;
    }
    return count;
  }
}
