package io.bloomery.chart;

/** What a chart is painted on; coordinates are pixels from the upper left corner. */
interface Surface {

  /** Which part of a text is at its position. */
  enum Anchor {
    START,
    MIDDLE,
    END
  }

  /**
   * How letters look.
   *
   * @param size the height in pixels
   * @param bold whether they are bold
   * @param colour red, green and blue, 8 bits each
   * @param upwards whether the line of letters goes from below to above
   */
  record Letters(int size, boolean bold, int colour, boolean upwards) {}

  /** A line through points, x and y alternating; {@code dashes} may be empty. */
  void line(double[] points, int colour, double width, double... dashes);

  /** An area within corners, x and y alternating, filled and with an outline. */
  void area(double[] corners, int fill, int outline);

  /** A text, with an exponent after it that may be empty; y is that of the base line. */
  void text(double x, double y, Anchor anchor, Letters letters, String text, String exponent);
}
