package io.bloomery.tools.input;

import io.bloomery.tools.console.Console;
import io.bloomery.tools.problem.Problem;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Opens one input after another, and unpacks those that are gzip or zstd by their first bytes. */
public final class KeyStreams implements Closeable {

  private final @Nullable Console console; // null if standard input is none of them
  private final Iterator<String> names;
  private final LongConsumer progress;
  private String name = "input";
  private @Nullable Counted counted;
  private @Nullable InputStream opened;
  private @Nullable InputStream unpacking;

  /** Tells {@code progress} how many bytes were read, before they are unpacked. */
  public KeyStreams(@Nullable Console console, List<String> names, LongConsumer progress) {
    this.console = console;
    this.names = names.iterator();
    this.progress = progress;
  }

  /** Opens one file, which is never standard input, whatever its name. */
  public KeyStreams(Path file, LongConsumer progress) {
    this(null, List.of(file.toString()), progress);
  }

  /** The next input after the present one, which is closed; null after the last. */
  public @Nullable InputStream next() throws IOException {
    close();
    counted = null;
    if (!names.hasNext()) {
      return null;
    }
    name = names.next();
    InputStream raw;
    if (console != null && name.equals(KeyInput.STANDARD_INPUT)) {
      if (console.typed().getAsBoolean()) {
        console.say("reading keys, one per line; Ctrl-D ends");
      }
      name = "standard input";
      raw = console.in();
    } else {
      opened = new FileInputStream(name); // unlike a channel's it waits for pipes, too
      raw = opened;
    }
    counted = new Counted(raw, progress);
    PushbackInputStream in = new PushbackInputStream(counted, Gunzip.BUFFER);
    if (Gunzip.isNext(in)) {
      unpacking = new Gunzip(in);
    } else if (Unzstd.isNext(in)) {
      unpacking = new Unzstd(in);
    }
    return unpacking == null ? in : unpacking;
  }

  /**
   * The same for input that is keys: a file that is marked as something else is refused, also
   * within packed data.
   */
  public @Nullable InputStream nextKeys() throws IOException {
    InputStream in = next();
    if (in == null) {
      return null;
    }
    PushbackInputStream keys =
        in instanceof PushbackInputStream plain
            ? plain
            : new PushbackInputStream(in, FileMark.LONGEST);
    FileMark mark = FileMark.next(keys);
    if (mark != null) {
      throw new Problem(name + ": " + mark.refusal());
    }
    return keys;
  }

  /** Whether the present input is unpacked. */
  public boolean isPacked() {
    return unpacking != null;
  }

  /** What the present input is called in messages. */
  String name() {
    return name;
  }

  /** What went wrong with the present input. */
  public Problem problem(IOException e) {
    return Problem.with(counted == null ? name : name + ", near byte " + counted.count, e);
  }

  @Override
  public void close() throws IOException {
    if (unpacking != null) {
      unpacking.close();
      unpacking = null;
    }
    if (opened != null) {
      opened.close();
      opened = null;
    }
  }

  /** Reports how much was read. Closing it does not close the stream below. */
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
