package io.bloomery.sync;

import java.util.Objects;
import java.util.Optional;

/**
 * The answer of {@link InvertibleTable#get}: present with its value, certainly absent, or unknown.
 */
public final class TableLookup {

  /** What a table knows of a key. */
  public enum Answer {
    /** The key was inserted and not deleted. */
    PRESENT,
    /** The key was not inserted, or was deleted. */
    ABSENT,
    /** All cells of the key hold other keys too; {@link InvertibleTable#decode} may know more. */
    UNKNOWN
  }

  private final Answer answer;
  private final byte[] value;

  TableLookup(Answer answer, byte[] value) {
    this.answer = Objects.requireNonNull(answer, "answer");
    this.value = value;
  }

  /**
   * What the table knows.
   *
   * @return one of three answers
   */
  public Answer answer() {
    return answer;
  }

  /**
   * The value of a key that is present.
   *
   * @return a new array, without bytes if the table has no values; empty unless the key is present
   */
  public Optional<byte[]> value() {
    return answer == Answer.PRESENT ? Optional.of(value.clone()) : Optional.empty();
  }

  @Override
  public String toString() {
    return answer.toString();
  }
}
