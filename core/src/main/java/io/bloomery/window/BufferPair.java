package io.bloomery.window;

import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.Probes;
import java.io.IOException;

/**
 * Two Bloom filters of equal shape that change roles: the <em>first</em> takes keys, the
 * <em>second</em> is what the variant makes of it. Each counts the keys that changed it.
 *
 * <p>Not for several threads: a key could be added to a buffer while it is emptied.
 */
final class BufferPair {

  private final Probes probes;
  private Words first;
  private Words second;
  private long firstKeys;
  private long secondKeys;

  private BufferPair(Probes probes, Words first, Words second, long firstKeys, long secondKeys) {
    this.probes = probes;
    this.first = first;
    this.second = second;
    this.firstKeys = firstKeys;
    this.secondKeys = secondKeys;
  }

  /** Two empty buffers. */
  static BufferPair allocate(long bits, int count) {
    return new BufferPair(
        probes(bits, count), Words.forBits(bits, false), Words.forBits(bits, false), 0, 0);
  }

  private static Probes probes(long bits, int count) {
    return new Probes(IndexScheme.INDEPENDENT, bits, count);
  }

  /** Adds numbers and words to a frame. */
  Frame encode(Frame frame) {
    return frame
        .put("first keys", firstKeys)
        .put("second keys", secondKeys)
        .section(first)
        .section(second);
  }

  /** Reads what {@link #encode} wrote; neither buffer may hold more than {@code most} keys. */
  static BufferPair decode(Frame frame, long bits, int count, long most) throws IOException {
    long firstKeys = frame.number("first keys", 0, most);
    long secondKeys = frame.number("second keys", 0, most);
    return new BufferPair(
        probes(bits, count), frame.bits(0, bits), frame.bits(1, bits), firstKeys, secondKeys);
  }

  /** Fails if the buffers cannot be written. */
  void requireWritable() {
    first.writable();
    second.writable();
  }

  boolean inFirst(long hash) {
    return probes.allSet(hash, first);
  }

  boolean inSecond(long hash) {
    return probes.allSet(hash, second);
  }

  /** Adds to the first buffer; true if that changed it. */
  boolean addToFirst(long hash) {
    boolean changed = probes.setAll(hash, first);
    firstKeys += changed ? 1 : 0;
    return changed;
  }

  /** Adds to the second buffer. */
  void addToSecond(long hash) {
    secondKeys += probes.setAll(hash, second) ? 1 : 0;
  }

  long firstKeys() {
    return firstKeys;
  }

  long secondKeys() {
    return secondKeys;
  }

  /** Changes the roles. */
  void swap() {
    Words words = first;
    first = second;
    second = words;
    long keys = firstKeys;
    firstKeys = secondKeys;
    secondKeys = keys;
  }

  /** Empties the second buffer. */
  void clearSecond() {
    second.clear();
    secondKeys = 0;
  }

  /** The rate of the first buffer alone, from its fill. */
  double firstRate() {
    return rate(first);
  }

  /** The rate of the second buffer alone, from its fill. */
  double secondRate() {
    return rate(second);
  }

  private double rate(Words words) {
    return Math.pow((double) words.bitCount() / probes.bits(), probes.count());
  }

  BufferPair copy() {
    return new BufferPair(probes, first.copy(), second.copy(), firstKeys, secondKeys);
  }
}
