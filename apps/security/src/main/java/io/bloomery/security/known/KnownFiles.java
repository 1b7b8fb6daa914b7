package io.bloomery.security.known;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.HashedFilter;
import io.bloomery.security.known.HashedTree.Content;
import io.bloomery.security.known.KnownOptions.Digest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A set of files, known by the digests of their content, as a filter in a file.
 *
 * <p>{@link #build} reads lists of digests, as {@code sha256sum}, hashdeep and the National
 * Software Reference Library write them, and hashes trees. {@link #open} opens the file that it
 * wrote, or a filter of DCSO's format, which CIRCL publishes. {@link #check} hashes trees and says
 * which files are in the set.
 *
 * <p><b>Guarantee.</b> A file of the set is found. Another one is taken for one with the
 * probability {@link Info#rate}; with lists that {@linkplain #confirmedBy confirm}, never. A set
 * {@linkplain KnownOptions#withPlaces with places} knows each file of a tree by its name, size and
 * content: a file that was changed, moved or added is found unchanged with that probability, which
 * nobody without the secret can raise; a file that is gone is only counted. A set with a secret is
 * sealed: {@link #open} refuses what was not written under that secret.
 *
 * <p>Immutable; any number of threads may ask.
 */
public final class KnownFiles {

  /** What is known of a file. */
  public enum Status {
    /** It is in the set, or taken for a file of it. */
    KNOWN,
    /** It is not in the set. */
    UNKNOWN,
    /** It could not be read. */
    UNREAD
  }

  /**
   * A file that was looked at.
   *
   * @param file its name, below the directory as it was named
   * @param status what is known of it
   * @param digest its digest in hexadecimal, empty if it could not be read
   * @param problem why it could not be read, beginning with its name; null if it could
   */
  public record Found(Path file, Status status, String digest, @Nullable String problem) {}

  /**
   * What a set was built of.
   *
   * @param digest by which files are known
   * @param files how many files and digests were read, including repeated ones
   * @param links how many symbolic links there were, which are not followed
   * @param brokenLines how many lines of lists could not be read and were skipped
   * @param broken the places of the first three of them and what is wrong
   * @param unread files and directories that could not be read, and why
   */
  public record Built(
      Digest digest,
      long files,
      long links,
      long brokenLines,
      List<String> broken,
      List<String> unread) {
    /** Copies the lists. */
    public Built {
      broken = List.copyOf(broken);
      unread = List.copyOf(unread);
    }
  }

  /**
   * The result of a check.
   *
   * @param known how many files are in the set
   * @param unknown how many are not
   * @param unread how many files and directories could not be read
   * @param links how many symbolic links there were, which are not followed
   */
  public record Checked(long known, long unknown, long unread, long links) {}

  /**
   * What a set says about itself.
   *
   * @param digest by which files are known
   * @param files how many files it was built of, including repeated ones; 0 if it does not say
   * @param rate the probability that another file is taken for one of the set
   * @param places whether it knows names and sizes
   * @param sealed whether it was built under a secret
   * @param sizeInBits the memory of its filter
   */
  public record Info(
      Digest digest, long files, double rate, boolean places, boolean sealed, long sizeInBits) {}

  private final Filter filter;
  private final @Nullable HashedFilter hashed; // the same, null in DCSO's format
  private final Info info;
  private final KnownOptions options;
  private final Path file;
  private final List<Path> lists;

  private KnownFiles(Filter filter, Info info, KnownOptions options, Path file, List<Path> lists) {
    this.filter = filter;
    this.hashed = filter instanceof HashedFilter native64 ? native64 : null;
    this.info = info;
    this.options = options;
    this.file = file;
    this.lists = lists;
  }

  /**
   * Builds a set and writes it.
   *
   * @param sources lists of digests, plain or packed, and directories, whose files are hashed
   * @param target the file, which is replaced as a whole
   * @param options how it is built
   * @param progress is called with the number of bytes to read; what it returns gets the number
   *     that were read since it was last called
   * @return what was read
   * @throws IOException if a list cannot be read, if there is no digest and no file that can be
   *     read, or if the target cannot be written; it is then unchanged
   */
  public static Built build(
      List<Path> sources, Path target, KnownOptions options, LongFunction<LongConsumer> progress)
      throws IOException {
    Objects.requireNonNull(target, "target");
    return new SetBuilder(options).build(sources, target, progress);
  }

  /**
   * Opens a set. One with a secret is read into the heap, one of DCSO's format too; another is
   * mapped once every byte of it was checked, and its file must not be changed in place.
   *
   * @param file a file that {@link #build} wrote, or a filter of DCSO's format
   * @param options its secret if it has one; digest and letters of a set of DCSO's format
   * @return the set
   * @throws FilterFormatException if the file is damaged, or not sealed under the secret
   * @throws IOException if the file cannot be read or holds no set of files
   */
  public static KnownFiles open(Path file, KnownOptions options) throws IOException {
    SetReader set = SetReader.open(file, options);
    return new KnownFiles(set.filter(), set.info(), options, file, List.of());
  }

  /**
   * The same set, of which only files are known that are also in lists. Lists of a set with places
   * have names below the checked directory, with or without {@code ./}.
   *
   * @param exact lists of the digests of the set, plain or packed, which {@link #check} reads
   * @return a set on the same file
   */
  public KnownFiles confirmedBy(List<Path> exact) {
    return new KnownFiles(filter, info, options, file, List.copyOf(exact));
  }

  /**
   * Whether a file is in the set, by its digest alone; lists are not read.
   *
   * @param digest of the kind that the set holds
   * @return {@code false}: certainly not
   * @throws IllegalArgumentException if the digest has another length
   * @throws IllegalStateException if the set also knows names and sizes
   */
  public boolean mightContain(byte[] digest) {
    if (info.places) {
      throw new IllegalStateException("the set knows files by names and sizes as well");
    }
    requireLength(digest);
    return hashed == null
        ? filter.mightContain(SetKeys.text(digest, options.lowerCase()))
        : hashed.mightContainHash(SetKeys.content(hashed.hasher(), digest));
  }

  /**
   * Whether a file of a tree is unchanged; lists are not read.
   *
   * @param name its name below the directory, with slashes
   * @param size its size in bytes
   * @param digest its digest
   * @return {@code false}: certainly not
   * @throws IllegalArgumentException if the digest has another length
   * @throws IllegalStateException if the set does not know names and sizes
   */
  public boolean mightContain(String name, long size, byte[] digest) {
    requireLength(digest);
    if (!info.places || hashed == null) {
      throw new IllegalStateException("the set knows files by their content only");
    }
    return hashed.mightContainHash(SetKeys.place(hashed.hasher(), name, size, digest));
  }

  private void requireLength(byte[] digest) {
    if (digest.length != info.digest.length()) {
      throw new IllegalArgumentException(
          "digest has %d bytes; %s has %d"
              .formatted(digest.length, info.digest.label(), info.digest.length()));
    }
  }

  private boolean mightContain(Content content) {
    return info.places
        ? mightContain(content.name(), content.size(), content.digest())
        : mightContain(content.digest());
  }

  /**
   * Hashes the files of directories and looks them up. Symbolic links are not followed; the file of
   * the set itself and lists that confirm are left out.
   *
   * @param roots directories; one only, for a set with places
   * @param each gets every file in the order of names; with lists, after all were read
   * @param progress is called with the number of bytes to read; what it returns gets the number
   *     that were read since it was last called
   * @return the numbers
   * @throws IOException if a directory or a list cannot be read; files that cannot be read are
   *     passed to {@code each}
   */
  public Checked check(List<Path> roots, Consumer<Found> each, LongFunction<LongConsumer> progress)
      throws IOException {
    if (info.places && roots.size() != 1) {
      throw new IOException("names are those below one directory, not " + roots.size());
    }
    Set<Path> without = new HashSet<>(lists);
    without.add(file);
    HashedTree tree = new HashedTree(roots, without);
    Map<Status, Long> counts = new EnumMap<>(Status.class);
    Consumer<Found> counting =
        found -> {
          counts.merge(found.status, 1L, Long::sum);
          each.accept(found);
        };
    LongConsumer reading = progress.apply(tree.bytes());
    if (lists.isEmpty()) {
      tree.read(
          info.digest,
          options.threads(),
          content -> counting.accept(content.found(isMember(content))),
          reading);
    } else {
      List<Content> contents = new ArrayList<>();
      Confirmation exact = new Confirmation(info.digest, info.places);
      tree.read(info.digest, options.threads(), contents::add, reading);
      contents.stream().filter(this::isMember).forEach(exact::add);
      exact.read(lists);
      contents.forEach(
          content -> counting.accept(content.found(isMember(content) && exact.isListed(content))));
    }
    return new Checked(
        counts.getOrDefault(Status.KNOWN, 0L),
        counts.getOrDefault(Status.UNKNOWN, 0L),
        counts.getOrDefault(Status.UNREAD, 0L),
        tree.links());
  }

  private boolean isMember(Content content) {
    return content.problem() == null && mightContain(content);
  }

  /**
   * What the set says about itself.
   *
   * @return facts
   */
  public Info info() {
    return info;
  }
}
