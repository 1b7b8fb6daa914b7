package io.bloomery.error;

import java.io.Serial;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * An argument is invalid. The message gives the parameter's name, its value and the allowed range;
 * {@link #message(Words)} phrases it with other names.
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

  /** How a message refers to arguments and formats numbers. */
  public interface Words {

    /**
     * An argument with its value.
     *
     * @param argument the argument
     * @return its text in the message
     */
    String argument(Argument argument);

    /**
     * A number that is not an argument, such as a limit.
     *
     * @param number the number
     * @return its text in the message
     */
    String number(Number number);
  }

  /** The library's own names. */
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
   * The arguments that the message mentions, in order.
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
   * The message with other names.
   *
   * @param words how it refers to arguments and numbers
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
