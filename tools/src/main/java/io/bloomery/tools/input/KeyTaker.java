package io.bloomery.tools.input;

/** Receives keys with their hashes, one after another in the input's order. */
public interface KeyTaker {

  /** The next key; the array belongs to the reader and changes afterwards. */
  void key(byte[] bytes, int offset, int length, long hash);

  /** Whether nothing more is wanted. */
  default boolean isDone() {
    return false;
  }

  /** No further key has arrived yet: a good moment to answer. */
  default void pause() {}
}
