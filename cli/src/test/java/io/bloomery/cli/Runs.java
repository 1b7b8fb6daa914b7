package io.bloomery.cli;

import static org.assertj.core.api.Assertions.assertThat;

/** What must be true of a command that ended. */
public final class Runs {

  private Runs() {}

  /** It printed nothing but one line that says all of this. */
  public static void assertError(Bloom.Run run, String... messages) {
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("bloom: ").contains(messages).hasLineCount(1);
    assertThat(run.out()).isEmpty();
  }
}
