package io.bloomery.foreign.mozilla;

import io.bloomery.ConstructionException;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.internal.check.Arguments;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A cascade of Bloom filters as Mozilla's filter-cascade and rust-cascade store it, in which
 * Firefox received its list of revoked certificates: exact for the two sets of byte strings that it
 * was built from, arbitrary for any other. A file of version 1 or 2 is written back unchanged;
 * cascades built here have version 2.
 *
 * <p>The keys' bytes are hashed again for every bit, by MurmurHash3 or SHA-256, so it is slower
 * than {@link io.bloomery.HashedFilter hashed} cascades and has no 64-bit hash; use it to exchange
 * files and {@code FilterCascade} for everything else. docs/format/frozen.md specifies the bytes.
 *
 * <p>Immutable; any number of threads may query. The same sets and options give the same bytes,
 * those that filter-cascade writes, with one exception: in SHA-256 counter mode an index of a layer
 * of exactly 2^8, 2^16 or 2^24 bits takes as many bytes as hold the highest index, 1, 2 or 3, as in
 * rust-cascade, which Firefox reads with; filter-cascade takes as many as hold the number of bits,
 * one more.
 *
 * <p>Larisch et al. 2017, "CRLite: A Scalable System for Pushing All TLS Revocations to All
 * Browsers", sec. III.
 */
public final class MozillaCascadeFilter implements ForeignFilter {

  /** How bits are chosen. */
  public enum Hash {
    /** MurmurHash3 x86_32 of the key, seeded by layer and number of the bit; takes no salt. */
    MURMUR3(1),
    /** The first 32 bits of SHA-256 of salt, number of the bit, layer and key. */
    SHA256(2),
    /** All bits of SHA-256 of a counter, salt and key, as many as an index needs. */
    SHA256_COUNTER(3);

    private final int wireId;

    Hash(int wireId) {
      this.wireId = wireId;
    }

    /**
     * The number that identifies it in files.
     *
     * @return 1, 2 or 3
     */
    public int wireId() {
      return wireId;
    }
  }

  public static final ForeignFormat<MozillaCascadeFilter> FORMAT =
      ForeignFormat.of(
          "mozilla-cascade",
          "filter-cascade and rust-cascade",
          MozillaCascadeFilter.class,
          new FileLayout<>(
                  FileLayout.Evidence.LAYOUT,
                  MozillaCascadeFilter::probe,
                  MozillaCascadeFilter::read)
              .knownBy(12));

  private static final int VERSION = 2;
  private static final int LAYER_HEADER = 10;
  private static final int MAX_LAYERS = 255;
  private static final int MAX_HASHES_PER_KEY = 255;
  private static final long MAX_BITS = 0xFFFFFFFFL;

  private final int version;
  private final Hash hash;
  private final byte[] salt;
  private final boolean inverted;
  private final List<MozillaLayer> layers;

  private MozillaCascadeFilter(
      int version, Hash hash, byte[] salt, boolean inverted, List<MozillaLayer> layers) {
    this.version = version;
    this.hash = hash;
    this.salt = salt;
    this.inverted = inverted;
    this.layers = List.copyOf(layers);
  }

  /**
   * Options to build one.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  private static MozillaCascadeFilter read(ForeignBytes in) throws IOException {
    Start start = Start.read(in);
    List<MozillaLayer> layers = new ArrayList<>();
    Hash hash = null;
    do {
      LayerHeader header = LayerHeader.read(in, layers.size() + 1, hash);
      hash = header.hash;
      byte[] bits = in.bytes(header.bytes(), "the bits of layer " + header.number);
      layers.add(new MozillaLayer(header.bits, header.hashesPerKey, bits));
    } while (in.remaining() > 0);
    return new MozillaCascadeFilter(start.version, hash, start.salt, start.inverted, layers);
  }

  /** Reads all headers and skips the bits. */
  private static void probe(ForeignBytes in) throws IOException {
    Start.read(in);
    Hash hash = null;
    for (int number = 1; number == 1 || in.remaining() > 0; number++) {
      LayerHeader header = LayerHeader.read(in, number, hash);
      hash = header.hash;
      in.need(header.bytes(), "the bits of a layer");
      in.seek(in.position() + header.bytes());
    }
  }

  /** The header before the layers. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Start(int version, boolean inverted, byte[] salt) {

    static Start read(ForeignBytes in) throws IOException {
      in.order(ByteOrder.LITTLE_ENDIAN);
      int version = (int) in.within(in.u16("the version"), 1, VERSION, "the version");
      if (version == 1) {
        return new Start(version, false, new byte[0]);
      }
      boolean inverted = in.within(in.u8("inversion"), 0, 1, "inversion") == 1;
      return new Start(version, inverted, in.bytes(in.u8("the salt's length"), "the salt"));
    }
  }

  /** The header before the bits of a layer. */
  private record LayerHeader(int number, Hash hash, long bits, int hashesPerKey) {

    /**
     * Reads the header of the layer with a number; {@code before} is the hash of the previous
     * layers.
     */
    static LayerHeader read(ForeignBytes in, int number, @Nullable Hash before) throws IOException {
      in.need(LAYER_HEADER, "a layer's header");
      long at = in.position();
      Hash hash =
          switch (in.u8("the hash")) {
            case 1 -> Hash.MURMUR3;
            case 2 -> Hash.SHA256;
            case 3 -> Hash.SHA256_COUNTER;
            default -> throw in.problem(at, "the hash is none of 1, 2 and 3");
          };
      if (before != null && hash != before) {
        throw in.problem(at, "layer %d has the hash %s, others %s", number, hash, before);
      }
      long bits = in.within(in.u32("the bits"), 1, MAX_BITS, "the number of bits");
      int hashesPerKey =
          (int) in.within(in.u32("hashes per key"), 1, MAX_HASHES_PER_KEY, "hashes per key");
      in.within(in.u8("the layer"), number, number, "the layer's number");
      return new LayerHeader(number, hash, bits, hashesPerKey);
    }

    long bytes() {
      return (bits + 7) >>> 3;
    }
  }

  @Override
  public ForeignFormat<MozillaCascadeFilter> format() {
    return FORMAT;
  }

  @Override
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("version", version);
    fields.put("hash", hash.name());
    fields.put("inverted", inverted ? "yes" : "no");
    fields.put("salt", HexFormat.of().formatHex(salt));
    fields.put("layers", layers.size());
    fields.put("bits", sizeInBits());
    return Collections.unmodifiableMap(fields);
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    ForeignBytes.Output output = new ForeignBytes.Output(out, ByteOrder.LITTLE_ENDIAN).u16(version);
    if (version == VERSION) {
      output.u8(inverted ? 1 : 0).u8(salt.length).bytes(salt);
    }
    for (int i = 0; i < layers.size(); i++) {
      MozillaLayer layer = layers.get(i);
      output.u8(hash.wireId()).i32((int) layer.bits()).i32(layer.hashesPerKey()).u8(i + 1);
      output.bytes(layer.bytes());
    }
    output.flush();
  }

  @Override
  public long storedBytes() {
    long bytes = version == VERSION ? 4L + salt.length : 2;
    for (MozillaLayer layer : layers) {
      bytes += LAYER_HEADER + layer.bytes().length;
    }
    return bytes;
  }

  /**
   * The version of the format that it is written in.
   *
   * @return 1 or 2
   */
  public int version() {
    return version;
  }

  /**
   * The same layers, to be written as version 2.
   *
   * @return this cascade if it is of version 2
   */
  public MozillaCascadeFilter asVersion2() {
    return version == VERSION
        ? this
        : new MozillaCascadeFilter(VERSION, hash, salt, inverted, layers);
  }

  /**
   * How bits are chosen.
   *
   * @return the hash function
   */
  public Hash hash() {
    return hash;
  }

  /**
   * What is hashed with every key.
   *
   * @return up to 255 bytes
   */
  public byte[] salt() {
    return salt.clone();
  }

  /**
   * Whether the first layer holds the keys that are not members.
   *
   * @return true if there were more members than others
   */
  public boolean isInverted() {
    return inverted;
  }

  /**
   * How many layers there are.
   *
   * @return 1 or more
   */
  public int layerCount() {
    return layers.size();
  }

  /**
   * The size of one layer.
   *
   * @param layer 0 … {@link #layerCount()} - 1, layer 0 is queried first
   * @return bits
   */
  public long layerBits(int layer) {
    return layers.get(layer).bits();
  }

  /**
   * How many bits a key has in one layer.
   *
   * @param layer 0 … {@link #layerCount()} - 1, layer 0 is queried first
   * @return 1 or more
   */
  public int layerProbes(int layer) {
    return layers.get(layer).hashesPerKey();
  }

  /** {@inheritDoc} Here both answers are certain for the keys that it was built from. */
  @Override
  public boolean mightContain(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    MozillaIndexes indexes = new MozillaIndexes(hash, salt, bytes, offset, length);
    boolean answer = inverted;
    for (MozillaLayer layer : layers) {
      if (!layer.allSet(indexes)) {
        break;
      }
      answer = !answer;
      indexes.nextLayer();
    }
    return answer;
  }

  /** {@inheritDoc} Here: for a key of neither set, from the fill of all layers. */
  @Override
  public double falsePositiveRate() {
    double yes = 0;
    for (int i = layers.size() - 1; i >= 0; i--) {
      yes = layers.get(i).rate() * (1 - yes);
    }
    return inverted ? 1 - yes : yes;
  }

  @Override
  public long sizeInBits() {
    return layers.stream().mapToLong(MozillaLayer::bits).sum();
  }

  @Override
  public String toString() {
    return "MozillaCascadeFilter[%s, %d layers, %d bits%s]"
        .formatted(hash, layers.size(), sizeInBits(), inverted ? ", inverted" : "");
  }

  /** Options to build a cascade; layers have the same sizes as in filter-cascade. */
  public static final class Builder {
    private Hash hash = Hash.MURMUR3;
    private byte[] salt = {};
    private double growth = 1.1;
    private long smallestLayerKeys = 10_000;
    private double firstRate;

    private Builder() {}

    /**
     * How bits are chosen.
     *
     * @param hash {@link Hash#MURMUR3} if never called
     * @return this builder
     */
    public Builder hash(Hash hash) {
      this.hash = Objects.requireNonNull(hash, "hash");
      return this;
    }

    /**
     * What is hashed with every key; only for SHA-256.
     *
     * @param salt up to 255 bytes
     * @return this builder
     */
    public Builder salt(byte[] salt) {
      Arguments.inRange("salt length", Objects.requireNonNull(salt, "salt").length, 0, 255);
      this.salt = salt.clone();
      return this;
    }

    /**
     * The capacity of each layer as a multiple of its keys.
     *
     * @param growth 1 … 100; 1.1 if never called
     * @return this builder
     */
    public Builder growth(double growth) {
      this.growth = Arguments.inRange("growth", growth, 1.0, 100.0);
      return this;
    }

    /**
     * The minimum number of keys each layer is sized for.
     *
     * @param keys 1 … 2^30; 10,000 if never called
     * @return this builder
     */
    public Builder smallestLayerKeys(long keys) {
      this.smallestLayerKeys = Arguments.inRange("smallestLayerKeys", keys, 1, 1L << 30);
      return this;
    }

    /**
     * The rate of the first layer; all others have 1/2.
     *
     * @param rate above 0, below 1; if never called the smaller set's size divided by √2 times that
     *     of the larger one
     * @return this builder
     */
    public Builder firstRate(double rate) {
      this.firstRate = Arguments.rate("firstRate", rate);
      return this;
    }

    /**
     * Builds from two sets, both of which are iterated several times; of the larger one only the
     * false positives of the first layer are kept in the heap.
     *
     * @param members keys to be answered true; duplicates make the first layer larger than
     *     necessary
     * @param others keys to be answered false
     * @return the cascade
     * @throws IllegalArgumentException if a key is in both sets, a layer would have 2^32 bits or
     *     more, or there is a salt that the hash does not take
     * @throws ConstructionException if there would be more than 255 layers
     */
    public MozillaCascadeFilter build(Iterable<byte[]> members, Iterable<byte[]> others) {
      long in = count(Objects.requireNonNull(members, "members"));
      long out = count(Objects.requireNonNull(others, "others"));
      if (hash == Hash.MURMUR3 && salt.length > 0) {
        throw new IllegalArgumentException("MurmurHash3 takes no salt; use SHA-256");
      }
      boolean inverted = in > out;
      double rate =
          firstRate != 0
              ? firstRate
              : Math.max(1, Math.min(in, out)) / (Math.sqrt(2) * Math.max(1, Math.max(in, out)));
      List<MozillaLayer> layers = new ArrayList<>();
      Iterable<byte[]> stored = inverted ? others : members;
      Iterable<byte[]> tested = inverted ? members : others;
      long size = Math.min(in, out);
      do {
        requireRoom(layers, stored, tested);
        MozillaLayer layer = emptyLayer(size, layers.isEmpty() ? rate : 0.5);
        for (byte[] key : stored) {
          layer.setAll(after(layers, key));
        }
        List<byte[]> errors = passing(tested, layers, layer);
        layers.add(layer);
        tested = stored;
        stored = errors;
        size = errors.size();
      } while (size > 0);
      return new MozillaCascadeFilter(VERSION, hash, salt, inverted, layers);
    }

    private static long count(Iterable<byte[]> keys) {
      long count = 0;
      for (byte[] key : keys) {
        Objects.requireNonNull(key, "key");
        count++;
      }
      return count;
    }

    private MozillaLayer emptyLayer(long keys, double rate) {
      double sized = Math.max(Math.floor(keys * growth), (double) smallestLayerKeys);
      double log = Math.log(1 / rate) / Math.log(2);
      double bits = 8 * Math.ceil(Math.ceil(1.44 * sized * log) / 8);
      if (bits > MAX_BITS) {
        throw new IllegalArgumentException(
            keys
                + " keys at a rate of "
                + rate
                + " need "
                + bits
                + " bits; a layer has up to 2^32 - 1");
      }
      return new MozillaLayer(
          (long) bits, (int) Math.ceil(log), new byte[(int) ((long) bits >>> 3)]);
    }

    /** The indexes of a key after those of all layers, which it passes. */
    private MozillaIndexes after(List<MozillaLayer> layers, byte[] key) {
      MozillaIndexes indexes = new MozillaIndexes(hash, salt, key, 0, key.length);
      for (MozillaLayer layer : layers) {
        indexes.skip(layer.hashesPerKey(), layer.bits());
        indexes.nextLayer();
      }
      return indexes;
    }

    private List<byte[]> passing(
        Iterable<byte[]> keys, List<MozillaLayer> before, MozillaLayer layer) {
      List<byte[]> passing = new ArrayList<>();
      for (byte[] key : keys) {
        if (layer.allSet(after(before, key))) {
          passing.add(key);
        }
      }
      passing.sort(Arrays::compare);
      List<byte[]> distinct = new ArrayList<>(passing.size());
      for (byte[] key : passing) {
        if (distinct.isEmpty() || !Arrays.equals(distinct.get(distinct.size() - 1), key)) {
          distinct.add(key);
        }
      }
      return distinct;
    }

    private static void requireRoom(
        List<MozillaLayer> layers, Iterable<byte[]> stored, Iterable<byte[]> tested) {
      if (layers.size() < MAX_LAYERS) {
        return;
      }
      for (byte[] key : stored) {
        for (byte[] other : tested) {
          if (Arrays.equals(key, other)) {
            throw new IllegalArgumentException(
                "a key of " + key.length + " bytes is in both sets: " + Arrays.toString(key));
          }
        }
      }
      throw new ConstructionException(
          "more than 255 layers; take another salt or a larger smallestLayerKeys");
    }
  }
}
