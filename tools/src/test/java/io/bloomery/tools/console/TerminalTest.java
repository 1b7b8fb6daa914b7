package io.bloomery.tools.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TerminalTest {

  @Test
  void theTerminalIsAskedOnceAndOnlyForWhatItShows() {
    AtomicInteger asked = new AtomicInteger();
    Terminal terminal =
        new Terminal(
            Map.of(),
            () -> {
              asked.incrementAndGet();
              return "50 132\n";
            });
    assertThat(terminal.size(false)).isEqualTo(Terminal.USUAL);
    assertThat(asked).hasValue(0);
    assertThat(terminal.size(true)).isEqualTo(new Terminal.Size(132, 50));
    assertThat(terminal.size(true)).isEqualTo(new Terminal.Size(132, 50));
    assertThat(asked).hasValue(1);
  }

  @ParameterizedTest
  @CsvSource({"60,60", "1,30", "99999,1000", "0,80", "-5,80", "wide,80", "9999999999,80", "'',80"})
  void theEnvironmentComesFirstIfItIsANumber(String columns, int expected) {
    Terminal terminal = new Terminal(Map.of("COLUMNS", columns), () -> "24 80");
    assertThat(terminal.size(false).columns()).isEqualTo(expected);
    assertThat(terminal.size(true).columns()).isEqualTo(expected);
    Terminal both =
        new Terminal(
            Map.of("COLUMNS", "70", "LINES", "33"),
            () -> {
              throw new AssertionError("asked in vain");
            });
    assertThat(both.size(true)).isEqualTo(new Terminal.Size(70, 33));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0 0", "stty: /dev/tty: no such device", "24", "a b", "-1 -1"})
  void aTerminalThatSaysNothingIsOfTheUsualSize(String answer) {
    assertThat(new Terminal(Map.of(), () -> answer).size(true)).isEqualTo(Terminal.USUAL);
  }
}
