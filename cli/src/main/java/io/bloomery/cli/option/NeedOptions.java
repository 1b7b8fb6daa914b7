package io.bloomery.cli.option;

import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.tools.problem.Problem;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options for what a filter is needed for, one per {@link Need}. */
public final class NeedOptions {

  private static final int MOST_KEY_BYTES = 255;

  @Option(names = "--deletes", description = "Keys will be removed.")
  private boolean deletes;

  @Option(names = "--counts", description = "Queries ask how often a key was seen.")
  private boolean counts;

  @Option(names = "--unknown-growth", description = "The number of keys is not known in advance.")
  private boolean unknownGrowth;

  @Option(
      names = "--window",
      description = "Only recent keys count; N is the number of keys in a window.")
  private boolean window;

  @Option(names = "--values", description = "Each key has a value; queries ask for it.")
  private boolean values;

  @Option(
      names = "--many-sets",
      description = "There are many sets; queries ask which of them hold a key.")
  private boolean manySets;

  @Option(
      names = "--closed-universe",
      description = "All keys that will be looked up are known, and no answer may be wrong.")
  private boolean closedUniverse;

  @Option(
      names = "--partial-match",
      description = "Queries are for similar keys, or for parts of keys.")
  private boolean partialMatch;

  @Option(
      names = "--private",
      description = "The filter cannot be queried, nor keys read out of it, without its secret.")
  private boolean isPrivate;

  @Option(
      names = "--merge",
      description = "Filters of parts of the keys are merged into the filter of all.")
  private boolean merge;

  @Option(
      names = "--ranges",
      paramLabel = "L",
      converter = Converters.RangeLength.class,
      description =
          "Queries ask whether a range holds any key; the longest has L possible keys, 100 or 3.6M."
              + " The rate is then that of such a range.")
  private @Nullable Long ranges;

  @Option(
      names = "--key-bytes",
      paramLabel = "W",
      description =
          "With --ranges: keys are byte strings in the order of their bytes, of which the first W"
              + " count, 1 to 255. Default: keys are whole numbers; 16 for --type uuid.")
  private @Nullable Integer keyBytes;

  @Option(
      names = "--false-negatives",
      description = "Some keys may be missed: allows kinds that lose a few.")
  private boolean falseNegatives;

  @Option(names = "--frozen", description = "All keys are known in advance and never change.")
  private boolean frozen;

  @Option(
      names = "--transfer",
      description = "The filter is sent to others: its compressed size counts.")
  private boolean transfer;

  @Option(
      names = "--hostile",
      description = "Attackers may choose keys: the filter needs a secret.")
  private boolean hostile;

  @Option(names = "--skewed", description = "Some keys are looked up much more often than others.")
  private boolean skewed;

  @Option(
      names = "--mostly-present",
      description = "Most keys that are looked up are present: their time counts.")
  private boolean mostlyPresent;

  @Option(
      names = "--prefer",
      paramLabel = "WHAT",
      converter = PreferenceConverter.class,
      completionCandidates = PreferenceNames.class,
      description =
          "What to favour: ${COMPLETION-CANDIDATES}. Default: balanced; size with --transfer.")
  private Needs.@Nullable Preference prefer;

  /** Reads a preference in lower case. */
  static final class PreferenceConverter implements ITypeConverter<Needs.Preference> {
    @Override
    public Needs.Preference convert(String value) {
      for (Needs.Preference preference : Needs.Preference.values()) {
        if (name(preference).equals(value.toLowerCase(Locale.ROOT))) {
          return preference;
        }
      }
      throw new TypeConversionException(
          "'%s' is not one of: %s"
              .formatted(value, String.join(", ", new PreferenceNames().names())));
    }
  }

  /** The preferences, for help and completion. */
  static final class PreferenceNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return names().iterator();
    }

    private List<String> names() {
      return Arrays.stream(Needs.Preference.values()).map(NeedOptions::name).toList();
    }
  }

  /** A preference as users write it. */
  public static String name(Needs.Preference preference) {
    return preference.name().toLowerCase(Locale.ROOT);
  }

  /** Whether a preference is given. */
  public boolean hasPreference() {
    return prefer != null;
  }

  /** What the filter is needed for, as given on the command line. */
  public Purpose purpose() {
    if (keyBytes != null && ranges == null) {
      throw new Problem("--key-bytes is for --ranges L, which says how long ranges are");
    }
    if (keyBytes != null && (keyBytes < 1 || keyBytes > MOST_KEY_BYTES)) {
      throw new Problem(
          "--key-bytes is %d; it must be 1 to %d".formatted(keyBytes, MOST_KEY_BYTES));
    }
    return new Purpose(
        given(),
        Optional.ofNullable(prefer),
        ranges == null ? 1 : ranges,
        keyBytes == null ? OptionalInt.empty() : OptionalInt.of(keyBytes));
  }

  /** The needs given on the command line. */
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
      case PARTIAL_MATCH -> partialMatch;
      case PRIVATE -> isPrivate;
      case MERGES -> merge;
      case MANY_WRITERS -> false; // an option of bloom plan; threads of other commands are a number
      case RANGES -> ranges != null;
      case FALSE_NEGATIVES -> falseNegatives;
      case FROZEN_SET -> frozen;
      case TRANSFER -> transfer;
      case HOSTILE_INPUT -> hostile;
      case SKEWED_POPULARITY -> skewed;
      case MOSTLY_PRESENT -> mostlyPresent;
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
      case PARTIAL_MATCH -> "--partial-match";
      case PRIVATE -> "--private";
      case MERGES -> "--merge";
      case MANY_WRITERS -> "--threads";
      case RANGES -> "--ranges";
      case FALSE_NEGATIVES -> "--false-negatives";
      case TRANSFER -> "--transfer";
      case FROZEN_SET -> "--frozen";
      case HOSTILE_INPUT -> "--hostile";
      case SKEWED_POPULARITY -> "--skewed";
      case MOSTLY_PRESENT -> "--mostly-present";
    };
  }
}
