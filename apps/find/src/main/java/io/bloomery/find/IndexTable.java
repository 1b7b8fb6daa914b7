package io.bloomery.find;

import java.nio.file.Path;
import java.util.List;

/**
 * Everything in an index except the filters.
 *
 * @param options how it was built
 * @param roots the indexed files and directories
 * @param blocks all blocks
 * @param files all files, ordered by name
 */
record IndexTable(
    IndexOptions options, List<Path> roots, List<IndexedBlock> blocks, List<IndexedFile> files) {

  /** The size of the content in bytes. */
  long contentBytes() {
    long sum = 0;
    for (IndexedBlock block : blocks) {
      sum += block.length();
    }
    return sum;
  }
}
