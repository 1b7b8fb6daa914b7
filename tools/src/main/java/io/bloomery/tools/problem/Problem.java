package io.bloomery.tools.problem;

import io.bloomery.FilterFormatException;
import io.bloomery.tools.name.Octets;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** An error that ends the command, with a message of one line for the user. */
public final class Problem extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** A problem whose message is all that the user needs. */
  public Problem(String message) {
    super(message);
  }

  /** A problem with a file, whose name the message begins with. */
  public Problem(Path file, String what) {
    this(Octets.name(file) + ": " + what);
  }

  private Problem(String message, IOException cause) {
    super(message, cause);
  }

  /** What went wrong with a file or stream, which the message begins with. */
  public static Problem with(String name, IOException e) {
    return new Problem(
        e instanceof FilterFormatException found ? where(name, found) : name + ": " + why(e), e);
  }

  /** The same with another name of a file in its message. */
  public Problem renamed(String from, String to) {
    String message = String.valueOf(getMessage()).replace(from, to);
    return getCause() instanceof IOException cause
        ? new Problem(message, cause)
        : new Problem(message);
  }

  /** What went wrong with a file. */
  public static Problem with(Path file, IOException e) {
    return with(Octets.name(file), e);
  }

  /** The message, with the bytes of the name where the library has only what Java decodes. */
  private static String where(String name, FilterFormatException e) {
    String message = String.valueOf(e.getMessage());
    boolean same = !Octets.isAscii(e.source()) && Octets.path(name).toString().equals(e.source());
    return same ? name + message.substring(e.source().length()) : message;
  }

  private static String why(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    String reason = e instanceof FileSystemException f ? f.getReason() : e.getMessage();
    return reason == null ? e.getClass().getSimpleName() : reason;
  }
}
