package io.bloomery.chart;

/** Charts as bytes and texts. Equal charts give equal ones. */
public final class Pictures {

  /** Pixels of PNG for each unit of length of SVG. */
  private static final int SCALE = 2;

  private Pictures() {}

  /** How many series a chart can show so that each looks different. */
  public static final int MOST_LOOKS = Look.COUNT;

  /**
   * A chart as SVG.
   *
   * @param chart the chart
   * @param width in pixels
   * @param height in pixels
   * @return the document
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
   * @param columns the width in letters
   * @param lines the height of a panel in lines
   * @param coloured whether curves have colours
   * @return lines of text
   */
  public static String text(Chart chart, int columns, int lines, boolean coloured) {
    return new TerminalChart(chart, columns, lines, coloured).paint();
  }
}
