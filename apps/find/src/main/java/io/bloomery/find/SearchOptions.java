package io.bloomery.find;

import java.nio.file.Path;
import java.util.List;

/**
 * What a search finds and how much it reads.
 *
 * @param all whether a line must hold all keys; otherwise one of them
 * @param anyCase whether the case of letters is ignored; an index that was not made for that
 *     excludes no block then
 * @param trusting whether the index is trusted; otherwise files that were added or changed since it
 *     was built are searched too
 * @param reading whether the files that may hold a key are read, so that the answer is exact
 * @param numbered whether lines are counted, so that they have numbers
 * @param onlyFirst whether the first line of each file is enough
 * @param before how many lines before each match are delivered too
 * @param after how many lines after each match are delivered too
 * @param within files and directories outside of which nothing is read, whatever the index names;
 *     none: the paths that the index was made for
 */
public record SearchOptions(
    boolean all,
    boolean anyCase,
    boolean trusting,
    boolean reading,
    boolean numbered,
    boolean onlyFirst,
    int before,
    int after,
    List<Path> within) {

  /** All lines, with their numbers, that hold one of the keys. */
  public static final SearchOptions LINES =
      new SearchOptions(false, false, false, true, true, false, 0, 0, List.of());

  /** Copies the list. */
  public SearchOptions {
    within = List.copyOf(within);
  }

  /** Whether lines around matches are delivered. */
  boolean isWithContext() {
    return before > 0 || after > 0;
  }
}
