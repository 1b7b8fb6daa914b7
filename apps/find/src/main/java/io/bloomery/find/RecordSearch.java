package io.bloomery.find;

/** Finds the records that contain any or all of some keys. Not thread-safe. */
interface RecordSearch {

  /** Receives the matching records. */
  @FunctionalInterface
  interface Hits {
    /** A record without its line end; returns false to stop. */
    boolean record(byte[] bytes, int start, int end);
  }

  /**
   * Passes every matching record to {@code hits}.
   *
   * @param bytes an array that starts with whole records
   * @param length their length in bytes
   * @param line the number of the first record's line, from 1, if lines are counted
   * @param first whether they are the beginning of the file
   * @return false if it was stopped
   */
  boolean find(byte[] bytes, int length, long line, boolean first, Hits hits);
}
