package io.bloomery.cli;

/** What a filter says about a key. */
enum Answer {
  /** Certainly absent: the key was never added. */
  ABSENT,

  /** Probably present: the key was added, or is a false positive. */
  PRESENT
}
