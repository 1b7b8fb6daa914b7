package io.bloomery.security.revocation;

import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.frozen.RibbonFilter;
import io.bloomery.lookup.BloomierMap;
import io.bloomery.lookup.BloomierShape;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a universe for which the answer changes, exactly: a filter that all changed keys
 * pass, and of the others about 1.44 times as many; and a map of those that pass to one bit. With
 * another rate the two together are larger: d keys among N take log2(1/f) + 1 + f·N/d bits each,
 * least at f = d / (N ln 2).
 *
 * <p>As bytes: nothing if no key changes; otherwise keys, columns, narrow share and trial of the
 * filter and the bytes of its words (4 each), the words, and the map in a packed frame.
 */
final class Changes {

  private static final int HEADER = 5 * Integer.BYTES;
  private static final int RIBBON = 3; // the layout in BloomierShape
  private static final double FACTOR = 1 / Math.log(2);
  private static final double LOWEST_RATE = 0x1p-32; // of a ribbon
  private static final double HIGHEST_RATE = 0.5;

  private final RibbonFilter.@Nullable Embedded filter;
  private final @Nullable BloomierMap map;

  private Changes(RibbonFilter.@Nullable Embedded filter, @Nullable BloomierMap map) {
    this.filter = filter;
    this.map = map;
  }

  /**
   * The keys for which the earlier answer is wrong.
   *
   * @param before the earlier answer
   * @return the changes, or null if a changed key and another one have the same hash
   */
  static @Nullable Changes of(
      LongPredicate before,
      Supplier<? extends LongStream> revoked,
      Supplier<? extends LongStream> others,
      long universe) {
    LongPredicate opposite = before.negate();
    long[] changed = selected(revoked, opposite, others, before);
    if (changed.length == 0) {
      return new Changes(null, null);
    }
    double best = FACTOR * changed.length / universe;
    double rate = Math.min(HIGHEST_RATE, Math.max(LOWEST_RATE, best));
    RibbonFilter.Embedded filter =
        RibbonFilter.Embedded.build(changed.clone(), changed.length, rate, Integer.MAX_VALUE);
    if (filter == null) {
      throw new IllegalArgumentException(changed.length + " keys change, too many for an update");
    }
    LongPredicate passes = filter::mightContainHash;
    long[] same = selected(revoked, before.and(passes), others, opposite.and(passes));
    BloomierMap.Builder map =
        BloomierMap.builder().shape(new BloomierShape(2, 1, RIBBON, changed.length, 0, 0));
    for (long hash : changed) {
      map.putHash(hash, 1);
    }
    for (long hash : same) {
      if (Arrays.binarySearch(changed, hash) >= 0) {
        return null;
      }
      map.putHash(hash, 0);
    }
    return new Changes(filter, map.build());
  }

  /** The hashes of two sources that fulfil their conditions, sorted, each once. */
  private static long[] selected(
      Supplier<? extends LongStream> revoked,
      LongPredicate ofRevoked,
      Supplier<? extends LongStream> others,
      LongPredicate ofOthers) {
    try (LongStream first = revoked.get();
        LongStream second = others.get()) {
      return LongStream.concat(first.filter(ofRevoked), second.filter(ofOthers))
          .sorted()
          .distinct()
          .toArray();
    }
  }

  boolean contains(long hash) {
    return filter != null && map != null && filter.mightContainHash(hash) && map.getHash(hash) == 1;
  }

  /** How many keys change. */
  int count() {
    return filter == null ? 0 : filter.keyCount();
  }

  byte[] toBytes() {
    if (filter == null || map == null) {
      return new byte[0];
    }
    byte[] words = filter.bytes();
    byte[] frame = PackedFrame.of(map.toBytes());
    return ByteBuffer.allocate(HEADER + words.length + frame.length)
        .putInt(filter.keyCount())
        .putInt(filter.columns())
        .putInt(filter.narrowShare())
        .putInt(filter.trial())
        .putInt(words.length)
        .put(words)
        .put(frame)
        .array();
  }

  static Changes read(byte[] bytes, int maxBytes) throws FilterFormatException {
    if (bytes.length == 0) {
      return new Changes(null, null);
    }
    if (bytes.length < HEADER) {
      throw problem("is cut off");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int keys = in.getInt();
    int columns = in.getInt();
    int narrowShare = in.getInt();
    int trial = in.getInt();
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw problem("has a filter of " + length + " bytes");
    }
    byte[] words = new byte[length];
    in.get(words);
    byte[] frame = new byte[in.remaining()];
    in.get(frame);
    try {
      return new Changes(
          RibbonFilter.Embedded.of(keys, columns, narrowShare, trial, ByteBuffer.wrap(words), 0),
          Filters.read(PackedFrame.unpack(frame, maxBytes), ReadOptions.as(BloomierMap.class)));
    } catch (IllegalArgumentException e) {
      throw problem(String.valueOf(e.getMessage()));
    }
  }

  private static FilterFormatException problem(String what) {
    return new FilterFormatException("changes of a revocation list", 0, what);
  }
}
