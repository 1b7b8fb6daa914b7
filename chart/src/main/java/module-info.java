/** Charts as SVG, PNG and terminal text. */
module io.bloomery.chart {
  requires java.desktop;
  requires static org.jspecify; // annotations, for compilers and editors

  exports io.bloomery.chart;
}
