package io.bloomery.secure;

import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.probe.Probes;
import io.bloomery.membership.BloomShape;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Finds the hash behind some positions of {@link IndexScheme#POWERS} among decoys. Those are the
 * upper bits of h · C^(i+1) mod 2^64, a truncated linear sequence: the triples (h · C, h · C², h ·
 * C³) form a lattice, and of three positions in order the nearest lattice point gives h. All
 * ordered triples of a request are tried; a hash counts if all its positions are in the request.
 */
final class LatticeAttack {

  private static final BigInteger WORD = BigInteger.ONE.shiftLeft(64);
  private static final BigInteger MULTIPLIER = new BigInteger("D1342543DE82EF95", 16);
  private static final int DIMENSION = 3;

  private final BloomShape shape;
  private final long[] first = new long[DIMENSION]; // first coordinates of the reduced basis
  private final double[][] inverse; // of the reduced basis
  private final long undo; // C^-1 mod 2^64

  LatticeAttack(BloomShape shape) {
    this.shape = shape;
    BigInteger[][] basis = {
      {BigInteger.ONE, MULTIPLIER, MULTIPLIER.pow(2).mod(WORD)},
      {BigInteger.ZERO, WORD, BigInteger.ZERO},
      {BigInteger.ZERO, BigInteger.ZERO, WORD}
    };
    reduce(basis);
    for (int i = 0; i < DIMENSION; i++) {
      first[i] = basis[i][0].longValue();
    }
    inverse = inverse(basis);
    undo = MULTIPLIER.modInverse(WORD).longValue();
  }

  /** The positions of a hash and random ones, in ascending order. */
  long[] request(long hash, int decoys, SplittableRandom random) {
    TreeSet<Long> all = new TreeSet<>();
    for (long position : positions(hash)) {
      all.add(position);
    }
    int total = all.size() + decoys;
    while (all.size() < total) {
      all.add(random.nextLong(shape.bits()));
    }
    return all.stream().mapToLong(Long::longValue).toArray();
  }

  private long[] positions(long hash) {
    long[] positions = new long[shape.hashesPerKey()];
    new Probes(IndexScheme.POWERS, shape.bits(), shape.hashesPerKey()).indexes(hash, positions);
    return positions;
  }

  /** The hash all of whose positions a request has, if there is one. */
  Optional<Long> hashOf(long[] request) {
    Probes probes = new Probes(IndexScheme.POWERS, shape.bits(), 4);
    long[] found = new long[4];
    double side = 0x1p64 / shape.bits();
    for (long x : request) {
      for (long y : request) {
        for (long z : request) {
          double a = (x + 0.5) * side;
          double b = (y + 0.5) * side;
          double c = (z + 0.5) * side;
          long coordinate = 0;
          for (int i = 0; i < DIMENSION; i++) {
            double factor = a * inverse[0][i] + b * inverse[1][i] + c * inverse[2][i];
            coordinate += Math.round(factor) * first[i];
          }
          long hash = coordinate * undo;
          probes.indexes(hash, found);
          if (found[0] == x && found[1] == y && found[2] == z && has(request, found[3])) {
            boolean all = true;
            for (long position : positions(hash)) {
              all &= has(request, position);
            }
            if (all) {
              return Optional.of(hash);
            }
          }
        }
      }
    }
    return Optional.empty();
  }

  private static boolean has(long[] request, long position) {
    return Arrays.binarySearch(request, position) >= 0;
  }

  /** Lenstra, Lenstra and Lovász 1982, with exact products and the usual 3/4. */
  private static void reduce(BigInteger[][] basis) {
    MathContext precise = new MathContext(80);
    for (int k = 1; k < DIMENSION; ) {
      for (int j = k - 1; j >= 0; j--) {
        BigDecimal[][] orthogonal = orthogonal(basis, precise);
        BigInteger factor =
            dot(decimals(basis[k]), orthogonal[j])
                .divide(dot(orthogonal[j], orthogonal[j]), precise)
                .setScale(0, RoundingMode.HALF_EVEN)
                .toBigInteger();
        for (int i = 0; i < DIMENSION; i++) {
          basis[k][i] = basis[k][i].subtract(factor.multiply(basis[j][i]));
        }
      }
      BigDecimal[][] orthogonal = orthogonal(basis, precise);
      BigDecimal before = dot(orthogonal[k - 1], orthogonal[k - 1]);
      BigDecimal mu = dot(decimals(basis[k]), orthogonal[k - 1]).divide(before, precise);
      BigDecimal least =
          new BigDecimal("0.75").subtract(mu.multiply(mu, precise)).multiply(before, precise);
      if (dot(orthogonal[k], orthogonal[k]).compareTo(least) >= 0) {
        k++;
      } else {
        BigInteger[] swapped = basis[k];
        basis[k] = basis[k - 1];
        basis[k - 1] = swapped;
        k = Math.max(k - 1, 1);
      }
    }
  }

  private static BigDecimal[][] orthogonal(BigInteger[][] basis, MathContext precise) {
    BigDecimal[][] orthogonal = new BigDecimal[DIMENSION][];
    for (int i = 0; i < DIMENSION; i++) {
      orthogonal[i] = decimals(basis[i]);
      for (int j = 0; j < i; j++) {
        BigDecimal mu =
            dot(decimals(basis[i]), orthogonal[j])
                .divide(dot(orthogonal[j], orthogonal[j]), precise);
        for (int c = 0; c < DIMENSION; c++) {
          orthogonal[i][c] =
              orthogonal[i][c].subtract(mu.multiply(orthogonal[j][c], precise), precise);
        }
      }
    }
    return orthogonal;
  }

  private static BigDecimal[] decimals(BigInteger[] row) {
    return Arrays.stream(row).map(BigDecimal::new).toArray(BigDecimal[]::new);
  }

  private static BigDecimal dot(BigDecimal[] a, BigDecimal[] b) {
    BigDecimal sum = BigDecimal.ZERO;
    for (int i = 0; i < DIMENSION; i++) {
      sum = sum.add(a[i].multiply(b[i]));
    }
    return sum;
  }

  /** The inverse of a matrix of three rows, by cofactors. */
  private static double[][] inverse(BigInteger[][] m) {
    double[][] inverse = new double[DIMENSION][DIMENSION];
    BigDecimal determinant =
        new BigDecimal(
            m[0][0]
                .multiply(minor(m, 0, 0))
                .subtract(m[0][1].multiply(minor(m, 0, 1)))
                .add(m[0][2].multiply(minor(m, 0, 2))));
    for (int i = 0; i < DIMENSION; i++) {
      for (int j = 0; j < DIMENSION; j++) {
        BigDecimal cofactor = new BigDecimal(minor(m, j, i));
        double entry = cofactor.divide(determinant, MathContext.DECIMAL64).doubleValue();
        inverse[i][j] = (i + j) % 2 == 0 ? entry : -entry;
      }
    }
    return inverse;
  }

  private static BigInteger minor(BigInteger[][] m, int row, int column) {
    int a = row == 0 ? 1 : 0;
    int b = row == 2 ? 1 : 2;
    int c = column == 0 ? 1 : 0;
    int d = column == 2 ? 1 : 2;
    return m[a][c].multiply(m[b][d]).subtract(m[a][d].multiply(m[b][c]));
  }
}
