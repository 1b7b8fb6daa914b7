/** Charts as SVG, PNG and terminal text. */
module io.bloomery.chart {
  requires java.desktop;

  exports io.bloomery.chart;
}
