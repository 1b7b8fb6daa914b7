package io.bloomery.foreign.gnutella;

import io.bloomery.foreign.bytes.ForeignBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * The messages that carry a table of Gnutella's query routing. A header is 16 bytes of id, the type
 * 0x30, time to live 1, hops 0 and the payload's length; numbers are little-endian. RESET: byte 0,
 * the number of slots, and the infinity, the initial value of every slot. PATCH: byte 1, which of
 * how many messages, compressor (0 none, 1 zlib), bits of an entry, and a part of the entries of
 * all slots. Entries of 4 bits are signed and added: negative ones add a word, positive ones remove
 * it; those of 1 bit flip a slot. The first is in the highest bits.
 */
final class GnutellaMessages {

  private static final int HEADER_BYTES = 23;
  private static final int ID_BYTES = 16;
  private static final int QUERY_ROUTE = 0x30;
  private static final int RESET = 0;
  private static final int PATCH = 1;
  private static final int RESET_BYTES = 6;
  private static final int PATCH_HEADER = 5;
  private static final int MAX_MESSAGES = 255;
  private static final int PART_BYTES = 4096;

  /**
   * How a table is written.
   *
   * @param ids of the messages, in order; the last one is repeated if there are more
   * @param infinity what RESET says
   * @param entryBits 1 or 4, or 0 for a RESET alone
   * @param compressed whether PATCHes are compressed
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Form(byte[] ids, int infinity, int entryBits, boolean compressed) {

    static final Form USUAL = new Form(new byte[ID_BYTES], 7, 4, true);

    Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("infinity", infinity);
      fields.put("bits per entry", entryBits);
      fields.put("compressor", compressed ? "zlib" : "none");
      return Collections.unmodifiableMap(fields);
    }

    byte[] id(int message) {
      int last = ids.length - ID_BYTES;
      int at = Math.min(message * ID_BYTES, last);
      return Arrays.copyOfRange(ids, at, at + ID_BYTES);
    }
  }

  private final ForeignBytes in;
  private final byte[] buffer = new byte[PART_BYTES];
  private ByteArrayOutputStream ids = new ByteArrayOutputStream();
  private long[] words = {}; // empty before the first RESET
  private int infinity;
  private int entryBits;
  private boolean compressed;
  private @Nullable Inflater inflater; // null: not within a compressed sequence
  private int patch;
  private int patches; // 0: not within a sequence
  private long entries;

  private GnutellaMessages(ForeignBytes in) {
    this.in = in;
  }

  /** Reads the headers of all messages, of which the first must be a RESET. */
  static void probe(ForeignBytes in) throws IOException {
    long length = header(in);
    in.within(in.u8("the variant"), RESET, RESET, "the first message's variant");
    slots(in, length);
    in.u8("the infinity");
    while (in.remaining() > 0) {
      length = header(in);
      in.need(length, "a message");
      in.seek(in.position() + length);
    }
  }

  /** Reads all messages. */
  static GnutellaMessages read(ForeignBytes in) throws IOException {
    GnutellaMessages messages = new GnutellaMessages(in);
    try {
      do {
        messages.message();
      } while (in.remaining() > 0);
      messages.requireWhole();
      return messages;
    } finally {
      messages.endInflater();
    }
  }

  Form form() {
    return new Form(ids.toByteArray(), infinity, entryBits, compressed);
  }

  /** Slot s is bit s mod 64 of word s / 64. */
  long[] words() {
    return words;
  }

  /** Reads a header and returns the payload's length. */
  private static long header(ForeignBytes in) throws IOException {
    in.need(HEADER_BYTES, "a message's header");
    in.order(ByteOrder.LITTLE_ENDIAN).seek(in.position() + ID_BYTES);
    in.within(in.u8("the type"), QUERY_ROUTE, QUERY_ROUTE, "the message's type");
    in.within(in.u8("the time to live"), 1, 1, "the time to live");
    in.within(in.u8("the hops"), 0, 0, "the hops");
    return in.within(in.u32("the length"), 1, Integer.MAX_VALUE, "the message's length");
  }

  private static int slots(ForeignBytes in, long length) throws IOException {
    in.within(length, RESET_BYTES, RESET_BYTES, "the length of RESET");
    long slots =
        in.within(
            in.u32("the slots"), GnutellaFormat.MIN_SLOTS, GnutellaFormat.MAX_SLOTS, "the slots");
    if (Long.bitCount(slots) != 1) {
      throw in.problem(in.position(), "the number of slots, %d, is not a power of two", slots);
    }
    return (int) slots;
  }

  private void message() throws IOException {
    in.need(ID_BYTES, "a message's id");
    long start = in.position();
    byte[] id = in.bytes(ID_BYTES, "a message's id");
    in.seek(start);
    long length = header(in);
    int variant = in.u8("the variant");
    if (variant == RESET) {
      requireWhole();
      words = new long[slots(in, length) >>> 6];
      infinity = in.u8("the infinity");
      entryBits = 0;
      compressed = false;
      ids.reset();
      ids.writeBytes(id);
    } else if (variant == PATCH && words.length > 0) {
      patch(id, length - PATCH_HEADER);
    } else {
      throw in.problem(start, "neither a RESET nor a PATCH after it, but variant %d", variant);
    }
  }

  private void patch(byte[] id, long length) throws IOException {
    int expected = patches == 0 ? 1 : patch + 1;
    patch = (int) in.within(in.u8("which"), expected, expected, "the number of the PATCH");
    int least = patches == 0 ? 1 : patches;
    int most = patches == 0 ? MAX_MESSAGES : patches;
    int count = (int) in.within(in.u8("how many"), least, most, "the number of PATCHes");
    boolean zlib = in.within(in.u8("the compressor"), 0, 1, "the compressor") == 1;
    int bits = in.u8("the bits of an entry");
    if ((bits != 1 && bits != 4) || (patches > 0 && (bits != entryBits || zlib != compressed))) {
      throw in.problem(
          in.position(),
          "entries of %d bits, compressor %b; 1 or 4 are possible, the same in all PATCHes",
          bits,
          zlib);
    }
    in.need(length, "the entries");
    if (patches == 0) {
      begin(count, bits, zlib);
    }
    ids.writeBytes(id);
    for (long left = length; left > 0; ) {
      int some = (int) Math.min(left, PART_BYTES);
      byte[] part = in.bytes(some, "the entries");
      left -= some;
      if (inflater != null) {
        inflate(part, inflater);
      } else {
        take(part, some);
      }
    }
    if (patch == patches) {
      finish();
    }
  }

  private void begin(int count, int bits, boolean zlib) {
    patches = count;
    entryBits = bits;
    compressed = zlib;
    entries = 0;
    inflater = zlib ? new Inflater() : null;
    byte[] reset = Arrays.copyOf(ids.toByteArray(), ID_BYTES);
    ids = new ByteArrayOutputStream();
    ids.writeBytes(reset);
  }

  private void inflate(byte[] part, Inflater inflater) throws IOException {
    inflater.setInput(part);
    try {
      for (int some = inflater.inflate(buffer); some > 0; some = inflater.inflate(buffer)) {
        take(buffer, some);
      }
    } catch (DataFormatException e) {
      throw in.problem(
          in.position(), "the entries cannot be decompressed: %s", String.valueOf(e.getMessage()));
    }
    if (inflater.needsDictionary() || (inflater.finished() && inflater.getRemaining() > 0)) {
      throw in.problem(in.position(), "bytes follow the compressed entries, or they lack a key");
    }
  }

  /** Applies a number of bytes of entries. */
  private void take(byte[] bytes, int count) throws IOException {
    long slots = (long) words.length << 6;
    if (entries + (long) count * (Byte.SIZE / entryBits) > slots) {
      throw in.problem(in.position(), "there are entries for more than %d slots", slots);
    }
    for (int i = 0; i < count; i++) {
      if (entryBits == 1) {
        int flips = Integer.reverse(bytes[i]) >>> 24;
        words[(int) (entries >>> 6)] ^= (long) flips << entries;
        entries += Byte.SIZE;
      } else {
        change(bytes[i] >> 4);
        change(bytes[i] << 28 >> 28);
      }
    }
  }

  private void change(int entry) {
    if (entry < 0) {
      words[(int) (entries >>> 6)] |= 1L << entries;
    } else if (entry > 0) {
      words[(int) (entries >>> 6)] &= ~(1L << entries);
    }
    entries++;
  }

  private void finish() throws IOException {
    long slots = (long) words.length << 6;
    if (entries != slots || (inflater != null && !inflater.finished())) {
      throw in.problem(in.position(), "entries for %d slots; there are %d", entries, slots);
    }
    endInflater();
    patches = 0;
  }

  private void requireWhole() throws IOException {
    if (patches > 0) {
      throw in.problem(in.position(), "PATCH %d of %d is missing", patch + 1, patches);
    }
  }

  private void endInflater() {
    if (inflater != null) {
      inflater.end();
      inflater = null;
    }
  }

  /** Writes a table as RESET and PATCHes. */
  static void write(Form form, long[] words, ForeignBytes.Output out) throws IOException {
    boolean empty = Arrays.stream(words).allMatch(word -> word == 0);
    header(out, form.id(0), RESET_BYTES);
    out.u8(RESET).i32(words.length << 6).u8(form.infinity);
    if (form.entryBits == 0 && empty) {
      return;
    }
    int bits = form.entryBits == 0 ? Form.USUAL.entryBits : form.entryBits;
    boolean zlib = form.entryBits == 0 ? Form.USUAL.compressed : form.compressed;
    byte[] data = zlib ? deflated(entries(words, bits)) : entries(words, bits);
    int part = Math.max(PART_BYTES, (data.length + MAX_MESSAGES - 1) / MAX_MESSAGES);
    int count = (data.length + part - 1) / part;
    for (int i = 0; i < count; i++) {
      byte[] some = Arrays.copyOfRange(data, i * part, Math.min(data.length, (i + 1) * part));
      header(out, form.id(i + 1), PATCH_HEADER + some.length);
      out.u8(PATCH).u8(i + 1).u8(count).u8(zlib ? 1 : 0).u8(bits).bytes(some);
    }
  }

  private static void header(ForeignBytes.Output out, byte[] id, int length) throws IOException {
    out.bytes(id).u8(QUERY_ROUTE).u8(1).u8(0).i32(length);
  }

  /** The entries that make a table of an empty one. */
  private static byte[] entries(long[] words, int bits) {
    byte[] entries = new byte[words.length * Byte.SIZE * bits];
    for (int i = 0; i < entries.length; i++) {
      int slot = i * (Byte.SIZE / bits);
      long some = words[slot >>> 6] >>> slot;
      entries[i] =
          (byte)
              (bits == 1
                  ? Integer.reverse((int) some) >>> 24
                  : ((some & 1) != 0 ? 0xF0 : 0) | ((some & 2) != 0 ? 0x0F : 0));
    }
    return entries;
  }

  private static byte[] deflated(byte[] bytes) {
    Deflater deflater = new Deflater();
    try {
      deflater.setInput(bytes);
      deflater.finish();
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      byte[] some = new byte[PART_BYTES];
      while (!deflater.finished()) {
        out.write(some, 0, deflater.deflate(some));
      }
      return out.toByteArray();
    } finally {
      deflater.end();
    }
  }
}
