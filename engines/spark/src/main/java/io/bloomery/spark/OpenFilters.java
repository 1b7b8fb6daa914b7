package io.bloomery.spark;

import io.bloomery.Filter;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The filters that were last opened from bytes, up to 64 and 64 MB of bytes, but always the last
 * one. They are found by a part of their bytes, and compared as a whole.
 */
final class OpenFilters {

  private static final int MOST = 64;
  private static final long MOST_BYTES = 64L << 20;
  private static final int SAMPLES = 64;

  /** A length and a hash of some bytes. */
  private record Sample(int length, int hash) {

    static Sample of(byte[] bytes) {
      // The last bytes are checksums of the content.
      int from = Math.max(0, bytes.length - SAMPLES);
      int hash = Arrays.hashCode(Arrays.copyOfRange(bytes, from, bytes.length));
      for (int i = 0; i < SAMPLES; i++) {
        int at = (int) ((long) i * bytes.length / SAMPLES);
        hash = 31 * hash + (at < bytes.length ? bytes[at] : 0);
      }
      return new Sample(bytes.length, hash);
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Open(byte[] bytes, Filter filter) {}

  private final Map<Sample, Open> open = new LinkedHashMap<>(16, 0.75f, true);
  private long total;

  /** The filter of the bytes; opens it unless it is known. */
  Filter get(byte[] bytes, Function<byte[], Filter> opener) {
    Sample sample = Sample.of(bytes);
    Open known = open.get(sample);
    if (known != null && Arrays.equals(known.bytes, bytes)) {
      return known.filter;
    }
    Open opened = new Open(bytes, opener.apply(bytes));
    subtract(open.put(sample, opened));
    total += bytes.length;
    Iterator<Open> oldest = open.values().iterator();
    while (open.size() > 1 && (open.size() > MOST || total > MOST_BYTES)) {
      subtract(oldest.next());
      oldest.remove();
    }
    return opened.filter;
  }

  private void subtract(@Nullable Open gone) {
    if (gone != null) {
      total -= gone.bytes.length;
    }
  }

  int size() {
    return open.size();
  }
}
