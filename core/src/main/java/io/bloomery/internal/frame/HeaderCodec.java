package io.bloomery.internal.frame;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.FilterFormatException;
import io.bloomery.FilterKind;
import io.bloomery.FrameHeader;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * The header's bytes, as docs/format.md draws them. Reading checks in the order of the most helpful
 * message: magic, version, length, checksum, and only then the numbers.
 */
final class HeaderCodec {

  /** Where the word counts of the sections begin. */
  static final int SECTIONS_AT = 64;

  private static final int MAX_BYTES = 1 << 20;

  /** How many bytes all frames begin with. */
  static final int MAGIC_BYTES = 8;

  private static final HexFormat HEX = HexFormat.ofDelimiter(" ");
  private static final byte[] MAGIC = {(byte) 0x89, 'B', 'L', 'M', 0x0D, 0x0A, 0x1A, 0x0A};

  /** The offset of the kind's number. */
  static final int KIND_AT = 10;

  private static final int LENGTH_AT = 12;
  private static final int HASH_AT = 16;
  private static final int COUNTS_AT = 20;

  /** The offset of the seed or the check value of the key. */
  static final int SEED_AT = 24;

  /** Where the offset of the payload stands. */
  static final int PAYLOAD_OFFSET_AT = 32;

  private static final int PAYLOAD_LENGTH_AT = 40;
  private static final int PAGE_AT = 48;
  private static final int DESCRIPTION_AT = 52;
  private static final int FRAME_LENGTH_AT = 56;
  private static final int TYPE_LONG = 1;
  private static final int TYPE_DOUBLE = 2;
  private static final int TYPE_TEXT = 3;
  private static final long MAX_SECTION_WORDS = 1L << 40;

  private HeaderCodec() {}

  /**
   * Whether a file that starts with these bytes is a frame, possibly a damaged one: at least half
   * of the magic is there. The only place that decides this.
   */
  static boolean isMagic(byte[] start) {
    int equal = 0;
    for (int i = 0; i < Math.min(start.length, MAGIC.length); i++) {
      equal += start[i] == MAGIC[i] ? 1 : 0;
    }
    return 2 * equal >= Math.max(1, Math.min(start.length, MAGIC.length));
  }

  /** The bytes that all frames begin with, for messages. */
  static String magic() {
    return HEX.formatHex(MAGIC);
  }

  /** The header with its checksum and the zeros up to the payload. */
  static byte[] encode(FrameHeader header) {
    int length = header.headerBytes();
    Arguments.inRange("header length", length, SECTIONS_AT + Integer.BYTES, MAX_BYTES);
    byte[] bytes = new byte[(int) header.payloadOffset()];
    ByteBuffer out = little(bytes);
    out.put(MAGIC).putShort((short) header.version()).putShort((short) header.kind().id());
    out.putInt(length).putInt(header.hashId());
    out.putShort(count("fields", header.numbers().size()));
    out.putShort(count("sections", header.sectionWords().size()));
    out.putLong(header.seedOrKeyCheck());
    out.putLong(header.payloadOffset()).putLong(header.payloadBytes());
    out.putInt(FrameHeader.PAGE_BYTES).putInt(header.description().storedBytes());
    out.putLong(header.frameBytes());
    header.sectionWords().forEach(out::putLong);
    header.numbers().forEach((name, value) -> putField(out, name, value));
    header.description().facts().forEach((name, value) -> putFact(out, name, value));
    out.putInt(checksum(bytes, out.position()));
    return bytes;
  }

  private static short count(String name, int count) {
    return (short) Arguments.inRange(name, count, 0, 0xFFFF);
  }

  private static void putField(ByteBuffer out, String name, Number value) {
    if (!isName(name)) {
      throw new IllegalArgumentException(
          "field name \"" + name + "\" is not 1…255 ASCII characters");
    }
    out.put((byte) (value instanceof Double ? TYPE_DOUBLE : TYPE_LONG));
    out.put((byte) name.length()).put(name.getBytes(US_ASCII));
    out.putLong(
        value instanceof Double real ? Double.doubleToRawLongBits(real) : value.longValue());
  }

  private static void putFact(ByteBuffer out, String name, Object value) {
    if (value instanceof Number number) {
      putField(out, name, number);
    } else {
      byte[] text = ((String) value).getBytes(UTF_8);
      out.put((byte) TYPE_TEXT).put((byte) name.length()).put(name.getBytes(US_ASCII));
      out.putShort((short) text.length).put(text);
    }
  }

  private static boolean isName(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) < ' ' || name.charAt(i) > '~') {
        return false;
      }
    }
    return !name.isEmpty() && name.length() <= 255;
  }

  /** Reads and checks a header; leaves {@code in} at its end, before the padding. */
  static FrameHeader read(FrameInput in, List<FilterKind<?>> kinds) throws IOException {
    byte[] fixed = in.take(SECTIONS_AT, "the header");
    int length = checkStart(fixed, in.origin());
    in.checkBudget("the header", length, LENGTH_AT);
    byte[] all = Arrays.copyOf(fixed, length);
    in.fill(all, SECTIONS_AT, length - SECTIONS_AT, "the header");
    ByteBuffer bytes = little(all);
    int end = length - Integer.BYTES;
    int found = checksum(all, end);
    if (found != bytes.getInt(end)) {
      throw new FilterFormatException(
          in.origin(),
          end,
          "the header's CRC32C is %08x; its bytes give %08x".formatted(bytes.getInt(end), found));
    }
    FrameHeader header = new Parser(bytes, in.origin()).parse(kinds);
    in.checkBudget("the frame", header.frameBytes(), FRAME_LENGTH_AT);
    return header;
  }

  /** Magic, version and length, which come before the checksum; returns the header's length. */
  private static int checkStart(byte[] fixed, String origin) throws FilterFormatException {
    for (int i = 0; i < MAGIC.length; i++) {
      if (fixed[i] != MAGIC[i]) {
        throw new FilterFormatException(
            origin,
            i,
            "%s: the first bytes are %s; a filter begins with %s"
                .formatted(
                    isMagic(fixed) ? "damaged" : "not a filter",
                    HEX.formatHex(fixed, 0, MAGIC.length),
                    magic()));
      }
    }
    ByteBuffer bytes = little(fixed);
    int version = Short.toUnsignedInt(bytes.getShort(MAGIC.length));
    if (version != FrameHeader.VERSION && version != FrameHeader.DESCRIBED_VERSION) {
      throw new FilterFormatException(
          origin,
          MAGIC.length,
          "format version %d; this library reads versions %d and %d"
              .formatted(version, FrameHeader.VERSION, FrameHeader.DESCRIBED_VERSION));
    }
    int length = bytes.getInt(LENGTH_AT);
    if (length < SECTIONS_AT + Integer.BYTES || length > MAX_BYTES) {
      throw new FilterFormatException(
          origin,
          LENGTH_AT,
          Arguments.outside(
              "header length",
              Integer.toUnsignedLong(length),
              SECTIONS_AT + Integer.BYTES,
              MAX_BYTES));
    }
    return length;
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  /** Parses a header whose checksum is right: any error found now was written that way. */
  private record Parser(ByteBuffer bytes, String origin) {

    FrameHeader parse(List<FilterKind<?>> kinds) throws FilterFormatException {
      FilterKind<?> kind = kind(kinds);
      int hashId = hashId(kind);
      expect("3 bytes after the hash id", bytes.getInt(HASH_AT) >>> 8, 0, HASH_AT + 1);
      expect("page size", bytes.getInt(PAGE_AT), FrameHeader.PAGE_BYTES, PAGE_AT);
      int described = describedBytes();
      long seed = bytes.getLong(SEED_AT);
      if (hashId == 0) {
        expect("seed without a hash", seed, 0, SEED_AT);
      }
      bytes.position(SECTIONS_AT);
      List<Long> sections = sections(Short.toUnsignedInt(bytes.getShort(COUNTS_AT + 2)));
      Map<String, Number> numbers = fields(Short.toUnsignedInt(bytes.getShort(COUNTS_AT)));
      if (hashId == Hasher.SIPHASH_2_4_NONCE || hashId == Hasher.SIPHASH_2_4_NONCE_OLD) {
        requireNonce(hashId, numbers);
      }
      int end = bytes.position() + described;
      FrameHeader.Description description = description(end);
      FrameHeader header =
          new FrameHeader(version(), kind, hashId, seed, numbers, sections, description);
      expect("header length", bytes.getInt(LENGTH_AT), header.headerBytes(), LENGTH_AT);
      expect(
          "payload offset",
          bytes.getLong(PAYLOAD_OFFSET_AT),
          header.payloadOffset(),
          PAYLOAD_OFFSET_AT);
      expect(
          "payload length",
          bytes.getLong(PAYLOAD_LENGTH_AT),
          header.payloadBytes(),
          PAYLOAD_LENGTH_AT);
      expect("frame length", bytes.getLong(FRAME_LENGTH_AT), header.frameBytes(), FRAME_LENGTH_AT);
      return header;
    }

    private FilterKind<?> kind(List<FilterKind<?>> kinds) throws FilterFormatException {
      int id = Short.toUnsignedInt(bytes.getShort(KIND_AT));
      for (FilterKind<?> kind : kinds) {
        if (kind.id() == id) {
          return kind;
        }
      }
      throw problem(KIND_AT, "unknown kind " + id + "; this library knows " + kinds);
    }

    private int hashId(FilterKind<?> kind) throws FilterFormatException {
      int id = Byte.toUnsignedInt(bytes.get(HASH_AT));
      if (id > Hasher.SIPHASH_2_4_NONCE) {
        throw problem(
            HASH_AT,
            "unknown hash "
                + id
                + "; this library knows 0 (none), 1 (XXH3-64), 2 and 4 (SipHash-2-4), 3 and 5"
                + " (SipHash-2-4 with a nonce)");
      }
      if (kind.isHashed() != (id != 0)) {
        throw problem(
            HASH_AT,
            "hash %d, but kind %s %s"
                .formatted(id, kind, kind.isHashed() ? "needs one" : "has none"));
      }
      return id;
    }

    private void requireNonce(int hashId, Map<String, Number> numbers)
        throws FilterFormatException {
      for (String name : FrameHeader.NONCE_FIELDS) {
        if (!(numbers.get(name) instanceof Long)) {
          throw problem(
              HASH_AT,
              "hash " + hashId + " needs a nonce; whole number \"" + name + "\" is missing");
        }
      }
    }

    private List<Long> sections(int count) throws FilterFormatException {
      List<Long> sections = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        need(Long.BYTES);
        int at = bytes.position();
        long words = bytes.getLong();
        if (words < 0 || words > MAX_SECTION_WORDS) {
          throw problem(
              at,
              "section %d has %s words; up to %d are possible"
                  .formatted(i, Long.toUnsignedString(words), MAX_SECTION_WORDS));
        }
        sections.add(words);
      }
      return sections;
    }

    private Map<String, Number> fields(int count) throws FilterFormatException {
      Map<String, Number> numbers = new LinkedHashMap<>();
      for (int i = 0; i < count; i++) {
        int at = bytes.position();
        need(2);
        int type = Byte.toUnsignedInt(bytes.get());
        byte[] name = new byte[Byte.toUnsignedInt(bytes.get())];
        need(name.length + Long.BYTES);
        bytes.get(name);
        Number value = number(type, bytes.getLong(), at);
        // Latin-1 preserves non-ASCII bytes, so that they are rejected and not replaced.
        String text = new String(name, ISO_8859_1);
        if (!isName(text)) {
          throw problem(
              at + 2, "the name of field " + i + " is not 1…255 printable ASCII characters");
        }
        if (numbers.put(text, value) != null) {
          throw problem(at, "field \"" + text + "\" is there twice");
        }
      }
      return numbers;
    }

    private int version() {
      return Short.toUnsignedInt(bytes.getShort(MAGIC.length));
    }

    /**
     * The length of the description, which frames of version 2 have and those of version 1 lack.
     */
    private int describedBytes() throws FilterFormatException {
      int length = bytes.getInt(DESCRIPTION_AT);
      if (version() == FrameHeader.VERSION) {
        expect("4 bytes after the page size", length, 0, DESCRIPTION_AT);
      } else if (length < 1 || length > FrameHeader.Description.MAX_BYTES) {
        throw problem(
            DESCRIPTION_AT,
            Arguments.outside(
                "description length",
                Integer.toUnsignedLong(length),
                1,
                FrameHeader.Description.MAX_BYTES));
      }
      return length;
    }

    private FrameHeader.Description description(int end) throws FilterFormatException {
      need(end - bytes.position());
      int start = bytes.position();
      Map<String, Object> facts = new LinkedHashMap<>();
      while (bytes.position() < end) {
        int at = bytes.position();
        need(2);
        int type = Byte.toUnsignedInt(bytes.get());
        byte[] name = new byte[Byte.toUnsignedInt(bytes.get())];
        need(name.length + Short.BYTES);
        bytes.get(name);
        if (facts.put(new String(name, ISO_8859_1), fact(type, at)) != null) {
          throw problem(at, "the description has \"" + new String(name, ISO_8859_1) + "\" twice");
        }
      }
      expect(
          "description length",
          bytes.getInt(DESCRIPTION_AT),
          bytes.position() - start,
          DESCRIPTION_AT);
      try {
        return new FrameHeader.Description(facts);
      } catch (IllegalArgumentException e) {
        throw problem(start, "the description: " + e.getMessage());
      }
    }

    private Object fact(int type, int at) throws FilterFormatException {
      if (type < TYPE_LONG || type > TYPE_TEXT) {
        throw problem(
            at,
            "type %d in the description; this library knows 1 (i64), 2 (f64) and 3 (text)"
                .formatted(type));
      }
      if (type != TYPE_TEXT) {
        need(Long.BYTES);
        return number(type, bytes.getLong(), at);
      }
      int length = Short.toUnsignedInt(bytes.getShort());
      need(length);
      ByteBuffer text = bytes.slice(bytes.position(), length);
      bytes.position(bytes.position() + length);
      try {
        return UTF_8.newDecoder().decode(text).toString();
      } catch (CharacterCodingException e) {
        throw problem(at, "a text of the description is not UTF-8");
      }
    }

    private Number number(int type, long bits, int at) throws FilterFormatException {
      return switch (type) {
        case TYPE_LONG -> bits;
        case TYPE_DOUBLE -> Double.longBitsToDouble(bits);
        default ->
            throw problem(at, "field type " + type + "; this library knows 1 (i64) and 2 (f64)");
      };
    }

    /** Fails if fewer than {@code count} bytes are left before the checksum. */
    private void need(int count) throws FilterFormatException {
      int left = bytes.limit() - Integer.BYTES - bytes.position();
      if (left < count) {
        throw problem(
            bytes.position(),
            "the header ends " + left + " bytes on; its next part has at least " + count);
      }
    }

    private void expect(String what, long found, long expected, int at)
        throws FilterFormatException {
      if (found != expected) {
        throw problem(at, what + " is " + found + "; it must be " + expected);
      }
    }

    private FilterFormatException problem(int at, String what) {
      return new FilterFormatException(origin, at, what);
    }
  }
}
