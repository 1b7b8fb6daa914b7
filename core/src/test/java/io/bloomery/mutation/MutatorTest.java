package io.bloomery.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.mutation.Mutation.Operator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules by which mutants are made, and the list of those that change nothing. */
final class MutatorTest {

  private static final Path FILE = Path.of("Sample.java");
  private static final String SOURCE =
      """
      final class Sample {
        static final int SIZE = 0x10;
        @SuppressWarnings("unused") long sum(int[] cells, int from) {
          long sum = 0;
          for (int i = from; i < SIZE; i++) {
            sum += cells[i] & 7L;
            if (sum == from) {
              cells[i] = 1;
            }
          }
          if (sum >= SIZE && from > 3) {
            throw new IllegalStateException("sum " + (sum - 1));
          }
          return sum;
        }
        @Override public String toString() {
          return "a" + (1 + 2);
        }
      }
      """;

  private static List<String> lines(Operator operator) {
    return Mutator.mutations(FILE, SOURCE).stream()
        .filter(mutation -> mutation.operator() == operator)
        .map(mutation -> mutation.after(SOURCE))
        .toList();
  }

  @Test
  void everyRuleMakesItsErrors() {
    assertThat(lines(Operator.ARITHMETIC)).containsExactly("sum += cells[i] | 7L;");
    assertThat(lines(Operator.BOUNDARY))
        .containsExactlyInAnyOrder(
            "for (int i = from; i <= SIZE; i++) {",
            "if (sum > SIZE && from > 3) {",
            "if (sum >= SIZE && from >= 3) {");
    assertThat(lines(Operator.CONSTANT))
        .containsExactlyInAnyOrder(
            "static final int SIZE = 17;",
            "static final int SIZE = 15;",
            "long sum = 1;",
            "long sum = (-1);",
            "sum += cells[i] & 8L;",
            "sum += cells[i] & 6L;",
            "cells[i] = 2;",
            "cells[i] = 0;",
            "if (sum >= SIZE && from > 4) {",
            "if (sum >= SIZE && from > 2) {");
    assertThat(lines(Operator.REMOVAL)).containsExactlyInAnyOrder(";", ";");
    assertThat(lines(Operator.NEGATION))
        .containsExactlyInAnyOrder(
            "if (!((sum == from))) {",
            "if (sum != from) {",
            "if (!((sum >= SIZE && from > 3))) {",
            "if (sum >= SIZE || from > 3) {");
  }

  /** Classes that copied a constant when they were compiled must be compiled with the error. */
  @Test
  void aSharedConstantIsNamed() {
    assertThat(Mutator.mutations(FILE, SOURCE))
        .filteredOn(mutation -> mutation.constant().equals("SIZE"))
        .hasSize(2);
  }

  /** A line that was changed since must be judged again. */
  @Test
  void everyEquivalentMutantStillExists() throws IOException {
    Path sources = Path.of("src", "main", "java");
    for (String key : new Equivalents(Mutants.EQUIVALENTS).keys()) {
      Path file = Path.of(key.substring(0, key.indexOf('\t')));
      String source = Files.readString(sources.resolve(file));
      assertThat(Mutator.mutations(file, source).stream().map(m -> m.key(source)))
          .as("mutants of %s", file)
          .contains(key);
    }
  }
}
