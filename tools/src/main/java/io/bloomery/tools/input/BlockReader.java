package io.bloomery.tools.input;

import io.bloomery.tools.console.Console;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads an input block by block, on the thread of the caller. */
public final class BlockReader implements AutoCloseable {

  private final @Nullable Console console; // null if nothing is tolerated
  private final Reading reading;
  private final KeyStreams streams;
  private final BlockSource source;
  private final Block block;

  BlockReader(@Nullable Console console, Reading reading, KeyStreams streams) {
    this.console = console;
    this.reading = reading;
    this.streams = streams;
    this.source = new BlockSource(streams, reading.splitter());
    this.block = reading.newBlock();
  }

  /** Opens a file, which is never standard input, and whose first bad row is a problem. */
  public static BlockReader open(Path file, Reading reading) {
    return new BlockReader(
        null, reading.withBadRows(BadRows.fail()), new KeyStreams(file, bytes -> {}));
  }

  /**
   * The next block, whose bad rows were taken. It is valid until the next call, and may have no
   * records.
   *
   * @return null after the last
   */
  public @Nullable Block next() {
    if (!source.fill(block)) {
      if (console != null && reading.badRows().count() > 0) {
        console.warn(reading.badRows().text());
      }
      return null;
    }
    reading.split(block);
    reading.badRows().take(block);
    return block;
  }

  @Override
  public void close() {
    try {
      streams.close();
    } catch (IOException e) {
      throw streams.problem(e);
    }
  }
}
