package io.bloomery.file;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replaces a file as a whole: the bytes go to a temporary file in the same directory, are synced,
 * and the temporary file is renamed over the target, whose directory is then synced. Whatever fails
 * before the rename leaves the target as it was and no temporary file behind. Leftovers of a killed
 * process are removed by the next writer of the same target.
 *
 * <p>A symbolic link is kept and the file it points to is replaced. A file that is replaced keeps
 * its permissions, not its owner, and other hard links to it keep the old contents; a new one gets
 * those of the process. What is neither a file nor a directory (a pipe, a device) cannot be renamed
 * over and is written directly.
 */
public final class AtomicFile {

  /** Writes the contents. */
  @FunctionalInterface
  public interface Contents {

    /**
     * Writes everything.
     *
     * @param out takes the bytes; the caller closes it
     * @throws IOException if that fails; the file stays as it was then
     */
    void writeTo(OutputStream out) throws IOException;
  }

  private static final int MAX_LINKS = 40;

  /**
   * What file systems say that cannot sync a directory: EINVAL, ENOTSUP and ENOSYS. Java has no
   * exceptions of their own for these. A system that says it in another language gets a failure,
   * which is the safe side.
   */
  private static final Set<String> UNSUPPORTED =
      Set.of("Invalid argument", "Operation not supported", "Function not implemented");

  private AtomicFile() {}

  /**
   * Replaces a file, or makes it.
   *
   * @param file the file, or a link to it
   * @param contents writes what it will hold
   * @throws IOException if it cannot be replaced; see above for what is left then
   */
  public static void write(Path file, Contents contents) throws IOException {
    BasicFileAttributes existing = attributes(file);
    if (existing == null) {
      replace(afterLinks(file), contents, null);
    } else if (existing.isRegularFile()) {
      Path real = file.toRealPath();
      replace(real, contents, permissions(real));
    } else if (existing.isDirectory()) {
      throw new FileSystemException(file.toString(), null, "is a directory");
    } else {
      try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE)) {
        contents.writeTo(out);
      }
    }
  }

  /** What a path leads to, or null if it leads to nothing. */
  private static @Nullable BasicFileAttributes attributes(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** The file that a chain of links to nothing would have. */
  private static Path afterLinks(Path file) throws IOException {
    Path at = file.toAbsolutePath();
    for (int links = 0; Files.isSymbolicLink(at); links++) {
      if (links == MAX_LINKS) {
        throw new FileSystemLoopException(file.toString());
      }
      at = at.resolveSibling(Files.readSymbolicLink(at));
    }
    return at;
  }

  /** The permissions of a file, or null where files have none. */
  private static @Nullable Set<PosixFilePermission> permissions(Path file) throws IOException {
    return Files.getFileStore(file).supportsFileAttributeView("posix")
        ? Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS)
        : null;
  }

  private static void replace(
      Path target, Contents contents, @Nullable Set<PosixFilePermission> permissions)
      throws IOException {
    Path directory = Objects.requireNonNull(target.getParent(), "the directory of a file");
    try (Temporary temporary = Temporary.beside(target, directory, permissions)) {
      contents.writeTo(Channels.newOutputStream(temporary.channel()));
      temporary.channel().force(true);
      temporary.renameTo(target);
    }
    syncDirectory(directory);
  }

  /**
   * Makes the rename itself durable. Systems that cannot open or sync a directory are skipped; any
   * other failure is reported, since a power cut could then bring the old file back.
   */
  private static void syncDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (AccessDeniedException e) {
      // Windows opens no directory, and elsewhere it may be writable without being readable.
      return;
    } catch (IOException e) {
      if (!UNSUPPORTED.contains(String.valueOf(e.getMessage()))) {
        throw new FileSystemException(
            directory.toString(), null, "the file is saved, but not its name: " + e.getMessage());
      }
    }
  }

  /**
   * Which file has a name. A file that has the same identity before it was opened and after it was
   * locked had its name all the time, because a deleted file never gets its name back; so it is the
   * one that was opened.
   *
   * @param key the system's number for the file, null if it has none
   * @param created when it was made, as far as the system knows
   */
  public record Identity(@Nullable Object key, FileTime created) {

    /**
     * The file that has a name now.
     *
     * @param file the name; a symbolic link is a file of its own
     * @throws IOException if there is none, or it cannot be looked at
     */
    public static Identity of(Path file) throws IOException {
      BasicFileAttributes attributes =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return new Identity(attributes.fileKey(), attributes.creationTime());
    }
  }
}
