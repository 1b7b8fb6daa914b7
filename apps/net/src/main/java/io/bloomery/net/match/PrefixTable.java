package io.bloomery.net.match;

import io.bloomery.FilterFullException;
import io.bloomery.file.AtomicFile;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Values of prefixes of IPv4 and IPv6 addresses, found by the longest prefix of an address.
 *
 * <p>Prefixes up to some length are in an array. The others are expanded to a few lengths; each has
 * a hash table and before it a filter, so that a lookup reads, beginning with the longest, hardly
 * more than the one table that has the answer.
 *
 * <p><b>Guarantee.</b> Answers are exact: filters err only towards a table that is read in vain.
 * Any number of threads may look up while others update, which wait for each other: each answer is
 * that of the table at one moment during the call. An IPv4 address that is written as one of IPv6
 * ({@code ::ffff:192.0.2.1}) is looked up, and put, as one of IPv4.
 */
public final class PrefixTable {

  /**
   * The answer for an address.
   *
   * @param prefix its longest prefix, as {@code address/length}
   * @param value the value of that prefix
   */
  public record Match(String prefix, String value) {}

  /**
   * A length to which prefixes are expanded.
   *
   * @param bits the length
   * @param entries how many expanded prefixes there are
   * @param filterBits the size of the filter that lookups read
   * @param falsePositiveRate the probability that another address reads the table in vain
   */
  public record Length(int bits, long entries, long filterBits, double falsePositiveRate) {}

  /**
   * The layout for one version of IP.
   *
   * @param prefixes how many prefixes were put
   * @param arrayBits the longest prefixes in the array
   * @param lengths the others, the longest first
   * @param bytes the memory, without values
   */
  public record Facts(long prefixes, int arrayBits, List<Length> lengths, long bytes) {
    /** Copies the list. */
    public Facts {
      lengths = List.copyOf(lengths);
    }
  }

  private final Tables tables;

  private PrefixTable(Tables tables) {
    this.tables = tables;
  }

  /** Collects prefixes for a table, in the order in which they count. */
  public static final class Builder {
    private final Tables tables;
    private final TableLines lines;

    private Builder(PrefixOptions options) {
      tables = new Tables(options);
      lines = new TableLines(tables);
    }

    /**
     * Begins a list of prefixes.
     *
     * @param name the value of prefixes without one
     * @param valueColumn which field of a line is the value, from 1; 0 for the usual: the one after
     *     the prefix or range, and of routes their origin
     * @return this builder
     */
    public Builder list(String name, int valueColumn) {
      lines.begin(name, valueColumn);
      return this;
    }

    /**
     * Adds what a line of a list says: a prefix and its value, or first and last address and value,
     * between tabs, commas or blanks; or a route as {@code bgpdump -m} prints it. The last line of
     * a prefix counts; among routes of a routing table the first, and the origin is the value.
     * Empty lines, those that begin with {@code #} or {@code ;} and a header are skipped.
     *
     * @param line a line
     * @return this builder
     * @throws IllegalArgumentException if the line is none of these; nothing is added then
     */
    public Builder line(CharSequence line) {
      lines.line(line.toString());
      return this;
    }

    /**
     * The table; the builder is of no use afterwards.
     *
     * @return a table of all prefixes
     * @throws FilterFullException if it would need more memory than the options allow
     */
    public PrefixTable build() {
      tables.build();
      return new PrefixTable(tables);
    }
  }

  /**
   * An empty table, which grows as prefixes are put.
   *
   * @param options how it is laid out
   * @return a table
   */
  public static PrefixTable create(PrefixOptions options) {
    return new PrefixTable(new Tables(options));
  }

  /**
   * A table of many prefixes, made at once.
   *
   * @param options how it is laid out
   * @return a builder
   */
  public static Builder builder(PrefixOptions options) {
    return new Builder(options);
  }

  /**
   * Reads a file that {@link #writeTo} wrote.
   *
   * @param file the file
   * @param options how the table is laid out in memory
   * @return the table
   * @throws IOException if the file cannot be read, is damaged, or is no table
   * @throws FilterFullException if it would need more memory than the options allow
   */
  public static PrefixTable open(Path file, PrefixOptions options) throws IOException {
    Tables tables = new Tables(options);
    TableFile.read(file, options.maxBytes(), tables);
    tables.build();
    return new PrefixTable(tables);
  }

  /**
   * Whether a file is one that {@link #writeTo} wrote, by its first bytes.
   *
   * @param file a file
   * @return false also if it cannot be read
   */
  public static boolean isStored(Path file) {
    return TableFile.isStored(file);
  }

  /**
   * Saves all prefixes and values; an existing file is replaced at once. Equal tables give equal
   * files, which hold nothing of the options.
   *
   * @param file the file
   * @throws IOException if it cannot be written
   */
  public void writeTo(Path file) throws IOException {
    AtomicFile.write(file, tables::write);
  }

  /**
   * The value for an address of IPv4.
   *
   * @param address its 32 bits
   * @return the value of its longest prefix; null if it has none
   */
  public @Nullable String value(int address) {
    return tables.value(false, (long) address << Integer.SIZE, 0);
  }

  /**
   * The value for an address of IPv6.
   *
   * @param high its first 64 bits
   * @param low its last 64 bits
   * @return the value of its longest prefix; null if it has none
   */
  public @Nullable String value(long high, long low) {
    boolean isFour = high == 0 && low >>> Integer.SIZE == 0xFFFF;
    return isFour ? value((int) low) : tables.value(true, high, low);
  }

  /**
   * The value for an address in text.
   *
   * @param address an address of IPv4 or IPv6
   * @return the value of its longest prefix; null if it has none
   * @throws IllegalArgumentException if it is no address
   */
  public @Nullable String value(CharSequence address) {
    Address parsed = address(address);
    return tables.value(parsed.six(), parsed.high(), parsed.low());
  }

  /**
   * The prefix and value for an address.
   *
   * @param address an address
   * @return empty if it has no prefix
   */
  public Optional<Match> match(InetAddress address) {
    return tables.match(Address.of(address));
  }

  /**
   * The prefix and value for an address in text.
   *
   * @param address an address of IPv4 or IPv6
   * @return empty if it has no prefix
   * @throws IllegalArgumentException if it is no address
   */
  public Optional<Match> match(CharSequence address) {
    return tables.match(address(address));
  }

  private static Address address(CharSequence text) {
    Address address = Address.parse(text, 0, text.length());
    if (address == null) {
      throw new IllegalArgumentException("'" + text + "' is not an IP address");
    }
    return address;
  }

  /**
   * Puts a prefix; lookups find it when the call returns.
   *
   * @param prefix address/length, without bits after the length
   * @param value its value
   * @return the value that it had
   * @throws IllegalArgumentException if the prefix is none
   * @throws FilterFullException if that needs more memory than the options allow, or there are more
   *     than 16,777,215 different values; the table is unchanged then
   */
  public Optional<String> put(CharSequence prefix, String value) {
    Objects.requireNonNull(value, "value");
    Address parsed = Address.prefix(prefix, 0, prefix.length());
    return tables.put(parsed, value);
  }

  /**
   * Removes a prefix; lookups no longer find it when the call returns.
   *
   * @param prefix address/length, without bits after the length
   * @return the value that it had
   * @throws IllegalArgumentException if the prefix is none
   */
  public Optional<String> remove(CharSequence prefix) {
    return tables.remove(Address.prefix(prefix, 0, prefix.length()));
  }

  /** What a lookup does. */
  Family.Trace trace(Address address) {
    return tables.family(address.six()).trace(address.high(), address.low());
  }

  /**
   * The layout for IPv4.
   *
   * @return facts
   */
  public Facts ipv4() {
    return tables.facts(false);
  }

  /**
   * The layout for IPv6.
   *
   * @return facts
   */
  public Facts ipv6() {
    return tables.facts(true);
  }

  /**
   * The memory of the table with its values, as computed from the sizes of its arrays.
   *
   * @return bytes
   */
  public long bytes() {
    return tables.bytes();
  }
}
