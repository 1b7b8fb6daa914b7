package io.bloomery.internal.solve;

/** A listener of a solver's steps, called by the thread that solves. */
@FunctionalInterface
public interface SolveProgress {

  /** What a solver does, in this order. */
  enum Phase {
    /** Puts keys in order; a new trial begins here again. */
    ORDER,
    /** Searches for a solution. */
    SOLVE,
    /** Writes the table. */
    FILL
  }

  /** Reports how many of all keys are done in a phase. */
  void report(Phase phase, long done, long total);
}
