package io.bloomery.sync;

import io.bloomery.FilterFormatException;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.probe.Mix;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;

/**
 * Estimates the number of keys that only one of two sets has, from a few thousand bytes of each
 * side, to size an {@link InvertibleTable}.
 *
 * <p>Half of all keys are in stratum 0, a quarter in stratum 1, and so on; each stratum is a small
 * invertible table of 32-bit hashes. In the difference of two estimators, the upper strata can be
 * decoded because they hold few keys; their number, scaled by the share of keys in those strata, is
 * the estimate. It is unbiased. If all strata are decoded, which holds for up to about 30 keys, it
 * is exact. Otherwise its standard deviation is about 12 % with the usual 60 cells per stratum, and
 * falls with the square root of the cells.
 *
 * <p>It is not a filter, has no file, and is not compressed further: its bytes are for a message.
 * Two estimators of a million keys take 7 kB each.
 *
 * <p>Threads: needs a lock.
 *
 * <p>Eppstein, Goodrich, Uyeda and Varghese 2011, "What's the Difference? Efficient Set
 * Reconciliation without Prior Context", sec. 4.2. Deviation: cells hold 32 bits of a hash instead
 * of the key, checksums of 16 bits and counts modulo 256, 7 bytes in place of 12 or more; a cell
 * counts as a single hash only if the hash also belongs to that cell.
 */
public final class StrataEstimator {

  /** The number of strata. */
  public static final int STRATA = 32;

  /** The usual number of cells per stratum. */
  public static final int CELLS = 60;

  /** The most cells per stratum. */
  public static final int MAX_CELLS = 240;

  private static final int HASHES = 4;
  private static final String SOURCE = "strata";

  private final Hasher hasher;
  private final int width;
  private final int[] ids;
  private final short[] checksums;
  private final byte[] counts;

  private StrataEstimator(Hasher hasher, int cells) {
    this.hasher = Objects.requireNonNull(hasher, "hasher");
    this.width = cells / HASHES;
    this.ids = new int[STRATA * cells];
    this.checksums = new short[STRATA * cells];
    this.counts = new byte[STRATA * cells];
  }

  /**
   * An empty estimator with {@value #CELLS} cells per stratum.
   *
   * @param hasher hashes keys; a keyed one if others may choose keys
   * @return the estimator
   */
  public static StrataEstimator create(Hasher hasher) {
    return create(hasher, CELLS);
  }

  /**
   * An empty estimator.
   *
   * @param hasher hashes keys; a keyed one if others may choose keys
   * @param cells per stratum, a multiple of 4, 4 … {@value #MAX_CELLS}
   * @return the estimator
   * @throws IllegalArgumentException if the cells are outside their range
   */
  public static StrataEstimator create(Hasher hasher, int cells) {
    Arguments.inRange("cells", cells, HASHES, MAX_CELLS);
    Arguments.multipleOf("cells", cells, HASHES);
    return new StrataEstimator(hasher, cells);
  }

  /**
   * The hasher of keys.
   *
   * @return the hasher this estimator was created with
   */
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The cells of each stratum.
   *
   * @return a multiple of 4
   */
  public int cells() {
    return width * HASHES;
  }

  /**
   * Inserts a number, which is 8 bytes little-endian.
   *
   * @param key the key, which must not be in the set
   */
  public void add(long key) {
    change(hasher.hash(key), 1);
  }

  /**
   * Inserts a character.
   *
   * @param key the key, which counts as text and must not be in the set
   */
  public void add(char key) {
    add(String.valueOf(key));
  }

  /**
   * Inserts a key of any length.
   *
   * @param key the key, which must not be in the set
   */
  public void add(byte[] key) {
    change(hasher.hash(key), 1);
  }

  /**
   * Inserts a text, as its UTF-8 bytes.
   *
   * @param key the key, which must not be in the set
   */
  public void add(CharSequence key) {
    change(hasher.hash(key), 1);
  }

  /**
   * Deletes a number.
   *
   * @param key the key, which must be in the set
   */
  public void remove(long key) {
    change(hasher.hash(key), -1);
  }

  /**
   * Deletes a character.
   *
   * @param key the key, which counts as text, which must be in the set
   */
  public void remove(char key) {
    remove(String.valueOf(key));
  }

  /**
   * Deletes a key.
   *
   * @param key the key, which must be in the set
   */
  public void remove(byte[] key) {
    change(hasher.hash(key), -1);
  }

  /**
   * Deletes a text, as its UTF-8 bytes.
   *
   * @param key the key, which must be in the set
   */
  public void remove(CharSequence key) {
    change(hasher.hash(key), -1);
  }

  private void change(long hash, int times) {
    int stratum = Math.min(STRATA - 1, Long.numberOfTrailingZeros(Mix.stream(hash, 1)));
    change(stratum, (int) Mix.stream(hash, 2), times);
  }

  private void change(int stratum, int id, int times) {
    short checksum = checksum(id);
    for (int i = 0; i < HASHES; i++) {
      int at = at(stratum, id, i);
      ids[at] ^= id;
      checksums[at] ^= checksum;
      counts[at] += (byte) times;
    }
  }

  private static short checksum(int id) {
    return (short) Mix.stream(id, 0);
  }

  private int at(int stratum, int id, int i) {
    return (stratum * HASHES + i) * width + (int) Mix.reduce(Mix.stream(id, i + 1), width);
  }

  /**
   * Whether {@link #difference} accepts another estimator.
   *
   * @param other another estimator
   * @return true if hashers and cells are equal
   */
  public boolean isCompatible(StrataEstimator other) {
    Objects.requireNonNull(other, "other");
    return hasher.equals(other.hasher) && width == other.width;
  }

  /**
   * The estimated number of keys that only one of the two sets has.
   *
   * @param other the estimator of the other set; neither changes
   * @return 0 or more
   * @throws IncompatibleFiltersException if hashers or cells differ
   */
  public double difference(StrataEstimator other) {
    Objects.requireNonNull(other, "other");
    if (!hasher.equals(other.hasher)) {
      throw new IncompatibleFiltersException("hasher " + hasher + " != " + other.hasher);
    }
    if (width != other.width) {
      throw new IncompatibleFiltersException("cells " + cells() + " != " + other.cells());
    }
    StrataEstimator rest = new StrataEstimator(hasher, cells());
    for (int i = 0; i < ids.length; i++) {
      rest.ids[i] = ids[i] ^ other.ids[i];
      rest.checksums[i] = (short) (checksums[i] ^ other.checksums[i]);
      rest.counts[i] = (byte) (counts[i] - other.counts[i]);
    }
    int decoded = 0;
    for (int stratum = STRATA - 1; stratum >= 0; stratum--) {
      int keys = rest.takeOutAll(stratum);
      if (keys < 0) {
        return Math.scalb((double) Math.max(1, decoded), stratum + 1);
      }
      decoded += keys;
    }
    return decoded;
  }

  /** Decodes a stratum and leaves it empty; returns −1 if that fails. */
  private int takeOutAll(int stratum) {
    int from = stratum * cells();
    int keys = 0;
    boolean more = true;
    while (more) {
      more = false;
      for (int at = from; at < from + cells(); at++) {
        if (isSingle(stratum, at) && keys < cells()) {
          change(stratum, ids[at], -counts[at]);
          keys++;
          more = true;
        }
      }
    }
    return isEmpty(stratum) ? keys : -1;
  }

  private boolean isSingle(int stratum, int at) {
    int id = ids[at];
    return Math.abs(counts[at]) == 1
        && checksums[at] == checksum(id)
        && at(stratum, id, (at - stratum * cells()) / width) == at;
  }

  private boolean isEmpty(int stratum) {
    for (int at = stratum * cells(); at < (stratum + 1) * cells(); at++) {
      if (isUsed(at)) {
        return false;
      }
    }
    return true;
  }

  private boolean isUsed(int at) {
    return ids[at] != 0 || checksums[at] != 0 || counts[at] != 0;
  }

  /**
   * The difference to size a table for, given an estimate from estimators with {@value #CELLS}
   * cells per stratum: the difference exceeds it in fewer than 1 % of cases.
   *
   * @param estimate what {@link #difference} returned, 0 or more
   * @return the estimate, plus 80 % if it is not exact
   */
  public static long upperBound(double estimate) {
    Arguments.inRange("estimate", estimate, 0, Math.scalb((double) MAX_CELLS, STRATA + 1));
    return (long) Math.ceil(estimate <= EXACT ? estimate : estimate * MARGIN);
  }

  private static final int EXACT = 16;
  private static final double MARGIN = 1.8;

  /**
   * Writes the strata without the hasher: the cells per stratum, the number of strata up to the
   * last that is not empty, and for each of these which cells are not empty and what they hold, 7
   * bytes.
   *
   * @param out the stream, which stays open; buffered, since writes are short
   * @throws IOException if writing fails
   */
  public void writeTo(OutputStream out) throws IOException {
    Objects.requireNonNull(out, "out");
    int strata = STRATA;
    while (strata > 0 && isEmpty(strata - 1)) {
      strata--;
    }
    out.write(cells());
    out.write(strata);
    for (int from = 0; from < strata * cells(); from += Byte.SIZE) {
      int used = 0;
      for (int i = 0; i < Byte.SIZE && from + i < strata * cells(); i++) {
        used |= isUsed(from + i) ? 1 << i : 0;
      }
      out.write(used);
    }
    for (int at = 0; at < strata * cells(); at++) {
      if (isUsed(at)) {
        CellStream.writeBytes(out, ids[at], Integer.BYTES);
        CellStream.writeBytes(out, checksums[at], Short.BYTES);
        out.write(counts[at]);
      }
    }
  }

  /**
   * Reads what {@link #writeTo} wrote and no byte more.
   *
   * @param in the stream, which stays open; buffered, since reads are short
   * @param hasher the hasher of the estimator that was written
   * @return the estimator
   * @throws FilterFormatException if the bytes are not those of an estimator
   * @throws EOFException if the stream ends before
   * @throws IOException if reading fails
   */
  public static StrataEstimator read(InputStream in, Hasher hasher) throws IOException {
    Objects.requireNonNull(in, "in");
    Objects.requireNonNull(hasher, "hasher");
    int cells = (int) CellStream.readBytes(in, 1);
    int strata = (int) CellStream.readBytes(in, 1);
    if (cells < HASHES || cells > MAX_CELLS || cells % HASHES != 0) {
      throw new FilterFormatException(SOURCE, 0, cells + " cells per stratum");
    }
    if (strata > STRATA) {
      throw new FilterFormatException(SOURCE, 1, Arguments.outside("strata", strata, 0, STRATA));
    }
    StrataEstimator read = new StrataEstimator(hasher, cells);
    byte[] used = in.readNBytes((strata * cells + Byte.SIZE - 1) / Byte.SIZE);
    for (int at = 0; at < used.length * Byte.SIZE; at++) {
      if ((used[at / Byte.SIZE] >>> at % Byte.SIZE & 1) != 0) {
        if (at >= strata * cells) {
          throw new FilterFormatException(SOURCE, 2, "a cell beyond the last stratum");
        }
        read.ids[at] = (int) CellStream.readBytes(in, Integer.BYTES);
        read.checksums[at] = (short) CellStream.readBytes(in, Short.BYTES);
        read.counts[at] = (byte) CellStream.readBytes(in, 1);
        if (!read.isUsed(at)) {
          throw new FilterFormatException(SOURCE, 2, "an empty cell is marked as used");
        }
      }
    }
    if (used.length < (strata * cells + Byte.SIZE - 1) / Byte.SIZE) {
      throw new EOFException("the stream ended within the strata");
    }
    if (strata > 0 && read.isEmpty(strata - 1)) {
      throw new FilterFormatException(SOURCE, 1, "the last stratum is empty");
    }
    return read;
  }

  @Override
  public String toString() {
    return "StrataEstimator[cells=" + cells() + ", " + hasher + "]";
  }

  /** Whether all cells are equal. */
  boolean sameCells(StrataEstimator other) {
    return Arrays.equals(ids, other.ids)
        && Arrays.equals(checksums, other.checksums)
        && Arrays.equals(counts, other.counts);
  }
}
