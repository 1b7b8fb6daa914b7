package io.bloomery.chart;

import java.util.ArrayList;
import java.util.List;

/**
 * Approximate widths of letters: those of DejaVu Sans, rounded up. It is wider than Helvetica and
 * Arial, so a text that fits here fits with all of them.
 */
final class TextWidths {

  private static final String NARROW = "iljI|.,:;'!·()[]{}ftr ";
  private static final String WIDE = "mwMW%@—…";
  private static final String SIGNS = "−+=×<>~";
  private static final double BOLD = 1.12;

  private TextWidths() {}

  /** The width of a text, in pixels. */
  static double of(String text, int size, boolean bold) {
    double width = text.codePoints().mapToDouble(TextWidths::em).sum();
    return width * size * (bold ? BOLD : 1);
  }

  private static double em(int letter) {
    if (NARROW.indexOf(letter) >= 0) {
      return 0.42;
    }
    if (WIDE.indexOf(letter) >= 0) {
      return 1;
    }
    if (SIGNS.indexOf(letter) >= 0) {
      return 0.84;
    }
    return Character.isUpperCase(letter) ? 0.76 : letter > 0x2E7F ? 1 : 0.64;
  }

  /** The text, or its beginning and an ellipsis if it is wider than {@code most}. */
  static String cut(String text, int size, boolean bold, double most) {
    if (of(text, size, bold) <= most) {
      return text;
    }
    int[] letters = text.codePoints().toArray();
    int count = letters.length;
    while (count > 0 && of(new String(letters, 0, count) + "…", size, bold) > most) {
      count--;
    }
    return new String(letters, 0, count).stripTrailing() + "…";
  }

  /** The lines of a text, broken at spaces; a word that is too wide is cut. */
  static List<String> wrap(String text, int size, boolean bold, double most) {
    List<String> lines = new ArrayList<>();
    String line = "";
    for (String word : text.split(" ", -1)) {
      String longer = line.isEmpty() ? word : line + " " + word;
      if (!line.isEmpty() && of(longer, size, bold) > most) {
        lines.add(line);
        longer = word;
      }
      line = cut(longer, size, bold, most);
    }
    lines.add(line);
    return lines;
  }
}
