package io.bloomery.security.deny;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An address of IPv4 or IPv6. Addresses of IPv6 that stand for one of IPv4, {@code ::ffff:0:0/96}
 * and {@code 64:ff9b::/96}, are that one.
 *
 * @param bits 32 or 128
 * @param high the first 64 bits; 0 for IPv4
 * @param low the last 64 bits
 */
record Address(int bits, long high, long low) {

  static final int V4_BITS = 32;
  static final int V6_BITS = 128;

  /** What an address of IPv6 that stands for one of IPv4 begins with. */
  static final int EMBEDDING_BITS = 96;

  private static final int GROUPS = 8;
  private static final int HEX = 16;
  private static final int MOST_DIGITS = 4;
  private static final int OCTET = 0xFF;
  private static final long ALL = 0xFFFFFFFFL;
  private static final long NAT64 = 0x64_ff9b_0000_0000L;

  /** An address as it is written; null if the text is none. */
  static @Nullable Address parse(String text) {
    if (text.indexOf(':') >= 0) {
      return parse6(text);
    }
    long value = decimal4(text);
    return value < 0 ? null : new Address(V4_BITS, 0, value);
  }

  /**
   * An address of IPv4 in any form that the functions of Berkeley sockets read: one to four
   * numbers, each decimal, octal after 0 or hexadecimal after 0x; null if the text is none.
   */
  static @Nullable Address parseAny4(String text) {
    String[] parts = text.split("\\.", -1);
    if (parts.length > Integer.BYTES) {
      return null;
    }
    long value = 0;
    for (int i = 0; i < parts.length; i++) {
      boolean isLast = i == parts.length - 1;
      int width = isLast ? V4_BITS - Byte.SIZE * i : Byte.SIZE;
      long part = number(parts[i]);
      if (part < 0 || part >>> width != 0) {
        return null;
      }
      value = value << width | part;
    }
    return new Address(V4_BITS, 0, value);
  }

  private static long number(String text) {
    boolean isHex = text.startsWith("0x") || text.startsWith("0X");
    boolean isOctal = !isHex && text.length() > 1 && text.startsWith("0");
    int radix = isHex ? HEX : isOctal ? Byte.SIZE : 10;
    String digits = isHex ? text.substring(2) : text;
    long value = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digit(digits.charAt(i), radix);
      if (digit < 0 || value > ALL) {
        return -1;
      }
      value = value * radix + digit;
    }
    return digits.isEmpty() && !isHex ? -1 : value;
  }

  /** A digit of ASCII; -1 if it is none. */
  private static int digit(char c, int radix) {
    return c < 0x80 ? Character.digit(c, radix) : -1;
  }

  /** Four decimal numbers without zeros in front; -1 if the text is something else. */
  private static long decimal4(String text) {
    String[] parts = text.split("\\.", -1);
    if (parts.length != Integer.BYTES) {
      return -1;
    }
    long value = 0;
    for (String part : parts) {
      boolean isPadded = part.length() > 1 && part.startsWith("0");
      long number = isPadded || part.startsWith("0x") ? -1 : number(part);
      if (number < 0 || number > OCTET) {
        return -1;
      }
      value = value << Byte.SIZE | number;
    }
    return value;
  }

  private static @Nullable Address parse6(String text) {
    int gap = text.indexOf("::");
    List<Integer> first = new ArrayList<>();
    List<Integer> last = new ArrayList<>();
    boolean isRead =
        gap < 0
            ? groups(text, true, first)
            : groups(text.substring(0, gap), false, first)
                && groups(text.substring(gap + 2), true, last);
    int missing = GROUPS - first.size() - last.size();
    if (!isRead || (gap < 0 ? missing != 0 : missing < 1)) {
      return null;
    }
    List<Integer> all = new ArrayList<>(first);
    for (int i = 0; i < missing; i++) {
      all.add(0);
    }
    all.addAll(last);
    long[] halves = new long[2];
    for (int i = 0; i < GROUPS; i++) {
      halves[i / 4] = halves[i / 4] << Short.SIZE | all.get(i);
    }
    return of6(halves[0], halves[1]);
  }

  private static Address of6(long high, long low) {
    boolean isMapped = high == 0 && low >>> V4_BITS == 0xFFFF;
    boolean isTranslated = high == NAT64 && low >>> V4_BITS == 0;
    return isMapped || isTranslated
        ? new Address(V4_BITS, 0, low & ALL)
        : new Address(V6_BITS, high, low);
  }

  /** Adds the groups of a part, whose last two may be an address of IPv4. */
  private static boolean groups(String text, boolean isEnd, List<Integer> groups) {
    if (text.isEmpty()) {
      return true;
    }
    String[] parts = text.split(":", -1);
    for (int i = 0; i < parts.length; i++) {
      String part = parts[i];
      if (isEnd && i == parts.length - 1 && part.indexOf('.') >= 0) {
        long value = decimal4(part);
        groups.add((int) (value >>> Short.SIZE));
        groups.add((int) (value & 0xFFFF));
        return value >= 0 && groups.size() <= GROUPS;
      }
      int group = 0;
      for (int at = 0; at < part.length(); at++) {
        int digit = digit(part.charAt(at), HEX);
        if (digit < 0) {
          return false;
        }
        group = group << 4 | digit;
      }
      if (part.isEmpty() || part.length() > MOST_DIGITS || groups.size() == GROUPS) {
        return false;
      }
      groups.add(group);
    }
    return true;
  }

  /** The first address of the network of this one. */
  Address network(int length) {
    if (bits == V4_BITS) {
      return new Address(bits, 0, length == 0 ? 0 : low & (ALL << (V4_BITS - length)) & ALL);
    }
    return new Address(bits, high & mask(length), low & mask(length - Long.SIZE));
  }

  private static long mask(int ones) {
    return ones <= 0 ? 0 : ones >= Long.SIZE ? -1L : -1L << (Long.SIZE - ones);
  }

  /** The network of a length that this address is in, as it is written. */
  String prefix(int length) {
    return network(length) + "/" + length;
  }

  /** The address as it is written: for IPv6 by RFC 5952. */
  @Override
  public String toString() {
    if (bits == V4_BITS) {
      return (low >>> 24)
          + "."
          + (low >>> 16 & OCTET)
          + "."
          + (low >>> 8 & OCTET)
          + "."
          + (low & OCTET);
    }
    int[] groups = new int[GROUPS];
    for (int i = 0; i < GROUPS; i++) {
      groups[i] = (int) ((i < 4 ? high : low) >>> (48 - Short.SIZE * (i % 4)) & 0xFFFF);
    }
    int gap = longestZeros(groups);
    int end = gap;
    while (end < GROUPS && gap >= 0 && groups[end] == 0) {
      end++;
    }
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < GROUPS; i++) {
      if (i == gap) {
        out.append("::");
        i = end - 1;
      } else {
        out.append(i == 0 || i == end ? "" : ":").append(Integer.toHexString(groups[i]));
      }
    }
    return out.toString();
  }

  /** Where the first longest run of at least two zeros begins; -1 if there is none. */
  private static int longestZeros(int[] groups) {
    int best = -1;
    int longest = 1;
    for (int from = 0; from < GROUPS; from++) {
      int to = from;
      while (to < GROUPS && groups[to] == 0) {
        to++;
      }
      if (to - from > longest) {
        best = from;
        longest = to - from;
      }
    }
    return best;
  }
}
