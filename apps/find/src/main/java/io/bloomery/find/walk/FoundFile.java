package io.bloomery.find.walk;

import io.bloomery.hash.Hasher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a file.
 *
 * @param path the absolute path
 * @param size the size in bytes
 * @param modified the time of the last change of its content as the file says, in nanoseconds
 * @param changed the time of the last change of content or attributes, which no program can set; 0
 *     if the file system has none
 * @param key the file system's key for the file, independent of its name; null if it has none
 */
public record FoundFile(Path path, long size, long modified, long changed, @Nullable Object key) {

  /** A file with these attributes. */
  public static FoundFile of(Path path, BasicFileAttributes attributes) {
    return new FoundFile(
        path,
        attributes.size(),
        attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
        changed(path),
        attributes.fileKey());
  }

  private static long changed(Path path) {
    if (!path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return 0;
    }
    try {
      FileTime time = (FileTime) Files.getAttribute(path, "unix:ctime", LinkOption.NOFOLLOW_LINKS);
      return time.to(TimeUnit.NANOSECONDS);
    } catch (IOException e) {
      return 0; // it is gone, or will fail when it is read
    }
  }

  /** A number that stays the same when the file is renamed; 0 if the file system has none. */
  public long identity() {
    return key == null ? 0 : Hasher.xxh3().hash(key.toString());
  }
}
