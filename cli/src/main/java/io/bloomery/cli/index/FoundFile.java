package io.bloomery.cli.index;

import io.bloomery.hash.Hasher;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;

/**
 * A file as it is now.
 *
 * @param path absolute
 * @param size in bytes
 * @param modified when it was changed last, in nanoseconds
 * @param key what the system calls the file, whatever its name; null where it has no such thing
 */
record FoundFile(Path path, long size, long modified, Object key) {

  /** The file with these attributes. */
  static FoundFile of(Path path, BasicFileAttributes attributes) {
    return new FoundFile(
        path,
        attributes.size(),
        attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
        attributes.fileKey());
  }

  /** The same number for the same file under another name; 0 where systems have none. */
  long identity() {
    return key == null ? 0 : Hasher.xxh3().hash(key.toString());
  }
}
