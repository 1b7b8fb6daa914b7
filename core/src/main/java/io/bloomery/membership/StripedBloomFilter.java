package io.bloomery.membership;

import io.bloomery.FilterKind;
import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.Modulus;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.theory.Estimates;
import io.bloomery.theory.HashBits;
import java.io.IOException;
import java.util.List;

/**
 * A Bloom filter striped over B ≥ k memory banks: the k bits of a key always lie in k different
 * banks, which hardware can read in the same cycle. It never reports an added key absent.
 *
 * <p>The hash picks a starting bank b; index i lies in bank (b + i) mod B, at an independent place.
 * With B = k the rate is that of {@link io.bloomery.hash.IndexScheme#PARTITIONED}. On an ordinary
 * computer, whose caches are not banked this way, it has no advantage over {@link BloomFilter};
 * {@link BankSimulator} counts the savings on banked hardware.
 *
 * <p>Source: the multibank lookup of Tarkoma, Rothenberg and Lagerspetz, "Theory and Practice of
 * Bloom Filters for Distributed Systems", IEEE Communications Surveys and Tutorials 14(1), 2012,
 * sec. IV-F; Qiao, Li and Chen name it as future work ("Fast Bloom Filters and Their
 * Generalization", sec. 5). Deviation: places within banks are drawn from the mixing stream of
 * docs/hashing.md.
 *
 * <p>Threads: any number may add and query without a lock; once {@code add} has returned, every
 * query that happens after it finds the key.
 */
public final class StripedBloomFilter extends BitFilter<StripedShape, StripedBloomFilter> {

  public static final FilterKind<StripedBloomFilter> KIND =
      Kind.of(7, "striped", StripedBloomFilter.class)
          .question("is x in the set? each bit of a key in another memory bank")
          .codec(StripedBloomFilter::encode, StripedBloomFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("striped", StripedShape.class)
                          .forKeys(StripedShape::forKeys)
                          .forBudget(StripedShape::forBudget)
                          .reads(StripedShape::hashesPerKey)
                          .works(shape -> 2.1 * shape.hashesPerKey())
                          .absentByThree(shape -> shape.hashesPerKey(), shape -> 10)
                          .why(
                              "Each hash in a different memory bank, for hardware that reads all"
                                  + " banks in one cycle")
                          .mergesExactly()
                          .createsFor(StripedBloomFilter::create)));

  private static final int GROUP = 4;

  private final Modulus bank;

  private StripedBloomFilter(StripedShape shape, Hasher hasher, Words words) {
    super(shape, hasher, words);
    this.bank = new Modulus(shape.bankBits());
  }

  /**
   * The smallest filter on a power-of-two number of banks for a number of keys and a rate.
   *
   * @param expectedKeys how many distinct keys will be added, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static StripedBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return create(StripedShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape banks, bits per bank and hashes per key
   * @return an empty filter
   */
  public static StripedBloomFilter create(StripedShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape banks, bits per bank and hashes per key
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static StripedBloomFilter create(StripedShape shape, Hasher hasher) {
    return create(shape, hasher, Writers.MANY);
  }

  /**
   * A filter of a given shape and hasher, for one writer or many.
   *
   * @param shape banks, bits per bank and hashes per key
   * @param hasher turns keys into hashes
   * @param writers how many threads may add at the same time
   * @return an empty filter
   */
  public static StripedBloomFilter create(StripedShape shape, Hasher hasher, Writers writers) {
    Words words = Words.forBits(shape.sizeInBits(), writers == Writers.MANY);
    return new StripedBloomFilter(shape, hasher, words);
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).section(words);
  }

  private static StripedBloomFilter decode(Frame frame) throws IOException {
    StripedShape shape = frame.shape(StripedShape.class);
    return new StripedBloomFilter(shape, frame.hasher(), frame.bits(0, shape.sizeInBits()));
  }

  @Override
  public FilterKind<StripedBloomFilter> kind() {
    return KIND;
  }

  @Override
  public boolean mightContainHash(long hash) {
    long[] heap = words.heap();
    StripedShape shape = shape();
    long bankBits = shape.bankBits();
    long end = shape.sizeInBits();
    long base = firstBank(hash) * bankBits;
    long all = -1;
    for (int i = 1; i <= shape.hashesPerKey(); i++) {
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
    for (int i = 0; i < shape().hashesPerKey(); i++) {
      changed |= words.setBit(index(hash, i));
    }
    return changed;
  }

  private long firstBank(long hash) {
    return Mix.reduce(Mix.stream(hash, 0), shape().banks());
  }

  private long index(long hash, int i) {
    return bankOf(hash, i) * shape().bankBits() + bank.of(Mix.stream(hash, i + 1));
  }

  /** The bank of index {@code i} of a hash. */
  long bankOf(long hash, int i) {
    long b = firstBank(hash) + i;
    return b < shape().banks() ? b : b - shape().banks();
  }

  /**
   * {@inheritDoc} Averages the product of the fills of k neighbouring banks over all starting
   * banks, which is exact for keys with uniform hashes.
   */
  @Override
  public double falsePositiveRate() {
    int banks = shape().banks();
    double[] fill = new double[banks];
    for (int b = 0; b < banks; b++) {
      fill[b] = fillRatio(b);
    }
    double sum = 0;
    for (int first = 0; first < banks; first++) {
      double all = 1;
      for (int i = 0; i < shape().hashesPerKey(); i++) {
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
    Arguments.inRange("bank", bank, 0, shape().banks() - 1);
    long from = bank * shape().bankBits();
    return (double) words.bitCountOfBits(from, from + shape().bankBits()) / shape().bankBits();
  }

  /** {@inheritDoc} Here: ln(1 − X/m) / ln(1 − k/m), for the X of m bits that are set. */
  @Override
  double cardinality(Words bits) {
    return Estimates.cardinalityByHitRate(
        sizeInBits(), (double) shape().hashesPerKey() / sizeInBits(), bits.bitCount());
  }

  /** {@inheritDoc} Here: log2 of the banks, and k·log2 of the bits of a bank. */
  @Override
  public int hashBits() {
    return HashBits.choice(shape().banks())
        + HashBits.bloom(shape().bankBits(), shape().hashesPerKey());
  }

  /** {@inheritDoc} Here: k, each in another bank. */
  @Override
  public int memoryAccesses() {
    return shape().hashesPerKey();
  }

  @Override
  public StripedBloomFilter copy() {
    return new StripedBloomFilter(shape(), hasher(), words.copy());
  }
}
