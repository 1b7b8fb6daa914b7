package io.bloomery;

/**
 * Told now and then how far a long build has come. Called by the thread that builds, so it should
 * return soon; an exception that it throws ends the build.
 */
@FunctionalInterface
public interface BuildProgress {

  /** Ignores all progress. */
  BuildProgress NONE = (phase, done, total) -> {};

  /** The first phase: takes in keys. */
  String READ = "read";

  /** Puts keys in order; a new trial begins here again. */
  String ORDER = "order";

  /** Searches for a solution. */
  String SOLVE = "solve";

  /** The last phase: writes the filter's table. */
  String FILL = "fill";

  /**
   * A step was done.
   *
   * @param phase one of the names above; a kind may leave some out
   * @param done how many keys are done; grows within a phase
   * @param total of how many keys, or 0 while that is unknown
   */
  void report(String phase, long done, long total);
}
