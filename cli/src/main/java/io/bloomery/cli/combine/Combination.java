package io.bloomery.cli.combine;

import io.bloomery.CardinalityFilter;
import io.bloomery.Filter;
import io.bloomery.FilterFullException;
import io.bloomery.FrameHeader.Description;
import io.bloomery.Halvable;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.Intersectable;
import io.bloomery.Mergeable;
import io.bloomery.cli.file.FormatOption;
import io.bloomery.cli.file.KeyFileOption;
import io.bloomery.cli.file.OpenFilter;
import io.bloomery.cli.option.Alternatives;
import io.bloomery.cli.option.StampOption;
import io.bloomery.cli.option.TypeOption;
import io.bloomery.tools.file.Saving;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Combines several filters of one kind and shape. Larger ones are reduced to the size of the
 * smallest if their kind can be halved; otherwise filters of different sizes are merged as {@link
 * StackedFilters} if they can be. Only the result is held in memory; the other filters are mapped,
 * one after another.
 */
final class Combination {

  /** How two filters are combined. */
  enum Operation {
    MERGE("merged", Mergeable.class),
    INTERSECT("intersected", Intersectable.class);

    private final String done;
    private final Class<?> capability;

    Operation(String done, Class<?> capability) {
      this.done = done;
      this.capability = capability;
    }

    @SuppressWarnings("unchecked")
    private void apply(Filter result, Filter other) {
      if (this == MERGE) {
        ((Mergeable<Filter>) result).merge(other);
      } else {
        ((Intersectable<CardinalityFilter>) result).intersect((CardinalityFilter) other);
      }
    }
  }

  /**
   * A filter before or after it was combined.
   *
   * @param path its file
   * @param rate the expected rate
   * @param keys the estimated number of keys, null if its kind cannot estimate it, infinite if full
   * @param fill the share of bits that are set, null if its kind has no such bits
   */
  record Part(Path path, double rate, @Nullable Double keys, @Nullable Double fill) {
    private static Part of(Path path, Filter filter) {
      CardinalityFilter bits = filter instanceof CardinalityFilter known ? known : null;
      return new Part(
          path,
          filter.falsePositiveRate(),
          bits == null ? null : bits.cardinality(),
          bits == null ? null : bits.fillRatio());
    }

    /** The estimated number of keys, of a kind that can estimate it. */
    double knownKeys() {
      return Objects.requireNonNull(keys, "keys");
    }
  }

  private final Operation operation;
  private final Operand first;
  private final @Nullable StackedFilters stack; // null while bits are combined with bits
  private Filter combined;
  private final boolean mixed;
  private Operand typed; // the first that records the type of its keys, if any
  private Description description;
  private final List<Part> parts = new ArrayList<>();

  private Combination(
      Operation operation, Operand first, @Nullable StackedFilters stack, boolean mixed) {
    this.operation = operation;
    this.first = first;
    this.stack = stack;
    this.combined = stack == null ? first.filter() : stack.all();
    this.mixed = mixed;
    this.typed = first;
    this.description = first.description();
  }

  /** Combines all files; with {@code mixed} also those with keys of different types. */
  static Combination of(
      Operation operation,
      List<Path> files,
      KeyFileOption key,
      FormatOption format,
      boolean mixed) {
    Operand first = Operand.open(files.get(0), key, format);
    Combination combination = new Combination(operation, first, null, mixed);
    combination.requireCapable();
    combination.parts.add(Part.of(first.path(), first.filter()));
    for (Path file : files.subList(1, files.size())) {
      if (!combination.add(Operand.map(file, key, format))) {
        return stacked(files, key, format, mixed);
      }
    }
    return combination;
  }

  /** Merges all files as layers of one filter, whether they have one size or not. */
  static Combination stacked(
      List<Path> files, KeyFileOption key, FormatOption format, boolean mixed) {
    Operand first = requireLayer(Operand.open(files.get(0), key, format));
    Combination combination =
        new Combination(Operation.MERGE, first, new StackedFilters(first), mixed);
    combination.parts.add(Part.of(first.path(), first.filter()));
    for (Path file : files.subList(1, files.size())) {
      combination.stack(requireLayer(Operand.map(file, key, format)));
    }
    return combination;
  }

  private static Operand requireLayer(Operand operand) {
    if (!StackedFilters.canHold(operand)) {
      throw new Problem(
          "%s: kind %s cannot be a layer; filters of kind blocked can"
              .formatted(Octets.name(operand.path()), operand.kind()));
    }
    return operand;
  }

  private void stack(Operand other) {
    agree(other);
    parts.add(Part.of(other.path(), other.filter()));
    try {
      Objects.requireNonNull(stack).add(other);
    } catch (IncompatibleFiltersException e) {
      throw impossible(other, differences(other, e));
    } catch (FilterFullException e) {
      throw impossible(other, String.valueOf(e.getMessage()));
    }
  }

  /** Whether all that is in the way of a merge is that filters have different sizes. */
  private boolean canStack(Operand other) {
    return operation == Operation.MERGE
        && StackedFilters.canHold(first)
        && StackedFilters.canHold(other)
        && Objects.equals(first.fields().get("hash"), other.fields().get("hash"));
  }

  private void requireCapable() {
    if (!operation.capability.isInstance(first.filter())) {
      String able = Alternatives.to(first.filter(), operation.capability);
      throw new Problem(
          "%s: kind %s cannot be %s; kinds that can: %s"
              .formatted(Octets.name(first.path()), first.kind(), operation.done, able));
    }
  }

  /** Combines one more filter; false if that takes layers, with nothing said of it yet. */
  private boolean add(Operand other) {
    boolean stacks = canStack(other);
    if (stacks && first.filter().getClass() != other.filter().getClass()) {
      return false;
    }
    if (!other.kind().equals(first.kind())
        || first.filter().getClass() != other.filter().getClass()) {
      throw new Problem(
          "%s is of kind %s and %s of kind %s; only filters of one kind can be %s"
              .formatted(
                  Octets.name(first.path()),
                  first.kind(),
                  Octets.name(other.path()),
                  other.kind(),
                  operation.done));
    }
    agree(other);
    parts.add(Part.of(other.path(), other.filter()));
    try {
      Filter alike = folded(other.filter());
      operation.apply(combined, alike);
      return true;
    } catch (IncompatibleFiltersException e) {
      if (stacks) {
        return false;
      }
      throw impossible(
          other,
          differences(other, e)
              + "; build both with the same options and the same -n"
              + enough(other));
    } catch (FilterFullException e) {
      throw impossible(other, e.getMessage() + "; build both for all keys (-n)");
    }
  }

  private String differences(Operand other, IncompatibleFiltersException e) {
    String differences = first.differences(other);
    return differences.isEmpty() ? String.valueOf(e.getMessage()) : differences;
  }

  /**
   * Keeps what all files agree on; refuses different types of keys, which have different hashes.
   */
  private void agree(Operand other) {
    String one = typed.type();
    String two = other.type();
    if (one != null && two != null && !one.equals(two) && !mixed) {
      throw new Problem(
          "%s has keys of type %s and %s of type %s; --mix-types combines them all the same"
              .formatted(Octets.name(typed.path()), one, Octets.name(other.path()), two));
    }
    if (one != null && two != null) {
      requireSameCase(other);
    }
    typed = one == null ? other : typed;
    description = description.common(other.description());
  }

  /** A filter of both would not answer for keys of either: nobody could say how to look them up. */
  private void requireSameCase(Operand other) {
    boolean one = typed.description().text(TypeOption.CASE).isPresent();
    boolean two = other.description().text(TypeOption.CASE).isPresent();
    if (one != two) {
      throw new Problem(
          "case does not matter in the keys of %s (--ignore-case) and does in those of %s; build both alike"
              .formatted(
                  Octets.name((one ? typed : other).path()),
                  Octets.name((one ? other : typed).path())));
    }
  }

  /** A warning if the files do not agree on the type of their keys, so that it is lost. */
  Optional<String> doubt() {
    return typed.type() == null || description.text(Description.KEY_TYPE).isPresent()
        ? Optional.empty()
        : Optional.of(
            "the result does not record the type of its keys, since the filters do not agree on"
                + " it");
  }

  /**
   * The other filter, after the larger of the two was halved as often as necessary and possible.
   */
  private Filter folded(Filter other) {
    Filter smaller = other;
    while (smaller.sizeInBits() > combined.sizeInBits()
        && smaller instanceof Halvable<?> halvable
        && halvable.canHalve()) {
      smaller = halvable.halve();
    }
    while (combined.sizeInBits() > smaller.sizeInBits()
        && combined instanceof Halvable<?> halvable
        && halvable.canHalve()) {
      combined = halvable.halve();
    }
    return smaller;
  }

  /** The number of keys that is enough for each of two files, if both record theirs. */
  private String enough(Operand other) {
    Optional<Number> one = first.description().number(Description.EXPECTED_KEYS);
    Optional<Number> two = other.description().number(Description.EXPECTED_KEYS);
    return one.isPresent() && two.isPresent()
        ? ", " + Math.max(one.get().longValue(), two.get().longValue()) + " or more"
        : "";
  }

  private Problem impossible(Operand other, String why) {
    return new Problem(
        "%s and %s cannot be %s: %s"
            .formatted(Octets.name(first.path()), Octets.name(other.path()), operation.done, why));
  }

  /** The input filters, in their original state. */
  List<Part> parts() {
    return parts;
  }

  /** The size of the result in memory, in bits. */
  long sizeInBits() {
    return combined.sizeInBits();
  }

  /** Whether the result is smaller than the first filter, since another one is. */
  boolean isFolded() {
    return stack == null && combined.sizeInBits() < first.filter().sizeInBits();
  }

  /** The rate of the same filters as layers, at most; empty if they are or cannot be layers. */
  OptionalDouble rateOfLayers() {
    return stack == null && StackedFilters.canHold(first)
        ? OptionalDouble.of(parts.stream().mapToDouble(Part::rate).sum())
        : OptionalDouble.empty();
  }

  Part result() {
    return Part.of(first.path(), combined);
  }

  /** The kind, shape and hash of the result; of the first filter if it was halved. */
  Operand like() {
    return stack == null ? first : stack.like();
  }

  /** Saves the result as a file made now. */
  void save(Path target, StampOption stamp) {
    Map<String, Object> facts = new LinkedHashMap<>(description.facts());
    facts.keySet().removeAll(List.of(Description.CREATED, Description.TOOL));
    if (stack != null) { // promised of each layer, not of all
      facts.keySet().removeAll(List.of(Description.EXPECTED_KEYS, Description.PROMISED_RATE));
    }
    Description made = stamp.stamp(new Description(facts));
    Saving.save(new OpenFilter(target, combined, made).writer(), target);
  }
}
