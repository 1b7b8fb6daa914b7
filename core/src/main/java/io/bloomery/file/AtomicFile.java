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
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replaces a file as a whole: the bytes go to a temporary file in the same directory, are synced,
 * and the temporary file is renamed over the target, whose directory is then synced. A failure
 * before the rename leaves the target unchanged and no temporary file behind. Leftovers of a killed
 * process are removed by the next writer of the same target.
 *
 * <p>A symbolic link is kept and the file it points to is replaced. A replaced file keeps its
 * permissions, and its group and owner if the process may give files to them, as root may; other
 * hard links to it keep the old contents. A new file gets what the process has. A target that is
 * neither a file nor a directory (a pipe, a device) cannot be renamed over and is written directly.
 */
public final class AtomicFile {

  /** Writes the contents. */
  @FunctionalInterface
  public interface Contents {

    /**
     * Writes everything.
     *
     * @param out receives the bytes; the caller closes it
     * @throws IOException if writing fails; the file is then unchanged
     */
    void writeTo(OutputStream out) throws IOException;
  }

  private static final int MAX_LINKS = 40;

  /**
   * The messages of file systems that cannot sync a directory: EINVAL, ENOTSUP and ENOSYS, for
   * which Java has no specific exceptions. A message in another language counts as a failure, which
   * is the safe choice.
   */
  private static final Set<String> UNSUPPORTED =
      Set.of("Invalid argument", "Operation not supported", "Function not implemented");

  private AtomicFile() {}

  /**
   * Replaces or creates a file.
   *
   * @param file the file, or a link to it
   * @param contents writes the new contents
   * @throws IOException if it cannot be replaced; the class comment says what state it is then in
   */
  public static void write(Path file, Contents contents) throws IOException {
    BasicFileAttributes existing = attributes(file);
    if (existing == null) {
      replace(file, afterLinks(file), contents, null, null);
    } else if (existing.isRegularFile()) {
      Path real = file.toRealPath();
      replace(file, real, contents, permissions(real), real);
    } else if (existing.isDirectory()) {
      throw new FileSystemException(file.toString(), null, "is a directory");
    } else {
      try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE)) {
        contents.writeTo(FileErrors.naming(file, out));
      }
    }
  }

  /** The attributes of the file that a path resolves to, or null if there is none. */
  private static @Nullable BasicFileAttributes attributes(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** The file at the end of a chain of dangling links. */
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

  /** The permissions of a file, or null on file systems without them. */
  private static @Nullable Set<PosixFilePermission> permissions(Path file) throws IOException {
    return Files.getFileStore(file).supportsFileAttributeView("posix")
        ? Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS)
        : null;
  }

  /** Gives a file the group and the owner of another, as far as the process may. */
  private static void keepOwner(Path from, Path to) throws IOException {
    LinkOption itself = LinkOption.NOFOLLOW_LINKS;
    PosixFileAttributes was = Files.readAttributes(from, PosixFileAttributes.class, itself);
    PosixFileAttributeView view =
        Files.getFileAttributeView(to, PosixFileAttributeView.class, itself);
    PosixFileAttributes now = view.readAttributes();
    try {
      if (!was.group().equals(now.group())) {
        view.setGroup(was.group());
      }
      if (!was.owner().equals(now.owner())) {
        view.setOwner(was.owner());
      }
    } catch (FileSystemException e) {
      return; // not permitted: it belongs to the process
    }
  }

  private static void replace(
      Path file,
      Path target,
      Contents contents,
      @Nullable Set<PosixFilePermission> permissions,
      @Nullable Path existing)
      throws IOException {
    Path directory = Objects.requireNonNull(target.getParent(), "the directory of a file");
    try (Temporary temporary = beside(file, target, directory, permissions)) {
      if (permissions != null && existing != null) {
        keepOwner(existing, temporary.file());
      }
      OutputStream out = Channels.newOutputStream(temporary.channel());
      contents.writeTo(FileErrors.naming(file, out));
      rename(file, temporary, target);
    }
    syncDirectory(directory);
  }

  private static Temporary beside(
      Path file, Path target, Path directory, @Nullable Set<PosixFilePermission> permissions)
      throws IOException {
    try {
      return Temporary.beside(target, directory, permissions);
    } catch (FileSystemException e) {
      throw FileErrors.inPlaceOf(file, e);
    }
  }

  private static void rename(Path file, Temporary temporary, Path target) throws IOException {
    try {
      temporary.channel().force(true);
      temporary.renameTo(target);
    } catch (FileSystemException e) {
      throw FileErrors.inPlaceOf(file, e);
    } catch (IOException e) {
      throw FileErrors.named(file, e);
    }
  }

  /**
   * Makes the rename itself durable. Systems that cannot open or sync a directory are skipped; any
   * other failure is reported, since a power cut could then bring the old file back.
   */
  private static void syncDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (AccessDeniedException e) {
      // Windows cannot open a directory; elsewhere it may be writable but not readable.
      return;
    } catch (IOException e) {
      if (!UNSUPPORTED.contains(String.valueOf(e.getMessage()))) {
        throw new FileSystemException(
            directory.toString(), null, "the file is saved, but not its name: " + e.getMessage());
      }
    }
  }

  /**
   * Identifies the file behind a name. If a name has the same identity before the file was opened
   * and after it was locked, the file had that name all the time, because a deleted file never gets
   * its name back; so it is the file that was opened.
   *
   * @param key the system's number for the file, null if it has none
   * @param created its creation time, as far as the system knows
   */
  public record Identity(@Nullable Object key, FileTime created) {

    /**
     * The identity of the file that currently has a name.
     *
     * @param file the name; a symbolic link is not followed
     * @throws IOException if there is no such file, or its attributes cannot be read
     */
    public static Identity of(Path file) throws IOException {
      BasicFileAttributes attributes =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return new Identity(attributes.fileKey(), attributes.creationTime());
    }
  }
}
