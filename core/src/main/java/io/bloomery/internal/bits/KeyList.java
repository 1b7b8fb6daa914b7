package io.bloomery.internal.bits;

import java.util.Arrays;

/** Keys with their values, as words, that were found one after another. */
public final class KeyList {

  private final int stride;
  private long[] words;
  private int size;

  /** An empty list of keys that have {@code stride} words each, with their values. */
  public KeyList(int stride) {
    this.stride = stride;
    this.words = new long[stride * 4];
  }

  /** Adds the key that begins at {@code from[at]}. */
  public void add(long[] from, int at) {
    int end = Math.multiplyExact(size, stride);
    if (end + stride > words.length) {
      words = Arrays.copyOf(words, Math.addExact(words.length, words.length));
    }
    System.arraycopy(from, at, words, end, stride);
    size++;
  }

  public int size() {
    return size;
  }

  /** Where key {@code i} begins in {@link #words()}. */
  public int at(int i) {
    return i * stride;
  }

  public long[] words() {
    return words;
  }

  public KeyList copy() {
    KeyList copy = new KeyList(stride);
    copy.words = words.clone();
    copy.size = size;
    return copy;
  }
}
