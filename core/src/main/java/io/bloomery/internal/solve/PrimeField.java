package io.bloomery.internal.solve;

import io.bloomery.internal.probe.Mix;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Numbers modulo the prime 2^61 − 1, and polynomials over them: arrays of coefficients, the
 * constant first, without leading zeros.
 */
public final class PrimeField {

  /** The prime. */
  public static final long P = (1L << 61) - 1;

  private static final int BITS = 61;

  private PrimeField() {}

  /** The product. */
  public static long multiply(long a, long b) {
    long high = Math.multiplyHigh(a, b);
    long low = a * b;
    // Folds twice instead of comparing, which the processor could not predict. The product of two
    // numbers below P is never P itself.
    long sum = (low & P) + ((low >>> BITS) | (high << (Long.SIZE - BITS)));
    return (sum & P) + (sum >>> BITS);
  }

  /** The sum. */
  public static long add(long a, long b) {
    long sum = a + b - P;
    return sum + ((sum >> 63) & P);
  }

  /** The difference. */
  public static long subtract(long a, long b) {
    long difference = a - b;
    return difference + ((difference >> 63) & P);
  }

  /** The inverse of a number other than 0: its power of P − 2. */
  public static long invert(long a) {
    long power = 1;
    for (int bit = BITS - 1; bit >= 0; bit--) {
      power = multiply(power, power);
      if (((P - 2) >>> bit & 1) != 0) {
        power = multiply(power, a);
      }
    }
    return power;
  }

  /**
   * Solves a system of linear equations, each row with its right side last; null if it has no
   * solution. Unknowns that the rows do not determine are 0. The rows change.
   */
  public static long @Nullable [] solve(long[][] rows, int unknowns) {
    int[] pivots = new int[unknowns];
    int rank = 0;
    for (int column = 0; column < unknowns; column++) {
      int pivot = rank;
      while (pivot < rows.length && rows[pivot][column] == 0) {
        pivot++;
      }
      if (pivot < rows.length) {
        long[] row = rows[pivot];
        rows[pivot] = rows[rank];
        rows[rank] = row;
        scale(row, column, invert(row[column]));
        for (int i = rank + 1; i < rows.length; i++) {
          if (rows[i][column] != 0) {
            subtractMultiple(rows[i], row, column, rows[i][column]);
          }
        }
        pivots[rank++] = column;
      }
    }
    for (int i = rank; i < rows.length; i++) {
      if (rows[i][unknowns] != 0) {
        return null;
      }
    }
    long[] solution = new long[unknowns];
    for (int i = rank - 1; i >= 0; i--) {
      long sum = rows[i][unknowns];
      for (int column = pivots[i] + 1; column < unknowns; column++) {
        sum = subtract(sum, multiply(rows[i][column], solution[column]));
      }
      solution[pivots[i]] = sum;
    }
    return solution;
  }

  private static void scale(long[] row, int from, long factor) {
    for (int i = from; i < row.length; i++) {
      row[i] = multiply(row[i], factor);
    }
  }

  private static void subtractMultiple(long[] row, long[] other, int from, long factor) {
    for (int i = from; i < row.length; i++) {
      row[i] = subtract(row[i], multiply(other[i], factor));
    }
  }

  /** The remainder of a polynomial by a monic one. */
  public static long[] remainder(long[] dividend, long[] monic) {
    long[] rest = dividend.clone();
    int degree = monic.length - 1;
    for (int top = rest.length - 1; top >= degree; top--) {
      long factor = rest[top];
      if (factor != 0) {
        for (int i = 0; i <= degree; i++) {
          rest[top - degree + i] = subtract(rest[top - degree + i], multiply(factor, monic[i]));
        }
      }
    }
    return trimmed(rest);
  }

  /** The quotient of a polynomial by a monic one that divides it. */
  public static long[] quotient(long[] dividend, long[] monic) {
    long[] rest = dividend.clone();
    int degree = monic.length - 1;
    long[] quotient = new long[dividend.length - degree];
    for (int top = rest.length - 1; top >= degree; top--) {
      long factor = rest[top];
      quotient[top - degree] = factor;
      for (int i = 0; i <= degree; i++) {
        rest[top - degree + i] = subtract(rest[top - degree + i], multiply(factor, monic[i]));
      }
    }
    return quotient;
  }

  /** The monic greatest common divisor; empty if both are zero. */
  public static long[] divisor(long[] a, long[] b) {
    long[] x = monic(trimmed(a));
    long[] y = monic(trimmed(b));
    while (y.length > 0) {
      long[] rest = x.length < y.length ? x : remainder(x, y);
      x = y;
      y = monic(rest);
    }
    return x;
  }

  private static long[] monic(long[] polynomial) {
    if (polynomial.length == 0 || polynomial[polynomial.length - 1] == 1) {
      return polynomial;
    }
    long[] scaled = polynomial.clone();
    scale(scaled, 0, invert(polynomial[polynomial.length - 1]));
    return scaled;
  }

  private static long[] trimmed(long[] polynomial) {
    int length = polynomial.length;
    while (length > 0 && polynomial[length - 1] == 0) {
      length--;
    }
    return length == polynomial.length ? polynomial : Arrays.copyOf(polynomial, length);
  }

  private static long[] product(long[] a, long[] b, long[] monic) {
    if (a.length == 0 || b.length == 0) {
      return new long[0];
    }
    long[] product = new long[a.length + b.length - 1];
    for (int i = 0; i < a.length; i++) {
      for (int j = 0; j < b.length; j++) {
        product[i + j] = add(product[i + j], multiply(a[i], b[j]));
      }
    }
    return remainder(product, monic);
  }

  /**
   * All roots of a monic polynomial; null if it does not have as many distinct nonzero ones as its
   * degree.
   */
  public static long @Nullable [] roots(long[] polynomial) {
    int degree = polynomial.length - 1;
    if (degree == 0) {
      return new long[0];
    }
    // x^P = x for the numbers of the field and no others: x^(2^61) is x², for all roots or not.
    long[] x = remainder(new long[] {0, 1}, polynomial);
    long[] power = x;
    for (int i = 0; i < BITS; i++) {
      power = product(power, power, polynomial);
    }
    if (polynomial[0] == 0 || !Arrays.equals(power, product(x, x, polynomial))) {
      return null;
    }
    long[] roots = new long[degree];
    return split(polynomial, roots, 0, 1) == degree ? roots : null;
  }

  /** Cantor and Zassenhaus: half of all numbers are squares, wherever the polynomial is shifted. */
  private static int split(long[] polynomial, long[] roots, int count, long draw) {
    if (polynomial.length == 2) {
      roots[count] = subtract(0, polynomial[0]);
      return count + 1;
    }
    long[] part = polynomial;
    long shift = draw;
    while (part.length == polynomial.length || part.length <= 1) {
      shift++;
      long[] shifted = {Mix.mix(shift) & (P >>> 1), 1};
      // The power of 2^60 − 1, which is 1 for squares and −1 for others.
      long[] power = remainder(shifted, polynomial);
      for (int i = 1; i < BITS - 1; i++) {
        power = product(product(power, power, polynomial), shifted, polynomial);
      }
      long[] minusOne = Arrays.copyOf(power, Math.max(1, power.length));
      minusOne[0] = subtract(minusOne[0], 1);
      part = divisor(polynomial, minusOne);
    }
    int found = split(part, roots, count, shift);
    return split(quotient(polynomial, part), roots, found, shift);
  }
}
