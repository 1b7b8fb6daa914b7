package io.bloomery.tools.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.foreign.TypedKeys;
import io.bloomery.tools.text.CaseFolding;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The form in which keys are compared.
 *
 * @param trimmed whether blanks around a key, the ASCII characters from tab to carriage return and
 *     the space, are not part of it
 * @param folded whether the case of letters does not matter: {@link CaseFolding}; for text only
 * @param type the type whose canonical texts take the place of keys; null: keys stay as they are
 */
public record KeyForm(boolean trimmed, boolean folded, TypedKeys.@Nullable Type type) {

  /** Keys as they are. */
  public static final KeyForm AS_IT_IS = new KeyForm(false, false, null);

  private static final int SURE_DIGITS = 9; // a number of any type

  /** Whether keys stay as they are. */
  public boolean isAsItIs() {
    return !trimmed && !folded && type == null;
  }

  /** Brings the keys of a block into this form; those that become empty are treated as such. */
  void apply(Block block) {
    block.retain(
        i -> {
          if (trimmed) {
            int from = start(block.bytes(), block.keyStarts()[i], block.keyEnds()[i]);
            block.setKey(i, from, end(block.bytes(), from, block.keyEnds()[i]));
          }
          int start = block.keyStarts()[i];
          int length = block.keyEnds()[i] - start;
          if (length == 0) {
            return block.keepsEmpty();
          }
          return isCanonical(block.bytes(), start, length) || replace(block, i, start, length);
        });
  }

  private boolean replace(Block block, int key, int start, int length) {
    try {
      byte[] canonical = canonical(block.bytes(), start, length);
      int from = block.putAside(canonical, canonical.length);
      block.setKey(key, from, from + canonical.length);
      return true;
    } catch (IllegalArgumentException e) {
      block.addBad(
          block.starts()[key],
          block.ends()[key],
          () -> String.valueOf(Reading.problem(block, key, e).getMessage()));
      return false;
    }
  }

  /**
   * A key in this form.
   *
   * @throws IllegalArgumentException if it is not a value of the type
   */
  public byte[] of(byte[] bytes, int offset, int length) {
    int from = trimmed ? start(bytes, offset, offset + length) : offset;
    int to = trimmed ? end(bytes, from, offset + length) : offset + length;
    return canonical(bytes, from, to - from);
  }

  private byte[] canonical(byte[] bytes, int offset, int length) {
    if (folded) {
      return CaseFolding.fold(Arrays.copyOfRange(bytes, offset, offset + length));
    }
    return type == null || length == 0 || isCanonical(bytes, offset, length)
        ? Arrays.copyOfRange(bytes, offset, offset + length)
        : type.canonical(new String(bytes, offset, length, UTF_8)).getBytes(UTF_8);
  }

  /**
   * Whether a key certainly is in its canonical form: a few digits, the first of them not 0; or
   * text in which nothing is to be folded.
   */
  private boolean isCanonical(byte[] bytes, int offset, int length) {
    if (folded) {
      return CaseFolding.isPlain(bytes, offset, length);
    }
    if (type == null || type == TypedKeys.Type.TEXT || type == TypedKeys.Type.UTF16) {
      return true;
    }
    boolean isNumber =
        type == TypedKeys.Type.INT32
            || type == TypedKeys.Type.INT64
            || type == TypedKeys.Type.NUMBER;
    if (!isNumber || length > SURE_DIGITS || (bytes[offset] == '0' && length > 1)) {
      return false;
    }
    for (int i = offset; i < offset + length; i++) {
      if (bytes[i] < '0' || bytes[i] > '9') {
        return false;
      }
    }
    return true;
  }

  private static int start(byte[] bytes, int from, int to) {
    int start = from;
    while (start < to && isBlank(bytes[start])) {
      start++;
    }
    return start;
  }

  private static int end(byte[] bytes, int from, int to) {
    int end = to;
    while (end > from && isBlank(bytes[end - 1])) {
      end--;
    }
    return end;
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || (b >= '\t' && b <= '\r');
  }
}
