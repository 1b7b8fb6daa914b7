package io.bloomery.plan;

import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * What the planner knows of one kind of filter. A new kind is one more value in the planner's list.
 *
 * @param kind short name of the kind
 * @param className name of the class that implements it
 * @param meets the required needs that it meets
 * @param sizer its shape for what the user knows; empty where it does not apply
 * @param cacheLines the most cache lines that a query of a shape touches, were it large
 * @param words the most 64-bit words that a query of a shape reads
 * @param hashed whether keys are hashed, so that a keyed hash protects it from hostile input
 * @param why one sentence that says when it is the right choice
 * @param <S> the kind's shape
 */
public record PlanRule<S extends Shape>(
    String kind,
    String className,
    Set<Need> meets,
    Function<Needs, Optional<S>> sizer,
    ToIntFunction<S> cacheLines,
    ToIntFunction<S> words,
    boolean hashed,
    String why) {

  private static final int CACHE_LINE_BITS = 512;

  /**
   * Checks and copies the fields.
   *
   * @param kind short name of the kind
   * @param className name of the class that implements it
   * @param meets the required needs that it meets
   * @param sizer its shape for what the user knows
   * @param cacheLines the most cache lines that a query touches
   * @param words the most words that a query reads
   * @param hashed whether keys are hashed
   * @param why one sentence
   */
  public PlanRule {
    meets = Set.copyOf(meets);
  }

  /** Whether the kind meets every required need. */
  boolean meetsAll(Set<Need> required) {
    return meets.containsAll(required);
  }

  /** The plan of this kind, or empty if it does not apply or would be too large. */
  Optional<Plan> plan(Needs needs) {
    Optional<S> sized;
    try {
      sized = sizer.apply(needs);
    } catch (IllegalArgumentException tooLargeOrTooSmall) {
      // The needs themselves were checked, so the kind cannot have such a size.
      return Optional.empty();
    }
    return sized.map(
        shape -> {
          long lines = Math.max(1, (shape.sizeInBits() + CACHE_LINE_BITS - 1) / CACHE_LINE_BITS);
          return new Plan(
              kind,
              className,
              shape,
              (double) shape.sizeInBits() / needs.keys(),
              shape.falsePositiveRate(needs.keys()),
              (int) Math.min(lines, cacheLines.applyAsInt(shape)),
              words.applyAsInt(shape),
              sentence(needs));
        });
  }

  private String sentence(Needs needs) {
    StringBuilder sentence = new StringBuilder(why);
    if (hashed && needs.has(Need.HOSTILE_INPUT)) {
      sentence.append("; hash with Hasher.keyed, so that nobody without the key can aim at it");
    }
    if (hashed && needs.has(Need.SKEWED_POPULARITY)) {
      sentence.append("; it treats popular and rare keys alike");
    }
    return sentence.append('.').toString();
  }
}
