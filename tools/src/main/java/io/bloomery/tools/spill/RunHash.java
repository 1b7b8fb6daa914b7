package io.bloomery.tools.spill;

import io.bloomery.hash.Hasher;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The hash function for everything that ends with the command: tables, partitions of temporary
 * files, filters that are not saved. It is SipHash-2-4 under a random key, so that keys cannot be
 * prepared to collide, fill one partition or be mistaken for each other. Hashes that go to a file
 * use another function: a public one, or one under the user's secret.
 */
public final class RunHash {

  /** For tests, which need the same results each time: the key as 32 hexadecimal digits. */
  public static final String KEY_PROPERTY = "bloomery.run.key";

  private static final int KEY_BYTES = 16;

  private RunHash() {}

  /** A hash function that no other run has. */
  public static Hasher hasher() {
    String given = System.getProperty(KEY_PROPERTY);
    byte[] key = new byte[KEY_BYTES];
    if (given == null) {
      new SecureRandom().nextBytes(key);
    } else {
      key = HexFormat.of().parseHex(given);
    }
    return Hasher.keyed(key);
  }
}
