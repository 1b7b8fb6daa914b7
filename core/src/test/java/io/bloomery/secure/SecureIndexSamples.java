package io.bloomery.secure;

import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Secrets and indexes of which nothing is drawn by chance. */
public final class SecureIndexSamples {

  private static final int DOCUMENTS = 5;
  private static final int WORDS = 20;

  private static final IndexKeys GOLDEN_KEYS = goldenKeys();

  private SecureIndexSamples() {}

  private static IndexKeys goldenKeys() {
    try (Secret secret = goldenSecret()) {
      return golden().keys(secret);
    }
  }

  /** The secret of the golden file: the bytes 0 … 31. */
  public static Secret goldenSecret() {
    byte[] bytes = new byte[32];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    return Secret.of(bytes);
  }

  /** The index of the golden file: the words key-0 … key-19, four in each of five documents. */
  public static SecureIndex golden() {
    long[] place = {77L << 20};
    RandomGenerator pinned = () -> Keys.pinned(place[0]++);
    try (Secret secret = goldenSecret()) {
      SecureIndex index = SecureIndex.create(new SecureIndexShape(190, 3, 8), secret, pinned);
      try (IndexKeys keys = index.keys(secret)) {
        for (int i = 0; i < DOCUMENTS; i++) {
          int first = i * WORDS / DOCUMENTS;
          List<String> words =
              IntStream.range(first, first + WORDS / DOCUMENTS).mapToObj(j -> "key-" + j).toList();
          index.add(keys, i == 1 ? "ζ.txt" : "document-" + i, words);
        }
      }
      return index;
    }
  }

  /** The trapdoor of a word for the golden file, as a key of a filter. */
  public static byte[] key(String word) {
    return GOLDEN_KEYS.trapdoor(word).toBytes();
  }

  /** A secret of the run. */
  static Secret secret(int seed) {
    byte[] bytes = new byte[32];
    Seeds.random(seed).nextBytes(bytes);
    return Secret.of(bytes);
  }

  /** Some different words. */
  static List<String> words(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
  }

  /** As many words of a vocabulary, drawn. */
  static List<String> draw(List<String> vocabulary, int count, SplittableRandom random) {
    String[] all = vocabulary.toArray(String[]::new);
    for (int i = 0; i < count; i++) {
      int j = i + random.nextInt(all.length - i);
      String swapped = all[i];
      all[i] = all[j];
      all[j] = swapped;
    }
    return List.of(Arrays.copyOf(all, count));
  }

  /** How many bits two arrays have in common. */
  static long common(long[] a, long[] b) {
    return IntStream.range(0, a.length).mapToLong(i -> Long.bitCount(a[i] & b[i])).sum();
  }

  /** How many bits are set. */
  static long ones(long[] a) {
    return common(a, a);
  }

  /**
   * How many standard deviations the bits in common lie from those of two unrelated arrays with as
   * many bits set: hypergeometric.
   */
  static double correlation(long[] a, long[] b, long bits) {
    double p = (double) ones(a) / bits;
    double q = (double) ones(b) / bits;
    double deviation = Math.sqrt(bits / (bits - 1.0) * bits * p * (1 - p) * q * (1 - q));
    return (common(a, b) - bits * p * q) / deviation;
  }
}
