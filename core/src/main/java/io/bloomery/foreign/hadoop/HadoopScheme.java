package io.bloomery.foreign.hadoop;

import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.internal.check.Arguments;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * How Hadoop's filters choose positions, where each hash is the seed of the next, and their common
 * header; the old header has no version and no hash, which is then Jenkins'.
 */
record HadoopScheme(HadoopFormat.Hash hash, int hashesPerKey, boolean old)
    implements ForeignBloomFilter.Scheme {

  private static final int VERSION = -1;
  private static final int MOST_PROBES = 0xffff;
  private static final int HEADER_BYTES = 13;
  private static final int OLD_HEADER_BYTES = 8;

  /** As Hadoop makes it today. */
  static HadoopScheme of(HadoopFormat.Hash hash, int hashesPerKey) {
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, MOST_PROBES);
    return new HadoopScheme(hash, hashesPerKey, false);
  }

  /** Reads a header except the number of positions. */
  static HadoopScheme read(ForeignBytes in) throws IOException {
    in.order(ByteOrder.BIG_ENDIAN);
    int version = in.i32("the version");
    if (version > 0) {
      in.within(version, 1, MOST_PROBES, "the number of hashes");
      return new HadoopScheme(HadoopFormat.Hash.JENKINS, version, true);
    }
    in.within(version, VERSION, VERSION, "the version");
    int hashesPerKey = in.i32("the number of hashes");
    in.within(hashesPerKey, 1, MOST_PROBES, "the number of hashes");
    long hash = in.within(in.u8("the hash"), 0, 1, "the hash");
    return new HadoopScheme(
        hash == 0 ? HadoopFormat.Hash.JENKINS : HadoopFormat.Hash.MURMUR, hashesPerKey, false);
  }

  /** Reads the last field of a header. */
  static int readBits(ForeignBytes in) throws IOException {
    int bits = in.i32("the number of positions");
    in.within(bits, 1, Integer.MAX_VALUE, "the number of positions");
    return bits;
  }

  long headerBytes() {
    return old ? OLD_HEADER_BYTES : HEADER_BYTES;
  }

  /** Writes the header of a filter with this many positions per key. */
  ForeignBytes.Output writeHeader(OutputStream out, long bits) throws IOException {
    ForeignBytes.Output to = new ForeignBytes.Output(out, ByteOrder.BIG_ENDIAN);
    if (!old) {
      to.i32(VERSION);
    }
    to.i32(hashesPerKey);
    if (!old) {
      to.u8(hash.wireId());
    }
    return to.i32((int) bits);
  }

  /** An empty filter. */
  ForeignBloomFilter empty(long bits) {
    return new ForeignBloomFilter(this, bits, new long[(int) ((bits + 63) >>> 6)]);
  }

  @Override
  public ForeignFormat<ForeignBloomFilter> format() {
    return HadoopFormat.FORMAT;
  }

  @Override
  public void indexes(byte[] bytes, int offset, int length, long bits, long[] out) {
    int last = 0;
    for (int i = 0; i < out.length; i++) {
      last = hash.hash(bytes, offset, length, last);
      out[i] = Math.abs(last % bits);
    }
  }

  @Override
  public boolean takes(int length) {
    return length > 0;
  }

  @Override
  public Object mergeKey() {
    return old ? new HadoopScheme(hash, hashesPerKey, false) : this;
  }

  @Override
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("hash", hash.name().toLowerCase(Locale.ROOT));
    fields.put("header", old ? "old" : "version 1");
    return fields;
  }

  @Override
  public long storedBytes(long bits, long[] words) {
    return headerBytes() + HadoopFormat.bytesFor(bits);
  }

  @Override
  public void write(long bits, long[] words, OutputStream out) throws IOException {
    writeHeader(out, bits).bits(words, HadoopFormat.bytesFor(bits)).flush();
  }
}
