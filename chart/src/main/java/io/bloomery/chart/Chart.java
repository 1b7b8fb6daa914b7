package io.bloomery.chart;

import java.util.ArrayList;
import java.util.List;

/**
 * A picture: one panel, or several below each other.
 *
 * @param title its title
 * @param note its conditions, in smaller letters below the title
 * @param panels from top to bottom
 */
public record Chart(String title, String note, List<Panel> panels) {

  /**
   * Series over a pair of axes.
   *
   * @param x the horizontal axis
   * @param y the vertical axis
   * @param series from back to front
   */
  public record Panel(Axis x, Axis y, List<Series> series) {
    public Panel {
      series = List.copyOf(series);
    }
  }

  public Chart {
    panels = List.copyOf(panels);
  }

  /** One series of each name, in the order of the first panel that has it. */
  List<Series> legend() {
    List<Series> entries = new ArrayList<>();
    for (Panel panel : panels) {
      for (Series series : panel.series()) {
        if (entries.stream().noneMatch(entry -> entry.name().equals(series.name()))) {
          entries.add(series);
        }
      }
    }
    return entries;
  }
}
