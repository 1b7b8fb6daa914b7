package io.bloomery;

/**
 * Receives progress reports during a long build. Called on the building thread, so it should return
 * quickly; an exception thrown here aborts the build.
 */
@FunctionalInterface
public interface BuildProgress {

  /** Ignores all progress. */
  BuildProgress NONE = (phase, done, total) -> {};

  /** The first phase: reading keys. */
  String READ = "read";

  /** Ordering keys; each new trial restarts here. */
  String ORDER = "order";

  /** Searching for a solution. */
  String SOLVE = "solve";

  /** The last phase: writing the filter's table. */
  String FILL = "fill";

  /**
   * Reports progress within a phase.
   *
   * @param phase one of the names above; a kind may skip some
   * @param done the number of keys done, increasing within a phase
   * @param total the number of keys in all, or 0 while unknown
   */
  void report(String phase, long done, long total);
}
