package io.bloomery.cli.option;

import io.bloomery.plan.Need;
import java.util.EnumSet;
import java.util.Set;
import picocli.CommandLine.Option;

/** The options that say what a filter is needed for, one for each {@link Need}. */
public final class NeedOptions {

  @Option(names = "--deletes", description = "Keys are removed again.")
  private boolean deletes;

  @Option(names = "--counts", description = "The question is how often a key was seen.")
  private boolean counts;

  @Option(names = "--unknown-growth", description = "Nobody knows how many keys come.")
  private boolean unknownGrowth;

  @Option(
      names = "--window",
      description = "Only keys seen lately count; N is how many there are in a window.")
  private boolean window;

  @Option(names = "--values", description = "Each key has a value, and the question is which.")
  private boolean values;

  @Option(
      names = "--many-sets",
      description = "There are many sets, and the question is which hold a key.")
  private boolean manySets;

  @Option(
      names = "--closed-universe",
      description = "All keys that will be looked up are known, and no answer may be wrong.")
  private boolean closedUniverse;

  @Option(names = "--frozen", description = "All keys are known before and never change.")
  private boolean frozen;

  @Option(names = "--transfer", description = "The filter is sent: its coded size counts.")
  private boolean transfer;

  @Option(names = "--hostile", description = "Someone may choose keys to do harm.")
  private boolean hostile;

  @Option(names = "--skewed", description = "Some keys are looked up much more often than others.")
  private boolean skewed;

  /** For picocli. */
  public NeedOptions() {}

  /** The needs of the command line. */
  public Set<Need> given() {
    Set<Need> given = EnumSet.allOf(Need.class);
    given.removeIf(need -> !isGiven(need));
    return given;
  }

  private boolean isGiven(Need need) {
    return switch (need) {
      case DELETES -> deletes;
      case COUNTS -> counts;
      case UNKNOWN_GROWTH -> unknownGrowth;
      case WINDOW -> window;
      case VALUES -> values;
      case MANY_SETS -> manySets;
      case CLOSED_UNIVERSE -> closedUniverse;
      case FROZEN_SET -> frozen;
      case TRANSFER -> transfer;
      case HOSTILE_INPUT -> hostile;
      case SKEWED_POPULARITY -> skewed;
    };
  }

  /** The option of a need. */
  public static String option(Need need) {
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
}
