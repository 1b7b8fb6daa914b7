package io.bloomery.foreign.gnutella;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomery.foreign.ForeignSubject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.DeflaterOutputStream;

/** Messages of Gnutella's query routing, made from the description by other code than ours. */
public final class GnutellaTables {

  private static final int SLOTS = 1 << 14;
  private static final BigInteger FACTOR = BigInteger.valueOf(0x4F1BBCDCL);

  private GnutellaTables() {}

  public static List<ForeignSubject> subjects() {
    BitSet table = table(900);
    return List.of(
        subject("plain nibbles", patches(nibbles(table), 0, 4), table),
        subject("zlib nibbles", patches(zlib(nibbles(table)), 1, 4), table),
        subject("plain bits", patches(bits(table), 0, 1), table));
  }

  private static ForeignSubject subject(String name, byte[] patches, BitSet table) {
    return new ForeignSubject(
        "gnutella " + name,
        GnutellaFormat.FORMAT,
        joined(reset(SLOTS, 2), patches),
        words(0, 900),
        words(900, 5000),
        words(900, 5000).stream().filter(word -> table.get(slot(word))).toList(),
        true);
  }

  public static BitSet table(int words) {
    BitSet table = new BitSet();
    words(0, words).forEach(word -> table.set(slot(word)));
    return table;
  }

  private static List<byte[]> words(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> ("word" + i).getBytes(US_ASCII)).toList();
  }

  /** The slot of a word of small letters, in arithmetic without a limit. */
  private static int slot(byte[] word) {
    BigInteger x = BigInteger.ZERO;
    for (int i = 0; i < word.length; i++) {
      x = x.xor(BigInteger.valueOf(word[i]).shiftLeft(8 * (i % 4)));
    }
    BigInteger product = x.multiply(FACTOR).mod(BigInteger.ONE.shiftLeft(32));
    return product.shiftRight(32 - 14).intValueExact();
  }

  public static byte[] nibbles(BitSet table) {
    byte[] bytes = new byte[SLOTS / 2];
    table.stream().forEach(slot -> bytes[slot / 2] |= (byte) (slot % 2 == 0 ? 0xF0 : 0x0F));
    return bytes;
  }

  private static byte[] bits(BitSet table) {
    byte[] bytes = new byte[SLOTS / 8];
    table.stream().forEach(slot -> bytes[slot / 8] |= (byte) (0x80 >> slot % 8));
    return bytes;
  }

  public static byte[] zlib(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DeflaterOutputStream deflater = new DeflaterOutputStream(out)) {
      deflater.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  public static byte[] reset(int slots, int infinity) {
    return message(
        99,
        ByteBuffer.allocate(6)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(1, slots)
            .put(5, (byte) infinity));
  }

  /** Messages of at most 4096 bytes of entries. */
  public static byte[] patches(byte[] data, int compressor, int entryBits) {
    int count = (data.length + 4095) / 4096;
    byte[] all = {};
    for (int i = 0; i < count; i++) {
      byte[] part = Arrays.copyOfRange(data, 4096 * i, Math.min(data.length, 4096 * (i + 1)));
      all = joined(all, patch(i + 1, count, compressor, entryBits, part));
    }
    return all;
  }

  public static byte[] patch(int number, int count, int compressor, int entryBits, byte[] part) {
    return message(
        number,
        ByteBuffer.allocate(5 + part.length)
            .put((byte) 1)
            .put((byte) number)
            .put((byte) count)
            .put((byte) compressor)
            .put((byte) entryBits)
            .put(part)
            .rewind());
  }

  private static byte[] message(int id, ByteBuffer payload) {
    byte[] ids = new byte[16];
    Arrays.fill(ids, (byte) id);
    return ByteBuffer.allocate(23 + payload.capacity())
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(ids)
        .put((byte) 0x30)
        .put((byte) 1)
        .put((byte) 0)
        .putInt(payload.capacity())
        .put(payload)
        .array();
  }

  public static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
