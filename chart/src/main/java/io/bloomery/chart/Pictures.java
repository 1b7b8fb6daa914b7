package io.bloomery.chart;

/** Renders charts as bytes and texts. Equal charts give equal output. */
public final class Pictures {

  /** Pixels of PNG for each unit of length of SVG. */
  private static final int SCALE = 2;

  private Pictures() {}

  /** How many series a chart can show so that each looks different. */
  public static final int MOST_LOOKS = Look.COUNT;

  /**
   * How high a picture has to be so that title, panels and legend have room.
   *
   * @param chart the chart
   * @param width its width, 240 or more
   * @return the least height, in the unit of the width
   * @throws IllegalArgumentException if the width is below 240
   */
  public static int leastHeight(Chart chart, int width) {
    return ChartPainter.leastHeight(chart, width);
  }

  /**
   * A chart as SVG. It has other colours where the reader prefers dark pages.
   *
   * @param chart the chart
   * @param width in pixels
   * @param height in pixels
   * @return the document
   * @throws IllegalArgumentException if the height is below {@link #leastHeight}
   */
  public static String svg(Chart chart, int width, int height) {
    SvgSurface surface = new SvgSurface(width, height, chart.title());
    new ChartPainter(chart, surface, width, height).paint();
    return surface.finish();
  }

  /**
   * A chart as PNG, with two pixels for each of {@code width} and {@code height}.
   *
   * @param chart the chart
   * @param width in units of two pixels
   * @param height in units of two pixels
   * @return the file
   * @throws IllegalArgumentException if the height is below {@link #leastHeight}
   */
  public static byte[] png(Chart chart, int width, int height) {
    ImageSurface surface = new ImageSurface(width, height, SCALE);
    new ChartPainter(chart, surface, width, height).paint();
    return surface.finish();
  }

  /**
   * A chart for a terminal: curves of dots, each with a letter that the legend explains.
   *
   * @param chart the chart
   * @param columns the width in letters, 30 or more
   * @param lines the height of a panel in lines, 3 or more
   * @param coloured whether curves have colours
   * @return lines of text
   * @throws IllegalArgumentException if columns or lines are too few
   */
  public static String text(Chart chart, int columns, int lines, boolean coloured) {
    return new TerminalChart(chart, columns, lines, coloured).paint();
  }
}
