package io.bloomery.cli.security;

import io.bloomery.tools.console.Console;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Passwords that are typed without echo, or one per line of standard input. The bytes of each are
 * cleared after it was taken; those of the whole input, too.
 */
final class PasswordInput {

  private static final int LONGEST = 1 << 12;

  /** What the JDK reads where the bytes of a terminal are no characters of its encoding. */
  private static final char UNREADABLE = '\uFFFD';

  /** Takes the bytes of a password in UTF-8, which are cleared afterwards. */
  interface Taker {
    void take(byte[] password);
  }

  private final InputStream in;
  private final byte[] buffer = new byte[LONGEST];
  private final byte[] line = new byte[LONGEST];
  private int length;
  private long lineNumber = 1;

  private PasswordInput(InputStream in) {
    this.in = in;
  }

  /** Reads passwords; a typed one is taken by {@code typed}. */
  static void read(Console console, Consumer<char[]> typed, Taker taker) {
    java.io.Console terminal = console.typed().getAsBoolean() ? System.console() : null;
    if (terminal != null) {
      char[] password = terminal.readPassword("Password: ");
      if (password != null) {
        take(password, typed);
      }
      return;
    }
    PasswordInput input = new PasswordInput(unbuffered(console.in()));
    try {
      input.lines(taker);
    } catch (IOException e) {
      throw Problem.with("standard input", e);
    } finally {
      Arrays.fill(input.buffer, (byte) 0);
      Arrays.fill(input.line, (byte) 0);
    }
  }

  /** Standard input without the buffer of {@code System.in}, which nobody could clear. */
  private static InputStream unbuffered(InputStream in) {
    return in == System.in ? new FileInputStream(FileDescriptor.in) : in;
  }

  /** Hands over a typed password, which is cleared afterwards. */
  static void take(char[] password, Consumer<char[]> typed) {
    try {
      for (char c : password) {
        if (c == UNREADABLE) {
          throw new Problem(
              "the password has characters that are not UTF-8, which the terminal has to send");
        }
      }
      typed.accept(password);
    } finally {
      Arrays.fill(password, '\0');
    }
  }

  private void lines(Taker taker) throws IOException {
    for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
      for (int i = 0; i < count; i++) {
        if (buffer[i] == '\n') {
          end(taker);
        } else if (length == LONGEST) {
          throw new Problem(
              "standard input, line %d: longer than %s".formatted(lineNumber, Text.bytes(LONGEST)));
        } else {
          line[length++] = buffer[i];
        }
      }
    }
    if (length > 0) {
      end(taker);
    }
  }

  private void end(Taker taker) {
    int end = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
    byte[] password = Arrays.copyOf(line, end);
    try {
      taker.take(password);
    } finally {
      Arrays.fill(password, (byte) 0);
    }
    length = 0;
    lineNumber++;
  }
}
