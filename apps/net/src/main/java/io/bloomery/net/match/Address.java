package io.bloomery.net.match;

import io.bloomery.net.address.Addresses;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An address, or a prefix of one, as 128 bits; those of IPv4 are the first 32. An IPv4 address that
 * is written as one of IPv6 (::ffff:192.0.2.1) is one of IPv4.
 *
 * @param six whether it is one of IPv6
 * @param high the first 64 bits
 * @param low the last 64 bits
 * @param length how many bits a prefix has; all, if it is an address
 */
record Address(boolean six, long high, long low, int length) {

  private static final int GROUPS = 8;
  private static final int MAPPED = 96; // the bits before an address of IPv4
  private static final long MAPPED_LOW = 0xFFFF_0000_0000L;

  static Address four(int bits) {
    return new Address(false, (long) bits << Integer.SIZE, 0, 32);
  }

  static Address of(InetAddress address) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    return address instanceof Inet4Address
        ? four(bytes.getInt())
        : unmapped(bytes.getLong(), bytes.getLong(), 128);
  }

  private static Address unmapped(long high, long low, int length) {
    boolean isMapped = high == 0 && low >>> Integer.SIZE == 0xFFFF && length >= MAPPED;
    return isMapped
        ? new Address(false, low << Integer.SIZE, 0, length - MAPPED)
        : new Address(true, high, low, length);
  }

  /** An address, or null if the text is none. */
  static @Nullable Address parse(CharSequence text, int from, int to) {
    return new Parser(text, from, to).address();
  }

  /**
   * A prefix: address, slash and length. An address alone is a prefix of all its bits.
   *
   * @throws IllegalArgumentException if it is none, or has bits after its length
   */
  static Address prefix(CharSequence text, int from, int to) {
    int slash = from;
    while (slash < to && text.charAt(slash) != '/') {
      slash++;
    }
    Parser parser = new Parser(text, from, slash);
    Address address = parser.address();
    int length = slash == to ? parser.bits : number(text, slash + 1, to);
    if (address == null || length < 0 || length > parser.bits) {
      throw new IllegalArgumentException(
          "'%s' is not a prefix: address/length".formatted(text.subSequence(from, to)));
    }
    int unmapped = parser.bits - address.width();
    if (length < unmapped) {
      address = new Address(true, 0, MAPPED_LOW | address.high >>> Integer.SIZE, 128);
      unmapped = 0;
    }
    Address prefix = address.cut(length - unmapped);
    if (prefix.high != address.high || prefix.low != address.low) {
      throw new IllegalArgumentException(
          "'%s' has bits after its length; the prefix is %s"
              .formatted(text.subSequence(from, to), prefix));
    }
    return prefix;
  }

  /** A number of up to three digits, without a leading zero; -1 if the text is none. */
  private static int number(CharSequence text, int from, int to) {
    if (from == to || to - from > 3 || (text.charAt(from) == '0' && to - from > 1)) {
      return -1;
    }
    int number = 0;
    for (int i = from; i < to; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = 10 * number + digit;
    }
    return number;
  }

  /** How many bits addresses of this version have. */
  int width() {
    return six ? 128 : 32;
  }

  /** The prefix of this length. */
  Address cut(int bits) {
    return new Address(six, high & Level.highMask(bits), low & Level.lowMask(bits), bits);
  }

  /** The address, and the length of a prefix. */
  @Override
  public String toString() {
    String text = six ? Addresses.text(6, high, low) : Addresses.text(4, 0, high >>> Integer.SIZE);
    return length == width() ? text : text + "/" + length;
  }

  /** Reads the text of an address. */
  private static final class Parser {
    private final CharSequence text;
    private final int to;
    private int at;
    private int bits; // of the address as it is written

    Parser(CharSequence text, int from, int to) {
      this.text = text;
      this.at = from;
      this.to = to;
    }

    @Nullable Address address() {
      int end = at;
      while (end < to && text.charAt(end) != ':' && text.charAt(end) != '.') {
        end++;
      }
      if (end < to && text.charAt(end) == '.') {
        bits = 32;
        long four = dotted();
        return four < 0 ? null : four((int) four);
      }
      bits = 128;
      return six();
    }

    /** The rest as four decimal numbers; -1 if it is not. */
    private long dotted() {
      long value = 0;
      for (int i = 0; i < 4; i++) {
        int end = at;
        while (end < to && text.charAt(end) != '.') {
          end++;
        }
        int number = number(text, at, end);
        if (number < 0 || number > 255 || (i < 3) != (end < to)) {
          return -1;
        }
        value = value << Byte.SIZE | number;
        at = end + 1;
      }
      return value;
    }

    private @Nullable Address six() {
      long high = 0;
      long low = 0;
      int groups = 0;
      int gap = -1; // before which group :: stands
      if (at + 1 < to && text.charAt(at) == ':' && text.charAt(at + 1) == ':') {
        gap = 0;
        at += 2;
      }
      while (at < to) {
        int end = at;
        int value = 0;
        while (end < to && Character.digit(text.charAt(end), 16) >= 0 && text.charAt(end) < 128) {
          value = value << 4 | Character.digit(text.charAt(end), 16);
          end++;
        }
        if (end < to && text.charAt(end) == '.' && groups <= GROUPS - 2) {
          long four = dotted();
          if (four < 0) {
            return null;
          }
          high = high << Integer.SIZE | low >>> Integer.SIZE;
          low = low << Integer.SIZE | four;
          groups += 2;
          at = to;
          break;
        }
        if (end == at || end - at > 4 || groups == GROUPS) {
          return null;
        }
        high = high << Short.SIZE | low >>> (Long.SIZE - Short.SIZE);
        low = low << Short.SIZE | value;
        groups++;
        at = end;
        if (at == to) {
          break;
        }
        if (text.charAt(at) != ':' || at + 1 == to) {
          return null;
        }
        at++;
        if (text.charAt(at) == ':') {
          if (gap >= 0) {
            return null;
          }
          gap = groups;
          at++;
        }
      }
      if (gap < 0 ? groups < GROUPS : groups == GROUPS) {
        return null;
      }
      return gap < 0 ? unmapped(high, low, 128) : spread(high, low, groups - gap, groups);
    }

    /** Moves all but the last groups to the front. */
    private static Address spread(long high, long low, int last, int groups) {
      int shift = Short.SIZE * (GROUPS - groups); // of the groups before the gap
      int tail = Short.SIZE * last;
      long tailLow = tail == 0 ? 0 : tail >= 64 ? low : low & (-1L >>> (64 - tail));
      long tailHigh = tail <= 64 ? 0 : high & (-1L >>> (128 - tail));
      long frontHigh = high ^ tailHigh;
      long frontLow = low ^ tailLow;
      if (shift >= 64) {
        frontHigh = shift == 128 ? 0 : frontLow << (shift - 64);
        frontLow = 0;
      } else {
        frontHigh = frontHigh << shift | frontLow >>> (64 - shift);
        frontLow <<= shift;
      }
      return unmapped(frontHigh | tailHigh, frontLow | tailLow, 128);
    }
  }
}
