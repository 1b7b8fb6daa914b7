package io.bloomery.tools.console;

import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.problem.Visible;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The destination of results, standard output or a file. A terminal gets them in the form of {@link
 * Visible}. A failure to write is a {@link Problem}, except when the reader has gone away ({@code |
 * head}): that is {@link Closed}.
 */
public final class StandardOutput extends OutputStream {

  /** The reader has closed the pipe, which is not an error. */
  public static final class Closed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** As a shell reports a program that a closed pipe ended: 128 + SIGPIPE. */
    public static final int EXIT_CODE = 141;

    private Closed(IOException cause) {
      super(cause);
    }
  }

  private static final int BUFFER = 1 << 16;

  private final BufferedOutputStream out;
  private final Visible visible;
  private final BooleanSupplier terminal;
  private @Nullable Boolean isTerminal; // null before it matters
  private final String name;
  private volatile @Nullable Runnable status; // makes way for results on a terminal
  private boolean failed; // reported once; what is still buffered is lost

  /** Buffers output to {@code out}. */
  public StandardOutput(OutputStream out) {
    this(out, () -> false);
  }

  /** Buffers output to {@code out}; {@code terminal} says whether that is one. */
  public StandardOutput(OutputStream out, BooleanSupplier terminal) {
    this(out, terminal, "standard output");
  }

  /** Buffers output to a file, whose name errors mention. */
  public StandardOutput(OutputStream out, Path file) {
    this(out, () -> false, Octets.name(file));
  }

  private StandardOutput(OutputStream out, BooleanSupplier terminal, String name) {
    this.out = new BufferedOutputStream(new Tidy(out), BUFFER);
    this.visible = new Visible(this.out, true);
    this.terminal = terminal;
    this.name = name;
  }

  /** Removes a status line before anything else is written to the terminal. */
  private final class Tidy extends FilterOutputStream {
    Tidy(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (status != null && isTerminal()) {
        makeWay();
      }
      out.write(bytes, offset, length);
    }
  }

  /** Sets the action that removes a status line before other output; null if there is none. */
  void status(@Nullable Runnable disappears) {
    status = disappears;
  }

  /** Removes the status line. */
  void makeWay() {
    Runnable shown = status;
    if (shown != null) {
      shown.run();
    }
  }

  /** Whether results go to a terminal. */
  public boolean isTerminal() {
    if (isTerminal == null) {
      isTerminal = terminal.getAsBoolean();
    }
    return isTerminal;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    if (failed) {
      return;
    }
    try {
      if (isTerminal()) {
        visible.write(bytes, offset, length);
      } else {
        out.write(bytes, offset, length);
      }
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** Writes the program's own bytes, which may contain terminal codes. */
  void writeStyled(byte[] bytes) {
    if (failed) {
      return;
    }
    try {
      out.write(bytes);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  @Override
  public void flush() {
    if (failed) {
      return;
    }
    try {
      visible.end();
      out.flush();
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private RuntimeException failure(IOException e) {
    failed = true;
    String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    return message.contains("pipe") ? new Closed(e) : Problem.with(name, e);
  }
}
