package io.bloomery.security.deny;

import io.bloomery.FilterFormatException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A list of domains, URLs, networks and files that are denied, as a static filter in a file.
 *
 * <p>{@link #build} reads lists of the usual forms; {@link #open} reads the file that it wrote.
 * docs/apps/security.md says which lines are rules, what they cover, and how the file is laid out.
 *
 * <p><b>Guarantee.</b> An item that a rule covers is found, unless an allow rule covers it as well.
 * An item of the declared universe is found only if a rule covers it. Any other item is found with
 * the probability {@link #chance}; {@link #check(String, Predicate)} has such a hit confirmed.
 *
 * <p>Immutable; any number of threads may check.
 */
public final class DenyList {

  /** What a rule covers. */
  public enum Form {
    /** A domain and all names below it. */
    DOMAIN('d'),
    /** One name. */
    HOST('h'),
    /** A URL, or all URLs below a directory, on a host and the names below it. */
    URL('u'),
    /** A network of addresses. */
    ADDRESSES('a'),
    /** Files with a digest. */
    FILE('f');

    /** What stands for it in files and keys. */
    private final char letter;

    Form(char letter) {
      this.letter = letter;
    }

    char letter() {
      return letter;
    }

    /** The form of a letter; null if it is of none. */
    static @Nullable Form of(int letter) {
      for (Form form : values()) {
        if (form.letter == letter) {
          return form;
        }
      }
      return null;
    }
  }

  /**
   * A rule.
   *
   * @param form what it covers
   * @param text in canonical form: a name; host and path; a network with its length; hexadecimal
   */
  public record Rule(Form form, String text) implements Comparable<Rule> {

    /** What is hashed: the letter of the form, and the text. */
    String key() {
      return form.letter() + text;
    }

    @Override
    public int compareTo(Rule other) {
      return key().compareTo(other.key());
    }
  }

  /** What is known of an item. */
  public enum Verdict {
    /** A rule covers it, or seems to by chance. */
    DENIED,
    /** A rule seems to cover it, and an allow rule covers it. */
    ALLOWED,
    /** No rule covers it. */
    NOT_LISTED,
    /** It is neither a name nor a URL, an address or a digest. */
    UNREADABLE
  }

  /**
   * The answer for an item.
   *
   * @param verdict what is known of it
   * @param rules the rules that were found, the most specific ones first; those that allow it if it
   *     is allowed
   */
  public record Answer(Verdict verdict, List<Rule> rules) {
    /** Copies the list. */
    public Answer {
      rules = List.copyOf(rules);
    }
  }

  /**
   * What a list was built of.
   *
   * @param rules how many different rules deny
   * @param allowRules how many different rules allow
   * @param brokenLines how many lines could not be read and were skipped
   * @param broken the places of the first three of them and what is wrong
   * @param universe how many items were declared
   * @param denied how many of them are denied, by rules and not by chance
   * @param deniedItems the first three of them
   * @param exceptions how many keys would have been found by chance, and are not
   */
  public record Built(
      long rules,
      long allowRules,
      long brokenLines,
      List<String> broken,
      long universe,
      long denied,
      List<String> deniedItems,
      long exceptions) {
    /** Copies the lists. */
    public Built {
      broken = List.copyOf(broken);
      deniedItems = List.copyOf(deniedItems);
    }
  }

  /**
   * What a file says about itself.
   *
   * @param rules how many different rules deny
   * @param allowRules how many different rules allow
   * @param universe how many items were declared
   * @param rate the probability per lookup that an item is found by chance
   * @param sizeInBits the memory of its filters
   */
  public record Info(long rules, long allowRules, long universe, double rate, long sizeInBits) {}

  private static final Answer UNREADABLE = new Answer(Verdict.UNREADABLE, List.of());
  private static final Answer NOT_LISTED = new Answer(Verdict.NOT_LISTED, List.of());
  private static final long MOST_BYTES = 1L << 30;

  private final ListFile file;
  private final Set<Rule> allowed;
  private final BitSet allowedKinds = new BitSet(Item.KINDS);

  private DenyList(ListFile file) {
    this.file = file;
    this.allowed = new HashSet<>(file.allowed());
    for (Rule rule : allowed) {
      allowedKinds.set(Item.kind(rule));
    }
  }

  /**
   * Builds a list and writes it.
   *
   * @param lists the rules, each file plain or compressed as detected from its content
   * @param target the file, which is replaced as a whole
   * @param options how it is built
   * @return what was read
   * @throws IOException if a file cannot be read, if no line of the lists is a rule, or if the
   *     target cannot be written; it is then unchanged
   */
  public static Built build(List<Path> lists, Path target, DenyOptions options) throws IOException {
    return build(lists, target, options, bytes -> {});
  }

  /**
   * Builds a list and writes it, reporting how far reading has come.
   *
   * @param lists the rules, each file plain or compressed as detected from its content
   * @param target the file, which is replaced as a whole
   * @param options how it is built
   * @param progress gets the number of bytes of all files read since it was last called, before
   *     they are unpacked
   * @return what was read
   * @throws IOException if a file cannot be read, if no line of the lists is a rule, or if the
   *     target cannot be written; it is then unchanged
   */
  public static Built build(
      List<Path> lists, Path target, DenyOptions options, LongConsumer progress)
      throws IOException {
    Objects.requireNonNull(target, "target");
    return new ListWriter(options, progress).build(lists, target);
  }

  /**
   * Reads a list of up to 1 GiB into memory.
   *
   * @param file a file that {@link #build} wrote
   * @return the list
   * @throws FilterFormatException if the file is damaged or no deny list
   * @throws IOException if the file cannot be read
   */
  public static DenyList open(Path file) throws IOException {
    return open(file, MOST_BYTES);
  }

  /**
   * Reads a list into memory.
   *
   * @param file a file that {@link #build} wrote
   * @param maxBytes the longest file that is read
   * @return the list
   * @throws FilterFormatException if the file is damaged, no deny list, or too long
   * @throws IOException if the file cannot be read
   */
  public static DenyList open(Path file, long maxBytes) throws IOException {
    return new DenyList(ListFile.read(file, maxBytes));
  }

  /**
   * Checks an item.
   *
   * @param item the name of a host, a URL, an address, or the MD5, SHA-1 or SHA-256 of a file in
   *     hexadecimal
   * @return the answer
   */
  public Answer check(String item) {
    return check(item, rules -> true);
  }

  /**
   * Checks an item, and has a hit confirmed, for example by a server that has the rules.
   *
   * @param item the name of a host, a URL, an address, or the MD5, SHA-1 or SHA-256 of a file in
   *     hexadecimal
   * @param isListed whether one of the rules that were found is on the list; called at most once,
   *     and not for what is allowed. What it throws is passed on
   * @return the answer; {@link Verdict#NOT_LISTED} if the hit is not confirmed
   */
  public Answer check(String item, Predicate<? super List<Rule>> isListed) {
    Item parsed = Item.of(item);
    if (parsed == null) {
      return UNREADABLE;
    }
    List<Rule> found = found(parsed);
    if (found.isEmpty()) {
      return NOT_LISTED;
    }
    List<Rule> exceptions = parsed.rules(allowedKinds);
    exceptions.removeIf(rule -> !allowed.contains(rule));
    if (!exceptions.isEmpty()) {
      return new Answer(Verdict.ALLOWED, exceptions);
    }
    return isListed.test(found) ? new Answer(Verdict.DENIED, found) : NOT_LISTED;
  }

  private List<Rule> found(Item item) {
    List<Rule> found = item.rules(file.kinds());
    found.removeIf(rule -> !file.mightContain(rule));
    return found;
  }

  /**
   * How many rules are looked up for an item.
   *
   * @param item as for {@link #check(String)}
   * @return 0 if it cannot be read, or if the list has no rules that could cover it
   */
  public int lookups(String item) {
    Item parsed = Item.of(item);
    return parsed == null ? 0 : parsed.rules(file.kinds()).size();
  }

  /**
   * The probability that an item is found that no rule covers and that was not declared, before an
   * allow rule is looked for.
   *
   * @param item as for {@link #check(String)}
   * @return a probability
   */
  public double chance(String item) {
    return -Math.expm1(lookups(item) * Math.log1p(-info().rate()));
  }

  /**
   * What the file says about itself.
   *
   * @return facts
   */
  public Info info() {
    return new Info(file.rules(), allowed.size(), file.universe(), file.rate(), file.sizeInBits());
  }
}
