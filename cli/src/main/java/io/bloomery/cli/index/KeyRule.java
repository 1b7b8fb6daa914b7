package io.bloomery.cli.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.cli.console.Problem;
import io.bloomery.cli.report.Text;
import io.bloomery.hash.Hasher;

/**
 * What counts as a key in an index.
 *
 * @param lines whether each line is a key; otherwise its tokens are
 * @param joints the characters that join words into one token, empty for lines
 */
record KeyRule(boolean lines, String joints) {

  /** The hasher for the keys of every index. */
  static final Hasher HASHER = Hasher.xxh3();

  /** Checks the joints. */
  KeyRule {
    for (byte joint : joints.getBytes(UTF_8)) {
      if (joint < ' ') {
        throw new Problem("--joints can be printable characters of ASCII only");
      }
    }
  }

  /** The tokenizer for this rule. */
  Tokens tokens() {
    return new Tokens(joints);
  }

  /** Adds the hashes of all keys of some whole lines. */
  void hash(byte[] bytes, int from, int to, HashSet hashes) {
    if (!lines) {
      tokens().hash(bytes, from, to, HASHER, hashes);
      return;
    }
    int start = from;
    while (start < to) {
      int end = lineEnd(bytes, start, to);
      int last = end > start && bytes[end - 1] == '\r' ? end - 1 : end;
      hashes.add(HASHER.hash(bytes, start, last - start));
      start = end + 1;
    }
  }

  /** The end of the line at {@code from}: its line end or {@code to}. */
  static int lineEnd(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] != '\n') {
      at++;
    }
    return at;
  }

  /** A key to search for, or a problem if the index cannot contain it. */
  Wanted wanted(String text) {
    byte[] key = text.getBytes(UTF_8);
    if (text.indexOf('\n') >= 0) {
      throw new Problem("a key cannot hold a line end");
    }
    HashSet hashes = new HashSet();
    if (lines) {
      hashes.add(HASHER.hash(key));
      return new Wanted(key, hashes.toArray(), 0, key.length);
    }
    Tokens tokens = tokens();
    tokens.hash(key, 0, key.length, HASHER, hashes);
    if (hashes.size() == 0) {
      throw new Problem(
          "the key \"%s\" has no letter or digit, so that no index has it; grep -F finds it"
              .formatted(Text.shown(key, 0, key.length)));
    }
    return new Wanted(key, hashes.toArray(), tokens.first(key), tokens.last(key));
  }

  /**
   * A key to search for.
   *
   * @param bytes the bytes to match
   * @param hashes the hashes of all its tokens, or of the line
   * @param first where its first token starts
   * @param last where its last token ends
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Wanted(byte[] bytes, long[] hashes, int first, int last) {}
}
