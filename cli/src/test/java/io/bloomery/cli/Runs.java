package io.bloomery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** What must be true of a command that ended, and what it needs. */
public final class Runs {

  private Runs() {}

  /** A file of 16 or 32 characters that nobody else can read. */
  public static Path secret(Path file, String key) throws IOException {
    Files.writeString(file, key);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  /** It printed nothing but one line that says all of this. */
  public static void assertError(Bloom.Run run, String... messages) {
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("bloom: ").contains(messages).hasLineCount(1);
    assertThat(run.out()).isEmpty();
  }
}
