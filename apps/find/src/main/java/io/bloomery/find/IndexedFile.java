package io.bloomery.find;

import io.bloomery.find.walk.FoundFile;
import io.bloomery.tools.name.Octets;
import org.jspecify.annotations.Nullable;

/**
 * A file as stored in the index.
 *
 * @param path the absolute path
 * @param size its size in bytes, before decompression
 * @param modified the time of the last change, in nanoseconds
 * @param changed see {@link FoundFile#changed()}; 0 in an index of version 1
 * @param identity see {@link FoundFile#identity()}
 * @param how how its content is indexed
 * @param firstBlock its first block
 * @param blocks the number of consecutive blocks
 */
record IndexedFile(
    String path,
    long size,
    long modified,
    long changed,
    long identity,
    How how,
    int firstBlock,
    int blocks) {

  /** How the content of a file is indexed. */
  enum How {
    /** In its own blocks; can be read from any offset. */
    PLAIN(0),
    /** In its own blocks; compressed or in another encoding, read from the start. */
    PACKED(1),
    /** One block together with other small files. */
    GROUPED(2),
    /** Not text, so not indexed. */
    BINARY(3),
    /** In a format that is not read, so not indexed. */
    UNREAD(4);

    private final int code;

    How(int code) {
      this.code = code;
    }

    /** The code stored in the file. */
    int code() {
      return code;
    }

    /** The value with this code; null if there is none. */
    static @Nullable How of(int code) {
      for (How how : values()) {
        if (how.code == code) {
          return how;
        }
      }
      return null;
    }
  }

  /** The same file in its current state. */
  IndexedFile at(FoundFile found, int block) {
    return new IndexedFile(
        Octets.name(found.path()),
        size,
        found.modified(),
        found.changed(),
        found.identity(),
        how,
        block,
        blocks);
  }
}
