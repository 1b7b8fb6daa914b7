package io.bloomery.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;

/** Delivers a text in small pieces with pauses, and never has anything available, like a pipe. */
public final class SlowStream extends FilterInputStream {

  private final int piece;
  private final long millis;

  public SlowStream(String text, long millis) {
    this(text.getBytes(UTF_8), text.length() / 16 + 1, millis);
  }

  public SlowStream(byte[] bytes, int piece, long millis) {
    super(new ByteArrayInputStream(bytes));
    this.piece = piece;
    this.millis = millis;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return super.read(bytes, offset, Math.min(length, piece));
  }

  @Override
  public int available() {
    return 0;
  }
}
