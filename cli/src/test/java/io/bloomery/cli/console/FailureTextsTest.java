package io.bloomery.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.ConstructionException;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.StandardOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

/** What the library found out is said in its own words, and nothing of it is unexpected. */
final class FailureTextsTest {

  @Test
  void keysOfWhichNoFilterCanBeBuilt() {
    assertThat(text(new ConstructionException("7 keys could not be placed; a secret key helps")))
        .isEqualTo(
            "bloom: 7 keys could not be placed; a secret key helps"
                + " (bloom build --secret-file FILE)\n");
  }

  @Test
  void aFileThatWasTruncatedWhileInUse() {
    assertThat(text(new UncheckedIOException(new IOException("the mapped file was truncated"))))
        .isEqualTo("bloom: the mapped file was truncated\n");
  }

  private static String text(Throwable e) {
    StringWriter err = new StringWriter();
    Console console =
        new Console(
            InputStream.nullInputStream(),
            new StandardOutput(OutputStream.nullOutputStream()),
            new PrintWriter(err, true),
            () -> false,
            () -> false);
    assertThat(Failures.report(console, e)).isEqualTo(2);
    return err.toString();
  }
}
