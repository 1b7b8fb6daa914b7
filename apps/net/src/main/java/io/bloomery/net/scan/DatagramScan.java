package io.bloomery.net.scan;

import io.bloomery.net.address.Addresses;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.message.DnsNames;
import io.bloomery.net.scan.TrafficScanner.Hit;
import java.util.function.Consumer;

/** Looks for indicators in packets that belong to no stream. */
final class DatagramScan {

  private static final int DNS_PORT = 53;
  private static final int MULTICAST_DNS_PORT = 5353;
  private static final int LOCAL_NAMES_PORT = 5355;
  private static final int UDP_HEADER = 8;

  private final Indicators indicators;
  private final ContentScan content;
  private final Names names;
  private final Consumer<Hit> hits;
  private final DnsNames dns = new DnsNames();

  DatagramScan(Indicators indicators, ContentScan content, Names names, Consumer<Hit> hits) {
    this.indicators = indicators;
    this.content = content;
    this.names = names;
    this.hits = hits;
  }

  /** Scans what a packet carries. */
  void take(Packet packet) {
    datagram(
        packet, packet.bytes(), packet.payloadOffset(), packet.payloadLength(), Ports.of(packet));
  }

  /** Scans what fragments carry, of which one is given. */
  void take(Packet last, byte[] datagram) {
    boolean hasPorts = last.protocol() == Packet.UDP && datagram.length >= UDP_HEADER;
    int header = hasPorts ? UDP_HEADER : 0;
    Ports ports = hasPorts ? Ports.of(datagram) : new Ports(0, 0);
    datagram(last, datagram, header, datagram.length - header, ports);
  }

  /** An indicator was found in the headers of a packet. */
  void hit(int indicator, Packet packet) {
    hit(indicator, packet, Ports.of(packet), -1);
  }

  /** The ports of a datagram. */
  private record Ports(int source, int destination) {
    static Ports of(Packet packet) {
      return new Ports(packet.sourcePort(), packet.destinationPort());
    }

    static Ports of(byte[] header) {
      return new Ports(
          (header[0] & 0xFF) << Byte.SIZE | (header[1] & 0xFF),
          (header[2] & 0xFF) << Byte.SIZE | (header[3] & 0xFF));
    }

    boolean isAny(int port) {
      return source == port || destination == port;
    }
  }

  private void datagram(Packet packet, byte[] all, int from, int length, Ports ports) {
    if (length <= 0) {
      return;
    }
    content.whole(all, from, length);
    for (int i = 0; i < content.found(); i++) {
      long place = content.place(i) == ContentScan.NO_PLACE ? -1 : content.place(i);
      hit(content.indicator(i), packet, ports, place);
    }
    boolean isDns =
        packet.protocol() == Packet.UDP
            && (ports.isAny(DNS_PORT)
                || ports.isAny(MULTICAST_DNS_PORT)
                || ports.isAny(LOCAL_NAMES_PORT));
    if (isDns && !names.isEmpty()) {
      dns.read(all, from, length, (name, end) -> name(packet, ports, name, end));
    }
  }

  private void name(Packet packet, Ports ports, byte[] name, int length) {
    names.clear();
    names.run(name, 0, length);
    for (int i = 0; i < names.found(); i++) {
      hit(indicators.names.indicators()[names.number(i)], packet, ports, -1);
    }
  }

  private void hit(int indicator, Packet packet, Ports ports, long position) {
    String flow =
        Addresses.flow(
            packet.version(),
            packet.protocol(),
            new Addresses.End(packet.sourceHigh(), packet.sourceLow(), ports.source),
            new Addresses.End(
                packet.destinationHigh(), packet.destinationLow(), ports.destination));
    hits.accept(indicators.hit(indicator, packet.nanos(), flow, position, false));
  }
}
