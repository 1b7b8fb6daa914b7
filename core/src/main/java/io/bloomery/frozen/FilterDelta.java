package io.bloomery.frozen;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterKind;
import io.bloomery.HashedFilter;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.code.SparseBits;
import io.bloomery.internal.frame.FrameReader;
import io.bloomery.membership.BloomFilter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The difference between two versions of a filter, to be sent instead of the filter: the bits in
 * which their files differ, range-coded. Applied to the first version, it yields the second, bit
 * for bit.
 *
 * <p>It works for any kind of filter; it is small for those whose files change little when a few
 * keys are added or removed: {@link BloomFilter} and the other bit filters and counters. If the
 * filter itself is smaller, the delta contains the whole filter and applies to any version. Use
 * {@link #whole} for the first message and after a lost one.
 *
 * <p>A delta records the numbers of both versions and a check value of the base filter. {@link
 * #applyTo} refuses any other filter, so that a lost or repeated delta is detected. The sender
 * numbers the versions.
 *
 * <p>Immutable; any number of threads may use one. A filter must not change while a delta is
 * computed from it.
 *
 * <p>Broder and Mitzenmacher 2004, "Network Applications of Bloom Filters: A Survey", sec. 4 (Fan
 * et al. send the changed bits of a Summary Cache). Deviation: the changes are a coded string of
 * bits instead of a list of positions.
 */
public final class FilterDelta {

  private static final int MAGIC = 0x444D4C42; // "BLMD"
  private static final int VERSION = 1;
  private static final int HEADER_BYTES = 64;
  private static final SealedBytes SEAL = new SealedBytes("delta", HEADER_BYTES);

  /** The check value when no base is needed. */
  private static final long NO_BASE = 0;

  private final long fromVersion;
  private final long toVersion;
  private final long baseCheck;
  private final boolean whole;
  private final int frameBytes;
  private final long changedBits;
  private final byte[] code;

  private FilterDelta(
      long fromVersion,
      long toVersion,
      long baseCheck,
      boolean whole,
      int frameBytes,
      long changedBits,
      byte[] code) {
    this.fromVersion = fromVersion;
    this.toVersion = toVersion;
    this.baseCheck = baseCheck;
    this.whole = whole;
    this.frameBytes = frameBytes;
    this.changedBits = changedBits;
    this.code = code;
  }

  /**
   * The delta from one filter to another, or the whole target filter if that is smaller.
   *
   * @param from the version that the receiver has
   * @param fromVersion its number, 0 or more
   * @param to the version that the receiver should get
   * @param toVersion its number, above the other
   * @return the delta
   */
  public static FilterDelta between(Storable from, long fromVersion, Storable to, long toVersion) {
    Objects.requireNonNull(from, "from");
    Arguments.inRange("fromVersion", fromVersion, 0, Long.MAX_VALUE - 1);
    Arguments.inRange("toVersion", toVersion, fromVersion + 1, Long.MAX_VALUE);
    FilterDelta all = whole(to, toVersion);
    byte[] base = frame(from);
    byte[] target = frame(to);
    if (base.length != target.length || from.kind() != to.kind()) {
      return all;
    }
    Words changes = words(base, target);
    long changed = changes.bitCount();
    byte[] code = SparseBits.encode(changes, bitsOf(target.length), changed);
    return code.length >= all.code.length
        ? all
        : new FilterDelta(fromVersion, toVersion, check(base), false, target.length, changed, code);
  }

  /**
   * A delta that contains the whole filter and needs no earlier version.
   *
   * @param to the version that the receiver should get
   * @param toVersion its number, 0 or more
   * @return the delta
   */
  public static FilterDelta whole(Storable to, long toVersion) {
    Objects.requireNonNull(to, "to");
    Arguments.inRange("toVersion", toVersion, 0, Long.MAX_VALUE);
    byte[] target = frame(to);
    Words bits = words(new byte[target.length], target);
    long ones = bits.bitCount();
    byte[] code = SparseBits.encode(bits, bitsOf(target.length), ones);
    return new FilterDelta(toVersion, toVersion, NO_BASE, true, target.length, ones, code);
  }

  /**
   * The file of a filter; for a compressed filter, that of its plain form, whose bits stay in
   * place.
   */
  private static byte[] frame(Storable filter) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Storable plain = filter instanceof CompressedBloomFilter c ? c.toBloomFilter() : filter;
    try {
      plain.writeTo(out);
    } catch (IOException e) {
      throw new AssertionError("memory cannot fail", e);
    }
    return out.toByteArray();
  }

  /** The bits in which two arrays of one length differ, byte by byte, lowest bit first. */
  private static Words words(byte[] base, byte[] target) {
    byte[] changes = target.clone();
    for (int i = 0; i < changes.length; i++) {
      changes[i] ^= base[i];
    }
    return Message.toWords(changes);
  }

  private static long bitsOf(int bytes) {
    return bytes * (long) Byte.SIZE;
  }

  private static long check(byte[] frame) {
    return Hasher.xxh3().hash(frame);
  }

  /**
   * The number of the version that this delta applies to.
   *
   * @return the number; for a whole filter, its own
   */
  public long fromVersion() {
    return fromVersion;
  }

  /**
   * The number of the version that this delta produces.
   *
   * @return the number
   */
  public long toVersion() {
    return toVersion;
  }

  /**
   * Whether this contains the whole filter and applies to any version.
   *
   * @return false if it needs the previous version
   */
  public boolean isWhole() {
    return whole;
  }

  /**
   * The number of bits of the file that change; for a whole filter, the number set.
   *
   * @return the number of ones in the code
   */
  public long changedBits() {
    return changedBits;
  }

  /**
   * The length of {@link #toBytes}.
   *
   * @return bytes
   */
  public int sizeInBytes() {
    return HEADER_BYTES + code.length;
  }

  /**
   * Applies this delta to its base version.
   *
   * @param base the version {@link #fromVersion}; for a whole delta, any filter with the same
   *     hasher
   * @param <F> the kind of filter
   * @return a new filter
   * @throws IncompatibleFiltersException if {@code base} is another version: a delta was lost or
   *     applied twice; request the {@link #whole} filter from the sender
   * @throws FilterFormatException if the delta was not made by this library
   */
  public <F extends Storable> F applyTo(F base) throws FilterFormatException {
    Objects.requireNonNull(base, "base");
    byte[] frame = whole ? new byte[frameBytes] : frame(base);
    if (!whole && (frame.length != frameBytes || check(frame) != baseCheck)) {
      throw new IncompatibleFiltersException(
          "the delta leads from version %d (check %016x) to %d; this filter is another version (check %016x): request the whole filter"
              .formatted(fromVersion, baseCheck, toVersion, check(frame)));
    }
    Hasher hasher = base instanceof HashedFilter hashed ? hashed.hasher() : null;
    Filter result =
        base instanceof CompressedBloomFilter
            ? CompressedBloomFilter.of(read(decode(frame), BloomFilter.KIND, hasher))
            : read(decode(frame), base.kind(), hasher);
    @SuppressWarnings("unchecked") // a kind has one class
    F same = (F) result;
    return same;
  }

  /**
   * The filter that a whole delta holds.
   *
   * @param kind the kind of filter; a compressed filter comes as a {@link BloomFilter}
   * @param hasher the hasher that the filter was made with, or null if it is not keyed
   * @param <F> the filter's class
   * @return a new filter
   * @throws IncompatibleFiltersException if this is not whole
   * @throws FilterFormatException if the delta was not made by this library, or of another kind or
   *     hasher
   */
  public <F extends Storable> F toFilter(FilterKind<F> kind, @Nullable Hasher hasher)
      throws FilterFormatException {
    if (!whole) {
      throw new IncompatibleFiltersException(
          "the delta needs version " + fromVersion + "; request the whole filter");
    }
    return read(decode(new byte[frameBytes]), kind, hasher);
  }

  /** Decodes the delta, changing the given frame in place. */
  private byte[] decode(byte[] frame) throws FilterFormatException {
    Words changes = Words.forBits(bitsOf(frameBytes), false);
    if (!SparseBits.decode(code, 0, code.length, changes, bitsOf(frameBytes), changedBits)) {
      throw SEAL.problem(
          HEADER_BYTES,
          "the code is not that of %d changes in %d bytes".formatted(changedBits, frameBytes));
    }
    for (int i = 0; i < frame.length; i++) {
      frame[i] ^= (byte) (changes.get(i >>> 3) >>> (i << 3));
    }
    return frame;
  }

  private static <F extends Storable> F read(
      byte[] frame, FilterKind<F> kind, @Nullable Hasher hasher) throws FilterFormatException {
    ByteArrayInputStream in = new ByteArrayInputStream(frame);
    try {
      Filter filter =
          new FrameReader(List.of(kind)).read(in, frame.length, header -> hasher, Filter.class);
      if (in.available() > 0) {
        throw SEAL.problem(HEADER_BYTES, in.available() + " bytes follow the filter");
      }
      return kind.type().cast(filter);
    } catch (FilterFormatException e) {
      throw e;
    } catch (IOException e) {
      throw SEAL.problem(HEADER_BYTES, e.getMessage());
    }
  }

  /**
   * The bytes to send.
   *
   * @return bytes for {@link #read(byte[], long)}
   */
  public byte[] toBytes() {
    byte[] bytes = new byte[sizeInBytes()];
    ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(MAGIC).putInt(VERSION).putLong(whole ? 1 : 0);
    out.putLong(fromVersion).putLong(toVersion).putLong(baseCheck);
    out.putLong(frameBytes).putLong(changedBits);
    System.arraycopy(code, 0, bytes, HEADER_BYTES, code.length);
    out.putInt(SEAL.checksumAt(), SEAL.checksum(bytes));
    return bytes;
  }

  /**
   * Reads the bytes of {@link #toBytes}. Decodes nothing yet.
   *
   * @param bytes from {@link #toBytes}
   * @param maxBytes the longest file that the filter may have; {@link #applyTo} takes three times
   *     as much memory
   * @return the delta
   * @throws FilterFormatException if the bytes are not a delta, or the filter is too large
   */
  public static FilterDelta read(byte[] bytes, long maxBytes) throws FilterFormatException {
    Objects.requireNonNull(bytes, "bytes");
    if (bytes.length < HEADER_BYTES) {
      throw SEAL.problem(bytes.length, "ends inside of the header of " + HEADER_BYTES + " bytes");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    SEAL.require(in.getInt() == MAGIC, 0, "not a delta");
    SEAL.require(in.getInt() == VERSION, 4, "unknown version");
    int checksum = in.getInt(SEAL.checksumAt());
    SEAL.require(
        checksum == SEAL.checksum(bytes),
        SEAL.checksumAt(),
        "the checksum is not that of the bytes");
    long flag = in.getLong();
    long from = in.getLong();
    long to = in.getLong();
    long check = in.getLong();
    long length = in.getLong();
    long changed = in.getLong();
    SEAL.require(in.getInt() == 0, 56, "bytes before the checksum are not zero");
    SEAL.require(flag == 0 || flag == 1, 8, "flag " + flag);
    boolean whole = flag == 1;
    SEAL.require(from >= 0 && (whole ? from == to : from < to), 16, "versions " + from + ", " + to);
    SEAL.require(!whole || check == NO_BASE, 32, "a whole filter with a base");
    SEAL.require(length >= 1 && length <= Integer.MAX_VALUE - Long.SIZE, 40, length + " bytes");
    SEAL.require(
        length <= maxBytes, 40, "the filter has " + length + " bytes; allowed are " + maxBytes);
    SEAL.require(
        changed >= 0 && changed <= bitsOf((int) length),
        48,
        changed + " changes in " + length + " bytes");
    byte[] code = Arrays.copyOfRange(bytes, HEADER_BYTES, bytes.length);
    return new FilterDelta(from, to, check, whole, (int) length, changed, code);
  }

  @Override
  public String toString() {
    return "FilterDelta[%s%d, %d bytes]"
        .formatted(whole ? "whole version " : fromVersion + " to ", toVersion, sizeInBytes());
  }
}
