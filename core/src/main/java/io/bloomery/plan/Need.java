package io.bloomery.plan;

/** What a user may need, or know, beyond the number of keys and a rate or a budget. */
public enum Need {
  /** Keys are deleted. Required: kinds without it are left out. */
  DELETES("deletes", true),
  /** The question is how often a key was seen. Required: kinds without it are left out. */
  COUNTS("counts", true),
  /** The number of keys is not known in advance. Required: kinds without it are left out. */
  UNKNOWN_GROWTH("unknown growth", true),
  /** Only recently seen keys count. Required: kinds without it are left out. */
  WINDOW("a window", true),
  /** Each key has a value, and the question is which. Required: kinds without it are left out. */
  VALUES("a value for each key", true),
  /** There are many sets, and the question is which of them contain a key. Required. */
  MANY_SETS("many sets", true),
  /** Every key that will ever be queried is known, and no answer may be wrong. Required. */
  CLOSED_UNIVERSE("a closed universe", true),
  /**
   * The question is whether a similar key, or a part of the key, is in the set. Required: kinds
   * without it are left out.
   */
  PARTIAL_MATCH("a partial match", true),
  /**
   * A party that holds the filter but not the secret key learns none of the filter's keys and
   * cannot test guesses; the number of keys remains visible. Required: every kind that hashes its
   * keys meets it with a keyed hasher, which the plan then requires.
   */
  PRIVATE("a private set", true),
  /**
   * Filters of parts of the keys are merged into the filter of all of them, word for word.
   * Required: kinds without it are left out.
   */
  MERGES("merging", true),
  /**
   * Several threads add keys at the same time. Required: kinds whose writers need a lock are left
   * out; static kinds, which are complete before the first query, stay.
   */
  MANY_WRITERS("several writers", true),
  /**
   * The question is whether a range holds any key. Required: kinds without it are left out. {@link
   * Needs#withRanges} says how long ranges are.
   */
  RANGES("ranges of keys", true),
  /**
   * Some keys that were added may be reported absent; admits kinds that lose keys, and lifts the
   * limit of those that lose a few.
   */
  FALSE_NEGATIVES("tolerable false negatives", false),
  /** The filter is sent over a network: its coded size counts more than time; a hint. */
  TRANSFER("transfer", false),
  /** All keys are known before the first query and never change; admits kinds that require this. */
  FROZEN_SET("a frozen set", false),
  /** Keys may be adversarial; the plan then requires a keyed hasher. */
  HOSTILE_INPUT("hostile input", false),
  /** Some keys are queried much more often than others; admits kinds that exploit this. */
  SKEWED_POPULARITY("skewed popularity", false),
  /**
   * Most queries are for keys that are there; a hint. Their time counts for nine tenths instead of
   * half: kinds that stop early for absent keys lose that advantage.
   */
  MOSTLY_PRESENT("mostly present keys", false);

  private final String words;
  private final boolean required;

  Need(String words, boolean required) {
    this.words = words;
    this.required = required;
  }

  /**
   * The need in words, for messages.
   *
   * @return for example "unknown growth"
   */
  public String words() {
    return words;
  }

  /**
   * Whether kinds that lack it are excluded; otherwise the need is a hint.
   *
   * @return false for needs that only admit or rank kinds: false negatives, transfer, a frozen set,
   *     hostile input, skewed popularity and mostly present keys
   */
  public boolean isRequired() {
    return required;
  }
}
