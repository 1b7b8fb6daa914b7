package io.bloomery.frozen;

import io.bloomery.ConstructionException;
import io.bloomery.FilterKind;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.layer.Layer;
import io.bloomery.internal.layer.LayerRow;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Is x a member, when every key that will ever be queried is known? Built from the members and all
 * other keys of a closed universe, it answers for both without error; its answer for a key outside
 * the universe is meaningless.
 *
 * <p>Layer 1 is a Bloom filter of the members, layer 2 one of layer 1's false positives among the
 * other keys, layer 3 one of layer 2's false positives among the members, and so on until a layer
 * has no false positives. The first layer that says no decides. If there are more members than
 * others, the two swap roles. With 2 % members the cascade takes 12.4 bits per member, 1.7 times
 * the lower bound for any exact structure; a query reads one layer for most others and two for most
 * members.
 *
 * <p>Immutable; any number of threads may query. The same sets in any order, with the same seed,
 * give the same bytes.
 *
 * <p>Larisch, Choffnes, Levin, Maggs, Mislove and Wilson 2017, "CRLite: A Scalable System for
 * Pushing All TLS Revocations to All Browsers", sec. III. Deviation: no layer has fewer bits than
 * one word, which ends the cascade some layers earlier for less than 1 % more memory. {@code
 * MozillaCascadeFilter} of the foreign formats reads and writes the files of the system that uses
 * them.
 */
public final class FilterCascade extends ShapedFilter<CascadeShape> implements QueryCost {

  public static final FilterKind<FilterCascade> KIND =
      Kind.of(46, "cascade", FilterCascade.class)
          .question("is x in the set? no error for the keys of a closed universe")
          .codec(FilterCascade::encode, FilterCascade::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("cascade", CascadeShape.class)
                          .meets(Need.CLOSED_UNIVERSE)
                          .onlyFor(Need.CLOSED_UNIVERSE)
                          .sized(CascadeShape::forNeeds)
                          .reads(FilterCascade::words)
                          .why(
                              "Exact for every key of a universe that is known when the filter is"
                                  + " built, in little more than half again the least memory that"
                                  + " this can take")
                          .needsMore("needs all other keys of the universe as well")
                          .hasOwnBuilder()));

  /** The most layers of a file. */
  private static final int MAX_LAYERS = 1024;

  private final boolean inverted;
  private final long seed;
  private final Layer[] layers;

  private FilterCascade(CascadeShape shape, Hasher hasher, long seed, Layer[] layers) {
    super(shape, hasher);
    this.inverted = shape.inverted();
    this.seed = seed;
    this.layers = layers;
  }

  /** All words of the first layer, plus those that most members need in later layers. */
  private static int words(CascadeShape shape) {
    long smaller = Math.min(shape.members(), shape.others());
    return smaller == 0 ? 0 : shape.layer(1, smaller).hashesPerKey() + 1;
  }

  /**
   * The cascade of two sets of keys given by their hashes.
   *
   * @param members the members' hashes by {@link Hasher#xxh3()}, in any order; duplicates count
   *     once
   * @param others the hashes of all other keys of the universe
   * @return the cascade
   * @throws IllegalArgumentException if a hash is in both sets
   */
  public static FilterCascade ofHashes(long[] members, long[] others) {
    return builder().buildOfHashes(members, others);
  }

  /**
   * The cascade of two sets of numbers, which are hashed by {@link Hasher#xxh3()}.
   *
   * @param members the members, in any order; duplicates count once
   * @param others all other keys of the universe
   * @return the cascade
   * @throws IllegalArgumentException if a key is in both sets
   */
  public static FilterCascade ofKeys(long[] members, long[] others) {
    Hasher hasher = Hasher.xxh3();
    Objects.requireNonNull(members, "members");
    Objects.requireNonNull(others, "others");
    return builder().buildOfHashes(hasher.hashAll(members), hasher.hashAll(others));
  }

  /**
   * All options.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  private Frame encode() {
    long[] table = new long[LayerRow.WORDS * layers.length];
    for (int i = 0; i < layers.length; i++) {
      LayerRow.of(layers[i]).put(table, i);
    }
    Frame frame =
        Frame.of(hasher())
            .put(shape())
            .put("seed", seed)
            .put("layers", layers.length)
            .section(Words.copyOf(table, false));
    for (Layer layer : layers) {
      frame.section(layer.words());
    }
    return frame;
  }

  private static FilterCascade decode(Frame frame) throws IOException {
    CascadeShape shape = frame.shape(CascadeShape.class);
    long seed = frame.number("seed", Long.MIN_VALUE, Long.MAX_VALUE);
    boolean empty = shape.members() == 0 || shape.others() == 0;
    int count = (int) frame.number("layers", empty ? 0 : 1, empty ? 0 : MAX_LAYERS);
    Words table = frame.section(0, (long) LayerRow.WORDS * count);
    Layer[] layers = new Layer[count];
    for (int i = 0; i < count; i++) {
      LayerRow row = LayerRow.read(frame, "layer " + i, table, i);
      layers[i] = row.layer(frame.bits(i + 1, row.bits()), i);
    }
    return new FilterCascade(shape, frame.hasher(), seed, layers);
  }

  @Override
  public FilterKind<FilterCascade> kind() {
    return KIND;
  }

  /**
   * The layers, in the order in which a query reads them.
   *
   * @return one shape for each layer; none if there are no members or no others
   */
  public List<BloomShape> layerShapes() {
    return Arrays.stream(layers).map(layer -> (BloomShape) layer.shape()).toList();
  }

  /**
   * The number of layers.
   *
   * @return 0 if there are no members or no others
   */
  public int layerCount() {
    return layers.length;
  }

  /**
   * {@inheritDoc} Here both answers are certain for a key of the universe, and meaningless for any
   * other key.
   */
  @Override
  public boolean mightContainHash(long hash) {
    Layer[] all = layers;
    long salted = hash ^ seed;
    boolean answer = inverted;
    for (int i = 0; i < all.length && all[i].allSet(Draws.family(salted, i)); i++) {
      answer = !answer;
    }
    return answer;
  }

  /**
   * {@inheritDoc} Here: for a key outside the universe, from the fill of all layers. No key of the
   * universe is answered wrongly.
   */
  @Override
  public double falsePositiveRate() {
    double yes = 0;
    for (int i = layers.length - 1; i >= 0; i--) {
      yes = layers[i].rate() * (1 - yes);
    }
    return inverted ? 1 - yes : yes;
  }

  /** {@inheritDoc} Here: of all layers together; a query ends with the first that says no. */
  @Override
  public int hashBits() {
    return Layer.hashBits(layers);
  }

  /** {@inheritDoc} Here: of all layers together. */
  @Override
  public int memoryAccesses() {
    return Layer.memoryAccesses(layers);
  }

  @Override
  public long sizeInBits() {
    long bits = 0;
    for (Layer layer : layers) {
      bits += layer.shape().sizeInBits();
    }
    return bits;
  }

  /** Options of a cascade. */
  public static final class Builder {

    /** How many seeds are tried. */
    private static final int TRIALS = 8;

    private Hasher hasher = Hasher.xxh3();
    private long seed;
    private long smallestLayer = CascadeShape.SMALLEST_LAYER;
    private int maxLayers = 128;

    private Builder() {}

    /**
     * What turns keys into hashes.
     *
     * @param hasher {@link Hasher#xxh3()} if never called
     * @return this builder
     */
    public Builder hasher(Hasher hasher) {
      this.hasher = Objects.requireNonNull(hasher, "hasher");
      return this;
    }

    /**
     * Decides the layers' hash functions.
     *
     * @param seed any number; 0 if never called. If it fails, the following seeds are tried
     * @return this builder
     */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /**
     * The minimum size of a layer. A larger minimum gives fewer layers.
     *
     * @param bits 2 … 2^20; 64 if never called
     * @return this builder
     */
    public Builder smallestLayer(long bits) {
      smallestLayer = Arguments.inRange("smallestLayer", bits, 2, CascadeShape.MAX_SMALLEST_LAYER);
      return this;
    }

    /**
     * The number of layers after which a trial is abandoned. A cascade of a million members has
     * about 32 layers, and each fourfold increase in members adds 4.
     *
     * @param layers 1 … 1024; 128 if never called
     * @return this builder
     */
    public Builder maxLayers(int layers) {
      maxLayers = Arguments.inRange("maxLayers", layers, 1, MAX_LAYERS);
      return this;
    }

    /**
     * Builds from arrays, which are not modified.
     *
     * @param members the members' hashes, in any order; duplicates count once
     * @param others the hashes of all other keys of the universe
     * @return the cascade
     * @throws IllegalArgumentException if a hash is in both sets
     * @throws ConstructionException if no seed finishes within the maximum number of layers
     */
    public FilterCascade buildOfHashes(long[] members, long[] others) {
      long[] in = distinct(Objects.requireNonNull(members, "members").clone());
      long[] out = distinct(Objects.requireNonNull(others, "others").clone());
      return buildOfHashes(() -> Arrays.stream(in), () -> Arrays.stream(out));
    }

    /**
     * Builds from sources that are read up to three times each, so that neither set needs to fit
     * into the heap; about 20 bytes per key of the smaller set are kept.
     *
     * <pre>{@code
     * builder.buildOfHashes(
     *     () -> lines(revoked).mapToLong(hasher::hash), () -> lines(valid).mapToLong(hasher::hash));
     * }</pre>
     *
     * @param members opens a stream of the members' hashes, the same ones each time, which is
     *     closed after use; duplicates make the first layer larger than necessary
     * @param others opens a stream of the hashes of all other keys of the universe. A parallel
     *     stream is read by several threads where that is faster
     * @return the cascade
     * @throws IllegalArgumentException if a hash is in both sets
     * @throws IllegalStateException if a source returns a different number of hashes when read
     *     again
     * @throws ConstructionException if no seed finishes within the maximum number of layers
     */
    public FilterCascade buildOfHashes(
        Supplier<? extends LongStream> members, Supplier<? extends LongStream> others) {
      Objects.requireNonNull(members, "members");
      Objects.requireNonNull(others, "others");
      CascadeShape shape = new CascadeShape(count(members), count(others), smallestLayer);
      Supplier<? extends LongStream> smaller = shape.inverted() ? others : members;
      Supplier<? extends LongStream> larger = shape.inverted() ? members : others;
      if (shape.members() == 0 || shape.others() == 0) {
        return new FilterCascade(shape, hasher, seed, new Layer[0]);
      }
      for (int trial = 0; trial < TRIALS; trial++) {
        Layer[] layers = new Trial(shape, seed + trial, maxLayers).build(smaller, larger);
        if (layers != null) {
          return new FilterCascade(shape, hasher, seed + trial, layers);
        }
      }
      throw new ConstructionException(
          "a cascade of %d members and %d others has more than %d layers with each of %d seeds; allow more layers or make the smallest one larger"
              .formatted(shape.members(), shape.others(), maxLayers, TRIALS));
    }

    private static long count(Supplier<? extends LongStream> source) {
      try (LongStream hashes = source.get()) {
        return hashes.count();
      }
    }
  }

  private static long[] distinct(long[] hashes) {
    Arrays.sort(hashes);
    int kept = 0;
    for (int i = 0; i < hashes.length; i++) {
      if (i == 0 || hashes[i] != hashes[kept - 1]) {
        hashes[kept++] = hashes[i];
      }
    }
    return kept == hashes.length ? hashes : Arrays.copyOf(hashes, kept);
  }

  /** One attempt with one seed. */
  private record Trial(CascadeShape shape, long seed, int maxLayers) {

    /** The layers, or null if there would be too many. */
    Layer @Nullable [] build(
        Supplier<? extends LongStream> smaller, Supplier<? extends LongStream> larger) {
      List<Layer> layers = new ArrayList<>();
      layers.add(firstLayer(smaller));
      long[] before = null;
      long[] errors = passing(larger, layers.get(0));
      while (errors.length > 0) {
        if (layers.size() == maxLayers) {
          requireDisjoint(before == null ? passing(smaller, layers.get(0)) : before, errors);
          return null;
        }
        Layer layer = emptyLayer(layers.size(), errors.length);
        for (long hash : errors) {
          layer.setAll(salted(hash, layer));
        }
        layers.add(layer);
        long[] next = before == null ? passing(smaller, layer) : passing(before, layer);
        before = errors;
        errors = next;
      }
      return layers.toArray(Layer[]::new);
    }

    private Layer firstLayer(Supplier<? extends LongStream> source) {
      long keys = Math.min(shape.members(), shape.others());
      Layer layer = emptyLayer(0, keys);
      try (LongStream hashes = source.get()) {
        long[] read = {0};
        hashes
            .sequential()
            .forEach(
                hash -> {
                  layer.setAll(salted(hash, layer));
                  read[0]++;
                });
        if (read[0] != keys) {
          throw new IllegalStateException(
              "a source gave " + keys + " hashes when it was counted and " + read[0] + " later");
        }
      }
      return layer;
    }

    private Layer emptyLayer(int index, long keys) {
      BloomShape bloom = shape.layer(index + 1, keys);
      return new Layer(bloom, Words.forBits(bloom.bits(), false), index, keys, keys);
    }

    private long salted(long hash, Layer layer) {
      return Draws.family(hash ^ seed, layer.number());
    }

    private boolean passes(long hash, Layer layer) {
      return layer.allSet(salted(hash, layer));
    }

    private long[] passing(Supplier<? extends LongStream> source, Layer layer) {
      try (LongStream hashes = source.get()) {
        return distinct(hashes.filter(hash -> passes(hash, layer)).toArray());
      }
    }

    /** The hashes that pass, in order. */
    private long[] passing(long[] hashes, Layer layer) {
      long[] kept = new long[hashes.length];
      int count = 0;
      for (long hash : hashes) {
        if (passes(hash, layer)) {
          kept[count++] = hash;
        }
      }
      return Arrays.copyOf(kept, count);
    }

    private static void requireDisjoint(long[] some, long[] others) {
      for (long hash : some) {
        if (Arrays.binarySearch(others, hash) >= 0) {
          throw new IllegalArgumentException(
              "hash %016x is that of a member and of another key; no key may be both, and if none is, a hasher with another seed tells the two apart"
                  .formatted(hash));
        }
      }
    }
  }
}
