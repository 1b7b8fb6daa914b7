package io.bloomery.similarity;

import io.bloomery.FilterKind;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * Finds excerpts of payloads: the block-based Bloom filter. A payload is cut into blocks of s
 * bytes, and each block is stored with its index; an excerpt is cut at all s alignments, and found
 * where all its whole blocks follow each other.
 *
 * <p>An excerpt of 2·s − 1 bytes or more that a payload holds is always found, with its place. An
 * excerpt that no payload holds is found if every lookup at some alignment and index errs ({@link
 * #excerptRate}), or if its blocks come from several payloads that had them at these indexes: with
 * S0S1S2S3S4 and S0S2S3S1S4, S2S1 is also found. {@link HierarchicalDigest} excludes most of the
 * latter, and is the better choice if excerpts combine blocks of payloads, three or more of them.
 * Of excerpts of other bytes, with equal memory, this one finds fewer: a hierarchy has about twice
 * the keys, and many times as many if payloads consist of few different blocks. Neither is reliable
 * for excerpts of one block: in a payload of 33 blocks, a lookup rate of 8 % makes 93 % wrong
 * answers.
 *
 * <p>A query costs at most s times as many lookups as the longest payload has blocks, and with
 * {@linkplain BlockDigestShape#contentKeys content keys} mostly s. The bytes of an excerpt before
 * and after its whole blocks are not compared. A sender who splits a payload into packets smaller
 * than a block leaves no trace; join such packets before adding them.
 *
 * <p>As a {@link io.bloomery.Filter} it is a set of excerpts: {@code mightContain(key)} says
 * whether some payload may hold the key. It is not a {@link io.bloomery.HashedFilter}, because an
 * excerpt has no hash of its own; decision 021 gives the reasons.
 *
 * <p>Threads: lock-free. Any number of threads may add and query; once {@code add} has returned,
 * every query that happens after it finds the payload.
 *
 * <p>Shanmugasundaram, Brönnimann and Memon, "Payload Attribution via Hierarchical Bloom Filters",
 * CCS 2004, sec. 3.1. Deviations: the index is mixed with the hash of the content instead of
 * hashing both; and an excerpt that does not begin with a whole block is not looked up at index 0,
 * where no payload has bytes before it.
 */
public final class BlockDigest extends ContentDigest<BlockDigest> {

  public static final FilterKind<BlockDigest> KIND =
      Kind.of(64, "block-digest", BlockDigest.class)
          .question("is x a part of something in it? blocks at their index")
          .codec(BlockDigest::encode, BlockDigest::decode)
          .hashesParts()
          .meets(Need.PARTIAL_MATCH)
          .unplanned("takes payloads of which parts are found, not keys");

  private final BlockDigestShape shape;

  private BlockDigest(BlockDigestShape shape, Hasher hasher) {
    super(layout(shape), hasher);
    this.shape = shape;
  }

  private BlockDigest(BlockDigestShape shape, Frame frame) throws IOException {
    super(layout(shape), frame);
    this.shape = shape;
  }

  private BlockDigest(BlockDigest other) {
    super(other);
    this.shape = other.shape;
  }

  private static HierarchicalDigestShape layout(BlockDigestShape shape) {
    return new HierarchicalDigestShape(Objects.requireNonNull(shape, "shape"), 1, false);
  }

  /**
   * A digest of a given shape.
   *
   * @param shape bits, hashes per key and blocks
   * @return an empty digest
   */
  public static BlockDigest create(BlockDigestShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A digest of a given shape and hasher.
   *
   * @param shape bits, hashes per key and blocks
   * @param hasher hashes blocks and hosts; a keyed one if senders may choose blocks that collide
   * @return an empty digest
   */
  public static BlockDigest create(BlockDigestShape shape, Hasher hasher) {
    return new BlockDigest(shape, hasher);
  }

  private Frame encode() {
    return encode(Frame.of(hasher()).put(shape));
  }

  private static BlockDigest decode(Frame frame) throws IOException {
    return new BlockDigest(frame.shape(BlockDigestShape.class), frame);
  }

  @Override
  public FilterKind<BlockDigest> kind() {
    return KIND;
  }

  @Override
  public BlockDigestShape shape() {
    return shape;
  }

  @Override
  public BlockDigest copy() {
    return new BlockDigest(this);
  }

  /**
   * A place at which a digest may hold an excerpt.
   *
   * @param position where the excerpt begins in its payload, in bytes
   * @param alignment how many bytes of the excerpt precede its first whole block
   * @param offset the index of that block in the payload: position + alignment is offset times the
   *     bytes of a block
   * @param hosts the hosts whose payloads may hold the excerpt at this place, in ascending order of
   *     their UTF-8 bytes; empty for payloads without a host
   */
  public record ExcerptMatch(long position, int alignment, int offset, List<String> hosts) {

    /** Copies the list. */
    public ExcerptMatch {
      hosts = List.copyOf(hosts);
    }
  }
}
