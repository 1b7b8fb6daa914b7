package io.bloomery.chart;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Remembers what was painted, and where. */
final class RecordingSurface implements Surface {

  record Text(String text, String exponent, Letters letters, Box box) {}

  record Box(double left, double top, double right, double bottom) {
    boolean overlaps(Box other) {
      return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }

    boolean isWithin(double width, double height) {
      return left >= 0 && top >= 0 && right <= width && bottom <= height;
    }
  }

  record Stroke(List<Double> points, int colour) {
    Stroke(double[] points, int colour) {
      this(Arrays.stream(points).boxed().toList(), colour);
    }
  }

  final List<Text> texts = new ArrayList<>();
  final List<Stroke> lines = new ArrayList<>();
  final List<Stroke> areas = new ArrayList<>();

  static RecordingSurface of(Chart chart, int width, int height) {
    RecordingSurface surface = new RecordingSurface();
    new ChartPainter(chart, surface, width, height).paint();
    return surface;
  }

  List<String> words() {
    return texts.stream().map(Text::text).toList();
  }

  @Override
  public void line(double[] points, int colour, double width, double... dashes) {
    lines.add(new Stroke(points, colour));
  }

  @Override
  public void area(double[] corners, int fill, int outline) {
    areas.add(new Stroke(corners, outline));
  }

  @Override
  public void text(
      double x, double y, Anchor anchor, Letters letters, String text, String exponent) {
    if (text.isEmpty()) {
      return;
    }
    double length =
        TextWidths.of(text, letters.size(), letters.bold())
            + ChartPainter.EXPONENT_SIZE * TextWidths.of(exponent, letters.size(), false);
    double before =
        switch (anchor) {
          case START -> 0;
          case MIDDLE -> length / 2;
          case END -> length;
        };
    double up = (exponent.isEmpty() ? 0.8 : 1) * letters.size();
    Box box =
        letters.upwards()
            ? new Box(x - up, y - length + before, x + 0.2 * letters.size(), y + before)
            : new Box(x - before, y - up, x - before + length, y + 0.2 * letters.size());
    texts.add(new Text(text, exponent, letters, box));
  }
}
