package io.bloomery.cli.option;

import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What a filter is needed for, regardless of its size.
 *
 * @param needs what it must do
 * @param preference what to favour, if given
 */
public record Purpose(Set<Need> needs, Optional<Needs.Preference> preference) {

  public Purpose {
    needs = Set.copyOf(needs);
  }

  /** This purpose with a further need. */
  public Purpose with(Need need) {
    Set<Need> more = EnumSet.of(need);
    more.addAll(needs);
    return new Purpose(more, preference);
  }

  /** The needs of a target of keys and size for this purpose. */
  public Needs of(Needs target) {
    Needs all = target;
    for (Need need : needs) {
      all = all.with(need);
    }
    return preference.isEmpty() ? all : all.prefer(preference.get());
  }
}
