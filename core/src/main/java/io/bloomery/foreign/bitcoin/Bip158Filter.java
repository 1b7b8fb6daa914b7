package io.bloomery.foreign.bitcoin;

import io.bloomery.FilterFormatException;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.KeyCoding;
import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Memory;
import io.bloomery.internal.code.Bip158;
import io.bloomery.internal.probe.Mix;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The basic filter of a Bitcoin block, with which a wallet can check privately whether a block
 * concerns it: a Golomb-coded set of the scripts that the block pays to and spends from. Keys are
 * scripts, hashed with the block's hash.
 *
 * <p>The hash is not part of a filter, so there are two forms. {@link #FORMAT} reads the payload of
 * a {@code cfilter} message: a byte 0, the hash, the filter's length as a CompactSize, the filter.
 * {@link #open(Path, byte[])} also reads the filter alone, whose hash the caller knows. A filter is
 * written in the form in which it was read.
 *
 * <p>Immutable; any number of threads may query.
 *
 * <p>Osuntokun and Akselrod 2017, BIP 157 and BIP 158.
 */
public final class Bip158Filter implements ForeignFilter {

  public static final ForeignFormat<Bip158Filter> FORMAT =
      ForeignFormat.of(
              "bip158",
              "Bitcoin block filter, BIP 158, in a cfilter message",
              Bip158Filter.class,
              new FileLayout<>(
                  FileLayout.Evidence.LENGTH, Bip158Filter::probe, Bip158Filter::readMessage))
          .withKeys(KeyCoding.Standard.HEX);

  private static final int BASIC = 0;
  private static final int HASH_BYTES = 32;
  private static final int KEY_BYTES = 16;
  private static final int CODE_BITS = Bip158.RICE_BITS + 1;

  private final byte[] blockHash;
  private final byte[] filter;
  private final boolean message;
  private final Hasher hasher;
  private final long[] numbers; // rising

  private Bip158Filter(byte[] blockHash, byte[] filter, boolean message, long[] numbers) {
    this.blockHash = blockHash;
    this.filter = filter;
    this.message = message;
    this.hasher = hasher(blockHash);
    this.numbers = numbers;
  }

  /**
   * Makes the filter of a block.
   *
   * @param scripts what the block's outputs pay to, without empty scripts and those that begin with
   *     OP_RETURN, and what its inputs spend from; duplicates count once
   * @param blockHash 32 bytes in internal byte order, not in display order
   * @return a filter that is written as a {@code cfilter} message
   */
  public static Bip158Filter ofKeys(Iterable<byte[]> scripts, byte[] blockHash) {
    Hasher hasher = hasher(blockHash);
    List<byte[]> items = new ArrayList<>();
    Objects.requireNonNull(scripts, "scripts").forEach(items::add);
    long[] numbers = items.stream().mapToLong(hasher::hash).distinct().toArray();
    long range = numbers.length * Bip158.INVERSE_RATE;
    // Distinct scripts whose numbers coincide are both kept.
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Mix.reduce(numbers[i], range);
    }
    Arrays.sort(numbers);
    byte[] filter =
        Bip158.write(Arrays.stream(numbers).iterator()::nextLong, numbers.length, Bip158.RICE_BITS);
    return new Bip158Filter(blockHash.clone(), filter, true, numbers);
  }

  /**
   * Reads a file that holds a filter alone or in a {@code cfilter} message.
   *
   * @param file the file
   * @param blockHash 32 bytes in internal byte order, not in display order
   * @return the filter
   * @throws FilterFormatException if it is damaged, belongs to another block, or the heap has no
   *     room for it
   * @throws IOException if it cannot be read
   */
  public static Bip158Filter open(Path file, byte[] blockHash) throws IOException {
    requireHash(blockHash);
    try (ForeignBytes in = ForeignBytes.of(Objects.requireNonNull(file, "file"))) {
      if (isMessage(in)) {
        Bip158Filter found = FORMAT.layout().read(in);
        if (!Arrays.equals(found.blockHash, blockHash)) {
          throw in.problem(1, "the filter of another block, %s", display(found.blockHash));
        }
        return found;
      }
      byte[] filter = in.bytes(in.length(), "the filter");
      return new Bip158Filter(blockHash.clone(), filter, false, decode(in, filter));
    } catch (OutOfMemoryError e) { // of a large array, which leaves the rest as it was
      throw new FilterFormatException(file.toString(), 0, Memory.shortage(Files.size(file)));
    }
  }

  private static void requireHash(byte[] blockHash) {
    if (Objects.requireNonNull(blockHash, "blockHash").length != HASH_BYTES) {
      throw new IllegalArgumentException(
          "blockHash has " + blockHash.length + " bytes; it must have 32");
    }
  }

  private static Hasher hasher(byte[] blockHash) {
    requireHash(blockHash);
    return Hasher.keyed(Arrays.copyOf(blockHash, KEY_BYTES));
  }

  /** A filter alone begins with 0 only if that is all of it. */
  private static boolean isMessage(ForeignBytes in) throws IOException {
    in.seek(0);
    boolean message = in.u8("the filter's type or its number of items") == BASIC && in.length() > 1;
    in.seek(0);
    return message;
  }

  /** Reads all but the codes, whose length shows whether they may be a filter's. */
  private static void probe(ForeignBytes in) throws IOException {
    if (isMessage(in)) {
      in.need(1 + HASH_BYTES, "the type and the block's hash");
      in.seek(1 + HASH_BYTES);
      in.needExactly(CompactSize.read(in, "the filter's length"), "the filter");
    }
    long items = CompactSize.read(in, "the number of items");
    long least = items * CODE_BITS;
    // All quotients together are at most the range in units of 2^P.
    long range = items * Bip158.INVERSE_RATE;
    long most = least + (range >>> Bip158.RICE_BITS) + Byte.SIZE;
    in.within(in.remaining() * Byte.SIZE, least, most, "the number of bits");
  }

  private static Bip158Filter readMessage(ForeignBytes in) throws IOException {
    if (!isMessage(in)) {
      throw in.problem(
          0,
          "not a cfilter message; a BIP 158 filter alone needs the hash of its block:"
              + " Bip158Filter.open(file, blockHash)");
    }
    in.seek(1);
    byte[] blockHash = in.bytes(HASH_BYTES, "the block's hash");
    long length = CompactSize.read(in, "the filter's length");
    in.needExactly(length, "the filter");
    byte[] filter = in.bytes(length, "the filter");
    return new Bip158Filter(blockHash, filter, true, decode(in, filter));
  }

  /** Decodes the last bytes of a file. */
  private static long[] decode(ForeignBytes in, byte[] filter) throws FilterFormatException {
    try {
      return Bip158.read(filter, Bip158.RICE_BITS, Bip158.INVERSE_RATE);
    } catch (FilterFormatException e) {
      throw in.problem(in.length() - filter.length + e.offset(), "%s", e.getMessage());
    }
  }

  /**
   * The same filter in a form of the caller's choice.
   *
   * @param message whether it is written as a {@code cfilter} message or alone
   * @return this filter if it has that form
   */
  public Bip158Filter inMessage(boolean message) {
    return this.message == message ? this : new Bip158Filter(blockHash, filter, message, numbers);
  }

  /**
   * The hash of the block.
   *
   * @return 32 bytes in internal byte order, not in display order
   */
  public byte[] blockHash() {
    return blockHash.clone();
  }

  /**
   * How many scripts the filter has.
   *
   * @return 0 or more
   */
  public long keyCount() {
    return numbers.length;
  }

  @Override
  public boolean mightContain(byte[] bytes, int offset, int length) {
    long hash = hasher.hash(bytes, offset, length);
    long number = Mix.reduce(hash, Math.max(1, numbers.length) * Bip158.INVERSE_RATE);
    return Arrays.binarySearch(numbers, number) >= 0;
  }

  @Override
  public ForeignFormat<Bip158Filter> format() {
    return FORMAT;
  }

  @Override
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("form", message ? "cfilter message" : "filter alone");
    fields.put("block hash", display(blockHash));
    fields.put("entries", keyCount());
    fields.put("remainder bits", Bip158.RICE_BITS);
    fields.put("inverse rate", Bip158.INVERSE_RATE);
    return Collections.unmodifiableMap(fields);
  }

  /** Hashes are shown with the last byte first. */
  private static String display(byte[] hash) {
    byte[] reversed = new byte[hash.length];
    for (int i = 0; i < hash.length; i++) {
      reversed[i] = hash[hash.length - 1 - i];
    }
    return HexFormat.of().formatHex(reversed);
  }

  /** {@inheritDoc} Here: entries divided by the range of their numbers. */
  @Override
  public double falsePositiveRate() {
    return numbers.length == 0 ? 0 : 1.0 / Bip158.INVERSE_RATE;
  }

  /** {@inheritDoc} The codes. */
  @Override
  public long sizeInBits() {
    return (long) filter.length * Byte.SIZE;
  }

  @Override
  public long storedBytes() {
    return message
        ? 1L + HASH_BYTES + CompactSize.bytes(filter.length) + filter.length
        : filter.length;
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    ForeignBytes.Output output =
        new ForeignBytes.Output(Objects.requireNonNull(out, "out"), ByteOrder.LITTLE_ENDIAN);
    if (message) {
      CompactSize.write(output.u8(BASIC).bytes(blockHash), filter.length);
    }
    output.bytes(filter).flush();
  }

  @Override
  public String toString() {
    return "Bip158Filter[%d entries, block %s]".formatted(keyCount(), display(blockHash));
  }
}
