package io.bloomery.net.capture;

/**
 * How much memory a {@link Capture} may take for what its file asks for.
 *
 * @param maxPacket the longest packet that is read, in bytes; longer ones are skipped and counted
 * @param maxInterfaces how many interfaces of a pcapng section are kept; packets of others are
 *     skipped and counted
 */
public record CaptureOptions(int maxPacket, int maxInterfaces) {

  /** Packets up to 256 KiB, the limit of libpcap, and 4,096 interfaces. */
  public static final CaptureOptions DEFAULT = new CaptureOptions(1 << 18, 1 << 12);

  private static final int LEAST_PACKET = 64;
  private static final int MOST_PACKET = 1 << 28;
  private static final int MOST_INTERFACES = 1 << 20;

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if packets are to be shorter than 64 bytes or longer than 256
   *     MiB, or not 1 to 2^20 interfaces kept
   */
  public CaptureOptions {
    requireRange("maxPacket", maxPacket, LEAST_PACKET, MOST_PACKET);
    requireRange("maxInterfaces", maxInterfaces, 1, MOST_INTERFACES);
  }

  private static void requireRange(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " = " + value + " is not between " + least + " and " + most);
    }
  }

  /**
   * The same with another limit for packets.
   *
   * @param bytes the longest packet that is read
   * @return the options
   */
  public CaptureOptions withMaxPacket(int bytes) {
    return new CaptureOptions(bytes, maxInterfaces);
  }
}
