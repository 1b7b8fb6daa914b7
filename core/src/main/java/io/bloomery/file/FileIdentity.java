package io.bloomery.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * Which file has a name. A file that has the same identity before it was opened and after it was
 * locked had its name all the time, because a deleted file never gets its name back; so it is the
 * one that was opened.
 *
 * @param key the system's number for the file, null if it has none
 * @param created when it was made, as far as the system knows
 */
public record FileIdentity(@Nullable Object key, FileTime created) {

  /**
   * The file that has a name now.
   *
   * @param file the name; a symbolic link is a file of its own
   * @throws IOException if there is none, or it cannot be looked at
   */
  public static FileIdentity of(Path file) throws IOException {
    BasicFileAttributes attributes =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    return new FileIdentity(attributes.fileKey(), attributes.creationTime());
  }
}
