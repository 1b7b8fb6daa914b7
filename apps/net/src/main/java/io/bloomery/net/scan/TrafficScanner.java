package io.bloomery.net.scan;

import io.bloomery.FilterFullException;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.match.PrefixTable;
import io.bloomery.net.scan.ContentScan.State;
import io.bloomery.net.stream.Fragments;
import io.bloomery.net.stream.Segment;
import io.bloomery.net.stream.StreamOptions;
import io.bloomery.net.stream.TcpStreams;
import java.util.function.Consumer;

/**
 * Finds indicators in packets: addresses in their headers, the others in what TCP streams and
 * datagrams carry, also where they are spread over segments and fragments.
 *
 * <p><b>Guarantee.</b> Every hit is one: whatever filters say is compared with the list. A string
 * that a followed stream carries is found, however it is cut into segments and in whatever order
 * they come; so it is where several bytes were sent for one place and some choice of them spells
 * it, within the limits that {@link Counts} tells of.
 *
 * <p>Threads: one.
 */
public final class TrafficScanner {

  /** What an indicator is. */
  public enum Kind {
    /** A name, which is found with all names below it. */
    DOMAIN(0),
    /** A URL that is requested by HTTP/1, or stands in content as it is listed. */
    URL(1),
    /** An address or a prefix, of either end of a packet. */
    ADDRESS(2),
    /** The MD5, SHA-1 or SHA-256 of a body of HTTP/1. */
    HASH(3),
    /** Bytes in content. */
    STRING(4);

    private final int number;

    Kind(int number) {
      this.number = number;
    }

    int number() {
      return number;
    }

    static Kind of(int number) {
      for (Kind kind : values()) {
        if (kind.number == number) {
          return kind;
        }
      }
      throw new IllegalArgumentException("number = " + number);
    }
  }

  /**
   * An indicator was found.
   *
   * @param indicator as it is listed, domains and digests in lower case
   * @param kind what it is
   * @param nanos when the packet that completes it was captured, in nanoseconds since 1970
   * @param flow addresses, ports and protocol
   * @param position where it begins in the stream or datagram; -1 where that is of no meaning
   * @param isChoice whether it is there for one choice only where several bytes were sent
   */
  public record Hit(
      String indicator, Kind kind, long nanos, String flow, long position, boolean isChoice) {}

  /**
   * What was scanned.
   *
   * @param bytes content of streams and datagrams
   * @param hits how many hits there were
   * @param streams directions of connections
   * @param dropped directions that were given up for others; strings across that place are missed
   * @param missing bytes that no packet had
   * @param incomplete packets that lack fragments
   * @param variants how often other bytes were sent for the same place
   * @param unchecked how many of the streams with such bytes were not looked at in full
   */
  public record Counts(
      long bytes,
      long hits,
      long streams,
      long dropped,
      long missing,
      long incomplete,
      long variants,
      long unchecked) {}

  /** Collects indicators. */
  public static final class Builder {
    private final ScanOptions options;
    private final Indicators indicators;

    private Builder(ScanOptions options) {
      this.options = options;
      this.indicators =
          new Indicators(
              options.maxIndicators(), Math.max(1 << 20, Runtime.getRuntime().maxMemory() / 4));
    }

    /**
     * Adds the indicator of a line: a domain, a URL, an address or prefix, a digest in hexadecimal
     * digits, or a string in quotes, in which bytes between {@code |} are hexadecimal digits. Empty
     * lines and those that begin with {@code #} or {@code ;} are skipped.
     *
     * @param line a line
     * @return this builder
     * @throws IllegalArgumentException if the line is none of these; nothing is added then
     */
    public Builder line(CharSequence line) {
      indicators.line(line.toString());
      return this;
    }

    /**
     * The scanner; the builder is of no use afterwards.
     *
     * @param hits takes each hit
     * @return a scanner of all indicators
     * @throws FilterFullException if addresses need more than a quarter of the heap
     */
    public TrafficScanner build(Consumer<Hit> hits) {
      return new TrafficScanner(options, indicators, hits);
    }
  }

  private final Indicators indicators;
  private final PrefixTable prefixes;
  private final boolean anyAddress;
  private final DatagramScan datagrams;
  private final StreamScan streamScan;
  private final TcpStreams<State> streams;
  private final Fragments fragments;
  private final Segment segment = new Segment();
  private final long memory;
  private final Consumer<Hit> hits;
  private long bytes;
  private long found;

  private TrafficScanner(ScanOptions options, Indicators indicators, Consumer<Hit> hits) {
    this.indicators = indicators;
    this.hits = hits;
    this.prefixes = indicators.prefixes();
    this.anyAddress = indicators.count(Kind.ADDRESS) > 0;
    ByteStrings strings = new ByteStrings(indicators.strings.bytes(), indicators.hash);
    Names names = new Names(indicators.names.bytes(), indicators.hash);
    ContentScan content =
        new ContentScan(
            strings, indicators.strings.indicators(), names, indicators.names.indicators());
    this.datagrams = new DatagramScan(indicators, content, names, this::hit);
    this.streamScan = new StreamScan(indicators, content, this::hit);
    StreamOptions limits =
        new StreamOptions(options.maxStreams(), options.streamBytes(), 1 << 18, 1 << 10)
            .withMaxBytes(options.streamBytes())
            .withHistory(Math.max(1 << 10, strings.longest()));
    this.streams = new TcpStreams<>(limits, options.hasher(), streamScan);
    this.fragments = new Fragments(options.hasher());
    this.memory =
        strings.memory()
            + names.memory()
            + indicators.memory()
            + prefixes.bytes()
            + limits.memory()
            + StreamScan.memory();
  }

  /**
   * Begins a list.
   *
   * @param options the limits
   * @return a builder without indicators
   */
  public static Builder builder(ScanOptions options) {
    return new Builder(options);
  }

  /**
   * How many indicators of a kind are listed.
   *
   * @param kind the kind
   * @return the number of different ones
   */
  public long indicators(Kind kind) {
    return indicators.count(kind);
  }

  /** The memory that indicators take, and streams at most, about. */
  public long memory() {
    return memory;
  }

  /** What was scanned so far. */
  public Counts counts() {
    TcpStreams.Counts all = streams.counts();
    return new Counts(
        bytes,
        found,
        all.opened(),
        all.dropped(),
        all.missing(),
        fragments.incomplete(),
        all.variants(),
        streamScan.unchecked());
  }

  /**
   * Scans a packet.
   *
   * @param packet the packet
   */
  public void take(Packet packet) {
    if (anyAddress) {
      address(packet, packet.sourceHigh(), packet.sourceLow());
      address(packet, packet.destinationHigh(), packet.destinationLow());
    }
    if (packet.isFragment()) {
      Fragments.Datagram datagram = fragments.take(packet);
      if (datagram != null) {
        assembled(packet, datagram.first());
        byte[] last = datagram.last();
        if (last != null) {
          assembled(packet, last);
        }
      }
    } else if (segment.take(packet)) {
      bytes += packet.payloadLength();
      streams.take(segment);
    } else {
      bytes += packet.payloadLength();
      datagrams.take(packet);
    }
  }

  /** Delivers what was held for missing segments, and ends all streams. */
  public void finish() {
    streams.finish();
  }

  private void assembled(Packet last, byte[] datagram) {
    if (last.protocol() != Packet.TCP) {
      bytes += datagram.length;
      datagrams.take(last, datagram);
    } else if (segment.take(last, datagram)) {
      bytes += datagram.length;
      streams.take(segment);
    }
  }

  private void address(Packet packet, long high, long low) {
    String value = packet.version() == 4 ? prefixes.value((int) low) : prefixes.value(high, low);
    if (value != null) {
      datagrams.hit(Integer.parseInt(value), packet);
    }
  }

  private void hit(Hit hit) {
    found++;
    hits.accept(hit);
  }
}
