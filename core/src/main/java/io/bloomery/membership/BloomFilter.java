package io.bloomery.membership;

import io.bloomery.AddableFilter;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.Mergeable;
import io.bloomery.Storable;
import io.bloomery.format.FilterKind;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.Probes;
import java.io.IOException;
import java.util.Objects;

/** placeholder being written. */
public final class BloomFilter implements AddableFilter, Mergeable<BloomFilter>, Storable {

  /** How files name this kind. */
  public static final FilterKind<BloomFilter> KIND =
      new FilterKind<>(
          1,
          "bloom",
          "is x in the set?",
          BloomFilter.class,
          BloomFilter::encode,
          BloomFilter::decode);

  private final Hasher hasher;
  private final Probes probes;
  private final Words words;

  private BloomFilter(Hasher hasher, Probes probes, Words words) {
    this.hasher = hasher;
    this.probes = probes;
    this.words = words;
  }

  /**
   * A filter of a given size.
   *
   * @param bits m
   * @param probes k
   * @return an empty filter
   */
  public static BloomFilter ofBits(long bits, int probes) {
    Probes p = new Probes(IndexScheme.ENHANCED_DOUBLE, bits, probes);
    return new BloomFilter(Hasher.xxh3(), p, Words.forBits(bits, true));
  }

  private Frame encode() {
    return Frame.of(hasher)
        .put("bits", probes.bits())
        .put("probes", probes.count())
        .put("scheme", probes.scheme().wireId())
        .section(words);
  }

  private static BloomFilter decode(Frame frame) throws IOException {
    long bits = frame.number("bits", 2, Words.MAX_WORDS * Long.SIZE);
    int count = (int) frame.number("probes", 1, 255);
    IndexScheme scheme = IndexScheme.ofWireId((int) frame.number("scheme", 1, 5));
    Probes probes;
    try {
      probes = new Probes(scheme, bits, count);
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    return new BloomFilter(frame.hasher(), probes, frame.section(0, Words.wordsFor(bits)));
  }

  @Override
  public FilterKind<BloomFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return probes.allSet(hash, words);
  }

  @Override
  public boolean addHash(long hash) {
    return probes.setAll(hash, words);
  }

  @Override
  public double falsePositiveRate() {
    return Math.pow((double) words.bitCount() / probes.bits(), probes.count());
  }

  @Override
  public long sizeInBits() {
    return probes.bits();
  }

  @Override
  public boolean isCompatible(BloomFilter other) {
    return difference(other) == null;
  }

  private String difference(BloomFilter other) {
    Objects.requireNonNull(other, "other");
    if (!hasher.equals(other.hasher)) {
      return "hasher " + hasher + " != " + other.hasher;
    }
    return null;
  }

  @Override
  public void merge(BloomFilter other) {
    String difference = difference(other);
    if (difference != null) {
      throw new IncompatibleFiltersException(difference);
    }
    words.orAll(other.words);
  }
}
