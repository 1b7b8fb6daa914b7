package io.bloomery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Assertions and fixtures for commands. */
public final class Runs {

  private Runs() {}

  /** A file with a secret of 16 or 32 characters, readable by its owner only. */
  public static Path secret(Path file, String key) throws IOException {
    Files.writeString(file, key);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  /** Asserts that the command failed with a one-line error that contains all these texts. */
  public static void assertError(Bloom.Run run, String... messages) {
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("bloom: ").contains(messages).hasLineCount(1);
    assertThat(run.out()).isEmpty();
  }
}
