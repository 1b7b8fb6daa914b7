package io.bloomery.cli.reconcile;

import io.bloomery.tools.name.Octets;
import java.util.Map;

/** A shell command, with the bytes and in the locale that the user gave. */
final class ShellCommand {

  /** Holds the user's LC_ALL if the launcher has set another one. */
  private static final String LOCALE = "BLOOM_LC_ALL";

  private ShellCommand() {}

  /** Prepares to run a command with {@code /bin/sh}. */
  static ProcessBuilder of(String command) {
    String words =
        Octets.isAscii(command)
            ? command
            : "exec /bin/sh -c \"$(printf '" + octal(Octets.bytes(command)) + "')\"";
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", words);
    restore(builder.environment());
    return builder;
  }

  /**
   * Escapes all bytes, since the JVM passes arguments in an encoding that may lack some of them.
   */
  private static String octal(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes) {
      text.append('\\');
      for (int shift = 6; shift >= 0; shift -= 3) {
        text.append((char) ('0' + ((b & 0xFF) >> shift & 7)));
      }
    }
    return text.toString();
  }

  /** Undoes what the launcher has changed. */
  static void restore(Map<String, String> environment) {
    String given = environment.remove(LOCALE);
    if (given != null && given.isEmpty()) {
      environment.remove("LC_ALL");
    } else if (given != null) {
      environment.put("LC_ALL", given);
    }
  }
}
