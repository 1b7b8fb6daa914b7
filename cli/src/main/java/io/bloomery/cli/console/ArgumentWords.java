package io.bloomery.cli.console;

import io.bloomery.error.ArgumentException;
import io.bloomery.error.ArgumentException.Argument;
import java.util.Locale;
import java.util.Map;

/** The words of the command for arguments of the library, which are named as in Java. */
public final class ArgumentWords implements ArgumentException.Words {

  /** The words with the value in them. Other arguments are called by the words of their name. */
  private static final Map<String, String> WORDS =
      Map.of(
          "falsePositiveRate", "a rate of %s",
          "expectedKeys", "%s keys",
          "keys", "%s keys",
          "bits", "%s bits",
          "maxBits", "%s bits",
          "totalBits", "%s bits");

  private ArgumentWords() {}

  /** What an exception of the library says, as users of the command understand it. */
  public static String of(IllegalArgumentException e) {
    return e instanceof ArgumentException refused
        ? refused.message(new ArgumentWords())
        : String.valueOf(e.getMessage());
  }

  @Override
  public String argument(Argument argument) {
    String value =
        argument.value() instanceof Number number ? number(number) : argument.value().toString();
    String words = WORDS.get(argument.name());
    return words == null ? apart(argument.name()) + " = " + value : words.formatted(value);
  }

  /** With no more digits than say something. */
  @Override
  public String number(Number number) {
    if (number instanceof Double || number instanceof Float) {
      return String.format(Locale.ROOT, "%.3g", number.doubleValue());
    }
    return String.format(Locale.ROOT, "%,d", number.longValue());
  }

  private static String apart(String name) {
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      words.append(Character.isUpperCase(c) ? " " : "").append(Character.toLowerCase(c));
    }
    return words.toString();
  }
}
