package io.bloomery.cli;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;

/** Where keys come from: files, plain or gzip by their first bytes, and standard input. */
final class KeyInput {

  /** The name that stands for standard input. */
  static final String STANDARD_INPUT = "-";

  private static final long UNKNOWN = -1;

  private final Console console;
  private final List<String> names;

  /** Reads these files one after another; none means standard input. */
  KeyInput(Console console, List<String> names) {
    this.console = console;
    this.names = names.isEmpty() ? List.of(STANDARD_INPUT) : names;
    for (String name : this.names) {
      if (!name.equals(STANDARD_INPUT)) {
        checkReadable(Path.of(name));
      }
    }
  }

  private static void checkReadable(Path file) {
    if (!Files.exists(file)) {
      throw new Problem(file + ": no such file");
    }
    if (Files.isDirectory(file)) {
      throw new Problem(file + ": is a directory");
    }
    if (!Files.isReadable(file)) {
      throw new Problem(file + ": permission denied");
    }
  }

  /** How many bytes there are to read, before they are unpacked; -1 if that is not known. */
  long bytes() {
    long bytes = 0;
    for (String name : names) {
      Path file = Path.of(name);
      if (name.equals(STANDARD_INPUT) || !Files.isRegularFile(file)) {
        return UNKNOWN;
      }
      try {
        bytes += Files.size(file);
      } catch (IOException e) {
        throw Problem.with(file, e);
      }
    }
    return bytes;
  }

  /** Whether a file is one of these. */
  boolean contains(Path file) {
    for (String name : names) {
      try {
        if (!name.equals(STANDARD_INPUT) && Files.isSameFile(Path.of(name), file)) {
          return true;
        }
      } catch (IOException e) {
        throw Problem.with(name, e);
      }
    }
    return false;
  }

  /** Gives every line to {@code lines}, and the number of bytes read to {@code progress}. */
  void read(Lines lines, LongConsumer progress) {
    for (String name : names) {
      if (name.equals(STANDARD_INPUT)) {
        if (console.typed().getAsBoolean()) {
          console.say("reading keys, one a line; Ctrl-D ends");
        }
        read("standard input", console.in(), lines, progress);
      } else {
        try (InputStream in = Files.newInputStream(Path.of(name))) {
          read(name, in, lines, progress);
        } catch (IOException e) {
          throw Problem.with(name, e);
        }
      }
    }
  }

  private static void read(String name, InputStream raw, Lines lines, LongConsumer progress) {
    Counted counted = new Counted(raw, progress);
    try {
      PushbackInputStream in = new PushbackInputStream(counted, Gunzip.BUFFER);
      if (Gunzip.isNext(in)) {
        try (Gunzip unpacked = new Gunzip(in)) {
          lines.read(unpacked);
        }
      } else {
        lines.read(in);
      }
    } catch (IOException e) {
      throw Problem.with(name + ", near byte " + counted.count, e);
    }
  }

  /** Tells how much was read. Stays open: whoever opened the stream closes it. */
  private static final class Counted extends FilterInputStream {
    private final LongConsumer progress;
    private long count;

    Counted(InputStream in, LongConsumer progress) {
      super(in);
      this.progress = progress;
    }

    @Override
    public int read() throws IOException {
      int next = super.read();
      count(next < 0 ? 0 : 1);
      return next;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = super.read(bytes, offset, length);
      count(Math.max(read, 0));
      return read;
    }

    private void count(int bytes) {
      count += bytes;
      progress.accept(bytes);
    }

    @Override
    public void close() {}
  }
}
