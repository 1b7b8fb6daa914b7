package io.bloomery.tools.input;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Cuts inputs into blocks of whole records. A block is full, or the last of its input, or as much
 * as there is when the input pauses. Blocks are filled by one thread at a time.
 */
final class BlockSource {

  private final KeyStreams streams;
  private final Splitter splitter;
  private @Nullable InputStream in;
  private byte[] carried = new byte[0]; // the beginning of a record, for the next block
  private int carriedLength;
  private boolean started; // an input of which no block was handed on yet
  private boolean pauseTold = true;
  private long line;

  /** Reads all {@code streams}. */
  BlockSource(KeyStreams streams, Splitter splitter) {
    this.streams = streams;
    this.splitter = splitter;
  }

  /** Fills a block; returns whether there was any input left. */
  boolean fill(Block block) {
    try {
      return read(block);
    } catch (IOException e) {
      throw streams.problem(e);
    }
  }

  private boolean read(Block block) throws IOException {
    block.clear();
    block.append(carried, 0, carriedLength);
    carriedLength = 0;
    int looked = block.length();
    while (true) {
      if (in == null) {
        in = streams.nextKeys(splitter.isText());
        if (in == null) {
          return false;
        }
        started = true;
        line = 1;
        splitter.startInput();
      }
      if (block.length() == block.bytes().length) {
        if (block.isTooLong()) {
          int end = block.isLenient() ? splitter.badEnd(block) : 0;
          if (end == 0) {
            describe(block);
            throw block.tooLong(0);
          }
          cut(block, end, false);
          return true;
        }
        block.grow();
      }
      int read = in.read(block.bytes(), block.length(), block.bytes().length - block.length());
      if (read < 0) {
        in = null;
        if (block.length() == 0) {
          continue;
        }
        cut(block, block.length(), false);
        return true;
      }
      block.length(block.length() + read);
      boolean full = block.length() == block.bytes().length;
      boolean paused = in.available() == 0;
      if (full || paused) {
        int end = splitter.lastEnd(block, looked);
        looked = block.length();
        if (end > 0 || (paused && !pauseTold)) {
          cut(block, end, paused);
          return true;
        }
      }
    }
  }

  private void cut(Block block, int end, boolean paused) throws IOException {
    carriedLength = block.length() - end;
    if (carried.length < carriedLength || carried.length > 2 * Math.max(carriedLength, 1 << 16)) {
      carried = new byte[carriedLength];
    }
    System.arraycopy(block.bytes(), end, carried, 0, carriedLength);
    block.length(end);
    pauseTold = paused;
    if (paused) {
      block.markPause();
    }
    if (started && end > 0) {
      block.markStart();
      started = false;
    }
    describe(block);
    line += new Matches(lineEnd()).count(block.bytes(), 0, end);
    if (end > 0) {
      splitter.begin(block);
    }
  }

  /** Tells a block where it is. */
  private void describe(Block block) {
    block.origin(streams.name());
    block.lines(line, lineEnd());
  }

  private byte lineEnd() {
    byte[] end = splitter.recordEnd();
    return end.length == 0 ? (byte) '\n' : end[end.length - 1];
  }
}
