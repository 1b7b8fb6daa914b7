package io.bloomery.internal.variant;

import io.bloomery.plan.Need;
import java.util.List;
import java.util.Set;

/**
 * The default description of the cost of a false positive, by the question that a filter answers.
 */
final class FalsePositiveCosts {

  static final String PLAIN = "an absent key is reported present";

  private FalsePositiveCosts() {}

  /**
   * The cost by the needs that a variant meets; counts and deletes matter only where it is offered
   * for them.
   */
  static String of(Set<Need> meets, List<Set<Need>> onlyFor) {
    if (meets.contains(Need.CLOSED_UNIVERSE)) {
      return "nothing: no key of the universe is a false positive";
    }
    if (meets.contains(Need.MANY_SETS)) {
      return "a set is named that does not hold the key";
    }
    if (meets.contains(Need.VALUES)) {
      return "a key without a value gets one";
    }
    if (meets.contains(Need.COUNTS) && onlyFor.stream().anyMatch(s -> s.contains(Need.COUNTS))) {
      return "a count is too high";
    }
    if (meets.contains(Need.WINDOW)) {
      return "a new key is mistaken for a recently seen one";
    }
    return PLAIN;
  }
}
