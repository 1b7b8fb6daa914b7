package io.bloomery.frozen;

import io.bloomery.FilterFormatException;
import io.bloomery.FilterKind;
import io.bloomery.HashedFilter;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.spill.HashSpill;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * A static set in 2^b filters of one kind, each for the keys whose hash begins with the shard's b
 * bits: it never reports a member absent, and its rate is that of its shards. For sets that are too
 * large to build at once; {@link FrozenBuilder#buildSharded} builds it.
 *
 * <p>A query reads one shard, with a remixed hash, since all keys of a shard share their highest
 * hash bits.
 *
 * <p>Immutable; any number of threads may query.
 */
public final class ShardedFilter implements HashedFilter, Storable {

  public static final FilterKind<ShardedFilter> KIND =
      Kind.of(56, "sharded", ShardedFilter.class)
          .question("is x in the static set? many filters of one kind, each for a range of hashes")
          .codec(ShardedFilter::encode, ShardedFilter::decode)
          .unplanned("is what static kinds make when there are more than 2^27 keys");

  /** The kinds that shards can have. */
  private static final List<FilterKind<?>> SHARD_KINDS =
      List.of(
          FuseFilter.KIND,
          XorFilter.KIND,
          RibbonFilter.KIND,
          PerfectHashFilter.KIND,
          GolombCodedSet.KIND);

  private static final String EACH = "each ";
  private static final int WHOLE = 1;
  private static final int REAL = 2;
  private static final int MAX_SECTIONS = 16;

  private final Hasher hasher;
  private final int shardLog;
  private final FilterKind<?> shardKind;
  private final HashedFilter[] shards;

  private ShardedFilter(
      Hasher hasher, int shardLog, FilterKind<?> shardKind, HashedFilter[] shards) {
    this.hasher = hasher;
    this.shardLog = shardLog;
    this.shardKind = shardKind;
    this.shards = shards;
  }

  /**
   * Combines shards that were built separately, for example on different machines.
   *
   * @param hasher the hasher of the keys
   * @param shardLog the number of shards as a binary logarithm, 0 … 12
   * @param shards {@code 2^shardLog} filters of one kind in the order of {@link #shard}, each built
   *     from the {@link #inner} hashes of its keys; not copied
   * @param <F> the shards' class
   * @return the filter
   */
  public static <F extends HashedFilter & Storable> ShardedFilter of(
      Hasher hasher, int shardLog, List<F> shards) {
    Arguments.inRange("shardLog", shardLog, 0, HashSpill.MAX_SHARD_LOG);
    Arguments.inRange("number of shards", shards.size(), 1 << shardLog, 1 << shardLog);
    return new ShardedFilter(
        hasher, shardLog, shards.get(0).kind(), shards.toArray(HashedFilter[]::new));
  }

  /**
   * The shard of a key: the highest bits of its hash.
   *
   * @param hash the key's hash
   * @param shardLog the number of shards as a binary logarithm
   * @return 0 … {@code 2^shardLog - 1}
   */
  public static int shard(long hash, int shardLog) {
    return HashSpill.shardOf(hash, shardLog);
  }

  /**
   * The hash that represents a key within its shard.
   *
   * @param hash the key's hash
   * @return its hash there
   */
  public static long inner(long hash) {
    return Mix.mix(hash);
  }

  /** The fields of a file; one for each field of the shards follows. */
  private record Header(
      @FieldName("shard kind") int shardKind,
      @FieldName("shard log") int shardLog,
      @FieldName("shard sections") int shardSections) {
    Header {
      Arguments.inRange("shardLog", shardLog, 0, HashSpill.MAX_SHARD_LOG);
      Arguments.inRange("shardSections", shardSections, 1, MAX_SECTIONS);
    }
  }

  private Frame encode() {
    Frame first = Frame.encode((Storable) shards[0]);
    List<String> names = first.names();
    int sections = first.sections().size();
    Frame frame = Frame.of(hasher).put(new Header(shardKind.id(), shardLog, sections));
    for (String name : names) {
      frame.put(EACH + name, first.get(name) instanceof Double ? REAL : WHOLE);
    }
    long[] table = new long[shards.length * names.size()];
    frame.section(Words.allocate(0, false));
    int at = 0;
    for (HashedFilter shard : shards) {
      Frame inner = Frame.encode((Storable) shard);
      for (String name : names) {
        Number value = Objects.requireNonNull(inner.get(name), name);
        table[at++] =
            value instanceof Double real ? Double.doubleToRawLongBits(real) : value.longValue();
      }
      inner.sections().forEach(frame::section);
    }
    frame.sections().set(0, Words.copyOf(table, false));
    return frame;
  }

  private static ShardedFilter decode(Frame frame) throws IOException {
    Header header = frame.shape(Header.class);
    FilterKind<?> kind =
        SHARD_KINDS.stream()
            .filter(known -> known.id() == header.shardKind)
            .findFirst()
            .orElseThrow(() -> frame.problem("shards cannot be of kind " + header.shardKind));
    int shardLog = header.shardLog;
    int sections = header.shardSections;
    List<String> columns = frame.names().stream().filter(name -> name.startsWith(EACH)).toList();
    boolean[] real = new boolean[columns.size()];
    for (int i = 0; i < real.length; i++) {
      real[i] = frame.number(columns.get(i), WHOLE, REAL) == REAL;
    }
    HashedFilter[] shards = new HashedFilter[1 << shardLog];
    Words table = frame.section(0, (long) shards.length * columns.size());
    int at = 0;
    for (int i = 0; i < shards.length; i++) {
      Frame inner = frame.part();
      for (int j = 0; j < real.length; j++) {
        String name = columns.get(j).substring(EACH.length());
        long value = table.get(at++);
        if (real[j]) {
          inner.put(name, Double.longBitsToDouble(value));
        } else {
          inner.put(name, value);
        }
      }
      for (int j = 0; j < sections; j++) {
        inner.section(frame.section(1 + i * sections + j));
      }
      try {
        shards[i] = (HashedFilter) inner.decodeAs(kind);
        inner.checkAllUsed();
      } catch (FilterFormatException e) {
        throw frame.problem("shard " + i + ": " + e.getMessage());
      }
    }
    return new ShardedFilter(frame.hasher(), shardLog, kind, shards);
  }

  @Override
  public FilterKind<ShardedFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The number of shards.
   *
   * @return a power of two
   */
  public int shardCount() {
    return shards.length;
  }

  /**
   * The kind of the shards.
   *
   * @return the kind
   */
  public FilterKind<?> shardKind() {
    return shardKind;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return shards[shard(hash, shardLog)].mightContainHash(inner(hash));
  }

  /** {@inheritDoc} Here: the mean over the shards, which are equally likely to be queried. */
  @Override
  public double falsePositiveRate() {
    double sum = 0;
    for (HashedFilter shard : shards) {
      sum += shard.falsePositiveRate();
    }
    return sum / shards.length;
  }

  @Override
  public long sizeInBits() {
    long sum = 0;
    for (HashedFilter shard : shards) {
      sum += shard.sizeInBits();
    }
    return sum;
  }

  @Override
  public String toString() {
    return "ShardedFilter[" + shards.length + " of " + shardKind + ", " + hasher + "]";
  }
}
