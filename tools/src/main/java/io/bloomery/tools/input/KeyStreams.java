package io.bloomery.tools.input;

import io.bloomery.tools.console.Console;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.problem.UnreadFormatException;
import io.bloomery.tools.unpack.Marks;
import io.bloomery.tools.unpack.Unpacking;
import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Opens one input after another, and unpacks those that are packed, by their first bytes. */
public final class KeyStreams implements Closeable {

  private final @Nullable Console console; // null if standard input is none of them
  private final Iterator<String> names;
  private final LongConsumer progress;
  private String name = "input";
  private @Nullable Counted counted;
  private @Nullable InputStream opened;
  private @Nullable InputStream unpacking;
  private boolean decoded; // from UTF-16, or without a mark

  /** Tells {@code progress} how many bytes were read, before they are unpacked. */
  public KeyStreams(@Nullable Console console, List<String> names, LongConsumer progress) {
    this.console = console;
    this.names = names.iterator();
    this.progress = progress;
  }

  /** Opens one file, which is never standard input, even if it is named {@code -}. */
  public KeyStreams(Path file, LongConsumer progress) {
    this(null, List.of(Octets.name(file)), progress);
  }

  /** The next input after the current one, which is closed; null after the last. */
  public @Nullable InputStream next() throws IOException {
    close();
    counted = null;
    decoded = false;
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
      opened = Octets.open(name);
      raw = opened;
    }
    counted = new Counted(raw, progress);
    PushbackInputStream in = new PushbackInputStream(counted, Unpacking.BUFFER);
    unpacking = Unpacking.open(in);
    return unpacking == null ? in : unpacking;
  }

  /**
   * The same for input that is keys: what is marked as something else is refused, also within
   * packed data.
   *
   * @param text whether keys are text: UTF-16 becomes UTF-8; a mark of UTF-8 stays where it is
   */
  public @Nullable InputStream nextKeys(boolean text) throws IOException {
    try {
      PushbackInputStream keys = nextKnown(text);
      return keys == null || !text ? keys : inUtf8(keys);
    } catch (UnreadFormatException e) {
      throw problem(e);
    }
  }

  /**
   * The next input as text in UTF-8, without the mark that it may begin with.
   *
   * @throws UnreadFormatException if it is marked as something else
   */
  public @Nullable InputStream nextText() throws IOException {
    PushbackInputStream text = nextKnown(true);
    if (text == null) {
      return null;
    }
    if (Marks.startsWith(text, 0xEF, 0xBB, 0xBF)) {
      text.skipNBytes(ByteOrderMark.LENGTH);
      decoded = true;
    }
    return inUtf8(text);
  }

  private @Nullable PushbackInputStream nextKnown(boolean text) throws IOException {
    InputStream in = next();
    if (in == null) {
      return null;
    }
    PushbackInputStream keys =
        in instanceof PushbackInputStream plain
            ? plain
            : new PushbackInputStream(in, FileMark.LONGEST);
    FileMark mark = FileMark.next(keys, text);
    if (mark != null) {
      throw new UnreadFormatException(mark.refusal(opened == null ? "FILE" : name));
    }
    String again = unpacking == null ? null : Unpacking.next(keys);
    if (again != null) {
      throw new UnreadFormatException(
          "is packed twice, by %s inside; unpack it first".formatted(again));
    }
    if (opened != null && unpacking == null && text) {
      BrotliFile.refuse(name, keys);
    }
    return keys;
  }

  private InputStream inUtf8(PushbackInputStream text) throws IOException {
    InputStream utf16 = Utf16.open(text);
    decoded |= utf16 != null;
    return utf16 == null ? new NoTar(text) : utf16;
  }

  /**
   * Whether the current input differs from the bytes of its file: unpacked, or in another encoding.
   */
  public boolean isPacked() {
    return unpacking != null || decoded;
  }

  /** The name of the current input in messages. */
  String name() {
    return name;
  }

  /** The problem with the current input. */
  public Problem problem(IOException e) {
    if (e instanceof UnreadFormatException) {
      return Problem.with(name, e);
    }
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
