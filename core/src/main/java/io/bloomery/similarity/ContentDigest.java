package io.bloomery.similarity;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.CardinalityFilter;
import io.bloomery.Filter;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.Mergeable;
import io.bloomery.Storable;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Labels;
import io.bloomery.membership.BloomFilter;
import io.bloomery.plan.Shape;
import io.bloomery.theory.ExcerptMath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The common part of digests: payloads are cut into blocks, and blocks, groups of blocks and their
 * indexes are keys of Bloom filters. A {@link BlockDigest} is one with a single level.
 *
 * @param <F> the digest's own type
 */
abstract sealed class ContentDigest<F extends ContentDigest<F>>
    implements Filter, Mergeable<F>, CardinalityFilter, Storable
    permits BlockDigest, HierarchicalDigest {

  // Design. The hash of a group is computed from those of its halves, so that an add reads every
  // byte once for all levels; DigestKeys has the formulas. Payloads are hashed in segments of whole
  // groups of the highest level, which keeps long ones in the cache. A query tests the blocks of an
  // alignment at an index first and the groups above them only if all are found: nearly all queries
  // for absent excerpts end at their first block.

  /**
   * The number of blocks whose hashes are held at a time, unless one group of the highest level has
   * more.
   */
  private static final int SEGMENT_LOG = 10;

  private static final long NO_HOST = 0;

  private static final Comparator<String> BY_BYTES =
      (a, b) -> Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8));

  /** Handles a place that a query found; returns true to continue. */
  @FunctionalInterface
  private interface Places {
    boolean found(long[] contents, int blocks, int alignment, int offset);
  }

  private final HierarchicalDigestShape layout;
  private final Hasher hasher;
  private final DigestFilter[] filters;
  private final AtomicInteger longest;
  private final Set<String> hosts;

  /** An empty digest. */
  ContentDigest(HierarchicalDigestShape layout, Hasher hasher) {
    this(layout, hasher, new DigestFilter[layout.filters()], 0, List.of());
    for (int i = 0; i < filters.length; i++) {
      filters[i] = new DigestFilter(BloomFilter.create(layout.filter(i), hasher));
    }
  }

  private ContentDigest(
      HierarchicalDigestShape layout,
      Hasher hasher,
      DigestFilter[] filters,
      int longest,
      Collection<String> hosts) {
    this.layout = layout;
    this.hasher = Objects.requireNonNull(hasher, "hasher");
    this.filters = filters;
    this.longest = new AtomicInteger(longest);
    this.hosts = ConcurrentHashMap.newKeySet();
    this.hosts.addAll(hosts);
  }

  /** A copy of another digest. */
  ContentDigest(ContentDigest<F> other) {
    this(
        other.layout,
        other.hasher,
        new DigestFilter[other.filters.length],
        other.longest.get(),
        other.hosts);
    Arrays.setAll(filters, i -> other.filters[i].copy());
  }

  /** Reads the part of a frame after the fields of the shape. */
  ContentDigest(HierarchicalDigestShape layout, Frame frame) throws IOException {
    this(layout, frame.hasher(), new DigestFilter[layout.filters()], 0, List.of());
    longest.set(
        (int) frame.number("longest", 0, Math.min(Integer.MAX_VALUE, layout.blocks().bits())));
    long hostCount = frame.number("hosts", 0, Integer.MAX_VALUE);
    long hostBytes = frame.number("host bytes", 0, Labels.MAX_BYTES);
    for (int i = 0; i < filters.length; i++) {
      filters[i] = DigestFilter.decode(frame, i, layout.filter(i));
    }
    frame.require(
        (hostCount > 0) == (hostBytes > 0), hostCount + " hosts in " + hostBytes + " bytes");
    if (hostCount > 0) {
      List<String> stored = Labels.decode(frame, filters.length, hostCount, hostBytes);
      frame.require(
          stored.stream().sorted(BY_BYTES).toList().equals(stored),
          "hosts are not in ascending order");
      hosts.addAll(stored);
    }
  }

  /** Adds the part of a frame after the fields of the shape. */
  final Frame encode(Frame frame) {
    List<String> stored = hosts();
    frame
        .put("longest", longest.get())
        .put("hosts", stored.size())
        .put("host bytes", Labels.bytes(stored));
    for (DigestFilter filter : filters) {
      frame.section(filter.words());
    }
    return stored.isEmpty() ? frame : frame.section(Labels.encode(stored));
  }

  /**
   * The parameters of this digest.
   *
   * @return the shape
   */
  public abstract Shape shape();

  /**
   * The hasher of blocks and hosts.
   *
   * @return the hasher this digest was created with
   */
  public final Hasher hasher() {
    return hasher;
  }

  /**
   * The number of whole blocks of the longest payload; excerpts are not looked up beyond it.
   *
   * @return 0 or more
   */
  public final int longest() {
    return longest.get();
  }

  /**
   * The hosts of all payloads that were added with one.
   *
   * @return a new list, in ascending order of their UTF-8 bytes
   */
  public final List<String> hosts() {
    return hosts.stream().sorted(BY_BYTES).toList();
  }

  /**
   * The length from which excerpts are never missed.
   *
   * @return 2·s − 1 bytes for blocks of s bytes: a shorter excerpt may lie across two blocks
   *     without covering one
   */
  public final int minExcerptBytes() {
    return 2 * layout.blocks().blockBytes() - 1;
  }

  /**
   * Adds a payload. The bytes after its last whole block are not stored.
   *
   * @param payload the bytes
   * @return {@code true}: the digest changed, so the payload is certainly new; {@code false}: its
   *     blocks are probably in the digest already
   * @throws IllegalArgumentException if it has more blocks than the digest has bits
   * @throws IllegalStateException if the digest is a read-only view of a mapped file
   */
  public final boolean add(byte[] payload) {
    Objects.requireNonNull(payload, "payload");
    return insert(payload, 0, payload.length, NO_HOST);
  }

  /**
   * Adds a payload given as a range of an array.
   *
   * @param bytes the array
   * @param offset the index of the payload's first byte
   * @param length its length in bytes
   * @return as {@link #add(byte[])}
   */
  public final boolean add(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    return insert(bytes, offset, length, NO_HOST);
  }

  /**
   * Adds a text, as its UTF-8 bytes.
   *
   * @param payload the text
   * @return as {@link #add(byte[])}
   */
  public final boolean add(CharSequence payload) {
    return add(Objects.requireNonNull(payload, "payload").toString().getBytes(UTF_8));
  }

  /**
   * Adds a payload with a host: its sender, its receiver, both, or the name of a file. It takes
   * twice the keys. The host is also stored as text, so that {@link #find(byte[])} can return it.
   *
   * @param payload the bytes
   * @param host any text
   * @return as {@link #add(byte[])}
   */
  public final boolean add(byte[] payload, String host) {
    Objects.requireNonNull(payload, "payload");
    byte[] name = Objects.requireNonNull(host, "host").getBytes(UTF_8);
    boolean changed = insert(payload, 0, payload.length, hostKey(name));
    if (payload.length >= layout.blocks().blockBytes()) {
      hosts.add(new String(name, UTF_8)); // the stored form, without unpaired surrogates
    }
    return changed;
  }

  /** The hash of a host; never {@link #NO_HOST}. */
  private long hostKey(byte[] host) {
    long hash = hasher.hash(host);
    return hash == NO_HOST ? 1 : hash;
  }

  private boolean insert(byte[] bytes, int from, int length, long host) {
    int size = layout.blocks().blockBytes();
    int blocks = length / size;
    if (blocks > layout.blocks().bits()) {
      throw new IllegalArgumentException(
          "payload has %d blocks; a digest of %d bits takes no more than %2$d"
              .formatted(blocks, layout.blocks().bits()));
    }
    int segment = 1 << Math.max(SEGMENT_LOG, layout.levels() - 1);
    long[] contents = new long[Math.min(segment, blocks)];
    boolean changed = false;
    for (int start = 0; start < blocks; start += contents.length) {
      int count = Math.min(contents.length, blocks - start);
      for (int i = 0; i < count; i++) {
        contents[i] = hasher.hash(bytes, from + (start + i) * size, size);
      }
      changed |= insert(contents, count, start, host);
    }
    longest.accumulateAndGet(blocks, Math::max);
    return changed;
  }

  /** Adds blocks from index {@code start} on, and all groups of them. */
  private boolean insert(long[] contents, int blocks, int start, long host) {
    // One filter takes the keys of all levels at once: the more there are, the more reads overlap.
    long[] keys = new long[5 * blocks]; // content, two of block and groups, two with the host
    int size = 0;
    if (layout.blocks().contentKeys()) {
      for (; size < blocks; size++) {
        keys[size] = DigestKeys.content(contents[size]);
      }
    }
    boolean changed = false;
    int count = blocks;
    for (int level = 0; level < layout.levels() && count > 0; level++) {
      int first = start >> level;
      for (int i = 0; i < count; i++) {
        long key = DigestKeys.at(contents[i], first + i);
        keys[size++] = key;
        if (host != NO_HOST) {
          keys[size++] = DigestKeys.of(key, host);
        }
      }
      if (layout.perLevel()) {
        changed |= filters[level].add(keys, size);
        size = 0;
      }
      count = DigestKeys.pair(contents, count, 0);
    }
    changed |= filters[0].add(keys, size);
    return changed;
  }

  private DigestFilter filter(int level) {
    return filters[layout.perLevel() ? level : 0];
  }

  /**
   * Finds the places at which payloads may hold an excerpt, with the hosts that the digest knows.
   *
   * @param excerpt the bytes, at least one block; below {@link #minExcerptBytes()} places may be
   *     missed
   * @return every place at which a payload holds it, and false ones, by alignment and offset
   * @throws IllegalArgumentException if the excerpt is shorter than a block
   */
  public final List<BlockDigest.ExcerptMatch> find(byte[] excerpt) {
    return find(excerpt, hosts());
  }

  /**
   * Finds the places at which payloads may hold an excerpt, and which of the given hosts they may
   * be from. Each host takes a few lookups per place.
   *
   * @param excerpt the bytes, at least one block; below {@link #minExcerptBytes()} places may be
   *     missed
   * @param candidates the hosts to look up, whether or not the digest knows them
   * @return every place at which a payload holds it, and false ones, by alignment and offset
   * @throws IllegalArgumentException if the excerpt is shorter than a block
   */
  public final List<BlockDigest.ExcerptMatch> find(byte[] excerpt, Collection<String> candidates) {
    Objects.requireNonNull(excerpt, "excerpt");
    int size = layout.blocks().blockBytes();
    if (excerpt.length < size) {
      throw new IllegalArgumentException(
          "excerpt has %d bytes; it needs a block of %d, and %d to be found at every place"
              .formatted(excerpt.length, size, minExcerptBytes()));
    }
    List<String> asked = candidates.stream().distinct().sorted(BY_BYTES).toList();
    long[] hashes = asked.stream().mapToLong(host -> hostKey(host.getBytes(UTF_8))).toArray();
    List<BlockDigest.ExcerptMatch> matches = new ArrayList<>();
    search(
        excerpt,
        0,
        excerpt.length,
        (contents, blocks, alignment, offset) -> {
          List<String> found = new ArrayList<>();
          for (int i = 0; i < hashes.length; i++) {
            if (isAt(contents, blocks, offset, hashes[i])) {
              found.add(asked.get(i));
            }
          }
          long position = (long) offset * size - alignment;
          return matches.add(new BlockDigest.ExcerptMatch(position, alignment, offset, found));
        });
    return matches;
  }

  /**
   * Cuts an excerpt at every alignment and looks its blocks up at every index. At alignments other
   * than 0, bytes precede the first block, which therefore is not the first of its payload.
   */
  private void search(byte[] bytes, int from, int length, Places places) {
    int size = layout.blocks().blockBytes();
    long[] contents = new long[length / size];
    int end = longest.get();
    for (int alignment = 0; alignment < size && length - alignment >= size; alignment++) {
      int blocks = (length - alignment) / size;
      if (!hash(bytes, from + alignment, blocks, contents)) {
        continue;
      }
      for (int offset = Math.min(1, alignment); offset <= end - blocks; offset++) {
        if (isAt(contents, blocks, offset, NO_HOST)
            && !places.found(contents, blocks, alignment, offset)) {
          return;
        }
      }
    }
  }

  /** Hashes consecutive blocks; false if one of them is certainly in no payload. */
  private boolean hash(byte[] bytes, int from, int blocks, long[] contents) {
    int size = layout.blocks().blockBytes();
    boolean kept = layout.blocks().contentKeys();
    for (int i = 0; i < blocks; i++) {
      contents[i] = hasher.hash(bytes, from + i * size, size);
      if (kept && !filters[0].mightContain(DigestKeys.content(contents[i]))) {
        return false;
      }
    }
    return true;
  }

  /** Whether all blocks and all groups of them are at an index, of a host if one is given. */
  private boolean isAt(long[] contents, int blocks, int offset, long host) {
    if (!isLevelAt(0, contents, blocks, offset, host)) {
      return false;
    }
    if (layout.levels() == 1 || blocks == 1) {
      return true;
    }
    long[] groups = Arrays.copyOf(contents, blocks);
    int count = blocks;
    int first = offset;
    for (int level = 1; level < layout.levels() && count > 1; level++) {
      count = DigestKeys.pair(groups, count, first & 1);
      first = (first + 1) >> 1;
      if (!isLevelAt(level, groups, count, first, host)) {
        return false;
      }
    }
    return true;
  }

  private boolean isLevelAt(int level, long[] contents, int count, int first, long host) {
    DigestFilter filter = filter(level);
    for (int i = 0; i < count; i++) {
      long key = DigestKeys.at(contents[i], first + i);
      if (!filter.mightContain(host == NO_HOST ? key : DigestKeys.of(key, host))) {
        return false;
      }
    }
    return true;
  }

  /**
   * {@inheritDoc} Here: whether a payload may hold the key as an excerpt. Too short an excerpt,
   * below {@link #minExcerptBytes()}, cannot be ruled out: the answer is {@code true}.
   */
  @Override
  public final boolean mightContain(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    return isExcerpt(bytes, offset, length);
  }

  /** {@inheritDoc} Here: whether a payload may hold the key as an excerpt. */
  @Override
  public final boolean mightContain(byte[] key) {
    Objects.requireNonNull(key, "key");
    return isExcerpt(key, 0, key.length);
  }

  /** {@inheritDoc} Here: whether a payload may hold its UTF-8 bytes as an excerpt. */
  @Override
  public final boolean mightContain(CharSequence key) {
    return mightContain(Objects.requireNonNull(key, "key").toString().getBytes(UTF_8));
  }

  /** {@inheritDoc} Here: whether a payload may hold its 8 bytes as an excerpt. */
  @Override
  public final boolean mightContain(long key) {
    return mightContain(
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(key).array());
  }

  /** {@inheritDoc} Here: whether a payload may hold the bytes of its fields as an excerpt. */
  @Override
  public final <T> boolean mightContain(T key, Funnel<? super T> funnel) {
    return mightContain(Funnel.Fields.bytesOf(key, funnel));
  }

  private boolean isExcerpt(byte[] bytes, int from, int length) {
    boolean[] found = {length < minExcerptBytes()};
    if (!found[0]) {
      search(
          bytes,
          from,
          length,
          (contents, blocks, alignment, offset) -> {
            found[0] = true;
            return false;
          });
    }
    return found[0];
  }

  /**
   * {@inheritDoc} Here: for random excerpts of {@link #minExcerptBytes()}, the shortest that are
   * never missed, which is the worst case. Longer excerpts have far lower rates: {@link
   * #excerptRate}.
   */
  @Override
  public final double falsePositiveRate() {
    return excerptRate(minExcerptBytes());
  }

  /**
   * The expected rate of an excerpt of random bytes, at the current fill and over all alignments
   * and indexes. Excerpts assembled from blocks of several payloads are found more often.
   *
   * @param excerptBytes the length of the excerpt, 0 or more
   * @return a probability; 1 below {@link #minExcerptBytes()}
   */
  public final double excerptRate(int excerptBytes) {
    Arguments.inRange("excerptBytes", excerptBytes, 0, Integer.MAX_VALUE);
    BlockDigestShape blocks = layout.blocks();
    double[] each =
        Arrays.stream(filters).mapToDouble(filter -> filter.bits.falsePositiveRate()).toArray();
    double[] rates = new double[layout.levels()];
    Arrays.setAll(rates, level -> each[layout.perLevel() ? level : 0]);
    boolean contents = blocks.contentKeys();
    return ExcerptMath.excerpt(rates, contents, blocks.blockBytes(), longest.get(), excerptBytes);
  }

  /**
   * The expected rate of a single lookup at the current fill, FP_e: the probability that a block is
   * reported at an index where no payload has it.
   *
   * @return a probability, 0 for an empty digest
   */
  public final double lookupRate() {
    return filters[0].bits.falsePositiveRate();
  }

  @Override
  public final long sizeInBits() {
    return layout.sizeInBits();
  }

  @Override
  public final double fillRatio() {
    double set = 0;
    for (DigestFilter filter : filters) {
      set += filter.bits.fillRatio() * filter.bits.sizeInBits();
    }
    return Math.min(1, set / sizeInBits());
  }

  /**
   * {@inheritDoc} Keys are blocks and groups: with an index, with an index and a host, or alone.
   */
  @Override
  public final double cardinality() {
    double keys = 0;
    for (DigestFilter filter : filters) {
      keys += filter.bits.cardinality();
    }
    return keys;
  }

  @Override
  public final boolean isCompatible(F other) {
    Objects.requireNonNull(other, "other");
    ContentDigest<F> that = other;
    return hasher.equals(that.hasher) && layout.equals(that.layout);
  }

  /** {@inheritDoc} The result is the digest of the payloads of both. */
  @Override
  public final void merge(F other) {
    Objects.requireNonNull(other, "other");
    ContentDigest<F> that = other;
    if (!hasher.equals(that.hasher)) {
      throw new IncompatibleFiltersException("hasher " + hasher + " != " + that.hasher);
    }
    if (!layout.equals(that.layout)) {
      throw new IncompatibleFiltersException("shape " + shape() + " != " + that.shape());
    }
    for (int i = 0; i < filters.length; i++) {
      filters[i].bits.merge(that.filters[i].bits);
    }
    longest.accumulateAndGet(that.longest.get(), Math::max);
    hosts.addAll(that.hosts);
  }

  /**
   * A copy in heap memory that shares nothing with this digest.
   *
   * @return a digest with the same payloads, writable even if this one is mapped
   */
  public abstract F copy();

  @Override
  public final String toString() {
    return getClass().getSimpleName() + "[" + shape() + ", " + hasher + "]";
  }
}
