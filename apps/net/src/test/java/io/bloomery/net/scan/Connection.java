package io.bloomery.net.scan;

import io.bloomery.net.capture.Capture;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.capture.CaptureOptions;
import io.bloomery.net.capture.Frames;
import io.bloomery.net.scan.TrafficScanner.Hit;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A capture of one direction of TCP from port 7 to port 80, and of other packets. */
final class Connection {

  static final String FLOW = "10.0.0.1:7 > 10.0.0.2:80 tcp";

  private final ByteArrayOutputStream file = new ByteArrayOutputStream();
  private int seconds;

  Connection() {
    file.writeBytes(Frames.pcap(ByteOrder.BIG_ENDIAN, false, 101));
  }

  Connection packet(byte[] packet) {
    file.writeBytes(Frames.words(ByteOrder.BIG_ENDIAN, ++seconds, 0, packet.length, packet.length));
    file.writeBytes(packet);
    return this;
  }

  /** A segment whose first byte has a place in the stream, which begins at 0. */
  static byte[] tcp(int place, int flags, byte[] content) {
    byte[] segment = Frames.tcp(7, 80, flags, 0, content);
    ByteBuffer.wrap(segment).putInt(4, place - 5); // sequence numbers go round
    return segment;
  }

  Connection segment(int place, byte[] content) {
    return packet(Frames.ipv4(1, 2, Packet.TCP, 0, 0, tcp(place, 0, content)));
  }

  /** A segment in fragments of so many bytes, the last one first. */
  Connection fragments(int place, byte[] content, int size) {
    byte[] whole = tcp(place, 0, content);
    int last = (whole.length - 1) / size * size;
    for (int at = last; at >= 0; at -= size) {
      int end = Math.min(whole.length, at + size);
      byte[] part = Arrays.copyOfRange(whole, at, end);
      byte[] packet = Frames.ipv4(1, 2, Packet.TCP, 0, at / 8 | (at < last ? 0x2000 : 0), part);
      packet[5] = (byte) place;
      packet(packet);
    }
    return this;
  }

  byte[] file() {
    return file.toByteArray();
  }

  static TrafficScanner scan(byte[] capture, List<Hit> hits, String... lines) throws IOException {
    TrafficScanner.Builder builder = TrafficScanner.builder(ScanOptions.standard());
    for (String line : lines) {
      builder.line(line);
    }
    TrafficScanner scanner = builder.build(hits::add);
    try (Capture packets =
        Capture.open(new ByteArrayInputStream(capture), CaptureOptions.DEFAULT)) {
      for (Packet packet = packets.next(); packet != null; packet = packets.next()) {
        scanner.take(packet);
      }
    }
    scanner.finish();
    return scanner;
  }

  List<Hit> hits(String... lines) throws IOException {
    List<Hit> hits = new ArrayList<>();
    scan(file(), hits, lines);
    return hits;
  }
}
