package io.bloomery.security.deny;

/** The encoding of labels with letters beyond ASCII (RFC 3492). */
final class Punycode {

  private static final int BASE = 36;
  private static final int LEAST = 1;
  private static final int MOST = 26;
  private static final int SKEW = 38;
  private static final int DAMP = 700;
  private static final int FIRST_BIAS = 72;
  private static final int FIRST_CODE_POINT = 0x80;
  private static final String DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789";

  private Punycode() {}

  /**
   * The encoded form of a label, without {@code xn--}.
   *
   * @param label at most {@link Names#MOST_CHARACTERS} characters, so that nothing overflows
   */
  static String encode(String label) {
    int[] input = label.codePoints().toArray();
    StringBuilder out = new StringBuilder();
    for (int c : input) {
      if (c < FIRST_CODE_POINT) {
        out.append((char) c);
      }
    }
    int basic = out.length();
    if (basic > 0) {
      out.append('-');
    }
    int bias = FIRST_BIAS;
    int delta = 0;
    int next = FIRST_CODE_POINT;
    for (int done = basic; done < input.length; next++) {
      int least = smallestFrom(next, input);
      delta += (least - next) * (done + 1);
      next = least;
      for (int c : input) {
        if (c < next) {
          delta++;
        } else if (c == next) {
          append(delta, bias, out);
          bias = adapted(delta, done + 1, done == basic);
          delta = 0;
          done++;
        }
      }
      delta++;
    }
    return out.toString();
  }

  private static int smallestFrom(int least, int[] input) {
    int smallest = Integer.MAX_VALUE;
    for (int c : input) {
      if (c >= least) {
        smallest = Math.min(smallest, c);
      }
    }
    return smallest;
  }

  /** Appends a number whose digits have a base of their own each. */
  private static void append(int delta, int bias, StringBuilder out) {
    int rest = delta;
    for (int k = BASE; ; k += BASE) {
      int threshold = Math.max(LEAST, Math.min(MOST, k - bias));
      if (rest < threshold) {
        out.append(DIGITS.charAt(rest));
        return;
      }
      out.append(DIGITS.charAt(threshold + (rest - threshold) % (BASE - threshold)));
      rest = (rest - threshold) / (BASE - threshold);
    }
  }

  private static int adapted(int delta, int points, boolean isFirst) {
    int rest = isFirst ? delta / DAMP : delta / 2;
    rest += rest / points;
    int bias = 0;
    for (; rest > (BASE - LEAST) * MOST / 2; bias += BASE) {
      rest /= BASE - LEAST;
    }
    return bias + (BASE - LEAST + 1) * rest / (rest + SKEW);
  }
}
