package io.bloomery.cli.net;

import io.bloomery.net.flows.FlowOptions.By;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option that says what packets of a flow have in common. */
final class ByOption {

  /** Its values, for completion. */
  static final class Values implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of("src", "dst", "pair", "5tuple").iterator();
    }
  }

  /** Reads a value. */
  static final class Converter implements ITypeConverter<By> {
    @Override
    public By convert(String text) {
      return switch (text) {
        case "src" -> By.SRC;
        case "dst" -> By.DST;
        case "pair" -> By.PAIR;
        case "5tuple" -> By.TUPLE;
        default ->
            throw new TypeConversionException("'" + text + "' is not src, dst, pair or 5tuple");
      };
    }
  }

  @Option(
      names = "--by",
      paramLabel = "WHAT",
      converter = Converter.class,
      completionCandidates = Values.class,
      description =
          "What packets of a flow have in common: src, dst (an address), pair (both addresses) or"
              + " 5tuple (addresses, ports and protocol). Default: 5tuple.")
  private By by = By.TUPLE;

  By by() {
    return by;
  }
}
