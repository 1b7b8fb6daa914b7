package io.bloomery.net.route;

import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.deletable.CountingShape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Compares the route that is advertised with the systems that saw a sample of packets.
 *
 * <p><b>Guarantee.</b> A system that saw all packets of a sample, and had them not withdrawn, is
 * never {@link Verdict#skipped}. One that saw none of n is not found out with {@link
 * #missProbability}.
 *
 * <p>Threads: one.
 */
public final class RouteVerifier {

  /**
   * What became of a sample of packets.
   *
   * @param skipped systems on the advertised route that lack packets, with how many
   * @param surplus systems that are not on it, with how many packets they saw that chance does not
   *     explain: more than five standard deviations above its mean, or with a sample too small for
   *     that, all
   */
  public record Verdict(Map<String, Long> skipped, Map<String, Long> surplus) {
    /** Copies the maps. */
    public Verdict {
      skipped = Map.copyOf(skipped);
      surplus = Map.copyOf(surplus);
    }

    /** Whether the route is as advertised, as far as the sample tells. */
    public boolean isConsistent() {
      return skipped.isEmpty() && surplus.isEmpty();
    }
  }

  private static final double DEVIATIONS = 5;

  private final RouteOptions options;
  private final Map<String, CountingBloomFilter> witnesses = new LinkedHashMap<>();

  private RouteVerifier(RouteOptions options) {
    this.options = options;
  }

  /**
   * Starts without packets.
   *
   * @param options the size of filters
   * @return an object that knows no systems
   */
  public static RouteVerifier create(RouteOptions options) {
    return new RouteVerifier(options);
  }

  private CountingBloomFilter filter(String system) {
    return witnesses.computeIfAbsent(
        system,
        any ->
            CountingBloomFilter.create(
                CountingShape.forKeys(options.packets(), options.falsePositiveRate()),
                options.hasher()));
  }

  /**
   * A system forwarded a packet.
   *
   * @param system its name, an AS for example
   * @param packet what does not change on the way: addresses, identification, content
   */
  public void forwarded(String system, byte[] packet) {
    filter(system).addHash(options.hasher().hash(packet));
  }

  /**
   * Withdraws a packet that a system forwarded, when it is too old to be asked for. It must have
   * been there, or others may be lost.
   *
   * @param system its name
   * @param packet the packet
   * @return false if it was certainly not there
   */
  public boolean withdraw(String system, byte[] packet) {
    CountingBloomFilter filter = witnesses.get(system);
    return filter != null && filter.removeHash(options.hasher().hash(packet));
  }

  /**
   * Compares a route with what the systems saw.
   *
   * @param advertised the systems on the route
   * @param sample packets that were sent along it, at least one
   * @return what is not as advertised
   */
  public Verdict verify(List<String> advertised, List<byte[]> sample) {
    if (sample.isEmpty()) {
      throw new IllegalArgumentException("sample is empty, and nothing tells of nothing");
    }
    Map<String, Long> skipped = new LinkedHashMap<>();
    Map<String, Long> surplus = new LinkedHashMap<>();
    TreeSet<String> others = new TreeSet<>(witnesses.keySet());
    for (String system : advertised) {
      others.remove(system);
      long seen = seen(system, sample);
      if (seen < sample.size()) {
        skipped.put(system, sample.size() - seen);
      }
    }
    for (String system : others) {
      double rate = falsePositiveRate(system);
      double mean = rate * sample.size();
      double limit = mean + DEVIATIONS * Math.sqrt(mean * (1 - rate));
      long seen = seen(system, sample);
      if (seen > 0 && seen > Math.min(limit, sample.size() - 1)) {
        surplus.put(system, seen);
      }
    }
    return new Verdict(skipped, surplus);
  }

  /** How many packets of a sample a system seems to have seen. */
  private long seen(String system, List<byte[]> sample) {
    CountingBloomFilter filter = witnesses.get(system);
    return filter == null
        ? 0
        : sample.stream()
            .filter(packet -> filter.mightContainHash(options.hasher().hash(packet)))
            .count();
  }

  /**
   * The share of packets that a system seems to have seen by chance, as its filter is now.
   *
   * @param system its name
   * @return 0 if it is unknown
   */
  public double falsePositiveRate(String system) {
    CountingBloomFilter filter = witnesses.get(system);
    return filter == null ? 0 : filter.falsePositiveRate();
  }

  /**
   * The probability that a system that saw none of a sample seems to have seen all of it.
   *
   * @param system its name
   * @param sample how many packets
   * @return the rate to that power
   */
  public double missProbability(String system, int sample) {
    return Math.pow(falsePositiveRate(system), sample);
  }
}
