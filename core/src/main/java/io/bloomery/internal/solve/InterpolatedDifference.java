package io.bloomery.internal.solve;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds all remaining keys of a difference at once. The products of z − x over the sets of both
 * sides, divided by each other, are values of the quotient of two polynomials, whose roots are the
 * numbers x of the keys that only one side has. As many values as there are such keys determine
 * both (Minsky, Trachtenberg and Zippel 2003, sec. 3). The numbers determine which symbols each key
 * is in, and with which factor, which yields a linear system whose solution is the keys.
 */
public final class InterpolatedDifference {

  // With exactly this many values there is none left to confirm a solution, but later steps detect
  // a wrong one: its polynomials have no roots, or its keys other numbers.
  private static final int UNCONFIRMED = 12;

  private final long[] ids;
  private final int theirs;

  private InterpolatedDifference(long[] theirIds, long[] ourIds) {
    this.theirs = theirIds.length;
    this.ids = Arrays.copyOf(theirIds, theirs + ourIds.length);
    System.arraycopy(ourIds, 0, ids, theirs, ourIds.length);
  }

  /** How many keys. */
  public int size() {
    return ids.length;
  }

  /** The number of key {@code i}. */
  public long id(int i) {
    return ids[i];
  }

  /** 1 for a key that only the other side has, −1 for one that only this side has. */
  public int sign(int i) {
    return i < theirs ? 1 : -1;
  }

  /**
   * The numbers of the keys that only one side has, from the products of both sides at the points
   * 1, 2, …, and the number of their keys minus that of ours; null if these do not suffice.
   */
  public static @Nullable InterpolatedDifference find(
      long[] theirProducts, long[] ourProducts, int points, long surplus) {
    long most = points - ((points - surplus) & 1);
    if (most == points && points > UNCONFIRMED) {
      most -= 2;
    }
    if (Math.abs(surplus) > most) {
      return null;
    }
    int theirs = (int) (most + surplus) / 2;
    int ours = (int) (most - surplus) / 2;
    long[][] rows = new long[points][];
    for (int i = 0; i < points; i++) {
      rows[i] = row(i + 1L, theirProducts[i], ourProducts[i], theirs, ours);
    }
    long[] solution = PrimeField.solve(rows, theirs + ours);
    if (solution == null) {
      return null;
    }
    long[] numerator = Arrays.copyOf(solution, theirs + 1);
    long[] denominator = Arrays.copyOfRange(solution, theirs, theirs + ours + 1);
    numerator[theirs] = 1;
    denominator[ours] = 1;
    long[] common = PrimeField.divisor(numerator, denominator);
    long[] theirIds = PrimeField.roots(PrimeField.quotient(numerator, common));
    if (theirIds == null) {
      return null;
    }
    long[] ourIds = PrimeField.roots(PrimeField.quotient(denominator, common));
    return ourIds == null ? null : new InterpolatedDifference(theirIds, ourIds);
  }

  /** b·P(z) = a·Q(z) for monic P and Q, the coefficients of which are unknown. */
  private static long[] row(long z, long a, long b, int degreeP, int degreeQ) {
    long[] row = new long[degreeP + degreeQ + 1];
    long power = b;
    for (int i = 0; i < degreeP; i++) {
      row[i] = power;
      power = PrimeField.multiply(power, z);
    }
    long right = PrimeField.subtract(0, power);
    power = PrimeField.subtract(0, a);
    for (int i = 0; i < degreeQ; i++) {
      row[degreeP + i] = power;
      power = PrimeField.multiply(power, z);
    }
    row[degreeP + degreeQ] = PrimeField.subtract(right, power);
    return row;
  }

  /** The words of all keys, from the symbols that they are in; null if these do not suffice. */
  public long @Nullable [][] solve(long[] cells, int symbols, int keyWords) {
    int coefficients = (ids.length + Long.BYTES - 1) / Long.BYTES;
    int stride = SymbolMapping.KEY + keyWords;
    Map<Integer, long[]> rows = new HashMap<>();
    for (int key = 0; key < ids.length; key++) {
      long state = SymbolMapping.start(ids[key]);
      for (int next = 0; next < symbols; next = SymbolMapping.next(next, state)) {
        long[] row = rows.get(next);
        if (row == null) {
          row = new long[coefficients + keyWords];
          int at = next * stride + SymbolMapping.KEY;
          System.arraycopy(cells, at, row, coefficients, keyWords);
          rows.put(next, row);
        }
        int factor = SymbolMapping.factor(ids[key], next);
        row[key / Long.BYTES] |= (long) factor << (key % Long.BYTES * Byte.SIZE);
        state = SymbolMapping.advance(state);
      }
    }
    return solve(rows.values().toArray(long[][]::new), coefficients);
  }

  private long @Nullable [][] solve(long[][] rows, int coefficients) {
    for (int key = 0; key < ids.length; key++) {
      int pivot = key;
      while (pivot < rows.length && factor(rows[pivot], key) == 0) {
        pivot++;
      }
      if (pivot == rows.length) {
        return null;
      }
      long[] row = rows[pivot];
      rows[pivot] = rows[key];
      rows[key] = row;
      int inverse = ByteField.invert(factor(row, key));
      for (int i = 0; i < row.length; i++) {
        row[i] = ByteField.multiply(row[i], inverse);
      }
      for (int other = 0; other < rows.length; other++) {
        int factor = other == key ? 0 : factor(rows[other], key);
        for (int i = 0; i < row.length && factor != 0; i++) {
          rows[other][i] ^= ByteField.multiply(row[i], factor);
        }
      }
    }
    long[][] keys = new long[ids.length][];
    for (int key = 0; key < keys.length; key++) {
      keys[key] = Arrays.copyOfRange(rows[key], coefficients, rows[key].length);
    }
    return keys;
  }

  private static int factor(long[] row, int key) {
    return (int) (row[key / Long.BYTES] >>> (key % Long.BYTES * Byte.SIZE)) & 0xFF;
  }
}
