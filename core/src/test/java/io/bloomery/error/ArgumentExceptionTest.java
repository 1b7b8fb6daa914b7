package io.bloomery.error;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.bloomery.deletable.CuckooShape;
import io.bloomery.error.ArgumentException.Argument;
import io.bloomery.membership.BloomShape;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.junit.jupiter.api.Test;

final class ArgumentExceptionTest {

  private static final ArgumentException.Words OTHER =
      new ArgumentException.Words() {
        @Override
        public String argument(Argument argument) {
          return "<" + argument.name() + ":" + argument.value() + ">";
        }

        @Override
        public String number(Number number) {
          return "#" + number;
        }
      };

  private static ArgumentException refusal() {
    return catchThrowableOfType(
        ArgumentException.class, () -> BloomShape.forKeys(60_000_000_000L, 1e-17));
  }

  @Test
  void aRefusalNamesItsArguments() {
    ArgumentException e = refusal();
    assertThat(e)
        .hasMessageStartingWith("falsePositiveRate = 1.0E-17 for expectedKeys = 60000000000 is");
    assertThat(e.arguments())
        .containsExactly(
            new Argument("falsePositiveRate", 1e-17),
            new Argument("expectedKeys", 60_000_000_000L));
  }

  @Test
  void itSaysTheSameInOtherWords() {
    ArgumentException e =
        catchThrowableOfType(ArgumentException.class, () -> CuckooShape.forBudget(100, 1));
    assertThat(e.getMessage()).isEqualTo("bits = 1 is outside the allowed range 32 … 137438952384");
    assertThat(e.message(OTHER))
        .isEqualTo("<bits:1> is outside the allowed range #32 … #137438952384");
    assertThat(new ArgumentException("nothing at ", 1, " all").message(OTHER))
        .isEqualTo("nothing at #1 all");
  }

  @Test
  void itTravelsBetweenProcesses() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(refusal());
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      ArgumentException read = (ArgumentException) in.readObject();
      assertThat(read).hasMessage(refusal().getMessage());
      assertThat(read.message(OTHER)).isEqualTo(refusal().message(OTHER));
    }
  }
}
