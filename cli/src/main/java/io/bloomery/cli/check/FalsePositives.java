package io.bloomery.cli.check;

import io.bloomery.file.TemporaryFile;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.spill.HashStore;
import io.bloomery.tools.spill.SpillFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * The false positives of a filter, each as its number among the keys that the filter found. Numbers
 * are added in any order and read in ascending order; memory does not depend on how many there are.
 */
final class FalsePositives implements AutoCloseable {

  private static final int BUFFER = 1 << 16;

  private final Path directory = SpillFile.directory();
  private final HashStore numbers;
  private final long[] one = new long[1];
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
  private final FileChannel sorted;
  private long count;
  private long asked;
  private long next = Long.MAX_VALUE;

  /** An empty list that keeps up to {@code capacity} numbers in memory. */
  FalsePositives(int capacity) {
    this.numbers = new HashStore(capacity, directory, true);
    try {
      this.sorted = TemporaryFile.open(directory);
    } catch (IOException e) {
      throw problem(e);
    }
  }

  private Problem problem(IOException e) {
    return SpillFile.problem(directory, e);
  }

  /** Adds the number of a key, from 0. */
  void add(long number) {
    one[0] = number;
    numbers.add(one, 0, 1);
    count++;
  }

  /** The number of false positives. */
  long count() {
    return count;
  }

  /** Sorts the numbers after the last one was added. */
  void sort() {
    try {
      numbers.forEach(this::write);
      buffer.flip();
      writeAll();
      sorted.position(0);
      buffer.limit(0);
      advance();
    } catch (IOException e) {
      throw problem(e);
    }
  }

  private void write(long[] some, int from, int to) {
    for (int i = from; i < to; i++) {
      if (buffer.remaining() < Long.BYTES) {
        buffer.flip();
        try {
          writeAll();
        } catch (IOException e) {
          throw problem(e);
        }
      }
      buffer.putLong(some[i]);
    }
  }

  private void writeAll() throws IOException {
    while (buffer.hasRemaining()) {
      sorted.write(buffer);
    }
    buffer.clear();
  }

  private void advance() throws IOException {
    if (buffer.remaining() == 0) {
      buffer.clear();
      int read;
      do {
        read = sorted.read(buffer);
      } while (read >= 0 && buffer.hasRemaining());
      buffer.flip();
    }
    next = buffer.remaining() == 0 ? Long.MAX_VALUE : buffer.getLong();
  }

  /** Whether the next key that the filter found is a false positive. */
  boolean isNext() {
    if (asked++ != next) {
      return false;
    }
    try {
      advance();
    } catch (IOException e) {
      throw problem(e);
    }
    return true;
  }

  @Override
  public void close() {
    numbers.close();
    try {
      sorted.close();
    } catch (IOException e) {
      throw problem(e);
    }
  }
}
