package io.bloomery.bench;

/**
 * One filter of a workload.
 *
 * @param workload what is measured
 * @param name the filter's name in the table
 * @param origin who wrote it
 * @param quickForks how many forks a quick run gives it
 * @param peer the row of the same workload that a race compares it with; empty for none
 */
record Row(Workload workload, String name, Origin origin, int quickForks, String peer) {

  /** Who wrote the filter of a row. */
  enum Origin {
    OURS,
    PEER,
    PHYSICAL
  }

  /** The text that patterns are matched against. */
  String label() {
    return workload.id() + " " + name;
  }
}
