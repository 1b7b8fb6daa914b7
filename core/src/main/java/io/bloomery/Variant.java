package io.bloomery;

import io.bloomery.error.ImpossibleSizeException;
import io.bloomery.hash.Hasher;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Shape;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One way to size and build a filter of a kind, with all facts about it. Each kind declares its
 * variants next to its class; callers never derive such facts from a filter's class or by trial.
 *
 * <p>Sizing considers keys, rate, budget and universe, never other needs: a variant named
 * explicitly is sized as if every need were set. Immutable; implemented by this library only.
 */
public interface Variant {

  /**
   * The name that command lines and plans use.
   *
   * @return for example "blocked-128"
   */
  String name();

  /**
   * The class of its shapes.
   *
   * @return a record
   */
  Class<? extends Shape> shapeType();

  /**
   * The needs that it meets: all required ones, and those hints that it is designed for.
   *
   * @return an unmodifiable set
   */
  Set<Need> meets();

  /**
   * Whether the planner offers it: it meets every required need, and the needs that justify its
   * cost are set.
   *
   * @param needs what the user knows
   * @return false if the planner leaves it out
   */
  boolean isOfferedFor(Needs needs);

  /**
   * Whether there are needs for which the planner offers it.
   *
   * @return false if other variants are better for all needs, so that it is built only when named
   *     explicitly
   */
  boolean isOffered();

  /**
   * The parameters for a number of keys and a rate or a budget, or why there are none.
   *
   * @param needs what the user knows
   * @return the smallest shape for the rate, or the one with the lowest rate within the budget
   */
  Shape.Fit fit(Needs needs);

  /**
   * Like {@link #fit}, but throws if there are none.
   *
   * @param needs what the user knows
   * @return the smallest shape for the rate, or the one with the lowest rate within the budget
   * @throws ImpossibleSizeException if there is none; the message says why
   */
  default Shape shape(Needs needs) {
    return fit(needs).orElseThrow();
  }

  /**
   * The most cache lines of 64 bytes that a query touches.
   *
   * @param shape one of this variant's shapes
   * @return 1 or more
   */
  int cacheLines(Shape shape);

  /**
   * The most 64-bit words that a query reads.
   *
   * @param shape one of this variant's shapes
   * @return 1 or more
   */
  int words(Shape shape);

  /**
   * What a query costs on average in a filter that holds the planned keys.
   *
   * @param shape one of this variant's shapes
   * @param present whether the key is there: for an absent one, some kinds stop at the first word
   *     that shows it
   * @return lines, words and fetches
   */
  Work work(Shape shape, boolean present);

  /**
   * The cost of an average query, from which {@link io.bloomery.plan.Planner.Machine} predicts its
   * time.
   *
   * @param cacheLines lines of 64 bytes that it fetches, 1 or more
   * @param words what it computes and tests, and what branches that go an unexpected way cost, in
   *     words of a {@link io.bloomery.membership.BlockedBloomFilter}
   * @param fetches how often it has to wait for lines, if nothing else is done meanwhile: lines
   *     fetched together count once; 1 … {@code cacheLines}
   */
  record Work(double cacheLines, double words, double fetches) {}

  /**
   * What it costs to add a key, or to build a static filter, per key.
   *
   * @return the time as an equivalent number of queries
   */
  double queriesPerAdd();

  /**
   * The limits within which it meets the needs.
   *
   * @param needs what the user knows
   * @return a limit for each need that is not met in full, and which keys it loses unless that is
   *     tolerable; empty if there is none
   */
  List<String> limits(Needs needs);

  /**
   * Which keys that were added it may report absent.
   *
   * @return the end of a sentence that begins with "but", such as "it also forgets some keys of the
   *     window"; empty if it has no false negatives
   */
  Optional<String> misses();

  /**
   * What a false positive costs. Broder and Mitzenmacher's Bloom filter principle: "When using a
   * Bloom filter, consider the potential effects of false positives."
   *
   * @return a sentence without its full stop, such as "an absent key is reported present"
   */
  String falsePositiveCost();

  /**
   * Whether keys are hashed, so that a keyed hash protects the filter from hostile input.
   *
   * @return false for kinds that store numbers directly
   */
  boolean isHashed();

  /**
   * Whether all keys must be known before the filter is built.
   *
   * @return true for static kinds
   */
  boolean isStatic();

  /**
   * Whether more keys than one filter holds are built as several, each for a range of hashes.
   *
   * @return true for static kinds whose builder makes a {@link io.bloomery.frozen.ShardedFilter}
   */
  boolean isSharded();

  /**
   * Whether filters of parts of the keys, merged in any order, are the filter of all keys, word for
   * word. Keys may be in several parts.
   *
   * @return false if the filter is not {@link Mergeable}, or if a merged one may be larger, fuller
   *     or have different content
   */
  boolean mergesExactly();

  /**
   * Whether adding the same keys in another order may produce a filter with different content.
   *
   * @return true for windows, growing filters, and filters that place a key depending on the keys
   *     already there
   */
  boolean orderMatters();

  /**
   * Whether a key that is added again is stored again: it takes room or a count, so that the filter
   * fills sooner, errs more often, or keeps the key after one deletion.
   *
   * @return false if only the set of keys counts
   */
  boolean storesDuplicates();

  /**
   * Whether to add each key of a set only once, because the filter would store repetitions, which
   * only counts and windows need.
   *
   * @return false if repetitions are harmless, or refresh a key's age; true for filters that also
   *     count
   */
  default boolean wantsDistinctKeys() {
    return storesDuplicates() && !meets().contains(Need.WINDOW);
  }

  /**
   * Whether filters can be shared by that many writers.
   *
   * @param writers how many threads add at the same time
   * @return true for {@link Writers#ONE} unless the variant {@link #isStatic()}; for {@link
   *     Writers#MANY} if adds are atomic
   */
  boolean supports(Writers writers);

  /**
   * When to choose this variant.
   *
   * @return a sentence without its full stop
   */
  String why();

  /**
   * Why a filter cannot be filled with keys alone.
   *
   * @return the end of a sentence that begins with the name, such as "needs a value for each key";
   *     empty if keys suffice
   */
  Optional<String> refusal();

  /**
   * An empty filter that accepts keys one at a time.
   *
   * @param shape one of this variant's shapes
   * @param hasher turns keys into hashes; unused by kinds that store numbers directly
   * @return the filter, of the kind's class
   * @throws IllegalStateException if the variant {@link #isStatic()}
   */
  Filter create(Shape shape, Hasher hasher);

  /**
   * An empty filter that accepts keys one at a time from one thread or from several.
   *
   * @param shape one of this variant's shapes
   * @param hasher turns keys into hashes; unused by kinds that store numbers directly
   * @param writers {@link Writers#ONE} adds faster in some kinds and makes no difference in others
   * @return the filter, of the kind's class
   * @throws IllegalStateException if the variant does not {@linkplain #supports support} that many
   */
  Filter create(Shape shape, Hasher hasher, Writers writers);

  /**
   * Starts building a filter from keys.
   *
   * @param shape one of this variant's shapes
   * @param hasher turns keys into hashes
   * @param threads how many threads may build it, 1 or more
   * @return a builder that takes the keys' hashes
   * @throws IllegalStateException if there is a {@link #refusal()}
   */
  FilterBuilder builder(Shape shape, Hasher hasher, int threads);

  /**
   * Starts building a filter of ordered keys.
   *
   * @param shape one of this variant's shapes
   * @param hasher turns parts of keys into hashes
   * @return a builder that takes the keys
   * @throws IllegalStateException unless the variant meets {@link Need#RANGES}
   */
  RangeFilterBuilder rangeBuilder(Shape shape, Hasher hasher);
}
