/** How do two sides, or the processes of a group, synchronise their sets? */
module io.bloomery.transfer {
  requires transitive io.bloomery;
  requires static org.jspecify; // annotations, for compilers and editors

  exports io.bloomery.transfer;
  exports io.bloomery.transfer.group;
}
