package io.bloomery.growing;

import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.SizeSearch;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import java.util.Arrays;
import java.util.Objects;

/**
 * The shape of a scalable Bloom filter after some stages of growth: stage i = 0, 1, 2, … is one
 * filter for {@code expectedKeys · growth^i} keys at the rate {@code rate · (1 - tightening) ·
 * tightening^i}, so that the rates of all stages together never exceed {@code rate}.
 *
 * <p>Almeida, Baquero, Preguiça and Hutchison 2007, "Scalable Bloom Filters". Growth without a
 * bound has its price: stage 13 has less than 2 % of the rate and needs 5.8 · 1.44 bits a key more
 * than a filter of known size, whatever the rate is (any filter of unknown size n needs about log
 * log n more bits a key: Pagh, Segev and Wieder 2013, "How to Approximate a Set without Knowing Its
 * Size in Advance").
 *
 * @param expectedKeys keys of stage 0, 1 … {@link Shape#MAX_KEYS}
 * @param rate the rate of all stages together, in (0, 1)
 * @param growth how many times more keys each stage is for than the one before, 2 … 16
 * @param tightening what share of the rate that is left each stage leaves to the next ones, 0.1 …
 *     0.99
 * @param layers what a stage is
 * @param stages the number of stages, 1 … 64
 */
public record ScalableShape(
    long expectedKeys, double rate, int growth, double tightening, Layers layers, int stages)
    implements Shape {

  /** The growth of each stage unless another is asked for. */
  public static final int GROWTH = 2;

  /** The share of the rate that a stage leaves to the next unless another is asked for. */
  public static final double TIGHTENING = 0.85;

  /** The most stages of a shape. */
  public static final int MAX_STAGES = 64;

  private static final double LN2 = Math.log(2);

  /** What a stage is. */
  public enum Layers {
    /** A blocked filter: one cache line a stage, and the default for rates from 0.01 % up. */
    BLOCKED(1),
    /**
     * A partitioned Bloom filter, as in the paper: {@code k = ⌈log2(1/rate)⌉} slices that are half
     * full when the stage is. Smaller, the more so the lower the rate.
     */
    PARTITIONED(2);

    private final int wireId;

    Layers(int wireId) {
      this.wireId = wireId;
    }

    /**
     * The number in files.
     *
     * @return 1 or 2
     */
    public int wireId() {
      return wireId;
    }

    /**
     * The kind of stage with a number.
     *
     * @param wireId 1 or 2
     * @return the kind of stage
     */
    public static Layers ofWireId(int wireId) {
      return Arrays.stream(values())
          .filter(layers -> layers.wireId == wireId)
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException("layers " + wireId + " is not 1 or 2"));
    }

    /**
     * What a filter takes if nothing is said.
     *
     * @param rate the rate of all stages together
     * @return blocked from 0.0001 up, where blocks take little more memory
     */
    public static Layers forRate(double rate) {
      return rate >= 1e-4 ? BLOCKED : PARTITIONED;
    }
  }

  /**
   * Checks the fields.
   *
   * @param expectedKeys keys of stage 0
   * @param rate the rate of all stages together
   * @param growth how many times more keys each stage is for
   * @param tightening what share of the rate each stage leaves
   * @param layers what a stage is
   * @param stages the number of stages
   * @throws IllegalArgumentException if a field is outside its range
   */
  public ScalableShape {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    Arguments.rate("rate", rate);
    Arguments.inRange("growth", growth, 2, 16);
    Arguments.inRange("tightening", tightening, 0.1, 0.99);
    Objects.requireNonNull(layers, "layers");
    Arguments.inRange("stages", stages, 1, MAX_STAGES);
  }

  /**
   * The default filter for a number of keys that may turn out to be too low, before it has grown.
   *
   * @param keys keys of stage 0, 1 … {@link Shape#MAX_KEYS}
   * @param rate the rate of all stages together, in (0, 1)
   * @return a shape of one stage
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static ScalableShape forKeys(long keys, double rate) {
    Sizing.requireTarget(keys, rate);
    ScalableShape shape =
        new ScalableShape(keys, rate, GROWTH, TIGHTENING, Layers.forRate(rate), 1);
    shape.stage(0);
    return shape;
  }

  /**
   * The filter of the lowest rate whose first stage fits a given memory; growth takes more.
   *
   * @param keys keys of stage 0, 1 … {@link Shape#MAX_KEYS}
   * @param bits memory of stage 0, 64 … {@link Shape#MAX_BITS}
   * @return a shape of one stage, not larger than {@code bits}
   * @throws IllegalArgumentException if an argument is outside its range, or no rate below 1 fits
   */
  public static ScalableShape forBudget(long keys, long bits) {
    Arguments.inRange("keys", keys, 1, MAX_KEYS);
    Sizing.requireBudget(bits, 64);
    // In steps of 2^-1/8 of the rate, from the ideal filter's: 8 steps cost 1.44 bits a key.
    double low = BloomMath.classicRate(bits, keys, BloomMath.optimalProbes(bits, keys));
    for (double rate = Math.max(low / (1 - TIGHTENING), keys * 0x1p-57);
        rate < 1;
        rate *= 1.0905077326652577) {
      ScalableShape shape = forKeys(keys, rate);
      if (shape.sizeInBits() <= bits) {
        return shape;
      }
    }
    throw new IllegalArgumentException(
        "bits = " + bits + " is too little for keys = " + keys + " at any rate below 1");
  }

  /**
   * The shape with the fewest stages that hold so many keys.
   *
   * @param keys 1 … {@link Shape#MAX_KEYS}
   * @return this shape with more or fewer stages
   */
  @Override
  public ScalableShape grownTo(long keys) {
    Arguments.inRange("keys", keys, 1, MAX_KEYS);
    int count = 1;
    for (long held = stageKeys(0); held < keys; count++) {
      held += stageKeys(count);
    }
    return withStages(count);
  }

  /**
   * The shape with another number of stages.
   *
   * @param count 1 … {@link #MAX_STAGES}
   * @return a changed copy
   */
  public ScalableShape withStages(int count) {
    return new ScalableShape(expectedKeys, rate, growth, tightening, layers, count);
  }

  /**
   * How many keys a stage is for.
   *
   * @param stage 0, 1, 2, …
   * @return {@code expectedKeys · growth^stage}, or {@link Shape#MAX_KEYS} if that is less
   */
  public long stageKeys(int stage) {
    return (long) Math.min(MAX_KEYS, expectedKeys * Math.pow(growth, stage));
  }

  /**
   * The rate of a stage that is full.
   *
   * @param stage 0, 1, 2, …
   * @return {@code rate · (1 - tightening) · tightening^stage}
   */
  public double stageRate(int stage) {
    return rate * (1 - tightening) * Math.pow(tightening, stage);
  }

  /**
   * The shape of a stage. A stage counts the keys that change it; it is sized for these and the few
   * that, by a false positive of its own, change nothing.
   *
   * @param stage 0, 1, 2, …
   * @return a {@link BlockShape} or a partitioned {@link BloomShape}
   * @throws IllegalArgumentException if the stage would be larger than {@link Shape#MAX_BITS} or
   *     its rate lower than a 64-bit hash allows
   */
  public Shape stage(int stage) {
    double target = stageRate(stage);
    long counted = stageKeys(stage);
    long keys = (long) Math.min(MAX_KEYS, Math.ceil(counted / (1 - target)));
    Sizing.requireTarget(keys, target);
    return layers == Layers.BLOCKED ? blocked(keys, target) : halfFull(counted, keys, target);
  }

  /**
   * Blocks of one kind for all stages, so that a query can ask all of them with the same masks: the
   * kind that is best for a million keys at the rate of stage 10. The smaller stages before it take
   * a little more than they must, later ones hardly.
   */
  private BlockShape blocked(long keys, double target) {
    BlockShape kind = BlockShape.forKeys(1_000_000, Math.max(stageRate(10), 1_000_000 * 0x1p-57));
    long blocks =
        SizeSearch.smallest(
            count -> ofKind(kind, count).falsePositiveRate(keys),
            target,
            (long) (keys * BloomMath.bitsPerKey(target) * 1.2 / kind.blockBits()) + 1,
            MAX_BITS / kind.blockBits());
    if (blocks < 0) {
      throw Sizing.tooLarge("a stage of a scalable filter", keys, target);
    }
    return ofKind(kind, blocks);
  }

  private static BlockShape ofKind(BlockShape kind, long blocks) {
    return new BlockShape(blocks, kind.blockBits(), kind.wordsPerKey(), kind.probes());
  }

  /** The paper's slices for the keys of the stage, or a little more where k has no slack. */
  private static BloomShape halfFull(long counted, long keys, double target) {
    int probes = (int) Math.max(1, Math.ceil(-Math.log(target) / LN2));
    long slice = Math.max(2, (long) Math.ceil(counted / LN2));
    long max = MAX_BITS / probes;
    if (BloomMath.partitionedRate(Math.min(slice, max) * probes, keys, probes) > target) {
      slice =
          SizeSearch.smallest(
              s -> BloomMath.partitionedRate(s * probes, keys, probes), target, slice, max);
    }
    if (slice < 0 || slice > max) {
      throw Sizing.tooLarge("a stage of a scalable filter", keys, target);
    }
    return new BloomShape(slice * probes, probes, IndexScheme.PARTITIONED);
  }

  /**
   * How many keys all stages hold.
   *
   * @return the keys after which the next stage begins
   */
  public long capacity() {
    long keys = 0;
    for (int i = 0; i < stages; i++) {
      keys += stageKeys(i);
    }
    return keys;
  }

  @Override
  public long sizeInBits() {
    long bits = 0;
    for (int i = 0; i < stages; i++) {
      bits += stage(i).sizeInBits();
    }
    return bits;
  }

  /** {@inheritDoc} Stages fill one after another; keys beyond all of them go to the last. */
  @Override
  public double falsePositiveRate(long keys) {
    long left = Sizing.requireLoad(keys);
    double none = 1;
    for (int i = 0; i < stages && left > 0; i++) {
      long here = i == stages - 1 ? left : Math.min(left, stageKeys(i));
      none *= 1 - stage(i).falsePositiveRate(here);
      left -= here;
    }
    return 1 - none;
  }
}
