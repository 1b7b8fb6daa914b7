package io.bloomery.cli;

import io.bloomery.plan.Need;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import picocli.CommandLine.Option;

/** The options that say what a filter is needed for, one for each {@link Need}. */
final class NeedOptions {

  private final Set<Need> given = EnumSet.noneOf(Need.class);

  /** For picocli. */
  NeedOptions() {}

  /** The needs of the command line. */
  Set<Need> given() {
    return Collections.unmodifiableSet(given);
  }

  /** The option of a need. */
  static String option(Need need) {
    return switch (need) {
      case DELETES -> "--deletes";
      case COUNTS -> "--counts";
      case UNKNOWN_GROWTH -> "--unknown-growth";
      case WINDOW -> "--window";
      case VALUES -> "--values";
      case MANY_SETS -> "--many-sets";
      case CLOSED_UNIVERSE -> "--closed-universe";
      case TRANSFER -> "--transfer";
      case FROZEN_SET -> "--frozen";
      case HOSTILE_INPUT -> "--hostile";
      case SKEWED_POPULARITY -> "--skewed";
    };
  }

  @Option(names = "--deletes", description = "Keys are removed again.")
  void deletes(boolean yes) {
    set(Need.DELETES, yes);
  }

  @Option(names = "--counts", description = "The question is how often a key was seen.")
  void counts(boolean yes) {
    set(Need.COUNTS, yes);
  }

  @Option(names = "--unknown-growth", description = "Nobody knows how many keys come.")
  void unknownGrowth(boolean yes) {
    set(Need.UNKNOWN_GROWTH, yes);
  }

  @Option(
      names = "--window",
      description = "Only keys seen lately count; N is how many there are in a window.")
  void window(boolean yes) {
    set(Need.WINDOW, yes);
  }

  @Option(names = "--values", description = "Each key has a value, and the question is which.")
  void values(boolean yes) {
    set(Need.VALUES, yes);
  }

  @Option(
      names = "--many-sets",
      description = "There are many sets, and the question is which hold a key.")
  void manySets(boolean yes) {
    set(Need.MANY_SETS, yes);
  }

  @Option(
      names = "--closed-universe",
      description = "All keys that will be asked for are known, and no answer may be wrong.")
  void closedUniverse(boolean yes) {
    set(Need.CLOSED_UNIVERSE, yes);
  }

  @Option(names = "--frozen", description = "All keys are known before and never change.")
  void frozen(boolean yes) {
    set(Need.FROZEN_SET, yes);
  }

  @Option(names = "--transfer", description = "The filter is sent: its coded size counts.")
  void transfer(boolean yes) {
    set(Need.TRANSFER, yes);
  }

  @Option(names = "--hostile", description = "Someone may choose keys to do harm.")
  void hostile(boolean yes) {
    set(Need.HOSTILE_INPUT, yes);
  }

  @Option(names = "--skewed", description = "Some keys are asked for much more often than others.")
  void skewed(boolean yes) {
    set(Need.SKEWED_POPULARITY, yes);
  }

  private void set(Need need, boolean yes) {
    if (yes) {
      given.add(need);
    }
  }
}
