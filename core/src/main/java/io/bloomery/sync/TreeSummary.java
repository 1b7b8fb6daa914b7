package io.bloomery.sync;

import io.bloomery.FilterKind;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.probe.Probes;
import java.io.IOException;

/**
 * The summary that one side sends of its {@link ReconciliationTree}: a Bloom filter of the leaves
 * and one of the inner nodes, about 8 bits per key in total. The other side walks its own tree
 * against it and finds most keys that the sender lacks, and never one that the sender has.
 *
 * <p>As a filter it answers for keys with the filter of leaves: a key of the set is never reported
 * absent, and any other key is reported present at that filter's rate, 15 % at 4 bits per key.
 *
 * <p>Immutable; any number of threads may query.
 */
public final class TreeSummary extends ShapedFilter<ReconciliationShape> implements QueryCost {

  public static final FilterKind<TreeSummary> KIND =
      Kind.of(82, "reconciliation-tree", TreeSummary.class)
          .question("which of my keys does the sender of this lack? found by walking a tree")
          .codec(TreeSummary::encode, TreeSummary::decode)
          .unplanned("is the summary of a tree over a whole set, for a peer that has another");

  private final Words leaves;
  private final Words inner;
  private final Probes leafProbes;
  private final Probes innerProbes;

  /** An empty summary, to be filled by its tree. */
  TreeSummary(ReconciliationShape shape, Hasher hasher) {
    this(
        shape,
        hasher,
        Words.forBits(shape.leafBits(), false),
        Words.forBits(shape.innerBits(), false));
  }

  private TreeSummary(ReconciliationShape shape, Hasher hasher, Words leaves, Words inner) {
    super(shape, hasher);
    this.leaves = leaves;
    this.inner = inner;
    this.leafProbes = new Probes(IndexScheme.INDEPENDENT, shape.leafBits(), shape.leafHashes());
    this.innerProbes = new Probes(IndexScheme.INDEPENDENT, shape.innerBits(), shape.innerHashes());
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).section(leaves).section(inner);
  }

  private static TreeSummary decode(Frame frame) throws IOException {
    ReconciliationShape shape = frame.shape(ReconciliationShape.class);
    return new TreeSummary(
        shape, frame.hasher(), frame.bits(0, shape.leafBits()), frame.bits(1, shape.innerBits()));
  }

  @Override
  public FilterKind<TreeSummary> kind() {
    return KIND;
  }

  void addLeaf(long hash) {
    leafProbes.setAll(hash, leaves);
  }

  void addInner(long value) {
    innerProbes.setAll(value, inner);
  }

  /** Whether the sender's tree may have an inner node of this value. */
  boolean mightContainInner(long value) {
    return innerProbes.allSet(value, inner);
  }

  @Override
  public boolean mightContainHash(long hash) {
    return leafProbes.allSet(hash, leaves);
  }

  /** {@inheritDoc} Here: of the filter of leaves. */
  @Override
  public double falsePositiveRate() {
    return Math.pow((double) leaves.bitCount() / shape().leafBits(), shape().leafHashes());
  }

  @Override
  public int hashBits() {
    return shape().hashBits();
  }

  @Override
  public int memoryAccesses() {
    return shape().memoryAccesses();
  }

  /**
   * The probability that an inner node that the sender does not have is reported present.
   *
   * @return the fill of the second filter to the power of its hashes
   */
  public double innerRate() {
    return Math.pow((double) inner.bitCount() / shape().innerBits(), shape().innerHashes());
  }
}
