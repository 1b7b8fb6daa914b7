package io.bloomery.bench;

import java.util.SplittableRandom;

/**
 * Keys that are the same on every machine. Key {@code i} of a seed is a SplitMix64 output, and
 * SplitMix64 is a bijection, so keys of different indexes differ: those beyond the added ones are
 * certainly absent.
 */
final class Keys {

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final String DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789";
  static final int PAYLOAD_BYTES = 1_460;

  private static final int MIN_URL = 30;
  private static final int MAX_URL = 60;
  private static final String[] HOSTS = {
    "example.org", "news.test", "a.example", "maps.test", "shop.example", "cdn.test"
  };

  private Keys() {}

  /** The key of an index. */
  static long at(long seed, long index) {
    return mix(seed * 0x632BE59BD9B4E019L + index * GOLDEN);
  }

  /** Murmur-style finaliser of SplitMix64: a bijection that spreads every input bit. */
  static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** The keys of the indexes {@code from} to {@code from + count - 1}. */
  static long[] range(long seed, long from, int count) {
    long[] keys = new long[count];
    for (int i = 0; i < count; i++) {
      keys[i] = at(seed, from + i);
    }
    return keys;
  }

  /**
   * Distinct indexes below {@code n} in random order, one from each of {@code count} equal strata.
   */
  static int[] sample(long seed, int n, int count) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] sample = new int[count];
    for (int i = 0; i < count; i++) {
      int low = (int) ((long) i * n / count);
      int high = (int) ((i + 1L) * n / count);
      sample[i] = random.nextInt(low, high);
    }
    for (int i = count - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swap = sample[i];
      sample[i] = sample[j];
      sample[j] = swap;
    }
    return sample;
  }

  /** A text like {@code https://maps.test/k3f9a0/x81-…} of 30 to 60 ASCII characters. */
  static String url(long key) {
    int length = MIN_URL + (int) Long.remainderUnsigned(key, MAX_URL - MIN_URL + 1);
    StringBuilder url = new StringBuilder(MAX_URL).append("https://");
    url.append(HOSTS[(int) Long.remainderUnsigned(mix(key), HOSTS.length)]).append('/');
    long bits = key;
    for (int i = 0; url.length() < length; i++) {
      if (i % 9 == 8) {
        url.append(i % 2 == 0 ? '/' : '-');
      } else {
        bits = i % 9 == 0 ? mix(bits + GOLDEN) : bits >>> 7;
        url.append(DIGITS.charAt((int) Long.remainderUnsigned(bits, DIGITS.length())));
      }
    }
    return url.toString();
  }

  /** Sixteen bytes, as of a UUID or an IPv6 address. */
  static byte[] bytes16(long key) {
    byte[] bytes = new byte[16];
    long high = mix(key);
    for (int i = 0; i < 8; i++) {
      bytes[i] = (byte) (key >>> (8 * i));
      bytes[i + 8] = (byte) (high >>> (8 * i));
    }
    return bytes;
  }

  /** The payload of a full packet. */
  static byte[] payload(long key) {
    byte[] bytes = new byte[PAYLOAD_BYTES];
    new SplittableRandom(key).nextBytes(bytes);
    return bytes;
  }
}
