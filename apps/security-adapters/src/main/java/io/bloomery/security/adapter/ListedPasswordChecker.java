package io.bloomery.security.adapter;

import io.bloomery.security.password.PasswordList;
import java.util.Arrays;
import java.util.Objects;
import org.springframework.security.authentication.password.CompromisedPasswordChecker;
import org.springframework.security.authentication.password.CompromisedPasswordDecision;

/**
 * Refuses listed passwords in Spring Security: a bean of this type takes the place of a request to
 * a service on the network. Spring hands passwords over as strings, which nobody can clear; the
 * characters that are copied from them are cleared.
 *
 * <p>Spring also checks passwords at sign-in, so that a user whose password leaked has to change
 * it. A strong password is refused with the list's rate.
 */
public final class ListedPasswordChecker implements CompromisedPasswordChecker {

  private final PasswordList list;

  /**
   * A checker.
   *
   * @param list what is refused
   */
  public ListedPasswordChecker(PasswordList list) {
    this.list = Objects.requireNonNull(list, "list");
  }

  /**
   * Checks a password.
   *
   * @param password the password
   * @return whether the list refuses it
   */
  @Override
  public CompromisedPasswordDecision check(String password) {
    char[] characters = password.toCharArray();
    boolean isRefused = list.check(characters).isPresent();
    Arrays.fill(characters, '\0');
    return new CompromisedPasswordDecision(isRefused);
  }
}
