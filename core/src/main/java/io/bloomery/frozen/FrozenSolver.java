package io.bloomery.frozen;

import io.bloomery.FilterBuilder;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.KeyHashes;
import io.bloomery.internal.solve.SolveProgress;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Shape;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Builds the filter of a set of hashes: the kind's construction, with the builder's options.
 *
 * @param <S> the filter's shape
 * @param <F> the filter
 */
final class FrozenSolver<S extends Shape, F> {

  /** Builds the filter for a set of keys. */
  @FunctionalInterface
  interface Algorithm<S, F> {
    /**
     * Builds the filter.
     *
     * @param hashes hashes with duplicates; may be emptied
     * @param shapes the shape for a number of distinct keys, at a fixed rate
     */
    F solve(KeyHashes hashes, LongFunction<S> shapes, Construction construction);
  }

  /** The shape of the same rate for another number of keys. */
  @FunctionalInterface
  interface Resizing<S> {
    S withKeys(S shape, long keys);
  }

  /** The options that are not part of the shape. */
  record Construction(Hasher hasher, long seed, int threads, SolveProgress progress) {}

  private final VariantBuilder.ForKeys<S> forKeys;
  private final Resizing<S> resizing;
  private final @Nullable S defaultShape; // null: a rate or a shape must be given
  private final Algorithm<S, F> algorithm;

  private double falsePositiveRate; // 0 until it is given
  private @Nullable S shape;
  private long seed;
  private int threads = 1;

  FrozenSolver(
      VariantBuilder.ForKeys<S> forKeys,
      Resizing<S> resizing,
      @Nullable S defaultShape,
      Algorithm<S, F> algorithm) {
    this.forKeys = forKeys;
    this.resizing = resizing;
    this.defaultShape = defaultShape;
    this.algorithm = algorithm;
  }

  void falsePositiveRate(double falsePositiveRate) {
    this.falsePositiveRate = falsePositiveRate;
  }

  void shape(S shape) {
    this.shape = shape;
  }

  void seed(long seed) {
    this.seed = seed;
  }

  void threads(int threads) {
    this.threads = threads;
  }

  F solve(KeyHashes hashes, Hasher hasher, FilterBuilder.Progress progress) {
    SolveProgress phases = (phase, done, total) -> progress.report(name(phase), done, total);
    return algorithm.solve(hashes, shapes(), new Construction(hasher, seed, threads, phases));
  }

  private static String name(SolveProgress.Phase phase) {
    return switch (phase) {
      case ORDER -> FilterBuilder.Progress.ORDER;
      case SOLVE -> FilterBuilder.Progress.SOLVE;
      case FILL -> FilterBuilder.Progress.FILL;
    };
  }

  /** The shape for a number of distinct keys. */
  private LongFunction<S> shapes() {
    if (shape != null && falsePositiveRate != 0) {
      throw new IllegalArgumentException(
          "falsePositiveRate and shape were given; only one of them can be");
    }
    S form = shape == null ? defaultShape : shape;
    return falsePositiveRate == 0 && form != null
        ? keys -> resizing.withKeys(form, keys)
        : keys -> resizing.withKeys(forKeys.shape(Math.max(1, keys), falsePositiveRate), keys);
  }
}
