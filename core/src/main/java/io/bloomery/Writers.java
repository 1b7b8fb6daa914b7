package io.bloomery;

/** How many threads may add to a filter at the same time. Any number may query in either case. */
public enum Writers {
  /** Any number: adds are lock-free and atomic. The default of every kind that supports it. */
  MANY,
  /** One at a time, ensured by the caller; adds are plain stores and faster. */
  ONE
}
