package io.bloomery.cli.security;

import io.bloomery.security.password.PasswordList;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.file.Path;

/** Failures of lists as one line. */
final class ListProblem {

  private ListProblem() {}

  /** A failure with a file; a message of the list itself names its place already. */
  static Problem of(Path file, IOException e) {
    return e.getClass() == IOException.class
        ? new Problem(String.valueOf(e.getMessage()))
        : Problem.with(file, e);
  }

  /** Opens a list of passwords. */
  static PasswordList open(Path file) {
    SigningKeys.requireFile(file);
    try {
      return PasswordList.open(file);
    } catch (IOException e) {
      throw of(file, e);
    }
  }
}
