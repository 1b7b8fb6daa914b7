package io.bloomery.cli.option;

import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What a filter is needed for, regardless of its size.
 *
 * @param needs what it must do
 * @param preference what to favour, if given
 * @param longestRange how many possible keys the longest range has that is queried
 * @param keyBytes how many bytes of an ordered key count; empty for numbers
 */
public record Purpose(
    Set<Need> needs,
    Optional<Needs.Preference> preference,
    long longestRange,
    OptionalInt keyBytes) {

  public Purpose {
    needs = Set.copyOf(needs);
  }

  /** This purpose with a further need. */
  public Purpose with(Need need) {
    Set<Need> more = EnumSet.of(need);
    more.addAll(needs);
    return new Purpose(more, preference, longestRange, keyBytes);
  }

  /** This purpose with another number of bytes that count of an ordered key. */
  public Purpose withKeyBytes(int bytes) {
    return new Purpose(needs, preference, longestRange, OptionalInt.of(bytes));
  }

  /** Whether keys are needed in their order. */
  public boolean isOrdered() {
    return needs.contains(Need.RANGES);
  }

  /** The needs of a target of keys and size for this purpose. */
  public Needs of(Needs target) {
    Needs all = target;
    for (Need need : needs) {
      all = all.with(need);
    }
    if (isOrdered()) {
      all =
          keyBytes.isPresent()
              ? all.withRanges(longestRange, keyBytes.getAsInt())
              : all.withRanges(longestRange);
    }
    return preference.isEmpty() ? all : all.prefer(preference.get());
  }
}
