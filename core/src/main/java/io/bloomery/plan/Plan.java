package io.bloomery.plan;

import io.bloomery.Filter;
import io.bloomery.FilterBuilder;
import io.bloomery.FilterKind;
import io.bloomery.Variant;
import io.bloomery.hash.Hasher;
import java.util.Objects;

/**
 * One recommendation: which kind, how large, how wrong, how fast, and why; and the filter itself.
 *
 * @param kind the kind of filter
 * @param variant which of its variants
 * @param shape the parameters
 * @param bitsPerKey size in bits divided by the number of keys
 * @param predictedRate the expected false-positive rate at the planned keys
 * @param cacheLines the most cache lines of 64 bytes that one query touches
 * @param words 64-bit words that a query reads at most; fewer are faster
 * @param why one sentence that says when this is the right choice
 */
public record Plan(
    FilterKind<?> kind,
    Variant<?> variant,
    Shape shape,
    double bitsPerKey,
    double predictedRate,
    int cacheLines,
    int words,
    String why) {

  /** Requires kind, variant, shape and reason. */
  public Plan {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(variant, "variant");
    Objects.requireNonNull(shape, "shape");
    Objects.requireNonNull(why, "why");
  }

  static Plan of(FilterKind<?> kind, Variant<?> variant, Shape shape, Needs needs) {
    return new Plan(
        kind,
        variant,
        shape,
        (double) shape.sizeInBits() / needs.keys(),
        shape.falsePositiveRate(needs.keys()),
        variant.cacheLines(shape),
        variant.words(shape),
        sentence(variant, needs));
  }

  private static String sentence(Variant<?> variant, Needs needs) {
    StringBuilder sentence = new StringBuilder(variant.why());
    if (variant.isHashed() && needs.has(Need.HOSTILE_INPUT)) {
      sentence.append("; hash with Hasher.keyed, so that nobody without the key can aim at it");
    }
    if (variant.isHashed() && needs.has(Need.SKEWED_POPULARITY)) {
      sentence.append("; it treats popular and rare keys alike");
    }
    return sentence.append('.').toString();
  }

  /**
   * The name of the variant, for messages.
   *
   * @return for example "blocked-128"
   */
  public String name() {
    return variant.name();
  }

  /**
   * The filter as planned, empty, with the default hasher.
   *
   * @return a filter of the kind's class
   * @throws IllegalStateException if the kind holds a static set; {@link #builder} makes those
   */
  public Filter create() {
    return create(Hasher.xxh3());
  }

  /**
   * The filter as planned, empty.
   *
   * @param hasher turns keys into hashes
   * @return a filter of the kind's class
   * @throws IllegalStateException if the kind holds a static set; {@link #builder} makes those
   */
  public Filter create(Hasher hasher) {
    return variant.create(shape, hasher);
  }

  /**
   * Starts to make the filter as planned from the hashes of keys, whether it takes keys one by one
   * or all at once.
   *
   * @param hasher turns keys into hashes
   * @param threads how many threads may build it, 1 or more
   * @return takes the keys' hashes
   * @throws IllegalStateException if keys alone do not fill it, as {@link Variant#refusal()} says
   */
  public FilterBuilder builder(Hasher hasher, int threads) {
    return variant.builder(shape, hasher, threads);
  }
}
