package io.bloomery.foreign;

import io.bloomery.ConstructionException;
import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.solve.CellLayout;
import io.bloomery.internal.solve.Peeling;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;

/**
 * A filter of the C library xor_singleheader, as {@code xor8_serialize}, {@code
 * binary_fuse8_serialize} and {@code binary_fuse16_serialize} write it on a little-endian machine.
 * The xor of a key's three cells is its fingerprint. It is built from all its keys at once; none
 * can be added later.
 *
 * <p>Keys are numbers of 64 bits: a {@code long}, or its 8 bytes little-endian. The library does
 * not hash strings; the caller hashes them to numbers first, in the same way as the program that
 * made the filter.
 *
 * <p>Graf and Lemire 2020, "Xor filters", and 2022, "Binary fuse filters". The Java library
 * fastfilter has the same filters with other cells and fingerprints: its tables are not compatible.
 *
 * <p>Immutable, so any number of threads may query it.
 */
public final class XorSingleHeaderFilter implements ForeignFilter {

  /** Which of the library's filters it is. */
  public enum Kind {
    /** Three equal blocks of bytes. */
    XOR8,
    /** Segments of bytes. */
    FUSE8,
    /** Segments of 16-bit numbers. */
    FUSE16;

    private int bytes() {
      return this == FUSE16 ? Short.BYTES : 1;
    }

    /**
     * Its format.
     *
     * @return a registered format
     */
    public ForeignFormat<XorSingleHeaderFilter> format() {
      return switch (this) {
        case XOR8 -> FORMAT_XOR8;
        case FUSE8 -> FORMAT_FUSE8;
        case FUSE16 -> FORMAT_FUSE16;
      };
    }
  }

  /** Files of {@code xor8_serialize}. */
  public static final ForeignFormat<XorSingleHeaderFilter> FORMAT_XOR8 =
      format("xor8", "xor_singleheader xor8_serialize", Kind.XOR8);

  /** Files of {@code binary_fuse8_serialize}. */
  public static final ForeignFormat<XorSingleHeaderFilter> FORMAT_FUSE8 =
      format("fuse8", "xor_singleheader binary_fuse8_serialize", Kind.FUSE8);

  /** Files of {@code binary_fuse16_serialize}. */
  public static final ForeignFormat<XorSingleHeaderFilter> FORMAT_FUSE16 =
      format("fuse16", "xor_singleheader binary_fuse16_serialize", Kind.FUSE16);

  /** The most keys that {@link #ofKeys} takes. */
  public static final int MAX_KEYS = Peeling.MAX_KEYS;

  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int MAX_CELLS = (Integer.MAX_VALUE - 8) / Short.BYTES;
  private static final int ARITY = 3;
  private static final int XOR_HEADER_BYTES = 16;
  private static final int FUSE_HEADER_BYTES = 28;
  private static final int MAX_SEGMENT = 1 << 18;
  private static final int TRIALS = 100;
  private static final long XOR_COUNTER = 1; // the library's first seed
  private static final long FUSE_COUNTER = 0x726b2b9d438b9d4dL;

  /**
   * The layout of the cells: blocks of {@code length} cells, or segments and the number of those in
   * which a key can begin.
   */
  private record Shape(Kind kind, int length, int starts) {

    int cells() {
      return (kind == Kind.XOR8 ? ARITY : starts + ARITY - 1) * length;
    }

    int headerBytes() {
      return kind == Kind.XOR8 ? XOR_HEADER_BYTES : FUSE_HEADER_BYTES;
    }

    int cell(long hash, int i) {
      if (kind == Kind.XOR8) {
        long part = Long.rotateLeft(hash, 21 * i) & 0xffffffffL;
        return (int) ((part * length) >>> 32) + i * length;
      }
      int first = (int) multiplyHigh(hash, (long) starts * length);
      return switch (i) {
        case 0 -> first;
        case 1 -> (first + length) ^ (int) (hash >>> 18 & (length - 1));
        default -> (first + 2 * length) ^ (int) (hash & (length - 1));
      };
    }

    /** The upper half of the product of an unsigned number and a positive one. */
    private static long multiplyHigh(long unsigned, long positive) {
      return Math.multiplyHigh(unsigned, positive) + (unsigned >> 63 & positive);
    }

    static Shape of(Kind kind, int keys) {
      if (kind == Kind.XOR8) {
        return new Shape(kind, (int) ((long) (32 + 1.23 * keys) / ARITY), 0);
      }
      int log = keys == 0 ? 2 : (int) Math.floor(Math.log(keys) / Math.log(3.33) + 2.25);
      int length = Math.min(1 << log, MAX_SEGMENT);
      double factor =
          keys <= 1 ? 0 : Math.max(1.125, 0.875 + 0.25 * Math.log(1_000_000) / Math.log(keys));
      long segments = (Math.round(keys * factor) + length - 1) / length;
      return new Shape(kind, length, (int) Math.max(segments - (ARITY - 1), 1));
    }
  }

  private final Shape shape;
  private final long seed;
  private final int size; // as stored in the file, unused by queries; 0 in xor8
  private final byte[] table;

  private XorSingleHeaderFilter(Shape shape, long seed, int size, byte[] table) {
    this.shape = shape;
    this.seed = seed;
    this.size = size;
    this.table = table;
  }

  private static ForeignFormat<XorSingleHeaderFilter> format(String name, String title, Kind kind) {
    return ForeignFormat.of(
            name,
            title,
            XorSingleHeaderFilter.class,
            new FileLayout<>(
                    FileLayout.Evidence.LAYOUT,
                    in -> header(in, kind),
                    in -> {
                      XorSingleHeaderFilter filter = header(in, kind);
                      byte[] table = in.bytes(in.remaining(), "the fingerprints");
                      return new XorSingleHeaderFilter(
                          filter.shape, filter.seed, filter.size, table);
                    })
                .knownBy(kind == Kind.XOR8 ? 0 : 28))
        .withKeys(KeyCoding.Standard.NUMBERS_ONLY);
  }

  /**
   * Builds the filter of a set of keys, with the size that the library chooses.
   *
   * @param kind which filter
   * @param keys the keys, in any order; duplicates count once
   * @return a filter whose rate is 1/256, or 1/65,536 for {@link Kind#FUSE16}
   * @throws ConstructionException if none of the 100 seeds of the format works, as happens only
   *     with keys that were chosen against them
   */
  public static XorSingleHeaderFilter ofKeys(Kind kind, long... keys) {
    Objects.requireNonNull(kind, "kind");
    Arguments.inRange("keys.length", Objects.requireNonNull(keys, "keys").length, 0, MAX_KEYS);
    long[] distinct = Arrays.stream(keys).sorted().distinct().toArray();
    Shape shape = Shape.of(kind, distinct.length);
    long counter = kind == Kind.XOR8 ? XOR_COUNTER : FUSE_COUNTER;
    long[] rows = LongStream.range(0, distinct.length).toArray();
    for (int trial = 1; trial <= TRIALS; trial++) {
      long seed = splitMix(counter, trial);
      int[] cells = new int[distinct.length * ARITY];
      for (int i = 0; i < distinct.length; i++) {
        long hash = mixed(distinct[i] + seed);
        for (int j = 0; j < ARITY; j++) {
          cells[i * ARITY + j] = shape.cell(hash, j);
        }
      }
      CellLayout layout = CellLayout.listed(ARITY, shape.cells(), cells);
      Peeling peeling = Peeling.peel(layout, rows, distinct.length);
      if (peeling != null) {
        int size = kind == Kind.XOR8 ? 0 : distinct.length;
        byte[] table = new byte[shape.cells() * kind.bytes()];
        XorSingleHeaderFilter filter = new XorSingleHeaderFilter(shape, seed, size, table);
        filter.fill(distinct, peeling);
        return filter;
      }
    }
    throw new ConstructionException(
        "%d keys could not be placed: none of the format's %d seeds works, which does not happen by chance. The keys were chosen against these seeds; leave some out, or store numbers that a secret key hashes them to"
            .formatted(distinct.length, TRIALS));
  }

  private void fill(long[] keys, Peeling peeling) {
    for (int rank = 0; rank < peeling.size(); rank++) {
      long hash = mixed(keys[peeling.key(rank)] + seed);
      int own = peeling.cell(rank); // still 0
      int value = difference(hash);
      if (shape.kind == Kind.FUSE16) {
        SHORTS.set(table, own * Short.BYTES, (short) value);
      } else {
        table[own] = (byte) value;
      }
    }
  }

  private static XorSingleHeaderFilter header(ForeignBytes in, Kind kind) throws IOException {
    in.order(ByteOrder.LITTLE_ENDIAN);
    long seed = in.i64("the seed");
    Shape shape;
    int size = 0;
    if (kind == Kind.XOR8) {
      long length = in.i64("the length of a block");
      in.within(length, 1, MAX_CELLS / ARITY, "the length of a block");
      shape = new Shape(kind, (int) length, 0);
    } else {
      size = in.i32("the number of keys");
      long length = in.within(in.u32("a segment"), 1, MAX_SEGMENT, "the length of a segment");
      long starts = in.within(in.u32("the segments"), 1, MAX_CELLS, "the segments");
      long span = in.u32("the length of all segments but two");
      long cells = in.u32("the number of cells");
      if (Long.bitCount(length) != 1 || span != starts * length || cells != span + 2 * length) {
        throw in.problem(
            in.position(),
            "segments of %d cells, %d of them or %d cells, do not give %d cells",
            length,
            starts,
            span,
            cells);
      }
      in.within(cells, 1, MAX_CELLS, "the number of cells");
      shape = new Shape(kind, (int) length, (int) starts);
    }
    in.needExactly((long) shape.cells() * kind.bytes(), "the fingerprints");
    return new XorSingleHeaderFilter(shape, seed, size, new byte[0]);
  }

  /** The finalizer of MurmurHash3. */
  private static long mixed(long number) {
    long mixed = (number ^ number >>> 33) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ mixed >>> 33) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ mixed >>> 33;
  }

  /** The n-th number of SplitMix64, from 1 (Steele, Lea and Flood 2014). */
  private static long splitMix(long counter, int n) {
    long state = counter + n * 0x9E3779B97F4A7C15L;
    long mixed = (state ^ state >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }

  /** The fingerprint xor the cells: 0 for the keys of the filter. */
  private int difference(long hash) {
    int value = (int) (hash ^ hash >>> 32);
    for (int i = 0; i < ARITY; i++) {
      int cell = shape.cell(hash, i);
      value ^=
          shape.kind == Kind.FUSE16 ? (short) SHORTS.get(table, cell * Short.BYTES) : table[cell];
    }
    return shape.kind == Kind.FUSE16 ? value & 0xffff : value & 0xff;
  }

  /**
   * Which of the library's filters it is.
   *
   * @return the kind
   */
  public Kind kind() {
    return shape.kind;
  }

  @Override
  public boolean mightContain(long key) {
    return difference(mixed(key + seed)) == 0;
  }

  /**
   * {@inheritDoc} Here: a number of 8 bytes, little-endian.
   *
   * @throws IllegalArgumentException if the key is not 8 bytes long
   */
  @Override
  public boolean mightContain(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length != Long.BYTES) {
      throw new IllegalArgumentException(
          "a key of "
              + length
              + " bytes: "
              + format()
              + " filters hold numbers of 64 bits, so hash the key to one first");
    }
    long key = 0;
    for (int i = Long.BYTES - 1; i >= 0; i--) {
      key = (key << Byte.SIZE) | (bytes[offset + i] & 0xff);
    }
    return mightContain(key);
  }

  @Override
  public ForeignFormat<XorSingleHeaderFilter> format() {
    return shape.kind.format();
  }

  @Override
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("seed", Long.toUnsignedString(seed));
    if (shape.kind == Kind.XOR8) {
      fields.put("block cells", shape.length);
    } else {
      fields.put("keys", Integer.toUnsignedLong(size));
      fields.put("segment cells", shape.length);
      fields.put("segments", shape.starts + ARITY - 1);
    }
    fields.put("fingerprint bits", shape.kind.bytes() * Byte.SIZE);
    return Collections.unmodifiableMap(fields);
  }

  /**
   * {@inheritDoc} Here: the probability that three cells match the fingerprint by chance, also in
   * an empty filter.
   */
  @Override
  public double falsePositiveRate() {
    return Math.pow(2, -shape.kind.bytes() * Byte.SIZE);
  }

  @Override
  public long sizeInBits() {
    return (long) table.length * Byte.SIZE;
  }

  @Override
  public long storedBytes() {
    return shape.headerBytes() + (long) table.length;
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    ForeignBytes.Output to = new ForeignBytes.Output(out, ByteOrder.LITTLE_ENDIAN).i64(seed);
    if (shape.kind == Kind.XOR8) {
      to.i64(shape.length);
    } else {
      to.i32(size)
          .i32(shape.length)
          .i32(shape.starts)
          .i32(shape.starts * shape.length)
          .i32(shape.cells());
    }
    to.bytes(table).flush();
  }

  @Override
  public String toString() {
    return "XorSingleHeaderFilter[%s, %d cells]".formatted(format(), shape.cells());
  }
}
