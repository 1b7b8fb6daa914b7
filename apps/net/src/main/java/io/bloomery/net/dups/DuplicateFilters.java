package io.bloomery.net.dups;

import io.bloomery.AddableFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.packet.Unchanged;
import io.bloomery.theory.SpaceMath;
import io.bloomery.window.AgingBloomFilter;
import io.bloomery.window.AgingShape;
import io.bloomery.window.DecayingBloomFilter;
import io.bloomery.window.DecayingShape;
import io.bloomery.window.DoubleBufferShape;
import io.bloomery.window.DoubleBufferedBloomFilter;
import io.bloomery.window.StableBloomFilter;
import io.bloomery.window.StableShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks for repetitions in a stream by five filters that forget, side by side, and on request by a
 * table that does not err.
 *
 * <p>Threads: one.
 */
public final class DuplicateFilters {

  /** A filter. */
  public enum Kind {
    /** Cells that fade at random: constant errors of both sorts. */
    STABLE("stable"),
    /** Cells with the time of their latest key. */
    DECAYING("decaying"),
    /** The same with coarser times, which need smaller cells. */
    BLOCKED_DECAYING("decaying in blocks"),
    /** Two filters that take turns, both of which are asked. */
    AGING("aging"),
    /** Two filters that take turns, one of which is asked. */
    DOUBLE_BUFFERED("double-buffered");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    /** Whether it misses no repetition within the window. */
    public boolean isComplete() {
      return this != STABLE;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  /**
   * What a filter found.
   *
   * @param kind the filter
   * @param bytes its memory
   * @param reported items that it took for repetitions
   * @param found of the exact repetitions in the window, those it reported
   * @param late reported items that were seen, but longer ago than the window
   * @param wrong reported items that were never seen before
   * @param nanos the time that it took
   */
  public record Result(
      Kind kind, long bytes, long reported, long found, long late, long wrong, long nanos) {}

  /** A filter and its counts. */
  private static final class Tally {
    private final Kind kind;
    private final AddableFilter filter;
    private final boolean[] repeated = new boolean[BATCH];
    private long reported;
    private long found;
    private long late;
    private long wrong;
    private long nanos;

    Tally(Kind kind, AddableFilter filter) {
      this.kind = kind;
      this.filter = filter;
    }

    void take(long[] hashes, ExactWindow.Age[] ages, int count) {
      long before = System.nanoTime();
      for (int i = 0; i < count; i++) {
        repeated[i] = !filter.addHash(hashes[i]);
      }
      nanos += System.nanoTime() - before;
      for (int i = 0; i < count; i++) {
        if (repeated[i]) {
          reported++;
          switch (ages[i]) {
            case IN_WINDOW -> found++;
            case OLDER -> late++;
            case NEW -> wrong++;
          }
        }
      }
    }

    Result result() {
      long size = filter.sizeInBits() / Byte.SIZE;
      return new Result(kind, size, reported, found, late, wrong, nanos);
    }
  }

  private static final int BATCH = 256; // items between two looks at the clock

  private final DuplicateOptions options;
  private final List<Tally> tallies = new ArrayList<>();
  private final @Nullable ExactWindow exact;
  private final long[] hashes = new long[BATCH];
  private final ExactWindow.Age[] ages = new ExactWindow.Age[BATCH];
  private int pending;
  private long items;
  private byte[] bytes = new byte[1 << 11];

  private DuplicateFilters(DuplicateOptions options, boolean exact) {
    this.options = options;
    this.exact = exact ? new ExactWindow(options.window(), options.hasher()) : null;
    for (Kind kind : Kind.values()) {
      tallies.add(new Tally(kind, filter(kind)));
    }
    Arrays.fill(ages, ExactWindow.Age.NEW);
  }

  /**
   * Makes empty filters.
   *
   * @param options their window and rate
   * @param exact whether a table counts errors; it takes some 100 bytes per different item
   * @return the filters
   */
  public static DuplicateFilters create(DuplicateOptions options, boolean exact) {
    return new DuplicateFilters(options, exact);
  }

  private AddableFilter filter(Kind kind) {
    Hasher hasher = options.hasher();
    return switch (kind) {
      case STABLE -> StableBloomFilter.create(stable(options), hasher);
      case DECAYING -> DecayingBloomFilter.create(decaying(options, 1), hasher);
      case BLOCKED_DECAYING ->
          DecayingBloomFilter.create(decaying(options, blocks(options)), hasher);
      case AGING -> AgingBloomFilter.create(aging(options), hasher);
      case DOUBLE_BUFFERED -> DoubleBufferedBloomFilter.create(doubled(options), hasher);
    };
  }

  private static StableShape stable(DuplicateOptions options) {
    return StableShape.forKeys(options.window(), options.rate());
  }

  private static DecayingShape decaying(DuplicateOptions options, long granularity) {
    return DecayingShape.forKeys(options.window(), options.rate(), options.window(), granularity);
  }

  private static long blocks(DuplicateOptions options) {
    return DecayingShape.defaultGranularity(options.window());
  }

  private static AgingShape aging(DuplicateOptions options) {
    return AgingShape.forKeys(options.window(), options.rate());
  }

  private static DoubleBufferShape doubled(DuplicateOptions options) {
    return DoubleBufferShape.forKeys(options.window(), options.rate());
  }

  /**
   * The memory that all filters will take.
   *
   * @param options their window and rate
   * @return bytes, without the exact table
   */
  public static long memory(DuplicateOptions options) {
    long bits = stable(options).sizeInBits();
    bits += decaying(options, 1).sizeInBits() + decaying(options, blocks(options)).sizeInBits();
    bits += 2 * aging(options).bits() + 2 * doubled(options).bits();
    return bits / Byte.SIZE;
  }

  /** How many items there were. */
  public long items() {
    return items;
  }

  /**
   * Takes a packet: two are the same if they differ only in what routers change, and in no byte
   * behind the header of IP.
   *
   * @param packet the packet
   */
  public void add(Packet packet) {
    int end = packet.payloadOffset() + packet.payloadLength();
    int behind = end - packet.transportOffset();
    if (bytes.length < Unchanged.MOST + behind) {
      bytes = new byte[2 * (Unchanged.MOST + behind)];
    }
    int header = Unchanged.header(packet, bytes);
    System.arraycopy(packet.bytes(), packet.transportOffset(), bytes, header, behind);
    add(bytes, 0, header + behind);
  }

  /**
   * Takes an item.
   *
   * @param source the array it is in
   * @param from where it begins
   * @param length how long it is
   */
  public void add(byte[] source, int from, int length) {
    items++;
    hashes[pending] = options.hasher().hash(source, from, length);
    if (exact != null) {
      ages[pending] = exact.add(source, from, length);
    }
    pending++;
    if (pending == BATCH) {
      flush();
    }
  }

  private void flush() {
    for (Tally tally : tallies) {
      tally.take(hashes, ages, pending);
    }
    pending = 0;
  }

  /** What was found; the last three numbers are known only with an exact table. */
  public List<Result> results() {
    flush();
    return tallies.stream().map(Tally::result).toList();
  }

  /** The repetitions within the window, all different items, and those with one further back. */
  public Exact exact() {
    return exact == null ? new Exact(0, 0, 0) : exact.counts();
  }

  /**
   * What the exact table counted.
   *
   * @param repeated items that are among the W before them
   * @param older items that were seen, but longer ago
   * @param distinct items that were new
   */
  public record Exact(long repeated, long older, long distinct) {}

  /**
   * The least sum of both error rates that any filter of a size can have on a uniform stream.
   *
   * @param distinct the different items of the stream
   * @param bytes the memory of the filter
   * @param window the items in which repetitions are looked for
   * @return the bound; 0 if the memory has a bit per item of the window
   */
  public static double bound(long distinct, long bytes, long window) {
    return SpaceMath.streamErrorBound(
        Math.max(2, distinct), Math.max(1, bytes * Byte.SIZE), window);
  }
}
