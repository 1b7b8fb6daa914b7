package io.bloomery.net.address;

/** Addresses as two longs; those of IPv4 are mapped into IPv6. */
public final class Addresses {

  /** What stands before the 32 bits of an address of IPv4: ::ffff:0:0. */
  public static final long MAPPED = 0xFFFF_0000_0000L;

  private static final int GROUPS = 8;

  private Addresses() {}

  /** An address in the usual form: dotted, or as RFC 5952 says. */
  public static String text(int version, long high, long low) {
    if (version == 4) {
      return "%d.%d.%d.%d"
          .formatted((low >>> 24) & 0xFF, (low >>> 16) & 0xFF, (low >>> 8) & 0xFF, low & 0xFF);
    }
    if (high == 0 && low >>> 32 == MAPPED >>> 32) {
      return "::ffff:" + text(4, high, low);
    }
    int gap = 0; // the longest run of zeros, the first of those
    int length = 1; // a single group is not shortened
    int run = 0;
    for (int i = 0; i < GROUPS; i++) {
      run = group(high, low, i) == 0 ? run + 1 : 0;
      if (run > length) {
        length = run;
        gap = i + 1 - run;
      }
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < GROUPS; i++) {
      if (length > 1 && i == gap) {
        text.append("::");
        i += length - 1;
      } else {
        if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
          text.append(':');
        }
        text.append(Integer.toHexString(group(high, low, i)));
      }
    }
    return text.toString();
  }

  /**
   * An end of a flow.
   *
   * @param high the first half of its address
   * @param low the second half
   * @param port its port; any number if the protocol has none
   */
  public record End(long high, long low, int port) {}

  /** A flow as text: {@code source > destination protocol}, with ports of TCP and UDP. */
  public static String flow(int version, int protocol, End source, End destination) {
    String first = text(version, source.high, source.low);
    String second = text(version, destination.high, destination.low);
    String form = version == 4 ? "%s:%d > %s:%d" : "[%s]:%d > [%s]:%d";
    return switch (protocol) {
      case 6 -> form.formatted(first, source.port, second, destination.port) + " tcp";
      case 17 -> form.formatted(first, source.port, second, destination.port) + " udp";
      case 1, 58 -> first + " > " + second + " icmp";
      default -> first + " > " + second + " protocol " + protocol;
    };
  }

  private static int group(long high, long low, int index) {
    long half = index < GROUPS / 2 ? high : low;
    int shift = 48 - Short.SIZE * (index % 4);
    return (int) (half >>> shift) & 0xFFFF;
  }
}
