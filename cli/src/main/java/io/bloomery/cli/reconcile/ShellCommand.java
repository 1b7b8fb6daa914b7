package io.bloomery.cli.reconcile;

import io.bloomery.tools.name.Octets;
import java.util.Map;

/** A command of the shell, with the bytes and in the locale that the user gave. */
final class ShellCommand {

  /** The LC_ALL that the user had, where the launcher has set another one. */
  private static final String LOCALE = "BLOOM_LC_ALL";

  private ShellCommand() {}

  /** Runs a command by {@code /bin/sh}. */
  static ProcessBuilder of(String command) {
    String words =
        Octets.isAscii(command)
            ? command
            : "exec /bin/sh -c \"$(printf '" + octal(Octets.bytes(command)) + "')\"";
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", words);
    restore(builder.environment());
    return builder;
  }

  /** The JVM gives arguments to a process in an encoding of its own, which may lack some bytes. */
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

  /** Takes back what the launcher has changed. */
  static void restore(Map<String, String> environment) {
    String given = environment.remove(LOCALE);
    if (given != null && given.isEmpty()) {
      environment.remove("LC_ALL");
    } else if (given != null) {
      environment.put("LC_ALL", given);
    }
  }
}
