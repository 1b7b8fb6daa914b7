package io.bloomery.security.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.security.password.PasswordList;
import io.bloomery.security.password.PasswordOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.authentication.password.CompromisedPasswordException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/** Sign-in by Spring Security itself. */
final class ListedPasswordCheckerTest {

  @TempDir private Path directory;

  @Test
  void springRefusesListedPasswords() throws Exception {
    Path words = Files.writeString(directory.resolve("words"), "letmein\n");
    Path target = directory.resolve("list.bloom");
    PasswordList.build(List.of(words), target, PasswordOptions.DEFAULT.withRate(0x1p-32));
    DaoAuthenticationProvider provider =
        new DaoAuthenticationProvider(
            new InMemoryUserDetailsManager(
                User.withUsername("alice").password("{noop}letmein").roles("user").build(),
                User.withUsername("bob").password("{noop}mauve tuba 7").roles("user").build()));
    provider.setCompromisedPasswordChecker(new ListedPasswordChecker(PasswordList.open(target)));

    Authentication bob = provider.authenticate(attempt("bob", "mauve tuba 7"));
    assertThat(bob.isAuthenticated()).isTrue();
    assertThatThrownBy(() -> provider.authenticate(attempt("alice", "letmein")))
        .isInstanceOf(CompromisedPasswordException.class)
        .hasMessageNotContaining("letmein");
  }

  private static Authentication attempt(String user, String password) {
    return UsernamePasswordAuthenticationToken.unauthenticated(user, password);
  }
}
