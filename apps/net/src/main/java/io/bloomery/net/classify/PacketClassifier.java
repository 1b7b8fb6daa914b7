package io.bloomery.net.classify;

import io.bloomery.net.capture.Capture.Packet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Finds all rules that a packet of IPv4 matches, by addresses, ports and protocol.
 *
 * <p><b>Guarantee.</b> Answers are exact. {@link Facts} and {@link #accesses} tell what they cost.
 *
 * <p>Threads: one.
 */
public final class PacketClassifier {

  /**
   * A rule: ranges of each field, their ends included.
   *
   * @param source the first source address
   * @param sourceBits the length of its prefix, 0 to 32
   * @param destination the first destination address
   * @param destinationBits the length of its prefix
   * @param sourceFrom the lowest source port
   * @param sourceTo the highest one
   * @param destinationFrom the lowest destination port
   * @param destinationTo the highest one
   * @param protocol the protocol's number; -1 for any
   */
  public record Rule(
      int source,
      int sourceBits,
      int destination,
      int destinationBits,
      int sourceFrom,
      int sourceTo,
      int destinationFrom,
      int destinationTo,
      int protocol) {

    private static final int MOST_PORT = 0xFFFF;

    /** Checks the numbers, and clears the bits behind prefixes. */
    public Rule {
      if (sourceBits < 0 || sourceBits > 32 || destinationBits < 0 || destinationBits > 32) {
        throw new IllegalArgumentException("prefixes have 0 to 32 bits");
      }
      boolean areOrdered = sourceFrom <= sourceTo && destinationFrom <= destinationTo;
      boolean areIn = sourceFrom >= 0 && destinationFrom >= 0;
      if (!areOrdered || !areIn || Math.max(sourceTo, destinationTo) > MOST_PORT) {
        throw new IllegalArgumentException("ports are ranges within 0 and 65535");
      }
      if (protocol < -1 || protocol > 255) {
        throw new IllegalArgumentException("protocol = " + protocol + " is not -1 to 255");
      }
      source &= mask(sourceBits);
      destination &= mask(destinationBits);
    }

    private static int mask(int bits) {
      return bits == 0 ? 0 : -1 << (32 - bits);
    }

    long from(int field) {
      return switch (field) {
        case 0 -> Integer.toUnsignedLong(source);
        case 1 -> Integer.toUnsignedLong(destination);
        case 2 -> sourceFrom;
        case 3 -> destinationFrom;
        default -> Math.max(0, protocol);
      };
    }

    long to(int field) {
      return switch (field) {
        case 0 -> Integer.toUnsignedLong(source | ~mask(sourceBits));
        case 1 -> Integer.toUnsignedLong(destination | ~mask(destinationBits));
        case 2 -> sourceTo;
        case 3 -> destinationTo;
        default -> protocol < 0 ? 255 : protocol;
      };
    }

    /** The kind of its fields, by which rules are divided. */
    private List<Integer> kind() {
      return List.of(
          sourceBits / 8,
          destinationBits / 8,
          kind(sourceFrom, sourceTo),
          kind(destinationFrom, destinationTo),
          protocol < 0 ? 0 : 1);
    }

    private static int kind(int from, int to) {
      return from == to ? 0 : to - from == MOST_PORT ? 1 : 2;
    }
  }

  /**
   * How the rules are kept.
   *
   * @param rules how many there are
   * @param entries how many combinations the tables have
   * @param subsets how many tables there are
   * @param filterBits the memory of filters
   * @param falseAccesses how many entries a packet that matches nothing reads in vain
   */
  public record Facts(int rules, int entries, int subsets, long filterBits, double falseAccesses) {
    /** Entries per rule. */
    public double expansion() {
      return (double) entries / rules;
    }
  }

  private static final double BOUND =
      16; // what upper bounds may be too high by before tables are made to count
  private static final int FIELD_ACCESSES = 4; // the protocol has a table of 256 bytes

  private final List<Subset> subsets = new ArrayList<>();
  private final Facts facts;
  private final long[] values = new long[Field.FIELDS];
  private long accesses;

  private PacketClassifier(List<Rule> rules, ClassifyOptions options) {
    divide(rules, options);
    facts =
        new Facts(
            rules.size(),
            subsets.stream().mapToInt(Subset::size).sum(),
            subsets.size(),
            subsets.stream().mapToLong(Subset::filterBits).sum(),
            subsets.stream().mapToDouble(Subset::falsePositiveRate).sum());
  }

  /**
   * Makes the tables of rules.
   *
   * @param rules the rules, the most important first; at least one
   * @param options how they are divided
   * @return a classifier
   * @throws IllegalArgumentException if 64 subsets need more entries per rule than the options
   *     allow
   */
  public static PacketClassifier of(List<Rule> rules, ClassifyOptions options) {
    if (rules.isEmpty()) {
      throw new IllegalArgumentException("there are no rules");
    }
    return new PacketClassifier(List.copyOf(rules), options);
  }

  /**
   * Rules of one kind stay together; the kinds that cost the fewest entries together are merged.
   */
  private void divide(List<Rule> rules, ClassifyOptions options) {
    Map<List<Integer>, Part> kinds = new LinkedHashMap<>();
    for (int i = 0; i < rules.size(); i++) {
      kinds.computeIfAbsent(rules.get(i).kind(), any -> new Part()).numbers.add(i);
    }
    List<Part> parts = new ArrayList<>(kinds.values());
    parts.forEach(part -> part.cost = part.cost(rules));
    List<List<Part>> divisions = new ArrayList<>(List.of(List.copyOf(parts)));
    while (parts.size() > options.subsets()) {
      merge(parts, rules);
      divisions.add(List.copyOf(parts));
    }
    double most = options.maxExpansion() * rules.size();
    for (int i = divisions.size() - 1; i >= 0; i--) {
      List<Part> division = divisions.get(i);
      double bound = division.stream().mapToDouble(part -> part.cost).sum();
      if (division.size() <= ClassifyOptions.MOST_SUBSETS && bound <= most * BOUND) {
        for (Part part : division) {
          subsets.add(
              new Subset(rules, part.numbers, options.falsePositiveRate(), options.hasher()));
        }
        if (subsets.stream().mapToLong(Subset::size).sum() <= most) {
          return;
        }
        subsets.clear();
      }
    }
    throw new IllegalArgumentException(
        "maxExpansion = %s: %d subsets do not suffice"
            .formatted(options.maxExpansion(), ClassifyOptions.MOST_SUBSETS));
  }

  /** Replaces the two parts whose union costs the fewest entries more by that. */
  private static void merge(List<Part> parts, List<Rule> rules) {
    Part best = null;
    double least = Double.POSITIVE_INFINITY;
    int first = 0;
    int second = 0;
    for (int i = 0; i < parts.size(); i++) {
      for (int j = 0; j < i; j++) {
        Part union = parts.get(i).with(parts.get(j), rules);
        double more = union.cost - parts.get(i).cost - parts.get(j).cost;
        if (best == null || more < least) {
          best = union;
          least = more;
          first = i;
          second = j;
        }
      }
    }
    parts.set(second, Objects.requireNonNull(best));
    parts.remove(first);
  }

  /** The rules of a subset. */
  private static final class Part {
    private final List<Integer> numbers = new ArrayList<>();
    private final Map<Part, Part> unions = new HashMap<>();
    private double cost;

    Part with(Part other, List<Rule> rules) {
      return unions.computeIfAbsent(
          other,
          any -> {
            Part union = new Part();
            union.numbers.addAll(numbers);
            union.numbers.addAll(other.numbers);
            union.cost = union.cost(rules);
            return union;
          });
    }

    double cost(List<Rule> rules) {
      return Subset.entries(numbers.stream().map(rules::get).toList());
    }
  }

  /** How the rules are kept. */
  public Facts facts() {
    return facts;
  }

  /** How many entries were read so far: of fields, and of tables behind filters. */
  public long accesses() {
    return accesses;
  }

  /**
   * Finds the rules of a packet.
   *
   * @param packet the packet; those of IPv6 match nothing
   * @return the numbers of all rules that it matches, ascending
   */
  public List<Integer> classify(Packet packet) {
    if (packet.version() != 4) {
      return List.of();
    }
    return classify(
        (int) packet.sourceLow(),
        (int) packet.destinationLow(),
        packet.sourcePort(),
        packet.destinationPort(),
        packet.protocol());
  }

  /**
   * Finds the rules of a header.
   *
   * @param source the source address
   * @param destination the destination address
   * @param sourcePort the source port
   * @param destinationPort the destination port
   * @param protocol the protocol's number
   * @return the numbers of all rules that it matches, ascending
   */
  public List<Integer> classify(
      int source, int destination, int sourcePort, int destinationPort, int protocol) {
    values[0] = Integer.toUnsignedLong(source);
    values[1] = Integer.toUnsignedLong(destination);
    values[2] = sourcePort;
    values[3] = destinationPort;
    values[4] = protocol;
    accesses += FIELD_ACCESSES;
    List<Integer> found = new ArrayList<>();
    for (Subset subset : subsets) {
      if (subset.mayMatch(values)) {
        List<Integer> rules = subset.matches();
        accesses += rules == null ? 1 : rules.size();
        if (rules != null) {
          found.addAll(rules);
        }
      }
    }
    found.sort(null);
    return found;
  }

  /** The rates of the filters, for tests. */
  List<Subset> subsets() {
    return List.copyOf(subsets);
  }
}
