package io.bloomery.sync;

import io.bloomery.internal.bits.KeyList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The decoded difference of two sets: keys that only this side has and keys that only the other
 * side has. A complete difference is exact; a partial one has some of the keys and is marked as
 * such.
 *
 * <p>Immutable.
 */
public final class Difference {

  private final KeyCodec codec;
  private final int valueBytes;
  private final KeyList here;
  private final KeyList there;
  private final long unresolved;
  private final boolean complete;

  /** Takes over the lists. */
  Difference(
      KeyCodec codec,
      int valueBytes,
      KeyList here,
      KeyList there,
      boolean complete,
      long unresolved) {
    this.codec = codec;
    this.valueBytes = valueBytes;
    this.here = here;
    this.there = there;
    this.complete = complete;
    this.unresolved = unresolved;
  }

  /**
   * Whether all of the difference was decoded.
   *
   * @return false: there are more keys, in {@link #unresolvedCells()} cells
   */
  public boolean isComplete() {
    return complete;
  }

  /**
   * The number of keys found on both sides.
   *
   * @return 0 or more
   */
  public int keyCount() {
    return here.size() + there.size();
  }

  /**
   * The number of cells, or coded symbols, that still hold several keys.
   *
   * @return 0 if the difference is complete
   */
  public long unresolvedCells() {
    return unresolved;
  }

  /**
   * The keys that only this side has.
   *
   * @return an unmodifiable list of new arrays, in no particular order
   */
  public List<byte[]> onlyHere() {
    return keys(here);
  }

  /**
   * The keys that only the other side has.
   *
   * @return an unmodifiable list of new arrays, in no particular order
   */
  public List<byte[]> onlyThere() {
    return keys(there);
  }

  /**
   * The keys that only this side has, as numbers.
   *
   * @return a new array, in no particular order
   * @throws IllegalStateException if keys are not of 8 bytes
   */
  public long[] longsOnlyHere() {
    return longs(here);
  }

  /**
   * The keys that only the other side has, as numbers.
   *
   * @return a new array, in no particular order
   * @throws IllegalStateException if keys are not of 8 bytes
   */
  public long[] longsOnlyThere() {
    return longs(there);
  }

  /**
   * The values of {@link #onlyHere()}, in the same order.
   *
   * @return an unmodifiable list of new arrays, empty ones if the table has no values
   */
  public List<byte[]> valuesOnlyHere() {
    return values(here);
  }

  /**
   * The values of {@link #onlyThere()}, in the same order.
   *
   * @return an unmodifiable list of new arrays, empty ones if the table has no values
   */
  public List<byte[]> valuesOnlyThere() {
    return values(there);
  }

  private List<byte[]> keys(KeyList list) {
    return IntStream.range(0, list.size())
        .mapToObj(i -> codec.unpack(list.words(), list.at(i)))
        .toList();
  }

  private List<byte[]> values(KeyList list) {
    int keyWords = KeyCodec.words(codec.format());
    return IntStream.range(0, list.size())
        .mapToObj(i -> KeyCodec.unpackBytes(list.words(), list.at(i) + keyWords, valueBytes))
        .toList();
  }

  private long[] longs(KeyList list) {
    if (!codec.isLongs()) {
      throw new IllegalStateException("keys are not numbers of 8 bytes: " + codec.format());
    }
    return IntStream.range(0, list.size()).mapToLong(i -> list.words()[list.at(i)]).toArray();
  }

  @Override
  public String toString() {
    String left = complete ? "complete" : "partial, " + unresolved + " cells unresolved";
    return "Difference[%d only here, %d only there, %s]".formatted(here.size(), there.size(), left);
  }
}
