package io.bloomery.internal.bits;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.LongUnaryOperator;

/**
 * The hashes of the keys of a filter that will be built, in insertion order, with duplicates. Grows
 * piecewise, so that it never holds more than 8 bytes per key and one piece.
 */
public final class KeyHashes {

  /** How many hashes a piece holds. */
  public static final int PIECE = 1 << 16;

  private final List<long[]> pieces = new ArrayList<>();
  private final boolean borrowed;
  private int inLast = PIECE;
  private long size;

  private KeyHashes(boolean borrowed) {
    this.borrowed = borrowed;
  }

  /** An empty list. */
  public static KeyHashes empty() {
    return new KeyHashes(false);
  }

  /** A view of an array, which is never written. */
  public static KeyHashes of(long[] hashes) {
    return of(hashes, Objects.requireNonNull(hashes, "hashes").length);
  }

  /** A view of the first hashes of an array, which is never written. */
  public static KeyHashes of(long[] hashes, int count) {
    KeyHashes view = new KeyHashes(true);
    view.pieces.add(hashes);
    view.inLast = count;
    view.size = count;
    return view;
  }

  /** Appends a hash. */
  public void add(long hash) {
    if (inLast == PIECE) {
      pieces.add(new long[PIECE]);
      inLast = 0;
    }
    pieces.get(pieces.size() - 1)[inLast++] = hash;
    size++;
  }

  /** Appends the hashes {@code from…to-1} of an array. */
  public void add(long[] hashes, int from, int to) {
    for (int i = from; i < to; i++) {
      add(hashes[i]);
    }
  }

  /** Replaces every hash of a list that is not a view. */
  public void replaceAll(LongUnaryOperator change) {
    for (int i = 0; i < pieces.size(); i++) {
      long[] piece = pieces.get(i);
      for (int j = length(i) - 1; j >= 0; j--) {
        piece[j] = change.applyAsLong(piece[j]);
      }
    }
  }

  /** The number of hashes, including duplicates. */
  public long size() {
    return size;
  }

  /** How many pieces there are. */
  public int pieces() {
    return pieces.size();
  }

  /** Piece {@code i}, whose first {@link #length} hashes are valid. */
  public long[] piece(int i) {
    return pieces.get(i);
  }

  /** How many hashes piece {@code i} has. */
  public int length(int i) {
    return i == pieces.size() - 1 ? inLast : PIECE;
  }

  /**
   * All hashes in an array that the caller owns. Empties this list, freeing memory as it copies.
   */
  public long[] drain() {
    if (size > Integer.MAX_VALUE - 16) {
      throw new IllegalStateException(size + " hashes do not fit into one array");
    }
    long[] all = new long[(int) size];
    int at = 0;
    for (int i = 0; i < pieces.size(); i++) {
      int length = length(i);
      System.arraycopy(pieces.get(i), 0, all, at, length);
      at += length;
      pieces.set(i, null);
    }
    clear();
    return all;
  }

  /**
   * All hashes in arrays that the caller owns, each of {@link #PIECE} hashes except the last, which
   * may be longer than its valid part. Empties this list; copies if this is a view.
   */
  public long[][] take() {
    long[][] taken;
    if (borrowed) {
      long[] all = pieces.get(0);
      taken = new long[(int) ((size + PIECE - 1) / PIECE)][];
      for (int i = 0; i < taken.length; i++) {
        taken[i] = Arrays.copyOfRange(all, i * PIECE, (int) Math.min(size, (i + 1L) * PIECE));
      }
    } else {
      taken = pieces.toArray(long[][]::new);
    }
    clear();
    return taken;
  }

  /** Removes everything. */
  public void clear() {
    pieces.clear();
    inLast = borrowed ? 0 : PIECE;
    size = 0;
  }

  /**
   * Sorts the first hashes of an array and moves the distinct ones to its front; returns their
   * number.
   */
  public static int distinct(long[] hashes, int count) {
    Arrays.sort(hashes, 0, count);
    int distinct = 0;
    for (int i = 0; i < count; i++) {
      if (distinct == 0 || hashes[distinct - 1] != hashes[i]) {
        hashes[distinct++] = hashes[i];
      }
    }
    return distinct;
  }
}
