package io.bloomery.security.deny;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.file.AtomicFile;
import io.bloomery.frozen.FilterCascade;
import io.bloomery.frozen.RibbonFilter;
import io.bloomery.security.deny.DenyList.Form;
import io.bloomery.security.deny.DenyList.Rule;
import io.bloomery.tools.name.Octets;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The file of a list. All numbers of its header are big-endian.
 *
 * <pre>
 *  0   8  magic
 *  8   4  bytes of the header after these 12, its checksum included
 * 12   8  rules that deny
 * 20   8  declared items
 * 28  32  kinds of rules, a bit each, the lowest bit of the first byte first: the
 *         letters a to z, of forms; networks of IPv4 of length 1 to 32; of IPv6, of 1 to 128
 * 60   1  whether there is a cascade
 * 61   4  rules that allow, each with its length (4), the letter of its form, and its text
 *      4  CRC32C of all before
 *         the native frame of the filter of the rules
 *         the native frame of the cascade: of what that filter finds by chance among the declared
 * </pre>
 *
 * @param rules how many rules deny
 * @param universe how many items were declared
 * @param kinds which kinds of rules there are, as {@link Item#kind} numbers them
 * @param allowed the rules that allow
 * @param filter of the rules
 * @param exceptions what the filter finds by chance; null if there is nothing
 */
record ListFile(
    long rules,
    long universe,
    BitSet kinds,
    List<Rule> allowed,
    RibbonFilter filter,
    @Nullable FilterCascade exceptions) {

  /** How many rules that allow there may be: they are objects in memory. */
  static final int MOST_ALLOWED = 1 << 20;

  private static final long MAGIC = 0x424C4D44454E5931L; // BLMDENY1
  private static final int PREFIX = 12;
  private static final int KIND_BYTES = 32;
  private static final int CHECKSUM = 4;
  private static final int FIXED = 2 * Long.BYTES + KIND_BYTES + 1 + Integer.BYTES + CHECKSUM;

  /** Whether a rule is on the list; others are with the rate, or never if they were declared. */
  boolean mightContain(Rule rule) {
    long hash = filter.hasher().hash(rule.key());
    return filter.mightContainHash(hash)
        && (exceptions == null || !exceptions.mightContainHash(hash));
  }

  double rate() {
    return filter.falsePositiveRate();
  }

  long sizeInBits() {
    return filter.sizeInBits() + (exceptions == null ? 0 : exceptions.sizeInBits());
  }

  void write(Path target) throws IOException {
    byte[] header = header();
    AtomicFile.write(
        target,
        out -> {
          out.write(header);
          filter.writeTo(out);
          if (exceptions != null) {
            exceptions.writeTo(out);
          }
        });
  }

  private byte[] header() {
    ByteArrayOutputStream texts = new ByteArrayOutputStream();
    for (Rule rule : allowed) {
      byte[] text = rule.text().getBytes(UTF_8);
      texts.writeBytes(
          ByteBuffer.allocate(Integer.BYTES + 1)
              .putInt(text.length)
              .put((byte) rule.form().letter())
              .array());
      texts.writeBytes(text);
    }
    int length = FIXED + texts.size();
    byte[] kindBytes = new byte[KIND_BYTES];
    byte[] set = kinds.toByteArray();
    System.arraycopy(set, 0, kindBytes, 0, set.length);
    ByteBuffer header =
        ByteBuffer.allocate(PREFIX + length)
            .putLong(MAGIC)
            .putInt(length)
            .putLong(rules)
            .putLong(universe)
            .put(kindBytes)
            .put((byte) (exceptions == null ? 0 : 1))
            .putInt(allowed.size())
            .put(texts.toByteArray());
    return header.putInt(checksum(header.array(), header.position())).array();
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C sum = new CRC32C();
    sum.update(bytes, 0, length);
    return (int) sum.getValue();
  }

  static ListFile read(Path file, long maxBytes) throws IOException {
    String name = Octets.name(file);
    if (Files.size(file) > maxBytes) {
      throw new FilterFormatException(
          name, maxBytes, "has more than " + maxBytes + " bytes, which is the limit");
    }
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      byte[] prefix = in.readNBytes(PREFIX);
      if (prefix.length < PREFIX || ByteBuffer.wrap(prefix).getLong() != MAGIC) {
        throw new FilterFormatException(name, 0, "not a deny list, or cut off");
      }
      int length = ByteBuffer.wrap(prefix).getInt(Long.BYTES);
      if (length < FIXED || length > maxBytes) {
        throw new FilterFormatException(name, Long.BYTES, "a header of " + length + " bytes");
      }
      byte[] rest = in.readNBytes(length); // grows as bytes arrive
      byte[] header = ByteBuffer.allocate(PREFIX + rest.length).put(prefix).put(rest).array();
      int end = header.length - CHECKSUM;
      if (rest.length < length || ByteBuffer.wrap(header).getInt(end) != checksum(header, end)) {
        throw new FilterFormatException(name, header.length, "a damaged header, or cut off");
      }
      return read(name, ByteBuffer.wrap(header, PREFIX, end - PREFIX), in, maxBytes);
    }
  }

  private static ListFile read(String name, ByteBuffer header, InputStream in, long maxBytes)
      throws IOException {
    try {
      long rules = header.getLong();
      long universe = header.getLong();
      byte[] kindBytes = new byte[KIND_BYTES];
      header.get(kindBytes);
      BitSet kinds = BitSet.valueOf(kindBytes);
      boolean hasExceptions = header.get() != 0;
      List<Rule> allowed = new ArrayList<>();
      int count = header.getInt();
      if (count < 0 || count > MOST_ALLOWED) {
        throw new FilterFormatException(
            name, header.position(), count + " rules that allow; at most " + MOST_ALLOWED);
      }
      for (; count > 0; count--) {
        byte[] text = new byte[Math.min(header.getInt(), header.remaining())];
        Form form = Form.of(header.get());
        header.get(text);
        if (form == null) {
          throw new FilterFormatException(name, header.position(), "a rule of no form");
        }
        Rule rule = new Rule(form, new String(text, UTF_8));
        int kind = Item.kind(rule);
        if (kind < 0 || kind >= Item.KINDS) {
          throw new FilterFormatException(name, header.position(), "a network of no length");
        }
        allowed.add(rule);
      }
      long start = (long) header.limit() + CHECKSUM;
      RibbonFilter filter = frame(name, start, in, RibbonFilter.class, maxBytes);
      FilterCascade exceptions =
          hasExceptions
              ? frame(name, start + filter.storedBytes(), in, FilterCascade.class, maxBytes)
              : null;
      boolean isWhole =
          in.read() < 0 && kinds.length() <= Item.KINDS && !header.hasRemaining() && rules > 0;
      if (!isWhole || (exceptions != null && !exceptions.hasher().equals(filter.hasher()))) {
        throw new FilterFormatException(name, 0, "parts that do not belong together");
      }
      return new ListFile(rules, universe, kinds, allowed, filter, exceptions);
    } catch (EOFException e) {
      throw new FilterFormatException(name, Files.size(Octets.path(name)), "is cut off");
    } catch (BufferUnderflowException
        | NegativeArraySizeException
        | IndexOutOfBoundsException
        | NumberFormatException e) {
      throw new FilterFormatException(name, header.position(), "a header that is not one");
    }
  }

  private static <F extends Filter> F frame(
      String name, long start, InputStream in, Class<F> type, long maxBytes) throws IOException {
    try {
      return Filters.read(in, ReadOptions.as(type).withLimit(maxBytes));
    } catch (FilterFormatException e) {
      String place = e.source() + ", byte " + e.offset() + ": ";
      String reason = String.valueOf(e.getMessage()).replace(place, "");
      throw new FilterFormatException(name, start + e.offset(), "in a filter: " + reason);
    }
  }
}
