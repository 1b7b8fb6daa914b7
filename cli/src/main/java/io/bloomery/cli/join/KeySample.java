package io.bloomery.cli.join;

import io.bloomery.foreign.TypedKeys;
import io.bloomery.tools.input.KeyForm;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.text.CaseFolding;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The first keys of a side, whose form may explain why no key matches the other side. */
final class KeySample {

  private static final int MOST = 1_000;
  private static final int LONGEST = 100;
  private static final KeyForm TRIMMED = new KeyForm(true, false, null);

  private final Map<String, String> folded = new HashMap<>(); // keys by what case leaves of them
  private int count;
  private int numbers;
  private String first = "";
  private String blank = ""; // a key with blanks around it
  private String other = ""; // a number that is not in canonical form

  /** Whether further keys are ignored. */
  boolean isFull() {
    return count == MOST;
  }

  /** Adds a key. */
  void add(byte[] bytes, int offset, int length) {
    if (isFull()) {
      return;
    }
    count++;
    if (length > LONGEST) {
      return; // not a number
    }
    byte[] key = TRIMMED.of(bytes, offset, length);
    String text = Octets.text(key);
    first = first.isEmpty() ? text : first;
    folded.putIfAbsent(Octets.text(CaseFolding.fold(key)), text);
    if (blank.isEmpty() && key.length < length) {
      blank = Octets.text(Arrays.copyOfRange(bytes, offset, offset + length));
    }
    try {
      String canonical = TypedKeys.Type.NUMBER.canonical(text);
      numbers++;
      other = other.isEmpty() && !canonical.equals(text) ? text : other;
    } catch (IllegalArgumentException e) {
      return; // text
    }
  }

  private boolean hasOnlyNumbers() {
    return count > 0 && numbers == count;
  }

  /**
   * A possible reason why two sides have no key in common.
   *
   * @param form the form in which they were compared
   */
  static Optional<String> hint(KeySample left, KeySample right, KeyForm form) {
    if (left.count == 0 || right.count == 0) {
      return Optional.empty();
    }
    String blank = left.blank.isEmpty() ? right.blank : left.blank;
    if (!form.trimmed() && !blank.isEmpty()) {
      return Optional.of(
          "no key is on both sides, and some have blanks around them, such as \"%s\"; --trim removes them"
              .formatted(blank));
    }
    if (!form.folded() && form.type() == null) {
      for (Map.Entry<String, String> each : left.folded.entrySet()) {
        String there = right.folded.get(each.getKey());
        if (there != null && !there.equals(each.getValue())) {
          return Optional.of(
              "no key is on both sides, and some differ only in case, such as \"%s\" and \"%s\"; --ignore-case makes these equal"
                  .formatted(each.getValue(), there));
        }
      }
    }
    String other = left.other.isEmpty() ? right.other : left.other;
    if (left.hasOnlyNumbers() && right.hasOnlyNumbers()) {
      return form.type() != null || other.isEmpty()
          ? Optional.empty()
          : Optional.of(
              "no key is on both sides, and some numbers are not in canonical form, such as \"%s\"; --type number compares values"
                  .formatted(other));
    }
    if (left.hasOnlyNumbers() && right.numbers == 0) {
      return Optional.of(mixed("left", left.first, "right", right.first));
    }
    return right.hasOnlyNumbers() && left.numbers == 0
        ? Optional.of(mixed("right", right.first, "left", left.first))
        : Optional.empty();
  }

  private static String mixed(String side, String number, String other, String text) {
    return "no key is on both sides: those on the %s are numbers, such as \"%s\", those on the %s are not, such as \"%s\""
        .formatted(side, number, other, text);
  }
}
