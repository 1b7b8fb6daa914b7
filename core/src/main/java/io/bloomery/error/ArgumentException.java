package io.bloomery.error;

import java.io.Serial;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * An argument that a method does not take. The message names it as the method does, its value and
 * what is allowed; {@link #message(Words)} says the same in other words.
 */
public sealed class ArgumentException extends IllegalArgumentException
    permits ImpossibleSizeException {

  @Serial private static final long serialVersionUID = 1L;

  /**
   * An argument and its value.
   *
   * @param name the name of the method's parameter
   * @param value the value that was passed
   */
  public record Argument(String name, Serializable value) implements Serializable {
    /** Checks that nothing is null. */
    public Argument {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(value, "value");
    }
  }

  /** How a message names arguments and writes numbers. */
  public interface Words {

    /**
     * An argument with its value.
     *
     * @param argument the argument
     * @return what the message says for it
     */
    String argument(Argument argument);

    /**
     * A number that is no argument, such as a limit.
     *
     * @param number the number
     * @return what the message says for it
     */
    String number(Number number);
  }

  /** The words of the library itself. */
  private enum Plain implements Words {
    INSTANCE;

    @Override
    public String argument(Argument argument) {
      return argument.name() + " = " + argument.value();
    }

    @Override
    public String number(Number number) {
      return number.toString();
    }
  }

  private final Serializable[] parts;

  /**
   * A sentence of arguments, numbers, and the text between them.
   *
   * @param parts each an {@link Argument}, a number, or anything else as text
   */
  public ArgumentException(Serializable... parts) {
    super(sentence(Plain.INSTANCE, parts));
    this.parts = parts.clone();
  }

  /**
   * The arguments that the message names, in its order.
   *
   * @return the arguments; the first is the one refused
   */
  public List<Argument> arguments() {
    return Arrays.stream(parts)
        .filter(Argument.class::isInstance)
        .map(Argument.class::cast)
        .toList();
  }

  /**
   * The message in other words.
   *
   * @param words what it says for arguments and numbers
   * @return the message
   */
  public String message(Words words) {
    return sentence(words, parts);
  }

  private static String sentence(Words words, Serializable... parts) {
    return Arrays.stream(parts)
        .map(
            part ->
                part instanceof Argument argument
                    ? words.argument(argument)
                    : part instanceof Number number ? words.number(number) : part.toString())
        .collect(Collectors.joining());
  }
}
