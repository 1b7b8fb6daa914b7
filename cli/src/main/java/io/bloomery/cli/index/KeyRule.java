package io.bloomery.cli.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.cli.console.Problem;
import io.bloomery.cli.report.Text;
import io.bloomery.hash.Hasher;

/**
 * What the keys of an index are.
 *
 * @param lines whether each line is a key; otherwise its tokens are
 * @param joints what joins words to one token, empty for lines
 */
record KeyRule(boolean lines, String joints) {

  /** What hashes the keys of every index. */
  static final Hasher HASHER = Hasher.xxh3();

  /** Checks the joints. */
  KeyRule {
    for (byte joint : joints.getBytes(UTF_8)) {
      if (joint < ' ') {
        throw new Problem("--joints can be printable characters of ASCII only");
      }
    }
  }

  /** The tokens, as this rule joins them. */
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

  /** Where the line at {@code from} ends: at its line end or at {@code to}. */
  static int lineEnd(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] != '\n') {
      at++;
    }
    return at;
  }

  /** A key that somebody looks for, or a problem if the index cannot have it. */
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
   * A key that somebody looks for.
   *
   * @param bytes what must stand there
   * @param hashes of all tokens in it, or of the line
   * @param first where in it the first token begins
   * @param last where the last one ends
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Wanted(byte[] bytes, long[] hashes, int first, int last) {}
}
