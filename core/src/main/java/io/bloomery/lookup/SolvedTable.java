package io.bloomery.lookup;

import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.numeric.RibbonLayout;
import io.bloomery.internal.numeric.SolvedCells;
import io.bloomery.internal.solve.CellLayout;
import io.bloomery.internal.solve.DistinctKeys;
import io.bloomery.internal.solve.Peeling;
import io.bloomery.internal.solve.Ribbon;
import io.bloomery.internal.solve.XorTable;
import java.io.IOException;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/** A solved table of q-bit numbers, by peeling or by elimination. */
final class SolvedTable {

  private static final int RIBBON = SolvedCells.Ribbon.WIRE_ID;

  private final int width;
  private final long seed;
  private final @Nullable XorTable peeled; // exactly one of the two is null
  private final @Nullable Ribbon ribbon;

  private SolvedTable(int width, long seed, @Nullable XorTable peeled, @Nullable Ribbon ribbon) {
    this.width = width;
    this.seed = seed;
    this.peeled = peeled;
    this.ribbon = ribbon;
  }

  /** Solves a table in which key i has the number {@code numbers(i)}. */
  static SolvedTable solve(BloomierShape shape, DistinctKeys keys, IntToLongFunction numbers) {
    int width = shape.cellBits();
    if (shape.solved() instanceof SolvedCells.Peeled cells) {
      CellLayout layout = CellLayout.of(cells);
      Peeling peeling = keys.peel("a Bloomier map", layout, cells.isParts());
      XorTable table = XorTable.solve(layout, keys, peeling, width, numbers);
      return new SolvedTable(width, keys.trialSeed(), table, null);
    }
    long seed = keys.trialSeed();
    long[] hashes = new long[keys.count()];
    int[] wanted = new int[keys.count()];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = keys.hash(i);
      wanted[i] = (int) (numbers.applyAsLong(i) ^ XorTable.mask(hashes[i], seed, width));
    }
    return new SolvedTable(width, seed, null, Ribbon.build(hashes, wanted, width, 0, seed, 1));
  }

  /** The seed of the masks, and of the cells if they are peeled. */
  long seed() {
    return seed;
  }

  /**
   * The fields that replace those of {@link SolvedCells.Peeled}, which also begin with a layout.
   */
  private record RibbonFields(@FieldName("layout") int layout, @FieldName("trial") int trial) {
    RibbonFields {
      Arguments.inRange("layout", layout, RIBBON, RIBBON);
      Arguments.inRange("trial", trial, 0, Ribbon.MAX_TRIAL);
    }
  }

  /** Adds the fields of the cells and a section. */
  @SuppressWarnings("NullAway") // one of the two is not null, by the cells
  Frame put(Frame frame, SolvedCells cells) {
    return cells instanceof SolvedCells.Peeled each
        ? frame.put(each).section(peeled.words())
        : frame.put(new RibbonFields(RIBBON, ribbon.trial())).section(ribbon.words());
  }

  /** Reads and checks the fields that describe the cells. */
  static SolvedCells readCells(Frame frame, long keys) throws IOException {
    return frame.number("layout", 1, RIBBON) == RIBBON
        ? new SolvedCells.Ribbon(Math.max(1, keys))
        : frame.shape(SolvedCells.Peeled.class);
  }

  /** Reads the rest of the fields and section 0. */
  static SolvedTable read(Frame frame, BloomierShape shape, long keys, long seed)
      throws IOException {
    int width = shape.cellBits();
    if (shape.solved() instanceof SolvedCells.Peeled cells) {
      Words words = frame.bits(0, cells.sizeInBits(width));
      return new SolvedTable(
          width, seed, new XorTable(CellLayout.of(cells), words, width, seed), null);
    }
    int trial = frame.shape(RibbonFields.class).trial;
    RibbonLayout layout = new RibbonLayout(keys, width, 0);
    Ribbon ribbon = new Ribbon(layout, seed, trial, frame.section(0, layout.words()));
    return new SolvedTable(width, seed, null, ribbon);
  }

  /** The number of a key; any number of q bits for a key that was not put. */
  @SuppressWarnings("NullAway") // exactly one of peeled and ribbon is not null
  long number(long hash) {
    return peeled != null
        ? peeled.get(hash)
        : Integer.toUnsignedLong(ribbon.get(hash)) ^ XorTable.mask(hash, seed, width);
  }
}
