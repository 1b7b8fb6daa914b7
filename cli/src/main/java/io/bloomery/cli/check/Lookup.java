package io.bloomery.cli.check;

import io.bloomery.Filter;
import io.bloomery.HashedFilter;
import io.bloomery.foreign.TypedKeys;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.BlockSink;
import io.bloomery.tools.input.EmptyKeys;
import io.bloomery.tools.input.KeyForm;
import io.bloomery.tools.input.Reading;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Looks up keys in a filter in batches: marks those of each block that are probably present. */
class Lookup implements BlockSink {

  private final Filter filter;
  private final @Nullable HashedFilter hashed; // the same filter if it takes hashes, else null
  private final TypedKeys keys;
  private final KeyForm form;
  private final boolean asksEmpty;

  /** Looks up keys that this reading finds. */
  Lookup(Filter filter, Reading reading) {
    this.filter = filter;
    this.hashed = filter instanceof HashedFilter same ? same : null;
    this.keys = reading.keys();
    this.form = reading.form();
    this.asksEmpty = reading.emptyKeys() == EmptyKeys.KEEP;
  }

  /** Looks up one key that is not part of the input. */
  final boolean mightContain(byte[] key) {
    byte[] formed = form.of(key, 0, key.length);
    return keys.mightContain(filter, formed, 0, formed.length);
  }

  @Override
  public final void prepare(Block block) {
    if (hashed != null) {
      hashed.mightContainHashes(block.hashes(), 0, block.count(), block.marks());
    }
  }

  @Override
  public boolean take(Block block) {
    if (hashed == null) {
      queryByBytes(block);
    }
    return true;
  }

  /** Whether a key is looked up: not if it is empty and its record is only to be printed. */
  final boolean isAsked(Block block, int key) {
    return asksEmpty || block.keyStarts()[key] < block.keyEnds()[key];
  }

  /** Queries a filter that has its own hash function key by key, in one thread. */
  private void queryByBytes(Block block) {
    long[] marks = block.marks();
    Arrays.fill(marks, 0);
    for (int i = 0; i < block.count(); i++) {
      int start = block.keyStarts()[i];
      int length = block.keyEnds()[i] - start;
      try {
        boolean hit = isAsked(block, i) && keys.mightContain(filter, block.bytes(), start, length);
        marks[i >>> 6] |= (hit ? 1L : 0L) << i;
      } catch (IllegalArgumentException e) {
        throw Reading.problem(block, i, e);
      }
    }
  }
}
