package io.bloomery;

import static java.nio.charset.StandardCharsets.UTF_8;

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
 *     Hasher#SIPHASH_2_4_NONCE}, one of their older numbers, or 0 for a kind that does not hash
 *     keys
 * @param seedOrKeyCheck the seed, or the check value of the secret key
 * @param numbers the kind's fields in the order of the file, each a {@code Long} or a {@code
 *     Double}; then those of the nonce, if the hash has one
 * @param sectionWords how many 64-bit words each section of the payload has
 * @param description what the file says of its keys and of itself
 */
public record FrameHeader(
    int version,
    FilterKind<?> kind,
    int hashId,
    long seedOrKeyCheck,
    Map<String, Number> numbers,
    List<Long> sectionWords,
    Description description) {

  /** The format version of a frame without a description. */
  public static final int VERSION = 1;

  /** The format version of a frame with a description. */
  public static final int DESCRIBED_VERSION = 2;

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
    Objects.requireNonNull(description, "description");
  }

  /**
   * The header of the same filter with another description.
   *
   * @param other what the file says of its keys and of itself
   * @return a header of the version that holds it
   */
  public FrameHeader with(Description other) {
    int needed = other.isEmpty() ? VERSION : DESCRIBED_VERSION;
    return new FrameHeader(needed, kind, hashId, seedOrKeyCheck, numbers, sectionWords, other);
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
    return bytes + description.storedBytes() + CHECKSUM_BYTES;
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
    return hashId >= Hasher.SIPHASH_2_4_OLD && hashId <= Hasher.SIPHASH_2_4_NONCE;
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

  private boolean hasNonce() {
    return hashId == Hasher.SIPHASH_2_4_NONCE || hashId == Hasher.SIPHASH_2_4_NONCE_OLD;
  }

  /**
   * The nonce with which the key of this filter was derived from a secret.
   *
   * @return 16 bytes; empty unless the key was derived from a secret
   */
  public Optional<byte[]> nonce() {
    if (!hasNonce()) {
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
    if (hasNonce()) {
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
    description.facts().forEach((name, value) -> lines.put(name, value.toString()));
    for (int i = 0; i < sectionWords.size(); i++) {
      lines.put("section " + i, sectionWords.get(i) + " words of 64 bits");
    }
    lines.put("header", headerBytes() + " bytes");
    lines.put("payload", payloadBytes() + " bytes, from byte " + payloadOffset());
    lines.put("checksums", pages() + " pages of up to " + PAGE_BYTES + " bytes, CRC32C each");
    lines.put("frame", frameBytes() + " bytes");
    return lines;
  }

  /**
   * What a file says about its keys and its origin, beyond what its filter needs: named whole
   * numbers, real numbers and texts. A reader keeps unknown names. Nothing proves that its facts
   * are true; texts are untrusted and may hold any character.
   *
   * @param facts each a {@code Long}, a {@code Double} or a {@code String}, in the order of the
   *     file
   */
  public record Description(Map<String, Object> facts) {

    /** The name of the type of the keys, such as {@code text} or {@code int64}. */
    public static final String KEY_TYPE = "key type";

    /** The name of the column or columns of a table that the keys were read from. */
    public static final String COLUMN = "column";

    /** How many keys the filter was sized for. */
    public static final String EXPECTED_KEYS = "expected keys";

    /** The false-positive rate that was promised for that number of keys, above 0, up to 1. */
    public static final String PROMISED_RATE = "promised rate";

    /** The creation time, in seconds since 1970. */
    public static final String CREATED = "created";

    /** The program that created it, with its version. */
    public static final String TOOL = "tool";

    /** The empty description. */
    public static final Description NONE = new Description(Map.of());

    /** The most bytes of a text in UTF-8. */
    public static final int MAX_TEXT_BYTES = 1024;

    /** The most bytes of all facts in a file. */
    public static final int MAX_BYTES = 16_384;

    private static final long LAST_SECOND = 253_402_300_799L; // of the year 9999
    private static final Map<String, Class<?>> TYPES =
        Map.of(
            KEY_TYPE,
            String.class,
            COLUMN,
            String.class,
            EXPECTED_KEYS,
            Long.class,
            PROMISED_RATE,
            Double.class,
            CREATED,
            Long.class,
            TOOL,
            String.class);

    /**
     * Copies the map, keeping its order.
     *
     * @throws IllegalArgumentException if a name, a value or all of them cannot be stored, or a
     *     known name has a value of another type or outside of its range
     */
    public Description {
      facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
      long bytes = 0;
      for (Map.Entry<String, Object> fact : facts.entrySet()) {
        check(fact.getKey(), fact.getValue());
        bytes += factBytes(fact.getKey(), fact.getValue());
      }
      if (bytes > MAX_BYTES) {
        throw new IllegalArgumentException(
            "a description of %d bytes; up to %d are possible".formatted(bytes, MAX_BYTES));
      }
    }

    private static void check(String name, Object value) {
      if (!(value instanceof Long || value instanceof Double || value instanceof String)) {
        throw new IllegalArgumentException(
            "\"" + name + "\" is neither a Long nor a Double nor a String");
      }
      if (!name.chars().allMatch(c -> c >= ' ' && c <= '~')
          || name.isEmpty()
          || name.length() > 255) {
        throw new IllegalArgumentException("a name is 1…255 printable ASCII characters");
      }
      if (value instanceof String text) {
        byte[] utf8 = text.getBytes(UTF_8);
        if (utf8.length == 0
            || utf8.length > MAX_TEXT_BYTES
            || !new String(utf8, UTF_8).equals(text)) {
          throw new IllegalArgumentException(
              "\"%s\" is not 1…%d bytes of UTF-8".formatted(name, MAX_TEXT_BYTES));
        }
      }
      Class<?> type = TYPES.get(name);
      if (type != null && !type.isInstance(value)) {
        throw new IllegalArgumentException(
            "\"%s\" is not a %s".formatted(name, type.getSimpleName()));
      }
      boolean inRange =
          switch (name) {
            case EXPECTED_KEYS -> (long) value >= 0;
            case PROMISED_RATE -> (double) value > 0 && (double) value <= 1;
            case CREATED -> (long) value >= 0 && (long) value <= LAST_SECOND;
            default -> true;
          };
      if (!inRange) {
        throw new IllegalArgumentException("\"%s\" is out of range: %s".formatted(name, value));
      }
    }

    /** Type, length of the name, name, and a number or a text after its length. */
    private static int factBytes(String name, Object value) {
      return value instanceof String text
          ? 2 + name.length() + Short.BYTES + text.getBytes(UTF_8).length
          : fieldBytes(name);
    }

    /**
     * The length of all facts in a file.
     *
     * @return bytes, 0 if there are none
     */
    public int storedBytes() {
      int bytes = 0;
      for (Map.Entry<String, Object> fact : facts.entrySet()) {
        bytes += factBytes(fact.getKey(), fact.getValue());
      }
      return bytes;
    }

    /**
     * Whether it says nothing.
     *
     * @return true if there are no facts
     */
    public boolean isEmpty() {
      return facts.isEmpty();
    }

    /**
     * The same with one more fact, or another value of it.
     *
     * @param name its name
     * @param value a {@code Long}, a {@code Double} or a {@code String}
     * @return the description
     * @throws IllegalArgumentException if it cannot be stored
     */
    public Description with(String name, Object value) {
      Map<String, Object> all = new LinkedHashMap<>(facts);
      all.put(name, value);
      return new Description(all);
    }

    /**
     * The facts that another description has too, with equal values.
     *
     * @param other another description
     * @return what both say
     */
    public Description common(Description other) {
      Map<String, Object> both = new LinkedHashMap<>(facts);
      both.entrySet().removeIf(fact -> !fact.getValue().equals(other.facts.get(fact.getKey())));
      return new Description(both);
    }

    /**
     * The text of a name.
     *
     * @param name such as {@link #KEY_TYPE}
     * @return the text, which is not escaped; empty if there is none
     */
    public Optional<String> text(String name) {
      return Optional.ofNullable(facts.get(name) instanceof String text ? text : null);
    }

    /**
     * The number of a name.
     *
     * @param name such as {@link #EXPECTED_KEYS}
     * @return a {@code Long} or a {@code Double}; empty if there is none
     */
    public Optional<Number> number(String name) {
      return Optional.ofNullable(facts.get(name) instanceof Number number ? number : null);
    }
  }
}
