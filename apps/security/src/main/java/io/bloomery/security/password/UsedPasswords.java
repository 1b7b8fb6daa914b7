package io.bloomery.security.password;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.AddableFilter;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The passwords that users had before, in a filter whose hash is keyed. */
final class UsedPasswords {

  private final AddableFilter filter;

  UsedPasswords(AddableFilter filter) {
    if (!filter.hasher().isKeyed()) {
      throw new IllegalArgumentException(
          "the filter's hash has no key, so whoever reads it can test guesses");
    }
    this.filter = filter;
  }

  void add(String user, byte[] password) {
    filter.addHash(hash(user, password));
  }

  boolean mightContain(String user, byte[] password) {
    return filter.mightContainHash(hash(user, password));
  }

  /** Of both, so that no two pairs have the same bytes. */
  private long hash(String user, byte[] password) {
    byte[] name = user.getBytes(UTF_8);
    byte[] key =
        ByteBuffer.allocate(Integer.BYTES + name.length + password.length)
            .putInt(name.length)
            .put(name)
            .put(password)
            .array();
    long hash = filter.hasher().hash(key);
    Arrays.fill(key, (byte) 0);
    return hash;
  }
}
