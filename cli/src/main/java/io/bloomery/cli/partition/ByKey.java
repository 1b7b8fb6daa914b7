package io.bloomery.cli.partition;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option that says by what rows belong together, so far always by their key. */
final class ByKey {

  /** Accepts the word alone, and sends names of columns where they belong. */
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
          "Rows belong together by their key, the only choice here: a line, or what --column,"
              + " --json-key and so on make of it.")
  private String by = "key";

  /** What rows belong together by. */
  String word() {
    return by;
  }
}
