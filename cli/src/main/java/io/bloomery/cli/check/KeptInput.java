package io.bloomery.cli.check;

import io.bloomery.file.TemporaryFile;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.spill.SpillFile;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Standard input copied to a temporary file, so that it can be read more than once. */
final class KeptInput implements AutoCloseable {

  private final Path directory = TemporaryFile.directory();
  private final FileChannel copy;

  /** Copies all of the input. */
  KeptInput(InputStream in) {
    try {
      copy = TemporaryFile.open(directory);
      in.transferTo(Channels.newOutputStream(copy));
    } catch (IOException e) {
      throw SpillFile.problem(directory, e);
    }
  }

  /** The same console with standard input from its beginning. */
  Console rewind(Console console) {
    try {
      copy.position(0);
    } catch (IOException e) {
      throw SpillFile.problem(directory, e);
    }
    return console.readingFrom(
        new FilterInputStream(Channels.newInputStream(copy)) {
          @Override
          public void close() {
            // it will be read again
          }
        });
  }

  @Override
  public void close() {
    try {
      copy.close();
    } catch (IOException e) {
      throw SpillFile.problem(directory, e);
    }
  }
}
