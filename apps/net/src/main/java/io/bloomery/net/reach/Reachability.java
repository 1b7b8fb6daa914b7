package io.bloomery.net.reach;

import io.bloomery.Writers;
import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.deletable.CountingShape;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.net.address.Addresses;
import io.bloomery.net.capture.Capture.Packet;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * What hosts permit to be sent to them, for a router that drops everything else.
 *
 * <p><b>Guarantee.</b> A packet that is permitted, or replies to one that was sent in this period
 * or the last, passes. Another one passes with the probability {@link #unwantedRate}.
 *
 * <p>Threads: one.
 */
public final class Reachability {

  /**
   * What a host permits.
   *
   * @param host the host
   * @param source from where; from anywhere if empty
   * @param protocol the protocol's number; 0 for any
   * @param port the host's port; 0 for any
   */
  public record Permission(InetAddress host, Optional<InetAddress> source, int protocol, int port) {
    /** Checks the numbers. */
    public Permission {
      Objects.requireNonNull(host, "host");
      Objects.requireNonNull(source, "source");
      if (protocol < 0 || protocol > 255 || port < 0 || port > 0xFFFF) {
        throw new IllegalArgumentException(
            "protocol = %d, port = %d is out of range".formatted(protocol, port));
      }
    }
  }

  private static final int FORMS = 8;
  private static final int ANY_SOURCE = 1;
  private static final int ANY_PROTOCOL = 2;
  private static final int ANY_PORT = 4;
  private static final int ALL_FIELDS = 4 * Long.BYTES + 8;

  private final ReachOptions options;
  private final Hasher hasher;
  private final CountingBloomFilter permissions;
  private final long[] forms = new long[FORMS]; // how many permissions have each
  private final ByteBuffer key = ByteBuffer.allocate(ALL_FIELDS);
  private BloomFilter replies;
  private BloomFilter lastReplies;

  private Reachability(ReachOptions options) {
    this.options = options;
    this.hasher = options.hasher();
    // eight forms and two periods of replies share the rate
    double each = -Math.expm1(Math.log1p(-options.falsePositiveRate()) / (FORMS + 2));
    this.permissions =
        CountingBloomFilter.create(CountingShape.forKeys(options.permissions(), each), hasher);
    this.replies = replyFilter(each);
    this.lastReplies = replyFilter(each);
  }

  private BloomFilter replyFilter(double rate) {
    return BloomFilter.create(BloomShape.forKeys(options.replies(), rate), hasher, Writers.ONE);
  }

  /**
   * Starts with nothing permitted.
   *
   * @param options how many permissions are expected
   * @return an object that lets nothing pass
   */
  public static Reachability create(ReachOptions options) {
    return new Reachability(options);
  }

  /**
   * Permits something, once more if it was.
   *
   * @param permission what a host asked for
   */
  public void permit(Permission permission) {
    permissions.addHash(hash(permission));
    forms[form(permission)]++;
  }

  /**
   * Withdraws a permission. It must have been given, or others may be lost.
   *
   * @param permission what a host no longer wants
   * @return false if it was certainly not given; then nothing changes
   */
  public boolean withdraw(Permission permission) {
    boolean isGiven = forms[form(permission)] > 0 && permissions.removeHash(hash(permission));
    forms[form(permission)] -= isGiven ? 1 : 0;
    return isGiven;
  }

  /**
   * Lets replies to a packet pass, in this period and the next.
   *
   * @param sent a packet that a host sent
   */
  public void expectReply(Packet sent) {
    replies.addHash(
        reply(
            sent.destinationHigh(),
            sent.destinationLow(),
            sent.sourceHigh(),
            sent.sourceLow(),
            sent.destinationPort() << Short.SIZE | sent.sourcePort(),
            sent.protocol()));
  }

  /** Begins another period; replies to what was sent before the last one no longer pass. */
  public void nextPeriod() {
    lastReplies = replies;
    replies = BloomFilter.create(replies.shape(), hasher, Writers.ONE);
  }

  /**
   * Whether a packet passes.
   *
   * @param packet the packet
   * @return true if it is permitted or a reply, and else with {@link #unwantedRate}
   */
  public boolean permits(Packet packet) {
    for (int form = 0; form < FORMS; form++) {
      if (forms[form] > 0 && permissions.mightContainHash(hash(packet, form))) {
        return true;
      }
    }
    long reply =
        reply(
            packet.sourceHigh(),
            packet.sourceLow(),
            packet.destinationHigh(),
            packet.destinationLow(),
            packet.sourcePort() << Short.SIZE | packet.destinationPort(),
            packet.protocol());
    return replies.mightContainHash(reply) || lastReplies.mightContainHash(reply);
  }

  /** The probability that a packet passes that nobody asked for, as the filters are now. */
  public double unwantedRate() {
    long inUse = Arrays.stream(forms).filter(count -> count > 0).count();
    double blocked = Math.pow(1 - permissions.falsePositiveRate(), (double) inUse);
    return 1 - blocked * (1 - replies.falsePositiveRate()) * (1 - lastReplies.falsePositiveRate());
  }

  /** The memory of the filters in bytes. */
  public long memory() {
    return (permissions.sizeInBits() + replies.sizeInBits() + lastReplies.sizeInBits()) / Byte.SIZE;
  }

  private static int form(Permission permission) {
    return (permission.source.isEmpty() ? ANY_SOURCE : 0)
        | (permission.protocol == 0 ? ANY_PROTOCOL : 0)
        | (permission.port == 0 ? ANY_PORT : 0);
  }

  private long hash(Permission permission) {
    key.clear();
    put(permission.host);
    if (permission.source.isPresent()) {
      put(permission.source.get());
    } else {
      key.putLong(0).putLong(0);
    }
    return finish(form(permission), permission.protocol, permission.port);
  }

  private long hash(Packet packet, int form) {
    boolean isAny = (form & ANY_SOURCE) != 0;
    key.clear().putLong(packet.destinationHigh()).putLong(packet.destinationLow());
    key.putLong(isAny ? 0 : packet.sourceHigh()).putLong(isAny ? 0 : packet.sourceLow());
    int protocol = (form & ANY_PROTOCOL) == 0 ? packet.protocol() : 0;
    return finish(form, protocol, (form & ANY_PORT) == 0 ? packet.destinationPort() : 0);
  }

  private long finish(int form, int protocol, int port) {
    key.putInt(form << Byte.SIZE | protocol).putInt(port);
    return hasher.hash(key.array(), 0, key.position());
  }

  private long reply(
      long fromHigh, long fromLow, long toHigh, long toLow, int ports, int protocol) {
    key.clear().putLong(fromHigh).putLong(fromLow).putLong(toHigh).putLong(toLow);
    key.putInt(ports).putInt(FORMS << Byte.SIZE | protocol);
    return hasher.hash(key.array(), 0, key.position());
  }

  private void put(InetAddress address) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    if (address instanceof Inet4Address) {
      key.putLong(0).putLong(Addresses.MAPPED | (bytes.getInt() & 0xFFFF_FFFFL));
    } else {
      key.putLong(bytes.getLong()).putLong(bytes.getLong());
    }
  }
}
