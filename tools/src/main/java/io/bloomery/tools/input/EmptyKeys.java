package io.bloomery.tools.input;

/** The treatment of records whose key is empty. */
public enum EmptyKeys {
  /** They are left out and counted. */
  SKIP,
  /** They are in the block, to be printed; their keys are neither parsed nor hashed. */
  LIST,
  /** The empty key is a key. */
  KEEP
}
