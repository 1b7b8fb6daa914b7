package io.bloomery.internal.frame;

import io.bloomery.FilterKind;
import io.bloomery.FrameHeader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * Takes a frame and passes it on with a description in its header; payload and checksums stay. So
 * views that write their filter under a lock need not know of descriptions.
 */
final class DescribedOutput extends OutputStream {

  private final OutputStream out;
  private final FrameHeader.Description description;
  private final FilterKind<?> kind;
  private byte[] start = new byte[HeaderCodec.SECTIONS_AT];
  private int taken;
  private boolean passing;

  /** Writes to {@code out}, which is neither flushed nor closed. */
  DescribedOutput(OutputStream out, FrameHeader.Description description, FilterKind<?> kind) {
    this.out = out;
    this.description = description;
    this.kind = kind;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int at = offset;
    int end = offset + length;
    while (!passing && at < end) {
      int count = Math.min(start.length - taken, end - at);
      System.arraycopy(bytes, at, start, taken, count);
      taken += count;
      at += count;
      if (taken == start.length) {
        startIsFull();
      }
    }
    if (at < end) {
      out.write(bytes, at, end - at);
    }
  }

  /** First the fixed part, which says where the payload begins; then all up to there. */
  private void startIsFull() throws IOException {
    if (start.length == HeaderCodec.SECTIONS_AT) {
      long payload =
          ByteBuffer.wrap(start)
              .order(ByteOrder.LITTLE_ENDIAN)
              .getLong(HeaderCodec.PAYLOAD_OFFSET_AT);
      start = Arrays.copyOf(start, Math.toIntExact(payload));
      return;
    }
    FrameInput in = new FrameInput(new ByteArrayInputStream(start), "frame", Long.MAX_VALUE);
    FrameHeader header = HeaderCodec.read(in, List.of(kind));
    out.write(HeaderCodec.encode(header.with(description)));
    passing = true;
  }
}
