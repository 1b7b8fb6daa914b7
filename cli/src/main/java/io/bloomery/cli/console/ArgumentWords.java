package io.bloomery.cli.console;

import io.bloomery.error.ArgumentException;
import io.bloomery.error.ArgumentException.Argument;
import java.util.Locale;
import java.util.Map;

/** Names the library's arguments, which have Java names, in the words of the command line. */
public final class ArgumentWords implements ArgumentException.Words {

  /** Phrases that hold the value. Any other argument is named by the words of its Java name. */
  private static final Map<String, String> WORDS =
      Map.of(
          "falsePositiveRate", "a rate of %s",
          "expectedKeys", "%s keys",
          "keys", "%s keys",
          "bits", "%s bits",
          "maxBits", "%s bits",
          "totalBits", "%s bits");

  private ArgumentWords() {}

  /** The message of a library exception in the words of the command line. */
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
    if (words == null) {
      return apart(argument.name()) + " = " + value;
    }
    return (value.equals("1") ? words.replaceFirst("s$", "") : words).formatted(value); // 1 key
  }

  /** Fractions are rounded to three significant digits. */
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
