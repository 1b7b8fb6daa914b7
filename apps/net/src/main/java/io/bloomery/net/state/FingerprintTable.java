package io.bloomery.net.state;

/**
 * Fingerprints with states in a d-left hash table of four subtables, buckets of eight cells, three
 * quarters of them expected to be taken.
 */
final class FingerprintTable extends StateTable {

  private static final int TABLES = 4;
  private static final int SLOTS = 8;
  private static final int EXPECTED = 6; // of a bucket
  private static final int STATE_BITS = 4;
  private static final int AGE = 1 << STATE_BITS; // put since the last age()
  private static final int LEAST_FINGERPRINT = 4;
  private static final int MOST_FINGERPRINT = 24;
  private static final long[] PRIMES = {10_007, 13_499, 17_321, 25_301, 28_657, 30_011, 31_607};

  private final Cells cells;
  private final long buckets; // of a subtable
  private final long[] multipliers = new long[TABLES];
  private final int fingerprintBits;
  private final long[] places = new long[TABLES]; // of the last flow: the first cell of its buckets
  private final int[] fingerprints = new int[TABLES];
  private long stored;

  FingerprintTable(long flows, long bits) {
    buckets = Math.max(1, flows / (TABLES * EXPECTED));
    long count = TABLES * SLOTS * buckets;
    long width = bits / count - STATE_BITS - 1;
    fingerprintBits = (int) Math.max(LEAST_FINGERPRINT, Math.min(MOST_FINGERPRINT, width));
    cells = new Cells(count, fingerprintBits + STATE_BITS + 1);
    int used = 0;
    for (int i = 0; used < TABLES; i++) {
      if (buckets % PRIMES[i] != 0) { // then products with it are a permutation
        multipliers[used++] = PRIMES[i];
      }
    }
  }

  /** The cell of a flow, or -1; afterwards its buckets are known. */
  private long find(long hash) {
    long range = buckets << fingerprintBits;
    long number = Math.multiplyHigh(hash >>> 1, range << 1);
    long found = -1;
    for (int i = 0; i < TABLES; i++) {
      long x = number * multipliers[i] % range;
      places[i] = (i * buckets + (x >>> fingerprintBits)) * SLOTS;
      fingerprints[i] = (int) (x & ((1L << fingerprintBits) - 1));
      for (int j = 0; j < SLOTS && found < 0; j++) {
        int cell = cells.get(places[i] + j);
        if ((cell & (AGE - 1)) != ABSENT && cell >>> (STATE_BITS + 1) == fingerprints[i]) {
          found = places[i] + j;
        }
      }
    }
    return found;
  }

  @Override
  int get(long hash) {
    long at = find(hash);
    return at < 0 ? ABSENT : cells.get(at) & (AGE - 1);
  }

  @Override
  void put(long hash, int before, int state) {
    long at = find(hash);
    if (at >= 0) {
      cells.set(at, (cells.get(at) & -AGE) | AGE | state);
      return;
    }
    int best = -1;
    int most = 0;
    long free = -1;
    for (int i = 0; i < TABLES; i++) {
      int empty = 0;
      long last = -1;
      for (int j = 0; j < SLOTS; j++) {
        if ((cells.get(places[i] + j) & (AGE - 1)) == ABSENT) {
          empty++;
          last = places[i] + j;
        }
      }
      if (empty > most) {
        most = empty;
        best = i;
        free = last;
      }
    }
    if (best < 0) {
      lose();
    } else {
      cells.set(free, (fingerprints[best] << (STATE_BITS + 1)) | AGE | state);
      stored++;
    }
  }

  @Override
  void remove(long hash, int before) {
    long at = find(hash);
    if (at >= 0) {
      cells.set(at, 0);
      stored--;
    }
  }

  @Override
  void age() {
    for (long i = 0; i < cells.count(); i++) {
      int cell = cells.get(i);
      if ((cell & (AGE - 1)) != ABSENT) {
        boolean isOld = (cell & AGE) == 0;
        cells.set(i, isOld ? 0 : cell & ~AGE);
        stored -= isOld ? 1 : 0;
      }
    }
  }

  @Override
  long bits() {
    return cells.bits();
  }

  /** The probability that an absent flow is taken for another one. */
  double falsePositiveRate() {
    return (double) stored / (buckets << fingerprintBits);
  }
}
