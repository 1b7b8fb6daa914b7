package io.bloomery.tools.input;

/** Receives keys as they are read. */
public interface KeySink {

  /** The next key; the array belongs to the reader and changes afterwards. */
  void key(byte[] bytes, int offset, int length);

  /** No further key has arrived yet: a good moment to answer. */
  default void pause() {}
}
