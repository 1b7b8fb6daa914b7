package io.bloomery.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.ConstructionException;
import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.KeyFields;
import io.bloomery.internal.frame.AtomicFile;
import io.bloomery.internal.math.Arguments;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A cascade of Bloom filters as Mozilla's filter-cascade and rust-cascade store it, in which
 * Firefox got its list of revoked certificates: exact for the two sets of byte strings that it was
 * built from, arbitrary for any other. It reads the versions 1 and 2 of the format and writes
 * version 2.
 *
 * <p>The keys' bytes are hashed anew for every bit, by MurmurHash3 or SHA-256, so it is slower than
 * {@link io.bloomery.HashedFilter hashed} cascades and has no 64-bit hash; use it to exchange files
 * and {@code FilterCascade} for everything else. docs/format/cascades.md specifies the bytes.
 *
 * <p>Immutable; any number of threads may query. The same sets and options give the same bytes,
 * those that filter-cascade writes.
 *
 * <p>Larisch et al. 2017, "CRLite: A Scalable System for Pushing All TLS Revocations to All
 * Browsers", sec. III.
 */
public final class MozillaCascade implements Filter {

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
     * The number that files name it by.
     *
     * @return 1, 2 or 3
     */
    public int wireId() {
      return wireId;
    }
  }

  private static final int VERSION = 2;
  private static final int LAYER_HEADER = 10;
  private static final int MAX_LAYERS = 255;
  private static final int MAX_PROBES = 255;
  private static final long MAX_BITS = 0xFFFFFFFFL;

  private final Hash hash;
  private final byte[] salt;
  private final boolean inverted;
  private final List<MozillaLayer> layers;

  private MozillaCascade(Hash hash, byte[] salt, boolean inverted, List<MozillaLayer> layers) {
    this.hash = hash;
    this.salt = salt;
    this.inverted = inverted;
    this.layers = List.copyOf(layers);
  }

  /**
   * Reads a file.
   *
   * @param file a cascade of version 1 or 2
   * @return the cascade
   * @throws FilterFormatException if the file is no sound cascade
   * @throws IOException if the file cannot be read
   */
  public static MozillaCascade readFrom(Path file) throws IOException {
    return new Parser(Files.readAllBytes(file), file.toString()).parse();
  }

  /**
   * Reads the bytes of a file. Allocates no more than there are bytes.
   *
   * @param bytes a cascade of version 1 or 2
   * @return the cascade
   * @throws FilterFormatException if the bytes are no sound cascade
   */
  public static MozillaCascade readFrom(byte[] bytes) throws FilterFormatException {
    return new Parser(Objects.requireNonNull(bytes, "bytes"), "bytes").parse();
  }

  /**
   * Options to build one.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Saves as version 2; the file is replaced as a whole or left as it was.
   *
   * @param file the file to make or replace
   * @throws IOException if it cannot be written
   */
  public void writeTo(Path file) throws IOException {
    AtomicFile.write(file, this::writeTo);
  }

  /**
   * Writes as version 2.
   *
   * @param out where to; neither flushed nor closed
   * @throws IOException if it cannot be written
   */
  public void writeTo(OutputStream out) throws IOException {
    byte[] start = new byte[4 + salt.length];
    little(start)
        .putShort((short) VERSION)
        .put((byte) (inverted ? 1 : 0))
        .put((byte) salt.length)
        .put(salt);
    out.write(start);
    byte[] header = new byte[LAYER_HEADER];
    for (int i = 0; i < layers.size(); i++) {
      MozillaLayer layer = layers.get(i);
      little(header)
          .put((byte) hash.wireId())
          .putInt((int) layer.bits())
          .putInt(layer.probes())
          .put((byte) (i + 1));
      out.write(header);
      out.write(layer.bytes());
    }
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * How many bytes {@link #writeTo(OutputStream)} writes.
   *
   * @return the length of the file
   */
  public long storedBytes() {
    long bytes = 4L + salt.length;
    for (MozillaLayer layer : layers) {
      bytes += LAYER_HEADER + layer.bytes().length;
    }
    return bytes;
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
   * @param layer 0 … {@link #layerCount()} - 1, the one that is asked first is 0
   * @return bits
   */
  public long layerBits(int layer) {
    return layers.get(layer).bits();
  }

  /**
   * How many bits a key has in one layer.
   *
   * @param layer 0 … {@link #layerCount()} - 1, the one that is asked first is 0
   * @return 1 or more
   */
  public int layerProbes(int layer) {
    return layers.get(layer).probes();
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

  /** {@inheritDoc} Here both answers are certain for the keys that it was built from. */
  @Override
  public boolean mightContain(byte[] key) {
    Objects.requireNonNull(key, "key");
    return mightContain(key, 0, key.length);
  }

  /** {@inheritDoc} Here both answers are certain for the keys that it was built from. */
  @Override
  public boolean mightContain(CharSequence key) {
    Objects.requireNonNull(key, "key");
    return mightContain(key.toString().getBytes(UTF_8));
  }

  /** {@inheritDoc} Here both answers are certain for the keys that it was built from. */
  @Override
  public boolean mightContain(long key) {
    byte[] bytes = new byte[Long.BYTES];
    little(bytes).putLong(key);
    return mightContain(bytes);
  }

  /** {@inheritDoc} Here both answers are certain for the keys that it was built from. */
  @Override
  public <T> boolean mightContain(T key, Funnel<? super T> funnel) {
    return mightContain(KeyFields.bytesOf(key, funnel));
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
    return "MozillaCascade[%s, %d layers, %d bits%s]"
        .formatted(hash, layers.size(), sizeInBits(), inverted ? ", inverted" : "");
  }

  /** Takes a file apart; checks every length against the bytes that are left. */
  private static final class Parser {
    private final ByteBuffer in;
    private final String origin;

    Parser(byte[] bytes, String origin) {
      this.in = little(bytes);
      this.origin = origin;
    }

    MozillaCascade parse() throws FilterFormatException {
      need(2, "the version");
      int version = Short.toUnsignedInt(in.getShort());
      if (version < 1 || version > VERSION) {
        throw problem(0, "version " + version + "; 1 and 2 are known");
      }
      boolean inverted = false;
      byte[] salt = {};
      if (version == VERSION) {
        need(2, "inversion and salt length");
        inverted = inverted();
        salt = new byte[Byte.toUnsignedInt(in.get())];
        need(salt.length, "the salt");
        in.get(salt);
      }
      List<MozillaLayer> layers = new ArrayList<>();
      Hash hash = hash();
      do {
        if (hash() != hash) {
          throw problem(in.position(), "layer " + (layers.size() + 1) + " has another hash");
        }
        layers.add(layer(layers.size() + 1));
      } while (in.hasRemaining());
      return new MozillaCascade(hash, salt, inverted, layers);
    }

    private boolean inverted() throws FilterFormatException {
      int flag = in.get();
      if (flag != 0 && flag != 1) {
        throw problem(
            2, "inversion is " + Integer.toHexString(flag & 0xFF) + "; 0 and 1 are known");
      }
      return flag == 1;
    }

    /** The hash that the next layer names. */
    private Hash hash() throws FilterFormatException {
      need(LAYER_HEADER, "a layer's header");
      int id = Byte.toUnsignedInt(in.get(in.position()));
      for (Hash hash : Hash.values()) {
        if (hash.wireId == id) {
          return hash;
        }
      }
      throw problem(in.position(), "hash " + id + "; 1, 2 and 3 are known");
    }

    private MozillaLayer layer(int number) throws FilterFormatException {
      int at = in.position();
      long bits = Integer.toUnsignedLong(in.getInt(at + 1));
      long probes = Integer.toUnsignedLong(in.getInt(at + 5));
      int found = Byte.toUnsignedInt(in.get(at + 9));
      if (bits == 0) {
        throw problem(at + 1, "a layer of 0 bits");
      }
      if (probes < 1 || probes > MAX_PROBES) {
        throw problem(at + 5, probes + " bits per key; 1…" + MAX_PROBES + " are possible");
      }
      if (found != number) {
        throw problem(at + 9, "layer " + found + " where layer " + number + " is expected");
      }
      in.position(at + LAYER_HEADER);
      int length = (int) ((bits + 7) >>> 3);
      need(length, "the bits of layer " + number);
      byte[] bytes = new byte[length];
      in.get(bytes);
      return new MozillaLayer(bits, (int) probes, bytes);
    }

    private void need(int bytes, String what) throws FilterFormatException {
      if (in.remaining() < bytes) {
        throw problem(
            in.position(),
            what + ": " + bytes + " bytes are needed, " + in.remaining() + " are left");
      }
    }

    private FilterFormatException problem(int at, String what) {
      return new FilterFormatException(origin, at, what);
    }
  }

  /** Options to build a cascade; layers have the sizes that filter-cascade gives them. */
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
     * How many times more keys than it has each layer is made for.
     *
     * @param growth 1 … 100; 1.1 if never called
     * @return this builder
     */
    public Builder growth(double growth) {
      this.growth = Arguments.inRange("growth", growth, 1.0, 100.0);
      return this;
    }

    /**
     * How many keys each layer is made for at least.
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
     * @param members keys to be answered true; duplicates make the first layer larger than need be
     * @param others keys to be answered false
     * @return the cascade
     * @throws IllegalArgumentException if a key is in both sets, a layer would have 2^32 bits or
     *     more, or there is a salt that the hash does not take
     * @throws ConstructionException if there would be more than 255 layers
     */
    public MozillaCascade build(Iterable<byte[]> members, Iterable<byte[]> others) {
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
      return new MozillaCascade(hash, salt, inverted, layers);
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
        indexes.skip(layer.probes(), layer.bits());
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
