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
}
