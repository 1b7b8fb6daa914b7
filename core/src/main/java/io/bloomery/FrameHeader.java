package io.bloomery;

import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The checked header of a frame, without the filter's words: what {@code bloom info} prints. See
 * docs/format.md for the layout.
 *
 * @param version the format version
 * @param kind the kind of filter
 * @param hashId the hash function: {@link Hasher#XXH3_64}, {@link Hasher#SIPHASH_2_4}, {@link
 *     Hasher#SIPHASH_2_4_NONCE}, or 0 for a kind that does not hash keys
 * @param seedOrKeyCheck the seed, or the check value of the secret key
 * @param numbers the kind's fields in the order of the file, each a {@code Long} or a {@code
 *     Double}; then those of the nonce, if the hash has one
 * @param sectionWords how many 64-bit words each section of the payload has
 */
public record FrameHeader(
    int version,
    FilterKind<?> kind,
    int hashId,
    long seedOrKeyCheck,
    Map<String, Number> numbers,
    List<Long> sectionWords) {

  /** The format version that this library writes, currently the only one. */
  public static final int VERSION = 1;

  /** The payload begins at a multiple of this many bytes. */
  public static final int ALIGNMENT = 4096;

  /** Payload bytes per page; each page has its own checksum, and the last may be shorter. */
  public static final int PAGE_BYTES = 65_536;

  /**
   * The fields of a nonce, after those of the kind: its first and its last 8 bytes, little-endian.
   */
  public static final List<String> NONCE_FIELDS = List.of("nonce 0", "nonce 1");

  private static final String SCHEME = "index scheme";
  private static final Map<String, String> LABELS =
      Map.of("probes", "hashes per key", "scheme", SCHEME);

  private static final int FIXED_BYTES = 64;
  private static final int CHECKSUM_BYTES = 4;

  /** Copies the collections, keeping their order. */
  public FrameHeader {
    Objects.requireNonNull(kind, "kind");
    numbers = Collections.unmodifiableMap(new LinkedHashMap<>(numbers));
    sectionWords = List.copyOf(sectionWords);
  }

  /**
   * The length of the header with its checksum, without the padding.
   *
   * @return bytes
   */
  public int headerBytes() {
    int bytes = fieldsOffset();
    for (String name : numbers.keySet()) {
      bytes += fieldBytes(name);
    }
    return bytes + CHECKSUM_BYTES;
  }

  /**
   * Where the fields begin, after the word counts of the sections.
   *
   * @return a byte offset
   */
  public int fieldsOffset() {
    return FIXED_BYTES + Long.BYTES * sectionWords.size();
  }

  /**
   * The length of one field: type, length of the name, name, value.
   *
   * @param name the field's name
   * @return bytes
   */
  public static int fieldBytes(String name) {
    return 2 + name.length() + Long.BYTES;
  }

  /**
   * Where the payload begins.
   *
   * @return the first multiple of {@link #ALIGNMENT} at or after the end of the header
   */
  public long payloadOffset() {
    return ((long) headerBytes() + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  /**
   * The length of the payload.
   *
   * @return bytes, a multiple of 8
   */
  public long payloadBytes() {
    long words = 0;
    for (long section : sectionWords) {
      words += section;
    }
    return words * Long.BYTES;
  }

  /**
   * The number of checksummed pages in the payload.
   *
   * @return the number of pages, the last of which may be short
   */
  public long pages() {
    return (payloadBytes() + PAGE_BYTES - 1) / PAGE_BYTES;
  }

  /**
   * The length of the whole frame.
   *
   * @return bytes
   */
  public long frameBytes() {
    return payloadOffset() + payloadBytes() + CHECKSUM_BYTES * pages();
  }

  /**
   * Whether the filter opens only with the secret key it was created with.
   *
   * @return true for SipHash-2-4, with or without a nonce
   */
  public boolean isKeyed() {
    return hashId == Hasher.SIPHASH_2_4 || hashId == Hasher.SIPHASH_2_4_NONCE;
  }

  /**
   * The hash function in words.
   *
   * @return its name with the seed or the check value of the key
   */
  public String hash() {
    return switch (hashId) {
      case 0 -> "none";
      case Hasher.XXH3_64 -> "XXH3-64, seed " + seedOrKeyCheck;
      default ->
          "SipHash-2-4, secret key with check value %016x".formatted(seedOrKeyCheck)
              + nonce().map(nonce -> ", nonce " + HexFormat.of().formatHex(nonce)).orElse("");
    };
  }

  /**
   * The nonce with which the key of this filter was derived from a secret.
   *
   * @return 16 bytes; empty unless the hash is {@link Hasher#SIPHASH_2_4_NONCE}
   */
  public Optional<byte[]> nonce() {
    if (hashId != Hasher.SIPHASH_2_4_NONCE) {
      return Optional.empty();
    }
    ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (String name : NONCE_FIELDS) {
      bytes.putLong(Objects.requireNonNull(numbers.get(name), name).longValue());
    }
    return Optional.of(bytes.array());
  }

  /**
   * The label of a field in reports. Names in files never change; where a name is no longer the
   * usual term, this method alone maps it to the current one.
   *
   * @param name the name in files, such as {@code probes}
   * @return the label in reports, such as {@code hashes per key}
   */
  public static String label(String name) {
    return LABELS.getOrDefault(name, name);
  }

  /**
   * The name in files of the field with a label: the reverse of {@link #label}.
   *
   * @param label the label in reports, such as {@code hashes per key}
   * @return the name in files, such as {@code probes}
   */
  public static String storedName(String label) {
    return LABELS.entrySet().stream()
        .filter(entry -> entry.getValue().equals(label))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(label);
  }

  /**
   * The kind's fields as reports show them: the numbers of the file under their {@link #label}.
   * They do not include the nonce of a keyed filter, which {@link #hash()} shows.
   *
   * @return an unmodifiable map in the order of the file
   */
  public Map<String, Number> fields() {
    Map<String, Number> fields = new LinkedHashMap<>();
    numbers.forEach((name, value) -> fields.put(label(name), value));
    if (hashId == Hasher.SIPHASH_2_4_NONCE) {
      fields.keySet().removeAll(NONCE_FIELDS);
    }
    return Collections.unmodifiableMap(fields);
  }

  /**
   * The value of a field in words.
   *
   * @param label the field's {@link #label}
   * @param value its number
   * @return the name that a number stands for, such as {@code enhanced double} for an index scheme;
   *     empty if the number needs no explanation
   */
  public static Optional<String> meaning(String label, Number value) {
    return label.equals(SCHEME)
        ? Optional.of(IndexScheme.ofWireId(value.intValue()).name())
            .map(name -> name.toLowerCase(Locale.ROOT).replace('_', ' '))
        : Optional.empty();
  }

  /**
   * The whole header in readable form.
   *
   * @return labels and texts in the order to print them
   */
  public Map<String, String> inWords() {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("kind", kind.name() + " (" + kind.id() + "), " + kind.type().getSimpleName());
    lines.put("question", kind.question());
    lines.put("format version", Integer.toString(version));
    lines.put("hash", hash());
    fields()
        .forEach(
            (label, value) -> lines.put(label, meaning(label, value).orElseGet(value::toString)));
    for (int i = 0; i < sectionWords.size(); i++) {
      lines.put("section " + i, sectionWords.get(i) + " words of 64 bits");
    }
    lines.put("header", headerBytes() + " bytes");
    lines.put("payload", payloadBytes() + " bytes, from byte " + payloadOffset());
    lines.put("checksums", pages() + " pages of up to " + PAGE_BYTES + " bytes, CRC32C each");
    lines.put("frame", frameBytes() + " bytes");
    return lines;
  }
}
