package io.bloomery.membership;

import io.bloomery.AddableFilter;
import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.Intersectable;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Compatibility;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.Modulus;
import io.bloomery.theory.Estimates;
import java.io.IOException;
import java.util.Objects;

/**
 * A Bloom filter laid out over B ≥ k memory banks so that the k bits of a key always lie in k
 * different banks, which can be read in the same cycle; it never reports an added key absent.
 *
 * <p>The hash picks a starting bank b; index i lies in bank (b + i) mod B, at a place of its own.
 * With B = k the rate is that of {@link io.bloomery.hash.IndexScheme#PARTITIONED}. On an ordinary
 * computer, whose caches are not banked like that, it has no advantage over {@link BloomFilter};
 * {@link BankSimulator} counts what it saves on hardware that is.
 *
 * <p>Source: the multibank lookup of Tarkoma, Rothenberg and Lagerspetz, "Theory and Practice of
 * Bloom Filters for Distributed Systems", IEEE Communications Surveys and Tutorials 14(1), 2012,
 * sec. IV-F; Qiao, Li and Chen name it as future work ("Fast Bloom Filters and Their
 * Generalization", sec. 5). Deviation: places within banks are drawn from the mixing stream of
 * docs/hashing.md.
 *
 * <p>Threads: any number may add and query without a lock; a key whose {@code add} returned is
 * found by every later query of a thread that can see that return.
 */
public final class BankedBloomFilter
    implements AddableFilter, Intersectable<BankedBloomFilter>, Storable {

  /** How files name this kind. */
  public static final FilterKind<BankedBloomFilter> KIND =
      new FilterKind<>(
          7,
          "banked",
          "is x in the set? (one bit per memory bank)",
          BankedBloomFilter.class,
          BankedBloomFilter::encode,
          BankedBloomFilter::decode,
          () ->
              FilterRecipe.lockFree(
                  BankedShape.class,
                  BankedShape::forKeys,
                  FilterRecipe.byRate(BankedShape::forKeys),
                  order -> of(order.shape(), order.hasher())));

  private static final int GROUP = 4;

  private final Hasher hasher;
  private final BankedShape shape;
  private final Modulus bank;
  private final Words words;

  private BankedBloomFilter(Hasher hasher, BankedShape shape, Words words) {
    this.hasher = hasher;
    this.shape = shape;
    this.bank = new Modulus(shape.bankBits());
    this.words = words;
  }

  /**
   * The smallest filter for a number of keys and a rate, on a power of two of banks.
   *
   * @param expectedKeys distinct keys to hold, at least 1
   * @param falsePositiveRate the rate at that many keys, within (0, 1)
   * @return an empty filter
   */
  public static BankedBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return of(BankedShape.forKeys(expectedKeys, falsePositiveRate), Hasher.xxh3());
  }

  /**
   * A filter of a given size.
   *
   * @param banks B, at least {@code probes}
   * @param bankBits bits per bank, at least 2
   * @param probes k, 1…255
   * @return an empty filter
   */
  public static BankedBloomFilter ofBits(int banks, long bankBits, int probes) {
    return of(new BankedShape(banks, bankBits, probes), Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape banks, bits per bank, probes
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static BankedBloomFilter of(BankedShape shape, Hasher hasher) {
    Objects.requireNonNull(hasher, "hasher");
    return new BankedBloomFilter(hasher, shape, Words.forBits(shape.sizeInBits(), true));
  }

  private Frame encode() {
    return Frame.of(hasher)
        .put("banks", shape.banks())
        .put("bank bits", shape.bankBits())
        .put("probes", shape.probes())
        .section(words);
  }

  private static BankedBloomFilter decode(Frame frame) throws IOException {
    int probes = (int) frame.number("probes", 1, BankedShape.MAX_PROBES);
    int banks = (int) frame.number("banks", probes, BankedShape.MAX_BANKS);
    long bankBits = frame.number("bank bits", 2, BankedShape.MAX_BITS / banks);
    BankedShape shape = new BankedShape(banks, bankBits, probes);
    return new BankedBloomFilter(frame.hasher(), shape, frame.bits(0, shape.sizeInBits()));
  }

  @Override
  public FilterKind<BankedBloomFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The fixed parameters.
   *
   * @return banks, bits per bank, probes
   */
  public BankedShape shape() {
    return shape;
  }

  @Override
  public boolean mightContainHash(long hash) {
    long[] heap = words.heap();
    long bankBits = shape.bankBits();
    long end = shape.sizeInBits();
    long base = firstBank(hash) * bankBits;
    long all = -1;
    for (int i = 1; i <= shape.probes(); i++) {
      long x = base + bank.of(Mix.stream(hash, i));
      all &= (heap != null ? heap[Words.BASE + (int) (x >>> 6)] : words.get(x >>> 6)) >>> x;
      if (i % GROUP == 0 && (all & 1) == 0) {
        return false;
      }
      base += bankBits;
      base = base == end ? 0 : base;
    }
    return (all & 1) != 0;
  }

  @Override
  public boolean addHash(long hash) {
    boolean changed = false;
    for (int i = 0; i < shape.probes(); i++) {
      changed |= words.setBit(index(hash, i));
    }
    return changed;
  }

  private long firstBank(long hash) {
    return Mix.reduce(Mix.stream(hash, 0), shape.banks());
  }

  private long index(long hash, int i) {
    return bankOf(hash, i) * shape.bankBits() + bank.of(Mix.stream(hash, i + 1));
  }

  /** The bank of index {@code i} of a hash. */
  long bankOf(long hash, int i) {
    long b = firstBank(hash) + i;
    return b < shape.banks() ? b : b - shape.banks();
  }

  /**
   * {@inheritDoc} Averages the product of the fills of k neighbouring banks over all starting
   * banks, which is exact for keys with uniform hashes.
   */
  @Override
  public double falsePositiveRate() {
    int banks = shape.banks();
    double[] fill = new double[banks];
    for (int b = 0; b < banks; b++) {
      fill[b] = fillRatio(b);
    }
    double sum = 0;
    for (int first = 0; first < banks; first++) {
      double all = 1;
      for (int i = 0; i < shape.probes(); i++) {
        all *= fill[(first + i) % banks];
      }
      sum += all;
    }
    return sum / banks;
  }

  /**
   * The share of a bank's bits that are set. Reads the whole bank.
   *
   * @param bank 0…banks-1
   * @return 0…1
   */
  public double fillRatio(int bank) {
    Arguments.inRange("bank", bank, 0, shape.banks() - 1);
    long from = bank * shape.bankBits();
    return (double) words.bitCountOfBits(from, from + shape.bankBits()) / shape.bankBits();
  }

  @Override
  public double fillRatio() {
    return (double) words.bitCount() / sizeInBits();
  }

  /** {@inheritDoc} Here: ln(1 − X/m) / ln(1 − k/m), for the X of m bits that are set. */
  @Override
  public double cardinality() {
    return Estimates.cardinality(
        sizeInBits(), words.bitCount(), (double) shape.probes() / sizeInBits());
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  @Override
  public boolean isCompatible(BankedBloomFilter other) {
    Objects.requireNonNull(other, "other");
    return Compatibility.equal(hasher, other.hasher, shape, other.shape);
  }

  @Override
  public void merge(BankedBloomFilter other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher, other.hasher, shape, other.shape);
    words.orAll(other.words);
  }

  @Override
  public void intersect(BankedBloomFilter other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher, other.hasher, shape, other.shape);
    words.andAll(other.words);
  }

  /**
   * An independent heap copy. It holds every key whose add returned before the call; of keys added
   * meanwhile it may hold some.
   *
   * @return a filter with the same keys
   */
  public BankedBloomFilter copy() {
    return new BankedBloomFilter(hasher, shape, words.copy());
  }
}
