package io.bloomery.sync;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What tables hold follows from the lengths of both sides' keys. */
final class TermsTest {

  private static Greeting greeting(long keys, int shortest, int longest) {
    return new Greeting(SetReconciliation.Method.RATELESS, false, keys, shortest, longest, 0, 0);
  }

  private static Terms terms(Greeting one, Greeting other) {
    Terms terms = Terms.of(1, one, other);
    assertThat(Terms.of(1, other, one)).isEqualTo(terms);
    return terms;
  }

  /** Keys of one length on both sides need no length of their own in a table. */
  @ParameterizedTest
  @CsvSource({
    "8, 8, 8, 8, 8, false",
    "1, 1, 1, 1, 1, false",
    "24, 24, 24, 24, 24, false",
    "8, 8, 9, 9, 9, true",
    "8, 9, 9, 9, 9, true",
    "0, 1, 1, 1, 1, true"
  })
  void lengthsDecideWhatTablesHold(
      int shortest, int longest, int otherShortest, int otherLongest, int bytes, boolean variable) {
    Terms terms = terms(greeting(5, shortest, longest), greeting(6, otherShortest, otherLongest));
    assertThat(terms.elements()).isEqualTo(new InvertibleShape.KeyFormat(bytes, variable));
    assertThat(terms.symbolBytes(2)).isEqualTo(2L * (9 + (variable ? bytes + 1 : bytes)));
    assertThat(terms.isFixed()).isEqualTo(!variable);
    assertThat(terms.hashed()).isFalse();
    assertThat(terms.keys()).isEqualTo(11);
  }

  @Test
  void longKeysAreHashed() {
    Terms terms = terms(greeting(5, 25, 25), greeting(6, 25, 25));
    assertThat(terms.hashed()).isTrue();
    assertThat(terms.elements()).isEqualTo(InvertibleShape.KeyFormat.LONGS);
    assertThat(terms.isFixed()).isTrue();
  }

  /** A responder works for its own keys, four times as many of its peer's, and 65,536. */
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0, 1024",
    "11000000, 0, 65536, 132096",
    "11000000, 1000, 70536, 142096",
    "70000, 1000, 70536, 142096",
    "1000, 11000000, 11001000, 22003024",
    "1000000, 1000000, 2000000, 4001024",
    "2147483647, 2147483647, 33554432, 67108864"
  })
  void claimsAreBelievedUpToAPoint(long initiator, long responder, long difference, int symbols) {
    Terms terms = Terms.of(1, greeting(initiator, 8, 8), greeting(responder, 8, 8));
    assertThat(terms.mostDifference()).isEqualTo(difference);
    assertThat(terms.mostSymbols()).isEqualTo(symbols);
  }

  /** An empty set has no lengths, so the other side's count. */
  @Test
  void anEmptySetHasNoSay() {
    Terms terms = terms(greeting(5, 7, 7), greeting(0, 0, 0));
    assertThat(terms.elements()).isEqualTo(InvertibleShape.KeyFormat.fixed(7));
    assertThat(terms.isFixed()).isTrue();
    assertThat(terms(greeting(0, 0, 0), greeting(0, 0, 0)).isFixed()).isFalse();
  }
}
