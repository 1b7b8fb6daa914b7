package io.bloomery.chart;

/**
 * What distinguishes series: a colour, dashes and a mark, each different. The colours are those of
 * Okabe and Ito ("Color Universal Design", 2008) that are visible on white; colour-blind readers
 * can distinguish them. On a dark background they are lighter.
 */
final class Look {

  private static final Look[] LOOKS = {
    new Look(0x0072B2, 0x4C9BE8, 32, new double[0], circle()),
    new Look(0xD55E00, 0xF0782E, 166, new double[] {8, 3}, 45, 135, 225, 315),
    new Look(0x009E73, 0x2FC79B, 36, new double[] {2.5, 2.5}, 0, 120, 240),
    new Look(0x000000, 0xF0F0F0, 244, new double[] {10, 3, 2, 3}, 0, 90, 180, 270),
    new Look(0xCC79A7, 0xE39AC4, 175, new double[] {14, 4}, 60, 180, 300),
    new Look(0xE69F00, 0xF0B429, 178, new double[] {5, 2, 1.5, 2, 1.5, 2}, 0, 72, 144, 216, 288),
    new Look(0x56B4E9, 0x8FD3F9, 74, new double[] {5, 5}, 30, 90, 150, 210, 270, 330),
    new Look(0x777777, 0x9A9A9A, 240, new double[] {1.5, 4}, 30, 150, 270),
  };

  /** How many different looks there are. */
  static final int COUNT = LOOKS.length;

  private final int colour;
  private final int onDark;
  private final int terminal;
  private final double[] dashes;
  private final double[] corners;

  /** Corners of the mark are on the unit circle, in degrees clockwise from the top. */
  private Look(int colour, int onDark, int terminal, double[] dashes, double... corners) {
    this.colour = colour;
    this.onDark = onDark;
    this.terminal = terminal;
    this.dashes = dashes;
    this.corners = corners;
  }

  static Look of(int number) {
    return LOOKS[number % LOOKS.length];
  }

  /** Red, green and blue, 8 bits each. */
  int colour() {
    return colour;
  }

  /** The same hue for a dark background. */
  int onDark() {
    return onDark;
  }

  /** The nearest of the 256 colours of terminals. */
  int terminal() {
    return terminal;
  }

  /** Lengths of dashes and gaps; empty for a line without gaps. */
  double[] dashes() {
    return dashes.clone();
  }

  private static double[] circle() {
    double[] corners = new double[24];
    for (int i = 0; i < corners.length; i++) {
      corners[i] = 360.0 * i / corners.length;
    }
    return corners;
  }

  /** The corners of the mark around a place, x and y alternating. */
  double[] mark(double x, double y, double radius) {
    double[] points = new double[2 * corners.length];
    for (int i = 0; i < corners.length; i++) {
      double angle = Math.toRadians(corners[i]);
      points[2 * i] = x + radius * Math.sin(angle);
      points[2 * i + 1] = y - radius * Math.cos(angle);
    }
    return points;
  }
}
