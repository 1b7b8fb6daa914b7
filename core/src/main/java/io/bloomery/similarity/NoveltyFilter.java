package io.bloomery.similarity;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.Storable;
import io.bloomery.hash.Funnel;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.probe.Mix;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;

/**
 * How new is this odour? The Bloom filter of the fruit fly, whose answer is graded: 0 for an odour
 * that was just learnt, 1 for one that resembles none, and in between for one that resembles
 * another or was learnt long ago.
 *
 * <p>An odour is the firing rates of the fly's receptor types. Each of many cells sums a few of
 * them, chosen once at random; the cells with the highest sums, a few percent, are the odour's
 * <em>tag</em>: the positions of a Bloom filter, but similar odours have similar ones. Every cell
 * has a weight, 1 at first. {@link #novelty} is the mean weight of the tag. {@link #learn}
 * multiplies these weights by {@link NoveltyShape#decay}, and lets all others recover by {@link
 * NoveltyShape#recovery}.
 *
 * <p>As a {@link Filter} it answers whether an odour is familiar: whether its novelty is below
 * {@link NoveltyShape#threshold}. The key is then one unsigned byte for each input; a key of
 * another length is absent. Nothing is hashed, and its files hold a seed, which decides the cells'
 * inputs, instead of a hasher.
 *
 * <p>Threads: any number may query; learning and resting need a lock.
 *
 * <p>Dasgupta, Sheehan, Stevens and Navlakha 2018, "A neural data structure for novelty detection",
 * PNAS 115(51). Deviation: ties between sums go to the cell of the lower number.
 */
public final class NoveltyFilter implements Filter, Storable {

  public static final FilterKind<NoveltyFilter> KIND =
      Kind.of(67, "novelty", NoveltyFilter.class)
          .question("how new is x, by similarity and time?")
          .codec(NoveltyFilter::encode, NoveltyFilter::decode)
          .meets(Need.PARTIAL_MATCH)
          .unplanned("needs vectors of firing rates instead of keys");

  /** The number of random odours sampled by {@link #falsePositiveRate}. */
  private static final int RANDOM_ODOURS = 1_000;

  private final NoveltyShape shape;
  private final long seed;
  private final Words weights;

  private NoveltyFilter(NoveltyShape shape, long seed, Words weights) {
    this.shape = shape;
    this.seed = seed;
    this.weights = weights;
  }

  /**
   * A filter to which every odour is new, with seed 0.
   *
   * @param shape inputs, tags, and how weights change
   * @return the filter
   */
  public static NoveltyFilter create(NoveltyShape shape) {
    return create(shape, 0);
  }

  /**
   * A filter to which every odour is new.
   *
   * @param shape inputs, tags, and how weights change
   * @param seed the seed that selects the inputs of each tag
   * @return the filter
   */
  public static NoveltyFilter create(NoveltyShape shape, long seed) {
    Objects.requireNonNull(shape, "shape");
    Words weights = Words.allocate(shape.tags(), false);
    Arrays.fill(weights.writable(), Words.BASE, Words.BASE + shape.tags(), bits(1));
    return new NoveltyFilter(shape, seed, weights);
  }

  private Frame encode() {
    return Frame.of(null).put(shape).put("seed", seed).section(weights);
  }

  private static NoveltyFilter decode(Frame frame) throws IOException {
    NoveltyShape shape = frame.shape(NoveltyShape.class);
    long seed = frame.number("seed", Long.MIN_VALUE, Long.MAX_VALUE);
    NoveltyFilter filter = new NoveltyFilter(shape, seed, frame.section(0, shape.tags()));
    frame.requireOfWords(filter::isSound, "a weight is not a number of 0 … 1");
    return filter;
  }

  /** Non-negative doubles are ordered as their bits; -0 and NaN are beyond 1. */
  private boolean isSound() {
    for (int tag = 0; tag < shape.tags(); tag++) {
      if (Long.compareUnsigned(weights.get(tag), bits(1)) > 0) {
        return false;
      }
    }
    return true;
  }

  private static long bits(double weight) {
    return Double.doubleToRawLongBits(weight);
  }

  @Override
  public FilterKind<NoveltyFilter> kind() {
    return KIND;
  }

  /**
   * The parameters of this filter.
   *
   * @return inputs, tags, and how weights change
   */
  public NoveltyShape shape() {
    return shape;
  }

  /**
   * The seed that selects the inputs of each tag.
   *
   * @return the seed
   */
  public long seed() {
    return seed;
  }

  /**
   * The weight of a tag.
   *
   * @param tag 0 … tags - 1
   * @return 0 … 1
   */
  public double weight(int tag) {
    Objects.checkIndex(tag, shape.tags());
    return Double.longBitsToDouble(weights.get(tag));
  }

  /**
   * The tag of an odour: the cells with the highest sums.
   *
   * @param odour the firing rates of all inputs, finite
   * @return their numbers, ascending
   * @throws IllegalArgumentException if there are more or fewer rates than inputs, or one is not
   *     finite
   */
  public int[] tag(double... odour) {
    Objects.requireNonNull(odour, "odour");
    Arguments.inRange("odour.length", odour.length, shape.inputs(), shape.inputs());
    for (double rate : odour) {
      Arguments.inRange("odour", rate, -Double.MAX_VALUE, Double.MAX_VALUE);
    }
    double[] sums = new double[shape.tags()];
    int[] inputs = new int[shape.inputsPerTag()];
    for (int tag = 0; tag < sums.length; tag++) {
      Subsets.draw(Mix.stream(seed, tag), shape.inputs(), inputs);
      for (int input : inputs) {
        sums[tag] += odour[input];
      }
    }
    return highest(sums);
  }

  private int[] highest(double[] sums) {
    double[] sorted = sums.clone();
    Arrays.sort(sorted);
    double least = sorted[sums.length - shape.activeTags()];
    int above = 0;
    for (double sum : sums) {
      above += sum > least ? 1 : 0;
    }
    int ties = shape.activeTags() - above;
    int[] tags = new int[shape.activeTags()];
    int count = 0;
    for (int tag = 0; count < tags.length; tag++) {
      if (sums[tag] > least || (sums[tag] == least && ties-- > 0)) {
        tags[count++] = tag;
      }
    }
    return tags;
  }

  /**
   * How new an odour is.
   *
   * @param odour the firing rates of all inputs, finite
   * @return the mean weight of its tag: 1 if none of it was ever learnt
   * @throws IllegalArgumentException if there are more or fewer rates than inputs, or one is not
   *     finite
   */
  public double novelty(double... odour) {
    double sum = 0;
    for (int tag : tag(odour)) {
      sum += weight(tag);
    }
    return sum / shape.activeTags();
  }

  /**
   * Learns an odour, and lets all other tags recover.
   *
   * @param odour the firing rates of all inputs, finite
   * @return how new it was before
   * @throws IllegalArgumentException if there are more or fewer rates than inputs, or one is not
   *     finite
   * @throws IllegalStateException if the filter is a read-only view of a mapped file
   */
  public double learn(double... odour) {
    long[] words = weights.writable();
    int[] tags = tag(odour);
    double sum = 0;
    int next = 0;
    for (int tag = 0; tag < shape.tags(); tag++) {
      double weight = weight(tag);
      boolean active = next < tags.length && tags[next] == tag;
      if (active) {
        sum += weight;
        next++;
      }
      words[Words.BASE + tag] =
          bits(active ? weight * shape.decay() : Math.min(1, weight + shape.recovery()));
    }
    return sum / shape.activeTags();
  }

  /**
   * Lets time pass without an odour: every tag recovers.
   *
   * @param steps how many times {@link NoveltyShape#recovery} is added, 0 or more
   * @throws IllegalStateException if the filter is a read-only view of a mapped file
   */
  public void rest(long steps) {
    Arguments.inRange("steps", steps, 0, Long.MAX_VALUE);
    long[] words = weights.writable();
    for (int tag = 0; tag < shape.tags(); tag++) {
      words[Words.BASE + tag] = bits(Math.min(1, weight(tag) + steps * shape.recovery()));
    }
  }

  /**
   * Learns an odour given as a byte string.
   *
   * @param odour one unsigned byte for each input
   * @return how new it was before
   * @throws IllegalArgumentException if there are more or fewer bytes than inputs
   * @throws IllegalStateException if the filter is a read-only view of a mapped file
   */
  public double learn(byte[] odour) {
    Objects.requireNonNull(odour, "odour");
    return learn(rates(odour, 0, odour.length));
  }

  private static double[] rates(byte[] bytes, int offset, int length) {
    double[] rates = new double[length];
    for (int i = 0; i < length; i++) {
      rates[i] = Byte.toUnsignedInt(bytes[offset + i]);
    }
    return rates;
  }

  /** {@inheritDoc} Here: whether an odour of one byte per input is familiar. */
  @Override
  public boolean mightContain(byte[] key) {
    return mightContain(Objects.requireNonNull(key, "key"), 0, key.length);
  }

  /** {@inheritDoc} Here: as for a whole array. */
  @Override
  public boolean mightContain(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    return length == shape.inputs() && isFamiliar(rates(bytes, offset, length));
  }

  private boolean isFamiliar(double[] odour) {
    return novelty(odour) < shape.threshold();
  }

  /** {@inheritDoc} Here: as for its UTF-8 bytes. */
  @Override
  public boolean mightContain(CharSequence key) {
    return mightContain(Objects.requireNonNull(key, "key").toString().getBytes(UTF_8));
  }

  /** {@inheritDoc} Here: an odour of 8 inputs. */
  @Override
  public boolean mightContain(long key) {
    return mightContain(
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(key).array());
  }

  /** {@inheritDoc} Here: as for the bytes of its fields. */
  @Override
  public <T> boolean mightContain(T key, Funnel<? super T> funnel) {
    return mightContain(Funnel.Fields.bytesOf(key, funnel));
  }

  /**
   * {@inheritDoc} Here: the share of 1,000 random odours, whose firing rates are exponentially
   * distributed, that are familiar; always the same ones. There is no formula: odours overlap more
   * than random tags would.
   */
  @Override
  public double falsePositiveRate() {
    int familiar = 0;
    double[] odour = new double[shape.inputs()];
    int[] used = usedInputs();
    for (int i = 0; i < RANDOM_ODOURS; i++) {
      long start = Mix.mix(Mix.stream(~seed, i));
      for (int j : used) {
        odour[j] = -StrictMath.log(((Mix.stream(start, j) >>> 11) + 0.5) * 0x1p-53);
      }
      familiar += isFamiliar(odour) ? 1 : 0;
    }
    return (double) familiar / RANDOM_ODOURS;
  }

  /** The inputs that some tag sums up; the others have no effect. */
  private int[] usedInputs() {
    BitSet used = new BitSet(shape.inputs());
    int[] inputs = new int[shape.inputsPerTag()];
    for (int tag = 0; tag < shape.tags(); tag++) {
      Subsets.draw(Mix.stream(seed, tag), shape.inputs(), inputs);
      for (int input : inputs) {
        used.set(input);
      }
    }
    return used.stream().toArray();
  }

  @Override
  public long sizeInBits() {
    return (long) shape.tags() * Double.SIZE;
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same weights, writable even if this one is mapped
   */
  public NoveltyFilter copy() {
    return new NoveltyFilter(shape, seed, weights.copy());
  }

  @Override
  public String toString() {
    return "NoveltyFilter[" + shape + ", seed " + seed + "]";
  }
}
