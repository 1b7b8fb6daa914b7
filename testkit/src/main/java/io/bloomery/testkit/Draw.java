package io.bloomery.testkit;

import java.util.List;
import java.util.SplittableRandom;

/** Random values of one case of a {@link Property}; the edges of a type come often. */
public final class Draw {

  private static final long[] EDGES = {
    0,
    1,
    -1,
    2,
    -2,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    1L << 32,
    (1L << 32) - 1,
    (1L << 32) + 1
  };

  private final SplittableRandom random;

  Draw(long seed, int number) {
    random = Seeds.random(Keys.hash(seed) + number);
  }

  /** Any number; one in four is an edge case, one in four has few bits. */
  public long anyLong() {
    return switch (random.nextInt(4)) {
      case 0 -> EDGES[random.nextInt(EDGES.length)];
      case 1 -> random.nextLong() >>> random.nextInt(64);
      default -> random.nextLong();
    };
  }

  /** A number of {@code min…max}; the two ends come often. */
  public long between(long min, long max) {
    return switch (random.nextInt(8)) {
      case 0 -> min;
      case 1 -> max;
      default -> max == Long.MAX_VALUE ? random.nextLong(min, max) : random.nextLong(min, max + 1);
    };
  }

  /** A number of {@code min…max}; the two ends come often. */
  public int between(int min, int max) {
    return Math.toIntExact(between((long) min, (long) max));
  }

  /** One of the choices. */
  public <T> T oneOf(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** A byte string of at most {@code maxLength} bytes. */
  public byte[] bytes(int maxLength) {
    byte[] bytes = new byte[between(0, maxLength)];
    random.nextBytes(bytes);
    return bytes;
  }

  /**
   * Text of at most {@code maxLength} chars, of one alphabet or of all: ASCII, Latin-1, the basic
   * plane without surrogates, surrogate pairs, single surrogates.
   */
  public String text(int maxLength) {
    int length = between(0, maxLength);
    int alphabets = random.nextInt(6);
    StringBuilder text = new StringBuilder(length);
    while (text.length() < length) {
      int alphabet = alphabets == 5 ? random.nextInt(5) : alphabets;
      if (alphabet == 3 && text.length() + 2 <= length) {
        text.appendCodePoint(random.nextInt(0x10000, 0x110000));
      } else {
        text.append(character(alphabet));
      }
    }
    return text.toString();
  }

  private char character(int alphabet) {
    return (char)
        switch (alphabet) {
          case 0 -> random.nextInt(0, 0x80);
          case 1 -> random.nextInt(0, 0x100);
          case 2 ->
              random.nextBoolean() ? random.nextInt(0, 0xD800) : random.nextInt(0xE000, 0x10000);
          default -> random.nextInt(0xD800, 0xE000);
        };
  }
}
