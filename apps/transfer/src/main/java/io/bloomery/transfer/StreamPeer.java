package io.bloomery.transfer;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.Objects;

/** A pair of streams that others close. */
final class StreamPeer extends Peer {

  private final InputStream in;
  private final OutputStream out;

  StreamPeer(String name, InputStream in, OutputStream out) {
    super(Objects.requireNonNull(name, "name"));
    this.in = Objects.requireNonNull(in, "in");
    this.out = Objects.requireNonNull(out, "out");
  }

  @Override
  InputStream in() {
    return in;
  }

  @Override
  OutputStream out() {
    return out;
  }

  @Override
  public void close() {}
}
