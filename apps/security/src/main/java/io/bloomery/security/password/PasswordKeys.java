package io.bloomery.security.password;

import io.bloomery.HashedFilter;
import io.bloomery.hash.Hasher;
import java.security.DigestException;
import java.security.MessageDigest;
import java.util.Arrays;

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

  /** Forgets the password that was taken last, of which the digest's buffer holds a part. */
  void clear() {
    sha1.reset();
    Arrays.fill(key, (byte) 0);
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

  /** Whether a password, of which this has the digest, is one change away from a listed one. */
  boolean isOneChangeAway(byte[] password, HashedFilter filter) {
    int to = password.length;
    if (characters(password, 0, to) > MOST_CHARACTERS + 1) {
      return false;
    }
    if (filter.mightContainHash(deleted())) {
      return true;
    }
    int position = 0;
    for (int at = 0; at < to; position++) {
      int next = characterEnd(password, at, to);
      takeWithout(password, 0, to, at, next);
      if (filter.mightContainHash(listed()) || filter.mightContainHash(deletedAt(position))) {
        return true;
      }
      at = next;
    }
    return false;
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
