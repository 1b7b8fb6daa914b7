package io.bloomery.cli.partition;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option for what rows are grouped by: so far always their key. */
final class ByKey {

  /** Accepts only the word {@code key}, and refers users who give a column to {@code --column}. */
  static final class Word implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      if (text.equals("key")) {
        return text;
      }
      throw new TypeConversionException(
          "'" + text + "' is not the word key; --column NAME makes a column the key");
    }
  }

  @Option(
      names = "--by",
      paramLabel = "C",
      converter = Word.class,
      description =
          "Group rows by their key, the only choice so far: a line, or what --column, --json-key"
              + " and so on select from it.")
  private String by = "key";

  /** What rows are grouped by. */
  String word() {
    return by;
  }
}
