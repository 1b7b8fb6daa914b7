package io.bloomery.net.index;

import static java.nio.ByteOrder.BIG_ENDIAN;

import io.bloomery.net.capture.Capture;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.capture.CaptureOptions;
import io.bloomery.net.capture.Frames;
import io.bloomery.net.index.TrafficIndex.Mark;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Packets for tests, the n-th at n seconds, and indexes of them. */
public final class Traffic {

  private final List<byte[]> packets = new ArrayList<>();

  public Traffic udp(int from, int to, byte[] payload) {
    packets.add(
        Frames.ethernet(
            0x0800, Frames.ipv4(from, to, Packet.UDP, 0, 0, Frames.udp(1, 2, payload))));
    return this;
  }

  public Traffic tcp(int from, int to, int sequence, byte[] payload) {
    byte[] segment = Frames.tcp(1, 2, 16, 0, payload);
    System.arraycopy(Frames.words(BIG_ENDIAN, sequence), 0, segment, 4, 4);
    packets.add(Frames.ethernet(0x0800, Frames.ipv4(from, to, Packet.TCP, 0, 0, segment)));
    return this;
  }

  public byte[] capture() {
    return Frames.pcap(BIG_ENDIAN, false, 1, packets.toArray(byte[][]::new));
  }

  /** Writes an index of these packets. */
  public TrafficIndex index(Path directory, IndexOptions options) {
    return index(directory, options, new ByteArrayInputStream(capture()));
  }

  static TrafficIndex index(Path directory, IndexOptions options, InputStream in) {
    try (Capture capture = Capture.open(in, CaptureOptions.DEFAULT);
        TrafficIndex.Writer writer = TrafficIndex.writer(directory, options)) {
      for (Packet packet = capture.next(); packet != null; packet = capture.next()) {
        writer.add(packet);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return open(directory);
  }

  static TrafficIndex open(Path directory) {
    try {
      return TrafficIndex.open(
          directory,
          e -> {
            throw new UncheckedIOException(e);
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static List<Mark> marks(byte[] file) {
    List<Mark> marks = new ArrayList<>();
    try (Capture capture = Capture.open(new ByteArrayInputStream(file), CaptureOptions.DEFAULT)) {
      for (Packet packet = capture.next(); packet != null; packet = capture.next()) {
        marks.add(new Mark(packet));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return marks;
  }
}
