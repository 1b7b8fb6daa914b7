package io.bloomery.tools.distinct;

import io.bloomery.tools.input.KeyStreams;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stored sketch.
 *
 * @param sketch what was counted
 * @param width how its registers are written
 * @param bytes the length of the file, unpacked
 */
public record SketchFile(HllSketch sketch, HllFormat.Width width, int bytes) {

  private static final int START = 8;

  /** Whether a plain file begins as a sketch does. */
  public static boolean is(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return HllFormat.isSketch(in.readNBytes(START));
    }
  }

  /** Reads a file, plain or packed; null if it does not begin as a sketch does. */
  public static @Nullable SketchFile read(Path file) {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      return null;
    }
    KeyStreams streams = new KeyStreams(file, bytes -> {});
    try (streams) {
      InputStream in = Objects.requireNonNull(streams.next(), "one file");
      byte[] start = in.readNBytes(START);
      return HllFormat.isSketch(start) ? read(start, in) : null;
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
  }

  private static SketchFile read(byte[] start, InputStream in) throws IOException {
    byte[] rest = in.readNBytes(HllFormat.MOST_BYTES);
    if (rest.length == HllFormat.MOST_BYTES) {
      throw new IOException("a damaged sketch: it has more bytes than any");
    }
    byte[] all = new byte[start.length + rest.length];
    System.arraycopy(start, 0, all, 0, start.length);
    System.arraycopy(rest, 0, all, start.length, rest.length);
    return new SketchFile(HllFormat.read(all), HllFormat.width(all), all.length);
  }
}
