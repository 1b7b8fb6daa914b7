package io.bloomery.internal.solve;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Property;
import org.junit.jupiter.api.Test;

/** Linear equations modulo 2^61 - 1; the polynomials are tested by what is coded with them. */
final class PrimeFieldTest {

  /** 400 systems of up to 6 unknowns whose coefficients are 0, 1 or anything. */
  @Test
  void systemsOfZerosAndOnesAreSolved() {
    Property.check(
        31,
        400,
        draw -> {
          int unknowns = draw.between(1, 6);
          long[] expected = new long[unknowns];
          for (int i = 0; i < unknowns; i++) {
            expected[i] = draw.between(0, 1_000_000);
          }
          long[][] rows = new long[draw.between(1, 8)][unknowns + 1];
          for (long[] row : rows) {
            for (int i = 0; i < unknowns; i++) {
              row[i] = draw.between(0, draw.between(0, 1) == 0 ? 1 : 1_000_000);
            }
            row[unknowns] = product(row, expected);
          }
          long[][] given = new long[rows.length][];
          for (int i = 0; i < rows.length; i++) {
            given[i] = rows[i].clone();
          }
          long[] solution = PrimeField.solve(rows, unknowns);
          assertThat(solution).isNotNull();
          for (long[] row : given) {
            assertThat(product(row, solution)).isEqualTo(row[unknowns]);
          }
        });
  }

  @Test
  void rowsThatContradictEachOtherHaveNoSolution() {
    assertThat(PrimeField.solve(new long[][] {{0, 1, 5}, {1, 0, 7}}, 2)).containsExactly(7, 5);
    assertThat(PrimeField.solve(new long[][] {{0, 1, 5}, {0, 2, 11}}, 2)).isNull();
    assertThat(PrimeField.solve(new long[][] {{0, 1, 5}, {0, 2, 10}}, 2)).containsExactly(0, 5);
  }

  private static long product(long[] row, long[] unknowns) {
    long sum = 0;
    for (int i = 0; i < unknowns.length; i++) {
      sum = PrimeField.add(sum, PrimeField.multiply(row[i], unknowns[i]));
    }
    return sum;
  }
}
