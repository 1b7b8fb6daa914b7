package io.bloomery.cli.console;

import java.util.Locale;
import java.util.regex.Pattern;

/** Messages of the library, which name arguments of Java methods, in the words of the command. */
public final class Wording {

  private static final Pattern RATE = Pattern.compile("falsePositiveRate = ([0-9.E+-]+)");
  private static final Pattern KEYS = Pattern.compile("expectedKeys = ([0-9]+)");
  private static final Pattern DIGITS = Pattern.compile("([0-9]\\.[0-9]{2})[0-9]+");
  private static final Pattern HUMP = Pattern.compile("(?<=[a-z])[A-Z](?=[a-z])");

  private Wording() {}

  /** The message without names of Java's and with no more digits than say something. */
  public static String plain(String message) {
    String known = RATE.matcher(message).replaceAll("a rate of $1");
    known = KEYS.matcher(known).replaceAll("$1 keys");
    known = known.replace("falsePositiveRate", "the rate").replace("expectedKeys", "keys");
    known = DIGITS.matcher(known).replaceAll("$1");
    return HUMP.matcher(known).replaceAll(hump -> " " + hump.group().toLowerCase(Locale.ROOT));
  }
}
