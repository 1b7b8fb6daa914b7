package io.bloomery.find;

import java.nio.file.Path;
import java.util.List;

/** Receives what a search finds, in the order of files and lines. Called by one thread. */
public interface Matches {

  /**
   * The files that were added or changed since the index was made, and are read as a whole; called
   * once, before anything else.
   */
  void changed(List<Path> files);

  /** A line; {@code number} counts from 1. Returns false to skip the rest of this file. */
  boolean line(Path file, long number, byte[] line);

  /**
   * A line near a match, in order with the matches, if such lines are asked for; {@code number}
   * counts from 1.
   */
  default void context(Path file, long number, byte[] line) {}

  /** The end of a file that was read; returns false to stop the search. */
  boolean end(Path file);

  /** A file that may hold the keys, instead of its lines if files are not read. */
  void candidate(Path file);
}
