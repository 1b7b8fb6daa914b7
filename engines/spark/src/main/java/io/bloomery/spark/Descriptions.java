package io.bloomery.spark;

import static io.bloomery.FrameHeader.Description.EXPECTED_KEYS;
import static io.bloomery.FrameHeader.Description.KEY_TYPE;
import static io.bloomery.FrameHeader.Description.MAX_TEXT_BYTES;
import static io.bloomery.FrameHeader.Description.PROMISED_RATE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.Filter;
import io.bloomery.FrameHeader.Description;
import io.bloomery.foreign.TypedKeys;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What files and bytes of filters say of their keys: the type as {@code bloom} has it, that of
 * Spark, and for how many keys and which rate the filter was made. A filter does not carry its
 * description, so those of filters that were built or read by this module are remembered as long as
 * the filter is reachable.
 */
final class Descriptions {

  /** The name of the fact with Spark's type of the keys, {@link SparkKeys#typeName()}. */
  static final String SPARK_TYPE = "spark type";

  /** The facts by which {@code bloom} says what its keys were made of before they were hashed. */
  private static final String CASE = "case";

  private static final String BLANKS = "blanks";

  /** Keys that are text as it was read, in which case and blanks matter. */
  private static final Set<String> TEXTS = Set.of("text", "utf16");

  /** The types that {@code bloom} knows; another one is somebody's own, and says nothing here. */
  private static final Set<String> OF_BLOOM =
      Arrays.stream(TypedKeys.Type.values())
          .map(TypedKeys.Type::lowerCase)
          .collect(Collectors.toUnmodifiableSet());

  private static final Map<Identity, Description> KNOWN = new ConcurrentHashMap<>();
  private static final ReferenceQueue<Filter> GONE = new ReferenceQueue<>();

  private Descriptions() {}

  /** What is said of a filter of keys of a type. */
  static Description of(SparkKeys keys, long expectedKeys, double rate) {
    Description description =
        Description.NONE.with(EXPECTED_KEYS, expectedKeys).with(PROMISED_RATE, rate);
    String type = keys.bloomType();
    if (type != null) {
      description = description.with(KEY_TYPE, type);
    }
    String name = keys.typeName();
    return name.getBytes(UTF_8).length <= MAX_TEXT_BYTES
        ? description.with(SPARK_TYPE, name)
        : description;
  }

  /**
   * Requires that keys of a type can be in a filter as they are.
   *
   * @throws IllegalArgumentException if its keys are of another type, or were folded or trimmed,
   *     which nothing here does: they would be missed
   */
  static void requireKeys(Description description, SparkKeys keys) {
    requireSameForm(description);
    String name = keys.typeName();
    String said = description.text(SPARK_TYPE).orElse(null);
    boolean refused;
    if (said == null) {
      said = description.text(KEY_TYPE).orElse(null);
      refused = said != null && OF_BLOOM.contains(said) && !keys.bloomTypes().contains(said);
    } else {
      refused = !said.equals(name);
    }
    if (refused) {
      throw new IllegalArgumentException(
          "the filter's keys are of type %s, not %s, and would be missed; cast the key"
              .formatted(said, name));
    }
  }

  private static void requireSameForm(Description description) {
    if (!TEXTS.contains(description.text(KEY_TYPE).orElse("text"))) {
      return; // case and blanks were those of the values' text
    }
    String form =
        description.text(CASE).isPresent()
            ? "folded (bloom build --ignore-case)"
            : description.text(BLANKS).isPresent() ? "trimmed (bloom build --trim)" : null;
    if (form != null) {
      throw new IllegalArgumentException(
          "the filter's keys are %s, and Spark looks up keys as they are: some would be missed; build it from keys as they are"
              .formatted(form));
    }
  }

  /** Remembers the description of a filter. */
  static <F extends Filter> F remember(F filter, Description description) {
    for (var gone = GONE.poll(); gone != null; gone = GONE.poll()) {
      KNOWN.remove((Identity) gone);
    }
    if (!description.isEmpty()) {
      KNOWN.put(new Identity(filter), description);
    }
    return filter;
  }

  /** The description of a filter, empty if it is not known. */
  static Description of(Filter filter) {
    return KNOWN.getOrDefault(new Identity(filter), Description.NONE);
  }

  /** A filter as an object, whatever it equals. */
  private static final class Identity extends WeakReference<Filter> {

    private final int hash;

    Identity(Filter filter) {
      super(filter, GONE);
      hash = System.identityHashCode(filter);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      if (this == other) {
        return true;
      }
      Filter filter = get();
      return filter != null && other instanceof Identity that && that.get() == filter;
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }
}
