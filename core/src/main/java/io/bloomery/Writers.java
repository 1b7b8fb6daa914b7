package io.bloomery;

/** How many threads may add to a filter at the same time. Queries are always free. */
public enum Writers {
  /** Any number: adds are lock-free and atomic. The default of every kind that can do it. */
  MANY,
  /** One at a time, as the caller sees to it; adds are plain stores and faster. */
  ONE
}
