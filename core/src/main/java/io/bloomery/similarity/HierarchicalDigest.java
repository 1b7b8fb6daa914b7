package io.bloomery.similarity;

import io.bloomery.FilterKind;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.Objects;

/**
 * Finds excerpts of payloads and checks that their blocks were adjacent: the hierarchical Bloom
 * filter. Above the blocks of a {@link BlockDigest} it stores every aligned pair of blocks, every
 * aligned group of four, and so on up to {@link HierarchicalDigestShape#levels}; an excerpt is
 * found where all its blocks and all aligned groups of them are.
 *
 * <p>An excerpt of 2·s − 1 bytes or more that a payload holds is always found, with its place and
 * its host. Blocks of different payloads are rarely mistaken for neighbours: three or more always
 * contain an aligned pair. Two blocks that begin at an odd index do not: with S0S1S2S3 and
 * S0S2S3S1, S1S3 is also found. If all payloads are random, the hierarchy only costs memory, since
 * false positives then come from single lookups and it has twice the keys.
 *
 * <p>Do not attribute excerpts of a single block; {@link BlockDigest} lists this and other limits.
 * Cost, thread safety and the meaning of {@code mightContain} are the same as there; an add hashes
 * every byte once for all levels.
 *
 * <p>The digests of the paper: {@code add(payload)} makes its offset digest; {@linkplain
 * BlockDigestShape#contentKeys content keys} are its block digest; {@code add(payload, host)} also
 * makes its payload digest. Hosts are stored next to the filter, so an attacker who can invent
 * hosts can make that list arbitrarily long; in that case leave the host out and pass your own list
 * to {@link #find(byte[], java.util.Collection)}.
 *
 * <p>Shanmugasundaram, Brönnimann and Memon, "Payload Attribution via Hierarchical Bloom Filters",
 * CCS 2004; with a filter per level as in Tarkoma, Rothenberg and Lagerspetz 2012, sec. III-E.
 * Deviations: those of {@link BlockDigest}, and the hash of a group is a mix of the hashes of its
 * halves instead of a hash of their bytes.
 */
public final class HierarchicalDigest extends ContentDigest<HierarchicalDigest> {

  public static final FilterKind<HierarchicalDigest> KIND =
      Kind.of(65, "hierarchical-digest", HierarchicalDigest.class)
          .question("is x a part of something in it, and whose? blocks and groups of blocks")
          .codec(HierarchicalDigest::encode, HierarchicalDigest::decode)
          .hashesParts()
          .meets(Need.PARTIAL_MATCH)
          .unplanned("takes payloads of which parts are found, not keys");

  private final HierarchicalDigestShape shape;

  private HierarchicalDigest(HierarchicalDigestShape shape, Hasher hasher) {
    super(Objects.requireNonNull(shape, "shape"), hasher);
    this.shape = shape;
  }

  private HierarchicalDigest(HierarchicalDigestShape shape, Frame frame) throws IOException {
    super(shape, frame);
    this.shape = shape;
  }

  private HierarchicalDigest(HierarchicalDigest other) {
    super(other);
    this.shape = other.shape;
  }

  /**
   * A digest of a given shape.
   *
   * @param shape bits, hashes per key, blocks and levels
   * @return an empty digest
   */
  public static HierarchicalDigest create(HierarchicalDigestShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A digest of a given shape and hasher.
   *
   * @param shape bits, hashes per key, blocks and levels
   * @param hasher hashes blocks and hosts; a keyed one if senders may choose blocks that collide
   * @return an empty digest
   */
  public static HierarchicalDigest create(HierarchicalDigestShape shape, Hasher hasher) {
    return new HierarchicalDigest(shape, hasher);
  }

  private Frame encode() {
    return encode(Frame.of(hasher()).put(shape));
  }

  private static HierarchicalDigest decode(Frame frame) throws IOException {
    return new HierarchicalDigest(frame.shape(HierarchicalDigestShape.class), frame);
  }

  @Override
  public FilterKind<HierarchicalDigest> kind() {
    return KIND;
  }

  @Override
  public HierarchicalDigestShape shape() {
    return shape;
  }

  @Override
  public HierarchicalDigest copy() {
    return new HierarchicalDigest(this);
  }
}
