package io.bloomery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class MainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void versionNamesTheProgram() {
    assertThat(bloom("--version")).isZero();
    assertThat(out.toString()).startsWith("bloom ");
  }

  @Test
  void helpGoesToStandardOutput() {
    assertThat(bloom("--help")).isZero();
    assertThat(out.toString()).contains("Usage: bloom");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void noCommandIsAnErrorThatShowsTheUsage() {
    assertThat(bloom()).isEqualTo(Main.USAGE);
    assertThat(err.toString()).contains("Missing command").contains("Usage: bloom");
    assertThat(out.toString()).isEmpty();
  }

  private int bloom(String... args) {
    return Main.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(args);
  }
}
