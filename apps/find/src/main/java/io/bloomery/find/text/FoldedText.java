package io.bloomery.find.text;

import io.bloomery.tools.text.CaseFolding;

/**
 * Text whose letters have no case, see {@link CaseFolding}. It has as many line ends as the text
 * that it was made of, and as many tokens. Not thread-safe.
 */
public final class FoldedText {

  private byte[] bytes = {};
  private int length;

  /** Takes other text. */
  public void set(byte[] text, int from, int to) {
    int most = CaseFolding.mostBytes(to - from);
    if (bytes.length < most) {
      bytes = new byte[most];
    }
    length = CaseFolding.fold(text, from, to - from, bytes, 0);
  }

  /** The array that starts with the folded text. */
  public byte[] bytes() {
    return bytes;
  }

  /** The length of the folded text in bytes. */
  public int length() {
    return length;
  }
}
