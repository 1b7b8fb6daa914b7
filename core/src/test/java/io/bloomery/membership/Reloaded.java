package io.bloomery.membership;

import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.Storable;
import io.bloomery.internal.frame.FrameReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Filters that went through a frame, without the registry of kinds. */
final class Reloaded {

  private Reloaded() {}

  /** The frame of a filter. */
  static byte[] bytes(Storable filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  /** A heap filter read back from a frame. */
  static <F extends Filter & Storable> F heap(FilterKind<F> kind, F filter) throws IOException {
    byte[] bytes = bytes(filter);
    return new FrameReader(List.of(kind)).read(bytes, bytes.length, null, kind.type());
  }

  /** A read-only filter over a mapped file. */
  static <F extends Filter & Storable> F mapped(FilterKind<F> kind, F filter, Path directory)
      throws IOException {
    Path file = directory.resolve("filter.bloom");
    filter.writeTo(file);
    return new FrameReader(List.of(kind)).map(file, null, kind.type(), Long.MAX_VALUE, false);
  }
}
