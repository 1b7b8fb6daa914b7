package io.bloomery.find;

import io.bloomery.find.text.DistinctHashes;
import io.bloomery.find.text.Tokens;
import io.bloomery.hash.Hasher;
import io.bloomery.tools.input.ColumnSplitter;
import io.bloomery.tools.input.JsonSplitter;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.text.CaseFolding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What counts as a key in an index.
 *
 * @param kind tokens, lines, columns or values of JSON
 * @param joints the characters that join words into one token, empty unless keys are tokens
 * @param columns which columns, null unless keys are columns
 * @param places the places of values as {@link JsonSplitter} takes them, empty unless keys are such
 * @param folded whether filters hold keys without case, as {@link CaseFolding} folds them
 * @param skipping whether rows that cannot be read are no records; otherwise they are problems
 */
@SuppressWarnings("exports") // Nullable: callers compile without it
public record KeyRule(
    Kind kind,
    String joints,
    @Nullable Columns columns,
    List<String> places,
    boolean folded,
    boolean skipping) {

  /** What is a key. */
  public enum Kind {
    /** Each token of a line. */
    TOKENS(0),
    /** Each line. */
    LINES(1),
    /** One or several columns of each row. */
    COLUMNS(2),
    /** One or several values of each line, which is JSON. */
    JSON(3);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    /** The code stored in the file. */
    int code() {
      return code;
    }

    /** The value with this code; null if there is none. */
    static @Nullable Kind of(int code) {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      return null;
    }
  }

  /**
   * The columns that are a key.
   *
   * @param names names or numbers, as {@link ColumnSplitter} takes them
   * @param separator what separates columns, null to see from the first row of each file
   * @param header whether the first row has names also where all columns have numbers
   */
  public record Columns(List<String> names, @Nullable Byte separator, boolean header) {
    ColumnSplitter splitter() {
      return new ColumnSplitter(names, separator, header);
    }

    /** Whether a key may have the values of several columns. */
    boolean areSeveral() {
      return names.size() > 1 || names.stream().anyMatch(name -> name.contains(","));
    }
  }

  /** The default characters that join words to one token. */
  public static final String JOINTS = "-.";

  /** Throws if the joints or the columns are invalid. */
  public KeyRule {
    for (byte joint : Octets.bytes(joints)) {
      if (joint < ' ') {
        throw new Problem("--joints can be printable characters of ASCII only");
      }
    }
    if (columns != null) {
      columns.splitter();
    }
    places = List.copyOf(places);
    if (kind == Kind.JSON) {
      JsonSplitter.check(places);
    }
  }

  private KeyRule(Kind kind, String joints, @Nullable Columns columns, List<String> places) {
    this(kind, joints, columns, places, false, false);
  }

  /** Keys are tokens with these joints. */
  public static KeyRule tokens(String joints) {
    return new KeyRule(Kind.TOKENS, joints, null, List.of());
  }

  /** Keys are whole lines. */
  public static KeyRule lines() {
    return new KeyRule(Kind.LINES, "", null, List.of());
  }

  /** Keys are columns. */
  public static KeyRule columns(Columns columns) {
    return new KeyRule(Kind.COLUMNS, "", columns, List.of());
  }

  /** Keys are the values at these places of each line, which is JSON. */
  public static KeyRule json(List<String> places) {
    return new KeyRule(Kind.JSON, "", null, places);
  }

  /** The same with keys of which filters ignore the case. */
  public KeyRule ignoringCase() {
    return new KeyRule(kind, joints, columns, places, true, skipping);
  }

  /** The same without rows that cannot be read. */
  public KeyRule skippingBadRows() {
    return new KeyRule(kind, joints, columns, places, folded, true);
  }

  /** Whether keys are parts of rows, which are found by splitting them. */
  boolean isOfRows() {
    return kind == Kind.COLUMNS || kind == Kind.JSON;
  }

  /** The tokenizer for this rule. */
  Tokens tokenizer() {
    return new Tokens(joints);
  }

  /** The end of the line at {@code from}: its line end or {@code to}. */
  static int lineEnd(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] != '\n') {
      at++;
    }
    return at;
  }

  /**
   * A key to search for, or a problem if the index cannot contain it.
   *
   * @param anyCase whether the case of letters is ignored: the key is then folded, and filters with
   *     keys as they are do not know it
   */
  Wanted wanted(String text, boolean anyCase) {
    if (!isOfRows() && text.indexOf('\n') >= 0) {
      throw new Problem("a key cannot hold a line end");
    }
    byte[] exact = Octets.bytes(text);
    byte[] key = anyCase ? CaseFolding.fold(exact) : exact;
    byte[] stored = folded ? CaseFolding.fold(exact) : exact;
    boolean unknown = anyCase && !folded;
    if (kind != Kind.TOKENS) {
      long[] hashes = unknown ? new long[0] : new long[] {Hash.HASHER.hash(stored)};
      return new Wanted(key, hashes, 0, key.length);
    }
    DistinctHashes hashes = new DistinctHashes();
    Tokens tokens = tokenizer();
    tokens.hash(stored, 0, stored.length, Hash.HASHER, hashes);
    if (hashes.size() == 0) {
      throw new Problem(
          "the key \"%s\" has no letter or digit, so that no index has it; grep -F finds it"
              .formatted(text));
    }
    return new Wanted(
        key, unknown ? new long[0] : hashes.toArray(), tokens.first(key), tokens.last(key));
  }

  /**
   * A key to search for.
   *
   * @param bytes the bytes to match
   * @param hashes the hashes of all its tokens, or of the line or row; none if filters cannot be
   *     asked for it
   * @param first where its first token starts
   * @param last where its last token ends
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Wanted(byte[] bytes, long[] hashes, int first, int last) {}

  /**
   * The hash function for the keys of every index. A class of its own, because it takes the JVM 12
   * ms to start, which another thread does while the index is being read.
   */
  static final class Hash {

    static final Hasher HASHER = Hasher.xxh3();

    private Hash() {}
  }
}
