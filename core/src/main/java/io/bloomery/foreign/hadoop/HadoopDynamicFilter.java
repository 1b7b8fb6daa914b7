package io.bloomery.foreign.hadoop;

import io.bloomery.IncompatibleFiltersException;
import io.bloomery.Mergeable;
import io.bloomery.foreign.AddableForeignFilter;
import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.internal.check.Arguments;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Hadoop's {@code DynamicBloomFilter}: rows of equal Bloom filters. Keys are added to the last row;
 * when it has reached a row's capacity, the next key starts a new row.
 *
 * <p>Any number of threads may query. Adding and merging need a lock.
 */
public final class HadoopDynamicFilter
    implements AddableForeignFilter, Mergeable<HadoopDynamicFilter> {

  /** The output of {@code DynamicBloomFilter.write}: rows of filters. */
  public static final ForeignFormat<HadoopDynamicFilter> FORMAT =
      ForeignFormat.of(
              "hadoop-dynamic",
              "Hadoop DynamicBloomFilter.write",
              HadoopDynamicFilter.class,
              new FileLayout<>(
                      FileLayout.Evidence.LAYOUT,
                      HadoopDynamicFilter::header,
                      HadoopDynamicFilter::read)
                  .knownBy(13))
          .madeBy((keys, rate) -> create(keys, rate, HadoopFormat.Hash.MURMUR));

  /** Hudi's dynamic filter, in Base64; only read, and written as {@link #FORMAT}. */
  public static final ForeignFormat<HadoopDynamicFilter> HUDI =
      HudiFormat.around("hudi-dynamic", "Hudi HoodieDynamicBoundedBloomFilter in Base64", FORMAT);

  private final int keysPerRow;
  private int keysInLast;
  private final List<ForeignBloomFilter> rows;

  /** Takes over the rows, one or more of the same scheme and size. */
  HadoopDynamicFilter(int keysPerRow, int keysInLast, List<ForeignBloomFilter> rows) {
    this.keysPerRow = keysPerRow;
    this.keysInLast = keysInLast;
    this.rows = rows;
  }

  /**
   * An empty filter whose rows have the size of {@link HadoopFormat#create}.
   *
   * @param keysPerRow how many keys are added to a row, 1…2^31 − 1
   * @param falsePositiveRate of one full row, above 0 and below 1
   * @param hash the hash function
   * @return the filter
   */
  public static HadoopDynamicFilter create(
      long keysPerRow, double falsePositiveRate, HadoopFormat.Hash hash) {
    Arguments.inRange("keysPerRow", keysPerRow, 1, Integer.MAX_VALUE);
    List<ForeignBloomFilter> rows = new ArrayList<>();
    rows.add(HadoopFormat.create(keysPerRow, falsePositiveRate, hash));
    return new HadoopDynamicFilter((int) keysPerRow, 0, rows);
  }

  private record Header(HadoopScheme scheme, int bits, int perRow, int inLast, int rows) {}

  private static Header header(ForeignBytes in) throws IOException {
    HadoopScheme scheme = HadoopScheme.read(in);
    int bits = HadoopScheme.readBits(in);
    int perRow = in.i32("keys per row");
    in.within(perRow, 1, Integer.MAX_VALUE, "keys per row");
    int inLast = in.i32("keys in the last row");
    in.within(inLast, 0, Integer.MAX_VALUE, "keys in the last row");
    int rows = in.i32("the number of rows");
    in.within(rows, 1, Integer.MAX_VALUE, "the number of rows");
    in.needExactly(rows * (scheme.headerBytes() + HadoopFormat.bytesFor(bits)), "the rows");
    return new Header(scheme, bits, perRow, inLast, rows);
  }

  private static HadoopDynamicFilter read(ForeignBytes in) throws IOException {
    Header header = header(in);
    List<ForeignBloomFilter> rows = new ArrayList<>();
    for (int i = 0; i < header.rows; i++) {
      long start = in.position();
      HadoopScheme scheme = HadoopScheme.read(in);
      ForeignBloomFilter row = HadoopFormat.readRow(in, scheme);
      if (!scheme.equals(header.scheme) || row.sizeInBits() != header.bits) {
        throw in.problem(start, "row %d has another header than the filter", i);
      }
      rows.add(row);
    }
    return new HadoopDynamicFilter(header.perRow, header.inLast, rows);
  }

  @Override
  public ForeignFormat<HadoopDynamicFilter> format() {
    return FORMAT;
  }

  /** {@inheritDoc} Here: a {@code BloomFilter}, if there is one row. */
  @Override
  public Optional<ForeignFilter> as(ForeignFormat<?> other) {
    if (other != HadoopFormat.FORMAT || rows.size() > 1) {
      return Optional.empty();
    }
    return Optional.of(new ForeignBloomFilter(scheme(), bits(), rows.get(0).toLongArray()));
  }

  @Override
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("rows", rows.size());
    fields.put("bits per row", bits());
    fields.put("hashes per key", scheme().hashesPerKey());
    fields.put("keys per row", keysPerRow);
    fields.put("keys in last row", keysInLast);
    fields.putAll(scheme().fields());
    return Collections.unmodifiableMap(fields);
  }

  /**
   * How many rows there are.
   *
   * @return 1 or more
   */
  public int rows() {
    return rows.size();
  }

  private HadoopScheme scheme() {
    return (HadoopScheme) rows.get(0).scheme();
  }

  private long bits() {
    return rows.get(0).sizeInBits();
  }

  @Override
  public boolean mightContain(byte[] bytes, int offset, int length) {
    for (ForeignBloomFilter row : rows) {
      if (row.mightContain(bytes, offset, length)) {
        return true;
      }
    }
    return false;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the key is empty, which Hadoop refuses
   */
  @Override
  public boolean add(byte[] bytes, int offset, int length) {
    boolean isNew = !mightContain(bytes, offset, length);
    if (!scheme().takes(length)) {
      throw new IllegalArgumentException(format() + " filters do not accept empty keys");
    }
    if (keysInLast >= keysPerRow) {
      rows.add(scheme().empty(bits()));
      keysInLast = 0;
    }
    rows.get(rows.size() - 1).add(bytes, offset, length);
    keysInLast++;
    return isNew;
  }

  @Override
  public boolean isCompatible(HadoopDynamicFilter other) {
    return keysPerRow == other.keysPerRow
        && rows.size() == other.rows.size()
        && rows.get(0).isCompatible(other.rows.get(0));
  }

  /**
   * {@inheritDoc} Merges row by row, like Hadoop's {@code or}; the rows may exceed their capacity.
   */
  @Override
  public void merge(HadoopDynamicFilter other) {
    if (keysPerRow != other.keysPerRow) {
      throw new IncompatibleFiltersException(
          "keys per row " + keysPerRow + " != " + other.keysPerRow);
    }
    if (rows.size() != other.rows.size()) {
      throw new IncompatibleFiltersException("rows " + rows.size() + " != " + other.rows.size());
    }
    for (int i = 0; i < rows.size(); i++) {
      rows.get(i).merge(other.rows.get(i));
    }
    keysInLast = Math.max(keysInLast, other.keysInLast);
  }

  /** {@inheritDoc} Here: the probability that at least one row reports it present. */
  @Override
  public double falsePositiveRate() {
    double none = 1;
    for (ForeignBloomFilter row : rows) {
      none *= 1 - row.falsePositiveRate();
    }
    return 1 - none;
  }

  @Override
  public long sizeInBits() {
    return rows.size() * bits();
  }

  @Override
  public long storedBytes() {
    return scheme().headerBytes() + 3L * Integer.BYTES + rows.size() * rows.get(0).storedBytes();
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    scheme()
        .writeHeader(Objects.requireNonNull(out, "out"), bits())
        .i32(keysPerRow)
        .i32(keysInLast)
        .i32(rows.size())
        .flush();
    for (ForeignBloomFilter row : rows) {
      row.writeTo(out);
    }
  }

  @Override
  public String toString() {
    return "HadoopDynamicFilter[%d rows, %d bits each, %d hashes per key]"
        .formatted(rows.size(), bits(), scheme().hashesPerKey());
  }
}
