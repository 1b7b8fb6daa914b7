package io.bloomery.net.state;

/** An array of numbers of up to 32 bits. */
final class Cells {

  private final long[] words;
  private final int width;
  private final long count;

  Cells(long count, int width) {
    this.count = count;
    this.width = width;
    this.words = new long[Math.toIntExact((count * width + Long.SIZE - 1) / Long.SIZE + 1)];
  }

  int get(long index) {
    long bit = index * width;
    int word = (int) (bit >>> 6);
    int shift = (int) bit & 63;
    long value = (words[word] >>> shift) | (words[word + 1] << 1 << (63 - shift));
    return (int) (value & ((1L << width) - 1));
  }

  void set(long index, int number) {
    long bit = index * width;
    int word = (int) (bit >>> 6);
    int shift = (int) bit & 63;
    long mask = (1L << width) - 1;
    long value = number & mask;
    words[word] = (words[word] & ~(mask << shift)) | (value << shift);
    if (shift + width > Long.SIZE) {
      int done = Long.SIZE - shift;
      words[word + 1] = (words[word + 1] & ~(mask >>> done)) | (value >>> done);
    }
  }

  /** Empties the cells that lack a bit, and clears it in the others. */
  void age(int bit) {
    for (long i = 0; i < count; i++) {
      int cell = get(i);
      set(i, (cell & bit) == 0 ? 0 : cell & ~bit);
    }
  }

  long count() {
    return count;
  }

  long bits() {
    return count * width;
  }
}
