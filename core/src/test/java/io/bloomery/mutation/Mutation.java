package io.bloomery.mutation;

import java.nio.file.Path;

/**
 * One small error in a source file: characters {@code from} to {@code to} become other text.
 *
 * @param file the source file, relative to the root of main sources
 * @param operator which rule made it
 * @param from the first replaced character
 * @param to the character after the last replaced one
 * @param text what stands there instead
 * @param constant the name of the constant of other classes that this changes, or ""
 */
record Mutation(Path file, Operator operator, int from, int to, String text, String constant) {

  /** Kinds of errors, each drawn equally often. */
  enum Operator {
    ARITHMETIC,
    BOUNDARY,
    CONSTANT,
    REMOVAL,
    NEGATION
  }

  /** The source with the error in it. */
  String applyTo(String source) {
    return source.substring(0, from) + text + source.substring(to);
  }

  /** The number of its line, from 1 on. */
  int line(String source) {
    return (int) source.substring(0, from).chars().filter(c -> c == '\n').count() + 1;
  }

  /** The changed lines as they were, on one line. */
  String before(String source) {
    return oneLine(source, to);
  }

  /** The changed lines as they become, on one line. */
  String after(String source) {
    return oneLine(applyTo(source), from + text.length());
  }

  private String oneLine(String source, int end) {
    int first = source.lastIndexOf('\n', from - 1) + 1;
    int last = source.indexOf('\n', end);
    return source
        .substring(first, last < 0 ? source.length() : last)
        .strip()
        .replaceAll("\\s+", " ");
  }

  /** How the list of equivalent mutants names it: independent of line numbers. */
  String key(String source) {
    return "%s\t%s\t%s"
        .formatted(file.toString().replace('\\', '/'), before(source), after(source));
  }
}
