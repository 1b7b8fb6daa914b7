package io.bloomery.cli.index;

/**
 * A file as the index has it.
 *
 * @param path absolute
 * @param size how many bytes it had, before they were unpacked
 * @param modified when it was changed last, in nanoseconds
 * @param identity as of {@link FoundFile}
 * @param how how its bytes are kept
 * @param firstBlock its first block
 * @param blocks how many blocks it has, one after another
 */
record IndexedFile(
    String path, long size, long modified, long identity, How how, int firstBlock, int blocks) {

  /** How the bytes of a file are kept in the index. */
  enum How {
    /** Blocks of its own; read from any place. */
    PLAIN(0),
    /** Blocks of its own; gzip or zstd, read from the beginning. */
    PACKED(1),
    /** One block together with other small files. */
    GROUPED(2),
    /** Not text, and so not at all. */
    BINARY(3);

    private final int code;

    How(int code) {
      this.code = code;
    }

    /** The number that stands for it in a file. */
    int code() {
      return code;
    }

    /** What a number stands for; null if for nothing. */
    static How of(int code) {
      for (How how : values()) {
        if (how.code == code) {
          return how;
        }
      }
      return null;
    }
  }

  /** The same file as it is found now. */
  IndexedFile at(FoundFile found, int block) {
    return new IndexedFile(
        found.path().toString(), size, found.modified(), found.identity(), how, block, blocks);
  }
}
