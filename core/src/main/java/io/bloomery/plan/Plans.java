package io.bloomery.plan;

import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The planner's answer: the plans, best first, or the reason why there is none.
 *
 * @param ranked the plans, the recommended one first
 * @param unmet a sentence that says which need no kind meets; empty if there is a plan
 */
public record Plans(List<Plan> ranked, String unmet) {

  /** Copies the list. */
  public Plans {
    ranked = List.copyOf(ranked);
  }

  /**
   * Whether no kind meets the needs.
   *
   * @return true if there is no plan
   */
  public boolean isEmpty() {
    return ranked.isEmpty();
  }

  /**
   * The recommended plan.
   *
   * @return the first plan
   * @throws NoSuchElementException if no kind meets the needs; the message says which
   */
  public Plan best() {
    if (ranked.isEmpty()) {
      throw new NoSuchElementException(unmet);
    }
    return ranked.get(0);
  }

  /**
   * The same plans by size, for users who prefer memory over time; equal sizes by rate.
   *
   * @return the plans, the smallest first
   */
  public List<Plan> smallestFirst() {
    return ranked.stream()
        .sorted(
            Comparator.comparingLong((Plan plan) -> plan.shape().sizeInBits())
                .thenComparingDouble(Plan::predictedRate))
        .toList();
  }
}
