package io.bloomery.security.password;

import io.bloomery.AddableFilter;
import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.HashedFilter;
import io.bloomery.ReadOptions;
import io.bloomery.tools.name.Octets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A list of leaked or weak passwords, as a static filter in a file.
 *
 * <p>{@link #build} reads lists of passwords and the published files of their digests, plain or
 * compressed, in bounded memory. {@link #open} maps the file that it wrote.
 *
 * <p><b>Guarantee.</b> A password of the list is always found. If the list was built for that, so
 * is a password that becomes a listed one of at most 128 characters by inserting, deleting or
 * replacing one character, a code point of Unicode. Any other password is found with probability
 * {@link #refusalRate}. Passwords are compared byte by byte in UTF-8: case counts, and composed and
 * decomposed letters differ.
 *
 * <p>No password is ever put into a {@code String}, an exception or a message, and the arrays that
 * this class makes of one are cleared. Clear your own after the check.
 *
 * <p>Immutable but for its history; any number of threads may check.
 */
public final class PasswordList {

  /** Why a password is refused. */
  public enum Reason {
    /** It is on the list. */
    LISTED,
    /** One inserted, deleted or replaced character makes it a password of the list. */
    ONE_CHANGE_AWAY,
    /** The user had it before. */
    USED_BEFORE
  }

  /**
   * What a list was built of.
   *
   * @param passwords how many passwords or digests were read, including repeated ones
   * @param brokenLines how many lines could not be read and were skipped
   * @param broken the places of the first three of them and what is wrong, without their content
   */
  public record Built(long passwords, long brokenLines, List<String> broken) {
    /** Copies the list. */
    public Built {
      broken = List.copyOf(broken);
    }
  }

  /**
   * What a file says about itself.
   *
   * @param digest {@code SHA-1} or {@code NTLM}
   * @param passwords how many passwords or digests it was built of, including repeated ones
   * @param rate the probability per lookup that a password is taken for a listed one
   * @param oneChange whether it finds changed passwords
   * @param countClasses whether it knows which passwords are frequent
   * @param sizeInBits the memory of its filter
   */
  public record Info(
      String digest,
      long passwords,
      double rate,
      boolean oneChange,
      boolean countClasses,
      long sizeInBits) {}

  private static final int ALL = -1;

  private final HashedFilter filter;
  private final PasswordDigest digest;
  private final Info info;
  private final int countClass; // only passwords of it are found, or ALL
  private final @Nullable UsedPasswords used;

  private PasswordList(
      HashedFilter filter,
      PasswordDigest digest,
      Info info,
      int countClass,
      @Nullable UsedPasswords used) {
    this.used = used;
    this.filter = filter;
    this.digest = digest;
    this.info = info;
    this.countClass = countClass;
  }

  /**
   * Builds a list and writes it.
   *
   * @param files what it holds, each plain or compressed as detected from its content
   * @param target the file, which is replaced as a whole
   * @param options how it is built
   * @return what was read
   * @throws IOException if a file cannot be read or does not fit the options, if no line of all
   *     files can be read, or if the target cannot be written; it is then unchanged
   */
  public static Built build(List<Path> files, Path target, PasswordOptions options)
      throws IOException {
    return build(files, target, options, bytes -> {});
  }

  /**
   * Builds a list and writes it, reporting how far reading has come.
   *
   * @param files what it holds, each plain or compressed as detected from its content
   * @param target the file, which is replaced as a whole
   * @param options how it is built
   * @param progress gets the number of bytes read since it was last called, before they are
   *     unpacked
   * @return what was read
   * @throws IOException if a file cannot be read or does not fit the options, if no line of all
   *     files can be read, or if the target cannot be written; it is then unchanged
   */
  public static Built build(
      List<Path> files, Path target, PasswordOptions options, LongConsumer progress)
      throws IOException {
    Objects.requireNonNull(target, "target");
    return new ListBuilder(options, progress).build(files, target);
  }

  /**
   * Opens a list by checking every byte of its file and mapping it. The file must not be changed in
   * place.
   *
   * @param file a file that {@link #build} wrote
   * @return the list
   * @throws FilterFormatException if the file is damaged
   * @throws IOException if the file cannot be read or holds no list of passwords
   */
  public static PasswordList open(Path file) throws IOException {
    HashedFilter filter = Filters.map(file, ReadOptions.as(HashedFilter.class).verified());
    Info info =
        ListFacts.read(Filters.header(file).description(), filter)
            .orElseThrow(() -> new IOException(Octets.name(file) + ": not a list of passwords"));
    return new PasswordList(filter, PasswordDigest.labelled(info.digest()), info, ALL, null);
  }

  /**
   * The same list, of which only frequent passwords are found.
   *
   * @param count how often a password was seen at least: 10, 100 or 1,000; 1 for all
   * @return a list on the same file
   * @throws IllegalArgumentException if it is another number
   * @throws IllegalStateException if the list was built without counts
   */
  public PasswordList withMinimumCount(int count) {
    if (count == 1) {
      return new PasswordList(filter, digest, info, ALL, used);
    }
    int found = Arrays.binarySearch(PasswordKeys.CLASSES, count);
    if (found < 0) {
      throw new IllegalArgumentException("count = " + count + " is not 1, 10, 100 or 1000");
    }
    if (!info.countClasses()) {
      throw new IllegalStateException("the list was built without counts");
    }
    return new PasswordList(filter, digest, info, found, used);
  }

  /**
   * The same list, which also refuses passwords that users had before.
   *
   * @param history holds what {@link #addUsed} adds, under a secret key; save it yourself, and lock
   *     it ({@code Filters.locked}) if it is not thread-safe
   * @return a list on the same file
   * @throws IllegalArgumentException if the filter's hash has no key
   */
  public PasswordList withHistory(AddableFilter history) {
    return new PasswordList(filter, digest, info, countClass, new UsedPasswords(history));
  }

  /**
   * Remembers a password of a user in the history.
   *
   * @param user the user's name or number
   * @param password its characters, which are not changed; clear them afterwards
   * @throws IllegalStateException if the list has no history
   */
  public void addUsed(String user, char[] password) {
    UsedPasswords history = history();
    byte[] bytes = PasswordDigest.utf8(password);
    try {
      history.add(user, bytes);
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
  }

  /**
   * Checks a new password of a user, first against the list, then against the history.
   *
   * @param user the user's name or number
   * @param password its characters, which are not changed; clear them afterwards
   * @return why it is refused; empty if it is not
   * @throws IllegalStateException if the list has no history
   */
  public Optional<Reason> check(String user, char[] password) {
    UsedPasswords history = history();
    byte[] bytes = PasswordDigest.utf8(password);
    try {
      Optional<Reason> reason = check(bytes);
      return reason.isEmpty() && history.mightContain(user, bytes)
          ? Optional.of(Reason.USED_BEFORE)
          : reason;
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
  }

  private UsedPasswords history() {
    if (used == null) {
      throw new IllegalStateException("the list has no history; withHistory gives it one");
    }
    return used;
  }

  /**
   * Checks a password.
   *
   * @param password its characters, which are not changed; clear them afterwards
   * @return why it is refused; empty if it is not
   */
  public Optional<Reason> check(char[] password) {
    byte[] bytes = PasswordDigest.utf8(password);
    try {
      return check(bytes);
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
  }

  /**
   * Checks a password.
   *
   * @param password its characters in UTF-8, which are not changed; clear them afterwards
   * @return why it is refused; empty if it is not
   */
  public Optional<Reason> check(byte[] password) {
    PasswordKeys keys = new PasswordKeys(digest, filter.hasher());
    try {
      keys.take(password, 0, password.length);
      if (filter.mightContainHash(countClass == ALL ? keys.listed() : keys.seen(countClass))) {
        return Optional.of(Reason.LISTED);
      }
      return info.oneChange() && keys.isOneChangeAway(password, filter)
          ? Optional.of(Reason.ONE_CHANGE_AWAY)
          : Optional.empty();
    } finally {
      keys.clear();
    }
  }

  /**
   * The probability that a password is refused that is neither listed nor one change away; less if
   * equal characters follow each other.
   *
   * @param characters its length, up to 129
   * @return a probability
   */
  public double refusalRate(int characters) {
    return -Math.expm1((info.oneChange() ? 2 * characters + 2 : 1) * Math.log1p(-info.rate()));
  }

  /**
   * What the file says about itself.
   *
   * @return facts
   */
  public Info info() {
    return info;
  }
}
