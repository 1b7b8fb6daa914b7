package io.bloomery.find;

import io.bloomery.hash.Hasher;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a file.
 *
 * @param path the absolute path
 * @param size the size in bytes
 * @param modified the time of the last change, in nanoseconds
 * @param key the file system's key for the file, independent of its name; null if it has none
 */
record FoundFile(Path path, long size, long modified, @Nullable Object key) {

  /** A file with these attributes. */
  static FoundFile of(Path path, BasicFileAttributes attributes) {
    return new FoundFile(
        path,
        attributes.size(),
        attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
        attributes.fileKey());
  }

  /** A number that stays the same when the file is renamed; 0 if the file system has none. */
  long identity() {
    return key == null ? 0 : Hasher.xxh3().hash(key.toString());
  }
}
