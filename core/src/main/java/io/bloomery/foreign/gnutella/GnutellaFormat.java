package io.bloomery.foreign.gnutella;

import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.internal.check.Arguments;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The tables of Gnutella's query routing, by which a node announces the words in its file names to
 * its neighbours: 2^14…2^21 slots; each word maps to one. A file consists of the messages that
 * carry a table, a RESET and the PATCHes after it, each after the usual header of 23 bytes.
 *
 * <p>A key is a word; ASCII capitals count as lower case. {@link #addName} and {@link #mightAnswer}
 * take names and queries of several words. A node that acts for others sends the merge of their
 * tables.
 *
 * <p>A table is written as one RESET and one sequence of PATCHes, compressed or not like those it
 * was read from, regardless of their number of sequences.
 *
 * <p>Rohrs 2001, "Query Routing for the Gnutella Network"; Singla and Rohrs 2002, "Ultrapeers".
 */
public final class GnutellaFormat {

  public static final ForeignFormat<ForeignBloomFilter> FORMAT =
      ForeignFormat.of(
              "gnutella-qrp",
              "Gnutella query routing table",
              ForeignBloomFilter.class,
              new FileLayout<>(
                  FileLayout.Evidence.MAGIC, GnutellaMessages::probe, GnutellaFormat::read))
          .madeBy(GnutellaFormat::create);

  static final int MIN_SLOTS = 1 << 14;
  static final int MAX_SLOTS = 1 << 21;

  private static final int HASH_FACTOR = 0x4F1BBCDC;
  private static final int SHORTEST_WORD = 3;
  private static final int LONGEST_CUT = 5;
  private static final Pattern BETWEEN_WORDS = Pattern.compile("[^\\p{L}\\p{M}\\p{N}]+");

  private GnutellaFormat() {}

  /**
   * An empty table.
   *
   * @param slots a power of two, 2^14…2^21; 2^16 between a leaf and its ultrapeer as a rule
   * @return the table
   */
  public static ForeignBloomFilter ofSlots(int slots) {
    Arguments.inRange("slots", slots, MIN_SLOTS, MAX_SLOTS);
    if (Integer.bitCount(slots) != 1) {
      throw new IllegalArgumentException("slots = " + slots + " is not a power of two");
    }
    return filter(GnutellaMessages.Form.USUAL, new long[slots >>> 6]);
  }

  /** The smallest table that keeps a rate with one slot for each key. */
  private static ForeignBloomFilter create(long expectedKeys, double falsePositiveRate) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_SLOTS);
    double least =
        -expectedKeys / Math.log1p(-Arguments.rate("falsePositiveRate", falsePositiveRate));
    int slots = MIN_SLOTS;
    while (slots < least) {
      slots <<= 1;
      if (slots > MAX_SLOTS) {
        throw new IllegalArgumentException(
            "%d words at a rate of %s need more than 2^21 slots"
                .formatted(expectedKeys, falsePositiveRate));
      }
    }
    return ofSlots(slots);
  }

  /**
   * A table from its bits alone, slot s being bit 7 - s mod 8 of byte s / 8.
   *
   * @param table 2^11…2^18 bytes, a power of two
   * @return the table
   */
  public static ForeignBloomFilter ofTable(byte[] table) {
    int length = Objects.requireNonNull(table, "table").length;
    Arguments.inRange("table length", length, MIN_SLOTS >>> 3, MAX_SLOTS >>> 3);
    ForeignBloomFilter empty = ofSlots(length << 3);
    ByteBuffer bytes = ByteBuffer.wrap(table);
    long[] words = new long[length / Long.BYTES];
    for (int i = 0; i < words.length; i++) {
      words[i] = Long.reverse(bytes.getLong());
    }
    return new ForeignBloomFilter(empty.scheme(), empty.sizeInBits(), words);
  }

  /**
   * The bits of a table, as {@link #ofTable} takes them.
   *
   * @param filter a table
   * @return a byte for eight slots
   */
  public static byte[] table(ForeignBloomFilter filter) {
    requireTable(filter);
    ByteBuffer bytes = ByteBuffer.allocate((int) (filter.sizeInBits() >>> 3));
    for (long word : filter.toLongArray()) {
      bytes.putLong(Long.reverse(word));
    }
    return bytes.array();
  }

  /**
   * Adds the words of a file's name: runs of at least 3 letters and digits, and their prefixes with
   * up to 5 of them removed, so that a query may end in the middle of a word.
   *
   * @param filter a table
   * @param name the name
   */
  public static void addName(ForeignBloomFilter filter, CharSequence name) {
    requireTable(filter);
    for (String word : words(Objects.requireNonNull(name, "name"))) {
      int[] letters = word.codePoints().toArray();
      int least = Math.max(SHORTEST_WORD, letters.length - LONGEST_CUT);
      for (int length = letters.length; length >= least; length--) {
        filter.add(new String(letters, 0, length));
      }
    }
  }

  /**
   * Whether a query is worth sending to the node that a table describes.
   *
   * @param filter a table
   * @param query words; words with fewer than 3 letters do not count
   * @return {@code true} if all of one or two words may be there, or two thirds of three or more;
   *     also if there is no word
   */
  public static boolean mightAnswer(ForeignBloomFilter filter, CharSequence query) {
    requireTable(filter);
    List<String> words = words(Objects.requireNonNull(query, "query"));
    long found = words.stream().filter(filter::mightContain).count();
    return words.size() < 3 ? found == words.size() : 3 * found >= 2L * words.size();
  }

  private static List<String> words(CharSequence text) {
    return BETWEEN_WORDS
        .splitAsStream(text.toString().toLowerCase(Locale.ROOT))
        .filter(word -> word.codePointCount(0, word.length()) >= SHORTEST_WORD)
        .toList();
  }

  private static void requireTable(ForeignBloomFilter filter) {
    if (filter.format() != FORMAT) {
      throw new IllegalArgumentException(
          "filter is of format " + filter.format() + ", not " + FORMAT);
    }
  }

  private static ForeignBloomFilter read(ForeignBytes in) throws IOException {
    GnutellaMessages messages = GnutellaMessages.read(in);
    return filter(messages.form(), messages.words());
  }

  private static ForeignBloomFilter filter(GnutellaMessages.Form form, long[] words) {
    return new ForeignBloomFilter(new Scheme(form), (long) words.length << 6, words);
  }

  /** The slot of a word in a table of 2^n slots. */
  static int slot(byte[] bytes, int offset, int length, int n) {
    int x = 0;
    for (int i = 0; i < length; i++) {
      int letter = bytes[offset + i] & 0xFF;
      x ^= (letter >= 'A' && letter <= 'Z' ? letter + 32 : letter) << (8 * (i & 3));
    }
    return (x * HASH_FACTOR) >>> (Integer.SIZE - n);
  }

  private record Scheme(GnutellaMessages.Form form) implements ForeignBloomFilter.Scheme {

    @Override
    public ForeignFormat<ForeignBloomFilter> format() {
      return FORMAT;
    }

    @Override
    public int hashesPerKey() {
      return 1;
    }

    @Override
    public void indexes(byte[] bytes, int offset, int length, long bits, long[] out) {
      out[0] = slot(bytes, offset, length, Long.numberOfTrailingZeros(bits));
    }

    @Override
    public Object mergeKey() {
      return FORMAT;
    }

    @Override
    public Map<String, Object> fields() {
      return form.fields();
    }

    @Override
    public long storedBytes(long bits, long[] words) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try {
        write(bits, words, out);
      } catch (IOException e) {
        throw new IllegalStateException("an array cannot fail", e);
      }
      return out.size();
    }

    @Override
    public void write(long bits, long[] words, OutputStream out) throws IOException {
      ForeignBytes.Output output = new ForeignBytes.Output(out, ByteOrder.LITTLE_ENDIAN);
      GnutellaMessages.write(form, words, output);
      output.flush();
    }
  }
}
