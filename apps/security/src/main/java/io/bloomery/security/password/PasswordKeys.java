package io.bloomery.security.password;

import io.bloomery.hash.Hasher;
import java.security.DigestException;
import java.security.MessageDigest;

/**
 * The keys under which a list holds its passwords, as hashes: the digest alone for a listed
 * password, and the digest with a mark for what else is known. Marked keys are longer, so that none
 * is the key of a password.
 *
 * <p>Not thread-safe.
 */
final class PasswordKeys {

  /** Counts from which a password belongs to a class, one for each. */
  static final int[] CLASSES = {10, 100, 1000};

  /** Changes of longer passwords are not kept. */
  static final int MOST_CHARACTERS = 128;

  private static final byte SEEN = 'c';
  private static final byte DELETED = 'd';
  private static final byte DELETED_AT = 'm';
  private static final int MARK_BYTES = 2;

  private final PasswordDigest digest;
  private final Hasher hasher;
  private final MessageDigest sha1 = PasswordDigest.sha1();
  private final byte[] key;

  PasswordKeys(PasswordDigest digest, Hasher hasher) {
    this.digest = digest;
    this.hasher = hasher;
    this.key = new byte[digest.length() + MARK_BYTES];
  }

  /** The digest that the next keys are of; its bytes are to be written to the array's start. */
  byte[] digest() {
    return key;
  }

  /** Takes the digest of a password. */
  void take(byte[] bytes, int from, int to) {
    if (digest == PasswordDigest.NTLM) {
      PasswordDigest.ntlm(bytes, from, to, key);
      return;
    }
    sha1.update(bytes, from, to - from);
    finish();
  }

  /** Takes the digest of a password without the bytes of one of its characters. */
  void takeWithout(byte[] bytes, int from, int to, int start, int end) {
    sha1.update(bytes, from, start - from);
    sha1.update(bytes, end, to - end);
    finish();
  }

  private void finish() {
    try {
      sha1.digest(key, 0, digest.length());
    } catch (DigestException e) {
      throw new IllegalStateException("a digest that is longer than SHA-1", e);
    }
  }

  /** The key of a listed password. */
  long listed() {
    return hasher.hash(key, 0, digest.length());
  }

  /** The key of a listed password that was seen often enough for a class. */
  long seen(int countClass) {
    return marked(SEEN, countClass);
  }

  /** The key of a listed password that lost any character. */
  long deleted() {
    return marked(DELETED, 0);
  }

  /** The key of a listed password that lost the character at a position. */
  long deletedAt(int position) {
    return marked(DELETED_AT, position);
  }

  private long marked(byte mark, int value) {
    key[digest.length()] = mark;
    key[digest.length() + 1] = (byte) value;
    return hasher.hash(key, 0, key.length);
  }

  /** The end of the character that begins at a place of text in UTF-8. */
  static int characterEnd(byte[] bytes, int at, int to) {
    int end = at + 1;
    while (end < to && (bytes[end] & 0xC0) == 0x80) {
      end++;
    }
    return end;
  }

  /** The number of characters of text in UTF-8. */
  static int characters(byte[] bytes, int from, int to) {
    int characters = 0;
    for (int at = from; at < to; at = characterEnd(bytes, at, to)) {
      characters++;
    }
    return characters;
  }
}
