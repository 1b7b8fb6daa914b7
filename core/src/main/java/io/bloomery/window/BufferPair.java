package io.bloomery.window;

import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.Probes;
import io.bloomery.theory.Estimates;
import java.io.IOException;

/**
 * Two Bloom filters of equal shape that swap roles: keys are added to the <em>first</em>; the use
 * of the <em>second</em> is up to the filter. Each counts the keys that changed it.
 *
 * <p>Not thread-safe: a key could be added to a buffer while it is cleared.
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

  /** Fails if the buffers are read-only. */
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

  /** Swaps the roles. */
  void swap() {
    Words words = first;
    first = second;
    second = words;
    long keys = firstKeys;
    firstKeys = secondKeys;
    secondKeys = keys;
  }

  /** Clears the second buffer. */
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
    return Math.pow(fill(words), probes.count());
  }

  /** The share of bits that are set in the first buffer. */
  double firstFill() {
    return fill(first);
  }

  /** The share of bits that are set in the second buffer. */
  double secondFill() {
    return fill(second);
  }

  private double fill(Words words) {
    return (double) words.bitCount() / probes.bits();
  }

  /** The estimated number of keys of the first buffer. */
  double firstCardinality() {
    return cardinality(first.bitCount());
  }

  /** The estimated number of keys in either buffer. */
  double cardinality() {
    long set = 0;
    for (long i = 0; i < first.length(); i++) {
      set += Long.bitCount(first.get(i) | second.get(i));
    }
    return cardinality(set);
  }

  private double cardinality(long setBits) {
    return Estimates.cardinality(probes.bits(), probes.count(), setBits);
  }

  BufferPair copy() {
    return new BufferPair(probes, first.copy(), second.copy(), firstKeys, secondKeys);
  }
}
