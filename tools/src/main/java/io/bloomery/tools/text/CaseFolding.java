package io.bloomery.tools.text;

import java.util.Arrays;

/**
 * Bytes whose letters are compared without regard to case: UTF-8 by the simple case folding of
 * Unicode 16.0, on every JVM and in every locale.
 *
 * <p>Simple folding maps each code point to one code point. So {@code ẞ} becomes {@code ß}, but
 * {@code ß} does not become {@code ss}; the ligature {@code ﬁ} does not become {@code fi}; and
 * letters with combining accents are not composed. {@code I} becomes {@code i} as in most
 * languages; the dotless {@code ı} and the dotted {@code İ} of Turkish stay what they are, equal to
 * neither. The Kelvin sign becomes {@code k}, the long {@code ſ} an {@code s}, and a final {@code
 * ς} a {@code σ}.
 *
 * <p>Bytes that are not part of well-formed UTF-8 stay as they are, so any bytes can be folded.
 * Folding twice gives what folding once gives.
 */
public final class CaseFolding {

  /** The version of Unicode whose folding this is. */
  public static final String UNICODE = "16.0";

  private CaseFolding() {}

  /** What a code point becomes; itself if it has no simple folding. */
  public static int fold(int codePoint) {
    return codePoint < 0x80 ? foldAscii(codePoint) : FoldingTable.fold(codePoint);
  }

  /**
   * Whether bytes certainly are what they become: ASCII without capital letters. Others may be,
   * too.
   */
  public static boolean isPlain(byte[] bytes, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      byte b = bytes[i];
      if (b < 0 || (b >= 'A' && b <= 'Z')) {
        return false;
      }
    }
    return true;
  }

  /** The folded bytes, in an array of their own. */
  public static byte[] fold(byte[] bytes) {
    int ascii = 0;
    while (ascii < bytes.length && bytes[ascii] >= 0) {
      ascii++;
    }
    byte[] folded = new byte[ascii == bytes.length ? ascii : mostBytes(bytes.length)];
    int length = fold(bytes, 0, bytes.length, folded, 0);
    return length == folded.length ? folded : Arrays.copyOf(folded, length);
  }

  /**
   * The most bytes that {@code length} bytes become: {@code Ⱥ} and {@code Ⱦ} have two bytes and
   * become letters of three.
   */
  public static int mostBytes(int length) {
    return (int) Math.min(Integer.MAX_VALUE - 8L, length + length / 2L);
  }

  /**
   * Folds into a given array, and returns the number of bytes written. ASCII stays of its length
   * and allocates nothing.
   *
   * @param to another array, with room for {@link #mostBytes}, or for {@code length} if all bytes
   *     are ASCII
   */
  public static int fold(byte[] bytes, int offset, int length, byte[] to, int at) {
    int end = offset + length;
    int in = offset;
    int out = at;
    while (in < end) {
      byte first = bytes[in];
      if (first >= 0) {
        to[out++] = (byte) foldAscii(first);
        in++;
        continue;
      }
      int size = sequenceLength(bytes, in, end);
      if (size == 1) {
        to[out++] = first;
      } else {
        int codePoint = codePoint(bytes, in, size);
        int folded = FoldingTable.fold(codePoint);
        if (folded == codePoint) {
          System.arraycopy(bytes, in, to, out, size);
          out += size;
        } else {
          out = write(folded, to, out);
        }
      }
      in += size;
    }
    return out - at;
  }

  private static int foldAscii(int c) {
    return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
  }

  /** Of the well-formed sequence that begins here; 1 if none does. */
  private static int sequenceLength(byte[] bytes, int at, int end) {
    int first = bytes[at] & 0xFF;
    if (first < 0xC2 || first > 0xF4 || at + 1 >= end) {
      return 1; // a continuation, an overlong form, too large, or cut off
    }
    int second = bytes[at + 1] & 0xFF;
    if (second < lowestSecond(first) || second > highestSecond(first)) {
      return 1;
    }
    int size = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (at + size > end) {
      return 1;
    }
    for (int i = 2; i < size; i++) {
      if ((bytes[at + i] & 0xC0) != 0x80) {
        return 1;
      }
    }
    return size;
  }

  /** Above overlong forms. */
  private static int lowestSecond(int first) {
    return first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  }

  /** Below surrogates and what is no code point. */
  private static int highestSecond(int first) {
    return first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  }

  private static int codePoint(byte[] bytes, int at, int size) {
    int value = bytes[at] & (0x7F >> size);
    for (int i = 1; i < size; i++) {
      value = value << 6 | (bytes[at + i] & 0x3F);
    }
    return value;
  }

  private static int write(int codePoint, byte[] to, int at) {
    int out = at;
    if (codePoint < 0x80) {
      to[out++] = (byte) codePoint;
    } else if (codePoint < 0x800) {
      to[out++] = (byte) (0xC0 | (codePoint >> 6));
      to[out++] = (byte) (0x80 | (codePoint & 0x3F));
    } else if (codePoint < 0x10000) {
      to[out++] = (byte) (0xE0 | (codePoint >> 12));
      to[out++] = (byte) (0x80 | ((codePoint >> 6) & 0x3F));
      to[out++] = (byte) (0x80 | (codePoint & 0x3F));
    } else {
      to[out++] = (byte) (0xF0 | (codePoint >> 18));
      to[out++] = (byte) (0x80 | ((codePoint >> 12) & 0x3F));
      to[out++] = (byte) (0x80 | ((codePoint >> 6) & 0x3F));
      to[out++] = (byte) (0x80 | (codePoint & 0x3F));
    }
    return out;
  }
}
