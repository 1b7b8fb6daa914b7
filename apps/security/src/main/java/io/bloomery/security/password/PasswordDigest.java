package io.bloomery.security.password;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** The digest that stands for a password in published lists. */
enum PasswordDigest {
  /** SHA-1 of the password in UTF-8. */
  SHA1("SHA-1", 20),
  /** MD4 of the password in UTF-16, little-endian. */
  NTLM("NTLM", Md4.BYTES);

  private final String label;
  private final int length;

  PasswordDigest(String label, int length) {
    this.label = label;
    this.length = length;
  }

  /** The name in files and reports. */
  String label() {
    return label;
  }

  /** Whether a text is a label. */
  static boolean isLabel(String text) {
    return SHA1.label.equals(text) || NTLM.label.equals(text);
  }

  /** The digest with a label. */
  static PasswordDigest labelled(String label) {
    return NTLM.label.equals(label) ? NTLM : SHA1;
  }

  /** The bytes of a digest. */
  int length() {
    return length;
  }

  /** The JDK's SHA-1, which every JDK has. */
  static MessageDigest sha1() {
    try {
      return MessageDigest.getInstance("SHA-1");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("a JDK without SHA-1", e);
    }
  }

  /** Writes the NTLM hash of a password in UTF-8; what is not UTF-8 counts as U+FFFD. */
  static void ntlm(byte[] password, int from, int to, byte[] out) {
    CharBuffer chars = CharBuffer.allocate(to - from);
    CoderResult result =
        UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE)
            .decode(ByteBuffer.wrap(password, from, to - from), chars, true);
    requireDone(result);
    byte[] wide = new byte[2 * chars.position()];
    for (int i = 0; i < chars.position(); i++) {
      char c = chars.get(i);
      wide[2 * i] = (byte) c;
      wide[2 * i + 1] = (byte) (c >>> Byte.SIZE);
    }
    Md4.digest(wide, wide.length, out);
    Arrays.fill(wide, (byte) 0);
    Arrays.fill(chars.array(), '\0');
  }

  /** The bytes of a password in UTF-8, to be cleared by the caller. */
  static byte[] utf8(char[] password) {
    ByteBuffer bytes = ByteBuffer.allocate(3 * password.length);
    CoderResult result =
        UTF_8
            .newEncoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE)
            .encode(CharBuffer.wrap(password), bytes, true);
    requireDone(result);
    byte[] exact = Arrays.copyOf(bytes.array(), bytes.position());
    Arrays.fill(bytes.array(), (byte) 0);
    return exact;
  }

  /** There is room for the longest result, and nothing is an error. */
  private static void requireDone(CoderResult result) {
    try {
      if (!result.isUnderflow()) {
        result.throwException();
      }
    } catch (CharacterCodingException e) {
      throw new IllegalStateException("a charset that replaces nothing", e);
    }
  }
}
